// The walker's reads through the data cache, against what lsu_table_read promises: one at a time, it asks for a slot, meets
// the cache a cycle later, is done the cycle after a hit, and after a miss that is under way waits for a refill, or ends with
// an error if the bus has no such line; its patience; a read that is taken away is dropped.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 100000, PATIENCE = 15 };
enum phase { ASKS, CACHE, DONE };

static struct {
    bool valid, asleep;
    bool missed, lacks, error; // waits for its line; has found no MSHR; ends without
    enum phase phase;
    unsigned waited; // cycles without a slot
    uint64_t addr, data;
} reader;

static std::unique_ptr<Vtop> top;
static unsigned long reads, forced, dropped, slept, errors, awake;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}

static uint64_t line() {
    return (reader.addr & (UINT64_C(1) << 56) - 1) >> 6;
}

// It has missed its line, and the bus answers now that it has no such line.
static bool fails() {
    return reader.valid && reader.missed && reader.phase != DONE && top->refill_i && top->refill_error_i && top->refill_line_i == line();
}

static bool asks() {
    return reader.valid && reader.phase == ASKS && !reader.asleep && !fails();
}

// What the walker offers in this cycle: a request is held until it is done, but may be taken away.
static void offer(unsigned rate, unsigned drops) {
    if (!reader.valid && percent(rate)) {
        reader.valid = true;
        reader.addr = bench_random();
    }
    if (reader.valid && percent(drops)) {
        reader.valid = false;
        dropped++;
    }
    top->read_i = reader.valid;
    top->read_addr_i = reader.valid ? reader.addr : bench_random();
}

// Which cache port has it in M1, and what the cache says of it; what comes from memory.
static unsigned cache(unsigned hits) {
    unsigned port = bench_below(top->ports_o);
    top->m1_table_i = reader.phase == CACHE ? 1 << port : 0;
    top->hit_i = top->join_i = 0;
    for (unsigned p = 0; p < 2; p++) {
        top->hit_i |= (unsigned)percent(hits) << p;
        top->join_i |= bench_below(2) << p;
        top->word_i[p] = bench_random();
    }
    top->full_i = percent(20);
    top->refill_i = percent(15);
    top->refill_error_i = percent(30);
    uint64_t other = bench_random() >> 14; // 50 bits
    top->refill_line_i = percent(40) ? line() : other;
    return port;
}

static void check() {
    bench_check(top->read_slot_o == asks(), "the read's slot %u, expected %u", top->read_slot_o, asks());
    if (asks()) {
        bench_check(top->read_slot_addr_o == reader.addr, "the read's address");
        bench_check(top->read_force_o == (reader.waited >= PATIENCE || reader.lacks), "patience after %u cycles, without an MSHR %u: %u", reader.waited, reader.lacks,
                    top->read_force_o);
        forced += top->read_force_o;
    }
    bool done = reader.valid && reader.phase == DONE;
    bench_check(top->read_done_o == done, "read done %u, expected %u", top->read_done_o, done);
    if (done) bench_check(top->read_error_o == reader.error, "error of a read: %u", top->read_error_o);
    if (done && !reader.error) bench_check(top->read_data_o == reader.data, "data of a read");
    reads += done;
}

// One step: takes its slot, meets the cache, ends.
static void step(bool take, unsigned port) {
    bool hit = top->hit_i >> port & 1, held = (top->join_i >> port & 1) || top->full_i;
    bool in_cache = reader.phase == CACHE, comes = top->refill_i && top->refill_line_i == line(), failed = fails() && !(in_cache && hit);
    if (reader.phase != DONE) reader.error = failed;
    errors += failed;
    awake += failed && !reader.asleep;
    if (in_cache) {
        reader.missed = !hit;
        reader.lacks = !hit && !(top->join_i >> port & 1);
    } else if (comes)
        reader.missed = reader.lacks = false;
    if (in_cache && hit) reader.data = top->word_i[port];
    reader.waited = asks() && !take ? reader.waited + 1 : 0;
    if (in_cache && !hit)
        reader.asleep = held && !top->refill_i;
    else if (top->refill_i)
        reader.asleep = false;
    slept += reader.asleep;
    if (reader.phase == DONE) {
        reader.valid = reader.missed = reader.lacks = false;
        reader.phase = ASKS;
    } else if (failed) {
        reader.phase = DONE;
    } else if (in_cache) {
        reader.phase = hit ? DONE : ASKS;
    } else if (take) {
        reader.phase = CACHE;
    }
}

static void cycle(unsigned rate, unsigned takes, unsigned hits, unsigned drops) {
    top->read_take_i = 0;
    offer(rate, drops);
    unsigned port = cache(hits);
    top->clk_i = 0;
    top->eval();
    check();
    top->read_take_i = top->read_slot_o && percent(takes);
    top->eval();
    bool dropping = !reader.valid;
    step(top->read_take_i, port);
    if (dropping) {
        reader.phase = ASKS;
        reader.missed = reader.lacks = false;
    }
    top->clk_i = 1;
    top->eval();
}

static void reset() {
    top->rst_ni = 0;
    top->read_i = top->read_take_i = 0;
    for (unsigned i = 0; i < 2; i++) {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }
    top->rst_ni = 1;
    reader = {};
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 33);
    top = std::make_unique<Vtop>();
    unsigned rate = 50, takes = 50, hits = 50, drops = 0;
    for (unsigned i = 0; i < STEPS && bench_failed < 20; i++) {
        if (i % 5000 == 0) reset();
        if (i % 200 == 0) {
            rate = 5 + bench_below(95);
            takes = bench_below(3) ? 5 + bench_below(95) : 4;
            hits = bench_below(100);
            drops = bench_below(2) ? 0 : bench_below(10);
        }
        cycle(rate, takes, hits, drops);
    }
    bench_check(reads > 2000 && forced > 200 && dropped > 200 && slept > 2000 && errors > 200 && awake > 50,
                "%lu reads, %lu out of patience, %lu dropped, %lu cycles asleep, %lu errors, %lu of them awake", reads, forced, dropped, slept,
                errors, awake);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
