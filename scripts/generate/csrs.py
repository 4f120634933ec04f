"""tables/csrs.tsv: addresses, reset values, masks, and where each CSR is; tables/csr_fields.tsv: what software takes apart."""
from generate.reading import number, one_of, read_table, refuse_duplicates, TableError
from generate.text import BANNER, c_header, camel, md_table

FP_CSRS = "fcsr"  # where the CSRs are that only a core with floating point has
ONLY_WITH = {
    FP_CSRS: "core.fp",
    "csr_window": "profile.window",
    "ctr": "profile.ctr_depth",
    "profileme": "profile.tags",
    "sdtrig": "profile.triggers",
}  # the key without which they do not exist
PLAIN = "plain"  # ... those for which csr_file holds what was written, and no more
FP_BITS = {"sstatus": ("mask_n", 0x6000), "mstatus": ("mask_n", 3 << 13), "misa": ("reset_n", 1 << 5 | 1 << 3)}  # of other CSRs: FS; F and D


def held_asid(rows):
    """The bits of satp's ASID, 59:44, that software can write, from bit 0 on."""
    return next((row["mask_n"] >> 44 & 0xFFFF for row in rows if row["name"] == "satp"), 0)


def check(path, keys):
    rows = read_table(path)
    refuse_duplicates(path, rows, "name")
    for row in rows:
        row["address_n"] = number(path, row, "address", 12)
        row["reset_n"], row["mask_n"] = number(path, row, "reset"), number(path, row, "mask")
        one_of(path, row, "access", ("rw", "ro"))
        one_of(path, row, "flush", ("yes", "no", *(key["key"] for key in keys if key["min"] == "0" and key["max"] == "1")))
        if (row["access"] == "ro") != (row["address_n"] >> 10 == 3):
            raise TableError(
                f"{path}:{row['_line']}: {row['name']}: access {row['access']} contradicts address {row['address']} (bits 11:10 = 3 means read-only)"
            )
    seen = {}
    for row in rows:
        if row["address_n"] in seen:
            raise TableError(f"{path}:{row['_line']}: address {row['address']} belongs to {seen[row['address_n']]} already")
        seen[row["address_n"]] = row["name"]
        if row["where"] == PLAIN and row["reset_n"] & ~row["mask_n"] and row["mask_n"]:
            raise TableError(
                f"{path}:{row['_line']}: {row['name']}: reset 0x{row['reset_n']:x} sets bits that its mask 0x{row['mask_n']:x} has not: a plain CSR holds the bits of its mask, or none"
            )
    asid = held_asid(rows)
    if not asid or asid & asid + 1:
        raise TableError(f"{path}: satp: its mask holds ASID 0x{asid:x}; give it the lowest of bits 59:44, one at least")
    return rows


def check_fields(path, csrs):
    rows, taken = read_table(path), {}
    names = {row["name"] for row in csrs}
    for row in rows:
        high, low = (number(path, row, column) for column in ("high", "low"))
        if row["csr"] not in names:
            raise TableError(f"{path}:{row['_line']}: {row['csr']} is no CSR of csrs.tsv")
        if not low <= high < 64:
            raise TableError(f"{path}:{row['_line']}: {row['field']}: bits {high}:{low}; give the highest bit, up to 63, then the lowest")
        for bit in range(low, high + 1):
            other = taken.setdefault((row["csr"], bit), row["field"])
            if other != row["field"]:
                raise TableError(f"{path}:{row['_line']}: {row['field']}: bit {bit} of {row['csr']} belongs to {other} already")
        row["low_n"], row["mask_n"] = low, (2 << high - low) - 1
    return rows


def of_core(tables, config):
    """Those that a core of this configuration has, as it has them."""
    csrs = [dict(row) for row in tables.csrs if config.keys.get(ONLY_WITH.get(row["where"]), 1)]
    if config.keys["core.fp"]:
        return csrs
    for row in csrs:
        column, bits = FP_BITS.get(row["name"], ("mask_n", 0))
        row[column] &= ~bits
    return csrs


def plain_sv(csrs):
    """Storage behind masks: register, read and write of the plain CSRs. Those that software cannot write are their reset value."""

    def bits(row):
        return (row["mask_n"] | row["reset_n"]).bit_length()

    plain = [row for row in csrs if row["where"] == PLAIN]
    held = [row for row in plain if row["mask_n"]]
    lines = [
        "  // The CSRs that are plain in tables/csrs.tsv.",
        "  typedef struct packed {",
        *[f"    logic [{bits(row) - 1}:0] {row['name']};" for row in held],
        "  } plain_csrs_t;",
    ]
    lines += ["  localparam plain_csrs_t PlainCsrsReset = '{" + ", ".join(f"{row['name']}: {bits(row)}'h{row['reset_n']:x}" for row in held) + "};"]
    lines += [
        "  // What a plain CSR reads; 0 of all others.",
        "  function automatic logic [63:0] csr_plain(input logic [11:0] address, input plain_csrs_t held);",
        "    case (address)",
    ]
    lines += [
        f"      Csr{camel(row['name'])}: csr_plain = " + (f"64'(held.{row['name']});" if row["mask_n"] else f"Csr{camel(row['name'])}Reset;") for row in plain
    ]
    lines += ["      default: csr_plain = '0;", "    endcase", "  endfunction"]
    lines += [
        "  // All of them after a write of `legal` to one; of another address, as they are.",
        "  /* verilator lint_off UNUSEDSIGNAL */  // a register takes the bits that it has",
        "  function automatic plain_csrs_t csr_plain_written(input logic [11:0] address, input logic [63:0] legal, input plain_csrs_t held);",
        "  /* verilator lint_on UNUSEDSIGNAL */",
        "    csr_plain_written = held;",
        "    case (address)",
    ]
    lines += [f"      Csr{camel(row['name'])}: csr_plain_written.{row['name']} = legal[{bits(row) - 1}:0];" for row in held]
    lines += ["      default: ;", "    endcase", "  endfunction"]
    lines += [
        "  // What a CSR holds after a write, as far as its mask says: the bits that software cannot write stay as they read.",
        "  function automatic logic [63:0] csr_legal(input logic [11:0] address, input logic [63:0] old, input logic [63:0] wdata);",
        "    logic [63:0] mask;",
        "    case (address)",
    ]
    lines += [
        f"      Csr{camel(row['name'])}: mask = Csr{camel(row['name'])}Mask;"
        for row in csrs
        if row["where"] in (PLAIN, "csr_file", *ONLY_WITH) and row["access"] == "rw"
    ]
    return lines + ["      default: mask = '1;", "    endcase", "    csr_legal = (old & ~mask) | (wdata & mask);", "  endfunction"]


def sv(tables, config):
    lines = [f"// {BANNER}", "package csrs_pkg;"]
    csrs = of_core(tables, config)
    flushing = [row for row in csrs if row["flush"] == "yes" or config.keys.get(row["flush"])]
    names = {row["name"] for row in csrs}
    for row in csrs + [row for row in tables.csrs if row["name"] not in names]:
        lines.append(f"  localparam logic [11:0] Csr{camel(row['name'])} = 12'h{row['address_n']:03x};")
        lines.append(f"  localparam logic [63:0] Csr{camel(row['name'])}Reset = 64'h{row['reset_n']:x};")
        lines.append(f"  localparam logic [63:0] Csr{camel(row['name'])}Mask = 64'h{row['mask_n']:x};")
    wheres = sorted({row["where"] for row in tables.csrs})
    for name, chosen in [("exists", csrs), ("flushes", flushing)] + [(f"in_{w}", [row for row in csrs if row["where"] == w]) for w in wheres]:
        lines += [f"  function automatic logic csr_{name}(input logic [11:0] address);", "    case (address)"]
        if chosen:
            lines.append("      " + ",\n      ".join(f"12'h{r['address_n']:03x}" for r in chosen) + f": csr_{name} = 1'b1;")
        lines += [f"      default: csr_{name} = 1'b0;", "    endcase", "  endfunction"]
    return "\n".join(lines + plain_sv(csrs) + ["endpackage", ""])


def c(tables):
    body = ["enum csr {"] + [f"    CSR_{r['name'].upper()} = 0x{r['address_n']:03x}," for r in tables.csrs] + ["};", ""]

    def c_row(r):
        without = {"reset_n": r["reset_n"], "mask_n": r["mask_n"]}
        column, bits = FP_BITS.get(r["name"], ("mask_n", 0))
        without[column] &= ~bits
        return (
            f'{{0x{r["address_n"]:03x}, "{r["name"]}", {str(r["access"] == "ro").lower()}, {str(r["flush"] != "no").lower()}, {str(r["where"] == FP_CSRS).lower()}, '
            f'UINT64_C(0x{r["reset_n"]:x}), UINT64_C(0x{r["mask_n"]:x}), UINT64_C(0x{without["reset_n"]:x}), UINT64_C(0x{without["mask_n"]:x}), "{r["where"]}"}}'
        )

    body += [
        "// flush: true also where a key of the configuration decides. fp: only with floating point; reset_no_fp, mask_no_fp: without it.",
        "struct csr_info { uint16_t address; const char *name; bool read_only, flush, fp; uint64_t reset, mask, reset_no_fp, mask_no_fp; const char *where; };",
        f"#define CSR_COUNT {len(tables.csrs)}",
        "#define CSR_INFO_ROWS \\",
    ]
    body += ["    " + ", \\\n    ".join(map(c_row, tables.csrs))]
    body += ["", "// Fields: CSR_FIELD(value of the CSR)."]
    body += [f"#define {r['csr'].upper()}_{r['field'].upper()}(value) ((value) >> {r['low_n']} & 0x{r['mask_n']:x})" for r in tables.csr_fields]
    return c_header("CSRS", body)


def doc(tables):
    fields = {row["name"]: [] for row in tables.csrs}
    for row in tables.csr_fields:
        bits = row["high"] if row["high"] == row["low"] else f"{row['high']}:{row['low']}"
        fields[row["csr"]].append(f"{row['field']} {bits}" + f" ({row['text']})" * (row["text"] != "-"))
    rows = [dict(row, text="; ".join([row["text"], *[", ".join(fields[row["name"]])] * bool(fields[row["name"]])])) for row in tables.csrs]
    return md_table(rows, ("name", "address", "access", "reset", "mask", "flush", "where", "text"))
