// sdtrig against the text of the debug specification (Sdtrig 1.0, mcontrol6): registers bit by bit, and hits by mode,
// address, output and lane, of random programs.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

enum { TSELECT = 0x7a0, TDATA1, TDATA2, TDATA3, TINFO };
enum { EXECUTE = 1 << 2, U = 1 << 3, S = 1 << 4, M = 1 << 6, ACTION_0 = 8 << 12, ACTION_1 = 9 << 12 };
static const uint64_t mcontrol6 = UINT64_C(6) << 60;

// What software has written, trigger by trigger: kept as the specification has it, not as the module.
struct model {
    unsigned count, select;
    struct {
        bool second, m, s, u, execute;
        uint64_t address;
    } trigger[8];
};

static Vtop *top;
static unsigned width;
static struct model all, single;
static struct {
    unsigned long hits[2], both, lanes[9], registers[4];
} seen;

static uint64_t read_model(const struct model *m, unsigned addr) {
    const auto &t = m->trigger[m->select];
    switch (addr) {
    case TSELECT: return m->select;
    case TDATA1:
        return mcontrol6 | (t.second ? ACTION_1 : ACTION_0) | (t.m ? M : 0) | (t.s ? S : 0) | (t.u ? U : 0) |
               (t.execute ? EXECUTE : 0);
    case TDATA2: return t.address;
    case TINFO: return 1 << 24 | 1 << 6; // version 1; type 6 alone
    default: return 0;
    }
}

static void write_model(struct model *m, unsigned addr, uint64_t value) {
    auto &t = m->trigger[m->select];
    if (addr == TSELECT) m->select = (unsigned)(value % m->count);
    if (addr == TDATA2) t.address = value;
    if (addr != TDATA1) return;
    t.second = value >> 12 & 1;
    t.m = value >> 6 & 1;
    t.s = value >> 4 & 1;
    t.u = value >> 3 & 1;
    t.execute = value >> 2 & 1;
}

static void hits_of(const struct model *m, unsigned hits[2]) {
    hits[0] = hits[1] = 0;
    for (unsigned lane = 0; lane < width; lane++) {
        if (!(top->commit_i >> lane & 1) || !(top->first_i >> lane & 1)) continue;
        for (unsigned i = 0; i < m->count; i++) {
            const auto &t = m->trigger[i];
            const bool mode = top->priv_i == 3 ? t.m : top->priv_i == 1 ? t.s : t.u;
            if (t.execute && mode && t.address == top->pc_i[lane]) hits[t.second] |= 1u << lane;
        }
    }
}

// Addresses near each other, which differ in a bit, high or low.
static uint64_t some_address() {
    static const uint64_t few[] = {0x80000000, 0x80000002, 0x80000004, 0xffffffc080000000, 0x8000000080000000, 0};
    return few[bench_below(6)];
}

static uint64_t some_value(unsigned addr) {
    if (addr == TDATA2) return some_address();
    if (addr == TSELECT) return bench_below(4) ? bench_below(8) : bench_random();
    const unsigned control = bench_below(4) ? EXECUTE | (M | S | U) : 0;
    return bench_below(4) ? control ^ (bench_random() & (EXECUTE | M | S | U | 1 << 12)) : bench_random();
}

static void one_cycle() {
    static const unsigned modes[] = {0, 1, 3}, addresses[] = {TSELECT, TDATA1, TDATA1, TDATA2, TDATA2, TDATA3, TINFO, 0xb03};
    unsigned expected[2];
    top->commit_i = bench_below(4) ? bench_random() & 0xff : 0;
    top->first_i = bench_random() | bench_random();
    top->priv_i = modes[bench_below(3)];
    for (unsigned i = 0; i < 8; i++)
        top->pc_i[i] = some_address();
    top->addr_i = addresses[bench_below(8)];
    top->write_i = bench_below(3) == 0;
    top->wdata_i = some_value(top->addr_i);
    top->eval();
    hits_of(&all, expected);
    bench_check(top->hits_0_o == expected[0] && top->hits_1_o == expected[1], "hits %x %x, expected %x %x", top->hits_0_o,
                top->hits_1_o, expected[0], expected[1]);
    seen.hits[0] += expected[0] != 0;
    seen.hits[1] += expected[1] != 0;
    seen.both += (expected[0] & expected[1]) != 0;
    seen.lanes[__builtin_popcount(expected[0])]++;
    hits_of(&single, expected);
    bench_check(top->single_hits_0_o == expected[0] && top->single_hits_1_o == expected[1], "of one: hits %x %x, expected %x %x",
                top->single_hits_0_o, top->single_hits_1_o, expected[0], expected[1]);
    const uint64_t value = read_model(&all, top->addr_i), of_one = read_model(&single, top->addr_i);
    bench_check(top->rdata_o == value, "0x%x reads 0x%lx, expected 0x%lx", top->addr_i, (unsigned long)top->rdata_o, (unsigned long)value);
    bench_check(top->single_rdata_o == of_one, "of one: 0x%x reads 0x%lx, expected 0x%lx", top->addr_i,
                (unsigned long)top->single_rdata_o, (unsigned long)of_one);
    bench_check(!top->none_o, "none: something comes of it");
    if (top->write_i) {
        write_model(&all, top->addr_i, top->wdata_i);
        write_model(&single, top->addr_i, top->wdata_i);
    }
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->write_i = 0;
    top->rst_ni = 0;
    for (int i = 0; i < 2; i++) {
        top->clk_i = 1;
        top->eval();
        top->clk_i = 0;
        top->eval();
    }
    top->rst_ni = 1;
    width = top->width_o;
    all.count = top->count_o;
    single.count = 1;
    for (int i = 0; i < 200000; i++)
        one_cycle();
    bench_check(seen.hits[0] > 1000 && seen.hits[1] > 1000 && seen.both > 100 && seen.lanes[width] > 10,
                "reach: %lu and %lu hits, %lu in both, %lu in all lanes", seen.hits[0], seen.hits[1], seen.both, seen.lanes[width]);
    delete top;
    return bench_end();
}
