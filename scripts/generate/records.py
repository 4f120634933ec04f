"""tables/records.tsv: the records that leave the core."""
from generate.reading import one_of, read_table, TableError
from generate.text import BANNER, c_header, md_table

MAX_LANES = 8
SPACE_BITS = 44  # of satp.PPN (privileged manual, satp)


def check(path):
    rows = read_table(path)
    seen = set()
    for row in rows:
        one_of(path, row, "per", ("one", "lane", "fetch"))
        if not row["width"].isdigit():
            one_of(path, row, "width", ("LaneBits", "PsvBits", "RobIdxBits", "SpaceBits"))
        if (row["record"], row["field"]) in seen:
            raise TableError(f"{path}:{row['_line']}: {row['record']}.{row['field']} stands twice")
        seen.add((row["record"], row["field"]))
    return rows


def sv(tables, _config):
    lines = [f"// {BANNER}", "package records_pkg;", "  import config_pkg::*;", "  import events_pkg::*;"]
    lines.append("  typedef enum logic [1:0] { STATE_COMPUTING, STATE_STALLED, STATE_FLUSHED, STATE_DRAINED } state_e;")
    for record in dict.fromkeys(row["record"] for row in tables.records):
        lines.append("  typedef struct packed {")
        for row in (r for r in tables.records if r["record"] == record):
            width = f"[{int(row['width']) - 1}:0]" if row["width"].isdigit() else f"[{row['width']}-1:0]"
            width = "" if width == "[0:0]" else width
            count = {"one": "", "lane": "[CoreWidth-1:0]", "fetch": "[FetchWidth-1:0]"}[row["per"]]
            kind = "state_e" if row["field"] == "state" else "logic " + count + width
            lines.append(f"    {kind.strip()} {row['field']};  // {row['text']}")
        lines.append(f"  }} {record}_t;")
    return "\n".join(lines + ["endpackage", ""])


def c(tables):
    body = [
        f"#define MAX_LANES {MAX_LANES}  // widest commit; lane masks are uint8_t",
        "",
        "enum commit_state { STATE_COMPUTING, STATE_STALLED, STATE_FLUSHED, STATE_DRAINED, STATE_COUNT };",
        '#define STATE_NAMES "Computing", "Stalled", "Flushed", "Drained"',
        "",
    ]

    def c_type(row):
        bits = {"LaneBits": 8, "PsvBits": 16, "RobIdxBits": 16, "SpaceBits": SPACE_BITS}.get(row["width"]) or int(row["width"])
        return "bool" if bits == 1 else f"uint{next(b for b in (8, 16, 32, 64) if bits <= b)}_t"

    for record in dict.fromkeys(r["record"] for r in tables.records):
        body.append(f"struct {record} {{")
        for row in (r for r in tables.records if r["record"] == record):
            if row["per"] == "lane" and row["width"] == "1":
                declaration = f"uint8_t {row['field']}"
            else:
                declaration = f"{c_type(row)} {row['field']}" + ("[MAX_LANES]" if row["per"] == "lane" else "")
            body.append(f"    {declaration};  // {row['text']}" + ("; bit i: lane i" if row["per"] == "lane" and row["width"] == "1" else ""))
        body.append("};")
    return c_header("RECORDS", body)


def doc(tables):
    return md_table(tables.records, ("record", "field", "width", "per", "text"))
