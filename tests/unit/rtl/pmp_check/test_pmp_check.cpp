// Physical memory protection: the decision about a page. The expectation is worked out from byte addresses: which
// regions contain the page's first byte, the lowest number decides; then the table of the privileged manual.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { FETCH, LOAD, STORE };
enum { U = 0, S = 1, M = 3 };

struct region {
    bool on, locked, x, w, r;
    uint64_t base, end; // bytes
};

static bool expected(const struct region *regions, unsigned entries, uint64_t address, int access, int priv) {
    if (entries == 0) return true;
    for (unsigned i = 0; i < entries; i++) {
        const struct region *g = &regions[i];
        if (!g->on || address < g->base || address >= g->end) continue;
        if (priv == M && !g->locked) return true;
        return access == FETCH ? g->x : access == LOAD ? g->r : g->w;
    }
    return priv == M; // no entry matches
}

static void drive(Vtop *top, const struct region *regions) {
    uint16_t on = 0, locked = 0, x = 0, w = 0, r = 0;
    for (unsigned i = 0; i < 16; i++) {
        const struct region *g = &regions[i];
        on |= (uint16_t)(g->on << i);
        locked |= (uint16_t)(g->locked << i);
        x |= (uint16_t)(g->x << i);
        w |= (uint16_t)(g->w << i);
        r |= (uint16_t)(g->r << i);
        top->base_i[i] = g->base >> 12;
        top->limit_i[i] = g->end >> 12;
    }
    top->on_i = on;
    top->locked_i = locked;
    top->x_i = x;
    top->w_i = w;
    top->r_i = r;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 3);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    top->eval();
    const unsigned entries = top->entries_o;
    unsigned allowed[4] = {}, denied[4] = {};
    for (unsigned round = 0; round < 20000; round++) {
        struct region regions[16];
        const uint64_t pages = (uint64_t)1 << 44;
        uint64_t origin = bench_below(3) ? 0x80000 : bench_below(2) ? 0 : pages - 64; // regions near each other, also at the ends
        bool locks = bench_below(2);
        for (struct region &g : regions) {
            uint64_t first = origin + bench_below(32), count = bench_below(32);
            g = {bench_below(3) != 0, locks && bench_below(3) == 0, bench_below(2) != 0, bench_below(2) != 0, bench_below(2) != 0, first << 12, (first + count) << 12};
            if (bench_below(16) == 0) g.base = 0, g.end = pages << 12;
        }
        drive(top, regions);
        for (unsigned n = 0; n < 12; n++) {
            static const int privs[] = {U, S, M};
            uint64_t page = origin + bench_below(64);
            int access = (int)bench_below(3), priv = privs[bench_below(3)];
            top->look_i = bench_below(16) != 0;
            top->ppn_i = page;
            top->access_i = (CData)access;
            top->priv_i = (CData)priv;
            top->eval();
            bool want = top->look_i && expected(regions, entries, page << 12, access, priv);
            bench_check(top->allowed_o == want, "page %lx, access %d, privilege %d: %d", page, access, priv, top->allowed_o);
            ++(want ? allowed : denied)[priv];
        }
    }
    for (int priv : {U, S, M}) bench_check(allowed[priv] > 1000 && (denied[priv] > 1000 || entries == 0), "privilege %d: %u allowed, %u denied", priv, allowed[priv], denied[priv]);
    top->final();
    return bench_end();
}
