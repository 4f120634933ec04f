"""Mutants of a SystemVerilog module: finds where one can be made, and writes a copy that holds all of them.

A mutant changes one place of the source: an operator, an operand, a condition, a constant, an assigned value, an index, an
assignment that does not happen. In the copy each place reads `(mutant_sel == K) ? mutated : original`, so that one
build serves all mutants of a module. What sv_parser.py passes over is left alone.
"""
import re

from sv_parser import Parser

SWAPS = {
    "||": ["&&"],
    "&&": ["||"],
    "|": ["&", "^"],
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
    ">>>": [">>"],
    "+": ["-"],
    "-": ["+"],
}
REDUCTIONS = {"&": "|", "|": "&", "^": "|"}
LOGICAL = {"||", "&&", "==", "!=", "<", "<=", ">", ">="}
ENUMS = [["STATE_COMPUTING", "STATE_STALLED", "STATE_FLUSHED", "STATE_DRAINED"], ["IDLE", "OPEN", "WAIT", "DONE"]]


class Mutant:
    """What is changed: the text range in the source, and what stands there instead."""

    def __init__(self, start, end, text, what):
        self.start, self.end, self.text, self.what, self.number = start, end, text, what, None


class Module(Parser):
    """One source file, its mutants, and the copy that holds them."""

    def __init__(self, path, text, bits, whole=True):
        """bits: names of one-bit fields of records, declared elsewhere. whole: refuse logic after the include of assert.svh,
        which is not mutated."""
        super().__init__(path, text, bits, whole)
        self.enums = {name for names in re.findall(r"\b\w+_e\s+(\w+(?:, \w+)*)\s*[,;)]", text) for name in names.split(", ")}
        self.mutants = []
        own = [re.findall(r"\w+", re.sub(r"//[^\n]*", "", names)) for names in re.findall(r"\benum\b[^{]*\{([\w\s,]*)\}", text)]
        self.groups = [*own, *ENUMS] if whole else [ENUMS[0], *own]
        self.module()
        self.mutants.sort(key=lambda m: (m.start, m.end, m.text))

    # ---- what can be changed ----
    def source(self, node):
        return self.text[node.start : node.end]

    def change(self, node, text, what):
        if not any(m.start == node.start and m.end == node.end and m.text == text for m in self.mutants):
            self.mutants.append(Mutant(node.start, node.end, text, what))

    def dropped(self, start, end):
        """An assignment which, left out, leaves the old value."""
        self.mutants.append(Mutant(start, end, ";", "assignment dropped"))

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
        if self.has_pattern(node) or self.has_enum(node):
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

    def has_pattern(self, node):
        """Verilator knows no assignment pattern in two choices, one in the other."""
        return node.kind == "pattern" or (node.kind == "choice" and any(self.has_pattern(child) for child in node.children[1:]))

    def has_enum(self, node):
        if node.kind == "choice":
            return any(self.has_enum(child) for child in node.children[1:])
        return self.enum_of(node) is not None or self.source(node) in self.enums

    def index(self, target):
        """Indices of an assignment's target, of each part where it is a concatenation."""
        if target.kind == "concatenation":
            for child in target.children:
                self.index(child)
            return
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
        elif node.kind == "unary" and node.op in REDUCTIONS:  # still one bit, which matters in a concatenation
            self.change(node, REDUCTIONS[node.op] + self.source(node.children[0]), f"{node.op} becomes {REDUCTIONS[node.op]}")
        elif node.kind == "unary":
            self.change(node, self.source(node.children[0]), f"{node.op} dropped")
        elif node.kind == "choice" and not self.has_pattern(node):
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
        return self.text[self.text.rfind(";", 0, mutant.start) + 1 : self.text.find(";", mutant.start)]

    def target(self, mutant):
        """Name of the register that the mutant's line assigns, if it assigns one."""
        first = self.text.rfind("\n", 0, mutant.start) + 1
        match = re.search(r"(\w+)(?:\[[^\]]*\]|\.\w+)* <= ", self.text[first : self.text.find("\n", mutant.start)])
        return match and match.group(1)

    def applied(self, mutant):
        """The source with that one change."""
        return self.text[: mutant.start] + mutant.text + self.text[mutant.end :]

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
        """The copy; `selector` declares mutant_sel, and mutant_note, which records whether a mutant would make a difference where it
        stands, and returns 0."""
        return self.text[: self.body] + "\n" + selector + self.expanded(self.body, len(self.text), noting)
