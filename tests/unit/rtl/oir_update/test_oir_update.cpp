// oir_update: random commit groups from every oldest lane, exceptions, and cycles in which nothing leaves; in any mode and
// address space.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

struct oir {
    bool valid, mispredict, flush, exception;
    uint64_t pc;
    unsigned psv, priv;
    uint64_t space;
};

static Vtop *top;

static void compare(const struct oir *e, unsigned n) {
    bool good = top->valid_o == e->valid && top->pc_o == e->pc && top->mispredict_o == e->mispredict &&
                top->flush_o == e->flush && top->exception_o == e->exception && top->psv_o == e->psv && top->priv_o == e->priv && top->space_o == e->space;
    bench_check(good, "cycle %u: pc 0x%llx flags %d%d%d psv 0x%x mode %u space 0x%llx, expected 0x%llx %d%d%d 0x%x %u 0x%llx", n,
                (unsigned long long)top->pc_o, top->mispredict_o, top->flush_o, top->exception_o, top->psv_o, top->priv_o,
                (unsigned long long)top->space_o, (unsigned long long)e->pc, e->mispredict, e->flush, e->exception, e->psv, e->priv,
                (unsigned long long)e->space);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    struct oir e = {false, false, false, false, 0, 0, 0, 0};
    unsigned groups[9] = {0}, exceptions = 0, idle = 0;
    top->clk_i = top->rst_ni = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->rst_ni = 1;
    unsigned width = top->width_o;
    for (unsigned n = 0; n < 30000; n++) {
        top->clk_i = 0;
        unsigned oldest = bench_below(width), count = bench_below(3) ? bench_below(width + 1) : 0;
        bool exception = count == 0 && bench_below(4) == 0;
        top->oldest_i = oldest;
        // Flags are random in every lane: those of lanes that do not commit must not matter.
        top->mispredict_i = bench_below(256);
        top->flush_i = bench_below(256);
        top->valid_i = 0xff;
        top->commit_i = 0;
        for (unsigned i = 0; i < 8; i++) {
            top->pc_i[i] = bench_random();
            top->psv_i[i] = bench_below(512);
        }
        for (unsigned k = 0; k < count; k++) top->commit_i |= 1u << (oldest + k) % width;
        top->exception_i = exception;
        top->exception_pc_i = bench_random();
        top->exception_psv_i = bench_below(512);
        top->priv_i = bench_below(4);
        top->space_i = bench_random() >> 20;
        top->eval();
        compare(&e, n); // what leaves in this cycle is seen in the next
        if (exception) {
            e = {true, false, false, true, top->exception_pc_i, top->exception_psv_i, top->priv_i, top->space_i};
            exceptions++;
        } else if (count) {
            unsigned youngest = (oldest + count - 1) % width;
            e = {true, (top->mispredict_i >> youngest & 1) != 0, (top->flush_i >> youngest & 1) != 0, false,
                 top->pc_i[youngest], top->psv_i[youngest], top->priv_i, top->space_i};
        } else {
            idle++;
        }
        groups[count]++;
        top->clk_i = 1;
        top->eval();
    }
    for (unsigned i = 1; i <= width; i++) bench_check(groups[i] > 100, "groups of %u: %u", i, groups[i]);
    bench_check(exceptions > 100 && idle > 100, "%u exceptions, %u idle cycles", exceptions, idle);
    top->rst_ni = 0;
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    e = {false, false, false, false, 0, 0, 0, 0};
    compare(&e, 0);
    top->final();
    delete top;
    return bench_end();
}
