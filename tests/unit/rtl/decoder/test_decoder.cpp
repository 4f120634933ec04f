// The decoder against the instruction table, searched row by row, and the formats of the unprivileged manual.
#include "Vtop.h"
#include "bench.h"
#include "tables.h"
#include <memory>
#include <string.h>
#include <string>

static const struct insn_info table[] = {INSN_INFO_ROWS};
static const std::vector<struct csr_info> csrs = table_csrs();

static int32_t field(uint32_t insn, unsigned high, unsigned low) { // sign-extended
    return (int32_t)(insn << (31 - high)) >> (31 - high + low);
}

static unsigned find(uint32_t insn) { // a hint goes before the row that it lies in
    unsigned found = INSN_ILLEGAL;
    for (unsigned op = 1; op < INSN_COUNT; op++)
        if (table_has(&table[op]) && (insn & table[op].mask) == table[op].match && (found == INSN_ILLEGAL || table[op].hint)) found = op;
    return found;
}

// Does this CSR instruction write, and does the write flush?
static bool csr_flushes(uint32_t insn) {
    bool plain_write = (insn >> 12 & 3) == 1;
    if (!plain_write && (insn >> 15 & 31) == 0) return false;
    for (const struct csr_info &csr : csrs)
        if (csr.address == insn >> 20) return csr.flush;
    return false;
}

// Operations of the floating-point unit in the order of fp_pkg: mnemonics, with f for either format.
static const char *const fp_operations[] = {"fmadd",  "fmsub",  "fnmsub", "fnmadd", "fadd",  "fsub",     "fmul",      "fdiv",     "fsqrt",     "fsgnj",
                                            "fsgnjn", "fsgnjx", "fmin",   "fmax",   "fmv.f", "fcvt.f.w", "fcvt.f.wu", "fcvt.f.l", "fcvt.f.lu", "fcvt.f.f",
                                            "feq",    "flt",    "fle",    "fclass", "fmv.x", "fcvt.w",   "fcvt.wu",   "fcvt.l",   "fcvt.lu"};

static void check_fp(const Vtop *top, uint32_t insn, const char *name) {
    std::string text = name, stem = text.substr(0, text.find('.')), first = text.substr(stem.size() + 1), second;
    if (first.find('.') != std::string::npos) {
        second = first.substr(first.find('.') + 1);
        first = first.substr(0, first.find('.'));
    }
    bool to_float = first == "s" || first == "d", is_double = to_float ? first == "d" : stem == "fmv" && first != "x" ? first == "d" : second == "d";
    if (stem == "fmv") stem = first == "x" ? "fmv.x" : "fmv.f";
    if (stem == "fcvt") stem = !to_float ? "fcvt." + first : second == "s" || second == "d" ? "fcvt.f.f" : "fcvt.f." + second;
    bool known = top->fp_op_o < sizeof fp_operations / sizeof *fp_operations;
    bench_check(known && stem == fp_operations[top->fp_op_o], "%08x (%s): operation %u", insn, name, top->fp_op_o);
    bench_check(top->fp_double_o == is_double, "%08x (%s): double %u", insn, name, top->fp_double_o);
    bench_check(top->fp_rm_o == (insn >> 12 & 7), "%08x (%s): rounding mode %u", insn, name, top->fp_rm_o);
}

static void drive(Vtop *top, uint32_t insn, bool rvc, bool fault) {
    top->insn_i = insn;
    top->rvc_i = rvc;
    top->fault_i = fault;
    top->fs_off_i = bench_below(8) == 0;
    top->pred_taken_i = bench_below(2);
    top->dr_l1_i = bench_below(2);
    top->dr_tlb_i = bench_below(2);
    top->ftq_i = (CData)bench_random();
    top->eval();
    bench_check(top->same_o, "%08x: what should only travel along did not", insn);
}

static void check_nothing(const Vtop *top, uint32_t insn, const char *why) {
    bench_check(top->op_o == INSN_ILLEGAL && top->unit_o == UNIT_NONE, "%s %08x: op %u unit %u", why, insn, top->op_o, top->unit_o);
    bench_check(top->serial_o && !top->flush_o && !top->rd_valid_o && !top->rs1_o && !top->rs2_o, "%s %08x: must be serial and touch nothing", why, insn);
}

// Decodes `insn`, as a 16-bit form that expands to it where `form` is set.
static void check(Vtop *top, uint32_t insn, uint32_t form, bool rvc) {
    drive(top, form, rvc, false);
    unsigned op = find(insn);
    if (op == INSN_ILLEGAL) {
        check_nothing(top, insn, "illegal");
        return;
    }
    const struct insn_info *row = &table[op];
    unsigned rm = insn >> 12 & 7;
    if (row->fp && (top->fs_off_i || (row->rounds && rm > 4 && rm != 7))) {
        check_nothing(top, insn, "floating point off, or no rounding mode");
        return;
    }
    unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31, rs2 = insn >> 20 & 31, rs3 = insn >> 27;
    if (row->fp_operands & 1) rd += 32; // f registers follow the x registers
    if (row->fp_operands & 2) rs1 += 32;
    if (row->fp_operands & 4) rs2 += 32;
    bool writes = true, reads1 = true, reads2 = false, reads3 = false, has_imm = true;
    int32_t imm = 0;
    switch (row->format) {
    case FORMAT_R:
    case FORMAT_AMO: reads2 = true; break;
    case FORMAT_LR: break;
    case FORMAT_FR:
    case FORMAT_FRX: reads2 = true, has_imm = false; break;
    case FORMAT_FR4: reads2 = reads3 = true, has_imm = false; break;
    case FORMAT_F1:
    case FORMAT_F1X:
    case FORMAT_X1F: has_imm = false; break;
    case FORMAT_FI:
    case FORMAT_I: imm = field(insn, 31, 20); break;
    case FORMAT_SH5: imm = (int32_t)(insn >> 20 & 31); break;
    case FORMAT_SH6: imm = (int32_t)(insn >> 20 & 63); break;
    case FORMAT_FS:
    case FORMAT_S:
        writes = false;
        reads2 = true;
        imm = field(insn, 31, 25) * 32 + (int32_t)(insn >> 7 & 31);
        break;
    case FORMAT_RR:
        writes = false;
        reads2 = true;
        break;
    case FORMAT_P:
        writes = false;
        imm = field(insn, 31, 25) * 32;
        break;
    case FORMAT_B:
        writes = false;
        reads2 = true;
        imm = field(insn, 31, 31) * 4096 + (int32_t)((insn >> 7 & 1) << 11 | (insn >> 25 & 63) << 5 | (insn >> 8 & 15) << 1);
        break;
    case FORMAT_U:
        reads1 = false;
        imm = (int32_t)(insn & 0xfffff000);
        break;
    case FORMAT_J:
        reads1 = false;
        imm = field(insn, 31, 31) * (1 << 20) + (int32_t)((insn >> 12 & 255) << 12 | (insn >> 20 & 1) << 11 | (insn >> 21 & 1023) << 1);
        break;
    case FORMAT_CSR: has_imm = false; break;
    case FORMAT_CSRI: has_imm = reads1 = false; break;
    default: writes = reads1 = has_imm = false;
    }
    bench_check(top->op_o == op && top->unit_o == row->unit, "%08x (%s): op %u unit %u, expected %u %u", insn, row->name, top->op_o, top->unit_o, op, row->unit);
    bench_check(top->rd_valid_o == (writes && rd) && (!top->rd_valid_o || top->rd_o == rd), "%08x (%s): rd %u valid %u", insn, row->name, top->rd_o,
                top->rd_valid_o);
    bench_check(top->rs1_o == (reads1 ? rs1 : 0) && top->rs2_o == (reads2 ? rs2 : 0), "%08x (%s): rs1 %u rs2 %u", insn, row->name, top->rs1_o, top->rs2_o);
    bench_check(top->rs3_o == (reads3 ? rs3 + 32 : 0), "%08x (%s): rs3 %u", insn, row->name, top->rs3_o);
    if (has_imm) bench_check((int32_t)top->imm_o == imm, "%08x (%s): immediate %x, expected %x", insn, row->name, top->imm_o, imm);
    bench_check(top->serial_o == row->serial, "%08x (%s): serial %u", insn, row->name, top->serial_o);
    bool flush = row->flush || (row->unit == UNIT_CSR && csr_flushes(insn));
    bench_check(top->flush_o == flush, "%08x (%s): flush %u", insn, row->name, top->flush_o);
    bench_check(top->dyn_rm_o == (row->rounds && rm == 7), "%08x (%s): rounds by frm: %u", insn, row->name, top->dyn_rm_o);
    bench_check(top->use_pc_o == !strcmp(row->name, "auipc"), "%08x (%s): first operand", insn, row->name);
    if (row->unit == UNIT_ALU || row->unit == UNIT_MUL || row->unit == UNIT_DIV)
        bench_check(top->use_imm_o == (row->format != FORMAT_R), "%08x (%s): second operand", insn, row->name);
    if (row->unit == UNIT_FP) check_fp(top, insn, row->name);
    if (row->unit == UNIT_BRANCH) bench_check(!top->use_imm_o, "%08x (%s): compares with the immediate", insn, row->name);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 7);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    for (unsigned op = 1; op < INSN_COUNT; op++)
        for (unsigned i = 0; i < 2000; i++) {
            uint32_t operands = i == 0 ? 0 : i == 1 ? ~0u : (uint32_t)bench_random();
            if (bench_below(8) == 0) operands &= ~(31u << 7);  // rd = x0
            if (bench_below(8) == 0) operands &= ~(31u << 15); // rs1 = x0
            uint32_t insn = table[op].match | (operands & ~table[op].mask);
            if (table[op].unit == UNIT_CSR && bench_below(4)) // an existing CSR
                insn = (insn & 0xfffff) | (uint32_t)csrs[bench_below((unsigned)csrs.size())].address << 20;
            check(top, insn, insn, false);
        }
    // Each CSR, written in each way.
    for (const struct csr_info &csr : csrs)
        for (unsigned way = 1; way < 8; way++)
            for (unsigned source = 0; source < 2; source++) check(top, (uint32_t)csr.address << 20 | source << 15 | way << 12 | 0x73, (uint32_t)csr.address << 20 | source << 15 | way << 12 | 0x73, false);
    unsigned illegal = 0;
    for (unsigned i = 0; i < 200000; i++) { // anything, and legal ones with one bit wrong
        uint32_t insn = (uint32_t)bench_random() | 3;
        if (i & 1) {
            unsigned op = 1 + bench_below(INSN_COUNT - 1);
            insn = (table[op].match | (insn & ~table[op].mask)) ^ 1u << (2 + bench_below(30));
        }
        illegal += find(insn) == INSN_ILLEGAL;
        check(top, insn, insn, false);
    }
    bench_check(illegal > 10000, "only %u illegal ones", illegal);
    for (unsigned i = 0; i < 5000; i++) {
        drive(top, (uint32_t)bench_random(), bench_below(2), true);
        check_nothing(top, top->insn_i, "fault");
    }
    static const struct { // 16-bit forms with what an assembler says that they mean
        uint16_t form;
        uint32_t insn;
    } compressed[] = {{0x4501, 0x00000513}, {0x1141, 0xff010113}, {0xe406, 0x00113423}, {0x60a2, 0x00813083}, {0x8082, 0x00008067},
                      {0x7139, 0xfc010113}, {0x0028, 0x00810513}, {0xa001, 0x0000006f}, {0x9002, 0x00100073}, {0x852e, 0x00b00533},
                      {0x0000, 0x00000000}, {0x2000, 0x00043407}, {0x4002, 0x00000000}};
    for (const auto &c : compressed) check(top, c.insn, c.form, true);
    top->final();
    return bench_end();
}
