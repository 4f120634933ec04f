// Next-packet predictor against a model of two ways: what a block's taken transfers were comes back, the earlier first,
// conditional ones by the direction predictor's leave, returns to the return stack's top; a new transfer takes either
// way in turn; nothing comes back before the walk after a reset has ended, and nothing from before it.
#include "Vtop.h"
#include "bench.h"
#include "config.h"
#include "verilated.h"
#include <memory>

enum {
    SLOTS = CONFIG_FETCH_WIDTH,
    SETS = CONFIG_FETCH_BTB_ENTRIES / 2,
    TAG_BITS = 14,
    BLOCK = 2 * SLOTS,
    POOL = 48,
    STEPS = 60000
};
enum kind { NONE, COND, JUMP, CALL, IJUMP, ICALL, RET, SWAP };

struct entry {
    bool valid;
    unsigned tag, slot, kind;
    uint64_t target;
};

struct found {
    bool hit[2], taken;
    unsigned slot;
    uint64_t target;
};

static std::unique_ptr<Vtop> top;
static struct entry sets[SETS][2], latched[2];
static uint64_t latched_address;
static unsigned turn;
static bool silent;
static unsigned long hits, both, returns;

static unsigned set_of(uint64_t address) {
    return address / BLOCK % SETS;
}

static unsigned tag_of(uint64_t address) {
    uint64_t above = address / BLOCK / SETS;
    return (above ^ above >> TAG_BITS) & ((1 << TAG_BITS) - 1);
}

static struct found look(unsigned start, unsigned directions, uint64_t ras) {
    struct found f = {};
    for (unsigned way = 0; way < 2; way++) {
        const struct entry *e = &latched[way];
        f.hit[way] = e->valid && !silent && e->tag == tag_of(latched_address);
        bool counts = f.hit[way] && e->slot >= start && (e->kind != COND || directions >> e->slot & 1);
        if (!counts || (f.taken && f.slot <= e->slot)) continue;
        uint64_t own = latched_address >> 40 << 40;
        f.taken = true;
        f.slot = e->slot;
        f.target = e->kind == RET || e->kind == SWAP ? ras : own | e->target;
        returns += f.target == ras;
    }
    hits += f.taken;
    both += f.hit[0] && f.hit[1];
    return f;
}

static void compare() {
    for (unsigned i = 0; i < 3; i++) {
        unsigned start = bench_below(2) ? 0 : bench_below(SLOTS), directions = bench_below(1 << SLOTS);
        top->start_i = start;
        top->predict_taken_i = directions;
        top->ras_top_i = bench_random();
        top->eval();
        struct found f = look(start, directions, top->ras_top_i);
        bench_check(top->hit_o == (f.hit[0] | f.hit[1] << 1), "hits %x, expected %u %u", top->hit_o, f.hit[0],
                    f.hit[1]);
        if (f.hit[0]) bench_check(top->hit_slot0_o == latched[0].slot, "slot of way 0: %u", top->hit_slot0_o);
        if (f.hit[1]) bench_check(top->hit_slot1_o == latched[1].slot, "slot of way 1: %u", top->hit_slot1_o);
        bench_check(top->taken_o == f.taken, "taken %u, expected %u", top->taken_o, f.taken);
        if (!f.taken) continue;
        bench_check(top->slot_o == f.slot, "slot %u, expected %u", top->slot_o, f.slot);
        bench_check(top->target_o == f.target, "target %lx, expected %lx", (long)top->target_o, (long)f.target);
    }
}

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->read_i = top->train_i = 0;
    top->eval();
}

struct training {
    uint64_t address, target;
    unsigned last, kind, slot[2];
    bool taken, hit[2];
};

static void train(const struct training *t) {
    top->train_i = 1;
    top->train_addr_i = t->address;
    top->train_target_i = t->target;
    top->train_last_i = t->last;
    top->train_kind_i = t->kind;
    top->train_taken_i = t->taken;
    top->train_hit_i = t->hit[0] | t->hit[1] << 1;
    top->train_slot0_i = t->slot[0];
    top->train_slot1_i = t->slot[1];
}

// The transfer's own entry if it had one, else the way whose turn it is.
static void learn(const struct training *t) {
    if (!t->taken || silent) return;
    bool known0 = t->hit[0] && t->slot[0] == t->last, known1 = t->hit[1] && t->slot[1] == t->last;
    unsigned way = known0 ? 0 : known1 ? 1 : turn;
    if (!known0 && !known1) turn = !turn;
    uint64_t low = t->target & ((1ull << 40) - 2);
    sets[set_of(t->address)][way] = {true, tag_of(t->address), t->last, t->kind, low};
}

static void read(uint64_t address) {
    top->read_i = 1;
    top->read_addr_i = address;
}

// One cycle: what is read sees the sets as they were before what is trained. Without either, the ports show what nobody
// asked for.
static void cycle(const uint64_t *address, const struct training *t, const struct training *idle) {
    struct entry next[2] = {latched[0], latched[1]};
    if (address) {
        next[0] = sets[set_of(*address)][0];
        next[1] = sets[set_of(*address)][1];
        latched_address = *address;
        read(*address);
    } else {
        top->read_addr_i = bench_random();
    }
    train(t ? t : idle);
    top->train_i = t != NULL;
    if (t) learn(t);
    tick();
    latched[0] = next[0];
    latched[1] = next[1];
    compare();
}

static struct training random_training(uint64_t address) {
    struct training t = {address, bench_random(), bench_below(SLOTS), 1 + bench_below(7), {}, bench_below(8) != 0, {}};
    const struct entry *ways = sets[set_of(address)];
    for (unsigned way = 0; way < 2;
         way++) { // mostly as a look at the block shows it, now and then as an earlier one did
        bool now = bench_below(8) != 0;
        t.hit[way] = now ? ways[way].valid && ways[way].tag == tag_of(address) : bench_below(2);
        t.slot[way] = now ? ways[way].slot : bench_below(SLOTS);
    }
    return t;
}

static void reset() {
    top->rst_ni = 0;
    tick();
    tick();
    top->rst_ni = 1;
    silent = true;
    turn = 0;
    for (auto &ways : sets)
        ways[0] = ways[1] = {};
    for (unsigned i = 1; i < SETS; i++) { // the walk: no answers, nothing learnt
        uint64_t address = (uint64_t)bench_below(SETS) * BLOCK;
        struct training t = random_training(address);
        cycle(&address, &t, NULL);
    }
    latched_address = 0;
    latched[0] = latched[1] = {};
    read(0);
    tick();
    silent = false;
    for (unsigned set = 0; set < SETS; set++) { // all empty
        uint64_t address = (uint64_t)set * BLOCK;
        struct training t = random_training(address);
        cycle(&address, NULL, &t);
    }
}

static void random_blocks() {
    uint64_t pool[POOL];
    for (uint64_t &address : pool) // few sets, so that they are full
        address = (bench_random() & ~(uint64_t)(SETS * BLOCK - 1)) | bench_below(SETS / 4) * 4 * BLOCK;
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t address = pool[bench_below(POOL)];
        if (bench_below(16) == 0) address ^= 1ull << bench_below(64);
        bool reads = bench_below(8) != 0, trains = bench_below(2);
        struct training t = random_training(bench_below(4) ? address : pool[bench_below(POOL)]);
        cycle(reads ? &address : NULL, trains ? &t : NULL, &t);
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 51);
    top = std::make_unique<Vtop>();
    for (unsigned round = 0; round < 3; round++) {
        reset();
        random_blocks();
    }
    bench_check(hits > 10000 && both > 1000 && returns > 1000, "%lu hits, %lu of both ways, %lu returns", hits, both,
                returns);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
