"""Mutants of a SystemVerilog module: finds where one can be made, and writes a copy that holds all of them.

A mutant changes one place of the source: an operator, an operand, a condition, a constant, an assigned value, an index, an
assignment that does not happen. In the copy each place reads `(mutant_sel == K) ? mutated : original`, so that one
build serves all mutants of a module. Reads the language as the project writes it (one module a file, no macros but
ASSERT); what cannot change at run time (parameters, types, loop bounds, port lists) is left alone, and so is what only
simulation checks, behind the include of assert.svh.
"""
import re

TOKEN = re.compile(r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<directive>`[^\n]*)|(?P<string>"[^"]*")
    |(?P<number>\d*'s?[bdhBDH][0-9a-fA-F_xz?]+|'[01](?!\w)|\d[\d_]*)|(?P<id>[A-Za-z_$][\w$]*(::[A-Za-z_]\w*)?)
    |(?P<op><<<|>>>|===|!==|<<|>>|<=|>=|==|!=|&&|\|\||\+:|-:|\+=|-=|\|=|&=|\^=|'\{|'\(|\+\+|--|[-+*/%&|^~!<>=?:;,.(){}\[\]@\#])""",
                   re.VERBOSE | re.DOTALL)
BINARY = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8, ">>>": 8,
          "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
SWAPS = {"||": ["&&"], "&&": ["||"], "|": ["&", "^"], "&": ["|"], "^": ["|"], "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"],
         ">": [">=", "<="], ">=": [">", "<"], "<<": [">>"], ">>": ["<<"], ">>>": [">>"], "+": ["-"], "-": ["+"]}
LOGICAL = {"||", "&&", "==", "!=", "<", "<=", ">", ">="}
ENUMS = [["STATE_COMPUTING", "STATE_STALLED", "STATE_FLUSHED", "STATE_DRAINED"], ["IDLE", "OPEN", "WAIT", "DONE"]]


class Node:
    """An expression: kind, text range, operands."""

    def __init__(self, kind, start, end, children=(), op=None):
        self.kind, self.start, self.end, self.children, self.op = kind, start, end, list(children), op


class Mutant:
    """What is changed: the text range in the source, and what stands there instead."""

    def __init__(self, start, end, text, what):
        self.start, self.end, self.text, self.what, self.number = start, end, text, what, None


class Module:
    """One source file, its mutants, and the copy that holds them."""

    def __init__(self, path, text, bits, whole=True):
        """bits: names of one-bit fields of records, declared elsewhere. whole: refuse logic behind the include of assert.svh,
        which is not mutated."""
        self.path, self.text, self.whole = path, text, whole
        self.tokens = [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup not in ("space", "directive")]
        self.at = 0
        self.bits = set(bits) | set(re.findall(r"logic\s+(\w+)\s*[,;)]", text))
        for names in re.findall(r"^\s*(?:output |input )?\s*logic\s+(\w+(?:, \w+)+)\s*;", text, re.MULTILINE):
            self.bits |= set(names.split(", "))
        self.enums = {name for names in re.findall(r"\b\w+_e\s+(\w+(?:, \w+)*)\s*[,;)]", text) for name in names.split(", ")}
        self.mutants = []
        self.groups = ENUMS if whole else [ENUMS[0], *(re.findall(r"\w+", re.sub(r"//[^\n]*", "", names)) for names in re.findall(r"\benum\b[^{]*\{([\w\s,]*)\}", text))]
        self.body = None
        self.module()
        self.mutants.sort(key=lambda m: (m.start, m.end, m.text))

    # ---- tokens ----
    def peek(self, offset=0):
        return self.tokens[self.at + offset][1] if self.at + offset < len(self.tokens) else ""

    def kind(self, offset=0):
        return self.tokens[self.at + offset][0] if self.at + offset < len(self.tokens) else ""

    def start(self):
        return self.tokens[self.at][2]

    def last_end(self):
        return self.tokens[self.at - 1][3]

    def take(self, expected=None):
        text = self.peek()
        if expected is not None and text != expected:
            line = self.text.count("\n", 0, self.start()) + 1
            raise SystemExit(f"mutants: {self.path}:{line}: '{text}' where '{expected}' should be")
        self.at += 1
        return text

    def skip_past(self, stop):
        """Past the next `stop` outside brackets."""
        depth = 0
        while True:
            word = self.take()
            if word in ("(", "[", "{", "'{", "'("):
                depth += 1
            elif word in (")", "]", "}"):
                depth -= 1
            if word == stop and depth == 0:
                return

    # ---- the module and its items ----
    def module(self):
        self.take("module")
        while self.peek() != "(":
            if self.peek() == "#":
                self.take()
                self.skip_past(")")
            else:
                self.take()
        self.skip_past(")")
        self.take(";")
        self.body = self.last_end()
        checks = self.text.find('`include "assert.svh"')  # from there on: what simulation checks
        if checks >= 0 and self.whole:
            self.refuse_logic_behind(checks)
        while self.peek() != "endmodule":
            if 0 <= checks < self.start():
                self.take()
            else:
                self.item()

    def refuse_logic_behind(self, checks):
        """Nothing that the module needs may stand where it would not be mutated: what is set there is read only there."""
        body, behind = re.sub(r"//[^\n]*", "", self.text[self.body:checks]), self.text[checks:]
        ports = re.sub(r"//[^\n]*", "", self.text[:self.body])
        set_there = re.findall(r"\bfunction\s[^;(]*?(\w+)\s*\(", behind) + re.findall(r"(?:^|;|\)|\bassign|\bbegin|\balways_comb)\s*(\w+)(?:\[[^\]]*\])*\s*<?=[^=]", behind, re.MULTILINE)
        for name in set_there:
            if re.search(rf"\b{name}\b", body) or re.search(rf"\boutput\b[^,]*\b{name}\b", ports):
                raise SystemExit(f"mutants: {self.path}: {name} is set behind the include of assert.svh, where nothing is mutated, and read before it: move the include to the end")

    def item(self):
        word = self.peek()
        if word in ("typedef", "localparam", "parameter", "import", "genvar"):
            self.skip_past(";")
        elif word == "assign":
            self.take()
            self.assignment("=", guard=False)
        elif word == "always_comb":
            self.take()
            self.statement(known=set(), clocked=False, depth=0)
        elif word == "always_ff":
            self.take()
            self.take("@")
            self.skip_past(")")
            self.statement(known=set(), clocked=True, depth=0)
        elif word == "function":
            self.take()
            self.skip_past(";")
            known = set()
            while self.peek() != "endfunction":
                self.statement(known, clocked=False, depth=0)
            self.take()
        elif word == "for":
            self.take()
            self.skip_past(")")
            self.generate_block()
        elif word == "if":
            self.take()
            self.skip_past(")")
            self.generate_block()
            if self.peek() == "else":
                self.take()
                self.generate_block()
        elif self.kind() == "id" and (self.peek(1) == "#" or (self.kind(1) == "id" and self.peek(2) == "(")):
            self.instance()
        else:
            self.skip_past(";")

    def generate_block(self):
        self.take("begin")
        self.take(":")
        self.take()
        while self.peek() != "end":
            self.item()
        self.take("end")

    def instance(self):
        self.take()
        if self.peek() == "#":
            self.take()
            self.skip_past(")")
        self.take()
        self.take("(")
        while self.peek() == ".":
            self.take()
            port = self.take()
            if self.peek() == "(":
                self.take()
                expression = self.expression()
                if port.endswith("_i") and port not in ("clk_i", "rst_ni"):
                    self.value(expression, boolean=port in self.bits)
                self.take(")")
            if self.peek() == ",":
                self.take()
        self.take(")")
        self.take(";")

    # ---- statements ----
    def statement(self, known, clocked, depth):
        word = self.peek()
        if word == ";" or self.peek(1) == "++":
            self.skip_past(";")
        elif word in ("logic", "bit", "int"):
            self.declaration()
        elif word == "begin":
            self.take()
            if self.peek() == ":":
                self.take()
                self.take()
            while self.peek() != "end":
                self.statement(known, clocked, depth)
            self.take("end")
        elif word == "if":
            self.take()
            self.take("(")
            condition = self.expression()
            self.take(")")
            self.condition(condition)
            self.statement(known, clocked, depth + 1)
            if self.peek() == "else":
                self.take()
                self.statement(known, clocked, depth + 1)
        elif word == "case":
            self.take()
            self.take("(")
            self.expression()
            self.take(")")
            while self.peek() != "endcase":
                while self.take() != ":":
                    pass
                self.statement(known, clocked, depth + 1)
            self.take("endcase")
        elif word == "for":
            self.take()
            self.skip_past(")")
            self.statement(known, clocked, depth)
        elif word == "automatic" or (self.kind() == "id" and self.kind(1) == "id"):
            self.declaration()
        else:
            self.assignment(None, guard=clocked or depth > 0, known=known, depth=depth, clocked=clocked)

    def declaration(self):
        while self.peek() not in ("=", ";"):
            self.take()
        if self.take() == "=":
            self.value(self.expression(), boolean=False)
            self.take(";")

    def assignment(self, operator, guard, known=None, depth=0, clocked=False):
        start = self.start()
        target = self.primary()
        word = self.take(operator)
        if word not in ("=", "<=", "|=", "&=", "^=", "+=", "-="):
            raise SystemExit(f"mutants: {self.path}: assignment expected at '{self.text[start:start + 40]}'")
        name = self.text[target.start:target.end]
        base = re.match(r"\w+", name).group()
        value = self.expression()
        self.take(";")
        self.index(target)
        self.value(value, boolean=re.split(r"[.]", name)[-1] in self.bits)
        if guard and (clocked or base in known):
            self.mutants.append(Mutant(start, self.last_end(), ";", "assignment dropped"))
        if known is not None and depth == 0:
            known.add(base)

    # ---- expressions ----
    def expression(self, level=0):
        left = self.unary()
        while True:
            word = self.peek()
            if word == "?" and level == 0:
                self.take()
                yes = self.expression()
                self.take(":")
                no = self.expression()
                left = Node("choice", left.start, no.end, [left, yes, no])
            elif word in BINARY and BINARY[word] > level:
                self.take()
                right = self.expression(BINARY[word])
                left = Node("binary", left.start, right.end, [left, right], word)
            else:
                return left

    def unary(self):
        start = self.start()
        if self.peek() in ("!", "~", "-", "&", "|", "^"):
            op = self.take()
            operand = self.unary()
            return Node("unary", start, operand.end, [operand], op)
        return self.primary()

    def items(self, close):
        children = []
        while self.peek() != close:
            if self.kind() == "id" and self.peek(1) == ":":  # member of a pattern
                self.take()
                self.take()
            children.append(self.expression())
            if self.peek() == ",":
                self.take()
            elif self.peek() in ("{",):  # replication
                self.take()
                children.extend(self.items("}"))
        self.take(close)
        return children

    def primary(self):
        start, kind = self.start(), self.kind()
        if self.peek() == "(":
            self.take()
            inside = self.expression()
            self.take(")")
            node = Node("paren", start, self.last_end(), [inside])
            if self.peek() == "'(":
                node.children = []  # a width
        elif self.peek() in ("{", "'{"):
            pattern = self.take() == "'{"
            if pattern and self.peek() == "default":
                self.take()
                self.take()
            children = self.items("}")
            node = Node("pattern" if pattern else "concatenation", start, self.last_end(), children)
        elif kind == "number":
            self.take()
            node = Node("number", start, self.last_end())
        else:
            self.take()
            node = Node("name", start, self.last_end())
            if self.peek() == "(":
                self.take()
                node = Node("call", start, None, self.items(")"))
                node.end = self.last_end()
        while True:
            if self.peek() == "'(":
                self.take()
                inside = self.expression()
                self.take(")")
                node = Node("cast", start, self.last_end(), [inside])
            elif self.peek() == ".":
                self.take()
                self.take()
                node = Node("name", start, self.last_end(), node.children)
            elif self.peek() == "[":
                self.take()
                index = self.expression()
                part = self.peek() in (":", "+:", "-:")
                if part:
                    slice_op = self.take()
                    self.expression()
                self.take("]")
                node = Node("name", start, self.last_end(), node.children + ([] if part and slice_op == ":" else [index]))
            else:
                return node

    # ---- what can be changed ----
    def source(self, node):
        return self.text[node.start:node.end]

    def change(self, node, text, what):
        if not any(m.start == node.start and m.end == node.end and m.text == text for m in self.mutants):
            self.mutants.append(Mutant(node.start, node.end, text, what))

    def is_boolean(self, node):
        if node.kind == "paren" and node.children:
            return self.is_boolean(node.children[0])
        if node.kind == "binary":
            return node.op in LOGICAL or all(self.is_boolean(child) for child in node.children)
        if node.kind == "unary":
            return node.op != "-" and (node.op != "~" or self.is_boolean(node.children[0]))
        text = self.source(node)
        if node.kind == "name":
            return re.split(r"[.]", re.sub(r"\[[^\]]*\]$", "", text) if not text.endswith("]") else text)[-1] in self.bits
        return text in ("1'b0", "1'b1")

    def enum_of(self, node):
        text = self.source(node)
        return next((group for group in self.groups if text in group), None)

    def condition(self, node):
        self.walk(node)
        text = self.source(node)
        self.change(node, f"!({text})", "condition negated")
        self.change(node, "1'b1", "condition always true")
        self.change(node, "1'b0", "condition never true")

    def value(self, node, boolean):
        """An assigned value."""
        self.walk(node)
        text = self.source(node)
        if node.kind == "pattern" or self.has_enum(node):
            return
        if node.kind == "number":
            return  # walk did it
        boolean = boolean or self.is_boolean(node)
        self.change(node, f"~({text})", "value inverted")
        self.change(node, "'0", "value stuck at 0")
        if boolean:
            self.change(node, "1'b1", "value stuck at 1")
        else:
            self.change(node, f"({text}) & ('1 << 1)", "lowest bit stuck at 0")
            self.change(node, f"({text}) & ('1 >> 1)", "highest bit stuck at 0")

    def has_enum(self, node):
        if node.kind == "choice":
            return any(self.has_enum(child) for child in node.children[1:])
        return self.enum_of(node) is not None or self.source(node) in self.enums

    def index(self, target):
        """Indices of an assignment's target."""
        for child in target.children:
            if child.kind != "number":
                self.walk(child)
                self.change(child, "'0", "index stuck at 0")

    def walk(self, node):
        for child in node.children:
            self.walk(child)
        text = self.source(node)
        if node.kind == "binary":
            left, right = (self.source(child) for child in node.children)
            for op in SWAPS.get(node.op, []):
                self.change(node, f"{left} {op} {right}", f"{node.op} becomes {op}")
            if node.op in ("&&", "||", "&", "|", "^", "+"):
                self.change(node, left, f"right side of {node.op} dropped")
                self.change(node, right, f"left side of {node.op} dropped")
            if node.op in ("-", "<<", ">>"):
                self.change(node, left, f"right side of {node.op} dropped")
        elif node.kind == "unary":
            self.change(node, self.source(node.children[0]), f"{node.op} dropped")
        elif node.kind == "choice":
            condition, yes, no = (self.source(child) for child in node.children)
            self.change(node, yes, "condition of ?: always true")
            self.change(node, no, "condition of ?: never true")
            self.change(node, f"{condition} ? {no} : {yes}", "branches of ?: swapped")
        elif node.kind == "number":
            self.number(node, text)
        elif node.kind == "name":
            group = self.enum_of(node)
            for other in group or []:
                if other != text:
                    self.change(node, other, f"{text} becomes {other}")
            for child in node.children:
                if child.kind not in ("number",) and "[" in text:
                    self.change(child, "'0", "index stuck at 0")

    def number(self, node, text):
        if text in ("'0", "'1"):
            self.change(node, "'1" if text == "'0" else "'0", f"{text} becomes the other")
            return
        match = re.fullmatch(r"(\d*'s?)([bdh])([0-9a-fA-F_]+)", text)
        if not match:
            value = int(text.replace("_", ""))
            self.change(node, str(value + 1), "constant + 1")
            if value > 1:
                self.change(node, str(value - 1), "constant - 1")
            return
        prefix, base, digits = match.groups()
        radix = {"b": 2, "d": 10, "h": 16}[base]
        value, width = int(digits.replace("_", ""), radix), int(prefix.rstrip("s").rstrip("'"))
        spell = {"b": "{:b}", "d": "{:d}", "h": "{:x}"}[base]
        for other, what in ((value + 1, "constant + 1"), (value - 1, "constant - 1")):
            if 0 <= other < 1 << width:
                self.change(node, prefix + base + spell.format(other), what)

    # ---- the copy ----
    def number_from(self, first):
        """Numbers the mutants from `first`; the next free number."""
        for offset, mutant in enumerate(self.mutants):
            mutant.number = first + offset
        return first + len(self.mutants)

    def line(self, mutant):
        return self.text.count("\n", 0, mutant.start) + 1

    def statement_of(self, mutant):
        """Text from the last semicolon before the mutant to the next one: names the instance whose port it changes."""
        return self.text[self.text.rfind(";", 0, mutant.start) + 1:self.text.find(";", mutant.start)]

    def target(self, mutant):
        """Name of the register that the mutant's line assigns, if it assigns one."""
        first = self.text.rfind("\n", 0, mutant.start) + 1
        match = re.search(r"(\w+)(?:\[[^\]]*\]|\.\w+)* <= ", self.text[first:self.text.find("\n", mutant.start)])
        return match and match.group(1)

    def applied(self, mutant):
        """The source with that one change."""
        return self.text[:mutant.start] + mutant.text + self.text[mutant.end:]

    def expanded(self, start, end, noting):
        """Text of a range with all mutants inside it, those of the whole range excluded."""
        inner = [m for m in self.mutants if start <= m.start and m.end <= end and (m.start, m.end) != (start, end)]
        ranges = sorted({(m.start, m.end) for m in inner}, key=lambda r: (r[0], -r[1]))
        out, at = "", start
        for first, last in ranges:
            if first < at:
                continue  # inside one that is written already
            out += self.text[at:first] + self.wrapped(first, last, noting)
            at = last
        return out + self.text[at:end]

    def wrapped(self, start, end, noting):
        here = [m for m in self.mutants if (m.start, m.end) == (start, end)]
        original = self.expanded(start, end, noting)
        dropped = [m for m in here if m.what == "assignment dropped"]
        if dropped:
            note = f"void'(mutant_note({dropped[0].number}, 1)); " if noting else ""
            return f"begin {note}if (mutant_sel != {dropped[0].number}) {original} end"
        out = f"({original})"
        for mutant in here:
            chosen = f"mutant_sel == {mutant.number}"
            if noting:
                chosen = f"mutant_note({mutant.number}, int'(({mutant.text}) !== ({self.text[start:end]}))) != 0"
            out = f"(({chosen}) ? ({mutant.text}) : {out})"
        return out

    def schemata(self, selector, noting=False):
        """The copy; `selector` declares mutant_sel, and mutant_note, which is told whether a mutant would make a difference where it
        stands, and returns 0."""
        return self.text[:self.body] + "\n" + selector + self.expanded(self.body, len(self.text), noting)
