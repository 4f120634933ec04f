// Page-table entries through the data cache, against what lsu_tables and the two below it promise: one read and one
// write at a time, each asks for a slot, meets the cache a cycle later, is done the cycle after a hit, and after a miss
// that is under way waits for a refill, or ends with an error if the line is none; a read's patience; a read that is taken away is dropped; stores pass, but not
// before a write.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 120000, PATIENCE = 15 };
enum phase { ASKS, CACHE, DONE };

struct access { // of the walker, or of the update
    bool valid, asleep;
    bool missed, error; // waits for its line; ends without
    enum phase phase;
    unsigned waited; // cycles without a slot
    uint64_t addr, data;
};

static std::unique_ptr<Vtop> top;
static struct access reader, writer;
static bool store_in_cache;
static unsigned long reads, writes, stores, forced, dropped, slept, errors, awake;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}

static uint64_t line_of(const struct access *a) {
    return (a->addr & (UINT64_C(1) << 56) - 1) >> 6;
}

// It has missed its line, and the bus answers now that it has no such line.
static bool fails(const struct access *a) {
    return a->valid && a->missed && a->phase != DONE && top->refill_i && top->refill_error_i && top->refill_line_i == line_of(a);
}

static bool asks(const struct access *a) {
    return a->valid && a->phase == ASKS && !a->asleep && !fails(a);
}

static void start(struct access *a) {
    a->valid = true;
    a->addr = bench_random();
}

// What the outer sides offer in this cycle: a request is held until it is done, but a read may be taken away.
static void offer(unsigned rate, unsigned drops) {
    if (!reader.valid && percent(rate)) start(&reader);
    if (reader.valid && percent(drops)) {
        reader.valid = false;
        dropped++;
    }
    bool store = top->store_i && percent(70); // goes on asking, mostly
    if (!writer.valid && !store_in_cache && percent(rate)) {
        start(&writer);
        top->write_low_i = (CData)bench_random();
    }
    top->read_i = reader.valid;
    top->read_addr_i = reader.valid ? reader.addr : bench_random();
    top->write_i = writer.valid;
    top->write_addr_i = writer.valid ? writer.addr : bench_random();
    top->store_i = !writer.valid && (store || percent(rate));
    top->store_urgent_i = bench_below(2);
    top->store_addr_i = bench_random();
    top->store_word_i = bench_random();
    top->store_mask_i = (CData)bench_random();
}

// Which cache ports have what is in M1, and what the cache says of it.
static void cache(unsigned hits) {
    unsigned ports = top->ports_o, read_port = bench_below(ports), drain_port = ports - 1 - read_port;
    bool drain = writer.phase == CACHE || store_in_cache;
    if (reader.phase != CACHE) drain_port = bench_below(ports);
    top->m1_table_i = reader.phase == CACHE ? 1 << read_port : 0;
    top->m1_drain_i = drain ? 1 << drain_port : 0;
    top->hit_i = top->join_i = 0;
    for (unsigned p = 0; p < 2; p++) {
        top->hit_i |= (unsigned)percent(hits) << p;
        top->join_i |= bench_below(2) << p;
        top->word_i[p] = bench_random();
    }
    top->full_i = percent(20);
    top->refill_i = !drain && percent(15);
    top->refill_error_i = percent(30);
    uint64_t line = percent(40) ? reader.addr : percent(60) ? writer.addr : bench_random();
    top->refill_line_i = (line & (UINT64_C(1) << 56) - 1) >> 6;
}

static unsigned port_of(unsigned bits) {
    return bits >> 1 & 1;
}

static void check_ex(bool write_asks) {
    bench_check(top->read_slot_o == asks(&reader), "the read's slot %u, expected %u", top->read_slot_o, asks(&reader));
    if (asks(&reader)) {
        bench_check(top->read_slot_addr_o == reader.addr, "the read's address");
        bench_check(top->read_force_o == (reader.waited >= PATIENCE), "patience after %u cycles: %u", reader.waited,
                    top->read_force_o);
        forced += top->read_force_o;
    }
    bench_check(top->drain_o == (write_asks || top->store_i), "drain %u", top->drain_o);
    if (write_asks) {
        bench_check(top->drain_urgent_o && top->drain_addr_o == writer.addr && top->drain_mask_o == 1 &&
                        (top->drain_word_o & 0xff) == top->write_low_i,
                    "write of a table entry: urgent %u mask %x", top->drain_urgent_o, top->drain_mask_o);
    } else if (top->store_i) {
        bench_check(top->drain_urgent_o == top->store_urgent_i && top->drain_addr_o == top->store_addr_i &&
                        top->drain_word_o == top->store_word_i && top->drain_mask_o == top->store_mask_i,
                    "a store does not pass as it is");
    }
}

static void check_ends() {
    bool done = reader.valid && reader.phase == DONE;
    bench_check(top->read_done_o == done, "read done %u, expected %u", top->read_done_o, done);
    if (done) bench_check(top->read_error_o == reader.error, "error of a read: %u", top->read_error_o);
    if (done && !reader.error) bench_check(top->read_data_o == reader.data, "data of a read");
    if (writer.phase == DONE) bench_check(top->write_error_o == writer.error, "error of a write: %u", top->write_error_o);
    bench_check(top->write_done_o == (writer.phase == DONE), "write done %u, expected %u", top->write_done_o,
                writer.phase == DONE);
    bool hit = top->hit_i >> port_of(top->m1_drain_i) & 1, join = top->join_i >> port_of(top->m1_drain_i) & 1;
    bench_check(top->store_hit_o == (store_in_cache && hit), "a store's hit %u", top->store_hit_o);
    bench_check(top->store_miss_o == (store_in_cache && !hit), "a store's miss %u", top->store_miss_o);
    if (store_in_cache && !hit)
        bench_check(top->store_sleep_o == (join || top->full_i), "a store's sleep %u", top->store_sleep_o);
}

// One step of an access: takes its slot, meets the cache, ends.
static void step(struct access *a, bool take, unsigned port) {
    bool hit = top->hit_i >> port & 1, held = (top->join_i >> port & 1) || top->full_i;
    bool in_cache = a->phase == CACHE;
    bool comes = top->refill_i && top->refill_line_i == line_of(a), failed = fails(a) && !(in_cache && hit);
    if (a->phase != DONE) a->error = failed;
    errors += failed;
    awake += failed && !a->asleep;
    if (in_cache)
        a->missed = !hit;
    else if (comes)
        a->missed = false;
    if (in_cache && hit) a->data = top->word_i[port];
    a->waited = asks(a) && !take ? a->waited + 1 : 0;
    if (in_cache && !hit)
        a->asleep = held && !top->refill_i;
    else if (top->refill_i)
        a->asleep = false;
    slept += a->asleep;
    if (a->phase == DONE) {
        a->valid = a->missed = false;
        a->phase = ASKS;
    } else if (failed) {
        a->phase = DONE;
    } else if (in_cache) {
        a->phase = hit ? DONE : ASKS;
    } else if (take) {
        a->phase = CACHE;
    }
}

static void cycle(unsigned rate, unsigned takes, unsigned hits, unsigned drops) {
    top->read_take_i = top->drain_take_i = 0;
    offer(rate, drops);
    cache(hits);
    top->clk_i = 0;
    top->eval();
    bool write_asks = asks(&writer);
    check_ex(write_asks);
    check_ends();
    top->drain_take_i = top->drain_o && percent(takes);
    top->read_take_i = top->read_slot_o && percent(takes) && (top->ports_o > 1 || !top->drain_take_i);
    top->eval();
    bool store_taken = top->drain_take_i && !write_asks;
    bench_check(top->store_take_o == store_taken, "store taken %u, expected %u", top->store_take_o, store_taken);
    reads += reader.valid && reader.phase == DONE;
    writes += writer.phase == DONE;
    stores += store_taken;
    bool dropping = !reader.valid;
    step(&reader, top->read_take_i, port_of(top->m1_table_i));
    if (dropping) {
        reader.phase = ASKS;
        reader.missed = false;
    }
    step(&writer, top->drain_take_i && write_asks, port_of(top->m1_drain_i));
    store_in_cache = store_taken;
    top->clk_i = 1;
    top->eval();
    if (store_taken) top->store_i = 0;
}

static void reset() {
    top->rst_ni = 0;
    top->read_i = top->write_i = top->store_i = top->read_take_i = top->drain_take_i = 0;
    for (unsigned i = 0; i < 2; i++) {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }
    top->rst_ni = 1;
    reader = writer = (struct access){};
    store_in_cache = false;
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
    bench_check(reads > 2000 && writes > 2000 && stores > 2000 && forced > 200 && dropped > 200 && slept > 2000 && errors > 200 && awake > 50,
                "%lu reads, %lu writes, %lu stores, %lu out of patience, %lu dropped, %lu cycles asleep, %lu errors, %lu of them awake", reads, writes,
                stores, forced, dropped, slept, errors, awake);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
