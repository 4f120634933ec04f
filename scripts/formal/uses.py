"""What sources use of SystemVerilog packages: of each *_pkg.sv the declarations that somebody names, in the order of the text.

A declaration counts as used if a name that it declares is a word of a source that is no package, or of another used declaration,
whatever is meant there; with an enum's members go its name and all other members. Comments, runs of blanks and line breaks do not
count, so that a line may be rewrapped without a proof going stale.
What is no import, localparam, parameter, typedef, function or task, and all of a file that cannot be taken apart, counts as used.
"""

import functools
import re

STRING = r'"(?:\\.|[^"\\\n])*"'
OPENING, CLOSING = "([{", ")]}"
TOKEN = re.compile(rf"{STRING}|[A-Za-z_$][\w$]*|\d[\w.]*|[=!]==?|<<<?=?|>>>?=?|[<>+\-*/%&|^]=|\S", re.DOTALL)
COMMENT = re.compile(rf"({STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
SPOKEN_TO_TOOLS = re.compile(r"/[/*]\s*(synopsys|synthesis|pragma|translate|yosys)", re.IGNORECASE)  # comments that may mean something
DIRECTIVE = re.compile(
    r"`(define|undef\w*|include|ifn?def|elsif|else|endif|timescale|default_nettype|resetall|line|pragma|\w+_keywords|\w*celldefine|\w+_drive)\b"
)
KEYWORDS = {"typedef", "enum", "struct", "union", "packed", "logic", "bit", "int", "unsigned", "signed"}
ENDS = {"function": "endfunction", "task": "endtask"}


class Unparsed(Exception):
    """This text is not taken apart."""


@functools.cache
def plain(text):
    """The text without comments, line breaks and blanks that say nothing. Strings and lines with a backslash stay as they are, and a
    directive, which ends with its line, has a line of its own."""
    kept = []

    def replacement(match):
        if not match[1] and not SPOKEN_TO_TOOLS.match(match[0]) and not match[0].endswith("\\"):
            return " "
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    if "\0" in text or "__LINE__" in text:
        return text
    lines, continued, alone = [], False, True
    for line in COMMENT.sub(replacement, text).split("\n"):
        verbatim = continued or "\\" in line
        line = line if verbatim else re.sub(r"\s+", " ", line).strip(" ")
        marks = re.findall(r"\0(\d+)\0", line)
        line = re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], line)
        continued = line.rstrip().endswith("\\")
        if not line and not verbatim:
            continue
        ends = verbatim or DIRECTIVE.search(line) or any(kept[int(mark)].startswith("/") for mark in marks)
        if ends or alone:
            lines.append(line)
        else:
            lines[-1] += line if lines[-1][-1] in OPENING or line[0] in CLOSING else f" {line}"
        alone = bool(ends)
    return "".join(f"{line}\n" for line in lines)


def words(text):
    return set(re.findall(r"[A-Za-z_$][\w$]*", text))


def outside(tokens):
    """(index, token) of those in no bracket."""
    depth = 0
    for index, token in enumerate(tokens):
        depth -= token in CLOSING
        if depth < 0:
            raise Unparsed
        if depth == 0 and token not in CLOSING:
            yield index, token
        depth += token in OPENING
    if depth:
        raise Unparsed


def before_dimensions(tokens):
    """The name in front of [...][...] at the end of these tokens."""
    names = [token for _, token in outside(tokens) if token not in OPENING]
    if not names or not re.fullmatch(r"[A-Za-z_]\w*", names[-1]):
        raise Unparsed
    return names[-1]


def declared(tokens):
    """Names that a declaration declares; None: it counts in any case."""
    kind = tokens[0]
    if kind in ("localparam", "parameter"):
        commas = [-1, *(index for index, token in outside(tokens) if token in ",;")]
        names = set()
        for first, last in zip(commas, commas[1:]):
            part = tokens[first + 1 : last]
            equals = [index for index, token in outside(part) if token == "="]
            if not equals:
                raise Unparsed
            names.add(before_dimensions(part[: equals[0]]))
        return names
    if kind == "typedef":
        name = before_dimensions(tokens[:-1])
        return {name} | (words(" ".join(tokens)) - KEYWORDS if "enum" in tokens else set())
    if kind in ENDS:
        for index, token in outside(tokens):
            if token in "(;":
                return {before_dimensions(tokens[:index])}
    if kind == "import":
        return None
    raise Unparsed


@functools.cache
def statements(text):
    """[(text of a declaration, names that it declares or None)] of a package as plain() has it."""
    if any(sign in text for sign in ("`", "\\", "//", "/*")):
        raise Unparsed
    tokens = [(match.start(), match.end(), match[0]) for match in TOKEN.finditer(text)]
    found, start, depth, until = [], 0, 0, None
    for index, (_, end, token) in enumerate(tokens):
        first = tokens[start][2]
        if index == start:
            until = ENDS.get(first)
        depth += (token in OPENING) - (token in CLOSING)
        if depth == 0 and token == (until or ";"):
            own = [word for _, _, word in tokens[start : index + 1]]
            part = text[tokens[start][0] : end]
            found.append((part, None if first == "package" and not found else declared(own)))
            start = index + 1
    rest = [token for _, _, token in tokens[start:]]
    if not found or tokens[0][2] != "package" or depth or rest[:1] != ["endpackage"] or len(rest) not in (1, 3):
        raise Unparsed
    return found


def of(texts, more=""):
    """{name of a file: what counts of it} of {name: text}, in their order; without the packages that do not count.

    more: text whose words are named, too."""
    clean = {name: plain(text) for name, text in texts.items()}
    packages = {}
    for name, text in clean.items():
        if name.endswith("_pkg.sv"):
            try:
                packages[name] = statements(text)
            except Unparsed:
                pass
    known, before = words(more + "\n".join(text for name, text in clean.items() if name not in packages)), None
    while known != before:
        before = set(known)
        for parts in packages.values():
            known.update(*(words(text) for text, names in parts if names and names & before))
    kept = {}
    for name, text in clean.items():
        used = [part for part, names in packages.get(name, ()) if names is None or names & known]
        if name not in packages or any(names and names & known for _, names in packages[name]):
            kept[name] = "".join(f"{part}\n" for part in used) if name in packages else text
    return kept
