"""Reads the tokens and expressions of a SystemVerilog file (sv_parser.py)."""
import re

# An assertion may take several lines; brackets in each other, six at most.
IN_BRACKETS = r"[^()]*"
for _ in range(6):
    IN_BRACKETS = rf"(?:[^()]|\({IN_BRACKETS}\))*"
TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<directive>`ASSERT\("""
    + IN_BRACKETS
    + r"""\)|`[^\n]*)|(?P<string>"[^"]*")
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


class Expressions:
    """One source file as tokens, and what can be read at the one where it stands."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup not in ("space", "directive")]
        self.at = 0

    # ---- tokens ----
    def peek(self, offset=0):
        return self.tokens[self.at + offset][1] if self.at + offset < len(self.tokens) else ""

    def kind(self, offset=0):
        return self.tokens[self.at + offset][0] if self.at + offset < len(self.tokens) else ""

    def start(self):
        return self.tokens[self.at][2] if self.at < len(self.tokens) else len(self.text)

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
            if not word:
                raise SystemExit(f"mutants: {self.path}: '{stop}' expected before its end")
            if word in ("(", "[", "{", "'{", "'("):
                depth += 1
            elif word in (")", "]", "}"):
                depth -= 1
            if word == stop and depth == 0:
                return

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
