"""The resources that Gus models (docs/guide/gus.md): tables/gus.tsv, with a configuration's sizes, and cycles measured on it, in the place of their names."""
import fractions
import math
import re

from generate import measured
from generate.reading import TableError, one_of, read_table, refuse_duplicates
from generate.text import BANNER

TYPES = ("rate", "every", "unit", "slots", "queue", "pool", "delay", "size", "option", "kind", "done")
TERM = re.compile(r"([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+|\d+)([-+*/]|$)")


def check(path, keys, figures):
    rows = read_table(path)
    known = {row["key"]: 1 for row in keys} | measured.of_config(figures, measured.FALLBACK)
    for row in rows:
        one_of(path, row, "type", TYPES)
        try:
            value(row["value"], known)
        except (KeyError, ValueError, ZeroDivisionError) as error:
            raise TableError(
                f"{path}:{row['_line']}: value {row['value']} is no sum, product or quotient of keys of config_keys.tsv, measured.NAME.FIGURE of tables/measured, and numbers"
            ) from error
    for group in ({"size", "option"}, {"kind"}, {"done"}, set(TYPES) - {"size", "option", "kind", "done"}):
        refuse_duplicates(path, [row for row in rows if row["type"] in group], "name")
    return rows


def value(text, keys):
    """Of a formula, products before sums; rounded up."""
    total, product, operation, at = fractions.Fraction(0), fractions.Fraction(1), "", 0
    sign = 1
    while at < len(text):
        match = TERM.match(text, at)
        if not match:
            raise ValueError(text)
        operand = fractions.Fraction(int(match[1]) if match[1].isdigit() else keys[match[1]])
        product = product / operand if operation == "/" else product * operand
        operation, at = match[2], match.end()
        if operation in ("+", "-", ""):
            total, product = total + sign * product, fractions.Fraction(1)
            sign = -1 if operation == "-" else 1
    if operation or not text:
        raise ValueError(text)
    return math.ceil(total)


def tsv(tables, config, _model):
    lines = [f"# {BANNER}", "# type, name, value, uses, source"]
    figures = config.keys | measured.of_config(tables.measured, config.name)
    for row in tables.gus:
        number = value(row["value"], figures)
        lines.append("\t".join((row["type"], row["name"], str(number), row["uses"], row["source"])))
    return "\n".join(lines) + "\n"
