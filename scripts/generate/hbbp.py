"""The rules by which HBBP chooses between its two collections (docs/guide/mix.md): tables/hbbp.tsv."""
from generate.reading import TableError, one_of, read_table
from generate.text import BANNER

FEATURES = ("length", "bias", "samples", "streams", "loads", "stores", "long", "conditional")  # as in csrc/methods/hbbp/rule.h
METHODS = ("EBS", "LBR")


def check(path):
    rows = read_table(path)
    sizes = {}
    for row in rows:
        sizes[row["rule"]] = sizes.get(row["rule"], 0) + 1
    nodes = dict.fromkeys(sizes, 0)
    for row in rows:
        rule, where = row["rule"], f"{path}:{row['_line']}"
        one_of(path, row, "feature", FEATURES)
        if row["node"] != str(nodes[rule]):
            raise TableError(f"{where}: node {row['node']} of rule {rule}: number them from 0 on, in order: {nodes[rule]} is next")
        try:
            float(row["at_most"])
        except ValueError as error:
            raise TableError(f"{where}: at_most {row['at_most']} is no number") from error
        for way in ("then", "else"):
            if row[way] not in METHODS and not (row[way].isdigit() and nodes[rule] < int(row[way]) < sizes[rule]):
                raise TableError(f"{where}: {way} {row[way]}: write EBS, LBR, or a node of the rule after this one")
        nodes[rule] += 1
    return rows


def tsv(tables):
    columns = ("rule", "node", "feature", "at_most", "then", "else")
    return "\n".join([f"# {BANNER}", "\t".join(columns), *("\t".join(row[c] for c in columns) for row in tables.hbbp)]) + "\n"
