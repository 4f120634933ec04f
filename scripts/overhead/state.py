"""Every flip-flop of a unit, by name and purpose: what the netlist has against what follows from the configuration (state.tsv)."""
import ast
import csv
import fnmatch
import operator
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
TOP = "u_profile_top."
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}


def rows(name):
    """Of a table of this folder, as dictionaries."""
    lines = [line for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def constants(packages):
    """Those of the generated packages, and W and V."""
    found = {}
    for path in packages:
        found.update({name: int(value) for name, value in re.findall(r"localparam int unsigned (\w+) = (\d+);", pathlib.Path(path).read_text())})
    tags = found["ProfileTags"]
    return {
        **found,
        "W": found["CoreWidth"],
        "V": found["Vectors"],
        "Counters": found["HpmCounters"],
        "Tags": tags,
        "Records": found["ProfileRecords"],
        "Pairs": min(tags // 2, 1),
        "Seconds": tags // 2,
    }


def value(text, known):
    """Of sums, products and whole quotients of numbers and constants; bits(n): those that distinguish n things."""

    def of(node):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](of(node.left), of(node.right))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "bits" and len(node.args) == 1:
            return (of(node.args[0]) - 1).bit_length()
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        raise SystemExit(f"overhead: state.tsv: '{text}' is not made of numbers, constants of the packages, + - *, // and bits()")

    return of(ast.parse(text, mode="eval").body)


def register(names, table):
    """The row of the register that a flip-flop with these names is a bit of, or None."""
    plain = [re.sub(r"(\[\d+\])+$", "", name).removeprefix(TOP) for name in names] or ["(no name)"]
    return next((row for row in table if any(fnmatch.fnmatchcase(name, row["register"]) for name in plain)), None)


def account(flops, known, name="state.tsv"):
    """Rows of that table with `expected` and `found` bits; and the names of flip-flops that no row knows."""
    table = [dict(row, expected=value(row["bits"], known), found=0) for row in rows(name)]
    strangers = []
    for names in flops:
        row = register(names, table)
        if row is None:
            strangers.append(names[0] if names else "(a flip-flop without a name)")
        else:
            row["found"] += 1
    return table, strangers


def differences(flops, known, name="state.tsv"):
    """A line for each register whose bits are not those that the configuration says."""
    table, strangers = account(flops, known, name)
    return [
        f"{row['register']}: {row['found']} flip-flops where {row['bits']} = {row['expected']} are due" for row in table if row["found"] != row["expected"]
    ] + [f"{stranger}: a flip-flop that {name} does not know" for stranger in strangers]


def by_purpose(flops, known, name="state.tsv"):
    """{purpose: bits}, in the order of the table."""
    found = {}
    for row in account(flops, known, name)[0]:
        found[row["purpose"]] = found.get(row["purpose"], 0) + row["found"]
    return found


def published_part(flops, known, name="state.tsv"):
    """Bits of what the published figures count."""
    return sum(row["found"] for row in account(flops, known, name)[0] if row["published"] == "published")
