"""tables/instructions.tsv: the decoder's package, the C side's decoder, the page's table."""
from generate.reading import number, one_of, read_table, refuse_duplicates, TableError
from generate.text import BANNER, c_header, clog2, md_table

FP_FORMATS = {"FI": "d", "FS": "2", "FR4": "d123", "FR": "d12", "F1": "d1", "FRX": "12", "F1X": "1", "X1F": "d"}  # operands that are floating-point registers
FORMATS = ("R", "RR", "I", "S", "B", "U", "J", "P", "SH5", "SH6", "FENCE", "N", "CSR", "CSRI", "LR", "AMO", *FP_FORMATS)
UNITS = ("alu", "branch", "jal", "jalr", "mul", "div", "load", "store", "amo", "csr", "fence", "sys", "fp")
FP_EXTENSIONS = ("F", "D")


def check(path):
    rows = read_table(path)
    refuse_duplicates(path, rows, "name")
    for row in rows:
        row["mask_n"], row["match_n"] = number(path, row, "mask", 32), number(path, row, "match", 32)
        one_of(path, row, "format", FORMATS)
        one_of(path, row, "unit", UNITS)
        row["flag_set"] = set() if row["flags"] == "-" else set(row["flags"].split(","))
        if row["flag_set"] - {"serial", "flush", "hint"}:
            raise TableError(f"{path}:{row['_line']}: flags {row['flags']}: only serial, flush and hint are known")
        if row["match_n"] & ~row["mask_n"]:
            raise TableError(f"{path}:{row['_line']}: {row['name']}: match has bits outside mask")
        if row["match_n"] & 3 != 3:
            raise TableError(f"{path}:{row['_line']}: {row['name']}: not a 32-bit encoding (bits 1:0 must be 3)")
        if (row["format"] in FP_FORMATS) != (row["ext"] in FP_EXTENSIONS):
            raise TableError(
                f"{path}:{row['_line']}: {row['name']}: format {row['format']} contradicts extension {row['ext']} (F and D, and only they, have formats that begin or end with F)"
            )
        row["fp"], row["rounds"] = row["ext"] in FP_EXTENSIONS, row["unit"] == "fp" and not row["mask_n"] & 0x7000
        row["id"] = row["name"].upper().replace(".", "_")
    for i, a in enumerate(rows):
        for b in rows[i + 1 :]:
            if "hint" not in a["flag_set"] | b["flag_set"] and not (a["match_n"] ^ b["match_n"]) & a["mask_n"] & b["mask_n"]:
                raise TableError(f"{path}:{b['_line']}: {b['name']} overlaps {a['name']} on line {a['_line']}; give them different masks or matches")
    return rows


def fp_operands(form):
    """Bit 0: rd, bits 1 to 3: rs1 to rs3, set if it is a floating-point register."""
    return sum(1 << "d123".index(operand) for operand in FP_FORMATS.get(form, ""))


def of_core(tables, config):
    """Those that a core of this configuration has."""
    return [row for row in tables.instructions if config.keys["core.fp"] or not row["fp"]]


def sv(tables, config):
    lines = [f"// {BANNER}", "package instructions_pkg;"]
    width = clog2(len(tables.instructions) + 1)
    lines.append("  // What an instruction does. OP_ILLEGAL: no row of tables/instructions.tsv matches.")
    lines.append(f"  typedef enum logic [{width - 1}:0] {{")
    lines.append("    OP_ILLEGAL = 0,")
    lines += [f"    OP_{row['id']} = {i}{',' if i < len(tables.instructions) else ''}" for i, row in enumerate(tables.instructions, 1)]
    lines.append("  } op_e;")
    for kind, legal in (("unit", UNITS), ("format", FORMATS)):
        names = ["none"] + list(legal) if kind == "unit" else list(legal)
        bits = clog2(len(names))
        lines.append(f"  typedef enum logic [{bits - 1}:0] {{ " + ", ".join(f"{kind.upper()}_{n.upper()}" for n in names) + f" }} {kind}_e;")
    lines += [
        "  typedef struct packed {",
        "    op_e op;",
        "    unit_e unit;",
        "    format_e format;",
        "    logic serial;  // dispatches alone into an empty ROB",
        "    logic flush;   // flushes the pipeline at commit",
        "  } lookup_t;",
        "",
        "  function automatic lookup_t lookup(input logic [31:0] insn);",
        "    lookup = '{op: OP_ILLEGAL, unit: UNIT_NONE, format: FORMAT_N, serial: 1'b0, flush: 1'b0};",
        "    case (insn[6:0])",
    ]
    groups = {}
    for row in of_core(tables, config):
        groups.setdefault(row["match_n"] & 0x7F, []).append(row)
    for opcode, rows in groups.items():
        lines.append(f"      7'b{opcode:07b}: begin")
        for hints in (False, True):  # a hint, which lies inside another row, has the last word
            chosen = [row for row in rows if ("hint" in row["flag_set"]) == hints]
            if not chosen:
                continue
            lines.append("        casez (insn[31:7])")
            for row in chosen:
                pattern = "".join(("?" if not row["mask_n"] >> bit & 1 else str(row["match_n"] >> bit & 1)) for bit in range(31, 6, -1))
                lines.append(
                    f"          25'b{pattern}: lookup = '{{op: OP_{row['id']}, unit: UNIT_{row['unit'].upper()}, format: FORMAT_{row['format']}, "
                    f"serial: 1'b{int('serial' in row['flag_set'])}, flush: 1'b{int('flush' in row['flag_set'])}}};"
                )
            lines += ["          default: ;", "        endcase"]
        lines.append("      end")
    lines += [
        "      default: ;",
        "    endcase",
        "  endfunction",
        "",
        "  // Which operands are floating-point registers: rs3, rs2, rs1, rd.",
        "  function automatic logic [3:0] fp_operands(input format_e format);",
        "    case (format)",
    ]
    lines += [f"      FORMAT_{f}: fp_operands = 4'b{fp_operands(f):04b};" for f in FP_FORMATS]
    lines += [
        "      default: fp_operands = 4'b0000;",
        "    endcase",
        "  endfunction",
        "",
        "  // Whether bits 14:12 of an instruction hold a rounding mode.",
        "  function automatic logic rounds(input op_e op);",
        "    case (op)",
    ]
    lines += [
        "      " + ", ".join(f"OP_{r['id']}" for r in tables.instructions if r["rounds"]) + ": rounds = 1'b1;",
        "      default: rounds = 1'b0;",
        "    endcase",
        "  endfunction",
        "endpackage",
        "",
    ]
    return "\n".join(lines)


def c(tables):
    body = ["enum insn_op {", "    INSN_ILLEGAL = 0,"] + [f"    INSN_{r['id']}," for r in tables.instructions] + ["    INSN_COUNT", "};", ""]
    body += ["enum insn_unit { UNIT_NONE, " + ", ".join(f"UNIT_{u.upper()}" for u in UNITS) + " };"]
    body += ['#define UNIT_NAMES "none", ' + ", ".join(f'"{u}"' for u in UNITS)]
    body += ["enum insn_format { " + ", ".join(f"FORMAT_{f}" for f in FORMATS) + " };", ""]
    body += [
        "// One row for each op, indexed by enum insn_op; row 0 is INSN_ILLEGAL.",
        "// hint: lies inside another row, which insn_decode gives. fp: of F or D. fp_operands: which operands are floating-point registers: bit 0 rd, bits 1 to 3 rs1 to rs3. rounds: bits 14:12 are a rounding mode.",
        "struct insn_info { const char *name; const char *extension; uint32_t mask, match; uint8_t unit, format; bool serial, flush, hint, fp, rounds; uint8_t fp_operands; };",
        "#define INSN_INFO_ROWS \\",
        '    {"illegal", "-", 0, 0, UNIT_NONE, FORMAT_N, false, false, false, false, false, 0}, \\',
    ]
    body += [
        "    "
        + ", \\\n    ".join(
            f'{{"{r["name"]}", "{r["ext"]}", 0x{r["mask_n"]:08x}u, 0x{r["match_n"]:08x}u, UNIT_{r["unit"].upper()}, FORMAT_{r["format"]}, '
            f'{str("serial" in r["flag_set"]).lower()}, {str("flush" in r["flag_set"]).lower()}, {str("hint" in r["flag_set"]).lower()}, '
            f'{str(r["fp"]).lower()}, {str(r["rounds"]).lower()}, {fp_operands(r["format"])}}}'
            for r in tables.instructions
        ),
        "",
    ]
    body += ["// The op of a 32-bit instruction.", "static inline enum insn_op insn_decode(uint32_t insn) {", "    switch (insn & 0x7f) {"]
    groups = {}
    for row in tables.instructions:
        if "hint" not in row["flag_set"]:
            groups.setdefault(row["match_n"] & 0x7F, []).append(row)
    for opcode, rows in groups.items():
        body.append(f"    case 0x{opcode:02x}:")
        body += [f"        if ((insn & 0x{r['mask_n']:08x}u) == 0x{r['match_n']:08x}u) return INSN_{r['id']};" for r in rows]
        body.append("        return INSN_ILLEGAL;")
    body += ["    default: return INSN_ILLEGAL;", "    }", "}"]
    return c_header("INSTRUCTIONS", body)


def doc(tables):
    return md_table(tables.instructions, ("name", "ext", "format", "unit", "flags"))
