"""tables/results.tsv: its rows and their fields, and what makes them no good."""
import functools
import re

from generate.reading import number, one_of, read_table, refuse_duplicates, TableError
from generate.result_fields import CSRC, Field, KEYWORDS, each, newest, place_elements

STORE = CSRC / "profile/result_store.h"  # what generated names share a file with
COLUMNS = ("name", "id", "kind", "keys", "counters", "stats", "since", "retired", "text")
KINDS = ("scalar", "vector", "table", "list")
FIELDS_MOST = 64  # RESULT_FIELDS_MOST
LAYOUTS = {"-": 0, "groups": 2, "objects": 1, "arrays": 1, "members": 1, "names": 1}  # and what follows each
FIRST = 3  # version of sample files that has results
ENUMERATED = ("state", "event", "psv", "flag", "below")  # what a vector may have as its key
NAMES = {"state": "STATE_NAMES", "event": "EVENT_NAMES"}  # in C, of the types whose values have names


def fields_of(path, row, events):
    every = [
        Field(path, row, one, column == "keys")
        for column in ("keys", "counters")
        if row[column] != "-"
        for text in row[column].split(" ")
        for one in each(text, events)
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


@functools.cache
def structs():
    """Names of structs that a file of ours may have beside those that are generated."""
    found = (re.findall(r"^struct (\w+) \{", path.read_text(encoding="utf-8"), re.M) for path in sorted(CSRC.glob("**/*.h")))
    return {name for names in found for name in names}


def check_name(where, name):
    """C has no other use for what is made of it."""
    store = STORE.read_text(encoding="utf-8")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise TableError(f"{where}: a name has lower-case letters, digits and underscores")
    taken = {constant(name), f"results_{name}", f"results_add_{name}"} & set(re.findall(r"\w+", store))
    if constant(name) == "RESULT_COUNT" or name.startswith("add_"):
        taken.add(constant(name))
    if name in KEYWORDS or taken or name in structs() or re.search(rf"struct {name}\b", store):
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


def check_row(path, row, events):
    where = f"{path}:{row['_line']}: {row['name']}"
    check_name(where, row["name"])
    if len(row["text"].strip(" -.")) < 8:
        raise TableError(f"{where}: no sentence: say what the result is")
    if not row["text"].isprintable() or "\\" in row["text"] or "*/" in row["text"]:
        raise TableError(f"{where}: the text goes into a comment of C: leave out what is unprintable, backslashes and */")
    one_of(path, row, "kind", KINDS)
    row["id_n"] = number(path, row, "id", 16)
    row["since_n"] = number(path, row, "since", 16)
    if row["id_n"] == 0 or row["since_n"] < FIRST:
        raise TableError(f"{where}: an id is not 0, and since is {FIRST} or more")
    if row["since_n"] > newest():
        raise TableError(f"{where}: since {row['since']}: the newest version of sample files is {newest()}")
    if row["retired"] != "-" and not row["since_n"] < number(path, row, "retired", 16) <= newest():
        raise TableError(f"{where}: retired {row['retired']}: a version behind since {row['since']}, {newest()} at most")
    row["fields"] = fields_of(path, row, events)
    if len(row["fields"]) > FIELDS_MOST:
        raise TableError(f"{where}: {len(row['fields'])} fields, of at most {FIELDS_MOST}")
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


def check(path, events):
    """events: their names, bit 0 first."""
    rows = read_table(path)
    if tuple(rows[0])[:-1] != COLUMNS:
        raise TableError(f"{path}: the columns are {' '.join(COLUMNS)}, not {' '.join(tuple(rows[0])[:-1])}")
    for row in rows:
        check_row(path, row, events)
    refuse_duplicates(path, rows, "name")
    refuse_duplicates(path, rows, "id_n", "id")  # also of what has retired
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
