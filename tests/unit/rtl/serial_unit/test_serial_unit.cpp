// Serial instructions one after the other, each to its commit, its exception or an interrupt's squash.
#include "Vtop.h"
#include "bench.h"
#include "tables.h"
#include "verilated.h"
#include <memory>

enum { INSN_ACCESS = 1, ILLEGAL = 2, BREAKPOINT = 3, ECALL_U = 8, INSN_PAGE = 12 }; // mcause, privileged manual; ecall: 8 + mode
enum { U = 0, S = 1, M = 3 };

static const struct insn_info table[] = {INSN_INFO_ROWS};
static const std::vector<struct csr_info> csrs = table_csrs();
static const unsigned CSRS = (unsigned)csrs.size();
static unsigned seen[INSN_COUNT][4][2]; // by mode, without and with an exception
static unsigned squashes, waits, faults[4], written, flushes[2][2], drained; // flushes: by address space, by page

static void clock(Vtop *top) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void idle(Vtop *top) {
    top->start_i = top->commit_i = top->squash_all_i = top->operands_valid_i = top->sq_empty_i = top->clean_done_i = top->wfi_wake_i = 0;
}

static void run(Vtop *top, unsigned op, bool fault) {
    const struct insn_info *row = &table[op];
    uint32_t insn = op == INSN_ILLEGAL ? (uint32_t)bench_random() : row->match | ((uint32_t)bench_random() & ~row->mask);
    unsigned unit = fault ? UNIT_NONE : row->unit, rob = bench_below(32);
    uint64_t pc = bench_random() & ~1ull;
    if (fault) {
        op = INSN_ILLEGAL;
        insn = bench_below(4); // bit 0: the second half is the one at fault; bit 1: page fault
    }
    const struct csr_info *csr = NULL;
    if (unit == UNIT_CSR) {
        unsigned address = bench_below(5) ? csrs[bench_below(CSRS)].address : bench_below(4096);
        if (bench_below(8) == 0) address = CSR_SATP;
        insn = (insn & 0xfffff) | address << 20;
        if (bench_below(4) == 0) insn &= ~(31u << 15);
        for (const struct csr_info &c : csrs)
            if (c.address == address) csr = &c;
    }
    if (op == INSN_SFENCE_VMA && bench_below(2)) insn &= ~(bench_below(2) ? 31u << 15 : 31u << 20);
    if (op == INSN_SFENCE_VMA && bench_below(3) == 0) insn &= ~(31u << 15 | 31u << 20);
    idle(top);
    static const unsigned modes[] = {U, S, M};
    unsigned mode = modes[bench_below(3)];
    top->priv_i = (CData)mode;
    top->tvm_i = bench_below(2);
    top->tw_i = bench_below(2);
    top->tsr_i = bench_below(2);
    // What mstatus lets S-mode do it may do, M-mode anything, U-mode nothing (section 3.1.6.5).
    bool trapped = op == INSN_SFENCE_VMA ? top->tvm_i : op == INSN_WFI ? top->tw_i : op == INSN_SRET ? top->tsr_i : false;
    bool guarded = op == INSN_SFENCE_VMA || op == INSN_WFI || op == INSN_SRET || op == INSN_SCTRCLR;
    bool refused = (op == INSN_SCTRCLR && CONFIG_PROFILE_CTR_DEPTH == 0) || (guarded && (mode == U || (mode == S && trapped))) || (op == INSN_MRET && mode != M);
    top->start_i = 1;
    top->op_i = (CData)op;
    top->unit_i = (CData)unit;
    top->fault_i = fault;
    top->insn_i = insn;
    top->pc_i = pc;
    top->rob_i = (CData)rob;
    top->eval();
    bench_check(!top->busy_o && !top->done_o && !top->csr_write_o, "%s: busy before the start", row->name);
    clock(top);
    top->start_i = 0;
    top->op_i = top->unit_i = 0;
    top->insn_i = 0;
    top->pc_i = 0;

    // ---- until it is done ----
    bool immediate = insn >> 14 & 1, plain = (insn >> 12 & 3) == 1, done = false, exception = false, executed = false;
    unsigned source = insn >> 15 & 31;
    uint64_t operand = 0, old = 0, rs1 = 0, rs2 = 0;
    bool takes_operands = unit == UNIT_CSR || op == INSN_SFENCE_VMA;
    int interrupt = bench_below(8) ? -1 : (int)bench_below(6); // a squash after that many cycles
    for (unsigned cycle = 0; !done; cycle++) {
        top->operands_valid_i = takes_operands && !executed && bench_below(3) == 0;
        top->rs1_i = bench_random();
        top->rs2_i = bench_random();
        top->csr_modify_i = bench_random();
        top->csr_denied_i = bench_below(5) == 0;
        top->sq_empty_i = bench_below(3) == 0;
        top->clean_done_i = bench_below(3) == 0;
        top->wfi_wake_i = bench_below(3) == 0;
        top->squash_all_i = (int)cycle == interrupt;
        if (top->squash_all_i) top->operands_valid_i = 0; // dead in EX
        top->eval();
        bench_check(top->busy_o, "%s: not busy", row->name);
        bench_check(top->clean_o == (op == INSN_FENCE_I) && top->locked_o == (op == INSN_FENCE_I || op == INSN_WFI), "%s: asks for clean caches: %u, locked: %u", row->name,
                    top->clean_o, top->locked_o);
        bench_check(top->mret_o == (op == INSN_MRET) && top->sret_o == (op == INSN_SRET) && top->fence_i_o == (op == INSN_FENCE_I), "%s: mret %u sret %u fence.i %u",
                    row->name, top->mret_o, top->sret_o, top->fence_i_o);
        bench_check(!top->csr_write_o && !top->tlb_flush_o, "%s: CSR write or TLB flush before the commit", row->name);
        if (top->squash_all_i) {
            bench_check(!top->done_o, "%s: done in its squash", row->name);
            clock(top);
            idle(top);
            top->eval();
            bench_check(!top->busy_o && !top->done_o && !top->clean_o, "%s: lives on after the squash", row->name);
            squashes++;
            return;
        }
        bool expected = true;
        unsigned cause = 0;
        uint64_t tval = 0;
        if (top->operands_valid_i) {
            rs1 = top->rs1_i;
            rs2 = top->rs2_i;
        }
        if (unit == UNIT_AMO) {
            expected = false; // completes in the load/store unit
        } else if (op == INSN_SFENCE_VMA) { // comes for its operands, whoever may execute it
            executed = executed || top->operands_valid_i;
            expected = executed && (refused || top->sq_empty_i);
            if (refused) cause = ILLEGAL;
        } else if (refused) {
            cause = ILLEGAL;
        } else if (op == INSN_FENCE) {
            expected = top->sq_empty_i;
        } else if (op == INSN_WFI) {
            expected = top->wfi_wake_i;
        } else if (op == INSN_FENCE_I) {
            expected = top->clean_done_i;
        } else if (unit == UNIT_CSR) {
            bench_check(top->csr_addr_o == insn >> 20, "%s: CSR %03x", row->name, top->csr_addr_o);
            bool writes = plain || source;
            if (top->operands_valid_i) {
                if (!csr || top->csr_denied_i || (writes && csr->read_only)) cause = ILLEGAL;
                operand = immediate ? source : top->rs1_i;
                old = top->csr_modify_i;
            }
            // satp: not before walks can read what was stored
            expected = top->operands_valid_i && (cause || insn >> 20 != CSR_SATP || top->sq_empty_i);
            if (executed) expected = top->sq_empty_i;
            drained += executed && expected;
            executed = executed || top->operands_valid_i;
        } else if (fault) {
            cause = insn & 2 ? INSN_PAGE : INSN_ACCESS;
            tval = pc + 2 * (insn & 1);
        } else if (op == INSN_ILLEGAL) {
            cause = ILLEGAL;
        } else if (op == INSN_EBREAK) {
            cause = BREAKPOINT;
            tval = pc;
        } else if (op == INSN_ECALL) {
            cause = ECALL_U + mode;
        }
        if (cause == ILLEGAL) tval = insn;
        exception = cause != 0;
        bench_check(top->done_o == expected, "%s: done %u, expected %u", row->name, top->done_o, expected);
        waits += !expected;
        if (expected) {
            bench_check(top->done_rob_o == rob, "%s: rob %u", row->name, top->done_rob_o);
            bench_check(top->exception_o == exception, "%s %08x: exception %u, expected %u", row->name, insn, top->exception_o, exception);
            if (exception && top->exception_o)
                bench_check(top->cause_o == cause && top->tval_o == tval, "%s %08x: cause %u tval %lx, expected %u %lx", row->name, insn, top->cause_o,
                            top->tval_o, cause, tval);
        }
        done = expected || (unit == UNIT_AMO && cycle == 4);
        clock(top);
    }
    seen[op][mode][exception]++;
    if (fault) faults[insn]++;

    // ---- until it leaves ----
    idle(top);
    for (unsigned wait = bench_below(4); wait-- > 0;) {
        top->eval();
        bench_check(top->busy_o && !top->done_o && !top->csr_write_o && !top->tlb_flush_o, "%s: between done and commit", row->name);
        // An interrupt at the wfi itself would make its handler return to the wait.
        bench_check(top->locked_o == (op == INSN_WFI), "%s: locked %u between done and commit", row->name, top->locked_o);
        clock(top);
    }
    top->commit_i = !exception;
    top->squash_all_i = exception;
    top->rs1_i = top->csr_modify_i = bench_random();
    top->eval();
    bool flush = op == INSN_SFENCE_VMA && !exception;
    bench_check(top->tlb_flush_o == flush, "%s: TLB flush %u", row->name, top->tlb_flush_o);
    if (flush) { // x0 in the place of an operand: of all pages, of all address spaces
        bool by_page = source != 0, by_asid = (insn >> 20 & 31) != 0;
        bench_check(top->by_page_o == by_page && top->by_asid_o == by_asid, "%s %08x: by page %u, by address space %u", row->name, insn, top->by_page_o, top->by_asid_o);
        bench_check(!by_page || top->vpn_o == (rs1 >> 12 & 0x7ffffff), "%s: page %x of %lx", row->name, top->vpn_o, rs1);
        bench_check(!by_asid || top->asid_o == (rs2 & 0xff), "%s: address space %x of %lx", row->name, top->asid_o, rs2);
        flushes[by_asid][by_page]++;
    }
    bool writes = unit == UNIT_CSR && !exception && (plain || source);
    bench_check(top->csr_write_o == writes, "%s: CSR write %u, expected %u", row->name, top->csr_write_o, writes);
    if (writes) {
        uint64_t value = plain ? operand : (insn >> 12 & 3) == 2 ? old | operand : old & ~operand;
        bench_check(top->csr_wdata_o == value && top->csr_addr_o == insn >> 20, "%s: writes %lx, expected %lx", row->name, top->csr_wdata_o, value);
        written++;
    }
    clock(top);
    idle(top);
    top->eval();
    bench_check(!top->busy_o && !top->done_o && !top->csr_write_o, "%s: busy after it left", row->name);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 12);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    idle(top);
    top->rst_ni = 0;
    clock(top);
    top->rst_ni = 1;
    top->eval();
    for (unsigned round = 0; round < 300; round++)
        for (unsigned op = 0; op < INSN_COUNT; op++)
            if (op == INSN_ILLEGAL || table[op].serial) run(top, op, op == INSN_ILLEGAL && bench_below(2));
    for (unsigned op = 1; op < INSN_COUNT; op++) {
        if (!table[op].serial) continue;
        for (unsigned mode : {U, S, M}) {
            bool always = op == INSN_ECALL || op == INSN_EBREAK, guarded = op == INSN_WFI || op == INSN_SRET || op == INSN_SFENCE_VMA || op == INSN_SCTRCLR;
            bool can_pass = !always && (op == INSN_MRET ? mode == M : !guarded || mode != U);
            bool can_raise = table[op].unit == UNIT_CSR || always || (op == INSN_MRET && mode != M) || (guarded && mode != M && !(op == INSN_SCTRCLR && mode == S));
            bench_check((seen[op][mode][0] > 5) == can_pass && (seen[op][mode][1] > 5) == can_raise, "%s in mode %u: completed %u, raised %u", table[op].name, mode,
                        seen[op][mode][0], seen[op][mode][1]);
        }
    }
    for (unsigned kind = 0; kind < 4; kind++) bench_check(faults[kind] > 5, "fetch faults of kind %u: %u", kind, faults[kind]);
    bench_check(squashes > 100 && waits > 100 && flushes[0][0] && flushes[0][1] && flushes[1][0] && flushes[1][1] > 20 && written > 100 && drained > 5, "not reached: squashes %u, waits %u, flushes %u, writes %u, drained %u", squashes,
                waits, flushes[1][1], written, drained);
    top->final();
    return bench_end();
}
