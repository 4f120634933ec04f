// Page faults of the oldest instruction, one after the other, with random walks, rights, places and delays. What must come
// of each is worked out here from the manual's steps 5 to 9, PMP and the memory map, access by access.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

static const unsigned R = 2, W = 4, X = 8, U = 16, A = 64, D = 128; // of an entry
enum verdict { PAGE, DENIED, AGAIN, WRITTEN, VERDICTS };             // WRITTEN: again, after a write
static const uint64_t ROM = 0x1000, CLINT = 0x2000000, DRAM = 0x80000000, LAST = 0x8ffff000;

struct fault {
    unsigned cause; // 12, 13, 15
    bool amo;
    uint64_t tval;
    bool walk_page, walk_access;
    unsigned level, low;
    uint64_t ppn, entry, rest; // rest: of the entry, above its low byte
};

static Vtop *top;
static uint64_t now;
static unsigned seen[3][VERDICTS], interrupts, waited, guarded, refusals;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}

static void clock_edge() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    now++;
}

// 1: S, 0: U, 3: M. Rights as in an entry: R, W, X.
static bool pmp_allows(uint64_t address, unsigned right) {
    if (address >> 12 != top->closed_i) return true;
    return top->closed_rights_i & right >> 1;
}

static uint64_t physical(const struct fault *f) {
    uint64_t inside = ((uint64_t)1 << (12 + 9 * f->level)) - 1;
    return ((f->ppn << 12) & ~inside) | (f->tval & inside);
}

static bool in(uint64_t address, uint64_t base, uint64_t bytes) {
    return address >= base && address - base < bytes;
}

static enum verdict expected(const struct fault *f) {
    int64_t top_bits = (int64_t)f->tval >> 38;
    if (top_bits != 0 && top_bits != -1) return PAGE;
    if (f->walk_page) return PAGE;
    if (f->walk_access) return DENIED;
    bool fetch = f->cause == 12, load = f->cause == 13;
    unsigned priv = fetch ? top->fetch_priv_i : top->data_priv_i;
    if (priv == 0 && !(f->low & U)) return PAGE;
    if (priv == 1 && f->low & U && (fetch || !top->sum_i)) return PAGE;
    if (fetch && !(f->low & X)) return PAGE;
    if (load && !(f->low & R) && !(top->mxr_i && f->low & X)) return PAGE;
    if (!fetch && !load && !(f->low & W)) return PAGE;
    uint64_t at = physical(f);
    if (!pmp_allows(at, fetch ? X : load ? R : W)) return DENIED;
    bool rom = in(at, ROM, 0x1000), dram = in(at, DRAM, 0x10000000);
    bool device = in(at, CLINT, 0x10000) || in(at, 0xc000000, 0x4000000) || in(at, 0x10000000, 0x100);
    if (fetch && !rom && !dram) return DENIED;
    if (load && !rom && !dram && (!device || f->amo)) return DENIED;
    if (!fetch && !load && !dram && (!device || f->amo)) return DENIED;
    unsigned needs = fetch || load ? A : A | D;
    if ((f->low & needs) == needs) return AGAIN;
    if (!in(f->entry, DRAM, 0x10000000) || !pmp_allows(f->entry, W)) return DENIED;
    return WRITTEN;
}

static uint64_t some_page() {
    static const uint64_t pages[] = {DRAM, DRAM + 0x1000, 0x80200000, LAST, ROM, CLINT, 0xc000000, 0x10000000, 0, 0x90000000, 0x6ffff000, (uint64_t)1 << 55 | DRAM};
    return pages[percent(60) ? bench_below(4) : bench_below(12)];
}

static struct fault some_fault() {
    static const unsigned causes[] = {12, 13, 15};
    static const unsigned rights[] = {R, R | W, X, R | X, R | W | X, R | W | X, R | W | X};
    struct fault f = {};
    f.cause = causes[bench_below(3)];
    f.amo = f.cause != 12 && percent(30);
    f.tval = (uint64_t)((int64_t)(bench_random() << 25) >> 25);
    if (percent(5)) f.tval ^= (uint64_t)1 << (39 + bench_below(25));
    f.walk_page = percent(8);
    f.walk_access = !f.walk_page && percent(8);
    f.level = percent(60) ? 0 : 1 + bench_below(2);
    f.rest = bench_random() & ~0xffull;
    f.low = 1 | rights[bench_below(7)] | (bench_random() & (U | A | D | 0x20));
    f.ppn = some_page() >> 12;
    if (f.level) f.ppn = DRAM >> 12;
    f.entry = (percent(90) ? DRAM + 0x1000 * bench_below(2) : ROM) + 8 * bench_below(512);
    top->closed_i = percent(60) ? some_page() >> 12 : DRAM >> 12;
    top->closed_rights_i = percent(50) ? 7 : bench_below(8);
    top->sum_i = percent(50);
    top->mxr_i = percent(50);
    top->fetch_priv_i = bench_below(2);
    top->data_priv_i = bench_below(2);
    return f;
}

// A cycle of waiting: interrupts come only where they are not held off.
static bool interrupted() {
    top->interrupt_i = !top->locked_o && percent(3);
    top->eval();
    bool taken = top->interrupt_i;
    if (taken) {
        interrupts++;
        top->left_i = 1; // a trap
        clock_edge();
        top->interrupt_i = top->left_i = top->fault_i = 0;
        top->eval();
    }
    return taken;
}

static void one(const struct fault *f) {
    enum verdict want = expected(f);
    bool written = false, answered = false, refused = false;
    unsigned walk_in = bench_below(4), answer_in = 1 + bench_below(20), swap_in = bench_below(10), gone_in = bench_below(3) ? 0 : bench_below(15);
    top->cause_i = (CData)f->cause;
    top->tval_i = f->tval;
    top->amo_i = f->amo;
    top->fault_i = 1;
    top->stores_gone_i = gone_in == 0;
    top->eval();
    bool walking = false, guarded_before = top->locked_o;
    for (unsigned n = 0; top->hold_o; n++) {
        if (!bench_check(n < 200, "cycle %lu: no verdict on cause %u at %lx", now, f->cause, f->tval)) return;
        if (interrupted()) return;
        bench_check(!top->tlb_flush_o, "cycle %lu: TLBs emptied before the verdict", now);
        bench_check(!(top->walk_o || top->swap_o) || (top->stores_gone_i && top->locked_o), "cycle %lu: began too early", now);
        if (gone_in && --gone_in == 0) top->stores_gone_i = 1;
        waited += !top->stores_gone_i;
        top->walk_ready_i = top->walk_o && walk_in-- == 0;
        if (top->walk_ready_i) {
            bench_check(!walking && top->walk_vpn_o == (f->tval >> 12 & 0x7ffffff), "cycle %lu: walk of page %x for %lx", now, top->walk_vpn_o, f->tval);
            walking = true;
        }
        top->resp_i = walking && !answered && !top->walk_ready_i && --answer_in == 0;
        top->resp_page_fault_i = top->resp_i ? f->walk_page : percent(50);
        top->resp_access_fault_i = top->resp_i ? f->walk_access : percent(50);
        top->resp_level_i = (CData)(top->resp_i ? f->level : bench_below(3));
        top->resp_ppn_i = top->resp_i ? f->ppn : bench_random() >> 20;
        top->resp_addr_i = top->resp_i ? f->entry : bench_random();
        top->resp_entry_i = top->resp_i ? f->rest | f->low : bench_random();
        answered |= top->resp_i;
        top->swap_done_i = 0;
        if (top->swap_o) {
            uint64_t old = f->rest | f->low, next = old | A | (f->cause == 15 ? D : 0);
            bench_check(want == WRITTEN && answered && top->swap_addr_o == f->entry && top->swap_old_o == old && top->swap_new_o == next,
                        "cycle %lu: %lx in place of %lx to %lx; expected %lx in place of %lx to %lx, verdict %d", now, top->swap_new_o, top->swap_old_o,
                        top->swap_addr_o, next, old, f->entry, want);
            top->swap_done_i = swap_in-- == 0;
            top->swap_error_i = top->swap_done_i && bench_below(4) == 0;
            refused |= top->swap_error_i;
            written |= top->swap_done_i;
        }
        top->eval();
        clock_edge();
        top->walk_ready_i = top->resp_i = top->swap_done_i = 0;
        top->eval();
    }
    bool again = want == AGAIN || (want == WRITTEN && !refused);
    refusals += refused;
    bench_check(top->again_o == again && top->denied_o == (want == DENIED || refused) && written == (want == WRITTEN),
                "cycle %lu: cause %u at %lx, entry %02x at %lx: again %d denied %d written %d; expected %d", now, f->cause, f->tval, f->low, f->entry, top->again_o,
                top->denied_o, written, want);
    bench_check(top->locked_o, "cycle %lu: an interrupt may come with the verdict", now);
    seen[f->cause == 12 ? 0 : f->cause - 12 - (f->cause == 15)][want]++;
    guarded += guarded_before;
    top->left_i = !again;
    clock_edge();
    top->left_i = top->fault_i = 0;
    top->eval();
    bench_check(top->tlb_flush_o == again, "cycle %lu: TLBs emptied %d after verdict %d", now, top->tlb_flush_o, want);
    clock_edge();
    bench_check(!top->tlb_flush_o, "cycle %lu: TLBs emptied for long", now);
    if (!again) {
        bench_check(!top->locked_o, "cycle %lu: interrupts held off after a trap", now);
        return;
    }
    // It begins again: no interrupt before it has left, or its next page fault has ended in a trap.
    for (unsigned n = bench_below(20); n; n--) {
        bench_check(top->locked_o && !top->walk_o && !top->swap_o, "cycle %lu: interrupts let in before the instruction left", now);
        clock_edge();
    }
    if (percent(30)) return; // another fault of the same instruction
    top->left_i = 1;
    clock_edge();
    top->left_i = 0;
    top->eval();
    bench_check(!top->locked_o, "cycle %lu: interrupts held off after the instruction left", now);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 77);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->rst_ni = 0;
    clock_edge();
    clock_edge();
    top->rst_ni = 1;
    for (unsigned i = 0; i < 60000 && bench_failed < 20; i++) {
        struct fault f = some_fault();
        one(&f);
    }
    for (unsigned c = 0; c < 3; c++)
        for (unsigned v = 0; v < VERDICTS; v++) bench_check(seen[c][v] > 300, "kind %u: verdict %u only %u times", c, v, seen[c][v]);
    bench_check(interrupts > 300 && waited > 300 && guarded > 300 && refusals > 100, "%u interrupts, %u cycles for stores, %u faults of what began again", interrupts, waited, guarded);
    top->final();
    return bench_end();
}
