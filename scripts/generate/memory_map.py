"""tables/memory_map.tsv: the regions of the physical address space."""
from generate.reading import number, one_of, read_table, refuse_duplicates, TableError
from generate.text import BANNER, c_header, camel

def check(path):
    rows = read_table(path)
    refuse_duplicates(path, rows, "name")
    for row in rows:
        row["base_n"], row["bytes_n"] = number(path, row, "base"), number(path, row, "bytes")
        one_of(path, row, "kind", ("memory", "device"))
    ordered = sorted(rows, key=lambda r: r["base_n"])
    for a, b in zip(ordered, ordered[1:]):
        if a["base_n"] + a["bytes_n"] > b["base_n"]:
            raise TableError(f"{path}:{b['_line']}: {b['name']} overlaps {a['name']}")
    return rows


def sv(tables, _config):
    lines = [f"// {BANNER}", "package memory_map_pkg;"]
    for row in tables.regions:
        lines.append(f"  localparam logic [63:0] {camel(row['name'])}Base = 64'h{row['base_n']:x};")
        lines.append(f"  localparam logic [63:0] {camel(row['name'])}Bytes = 64'h{row['bytes_n']:x};")

    def inside(row):
        base, size = row["base_n"], row["bytes_n"]
        if size & (size - 1) == 0 and base % size == 0:
            low = size.bit_length() - 1
            return f"address[63:{low}] == {64 - low}'h{base >> low:x}"
        return f"(address >= 64'h{base:x} && address < 64'h{base + size:x})"

    for name, test in (("is_memory", lambda r: r["kind"] == "memory"), ("is_device", lambda r: r["kind"] == "device"),
                       ("readable", lambda r: "r" in r["access"]), ("writable", lambda r: "w" in r["access"]), ("executable", lambda r: "x" in r["access"])):
        lines += [f"  function automatic logic {name}(input logic [63:0] address);",
                  f"    {name} = " + " ||\n      ".join(inside(r) for r in tables.regions if test(r)) + ";", "  endfunction"]
    return "\n".join(lines + ["endpackage", ""])


def c(tables):
    body = ["struct region { const char *name; uint64_t base, bytes; bool device, readable, writable, executable; };", f"#define REGION_COUNT {len(tables.regions)}",
            "#define REGION_ROWS \\"]
    body += ["    " + ", \\\n    ".join(f'{{"{r["name"]}", UINT64_C(0x{r["base_n"]:x}), UINT64_C(0x{r["bytes_n"]:x}), {str(r["kind"] == "device").lower()}, '
             + ", ".join(str(a in r["access"]).lower() for a in "rwx") + "}" for r in tables.regions), ""]
    for r in tables.regions:
        body += [f"#define {r['name'].upper()}_BASE UINT64_C(0x{r['base_n']:x})", f"#define {r['name'].upper()}_BYTES UINT64_C(0x{r['bytes_n']:x})"]
        if r["interrupt"] != "0":
            body.append(f"#define {r['name'].upper()}_INTERRUPT {r['interrupt']}")
    return c_header("MEMORY_MAP", body)
