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
    return {**found, "W": found["CoreWidth"], "V": found["Vectors"], "Counters": found["HpmCounters"]}


def value(text, known):
    """Of sums, products and whole quotients of numbers and constants."""
    def of(node):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](of(node.left), of(node.right))
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        raise SystemExit(f"overhead: state.tsv: '{text}' is not made of numbers, constants of the packages, + - * and //")
    return of(ast.parse(text, mode="eval").body)


def register(names, table):
    """The row of the register that a flip-flop with these names is a bit of, or None."""
    plain = [re.sub(r"(\[\d+\])+$", "", name).removeprefix(TOP) for name in names]
    return next((row for row in table if any(fnmatch.fnmatchcase(name, row["register"]) for name in plain)), None)


def account(flops, known):
    """Rows of state.tsv with `expected` and `found` bits; and the names of flip-flops that no row knows."""
    table = [dict(row, expected=value(row["bits"], known), found=0) for row in rows("state.tsv")]
    strangers = []
    for names in flops:
        row = register(names, table)
        if row is None:
            strangers.append(names[0] if names else "(a flip-flop without a name)")
        else:
            row["found"] += 1
    return table, strangers


def differences(flops, known):
    """A line for each register whose bits are not those that the configuration says."""
    table, strangers = account(flops, known)
    return [f"{row['register']}: {row['found']} flip-flops where {row['bits']} = {row['expected']} are due" for row in table if row["found"] != row["expected"]] \
        + [f"{name}: a flip-flop that state.tsv does not know" for name in strangers]


def by_purpose(flops, known):
    """{purpose: bits}, in the order of the table."""
    found = {}
    for row in account(flops, known)[0]:
        found[row["purpose"]] = found.get(row["purpose"], 0) + row["found"]
    return found


def published_part(flops, known):
    """Bits of what the published figures count."""
    return sum(row["found"] for row in account(flops, known)[0] if row["published"] == "published")
