// sample_select: random bundles and OIRs against the table of states, in age order, written down once more here.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

enum { COMPUTING, STALLED, FLUSHED, DRAINED };

struct expected {
    unsigned state, valid, oldest, flags, priv, psv[8];
    uint64_t addr[8], space;
};

static Vtop *top;
static unsigned width;

static struct expected expect() {
    struct expected e = {};
    unsigned oldest = top->oldest_i;
    e.priv = top->priv_i;
    e.space = top->space_i;
    if (top->rob_empty_i) {
        if (!top->oir_valid_i || !top->oir_flags_i) {
            e.state = DRAINED;
            return e;
        }
        e.state = FLUSHED;
        e.valid = 1;
        e.addr[0] = top->oir_pc_i;
        e.psv[0] = top->oir_psv_i;
        e.flags = top->oir_flags_i;
        e.priv = top->oir_priv_i; // the offender's, whatever mode it led to
        e.space = top->oir_space_i;
        return e;
    }
    e.oldest = oldest;
    if (!top->commit_i) {
        e.state = STALLED;
        e.valid = 1u << oldest;
        e.addr[oldest] = top->pc_i[oldest];
        e.psv[oldest] = top->exception_i ? top->exception_psv_i : top->psv_i[oldest];
        return e;
    }
    e.state = COMPUTING;
    for (unsigned age = 0; age < width; age++) {
        unsigned lane = (oldest + age) % width;
        if (!(top->commit_i >> lane & 1)) break;
        if (age && !(top->first_i >> lane & 1)) continue; // goes on with an instruction of this group
        e.valid |= 1u << lane;
        e.addr[lane] = top->pc_i[lane];
        e.psv[lane] = top->psv_i[lane];
    }
    return e;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->eval();
    width = top->width_o;
    unsigned states[4] = {0}, cracked = 0, exceptions = 0;
    for (unsigned n = 0; n < 40000; n++) {
        bool empty = bench_below(3) == 0;
        unsigned oldest = bench_below(width), inside = empty ? 0 : 1 + bench_below(width);
        unsigned count = bench_below(inside + 1);
        top->rob_empty_i = empty;
        top->oldest_i = oldest;
        top->valid_i = top->commit_i = 0;
        for (unsigned k = 0; k < inside; k++) top->valid_i |= 1u << (oldest + k) % width;
        for (unsigned k = 0; k < count; k++) top->commit_i |= 1u << (oldest + k) % width;
        top->first_i = bench_below(2) ? 0xff : bench_below(256);
        top->exception_i = !empty && !count && bench_below(3) == 0;
        for (unsigned i = 0; i < 8; i++) {
            top->pc_i[i] = bench_random();
            top->psv_i[i] = bench_below(512);
        }
        top->exception_pc_i = top->pc_i[oldest];
        top->exception_psv_i = bench_below(512);
        top->oir_valid_i = bench_below(8) != 0;
        top->oir_flags_i = top->oir_valid_i && bench_below(2) ? 1u << bench_below(3) : 0;
        top->oir_pc_i = bench_random();
        top->oir_psv_i = bench_below(512);
        top->priv_i = bench_below(4);
        top->oir_priv_i = bench_below(4);
        top->space_i = bench_random() >> 20;
        top->oir_space_i = bench_random() >> 20;
        top->eval();
        struct expected e = expect();
        states[e.state]++;
        exceptions += top->exception_i;
        cracked += (top->commit_i & ~top->first_i) != 0;
        bench_check(top->state_o == e.state && top->valid_o == e.valid && top->oldest_o == e.oldest &&
                        top->flags_o == e.flags,
                    "%u: state %u lanes 0x%x oldest %u flags %u, expected %u 0x%x %u %u", n, top->state_o, top->valid_o,
                    top->oldest_o, top->flags_o, e.state, e.valid, e.oldest, e.flags);
        bench_check(top->priv_o == e.priv && top->space_o == e.space, "%u: state %u: mode %u space 0x%llx, expected %u 0x%llx", n, e.state, top->priv_o,
                    (unsigned long long)top->space_o, e.priv, (unsigned long long)e.space);
        for (unsigned i = 0; i < 8; i++) {
            bench_check(top->addr_o[i] == e.addr[i] && top->psv_o[i] == e.psv[i],
                        "%u: lane %u: 0x%llx psv 0x%x, expected 0x%llx 0x%x", n, i, (unsigned long long)top->addr_o[i],
                        top->psv_o[i], (unsigned long long)e.addr[i], e.psv[i]);
        }
    }
    for (unsigned i = 0; i < 4; i++) bench_check(states[i] > 1000, "state %u: %u times", i, states[i]);
    bench_check(exceptions > 1000 && cracked > 1000, "%u exceptions, %u cracked", exceptions, cracked);
    top->final();
    delete top;
    return bench_end();
}
