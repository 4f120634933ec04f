// The fast model of several harts: the states of lines against a plain model of MESI, times of harts that share
// nothing, wait for a word, or sleep, and one hart against the model of one alone.
#include "instructions.h"
#include "machine/harts.h"
#include "memory_map.h"
#include "methods/gus/caches.h"
#include "methods/gus/harts.h"
#include "methods/gus/sweep.h"
#include "tests/unit/iss/hart.h"
#include <stdio.h>
#include <time.h>

enum { HARTS = 3, LINES = 6, ROUNDS = 200 }; // LINES: they fit
enum { ADD = 0x33, MUL = 0x02000033 };

// A core of few resources: what harts share has time, but no bandwidth.
static void make(struct gus_table *t) {
    static const char *const units[] = {UNIT_NAMES};
    static const char *const rows[][4] = {
        {"rate", "fetch", "1", "-"},      {"rate", "dispatch", "2", "-"},         {"rate", "commit", "2", "-"},
        {"rate", "drain", "1", "-"},      {"slots", "window", "16", "-"},         {"slots", "stores", "4", "-"},
        {"rate", "int_ports", "2", "-"},  {"delay", "front", "4", "-"},           {"delay", "free", "1", "-"},
        {"delay", "issue", "1", "-"},     {"delay", "leave", "2", "-"},           {"delay", "redirect", "2", "-"},
        {"delay", "way", "5", "-"},       {"delay", "device", "8", "-"},          {"delay", "llc.latency", "20", "-"},
        {"delay", "row_hit", "80", "-"},  {"delay", "row_miss", "80", "-"},       {"size", "peer", "21", "-"},
        {"size", "l1d.sets", "1", "-"},   {"size", "l1d.ways", "8", "-"},         {"size", "l1i.sets", "64", "-"},
        {"size", "l1i.ways", "2", "-"},   {"size", "llc.kib", "64", "-"},         {"size", "llc.ways", "4", "-"},
        {"size", "dram.banks", "2", "-"}, {"size", "dram.row_bytes", "1024", "-"}};
    struct error err = {""};
    *t = (struct gus_table){0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!gus_table_add(t, rows[i][0], rows[i][1], rows[i][2], rows[i][3], &err)) fail_msg("%s", err.text);
    for (unsigned u = 0; u < sizeof units / sizeof *units; u++)
        if (units[u][0] && !gus_table_add(t, "kind", units[u], "2", "int_ports", &err)) fail_msg("%s", err.text);
    if (!gus_table_finish(t, &err)) fail_msg("%s", err.text);
}

// ---- states ----
enum mesi { I, S, E, M };
enum access { LOADS, STORES, ATOMIC };

struct expected {
    bool hits, peer, owns;
};

static bool others(enum mesi states[HARTS], unsigned hart, enum mesi least) {
    bool found = false;
    for (unsigned i = 0; i < HARTS; i++)
        found |= i != hart && states[i] >= least;
    return found;
}

static void set_others(enum mesi states[HARTS], unsigned hart, enum mesi most) {
    for (unsigned i = 0; i < HARTS; i++)
        if (i != hart && states[i] > most) states[i] = most;
}

// MESI as docs/reference/coherence.md has it: GET shares, and gives E where nobody keeps the line; OWN takes it. A
// store asks GET early, and OWN when it drains, if others have it; AMOs ask OWN.
static struct expected plain(enum mesi states[HARTS], unsigned hart, enum access what) {
    struct expected x = {.hits = states[hart] != I};
    const bool shared = others(states, hart, S);
    x.peer = !x.hits && others(states, hart, M);
    if (what == ATOMIC) {
        x.hits = states[hart] >= E;
        x.peer = !x.hits && others(states, hart, M);
        set_others(states, hart, I);
        states[hart] = M;
        return x;
    }
    if (!x.hits) {
        set_others(states, hart, S);
        states[hart] = shared ? S : E;
    }
    if (what == LOADS) return x;
    x.owns = states[hart] == S;
    set_others(states, hart, I);
    states[hart] = M;
    return x;
}

static void states(void **state) {
    (void)state;
    struct gus_table t;
    struct error err = {""};
    const unsigned seed = (unsigned)time(NULL);
    make(&t);
    struct gus_hub *hub = gus_hub_create(&t, &err);
    struct gus_caches *caches[HARTS];
    enum mesi line[LINES][HARTS] = {{I}};
    assert_non_null(hub);
    for (unsigned i = 0; i < HARTS; i++)
        assert_non_null(caches[i] = gus_caches_create(&t, hub, &err));
    printf("seed %u\n", seed);
    srand(seed);
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned hart = (unsigned)rand() % HARTS, at = (unsigned)rand() % LINES;
        const enum access what = (enum access)(rand() % 3);
        const struct expected x = plain(line[at], hart, what);
        struct gus_event e = {0};
        gus_caches_data(caches[hart], DRAM_BASE / 64 + at, what != LOADS, what == ATOMIC, false, &e);
        assert_int_equal(e.level == GUS_L1, x.hits);
        assert_int_equal(e.level == GUS_PEER, x.peer);
        assert_int_equal((e.flags & GUS_OWNS) != 0, x.owns);
        if (x.owns) assert_int_not_equal(e.own_level, GUS_L1);
    }
    for (unsigned i = HARTS; i-- > 0;)
        gus_caches_destroy(caches[i]);
    gus_hub_destroy(hub);
}

// A prefetch leaves alone what another hart owns, and shares what others share.
static void prefetches(void **state) {
    (void)state;
    struct gus_table t;
    struct error err = {""};
    make(&t);
    if (!gus_table_add(&t, "size", "l1d.prefetch", "1", "-", &err)) fail_msg("%s", err.text);
    struct gus_hub *hub = gus_hub_create(&t, &err);
    struct gus_caches *a = gus_caches_create(&t, hub, &err), *b = gus_caches_create(&t, hub, &err);
    const uint64_t line = DRAM_BASE / 64;
    struct gus_event e = {0};
    gus_caches_data(a, line + 1, true, true, false, &e); // a has it modified
    e = (struct gus_event){0};
    gus_caches_data(b, line, false, false, false, &e);
    assert_int_equal(e.next_line, 0);
    e = (struct gus_event){0};
    gus_caches_data(a, line + 1, true, false, false, &e);
    assert_int_equal(e.level, GUS_L1);
    assert_int_equal(e.flags & GUS_OWNS, 0); // still a's own
    gus_caches_destroy(b);
    gus_caches_destroy(a);
    gus_hub_destroy(hub);
}

// ---- programs ----
static struct iss *machine(unsigned harts) {
    struct error err = {""};
    struct iss *s = iss_create_harts(harts, &err);
    assert_non_null(s);
    return s;
}

static uint64_t put(struct iss *s, uint64_t at, uint32_t word) {
    assert_true(iss_write(s, at, &word, sizeof word));
    return at + 4;
}

static uint32_t branch(unsigned funct3, unsigned rs1, unsigned rs2, int offset) {
    const uint32_t u = (uint32_t)offset;
    return 0x63 | (u >> 11 & 1) << 7 | (u >> 1 & 15) << 8 | funct3 << 12 | rs1 << 15 | rs2 << 20 | (u >> 5 & 63) << 25 |
           (u >> 12 & 1) << 31;
}

enum { BODY = 8 }; // words
static uint64_t put_body(struct iss *s, uint64_t at) {
    const uint32_t words[BODY] = {
        MUL | 12 << 7 | 12 << 15 | 13 << 20, // a2 *= a3
        ADD | 12 << 7 | 12 << 15 | 11 << 20, // a2 += a1
        STORE(DOUBLE, 12, 14, 0),            // 0(a4) = a2
        LOAD(DOUBLE, 13, 14, 64),            // a3 = 64(a4)
        ADDI(13, 13, 3),
        STORE(DOUBLE, 13, 14, 64),
        LOAD(WORD, 15, 14, 0),
        ADDI(11, 11, -1),
    };
    for (unsigned i = 0; i < BODY; i++)
        at = put(s, at, words[i]);
    return at;
}

// `rounds` of work on its own lines, then it sleeps. It begins at `at`, a page of its own.
static void work(struct iss *s, unsigned hart, uint64_t at, int rounds) {
    struct hart *h = iss_hart(s, hart);
    hart_set_pc(h, at);
    hart_set_x(h, 11, (uint64_t)rounds);
    hart_set_x(h, 14, at + 0x800);
    const uint64_t begin = at;
    if (rounds) at = put_body(s, at);
    if (rounds) at = put(s, at, branch(1, 11, 0, (int)(begin - at)));
    put(s, at, WFI);
}

static uint64_t place_of(unsigned hart) {
    return CODE + 0x10000 * (uint64_t)hart;
}

static struct gus_harts *model(struct iss *s, const struct gus_table *t, uint64_t ahead) {
    struct error err = {""};
    struct gus_harts *g = gus_harts_create(s, t, ahead, &err);
    if (!g) fail_msg("%s", err.text);
    return g;
}

static void run(struct gus_harts *g) { // until all sleep
    struct error err = {""};
    assert_int_equal(gus_harts_run(g, 1000000, NULL, &err), 0);
    assert_true(gus_harts_stuck(g));
}

// Times of both harts that work for so long, in rounds.
static void times_of(int first, int second, uint64_t ahead, uint64_t times[2]) {
    struct gus_table t;
    make(&t);
    struct iss *s = machine(2);
    work(s, 0, place_of(0), first);
    work(s, 1, place_of(1), second);
    struct gus_harts *g = model(s, &t, ahead);
    run(g);
    for (unsigned i = 0; i < 2; i++)
        times[i] = gus_time(gus_harts_model(g, i));
    gus_harts_destroy(g);
    iss_destroy(s);
}

// Each takes as long as where the other one sleeps.
static void apart(void **state) {
    (void)state;
    for (uint64_t ahead = 0; ahead <= 1000; ahead += 1000) {
        uint64_t both[2], first[2], second[2];
        times_of(ROUNDS, 3 * ROUNDS, ahead, both);
        times_of(ROUNDS, 0, ahead, first);
        times_of(0, 3 * ROUNDS, ahead, second);
        assert_int_equal(both[0], first[0]);
        assert_int_equal(both[1], second[1]);
        assert_true(both[1] > 2 * both[0]);
    }
}

// One hart: what the sweep says, by instruction too.
static void one(void **state) {
    (void)state;
    struct gus_table t;
    struct error err = {""};
    bool begun;
    enum { MOST = 1500 };
    make(&t);
    struct iss *a = machine(1), *b = machine(1);
    work(a, 0, CODE, ROUNDS);
    work(b, 0, CODE, ROUNDS);
    struct gus_stream *stream = gus_stream_create(&t, &err);
    struct gus *alone = gus_create(&t, NULL, &err);
    const struct gus_source source = {.iss = a, .most = MOST};
    assert_int_equal(gus_sweep(&source, &t, stream, &alone, 1, &begun, &err), 0);
    struct gus_harts *g = model(b, &t, 0);
    uint64_t done;
    assert_int_equal(gus_harts_run(g, MOST, &done, &err), 0);
    assert_int_equal(done, MOST);
    const struct gus *same = gus_harts_model(g, 0);
    assert_int_equal(gus_time(same), gus_time(alone));
    assert_int_equal(gus_instructions(same), gus_instructions(alone));
    assert_int_equal(gus_stream_places(gus_harts_places(g)), gus_stream_places(stream));
    assert_memory_equal(gus_places(same), gus_places(alone), gus_stream_places(stream) * sizeof *gus_places(alone));
    gus_harts_destroy(g);
    gus_destroy(alone);
    gus_stream_destroy(stream);
    iss_destroy(a);
    iss_destroy(b);
}

// Hart 0 spins for a word that hart 1 stores after its work: it goes on some cycles after that, whoever is ahead.
static void spins(void **state) {
    (void)state;
    uint64_t before[2] = {0};
    for (uint64_t ahead = 0; ahead <= 1000; ahead += 500) {
        struct gus_table t;
        make(&t);
        struct iss *s = machine(2);
        const uint64_t spin = place_of(0), flag = CODE + 0x40000;
        hart_set_pc(iss_hart(s, 0), spin);
        hart_set_x(iss_hart(s, 0), 16, flag);
        put(s, put(s, put(s, spin, LOAD(DOUBLE, 17, 16, 0)), branch(0, 17, 0, -4)), WFI);
        work(s, 1, place_of(1), ROUNDS);
        hart_set_x(iss_hart(s, 1), 16, flag);
        const uint64_t end = place_of(1) + 4 * BODY + 4;
        put(s, put(s, end, STORE(DOUBLE, 16, 16, 0)), WFI);
        struct gus_harts *g = model(s, &t, ahead);
        run(g);
        const uint64_t now[2] = {gus_time(gus_harts_model(g, 0)), gus_time(gus_harts_model(g, 1))};
        assert_true(now[0] > now[1]);
        assert_true(now[0] < now[1] + 150 * GUS_CYCLE);
        if (ahead) assert_true(now[0] < before[0] + 60 * GUS_CYCLE && before[0] < now[0] + 60 * GUS_CYCLE);
        before[0] = now[0];
        gus_harts_destroy(g);
        iss_destroy(s);
    }
}

// A timer 50 ticks away, of 100 cycles each; then the hart wakes the other one by its msip.
static void sleeps(void **state) {
    (void)state;
    struct gus_table t;
    make(&t);
    struct iss *s = machine(2);
    struct hart *h = iss_hart(s, 0);
    hart_set_pc(h, CODE);
    hart_set_x(h, 16, CLINT_BASE);
    hart_set_x(h, 17, CLINT_BASE + 0x4000);
    hart_set_x(h, 18, 50);
    hart_set_x(h, 19, 1 << 7);
    hart_set_x(h, 20, 1);
    uint64_t at = put(s, put(s, CODE, STORE(DOUBLE, 18, 17, 0)), CSRRW(0, CSR_MIE, 19));
    at = put(s, at, WFI);
    at = put(s, put(s, at, STORE(WORD, 20, 16, 4)), CSRRW(0, CSR_MIE, 0));
    put(s, at, WFI);
    hart_set_pc(iss_hart(s, 1), place_of(1));
    hart_set_x(iss_hart(s, 1), 19, 1 << 3);
    put(s, put(s, put(s, put(s, place_of(1), CSRRW(0, CSR_MIE, 19)), WFI), CSRRW(0, CSR_MIE, 0)), WFI);
    struct gus_harts *g = model(s, &t, GUS_AHEAD);
    run(g);
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t time = gus_time(gus_harts_model(g, i));
        assert_in_range(time, 5000 * GUS_CYCLE, 5300 * GUS_CYCLE);
    }
    gus_harts_destroy(g);
    iss_destroy(s);
}

// A reservation ends with another hart's store to its line, not with a turn.
static void reservations(void **state) {
    (void)state;
    for (unsigned same = 0; same < 2; same++) {
        struct iss *s = machine(2);
        struct iss_retire r;
        for (unsigned i = 0; i < 2; i++) {
            hart_set_pc(iss_hart(s, i), place_of(i));
            hart_set_x(iss_hart(s, i), 11, DATA + (i && !same ? 64 : 8 * i));
        }
        put(s, put(s, place_of(0), LR_D(12, 11)), SC_D(13, 11, 12));
        put(s, put(s, place_of(1), ADDI(12, 0, 5)), STORE(DOUBLE, 12, 11, 0));
        iss_step_hart(s, 0, &r);
        iss_step_hart(s, 1, &r);
        iss_step_hart(s, 1, &r);
        iss_step_hart(s, 0, &r);
        assert_true(r.is_sc);
        assert_int_equal(r.sc_success, !same);
        iss_destroy(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states), cmocka_unit_test(prefetches), cmocka_unit_test(apart),        cmocka_unit_test(one),
        cmocka_unit_test(spins),  cmocka_unit_test(sleeps),     cmocka_unit_test(reservations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
