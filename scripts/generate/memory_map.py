"""tables/memory_map.tsv: the regions of the physical address space."""
from generate.reading import number, one_of, read_table, refuse_duplicates, TableError
from generate.text import BANNER, c_header


def check(path):
    rows = read_table(path)
    refuse_duplicates(path, rows, "name")
    for row in rows:
        row["base_n"], row["bytes_n"] = number(path, row, "base"), number(path, row, "bytes")
        one_of(path, row, "kind", ("memory", "device"))
        size = row["bytes_n"]
        if size & (size - 1) or row["base_n"] % size:
            raise TableError(f"{path}:{row['_line']}: {row['name']}: a power of two of bytes, at a multiple of it: the tile compares the upper bits alone")
    ordered = sorted(rows, key=lambda r: r["base_n"])
    for a, b in zip(ordered, ordered[1:]):
        if a["base_n"] + a["bytes_n"] > b["base_n"]:
            raise TableError(f"{path}:{b['_line']}: {b['name']} overlaps {a['name']}")
    return rows


def sv(tables, _config):
    """What a simulation ties to the tile's region_i and reset_pc_i."""
    rows = tables.regions
    lines = [f"// {BANNER}", "package memory_map_pkg;"]
    for name, value in (("Base", lambda r: r["base_n"]), ("Mask", lambda r: (1 << 64) - r["bytes_n"])):
        lines += [f"  localparam logic [63:0] Region{name} [{len(rows)}] = '{{", ",\n".join(f"    64'h{value(r):x}" for r in rows) + "};"]
    lines += [
        f"  localparam logic [4:0] RegionIs [{len(rows)}] = '{{  // memory, device, r, w, x",
        ",\n".join("    5'b" + "".join(str(int(b)) for b in (r["kind"] == "memory", r["kind"] == "device", *(a in r["access"] for a in "rwx"))) for r in rows)
        + "};",
        f"  localparam int DramRegion = {next(i for i, r in enumerate(rows) if r['name'] == 'dram')};",
        f"  localparam logic [63:0] ResetPc = 64'h{next(r['base_n'] for r in rows if r['name'] == 'bootrom'):x};",
    ]
    return "\n".join(lines + ["endpackage", ""])


def c(tables):
    body = [
        "struct region { const char *name; uint64_t base, bytes; bool device, readable, writable, executable; };",
        f"#define REGION_COUNT {len(tables.regions)}",
        "#define REGION_ROWS \\",
    ]
    body += [
        "    "
        + ", \\\n    ".join(
            f'{{"{r["name"]}", UINT64_C(0x{r["base_n"]:x}), UINT64_C(0x{r["bytes_n"]:x}), {str(r["kind"] == "device").lower()}, '
            + ", ".join(str(a in r["access"]).lower() for a in "rwx")
            + "}"
            for r in tables.regions
        ),
        "",
    ]
    for r in tables.regions:
        body += [f"#define {r['name'].upper()}_BASE UINT64_C(0x{r['base_n']:x})", f"#define {r['name'].upper()}_BYTES UINT64_C(0x{r['bytes_n']:x})"]
        if r["interrupt"] != "0":
            body.append(f"#define {r['name'].upper()}_INTERRUPT {r['interrupt']}")
    return c_header("MEMORY_MAP", body)
