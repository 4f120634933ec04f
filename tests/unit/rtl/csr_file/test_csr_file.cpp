// The CSR file against csr_model.h and pmp_model.h.
//
// In each cycle one thing happens or none: a CSR is written, a trap is taken, mret or sret returns. Before it, some CSRs
// are read, and the interrupt, what translation and protection get, and a PMP region are compared. Locks of PMP
// entries hold until reset, so there is one now and then.
#include "Vtop.h"
#include "bench.h"
#include "csr_model.h"
#include "verilated.h"
#include <memory>

static struct csr_model model;
static struct pmp_model regions; // the PMP registers of a cycle ago: what the regions say now
static struct {
    unsigned traps[4][2][2]; // from mode, interrupt, to S
    unsigned vectored[2], returns[2][4], irqs[16][2], external, both, dirtied, wakes, asleep, nested;
    unsigned locked_cfg, locked_addr, locked_base, inside[4], outside[4], satp_kept, tvm, seip, mprv;
} seen;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}

static void clock(Vtop *top) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static const struct csr_info *find(unsigned address) {
    for (const struct csr_info &csr : csrs)
        if (csr.address == address) return &csr;
    return NULL;
}

static void reset(Vtop *top) {
    top->rst_ni = 0;
    clock(top);
    top->rst_ni = 1;
    top->eval();
    model_reset(&model);
    regions = model.pmp;
}

static void check_reads(Vtop *top, unsigned cycle, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const struct csr_info *csr = &csrs[count == CSRS ? i : bench_below(CSRS)];
        if (count != CSRS && percent(10)) csr = find(CSR_SATP);
        top->addr_i = csr->address;
        top->ext_rdata_i = model.elsewhere = bench_random();
        top->eval();
        uint64_t want = model_read(&model, csr);
        bench_check(top->rdata_o == want, "cycle %u: %s reads %lx, expected %lx", cycle, csr->name, top->rdata_o, want);
        want = model_modify(&model, csr);
        bench_check(top->modify_o == want, "cycle %u: %s to be changed is %lx, expected %lx", cycle, csr->name, top->modify_o, want);
        seen.seip += top->modify_o != top->rdata_o;
        bool denied = model_denied(&model, csr);
        bench_check(top->denied_o == denied, "cycle %u: %s denied %u in mode %u", cycle, csr->name, top->denied_o, model.priv);
        seen.tvm += denied && csr->address == CSR_SATP && model.priv == S;
    }
}

static void check_interrupt(const Vtop *top, unsigned cycle) {
    int due = model_interrupt(&model);
    bench_check(top->irq_o == (due >= 0), "cycle %u: interrupt %u, expected %d", cycle, top->irq_o, due);
    bool wake = pending(&model) & model.held[CSR_MIE];
    bench_check(top->wfi_wake_o == wake, "cycle %u: wfi ends %u", cycle, top->wfi_wake_o);
    wake ? seen.wakes++ : seen.asleep++;
    if (due < 0) return;
    bench_check(top->irq_cause_o == due, "cycle %u: interrupt %u, expected %d", cycle, top->irq_cause_o, due);
    seen.irqs[due][bit(model.held[CSR_MIDELEG], (unsigned)due)]++;
}

static void check_state(const Vtop *top, unsigned cycle) {
    uint64_t st = model.held[CSR_MSTATUS], satp = model.held[CSR_SATP];
    unsigned data = bit(st, MPRV) ? st >> MPP & 3 : model.priv; // section 3.1.6.3
    seen.mprv += data != model.priv;
    bench_check(top->priv_o == model.priv && top->fetch_priv_o == model.priv, "cycle %u: mode %u, fetch %u, expected %u", cycle, top->priv_o, top->fetch_priv_o,
                model.priv);
    bench_check(top->data_priv_o == data, "cycle %u: loads in mode %u, expected %u", cycle, top->data_priv_o, data);
    bench_check(top->sum_o == bit(st, SUM) && top->mxr_o == bit(st, MXR), "cycle %u: SUM %u MXR %u", cycle, top->sum_o, top->mxr_o);
    bench_check(top->tvm_o == bit(st, TVM) && top->tw_o == bit(st, TW) && top->tsr_o == bit(st, TSR), "cycle %u: TVM TW TSR", cycle);
    bench_check(top->sv39_o == (satp >> 60 == 8) && top->root_o == (satp & 0xfffffffffff) && top->asid_o == (satp >> 44 & 0xffff), "cycle %u: satp", cycle);
    bench_check(top->fs_off_o == (fs(st) == 0) && top->frm_o == model.held[CSR_FCSR] >> 5, "cycle %u: FS off %u, frm %u", cycle, top->fs_off_o, top->frm_o);
}

static void check_region(Vtop *top, unsigned cycle) {
    unsigned count = regions.entries ? regions.entries : 1;
    top->region_i = (CData)bench_below(count);
    top->eval();
    unsigned i = top->region_i, mode = pmp_mode(&regions, i);
    bench_check(top->region_on_o == (mode != PMP_OFF), "cycle %u: region %u on %u", cycle, i, top->region_on_o);
    if (mode == PMP_OFF) return;
    bench_check(top->region_locked_o == (regions.cfg[i] >> 7) && top->region_xwr_o == (regions.cfg[i] & 7), "cycle %u: region %u: permissions", cycle, i);
    const uint64_t last = (UINT64_C(1) << 44) - 1;
    // Pages at and beside both ends of this region and of others, and any.
    for (unsigned n = 0; n < 12; n++) {
        uint64_t page = n < 6 ? (n % 2 ? top->region_base_o : top->region_limit_o) + n / 2 - 1 : n < 10 ? (regions.addr[bench_below(count)] >> 10) + n - 8 : bench_random();
        if (n == 11) page >>= bench_below(44);
        page &= last;
        bool inside = top->region_base_o <= page && page < top->region_limit_o, want = pmp_matches(&regions, i, page << 12);
        bench_check(inside == want, "cycle %u: region %u mode %u of %lx: page %lx inside %u", cycle, i, mode, regions.addr[i], page, inside);
        (want ? seen.inside : seen.outside)[mode]++;
    }
}

static uint64_t data_for(const struct csr_info *csr) {
    uint64_t data = percent(50) ? bench_random() : bench_random() & bench_random() & bench_random();
    if (csr->address == CSR_SATP && percent(70)) data = (data & ~(15ull << 60)) | (percent(50) ? 8ull << 60 : 0);
    if ((csr->address == CSR_MEDELEG || csr->address == CSR_MIDELEG) && percent(50)) data |= bench_random();
    if (is_pmpaddr(csr->address)) {
        data >>= bench_below(55);
        if (percent(50)) data |= (UINT64_C(1) << bench_below(55)) - 1; // NAPOT regions of all sizes
        if (percent(5)) data = UINT64_MAX;
    } else if (is_pmp(csr->address) && percent(90)) {
        data &= ~UINT64_C(0x8080808080808080);
    }
    return data;
}

static void write_csr(Vtop *top, unsigned cycle) {
    // Often those that decide about interrupts and traps, and the PMP registers.
    static const unsigned favourites[] = {CSR_MSTATUS, CSR_SSTATUS, CSR_MIE, CSR_SIE, CSR_MIP, CSR_SIP, CSR_MIDELEG, CSR_MEDELEG, CSR_MTVEC, CSR_STVEC,
                                          CSR_MCOUNTEREN, CSR_SCOUNTEREN, CSR_MCOUNTINHIBIT, CSR_SATP, CSR_PMPCFG0, CSR_PMPCFG2};
    const struct csr_info *csr = percent(20)   ? find(CSR_PMPADDR0 + bench_below(16))
                                 : percent(60) ? find(favourites[bench_below(sizeof favourites / sizeof *favourites)])
                                               : &csrs[bench_below(CSRS)];
    if (csr->read_only) return; // the serial unit refuses it
    top->addr_i = csr->address;
    top->write_i = 1;
    top->wdata_i = data_for(csr);
    top->eval();
    bench_check(top->ext_write_o == elsewhere(csr), "cycle %u: %s: write elsewhere %u", cycle, csr->name, top->ext_write_o);
    bool flush = is_pmp(csr->address), walks = flush || csr->address == CSR_SATP; // satp: no entry goes
    bench_check(top->tlb_flush_o == flush && top->walks_flush_o == walks, "cycle %u: %s: TLB flush %u, of walks %u", cycle, csr->name, top->tlb_flush_o, top->walks_flush_o);
    if (elsewhere(csr)) {
        seen.external++;
        bench_check(top->ext_addr_o == csr->address && top->ext_wdata_o == top->wdata_i, "cycle %u: %s written elsewhere", cycle, csr->name);
        if (csr->address == CSR_MCOUNTINHIBIT) model.held[CSR_MCOUNTINHIBIT] = top->wdata_i & csr->mask; // stops what is here, too
        return;
    }
    struct pmp_model before = model.pmp;
    uint64_t satp = model.held[CSR_SATP];
    model_write(&model, csr, top->wdata_i);
    uint64_t now = model_read(&model, csr);
    bench_check(top->written_o == now, "cycle %u: %s <- %lx: emits %lx, expected %lx", cycle, csr->name, top->wdata_i, top->written_o, now);
    seen.both += csr->address == CSR_MIP && top->lcofi_i && !bit(top->wdata_i, LCOFI);
    seen.dirtied += floating(csr);
    seen.satp_kept += csr->address == CSR_SATP && satp == now && (top->wdata_i & 0xfffffffffff) != (satp & 0xfffffffffff);
    if (csr->address == CSR_PMPCFG0)
        for (unsigned i = 0; i < 8; i++) seen.locked_cfg += (before.cfg[i] & PMP_LOCK) && (top->wdata_i >> 8 * i & 0x9f) != before.cfg[i];
    if (is_pmpaddr(csr->address)) {
        unsigned i = csr->address - CSR_PMPADDR0;
        if (i < before.entries && pmp_addr_frozen(&before, i)) before.cfg[i] & PMP_LOCK ? seen.locked_addr++ : seen.locked_base++;
    }
}

static void trap(Vtop *top, unsigned cycle) {
    unsigned from = model.priv, cause = bench_below(percent(70) ? 16 : 64);
    bool interrupt = percent(50);
    if (interrupt && percent(50)) cause = 4 * bench_below(4) + 1; // one that can be delegated
    bool to_s = model_delegates(&model, interrupt, cause);
    top->trap_i = 1;
    top->trap_interrupt_i = interrupt;
    top->trap_cause_i = (CData)cause;
    top->trap_tval_i = bench_random();
    top->trap_epc_i = bench_random() & ~1ull;
    top->eval();
    uint64_t vector = model.held[to_s ? CSR_STVEC : CSR_MTVEC];
    uint64_t to = model_trap(&model, interrupt, cause, top->trap_epc_i, top->trap_tval_i);
    bench_check(top->trap_pc_o == to, "cycle %u: trap to %lx, expected %lx", cycle, top->trap_pc_o, to);
    seen.vectored[to_s] += to != (vector & ~3ull);
    seen.traps[from][interrupt][to_s]++;
}

static void give_back(Vtop *top, unsigned cycle, bool sret) {
    top->mret_i = !sret;
    top->sret_i = sret;
    top->eval();
    seen.nested += !sret && bit(model.held[CSR_MSTATUS], MPP) && !bit(model.held[CSR_MSTATUS], MPP + 1);
    uint64_t to = model_return(&model, sret);
    bench_check(top->return_pc_o == to, "cycle %u: %s to %lx, expected %lx", cycle, sret ? "sret" : "mret", top->return_pc_o, to);
    seen.returns[sret][model.priv]++;
}

static void inputs(Vtop *top) {
    top->write_i = top->trap_i = top->mret_i = top->sret_i = 0;
    top->msip_i = percent(15);
    top->mtip_i = percent(15);
    top->meip_i = percent(15);
    top->seip_i = percent(30);
    top->lcofi_i = model.lcofi = percent(5);
    top->mtime_i = model.mtime = bench_random();
    top->hart_id_i = model.hart_id = bench_random();
    top->retired_i = (CData)bench_below(3);
    top->fp_accrue_i = CONFIG_CORE_FP && percent(20) ? 1u << bench_below(5) : 0;
    top->fp_dirty_i = top->fp_accrue_i || (CONFIG_CORE_FP && percent(5));
    model.devices = (uint64_t)top->msip_i << MSI | (uint64_t)top->mtip_i << MTI | (uint64_t)top->meip_i << MEI | (uint64_t)top->seip_i << SEI;
}

static void cycle_of(Vtop *top, unsigned cycle) {
    inputs(top);
    top->eval();
    check_reads(top, cycle, cycle % 64 ? 4 : CSRS);
    check_interrupt(top, cycle);
    check_state(top, cycle);
    check_region(top, cycle);
    regions = model.pmp;

    // What the counters do, unless they are written.
    uint64_t inhibit = model.held[CSR_MCOUNTINHIBIT], cycles = model.held[CSR_MCYCLE] + !bit(inhibit, 0);
    uint64_t retired = model.held[CSR_MINSTRET] + (bit(inhibit, 2) ? 0 : top->retired_i);
    unsigned what = bench_below(20);
    if (what < 10) {
        top->fp_accrue_i = top->fp_dirty_i = 0; // a CSR instruction leaves alone
        write_csr(top, cycle);
    } else {
        if (what < 12) trap(top, cycle);
        else if (what < 14 && model.priv == M) give_back(top, cycle, false); // else illegal
        else if (what < 16 && model.priv != U) give_back(top, cycle, true);
        top->eval();
        bench_check(!top->ext_write_o && !top->tlb_flush_o && !top->walks_flush_o, "cycle %u: a write elsewhere, of nobody", cycle);
        if (top->fp_dirty_i) model.held[CSR_MSTATUS] |= 3ull << FS;
        model.held[CSR_FCSR] |= top->fp_accrue_i;
    }
    if (!top->write_i || top->addr_i != CSR_MCYCLE) model.held[CSR_MCYCLE] = cycles;
    if (!top->write_i || top->addr_i != CSR_MINSTRET) model.held[CSR_MINSTRET] = retired;
    model.held[CSR_MIP] |= (uint64_t)top->lcofi_i << LCOFI;
    model.lcofi_before = top->lcofi_i;
    clock(top);
}

static void check_coverage(void) {
    for (unsigned interrupt = 0; interrupt < 2; interrupt++) {
        static const unsigned modes[] = {U, S};
        bench_check(seen.traps[M][interrupt][0] > 20 && seen.traps[M][interrupt][1] == 0, "traps from M not reached");
        for (unsigned from : modes)
            for (unsigned to_s = 0; to_s < 2; to_s++)
                bench_check(seen.traps[from][interrupt][to_s] > 20, "traps from %u to %u: %u", from, to_s, seen.traps[from][interrupt][to_s]);
    }
    for (unsigned to = 0; to < 4; to++) {
        if (to == 2) continue;
        bench_check(seen.returns[0][to] > 20, "mret to %u: %u times", to, seen.returns[0][to]);
        bench_check(to == M || seen.returns[1][to] > 20, "sret to %u: %u times", to, seen.returns[1][to]);
    }
    for (unsigned n : {SSI, MSI, STI, MTI, SEI, MEI, LCOFI})
        bench_check(seen.irqs[n][0] > 20 && (n == MSI || n == MTI || n == MEI ? seen.irqs[n][1] == 0 : seen.irqs[n][1] > 20), "interrupt %u: %u, delegated %u", n,
                    seen.irqs[n][0], seen.irqs[n][1]);
    bench_check(seen.vectored[0] > 20 && seen.vectored[1] > 20 && seen.external > 20 && seen.both > 5, "not reached: vectored %u %u, external %u, overflow %u",
                seen.vectored[0], seen.vectored[1], seen.external, seen.both);
    bench_check(CONFIG_CORE_FP ? seen.dirtied > 20 : seen.dirtied == 0, "floating-point CSRs written %u times", seen.dirtied);
    bench_check(seen.wakes > 20 && seen.asleep > 20 && seen.nested > 20 && seen.satp_kept > 20 && seen.tvm > 20 && seen.seip > 20 && seen.mprv > 20,
                "not reached: wakes %u, asleep %u, nested %u, satp kept %u, TVM %u, SEIP %u, MPRV %u", seen.wakes, seen.asleep, seen.nested, seen.satp_kept, seen.tvm,
                seen.seip, seen.mprv);
    if (!CONFIG_CORE_PMP_ENTRIES) return;
    bench_check(seen.locked_cfg > 20 && seen.locked_addr > 20 && (CONFIG_CORE_PMP_ENTRIES == 1 || seen.locked_base > 20), "locks not reached: %u %u %u", seen.locked_cfg,
                seen.locked_addr, seen.locked_base);
    for (unsigned mode : {PMP_TOR, PMP_NAPOT})
        bench_check(seen.inside[mode] > 1000 && seen.outside[mode] > 1000, "regions of mode %u: %u pages inside, %u outside", mode, seen.inside[mode], seen.outside[mode]);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 8);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    inputs(top);
    for (unsigned cycle = 0; cycle < 400000 && bench_failed < 20; cycle++) {
        if (cycle % 500 == 0) {
            reset(top);
            inputs(top);
            top->eval();
            check_reads(top, cycle, CSRS);
            clock(top); // nothing happens, but the regions are known after it
            model.held[CSR_MCYCLE]++;
            model.held[CSR_MINSTRET] += top->retired_i;
            model.held[CSR_MIP] |= (uint64_t)top->lcofi_i << LCOFI;
            model.lcofi_before = top->lcofi_i;
            if (top->fp_dirty_i) model.held[CSR_MSTATUS] |= 3ull << FS;
            model.held[CSR_FCSR] |= top->fp_accrue_i;
        }
        cycle_of(top, cycle);
    }
    check_coverage();
    top->final();
    return bench_end();
}
