"""Reads a SystemVerilog module as the project writes it (one module a file, no macros but ASSERT) and shows a subclass what is
in it that works at run time: conditions, assigned values, indices, assignments. Parameters, types, loop bounds and port
lists are passed over, and so is what only simulation checks, after the include of assert.svh.
"""
import re

from sv_expressions import Expressions


class Parser(Expressions):
    """One source file. A subclass has condition(node), value(node, boolean), index(target) and dropped(start, end), called as
    the text is read."""

    def __init__(self, path, text, bits, whole):
        """bits: names of one-bit fields of records, declared elsewhere. whole: refuse logic after the include of assert.svh,
        which is not shown."""
        super().__init__(path, text)
        self.whole = whole
        self.bits = set(bits) | set(re.findall(r"logic\s+(\w+)\s*[,;)]", text))
        for names in re.findall(r"^\s*(?:output |input )?\s*logic\s+(\w+(?:,\s+\w+)+)\s*;", text, re.MULTILINE):
            self.bits |= set(re.split(r",\s+", names))
        self.body = None
        lines = [line for line in re.sub(r"//[^\n]*|/\*.*?\*/", "", text).splitlines() if not re.search(r"[=(]", line)]
        self.arrays = {name for line in lines for name in re.findall(r"(\w+) \[[^\]]*\](?=\s*(?:[,;]|$))", line)}  # unpacked: no expression has such a value

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
