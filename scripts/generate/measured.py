"""What instructions cost on a core, as measured by scripts/instruction_tables: tables/measured/CONFIG.tsv."""
from generate.reading import TableError, read_table, refuse_duplicates

FIGURES = ("rs1", "rs2", "rs3", "longest", "every")
FALLBACK = "tea4"  # of configurations that are not measured: they have the same units


def check(folder):
    """{configuration: {"measured.NAME.FIGURE": cycles}}, of measured figures."""
    found = {}
    for path in sorted(folder.glob("*.tsv")):
        rows = read_table(path)
        refuse_duplicates(path, rows, "name")
        found[path.stem] = {f"measured.{row['name']}.{figure}": figure_of(path, row, figure) for row in rows for figure in FIGURES if row[figure] != "-"}
    if FALLBACK not in found:
        raise TableError(f"{folder}/{FALLBACK}.tsv is missing: `make instruction-tables` measures it")
    return found


def figure_of(path, row, figure):
    try:
        return float(row[figure])
    except ValueError as error:
        raise TableError(f"{path}:{row['_line']}: {figure} {row[figure]} is no number of cycles") from error


def of_config(measured, name):
    return measured.get(name, measured[FALLBACK])
