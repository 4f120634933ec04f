"""tables/results.tsv: what a run can leave, as C structs and their descriptions, names for Python, and a page."""
import pathlib
import re

from generate.reading import number, one_of, read_table, refuse_duplicates, TableError
from generate.text import BANNER, md_table

STORE = pathlib.Path(__file__).resolve().parents[2] / "csrc/profile/result_store.h"  # what generated names share a file with
KINDS = ("scalar", "vector", "table", "list")
MERGES = ("sum", "max", "min", "last", "none")
LAYOUTS = {"-": 0, "groups": 2, "objects": 1, "arrays": 1, "members": 1, "names": 1}  # and what follows each
# What no struct or member can be called: C17's keywords, and those that its headers make of bool.
KEYWORDS = set(
    "auto bool break case char const continue default do double else enum extern false float for goto if inline int long register restrict return short "
    "signed sizeof static struct switch true typedef union unsigned void volatile while".split()
)
FIELD_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*|\[[a-z][a-z0-9_]*\])?")
RANGE = re.compile(r"(\d+)(:[a-z][a-z0-9_]*\[[a-z][a-z0-9_]*?_)(\d+)\.\.(\d+)(\].*)")
FIRST = 3  # version of sample files that has results
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
ENUMERATED = ("state", "event", "psv", "flag", "below")  # what a vector may have as its key
POSITIVE = ("u8", "u16", "u32", "u64")  # and, with + after them, from 1 on
NAMES = {"state": "STATE_NAMES", "event": "EVENT_NAMES"}  # in C, of the types whose values have names
KINDS_OF = {"place": "PLACE", "rows": "ROWS", "index": "INDEX", "flag": "FLAG", "f64": "REAL", "text": "TEXT"}  # enum result_type; else a number


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
        if self.array and (key or self.type not in POSITIVE):
            self.fault(f"elements of an array are counters, of type {', '.join(POSITIVE)}")
        self.unit, self.merge = (rest[0], rest[1]) if not key else ("", "none")
        if since and not (since.isascii() and since.isdigit()):
            self.fault("@ takes a version of sample files")
        self.since = int(since) if since else row["since_n"]
        if self.since < row["since_n"]:
            self.fault(f"@{since} is before its result: since {row['since_n']}")
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


def each(text):
    """Of ID:ARRAY[NAME_0..N]:... a field each, the others' ids after the first."""
    found = RANGE.fullmatch(text)
    if not found:
        return [text]
    first, before, low, high, behind = found.groups()
    return [f"{int(first) + i - int(low)}{before}{i}{behind}" for i in range(int(low), int(high) + 1)]


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


def fields_of(path, row):
    every = [
        Field(path, row, one, column == "keys")
        for column in ("keys", "counters")
        if row[column] != "-"
        for text in row[column].split(" ")
        for one in each(text)
    ]
    for what in ("id", "name"):
        seen = set()
        for field in every:
            if getattr(field, what) in seen:
                field.fault(f"its {what} is given twice; choose another")
            seen.add(getattr(field, what))
    fields = [field for field in every if not field.retired]
    row["arrays"] = place_elements(fields)
    for field in fields:
        if field.type == "index" and not any(f.type == "rows" and f.name == field.arguments[0] for f in fields):
            field.fault(f"{field.arguments[0]} is no field of rows")
    return fields


def check_name(where, name):
    """C has no other use for what is made of it."""
    store = STORE.read_text(encoding="utf-8")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise TableError(f"{where}: a name has lower-case letters, digits and underscores")
    taken = {constant(name), f"results_{name}", f"results_add_{name}"} & set(re.findall(r"\w+", store))
    if name in KEYWORDS or taken or re.search(rf"struct {name}\b", store):
        raise TableError(f"{where}: C has another use for {min(taken, default=name)}; choose another name")


def check_layout(where, row):
    layout, *words = row["stats"].split(":")
    if layout not in LAYOUTS or len(words) != LAYOUTS[layout] or not all(words):
        raise TableError(f"{where}: stats {row['stats']} is none of groups:KEY:ROWS, objects:KEY, arrays:KEY, members:KEY, names:KEY, -")
    if words and not re.fullmatch(r"\.|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?", words[0]):
        raise TableError(f"{where}: stats {row['stats']}: a KEY is NAME, OUTER.NAME or, for the members of the whole, a dot")
    fields = row["fields"]
    places = [f for f in fields if f.type == "place" and f.key]
    if layout == "groups" and (not 1 <= len(places) <= 2 or any(f.type in ("text", "f64") for f in fields)):
        raise TableError(f"{where}: groups are by one place or two, and of numbers")
    if layout == "arrays" and any(f.type in ("place", "text", "f64") for f in fields):
        raise TableError(f"{where}: arrays hold whole numbers: write objects")
    if layout != "-" and (layout == "members") != (row["kind"] == "scalar"):
        raise TableError(f"{where}: members are those of a scalar")
    if layout != "members" and any("." in f.member for f in fields) and layout != "names":
        raise TableError(f"{where}: a dot in the name of a field is for members and names")
    if layout == "names" and (row["kind"] == "table" or fields[0].type not in (*NAMES, "text") or len(fields) < 2):
        raise TableError(f"{where}: names are a vector's whose key has names ({', '.join(NAMES)}), or a list's whose first field is a text; numbers follow")


def check_row(path, row):
    where = f"{path}:{row['_line']}: {row['name']}"
    check_name(where, row["name"])
    if len(row["text"].strip(" -.")) < 8:
        raise TableError(f"{where}: no sentence: say what the result is")
    one_of(path, row, "kind", KINDS)
    row["id_n"] = number(path, row, "id", 16)
    row["since_n"] = number(path, row, "since", 16)
    if row["id_n"] == 0 or row["since_n"] < FIRST:
        raise TableError(f"{where}: an id is not 0, and since is {FIRST} or more")
    if row["retired"] != "-":
        number(path, row, "retired", 16)
    row["fields"] = fields_of(path, row)
    keys = [f for f in row["fields"] if f.key]
    if not row["fields"]:
        raise TableError(f"{where}: has neither keys nor counters")
    if bool(keys) != (row["kind"] in ("vector", "table")):
        raise TableError(f"{where}: a vector and a table have keys, a scalar and a list have none")
    if row["kind"] == "vector" and (len(keys) != 1 or keys[0].type not in ENUMERATED):
        raise TableError(f"{where}: a vector has one key, of type {', '.join(ENUMERATED)}")
    check_layout(where, row)


def members(row):
    """Whole names of what it adds to --stats, so that no two results write the same one."""
    layout, *words = row["stats"].split(":")
    if layout == "-":
        return []
    if layout != "members":
        return [words[0]]
    return [field.member if words[0] == "." else f"{words[0]}.{field.member}" for field in row["fields"]]


def check_members(path, rows):
    lines, objects = {}, {}
    for row in rows:
        shared = row["stats"].startswith("names:")  # goes on in an existing object
        for name in members(row):
            other = lines.get(name) or (not shared and objects.get(name)) or next((lines[p] for p in outer(name) if p in lines), None)
            if other:
                raise TableError(f"{path}:{row['_line']}: {row['name']}: line {other} writes {name} of --stats, too; choose another KEY or name")
            lines[name] = row["_line"]
            objects.update({p: row["_line"] for p in outer(name)})


def outer(name):
    """Of a.b.c: a, a.b."""
    parts = name.split(".")
    return [".".join(parts[:i]) for i in range(1, len(parts))]


def check(path):
    rows = read_table(path)
    for row in rows:
        check_row(path, row)
    refuse_duplicates(path, rows, "name")
    refuse_duplicates(path, rows, "id_n")  # also of what has retired
    check_members(path, living(rows))
    names = {row["name"]: row for row in living(rows)}
    owners = {}
    for row in living(rows):
        for field in row["fields"]:
            if field.type == "rows" and owners.setdefault(field.arguments[0], row) is not row:
                field.fault(f"rows of {field.arguments[0]} belong to {owners[field.arguments[0]]['name']}, and each to one row alone")
            if field.type == "rows" and field.arguments[0] == row["name"]:
                field.fault("rows of its own result")
            if field.type == "rows" and names.get(field.arguments[0], {"kind": ""})["kind"] != "list":
                field.fault(f"{field.arguments[0]} is no list of this table")
    return rows


def living(rows):
    """Those that runs still leave. Of the others the ids alone stand, so that none comes back."""
    return [row for row in rows if row["retired"] == "-"]


def constant(name):
    return "RESULT_" + name.upper()


def struct(row):
    body = [f"// {row['text']}", f"struct {row['name']} {{"]
    for field in row["fields"]:
        says = "key" if field.key else field.unit
        size = f"[{field.bound}]" if field.type == "text" else ""
        if field.array and field is row["arrays"][field.array][0]:
            body.append(f"    {field.c()[0]} {field.array}[{len(row['arrays'][field.array])}]; // by enum {row['name']}_{field.array}")
        if not field.array:
            body.append(f"    {field.c()[0]} {field.name}{size}; // {says}")
    body.append("};")
    for name, elements in row["arrays"].items():
        body.append(f"enum {row['name']}_{name} {{")
        body += [f"    {name.upper()}_{f.name.upper()}, // {f.unit}" for f in elements]
        body += [f"    {row['name'].upper()}_{name.upper()}S", "};"]
    bounds = [f for f in row["fields"] if f.type == "rows"]
    return body + [f"enum {{ {row['name'].upper()}_{f.name.upper()} = {f.bound} }}; // rows at most" for f in bounds]


def accessors(row):
    name, upper = row["name"], constant(row["name"])
    if row["kind"] == "scalar":
        body = [
            f"static inline const struct {name} *results_{name}(const struct results *r) {{",
            "    size_t count;",
            f"    const struct {name} *rows = (const struct {name} *)results_rows(r, {upper}, &count);",
            "    return count ? rows : NULL;",
            "}",
        ]
    else:
        body = [
            f"static inline const struct {name} *results_{name}(const struct results *r, size_t *count) {{",
            f"    return (const struct {name} *)results_rows(r, {upper}, count);",
            "}",
        ]
    return body + [
        f"static inline bool results_add_{name}(struct results *r, const struct {name} *row) {{",
        f"    return results_add(r, {upper}, row);",
        "}",
    ]


def c(tables):
    rows = living(tables.results)
    body = [
        f"// {BANNER}",
        "// Rows of the results of a run. results_NAME: all rows, none where the run did not keep them; of a scalar its row, or NULL. results_add_NAME: one row",
        "// more, copied; false: out of memory.",
        "#ifndef TIPOFF_GEN_RESULTS_H",
        "#define TIPOFF_GEN_RESULTS_H",
        "",
        '#include "profile/result_store.h"',
        "",
        "enum result_number {",
        *(f"    {constant(row['name'])}," for row in rows),
        "    RESULT_COUNT",
        "};",
        "",
    ]
    for row in rows:
        body += [*struct(row), *accessors(row), ""]
    return "\n".join([*body, "#endif", ""])


def names_of(field):
    return f"names_of_{field.type}" if field.type in NAMES else "NULL"


def c_fields(tables):
    """What the store, the files and --stats know of each result: included by one file."""
    rows = living(tables.results)
    body = [
        f"// {BANNER}",
        "#ifndef TIPOFF_GEN_RESULT_FIELDS_H",
        "#define TIPOFF_GEN_RESULT_FIELDS_H",
        "",
        '#include "events.h"',
        '#include "records.h"',
        '#include "results.h"',
        "",
        *(f"static const char *const names_of_{kind}[] = {{{names}}};" for kind, names in NAMES.items()),
        "",
    ]
    for row in rows:
        body.append(f"static const struct result_field fields_of_{row['name']}[] = {{")
        for f in row["fields"]:
            kind = KINDS_OF.get(f.type, "NUMBER")
            within = next((i for i, g in enumerate(row["fields"]) if f.type == "index" and g.name == f.arguments[0]), 0)
            of = constant(f.arguments[0]) if f.type == "rows" else within
            body.append(
                f'    {{"{f.name}", "{f.member}", {f.id}, {f.since}, RESULT_{kind}, {f.c()[1]}, {str(f.key).lower()}, RESULT_MERGE_{f.merge.upper()}, {of}, '
                f'offsetof(struct {row["name"]}, {f.c_name}), {f.least}, {f.c()[2]}, "{f.unit}", "{f.whole_type()}", {names_of(f)}}},'
            )
        body += [
            "};",
            f'_Static_assert({len(row["fields"])} <= RESULT_FIELDS_MOST && sizeof(struct {row["name"]}) <= RESULT_ROW_MOST, "{row["name"]} is too large");',
        ]
    body += ["", "static const struct result_info result_infos[] = {"]
    for row in rows:
        layout, *words = (row["stats"] if row["stats"] != "-" else "none").split(":")
        words = [f'"{word}"' for word in words] + ["NULL"] * (2 - len(words))
        body.append(
            f'    {{"{row["name"]}", {row["id_n"]}, {row["since_n"]}, RESULT_{row["kind"].upper()}, RESULT_STATS_{layout.upper()}, {words[0]}, {words[1]}, '
            f'fields_of_{row["name"]}, {len(row["fields"])}, sizeof(struct {row["name"]})}},'
        )
    return "\n".join([*body, "};", "", "#endif", ""])


def python(tables):
    """Names for readers of sample files in Python: python/tipoff has it as it is here."""
    body = [
        '"""Results of a sample file by number: name, kind, and of each field by its number name, type and merge rule ("key": none, it is one). '
        + BANNER
        + '"""',
        "",
        "RESULTS = {",
    ]
    for row in living(tables.results):
        body += [f'    {row["id_n"]}: (', f'        "{row["name"]}",', f'        "{row["kind"]}",', "        {"]
        body += [f'            {f.id}: ("{f.name}", "{f.written}", "{"key" if f.key else f.merge}"),' for f in row["fields"]]
        body += ["        },", "    ),"]
    body += ["}", "", "# --stats, in its order: result, shape and its words, and of each field its name, name there and type", "STATISTICS = ("]
    for row in living(tables.results):
        if row["stats"] == "-":
            continue
        shape, key, group = [*row["stats"].split(":"), None][:3]
        fields = [f'("{f.name}", "{f.member}", "{f.written}"),' for f in row["fields"]]
        listed = f"({fields[0]})" if len(fields) == 1 else "\n            ".join(["(", *fields]) + "\n        )"  # as black has it
        group = f'"{group}"' if group else None
        body.append(f'    (\n        "{row["name"]}",\n        "{shape}",\n        "{key}",\n        {group},\n        {listed},\n    ),')
    return "\n".join([*body, ")", ""])


def doc(tables):
    lines = [
        "# Results of a run",
        "",
        f"<!-- {BANNER} -->",
        "What a run leaves in its sample file for reports besides samples and profiles, and what of it `--stats` has, in which shape. Every block",
        "names its result, hart, region and the ids and sizes of its fields; a reader passes over results and fields that it does not know. A row of",
        "tables/results.tsv makes the C struct, the block, its writer and reader, `--stats` and this page: a worker calls `results_add_NAME` in its",
        "`publish`. A block has the bytes of its rows by planes (of all rows the first bytes, then the second ones), which pack to half and less.",
        "",
        "`tipoff results` lists what is below in text, CSV or JSON; `tipoff results FILE.tips...` what files have of it, the results and fields of a",
        "later version by their numbers; `--rows NAME` the rows. Results of several files become one by the merge rule of each field: `sum`, `max`,",
        "`min`, `last`; `none`: values that differ stay apart, rows of a list as rows, a scalar or a table as no result at all. In C that is",
        "`results_merge`, in Python `tipoff.merge`. What a released version has keeps its id, name and type, or retires",
        "(`tests/unit/gen/schema-v3.tsv`).",
        "",
        "No rows of results are:",
        "",
        "- samples, call stacks and ProfileMe's records. They are written while the run goes on, and a run that dies keeps them up to its last whole",
        "  block; results are written at the end, each with the number of its rows in front.",
        "- profiles (time by address, state, vector and stack, one for each profiler), for speed: 3,000,000 rows are read in 0.09 s there, and in 0.31 s",
        "  as rows of a table of seven fields, for 14 % fewer bytes. They also have to be understood, or time would be missing without a word, while a",
        "  reader passes over results.",
        "- `config`, `settings` and `program` of `--stats`, which are text: the header of a sample file has them.",
        "",
        "`--stats` is made of the rows alone, in the order below, and so is `statistics` in Python. `members:KEY`: the fields are members of the object",
        "KEY, which several results may share (a dot: of the whole); a field INNER.NAME of an object in it. `names:KEY`: the members of KEY are called as",
        "the first field says. `objects:KEY`, `arrays:KEY`: an array with one of them for each row. `groups:KEY:ROWS`: an array of contexts, rows as text in",
        "ROWS. A type with + starts at 1; a value that its type does not have is refused with file, block, result and field. Before version 4 a sample",
        "file had all of this as JSON, too.",
        "",
    ]
    for row in tables.results:
        lines += [f"## {row['name']}", "", f"{row['text'][0].upper()}{row['text'][1:]}.", ""]
        lines.append(f"Id {row['id']}, {row['kind']}, since version {row['since']}" + ("" if row["retired"] == "-" else f", retired in {row['retired']}"))
        lines[-1] += f"; in `--stats`: `{row['stats']}`." if row["stats"] != "-" else "."
        cells = [
            {"id": f.id, "field": f.name, "type": f.whole_type(), "unit": "key" if f.key else f.unit, "merge": "" if f.key else f.merge} for f in row["fields"]
        ]
        lines += ["", md_table(cells, ("id", "field", "type", "unit", "merge"))]
    return "\n".join(lines).rstrip("\n") + "\n"
