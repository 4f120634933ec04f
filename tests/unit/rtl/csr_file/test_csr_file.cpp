// The CSR file against a model written from the privileged manual; reset values and masks are those of tables/csrs.tsv.
//
// In each cycle one thing happens or none: a CSR is written, a trap is taken, mret returns. Before it, some CSRs are
// read and the interrupt output is compared.
#include "Vtop.h"
#include "bench.h"
#include "tables.h"
#include "verilated.h"
#include <map>
#include <memory>
#include <string.h>

enum { U = 0, S = 1, M = 3 };
enum { MIE = 3, MPIE = 7, MPP = 11, FS = 13, MPRV = 17, SD = 63 }; // mstatus
enum { MSI = 3, MTI = 7, MEI = 11, LCOFI = 13 };        // mip, mie

static const std::vector<struct csr_info> csrs = table_csrs();
static const unsigned CSRS = (unsigned)csrs.size();
static std::map<unsigned, uint64_t> held; // by address: what csr_file itself holds
static unsigned priv = M;
static bool lcofi_before;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}
static bool bit(uint64_t word, unsigned n) {
    return (word >> n) & 1;
}
static uint64_t replace(uint64_t word, unsigned n, bool value) {
    return (word & ~(1ull << n)) | (uint64_t)value << n;
}
static bool floating(const struct csr_info *csr) {
    return strcmp(csr->where, "fcsr") == 0;
}
static bool elsewhere(const struct csr_info *csr) {
    return strcmp(csr->where, "csr_file") != 0 && !floating(csr);
}
static unsigned fs(uint64_t status) {
    return status >> FS & 3;
}
static uint64_t summarize(uint64_t status) { // SD says that FS is Dirty
    return replace(status, SD, fs(status) == 3);
}

static uint64_t pending(const Vtop *top) {
    return (uint64_t)top->msip_i << MSI | (uint64_t)top->mtip_i << MTI | (uint64_t)top->meip_i << MEI | (held[CSR_MIP] & 1ull << LCOFI);
}

static uint64_t value(const Vtop *top, const struct csr_info *csr) {
    if (csr->address == CSR_SCOUNTOVF && priv == S) return top->ext_rdata_i & held[CSR_MCOUNTEREN];
    if (elsewhere(csr)) return top->ext_rdata_i;
    switch (csr->address) {
    case CSR_CYCLE: return held[CSR_MCYCLE];
    case CSR_INSTRET: return held[CSR_MINSTRET];
    case CSR_TIME: return top->mtime_i;
    case CSR_MIP: return pending(top);
    case CSR_FFLAGS: return held[CSR_FCSR] & 31;
    case CSR_FRM: return held[CSR_FCSR] >> 5;
    case CSR_MSTATUS: return summarize(held[CSR_MSTATUS]);
    default: return held[csr->address];
    }
}

// What a CSR of the file holds after a write.
static uint64_t written(const Vtop *top, const struct csr_info *csr, uint64_t data) {
    uint64_t old = value(top, csr), now = (old & ~csr->mask) | (data & csr->mask);
    if (csr->address == CSR_MSTATUS && (data >> MPP & 3) != M) now &= ~(3ull << MPP); // only M and U are there
    if (csr->address == CSR_MSTATUS) now = summarize(now);
    // Set by a counter while the instruction was under way: not lost.
    if (csr->address == CSR_MIP && (top->lcofi_i || lcofi_before)) now |= 1ull << LCOFI;
    return now;
}

static void check_reads(Vtop *top, unsigned cycle, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const struct csr_info *csr = &csrs[count == CSRS ? i : percent(70) ? CSRS - 1 - bench_below(CSRS) : bench_below(3)];
        top->addr_i = csr->address;
        top->ext_rdata_i = bench_random();
        top->eval();
        uint64_t want = value(top, csr);
        bench_check(top->rdata_o == want, "cycle %u: %s reads %lx, expected %lx", cycle, csr->name, top->rdata_o, want);
        // Bits 9:8 of the address are the lowest privilege; counters for users are let through one by one.
        bool counter = csr->address >= 0xc00 && csr->address <= 0xc1f;
        bool denied = priv == U && ((csr->address >> 8 & 3) != 0 || (counter && !bit(held[CSR_MCOUNTEREN], csr->address & 31)));
        denied |= floating(csr) && fs(held[CSR_MSTATUS]) == 0;
        bench_check(top->denied_o == denied, "cycle %u: %s denied %u in mode %u", cycle, csr->name, top->denied_o, priv);
    }
}

static void check_interrupt(const Vtop *top, unsigned cycle) {
    uint64_t due = pending(top) & held[CSR_MIE];
    bool taken = due && (priv == U || bit(held[CSR_MSTATUS], MIE));
    bench_check(top->irq_o == taken, "cycle %u: interrupt %u, expected %u", cycle, top->irq_o, taken);
    if (!taken) return;
    static const unsigned order[] = {MEI, MSI, MTI, LCOFI};
    unsigned cause = 0;
    for (unsigned n = 4; n-- > 0;)
        if (bit(due, order[n])) cause = order[n];
    bench_check(top->irq_cause_o == cause, "cycle %u: interrupt %u of %lx, expected %u", cycle, top->irq_cause_o, due, cause);
}

static void clock(Vtop *top) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 8);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    unsigned traps[2][2] = {}, vectored = 0, returns_to_user = 0, irqs[4] = {}, external = 0, both = 0, dirtied = 0;
    for (const struct csr_info &csr : csrs)
        if (!elsewhere(&csr)) held[csr.address] = csr.reset;
    top->rst_ni = 0;
    clock(top);
    top->rst_ni = 1;
    top->eval();
    check_reads(top, 0, CSRS);
    bench_check(top->priv_o == M, "starts in mode %u", top->priv_o);

    for (unsigned cycle = 1; cycle < 60000 && bench_failed < 20; cycle++) {
        top->write_i = top->trap_i = top->mret_i = 0;
        top->msip_i = percent(20);
        top->mtip_i = percent(20);
        top->meip_i = percent(20);
        top->lcofi_i = percent(5);
        top->mtime_i = bench_random();
        top->retired_i = (CData)bench_below(3);
        top->fp_accrue_i = CONFIG_CORE_FP && percent(20) ? 1u << bench_below(5) : 0;
        top->fp_dirty_i = top->fp_accrue_i || (CONFIG_CORE_FP && percent(5));
        top->eval();
        check_reads(top, cycle, cycle % 64 ? 4 : CSRS);
        check_interrupt(top, cycle);
        if (top->irq_o) irqs[top->irq_cause_o == MEI ? 0 : top->irq_cause_o == MSI ? 1 : top->irq_cause_o == MTI ? 2 : 3]++;
        bench_check(top->priv_o == priv, "cycle %u: mode %u, expected %u", cycle, top->priv_o, priv);
        bench_check(top->mret_pc_o == held[CSR_MEPC], "cycle %u: mret to %lx", cycle, top->mret_pc_o);

        // What the counters do, unless they are written.
        uint64_t inhibit = held[CSR_MCOUNTINHIBIT];
        uint64_t cycles = held[CSR_MCYCLE] + !bit(inhibit, 0), retired = held[CSR_MINSTRET] + (bit(inhibit, 2) ? 0 : top->retired_i);
        uint64_t mip = held[CSR_MIP] | (uint64_t)top->lcofi_i << LCOFI, status = held[CSR_MSTATUS];
        unsigned what = bench_below(10);
        top->wdata_i = percent(50) ? bench_random() : bench_random() & bench_random() & bench_random();
        if (what < 5) top->fp_accrue_i = top->fp_dirty_i = 0; // a CSR instruction leaves alone
        bench_check(top->fs_off_o == (fs(status) == 0) && top->frm_o == held[CSR_FCSR] >> 5, "cycle %u: FS off %u, frm %u", cycle, top->fs_off_o, top->frm_o);
        uint64_t flags = held[CSR_FCSR] | top->fp_accrue_i;
        if (top->fp_dirty_i) status |= 3ull << FS;
        if (what < 5) {
            // Often those that decide about interrupts.
            static const unsigned favourites[] = {CSR_MSTATUS, CSR_MIE, CSR_MIP, CSR_MTVEC, CSR_MCOUNTEREN, CSR_MCOUNTINHIBIT};
            unsigned address = percent(50) ? favourites[bench_below(6)] : csrs[bench_below(CSRS)].address;
            const struct csr_info *csr = csrs.data();
            while (csr->address != address) csr++;
            if (!csr->read_only) { // else the serial unit refuses it
                top->addr_i = csr->address;
                top->write_i = 1;
                top->eval();
                uint64_t now = written(top, csr, top->wdata_i);
                bench_check(top->ext_write_o == elsewhere(csr), "cycle %u: %s: write elsewhere %u", cycle, csr->name, top->ext_write_o);
                if (elsewhere(csr)) {
                    external++;
                    bench_check(top->ext_addr_o == csr->address && top->ext_wdata_o == top->wdata_i, "cycle %u: %s written elsewhere", cycle, csr->name);
                    if (csr->address == CSR_MCOUNTINHIBIT) held[CSR_MCOUNTINHIBIT] = top->wdata_i & csr->mask; // stops what is here, too
                } else {
                    bench_check(top->written_o == now, "cycle %u: %s: tells %lx, expected %lx", cycle, csr->name, top->written_o, now);
                    both += csr->address == CSR_MIP && top->lcofi_i && !bit(top->wdata_i, LCOFI);
                    if (csr->address == CSR_MIP) mip = now & 1ull << LCOFI;
                    else if (csr->address == CSR_MCYCLE) cycles = now;
                    else if (csr->address == CSR_MINSTRET) retired = now;
                    else if (csr->address == CSR_MSTATUS) status = now;
                    else if (floating(csr)) {
                        flags = csr->address == CSR_FFLAGS ? (flags & ~31ull) | now : csr->address == CSR_FRM ? (flags & 31) | now << 5 : now;
                        status |= 3ull << FS;
                        dirtied++;
                    }
                    else held[csr->address] = now;
                }
            }
        } else if (what == 5) {
            bool interrupt = percent(50);
            unsigned cause = bench_below(64);
            top->trap_i = 1;
            top->trap_interrupt_i = interrupt;
            top->trap_cause_i = (CData)cause;
            top->trap_tval_i = bench_random();
            top->trap_epc_i = bench_random() & ~1ull;
            top->eval();
            uint64_t vector = held[CSR_MTVEC], to = (vector & ~3ull) + (bit(vector, 0) && interrupt ? 4 * cause : 0);
            bench_check(top->trap_pc_o == to, "cycle %u: trap to %lx, expected %lx", cycle, top->trap_pc_o, to);
            vectored += to != (vector & ~3ull);
            traps[priv == M][interrupt]++;
            held[CSR_MEPC] = top->trap_epc_i;
            held[CSR_MCAUSE] = (uint64_t)interrupt << 63 | cause;
            held[CSR_MTVAL] = top->trap_tval_i;
            status = replace(status, MPIE, bit(status, MIE));
            status = replace(status, MIE, false);
            status = (status & ~(3ull << MPP)) | (uint64_t)priv << MPP;
            priv = M;
        } else if (what == 6 && priv == M) { // in U-mode it is illegal
            top->mret_i = 1;
            priv = status >> MPP & 3;
            status = replace(status, MIE, bit(status, MPIE));
            status = replace(status, MPIE, true);
            status &= ~(3ull << MPP);
            if (priv != M) status = replace(status, MPRV, false);
            returns_to_user += priv == U;
        }
        if (!top->write_i) {
            top->eval();
            bench_check(!top->ext_write_o, "cycle %u: a write elsewhere, of nobody", cycle);
        }
        held[CSR_MCYCLE] = cycles;
        held[CSR_MINSTRET] = retired;
        held[CSR_MIP] = mip;
        held[CSR_MSTATUS] = status;
        held[CSR_FCSR] = flags;
        lcofi_before = top->lcofi_i;
        clock(top);
    }
    bench_check(traps[0][0] > 20 && traps[0][1] > 20 && traps[1][0] > 20 && traps[1][1] > 20, "traps not reached");
    bench_check(vectored > 20 && returns_to_user > 20 && external > 20 && both > 5, "not reached: vectored %u, user %u, external %u, overflow %u", vectored,
                returns_to_user, external, both);
    bench_check(CONFIG_CORE_FP ? dirtied > 20 : dirtied == 0, "floating-point CSRs written %u times", dirtied);
    bench_check(irqs[0] > 20 && irqs[1] > 20 && irqs[2] > 20 && irqs[3] > 20, "interrupts not reached: %u %u %u %u", irqs[0], irqs[1], irqs[2], irqs[3]);
    top->final();
    return bench_end();
}
