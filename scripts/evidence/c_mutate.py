"""Mutants of C: finds where an operator, a constant, a condition or a statement can be changed, and writes the text with a switch for each.

libclang (Debian's python3-clang-14) says where expressions are. In the copy each place reads `(MUTANT(K) ? mutated : original)`, so that one build
serves all mutants; SWITCH declares what it needs, DEFINITIONS defines it. MUTANT=K,L,... in the environment chooses them; of mutants inside each other
the outermost counts.
Left alone: what the compiler must know (case labels, sizes, static initializers), bodies of macros, null pointers, loop bounds of `for` as a whole.
"""
import ctypes
import hashlib
import pathlib
import re
import sys

LIBRARY = "/usr/lib/python3/dist-packages"  # Debian's: seen by another Python, too, for it is nothing but Python
SWITCH = """/* Whether a mutant is chosen: a byte each. */
extern unsigned char tipoff_mutants[];
#define MUTANT(n) tipoff_mutants[n]
"""
DEFINITIONS = r"""// What chooses mutants: the environment, read once when the program starts.
#include <stdlib.h>

enum { MUTANTS = 1 << 12 };
unsigned char tipoff_mutants[MUTANTS];

__attribute__((constructor)) static void choose(void) {
    char *text = getenv("MUTANT");
    while (text && *text) {
        unsigned long number = strtoul(text, &text, 10);
        if (number && number < MUTANTS) tipoff_mutants[number] = 1;
        if (*text) text++; // the comma
    }
}
"""
SWAPS = {
    "||": ["&&"],
    "&&": ["||"],
    "|": ["&"],
    "&": ["|"],
    "^": ["|"],
    "==": ["!="],
    "!=": ["=="],
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "<<": [">>"],
    ">>": ["<<"],
    "+": ["-"],
    "-": ["+"],
    "*": ["+"],
    "/": ["*"],
    "%": ["/"],
    "+=": ["-="],
    "-=": ["+="],
    "|=": ["&="],
    "&=": ["|="],
    "<<=": [">>="],
    ">>=": ["<<="],
}
LITERAL = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def libclang():
    """The module clang.cindex, with what it lacks: a place in the file also of an argument of a macro."""
    if LIBRARY not in sys.path:
        sys.path.append(LIBRARY)
    try:
        from clang import cindex
    except ImportError:
        raise SystemExit("c_mutate.py: Python's libclang is missing: apt-get install python3-clang-14") from None
    file_location = cindex.conf.lib.clang_getFileLocation
    file_location.argtypes = [cindex.SourceLocation, ctypes.POINTER(cindex.c_object_p)] + [ctypes.POINTER(ctypes.c_uint)] * 3
    file_location.restype = None
    return cindex


class Mutant:
    """One change: a range of a file's bytes, and the new text. kind: value, statement or jump."""

    def __init__(self, place, text, what, kind="value"):
        self.place, self.text, self.what, self.kind = place, text, what, kind
        self.path = self.function = self.id = self.original = self.number = self.line = self.code = None


class Unit:
    """A translation unit: its mutants in the files for which `wanted` (a path -> a name, or None) has one."""

    def __init__(self, path, arguments, wanted):
        self.cindex = libclang()
        self.kinds = self.cindex.CursorKind
        self.wanted, self.texts, self.names = wanted, {}, {}
        self.found = {}
        try:
            unit = self.cindex.Index.create().parse(str(path), args=arguments, options=0)
        except self.cindex.TranslationUnitLoadError:
            raise SystemExit(f"c_mutate.py: {path}: libclang cannot read it") from None
        errors = [str(d) for d in unit.diagnostics if d.severity >= self.cindex.Diagnostic.Error]
        if errors:
            raise SystemExit(f"c_mutate.py: {path}: does not compile: {errors[0]}")
        for cursor in unit.cursor.get_children():
            if cursor.kind == self.kinds.FUNCTION_DECL and cursor.is_definition() and (where := self.place(cursor)):
                self.function(cursor, where)

    # ---- places ----
    def file_offset(self, location):
        file, line, column, offset = self.cindex.c_object_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        self.cindex.conf.lib.clang_getFileLocation(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
        return (self.cindex.File(file).name if file else None), offset.value

    def place(self, cursor):
        """(name, start, end) in a wanted file, or None."""
        path, start = self.file_offset(cursor.extent.start)
        other, end = self.file_offset(cursor.extent.end)
        if path is None or path != other or end <= start:
            return None
        if path not in self.names:
            self.names[path] = self.wanted(path)
            if self.names[path]:
                self.texts[self.names[path]] = pathlib.Path(path).read_bytes()
        return (self.names[path], start, end) if self.names[path] else None

    def text(self, place):
        return self.texts[place[0]][place[1] : place[2]].decode()

    # ---- mutants ----
    def add(self, place, text, what, kind="value"):
        self.found.setdefault((place, text), Mutant(place, text, what, kind))

    def function(self, cursor, where):
        before = set(self.found)
        body = [child for child in cursor.get_children() if child.kind == self.kinds.COMPOUND_STMT]
        for child in body:
            self.statements(child, fixed=False)
        code = hashlib.sha256(" ".join(COMMENT.sub(" ", self.text(where)).split()).encode()).hexdigest()[:8]
        for key in set(self.found) - before:
            mutant = self.found[key]
            mutant.path, mutant.function, mutant.code = mutant.place[0], cursor.spelling, code
            mutant.original = self.text(mutant.place)
            mutant.line = self.texts[mutant.path][: mutant.place[1]].count(b"\n") + 1

    def statements(self, cursor, fixed):
        """Walks a statement or expression. fixed: the compiler must know its value."""
        kinds, kind = self.kinds, cursor.kind
        children = list(cursor.get_children())
        if kind == kinds.VAR_DECL:
            fixed = fixed or cursor.storage_class == self.cindex.StorageClass.STATIC
            array = cursor.type.kind == self.cindex.TypeKind.CONSTANTARRAY
            for index, child in enumerate(children):
                size = array and index + 1 < len(children) and child.kind != kinds.TYPE_REF
                self.statements(child, fixed or size or (array and len(children) == 1 and child.kind != kinds.INIT_LIST_EXPR))
            return
        if kind in (kinds.ENUM_DECL, kinds.STRUCT_DECL, kinds.UNION_DECL, kinds.STATIC_ASSERT):
            return
        if kind == kinds.CASE_STMT:
            for child in children[1:]:
                self.statements(child, fixed or child.kind.is_expression() and len(children) > 2 and child == children[1])
            return
        if not fixed:
            self.change(cursor, children)
        for child in children:
            null = child.kind == kinds.UNEXPOSED_EXPR and child.type.kind == self.cindex.TypeKind.POINTER and cursor.kind != kinds.UNARY_OPERATOR
            literal = self.bare(child) if null else None
            self.statements(child, fixed or bool(literal and literal.kind == kinds.INTEGER_LITERAL))

    def bare(self, cursor):
        """Without the casts and parentheses that are around it."""
        while cursor.kind in (self.kinds.UNEXPOSED_EXPR, self.kinds.PAREN_EXPR, self.kinds.CSTYLE_CAST_EXPR):
            children = [child for child in cursor.get_children() if child.kind.is_expression()]
            if len(children) != 1:
                break
            cursor = children[0]
        return cursor

    def operator(self, cursor):
        """Of two operands, if it stands between them in the file: not in a macro."""
        children = list(cursor.get_children())
        if len(children) != 2:
            return None
        left, right = self.place(children[0]), self.place(children[1])
        if not left or not right or left[0] != right[0] or left[2] > right[1]:
            return None
        between = COMMENT.sub(" ", self.texts[left[0]][left[2] : right[1]].decode()).strip()
        return between if re.fullmatch(r"[-+*/%&|^<>=!,]+", between) else None

    def change(self, cursor, children):
        kinds, kind = self.kinds, cursor.kind
        place = self.place(cursor)
        if place is None:
            return
        if kind in (kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR):
            self.change_operator(cursor, children, place)
        elif kind == kinds.UNARY_OPERATOR:
            self.change_unary(cursor, children, place)
        elif kind == kinds.INTEGER_LITERAL:
            match = LITERAL.fullmatch(self.text(place))
            if match:
                value = int(match[1], 16 if match[1][:2] in ("0x", "0X") else 8 if match[1][0] == "0" else 10)
                self.add(place, f"{match[0]} + 1", "constant + 1")
                if value:
                    self.add(place, f"{match[0]} - 1", "constant - 1")
        elif kind in (kinds.IF_STMT, kinds.WHILE_STMT, kinds.DO_STMT, kinds.CONDITIONAL_OPERATOR):
            self.change_condition(kind, children, place)
        if kind in (kinds.COMPOUND_STMT, kinds.IF_STMT, kinds.FOR_STMT, kinds.WHILE_STMT, kinds.CASE_STMT, kinds.DEFAULT_STMT, kinds.LABEL_STMT):
            for child in children if kind == kinds.COMPOUND_STMT else children[1:] if kind != kinds.FOR_STMT else children[-1:]:
                self.drop_statement(child)

    def change_operator(self, cursor, children, place):
        operator = self.operator(cursor)
        if operator not in SWAPS:
            return
        pointer = self.cindex.TypeKind.POINTER
        pointers = [child.type.get_canonical().kind in (pointer, self.cindex.TypeKind.CONSTANTARRAY) for child in children]
        left, right = (self.text(self.place(child)) for child in children)
        start = place[1]
        at, end = self.place(children[0])[2] - start, self.place(children[1])[1] - start
        raw = self.texts[place[0]][place[1] : place[2]]
        middle = raw[at:end].decode()
        logical = operator in ("&&", "||")
        for other in SWAPS[operator]:
            if (all(pointers) and operator == "-") or (pointers[1] and operator == "+"):
                continue  # a difference of pointers has no sum; a number less a pointer is nothing
            real = [child.type.get_canonical().kind in (self.cindex.TypeKind.DOUBLE, self.cindex.TypeKind.FLOAT) for child in children]
            if any(real) and other in ("%", "&", "|", "<<", ">>"):
                continue
            changed = raw[:at].decode() + middle.replace(operator, other, 1) + raw[end:].decode()
            self.add(place, changed, f"{operator} is {other}")
        if logical:
            self.add(place, left, f"{operator} has its left side alone")
            self.add(place, right, f"{operator} has its right side alone")

    def change_unary(self, cursor, children, place):
        text, operand = self.text(place), self.place(children[0]) if len(children) == 1 else None
        if not operand or (operand[1], operand[2]) == (place[1], place[2]):
            return
        inner = self.text(operand)
        sign = (text[: len(text) - len(inner)] if text.endswith(inner) else text[len(inner) :]).strip()
        if sign == "!":
            self.add(place, f"!!({inner})", "! dropped")
        elif sign in ("~", "-") and text.endswith(inner) and self.bare(children[0]).kind != self.kinds.INTEGER_LITERAL:
            self.add(place, inner, f"{sign} dropped")
        elif sign in ("++", "--"):
            other = "--" if sign == "++" else "++"
            self.add(place, other + inner if text.endswith(inner) else inner + other, f"{sign} is {other}")

    def change_condition(self, kind, children, place):
        kinds = self.kinds
        word = {kinds.IF_STMT: "if", kinds.WHILE_STMT: "while", kinds.DO_STMT: "do", kinds.CONDITIONAL_OPERATOR: ""}[kind]
        if not self.text(place).startswith(word):
            return  # in a macro
        condition = children[1] if kind == kinds.DO_STMT else children[0]
        where = self.place(condition)
        if not where or not where[1] >= place[1] or where[2] > place[2] or (where[1], where[2]) == (place[1], place[2]):
            return
        if kind != kinds.DO_STMT:
            self.add(where, f"!({self.text(where)})", "condition negated")

    def drop_statement(self, cursor):
        kinds, place = self.kinds, self.place(cursor)
        if place is None:
            return
        text, dropped = self.text(place), "no statement"
        if cursor.kind in (kinds.BREAK_STMT, kinds.CONTINUE_STMT) and text in ("break", "continue"):
            self.add(place, "", dropped, "jump")
        elif cursor.kind == kinds.CALL_EXPR and cursor.spelling and re.match(rf"{re.escape(cursor.spelling)}\s*\(", text):
            self.add(place, "", dropped, "statement")
        elif cursor.kind == kinds.COMPOUND_ASSIGNMENT_OPERATOR or cursor.kind == kinds.BINARY_OPERATOR and self.operator(cursor) == "=":
            self.add(place, "", dropped, "statement")


def identify(mutants):
    """Gives each an id that stays when lines move: of file, function, change, and which one of equal ones it is."""
    times = {}
    for mutant in sorted(mutants, key=lambda m: (m.path, m.place[1], m.place[2], m.text)):
        said = (mutant.path, mutant.function, mutant.what, " ".join(mutant.original.split()), " ".join(mutant.text.split()))
        times[said] = times.get(said, 0) + 1
        mutant.id = hashlib.sha256("\0".join([*said, str(times[said])]).encode()).hexdigest()[:10]
    return mutants


def switched(text, mutants):
    """The file's bytes with a switch for each of its numbered mutants."""
    places = {}
    for mutant in mutants:
        places.setdefault((mutant.place[1], mutant.place[2]), []).append(mutant)
    order = sorted(places, key=lambda p: (p[0], -p[1]))

    def render(start, end, index):
        """Bytes start to end with the places from `index` on that are inside; and the first that is not."""
        out, at = [], start
        while index < len(order) and order[index][0] < end:
            inner = order[index]
            out.append(text[at : inner[0]].decode())
            body, index = render(*inner, index + 1)
            out.append(wrapped(body, text[inner[0] : inner[1]].decode(), places[inner]))
            at = inner[1]
        out.append(text[at:end].decode())
        return "".join(out), index

    return render(0, len(text), 0)[0].encode()


def wrapped(body, plain, mutants):
    """body: the original with what is switched inside; each mutant's own text has no switches."""
    for mutant in sorted((m for m in mutants if m.kind == "value"), key=lambda m: m.number):
        body = f"(MUTANT({mutant.number}) ? ({mutant.text}) : ({body}))"
    for mutant in mutants:
        if mutant.kind == "statement":
            body = f"(MUTANT({mutant.number}) ? (void)0 : (void)({body}))"
        elif mutant.kind == "jump":
            body = f"if (!MUTANT({mutant.number})) {plain}"
    return body
