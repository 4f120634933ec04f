#!/usr/bin/env python3
"""Prose of the documentation: at most 120 columns. Tables, code, headings, and what scripts write between marks stay as they are.

    scripts/wrap.py [PAGE...]            wraps the paragraphs that have a longer line; default: all pages that are written by hand
    scripts/wrap.py --check [PAGE...]    names file and line of each; status 1 if there is one. `make lint-words` asks
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 120
FOLDERS = ("docs/guide", "docs/method", "docs/reference")
GENERATED = ("docs/reference/results.md",)
FENCE = re.compile(r"\s*(```|~~~)")
ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])(\s+)(?=\S)")
ALONE = re.compile(r"\s*(#|\||>|<|\[[^]]+\]:|=+$|-+$)")  # headings, tables, quotes, HTML, link definitions, rules
OPENS, CLOSES = re.compile(r"<!-- .*(begin|table by)"), re.compile(r"<!-- .*end")
WORD = re.compile(r"(?:`+[^`]*`+|\S)+")  # code is not broken
NOT_FIRST = re.compile(r"([-*+=]+|\d+[.)])$|[#|><]|```|~~~")  # would begin something else at the start of a line


class Pieces:
    """The lines of a page in pieces: (number of the first, lines, prefix of the first, prefix of the others), without prefixes where they stay."""

    def __init__(self, text):
        self.pieces = []
        self.number, self.lines, self.first, self.others = 0, [], "", ""  # the paragraph so far
        self.content = 0  # columns before the text of the list item around
        verbatim, blank = None, True
        for number, line in enumerate(text.split("\n"), 1):
            indent = len(line) - len(line.lstrip())
            item = ITEM.match(line)
            if verbatim:
                self.keep(number, line)
                verbatim = None if verbatim.match(line) else verbatim
            elif FENCE.match(line) or OPENS.match(line):
                self.keep(number, line)
                verbatim = FENCE if FENCE.match(line) else CLOSES
            elif not line.strip():
                self.keep(number, line)
            elif ALONE.match(line) or blank and indent >= 4 + (self.content if indent >= self.content else 0):
                self.keep(number, line)  # what stands alone; or code by its indent
            elif item:
                self.flush()
                self.number, self.lines, self.first, self.content = number, [line], item[0], len(item[0])
                self.others = " " * self.content
            elif self.lines:
                self.lines.append(line)
            else:
                self.content = min(self.content, indent)
                self.number, self.lines, self.first, self.others = number, [line], " " * indent, " " * indent
            blank = not line.strip() or blank and not self.lines
        self.flush()

    def keep(self, number, line):
        self.flush()
        self.pieces.append((number, [line], None, None))

    def flush(self):
        if self.lines:
            self.pieces.append((self.number, self.lines, self.first, self.others))
        self.lines = []


def filled(lines, first, others):
    words = WORD.findall(" ".join(line.strip() for line in lines)[len(first.strip()) :])
    done, line = [], first
    empty = True
    for word in words:
        if not empty and len(line) + 1 + len(word) > MOST and not NOT_FIRST.match(word):
            done.append(line)
            line, empty = others, True
        line += word if empty else " " + word
        empty = False
    return [*done, line]


def long_lines(piece):
    number, lines, first, _ = piece
    return [number + i for i, line in enumerate(lines) if first is not None and len(line) > MOST and len(line.split()) > 1]


def wrapped(text):
    """The page, with the paragraphs that have a line that is too long in as few lines as they take."""
    return "\n".join(line for piece in Pieces(text).pieces for line in (filled(*piece[1:]) if long_lines(piece) else piece[1]))


def faults(text):
    """Numbers of lines that are too long, and would not be after wrapping."""
    long = ((piece, long_lines(piece)) for piece in Pieces(text).pieces)
    return [number for piece, numbers in long if numbers and filled(*piece[1:]) != piece[1] for number in numbers]


def pages():
    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.md")) if path.relative_to(ROOT).as_posix() not in GENERATED]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *found]


def main(arguments):
    check = arguments[:1] == ["--check"]
    found = 0
    for path in [pathlib.Path(name) for name in arguments[check:]] or pages():
        text = path.read_text(encoding="utf-8")
        if not check:
            path.write_text(wrapped(text), encoding="utf-8")
            continue
        for number in faults(text):
            print(f"{path}:{number}: over {MOST} columns: scripts/wrap.py wraps it", file=sys.stderr)
            found += 1
    return found != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
