// Direction predictor against a model of it: contexts that come again and again beside ones that never do, directions
// that depend on the context beside random ones; the walk after a reset, with tables full of what was learnt before;
// and what it is for: a direction that only the history gives is predicted.
#include "Vtop.h"
#include "bench.h"
#include "tage_model.h"
#include "verilated.h"
#include <deque>
#include <memory>

enum { CONTEXTS = 40, KEYS = 12, STEPS = 60000, FLIGHT = 6 };

struct context {
    unsigned key;
    history hist;
    unsigned directions; // by slot
};

struct packet {
    struct context c;
    struct answer a;
};

static std::unique_ptr<Vtop> top;
static std::unique_ptr<Model> model;
static struct Model::reading latched;
static bool silent; // the walk is under way
static unsigned long providers[TABLES + 1];

static history random_history() {
    return (history)bench_random() << 64 | bench_random();
}

static void set_history(WDataOutP port, history hist) {
    for (unsigned i = 0; i < 4; i++)
        port[i] = (uint32_t)(hist >> 32 * i);
}

static unsigned flat(const bool *flags) {
    unsigned bits = 0;
    for (unsigned s = 0; s < SLOTS; s++)
        bits |= (unsigned)flags[s] << s;
    return bits;
}

static void compare() {
    struct answer a = model->predict(latched);
    if (silent) a = {};
    unsigned provider = 0, ctr = 0;
    uint64_t useful = 0;
    for (unsigned s = 0; s < SLOTS; s++) {
        provider |= a.provider[s] << 4 * s;
        ctr |= a.ctr[s] << 3 * s;
        providers[a.provider[s]]++;
    }
    for (unsigned t = 0; t < TABLES; t++)
        useful |= (uint64_t)flat(a.useful[t]) << t * SLOTS;
    bench_check(top->taken_o == flat(a.taken), "taken %x, expected %x", top->taken_o, flat(a.taken));
    bench_check(top->provider_o == provider, "provider %x, expected %x", top->provider_o, provider);
    bench_check(top->ctr_o == ctr, "counters %x, expected %x", top->ctr_o, ctr);
    bench_check(top->alt_o == flat(a.alt), "alternative %x, expected %x", top->alt_o, flat(a.alt));
    bench_check(top->useful_o == useful, "useful %lx, expected %lx", (long)top->useful_o, (long)useful);
}

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->read_i = top->train_i = 0;
    top->eval();
}

static void put_read(const struct context &c) {
    top->read_i = 1;
    top->read_key_i = c.key;
    set_history(top->read_hist_i, c.hist);
}

static void put_train(const struct packet &p, const struct outcome &o) {
    top->train_i = 1;
    top->train_key_i = p.c.key;
    set_history(top->train_hist_i, p.c.hist);
    top->train_provider_i = top->train_ctr_i = 0;
    top->train_useful_i = 0;
    for (unsigned s = 0; s < SLOTS; s++) {
        top->train_provider_i |= p.a.provider[s] << 4 * s;
        top->train_ctr_i |= p.a.ctr[s] << 3 * s;
    }
    for (unsigned t = 0; t < TABLES; t++)
        top->train_useful_i |= (uint64_t)flat(p.a.useful[t]) << t * SLOTS;
    top->train_alt_i = flat(p.a.alt);
    top->train_branches_i = o.branches;
    top->train_last_i = o.last;
    top->train_taken_i = o.taken;
    top->train_mispredict_i = o.mispredict;
}

// One cycle: what is read sees the tables as they were before what is trained.
static void cycle(const struct context *read, const struct packet *trained, const struct outcome *o) {
    struct Model::reading next = latched;
    if (read) {
        put_read(*read);
        next = model->read(read->key, read->hist);
    }
    if (trained) {
        put_train(*trained, *o);
        if (silent)
            model->shift_random();
        else
            model->train(trained->c.key, trained->c.hist, trained->a, *o);
    } else { // not trained by what stands at the ports
        top->train_key_i = (unsigned)bench_random() & 0xffffff;
        top->train_branches_i = (1 << SLOTS) - 1;
        top->train_mispredict_i = 1;
    }
    if (!read) top->read_key_i = (unsigned)bench_random() & 0xffffff;
    tick();
    latched = next;
    compare();
}

static struct outcome random_outcome(const struct packet &p) {
    struct outcome o;
    o.last = bench_below(SLOTS);
    o.branches = (unsigned)bench_random() & ((2u << o.last) - 1);
    bool branch = o.branches >> o.last & 1;
    o.taken = bench_below(8) ? p.c.directions >> o.last & 1 : bench_below(2);
    o.mispredict = branch && (bench_below(16) ? p.a.taken[o.last] != o.taken : bench_below(2));
    return o;
}

// Reset, and the walk: no answers, nothing learnt.
static void reset() {
    top->rst_ni = 0;
    tick();
    tick();
    top->rst_ni = 1;
    model->reset();
    silent = true;
    unsigned walk = BASE > ROWS ? BASE : ROWS;
    for (unsigned i = 1; i < walk; i++) {
        struct packet p = {{(unsigned)bench_random() & 0xffffff, random_history(), 0}, {}};
        for (unsigned s = 0; s < SLOTS; s++)
            p.a.provider[s] = bench_below(TABLES + 1);
        struct outcome o = {(1 << SLOTS) - 1, bench_below(SLOTS), true, true};
        cycle(&p.c, &p, &o);
    }
    latched = model->read(0, 0);
    put_read({0, 0, 0});
    tick();
    silent = false;
    struct context first = {0, 0, 0};
    cycle(&first, NULL, NULL);
}

static void random_contexts() {
    struct context pool[CONTEXTS];
    unsigned keys[KEYS];
    for (unsigned &key : keys)
        key = (unsigned)bench_random() & 0xffffff;
    for (struct context &c : pool)
        c = {keys[bench_below(KEYS)], random_history(), bench_below(1 << SLOTS)};
    std::deque<struct packet> flight;
    for (unsigned i = 0; i < STEPS; i++) {
        struct context &c = pool[bench_below(CONTEXTS)];
        if (bench_below(200) == 0) c = {keys[bench_below(KEYS)], random_history(), bench_below(1 << SLOTS)};
        if (bench_below(40) == 0) c.hist ^= (history)1 << bench_below(128);
        if (bench_below(40) == 0) c.key ^= 1u << bench_below(24);
        struct packet trained;
        struct outcome o;
        bool train = flight.size() > FLIGHT || (!flight.empty() && bench_below(4) == 0);
        if (train) {
            trained = flight.front();
            flight.pop_front();
            o = random_outcome(trained);
        }
        bool read = bench_below(8) != 0;
        cycle(read ? &c : NULL, train ? &trained : NULL, &o);
        if (read) flight.push_back({c, model->predict(latched)});
    }
}

// A branch whose direction its history gives, in turn: after a while all of them are right.
static void learns() {
    reset();
    struct context c[4];
    for (unsigned i = 0; i < 4; i++)
        c[i] = {0x1234, random_history(), i % 2 ? 1u : 0u};
    unsigned wrong = 0;
    for (unsigned i = 0; i < 400; i++) {
        cycle(&c[i % 4], NULL, NULL);
        struct packet p = {c[i % 4], model->predict(latched)};
        bool actual = c[i % 4].directions, right = (top->taken_o & 1) == actual;
        wrong += i >= 200 && !right;
        struct outcome o = {1, 0, actual, !right};
        cycle(NULL, &p, &o);
    }
    bench_check(wrong == 0, "%u of 200 wrong of directions that the history gives", wrong);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 28);
    top = std::make_unique<Vtop>();
    model = std::make_unique<Model>();
    top->read_i = top->train_i = 0;
    for (unsigned round = 0; round < 3; round++) {
        reset();
        random_contexts();
    }
    learns();
    for (unsigned t = 0; t <= TABLES; t++)
        bench_check(providers[t] > 1000, "table %u provided %lu times", t, providers[t]);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
