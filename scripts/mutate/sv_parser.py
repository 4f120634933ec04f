"""Reads a SystemVerilog module as the project writes it (one module a file, no macros but ASSERT) and shows a subclass what is
in it that works at run time: conditions, assigned values, indices, assignments. Parameters, types, loop bounds and port
lists are passed over, and so is what only simulation checks, after the include of assert.svh.
"""
import re

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<directive>`[^\n]*)|(?P<string>"[^"]*")
    |(?P<number>\d*'s?[bdhBDH][0-9a-fA-F_xz?]+|'[01](?!\w)|\d[\d_]*)|(?P<id>[A-Za-z_$][\w$]*(::[A-Za-z_]\w*)?)
    |(?P<op><<<|>>>|===|!==|<<|>>|<=|>=|==|!=|&&|\|\||\+:|-:|\+=|-=|\|=|&=|\^=|'\{|'\(|\+\+|--|[-+*/%&|^~!<>=?:;,.(){}\[\]@\#])""",
    re.VERBOSE | re.DOTALL,
)
BINARY = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    "<=": 7,
    ">": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    ">>>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}


class Node:
    """An expression: kind, text range, operands."""

    def __init__(self, kind, start, end, children=(), op=None):
        self.kind, self.start, self.end, self.children, self.op = kind, start, end, list(children), op


class Parser:
    """One source file. A subclass has condition(node), value(node, boolean), index(target) and dropped(start, end), called as
    the text is read."""

    def __init__(self, path, text, bits, whole):
        """bits: names of one-bit fields of records, declared elsewhere. whole: refuse logic after the include of assert.svh,
        which is not shown."""
        self.path, self.text, self.whole = path, text, whole
        self.tokens = [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup not in ("space", "directive")]
        self.at = 0
        self.bits = set(bits) | set(re.findall(r"logic\s+(\w+)\s*[,;)]", text))
        for names in re.findall(r"^\s*(?:output |input )?\s*logic\s+(\w+(?:,\s+\w+)+)\s*;", text, re.MULTILINE):
            self.bits |= set(re.split(r",\s+", names))
        self.body = None
        lines = [line for line in re.sub(r"//[^\n]*|/\*.*?\*/", "", text).splitlines() if not re.search(r"[=(]", line)]
        self.arrays = {name for line in lines for name in re.findall(r"(\w+) \[[^\]]*\](?=\s*(?:[,;]|$))", line)}  # unpacked: no expression has such a value

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
        checks = self.text.find('`include "assert.svh"', self.body)  # from there on: what simulation checks
        if checks >= 0 and self.whole:
            self.refuse_logic_behind(checks)
        while self.peek() != "endmodule":
            if 0 <= checks < self.start():
                self.take()
            else:
                self.item()

    def refuse_logic_behind(self, checks):
        """Nothing that the module needs may stand where it would not be mutated: what is set there is read only there."""
        body, behind = re.sub(r"//[^\n]*", "", self.text[self.body : checks]), self.text[checks:]
        ports = re.sub(r"//[^\n]*", "", self.text[: self.body])
        set_there = re.findall(r"\bfunction\s[^;(]*?(\w+)\s*\(", behind) + re.findall(
            r"(?:^|;|\)|\bassign|\bbegin|\balways_comb)\s*(\w+)(?:\[[^\]]*\])*\s*<?=[^=]", behind, re.MULTILINE
        )
        for name in set_there:
            if re.search(rf"\b{name}\b", body) or re.search(rf"\boutput\b[^,]*\b{name}\b", ports):
                raise SystemExit(
                    f"mutants: {self.path}: {name} is set after the include of assert.svh, where nothing is mutated, and read before it: move the include to the end"
                )

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
                if self.peek() != ")":  # else it is left open
                    expression = self.expression()
                    if port.endswith("_i") and port not in ("clk_i", "rst_ni") and self.text[expression.start : expression.end] not in self.arrays:
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
        name = self.text[target.start : target.end]
        base = re.search(r"\w+", name).group()  # of a concatenation the first
        value = self.expression()
        self.take(";")
        self.index(target)
        self.value(value, boolean=re.split(r"[.]", name)[-1] in self.bits)
        if guard and (clocked or base in known):
            self.dropped(start, self.last_end())
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
            elif self.peek() in ("{",):  # replication: the number before it is a constant, which no mutant may choose
                self.take()
                children.pop()
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
