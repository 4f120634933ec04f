// Test of record_bits.h: the C structs filled from bits have what SystemVerilog finds there by the fields' names, each
// bit alone, and at random.
#include "Vtop.h"
#include "bench.h"
#include "record_bits.h"
#include "verilated.h"

#include <string.h>

enum { WORDS = 64, FIELDS = 36, OF_LANES = 6 };

struct found {
    commit_bundle b;
    sample s;
    oir o;
};

static void fields(const found &f, uint64_t out[FIELDS]) {
    const commit_bundle &b = f.b;
    const sample &s = f.s;
    const oir &o = f.o;
    const uint64_t all[FIELDS] = {
        b.valid,          b.commit,       b.mispredict, b.flush,    b.first,       b.oldest,
        b.rob_empty,      b.exception,    b.interrupt,  b.replay,   b.cause,       b.exception_pc,
        b.exception_psv,  b.priv,         b.space,      b.redirect, b.fetch_valid, b.fetch_pc,
        b.dispatch_valid, b.dispatch_rob, s.state,      s.valid,    s.oldest,      s.exception,
        s.flush,          s.mispredict,   s.priv,       s.space,    o.valid,       o.pc,
        o.mispredict,     o.flush,        o.exception,  o.psv,      o.priv,        o.space};
    memcpy(out, all, sizeof all);
}

static uint64_t of_lane(const found &f, unsigned field, unsigned lane) {
    const uint64_t all[OF_LANES] = {f.b.pc[lane],          f.b.insn[lane], f.b.psv[lane],
                                    f.b.dispatch_pc[lane], f.s.addr[lane], f.s.psv[lane]};
    return all[field];
}

// The i-th value of 64 bits in a wide port.
template <typename W> static uint64_t value(const W &port, unsigned i) {
    return port[2 * i] | (uint64_t)port[2 * i + 1] << 32;
}

static void same(uint64_t expected, uint64_t got, const char *what, unsigned number, unsigned field) {
    bench_check(expected == got, "%s %u: field %u: expected %llx, got %llx", what, number, field,
                (unsigned long long)expected, (unsigned long long)got);
}

static void check(Vtop &top, const char *what, unsigned number) {
    uint32_t bits[WORDS];
    uint64_t all[FIELDS];
    found f = {};
    for (unsigned i = 0; i < WORDS; i++)
        bits[i] = top.bits_i[i];
    top.eval();
    commit_bundle_from_bits(&f.b, bits);
    sample_from_bits(&f.s, bits);
    oir_from_bits(&f.o, bits);
    fields(f, all);
    for (unsigned i = 0; i < FIELDS; i++)
        same(value(top.field_o, FIELDS - 1 - i), all[i], what, number, i);
    for (unsigned i = 0; i < OF_LANES * MAX_LANES; i++)
        same(value(top.of_lane_o, i), of_lane(f, i / MAX_LANES, i % MAX_LANES), what, number, FIELDS + i);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    Vtop top;
    top.eval();
    bench_check(top.bundle_size_o == COMMIT_BUNDLE_BITS, "a bundle has %u bits, not %d", top.bundle_size_o,
                COMMIT_BUNDLE_BITS);
    bench_check(top.sample_size_o == SAMPLE_BITS, "a sample has %u bits, not %d", top.sample_size_o, SAMPLE_BITS);
    bench_check(top.oir_size_o == OIR_BITS, "an OIR has %u bits, not %d", top.oir_size_o, OIR_BITS);
    for (unsigned bit = 0; bit < COMMIT_BUNDLE_BITS; bit++) {
        for (unsigned i = 0; i < WORDS; i++)
            top.bits_i[i] = i == bit / 32 ? UINT32_C(1) << bit % 32 : 0;
        check(top, "bit", bit);
    }
    for (unsigned n = 0; n < 1000; n++) {
        for (unsigned i = 0; i < WORDS; i++)
            top.bits_i[i] = (uint32_t)bench_random();
        check(top, "random", n);
    }
    return bench_end();
}
