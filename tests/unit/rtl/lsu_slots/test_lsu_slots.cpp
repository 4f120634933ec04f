// The cache ports' slots at random, against a list of who goes before whom (header of lsu_arb): fresh loads keep their
// own port unless a drain or the walker's read has waited long enough, the rest takes what is free in its order. A
// cycle later, in M1: the slot with its own address, load and data; what a squash killed in EX is absent.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 60000, PORTS = 2, LOAD_ACCESS_FAULT = 5 }; // privileged manual, mcause
enum slot { NONE, LOAD, DEVICE, DRAIN, PROBE, PREFETCH, AMO_READ, AMO_WRITE, TABLE, SLOTS };

struct load {
    uint64_t addr, info, age;
};

struct choice { // of a cycle
    enum slot slot[PORTS];
    const struct load *load[PORTS]; // of LOAD and DEVICE
    bool fresh[PORTS];              // it is the port's own
    unsigned bumps, picks;
    bool device, table, drain, amo, prefetch;
};

static Vtop *top;
static unsigned ports;
static struct load fresh[PORTS], pick[PORTS], device;
static uint64_t squash_age;
static unsigned long seen[SLOTS], bumped, killed_loads, bus_errors;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static bool bit(unsigned bits, unsigned i) {
    return bits >> i & 1;
}

static unsigned some(unsigned percent) {
    unsigned bits = 0;
    for (unsigned p = 0; p < ports; p++)
        bits |= (bench_below(100) < percent) << p;
    return bits;
}

// Place in the ROB of what entered it as number `age`: its index, and above it whether the queue has wrapped.
static uint64_t rob_of(uint64_t age) {
    uint64_t entries = top->rob_entries_o;
    return age % entries | (age / entries & 1) << (top->rob_bits_o - 1);
}

static void random_load(struct load *l, uint64_t oldest) {
    unsigned below = top->info_bits_o - top->rob_bits_o;
    l->age = oldest + bench_below(top->rob_entries_o);
    l->addr = bench_random();
    l->info = (bench_random() & ((1ull << below) - 1)) | rob_of(l->age) << below;
}

static void offer(unsigned rate) {
    uint64_t oldest = bench_random() >> 40;
    for (unsigned p = 0; p < ports; p++) {
        random_load(&fresh[p], oldest);
        random_load(&pick[p], oldest);
        top->fresh_addr_i[p] = fresh[p].addr;
        top->fresh_info_i[p] = fresh[p].info;
        top->fresh_cause_i[p] = bench_below(64);
        top->pick_addr_i[p] = pick[p].addr;
        top->pick_info_i[p] = pick[p].info;
    }
    random_load(&device, oldest);
    top->device_addr_i = device.addr;
    top->device_info_i = device.info;
    squash_age = oldest + bench_below(top->rob_entries_o);
    top->squash_i = bench_below(3) ? bench_below(2) : 2 | (bench_below(4) == 0);
    top->squash_rob_i = rob_of(squash_age);
    top->fresh_i = some(rate);
    top->fresh_exception_i = some(30);
    top->fresh_device_i = some(30);
    top->probe_i = some(30) & ~top->fresh_i; // a port has a load or a store
    top->pick_valid_i = some(rate);
    top->pick_error_i = some(30);
    top->device_error_i = bench_below(3) == 0;
    top->device_i = some(rate) & 1;
    top->table_i = (some(rate) & 1) << 1 | bench_below(2);
    top->table_addr_i = bench_random();
    top->drain_i = (some(rate) & 1) << 1 | bench_below(2);
    top->drain_addr_i = bench_random();
    top->drain_word_i = bench_random();
    top->drain_mask_i = (CData)bench_random();
    top->amo_i = (some(rate) & 1) << 1 | bench_below(2) | bench_below(2) << 2;
    top->amo_addr_i = bench_random();
    top->amo_word_i = bench_random();
    top->amo_mask_i = (CData)bench_random();
    top->prefetch_i = bench_below(2);
    top->prefetch_line_i = bench_random() >> 14;
    top->write_block_i = bench_below(4) == 0;
}

static bool dies(const struct load *l) {
    return top->squash_i & 2 && (top->squash_i & 1 || l->age > squash_age);
}

// The lowest port that nobody has, or -1.
static int free_port(const struct choice *c) {
    for (unsigned p = 0; p < ports; p++)
        if (c->slot[p] == NONE) return (int)p;
    return -1;
}

static bool take(struct choice *c, enum slot slot, const struct load *l) {
    int p = free_port(c);
    if (p < 0) return false;
    c->slot[p] = slot;
    c->load[p] = l;
    return true;
}

// What has waited long enough takes a port that is free, or whose fresh load can try again: no exception, no device. If it
// cannot, nobody gets the port, and what was forced waits for the next cycle.
static bool force(struct choice *c, unsigned p, enum slot slot, bool *taken) {
    if (c->slot[p] != NONE && !c->fresh[p]) return false;
    if (c->slot[p] != NONE && bit(top->fresh_exception_i | top->fresh_device_i, p)) return true;
    c->bumps |= c->fresh[p] << p;
    c->slot[p] = slot;
    c->fresh[p] = false;
    return *taken = true;
}

static struct choice choose() {
    struct choice c = {};
    for (unsigned p = 0; p < ports; p++)
        if (bit(top->fresh_i, p)) {
            c.slot[p] = LOAD;
            c.load[p] = &fresh[p];
            c.fresh[p] = true;
        }
    bool write = !top->write_block_i; // a drain and an AMO may be in M1 in the next cycle
    bool spoken_for = false;          // port 0
    if (top->amo_i & 2 && write && (top->amo_i & 4 || c.slot[0] == NONE))
        spoken_for = force(&c, 0, top->amo_i & 1 ? AMO_WRITE : AMO_READ, &c.amo);
    bool drain = top->drain_i & 2 && write, table = top->table_i & 2; // may still take what is free
    if (top->drain_i == 3 && write && !(spoken_for && ports == 1)) drain = !force(&c, ports - 1, DRAIN, &c.drain);
    if (top->device_i) c.device = take(&c, DEVICE, &device);
    if (top->table_i == 3 && !spoken_for) table = !force(&c, 0, TABLE, &c.table);
    if (table) c.table = take(&c, TABLE, NULL);
    for (unsigned k = 0; k < ports; k++)
        if (bit(top->pick_valid_i, k)) c.picks |= take(&c, LOAD, &pick[k]) << k;
    if (drain) c.drain = take(&c, DRAIN, NULL);
    for (unsigned p = 0; p < ports; p++)
        if (c.slot[p] == NONE && bit(top->probe_i, p)) c.slot[p] = PROBE;
    if (top->prefetch_i) c.prefetch = take(&c, PREFETCH, NULL);
    return c;
}

static void check_taken(const struct choice *c) {
    unsigned want = c->device << 4 | c->table << 3 | c->drain << 2 | c->amo << 1 | c->prefetch;
    bench_check(top->take_o == want, "device, table, drain, AMO, prefetch taken: %02x, expected %02x", top->take_o,
                want);
    bench_check(top->pick_take_o == c->picks, "retries taken %x, expected %x", top->pick_take_o, c->picks);
    bench_check(top->bump_o == c->bumps, "loads without their port %x, expected %x", top->bump_o, c->bumps);
    bumped += c->bumps != 0;
}

static uint64_t address_of(const struct choice *c, unsigned p) {
    switch (c->slot[p]) {
    case LOAD:
    case DEVICE: return c->load[p]->addr;
    case DRAIN: return top->drain_addr_i;
    case PREFETCH: return top->prefetch_line_i << 6;
    case TABLE: return top->table_addr_i;
    case PROBE: return top->fresh_addr_i[p];
    default: return top->amo_addr_i;
    }
}

static void check_load(const struct choice *c, unsigned p) {
    bench_check(top->m1_info_o[p] == c->load[p]->info, "port %u: not the load that was chosen", p);
    // A load that has waited has no exception of its own, but the bus may have answered with an error.
    const load *l = c->load[p];
    bool bus = !c->fresh[p] && (l == &device ? top->device_error_i : bit(top->pick_error_i, (unsigned)(l - pick)));
    bool exception = bus || (c->fresh[p] && bit(top->fresh_exception_i, p));
    bench_check(bit(top->m1_exception_o, p) == exception, "port %u: exception %x", p, top->m1_exception_o);
    if (exception) bench_check(top->m1_cause_o[p] == (bus ? LOAD_ACCESS_FAULT : top->fresh_cause_i[p]), "port %u: cause", p);
    bus_errors += bus;
    bool of_device = c->fresh[p] && bit(top->fresh_device_i, p);
    if (c->slot[p] == LOAD)
        bench_check(bit(top->m1_device_o, p) == of_device, "port %u: device %x", p, top->m1_device_o);
}

static void check_m1(const struct choice *c) {
    for (unsigned p = 0; p < ports; p++) {
        bool load = c->slot[p] == LOAD || c->slot[p] == DEVICE, dead = load && dies(c->load[p]);
        enum slot want = dead ? NONE : c->slot[p];
        bench_check(top->m1_slot_o[p] == want, "port %u: slot %u, expected %u", p, top->m1_slot_o[p], want);
        killed_loads += dead;
        seen[want]++;
        if (want == NONE) continue;
        bench_check(top->m1_addr_o[p] == address_of(c, p), "port %u: address of slot %u", p, want);
        if (load) check_load(c, p);
    }
    if (!c->drain && !c->amo) return;
    bench_check(top->m1_write_word_o == (c->drain ? top->drain_word_i : top->amo_word_i), "word to write");
    bench_check(top->m1_write_mask_o == (c->drain ? top->drain_mask_i : top->amo_mask_i), "bytes to write");
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 31);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->eval();
    ports = top->ports_o;
    top->rst_ni = 0;
    offer(100);
    tick();
    for (unsigned p = 0; p < ports; p++)
        bench_check(top->m1_slot_o[p] == NONE, "a slot out of reset");
    top->rst_ni = 1;
    for (unsigned i = 0; i < STEPS; i++) {
        static const unsigned RATES[] = {10, 30, 60, 90};
        offer(RATES[bench_below(4)]);
        top->clk_i = 0;
        top->eval();
        struct choice c = choose();
        check_taken(&c);
        tick();
        check_m1(&c);
    }
    for (unsigned s = NONE; s < SLOTS; s++)
        bench_check(seen[s] > 500, "slot %u was seen %lu times", s, seen[s]);
    bench_check(bumped > 500 && killed_loads > 500 && bus_errors > 500, "%lu bumped, %lu killed, %lu errors of the bus", bumped, killed_loads, bus_errors);
    top->final();
    return bench_end();
}
