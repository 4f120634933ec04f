"""A field of a row of tables/results.tsv: its type, unit and rule, and what makes it no good."""
import functools
import pathlib
import re

from generate.reading import TableError

CSRC = pathlib.Path(__file__).resolve().parents[2] / "csrc"
FORMAT = CSRC / "samples/samples_format.h"  # says what the newest version of sample files is
MERGES = ("sum", "max", "min", "last", "none")
WITHOUT_SUM = ("place", "state", "event", "psv", "flag", "address", "index", "below")  # values that are no amounts
WITHOUT_ORDER = ("place", "state", "event", "psv", "rows", "index")  # ... and have no greatest
# What no struct or member can be called: C17's keywords, and those that its headers make of bool.
KEYWORDS = set(
    "auto bool break case char const continue default do double else enum extern false float for goto if inline int long register restrict return short "
    "signed sizeof static struct switch true typedef union unsigned void volatile while".split()
)
FIELD_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*|\[[a-z][a-z0-9_]*\])?")
RANGE = re.compile(r"(\d+)(:[a-z][a-z0-9_]*\[[a-z][a-z0-9_]*?_)(\d+)\.\.(\d+)(\].*)")
# C type, bytes in a file, greatest value
TYPES = {
    "u8": ("uint8_t", 1, "UINT8_MAX"),
    "u16": ("uint16_t", 2, "UINT16_MAX"),
    "u32": ("uint32_t", 4, "UINT32_MAX"),
    "u64": ("uint64_t", 8, "UINT64_MAX"),
    "flag": ("bool", 1, "1"),
    "address": ("uint64_t", 8, "UINT64_MAX"),
    "cycle": ("uint64_t", 8, "UINT64_MAX"),
    "f64": ("double", 8, "0"),
    "state": ("uint8_t", 1, "STATE_COUNT - 1"),
    "event": ("uint8_t", 1, "EVENT_COUNT - 1"),
    "psv": ("uint16_t", 2, "UINT16_MAX"),
    "place": ("struct place", 16, "UINT64_MAX"),
}
WITH_BOUND = ("below", "rows", "index", "text")
POSITIVE = ("u8", "u16", "u32", "u64")  # and, with + after them, from 1 on


@functools.cache
def newest():
    return int(re.search(r"SAMPLES_VERSION = (\d+)", FORMAT.read_text(encoding="utf-8")).group(1))


class Field:
    """A key or counter: type and its argument, and where its words stand in the table."""

    def __init__(self, path, row, text, key):
        self.key = key
        self.path, self.row, self.text = path, row, text
        words, _, since = text.partition("@")
        parts = words.split(":")
        if len(parts) < 3 or not (parts[0].isascii() and parts[0].isdigit()) or not FIELD_NAME.fullmatch(parts[1]):
            self.fault("write ID:NAME:TYPE" + ("" if key else ":UNIT:MERGE"))
        self.id, self.type = int(parts[0]), parts[2]
        self.array, _, element = parts[1].rstrip("]").rpartition("[")  # of an array of C its own
        self.member = element
        self.name = self.member.replace(".", "_")
        self.c_name = self.name  # of an element: fields_of
        if not 0 < self.id < 1 << 16:
            self.fault("an id is a number from 1 to 65535")
        if (self.array or self.name) in KEYWORDS:
            self.fault(f"{self.array or self.name} is a keyword of C; choose another name")
        self.retired = self.type == "retired"
        if self.retired and len(parts) > 3:
            self.fault("of a field that has retired there is nothing but ID:NAME:retired")
        if self.retired:
            return
        self.written = self.type
        self.least = int(self.type.endswith("+"))
        self.type = self.type.removesuffix("+")
        if self.least and self.type not in POSITIVE:
            self.fault(f"+ is for {', '.join(POSITIVE)}; leave it out")
        arguments = {"below": 1, "rows": 2, "index": 1, "text": 1}.get(self.type, 0)
        if self.type not in TYPES and self.type not in WITH_BOUND:
            self.fault(f"type {self.type} is none of {', '.join([*TYPES, *WITH_BOUND])}")
        self.arguments, rest = parts[3 : 3 + arguments], parts[3 + arguments :]
        if len(self.arguments) < arguments:
            self.fault(f"type {self.type} takes {arguments} words after it")
        if key and (rest or self.type in ("rows", "index", "f64")):
            self.fault("a key is ID:NAME:TYPE, and neither rows, an index nor a fraction")
        if not key and (not rest or not rest[0]):
            self.fault("a counter without a unit: write ID:NAME:TYPE:UNIT:MERGE")
        if not key and (len(rest) < 2 or rest[1] not in MERGES):
            self.fault(f"no merge rule: one of {', '.join(MERGES)} after the unit")
        if len(rest) > 2:
            self.fault("words after the merge rule")
        if not key and not re.fullmatch(r"[A-Za-z]+", rest[0]):
            self.fault("a unit is a word")
        if self.array and (key or self.type not in POSITIVE):
            self.fault(f"elements of an array are counters, of type {', '.join(POSITIVE)}")
        self.unit, self.merge = (rest[0], rest[1]) if not key else ("", "none")
        if self.merge == "sum" and self.type in WITHOUT_SUM or self.merge in ("max", "min") and self.type in WITHOUT_ORDER:
            self.fault(f"{self.type} has no {self.merge}: write last or none")
        if since and not (since.isascii() and since.isdigit()):
            self.fault("@ takes a version of sample files")
        self.since = int(since) if since else row["since_n"]
        if self.since < row["since_n"]:
            self.fault(f"@{since} is before its result: since {row['since_n']}")
        if self.since > newest():
            self.fault(f"@{since}: the newest version of sample files is {newest()}")
        if self.type in ("below", "rows", "text"):
            bound = self.arguments[-1]
            if not (bound.isascii() and bound.isdigit()) or not 0 < int(bound) < 1 << 32:
                self.fault(f"{self.type} takes a number, not {bound}")
            self.bound = int(bound)
        if self.type == "text" and (self.bound > 256 or self.merge != "none"):
            self.fault("a text has 256 bytes at most, the last one 0, and does not merge: write none")

    def fault(self, what):
        raise TableError(f"{self.path}:{self.row['_line']}: {self.text}: {what}")

    def whole_type(self):
        return ":".join([self.written, *self.arguments])

    def c(self):
        """C type, bytes in a file, greatest value."""
        if self.type in TYPES:
            return TYPES[self.type]
        if self.type == "below":
            bits = next(b for b in (8, 16, 32) if self.bound <= 1 << b)
            return f"uint{bits}_t", bits // 8, f"{self.bound - 1}"
        if self.type == "rows":
            return "struct result_span", 4, f"{self.bound}"
        if self.type == "text":
            return "char", self.bound, f"{self.bound - 1}"
        return "uint32_t", 4, "UINT32_MAX"


def each(text, events):
    """Of ID:ARRAY[NAME_0..N]:... a field each, the others' ids after the first; event_0 and so on are called as the events of these bits are."""
    found = RANGE.fullmatch(text)
    if not found:
        return [text]
    first, before, low, high, behind = found.groups()
    names = dict(enumerate(name.lower() for name in events)) if before.endswith("[event_") else {}
    return [f"{int(first) + i - int(low)}{before}{names.get(i, i)}{behind}" for i in range(int(low), int(high) + 1)]


def place_elements(fields):
    """Elements of one array follow on each other, and have one type."""
    arrays = {}
    for before, field in zip([None, *fields], fields):
        if not field.array:
            continue
        elements = arrays.setdefault(field.array, [])
        if elements and (before.array != field.array or elements[0].written != field.written):
            field.fault(f"elements of {field.array} stand together, and have one type")
        if field.array in (f.name for f in fields):
            field.fault(f"{field.array} is a field, too; choose another name")
        field.c_name = f"{field.array}[{len(elements)}]"
        elements.append(field)
    return arrays
