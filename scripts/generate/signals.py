"""tables/signals.tsv: the calls of the simulation (sim/signals.sv includes them), the C side's list.

A signal has one slot in the C side's array of values, one that stands for each lane has MAX_LANES.
"""
import re

from generate.reading import read_table, TableError
from generate.records import MAX_LANES
from generate.text import BANNER, c_header, md_table

PER = ("one", "lane")
INSTANCES = {"core": "u_tile.u_core", "tile": "u_tile", "top": "sim_top"}
FIRST_BIT, GROUPS = 4, 12  # bits of tipoff_options that ask for them (csrc/trace/dpi.h)
HEX_BITS = 32  # from this width on a value is written in hex


def check(path):
    """The rows, each with its slot."""
    rows = read_table(path)
    seen, slot = {}, 0
    for row in rows:
        where = f"{path}:{row['_line']}"
        key = (row["group"], row["name"])
        if key in seen:
            raise TableError(f"{where}: {row['name']} stands in group {row['group']} on line {seen[key]} already; remove one")
        seen[key] = row["_line"]
        for column in ("group", "name"):
            if not re.fullmatch("[a-z][a-z0-9_]*", row[column]) or row[column] in ("all", "cycle"):
                raise TableError(f"{where}: {column} {row[column]}: small letters, digits and _, but for 'all' and 'cycle'")
        if row["per"] not in PER:
            raise TableError(f"{where}: per {row['per']} is none of {', '.join(PER)}")
        if not re.fullmatch(r"[1-9]\d?|[A-Z]\w*", row["width"]) or (row["width"].isdigit() and int(row["width"]) > 64):
            raise TableError(f"{where}: width {row['width']}: 1 to 64, or a constant of the configuration")
        if (row["per"] == "lane") != ("[i]" in row["rtl"]):
            raise TableError(f"{where}: {row['name']}: per lane and [i] in the path go together")
        if not re.search(rf"\b({'|'.join(INSTANCES)})\.", row["rtl"]):
            raise TableError(f"{where}: rtl {row['rtl']}: begin each path with {', '.join(f'{name}.' for name in INSTANCES)}")
        row["slot"] = slot
        slot += MAX_LANES if row["per"] == "lane" else 1
    names = groups(rows)
    if len(names) > GROUPS:
        raise TableError(f"{path}: {len(names)} groups; there are bits for {GROUPS}")
    return rows


def groups(rows):
    return list(dict.fromkeys(row["group"] for row in rows))


def path_of(row):
    return re.sub(rf"\b({'|'.join(INSTANCES)})\.", lambda found: INSTANCES[found[1]] + ".", row["rtl"])


def sv_calls(tables):
    """What module signals consists of: which groups are wanted, the function that emits them, a check of each width."""
    rows = tables.signals
    count = len(groups(rows))
    lines = [
        f"// {BANNER}",
        f"logic [{count - 1}:0] wanted;  // groups, asked for by bits {FIRST_BIT + count - 1}:{FIRST_BIT} of the options",
        f"initial wanted = {count}'(tipoff_options() >> {FIRST_BIT});",
        "",
        "function automatic void emit();",
    ]
    for bit, group in enumerate(groups(rows)):
        lines.append(f"  if (wanted[{bit}]) begin  // {group}")
        for row in (row for row in rows if row["group"] == group):
            if row["per"] == "lane":
                lines.append(f"    for (int i = 0; i < CoreWidth; i++) tipoff_signal({row['slot']} + i, 64'({path_of(row)}));  // {row['name']}")
            else:
                lines.append(f"    tipoff_signal({row['slot']}, 64'({path_of(row)}));  // {row['name']}")
        lines.append("  end")
    lines += ["endfunction", ""]
    lines += ["initial begin"]
    for row in rows:
        path = path_of(row).replace("[i]", "[0]")
        if not row["width"].isdigit() or int(row["width"]) > 1:
            lines.append(
                f"  if ($bits({path}) != 32'({row['width']})) $fatal(1, \"tables/signals.tsv: {row['group']}.{row['name']}: width is not {row['width']}\");"
            )
    return "\n".join([*lines, "end", ""])


def c(tables):
    rows = tables.signals
    names = groups(rows)
    total = rows[-1]["slot"] + (MAX_LANES if rows[-1]["per"] == "lane" else 1)
    body = [
        f"enum {{ SIGNAL_GROUPS = {len(names)}, SIGNAL_SLOTS = {total}, SIGNAL_FIRST_BIT = {FIRST_BIT} }}; // groups; values of all signals; bit of the first group in tipoff_options",
        "#define SIGNAL_GROUP_NAMES " + ", ".join(f'"{name}"' for name in names),
        f'#define SIGNAL_GROUP_CHOICES "{", ".join(names)}"',
        "// lanes: it has a slot for each lane, from `slot` on; hex: how its values are written.",
        "struct signal_info { const char *name, *text; unsigned group, slot; bool lanes, hex; };",
        f"#define SIGNAL_COUNT {len(rows)}",
        "#define SIGNAL_ROWS \\",
    ]
    body += [
        "    "
        + ", \\\n    ".join(
            f'{{"{row["name"]}", "{row["text"]}", {names.index(row["group"])}, {row["slot"]}, {str(row["per"] == "lane").lower()}, '
            f'{str(row["width"].isdigit() and int(row["width"]) >= HEX_BITS).lower()}}}'
            for row in rows
        )
    ]
    return c_header("SIGNALS", body)


def doc(tables):
    return md_table(tables.signals, ("group", "name", "per", "width", "text"))
