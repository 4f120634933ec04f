// psv_table: stories by hand, then random entries, events and reads against a map.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <cstdlib>

enum { ENTRIES = 12, LANES = 2, SETS = 3, BITS = 9, ROUNDS = 20000 };
static uint16_t now[ENTRIES]; // what each entry's vector is, before the edge
static bool known[ENTRIES];

static unsigned random_below(unsigned n) {
    return (unsigned)rand() % n;
}

static void one(Vtop *top, unsigned round) {
    uint16_t next[ENTRIES];
    unsigned entered = 0;
    top->enter_i = top->set_i = 0;
    top->enter_index_i = top->read_index_i = 0;
    top->set_index_i = 0;
    top->enter_psv_i = top->set_psv_i = 0;
    for (unsigned e = 0; e < ENTRIES; e++)
        next[e] = now[e];
    for (unsigned s = 0; s < SETS; s++) {
        unsigned index = random_below(ENTRIES), psv = 1u << random_below(BITS);
        top->set_index_i |= index << 4 * s;
        top->set_psv_i |= psv << BITS * s;
        if (!random_below(2)) continue;
        top->set_i |= 1u << s;
        next[index] |= psv;
    }
    uint16_t seen[ENTRIES]; // with the bits of this cycle
    for (unsigned e = 0; e < ENTRIES; e++)
        seen[e] = next[e];
    for (unsigned l = 0; l < LANES; l++) {
        unsigned index = random_below(ENTRIES), psv = random_below(1u << BITS);
        if (random_below(3) || entered & 1u << index) continue;
        entered |= 1u << index;
        top->enter_i |= 1u << l;
        top->enter_index_i |= index << 4 * l;
        top->enter_psv_i |= psv << BITS * l;
        next[index] = (uint16_t)psv;
    }
    unsigned read[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        read[l] = random_below(ENTRIES);
        top->read_index_i |= read[l] << 4 * l;
    }
    top->clk_i = 0;
    top->eval();
    for (unsigned l = 0; l < LANES; l++) {
        unsigned got = top->psv_o >> BITS * l & 0x1ff;
        if (known[read[l]])
            bench_check(got == seen[read[l]], "round %u, entry %u: 0x%x, expected 0x%x", round, read[l], got, seen[read[l]]);
    }
    top->clk_i = 1;
    top->eval();
    for (unsigned e = 0; e < ENTRIES; e++) {
        now[e] = next[e];
        known[e] |= (entered >> e & 1) != 0;
    }
}

int main() {
    Vtop *top = new Vtop;
    top->clk_i = 0;
    top->eval();
    srand(1);
    for (unsigned round = 0; round < ROUNDS; round++)
        one(top, round);
    unsigned seen = 0;
    for (unsigned e = 0; e < ENTRIES; e++)
        seen += known[e];
    bench_check(seen == ENTRIES, "only %u entries were used", seen);
    top->final();
    delete top;
    return bench_end();
}
