"""tables/published.tsv: figures of papers that reports and the evaluation are held against."""
import re

from generate.reading import read_table, TableError
from generate.text import c_header

KEY = ("what", "profiler", "unit", "statistic")


def name(row):
    return "PUBLISHED_" + re.sub("[^A-Z0-9]", "_", "_".join(row[key] for key in KEY).upper())


def check(path):
    """The rows, with 'value' as a number."""
    rows, seen = read_table(path), {}
    for row in rows:
        where = f"{path}:{row['_line']}"
        if not re.fullmatch(r"\d+(\.\d+)?", row["value"]):
            raise TableError(f"{where}: value {row['value']} is no decimal number")
        if name(row) in seen:
            raise TableError(f"{where}: what, profiler, unit and statistic are those of line {seen[name(row)]}; remove one")
        seen[name(row)] = row["_line"]
    return rows


def c(tables):
    return c_header("PUBLISHED", [f"#define {name(row)} {row['value']} // {row['source']}" for row in tables.published])
