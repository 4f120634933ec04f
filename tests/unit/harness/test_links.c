// The links between made-up tiles and the real hub (harness/links.h): what one hart's miss costs, the way of a line
// from hart to hart, and turns of any length that change no message.
#include "harness/links.h"
#include "harness/machine_config.h"
#include "harness/schedule.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory_map.h"

enum { HARTS = 3, CYCLES = 4000, LINES = 4, MESSAGES = 8192 };
#define FIRST (DRAM_BASE / 64)

static struct machine_config config;
static uint64_t stop = CYCLES; // where all stop
static const struct hub_model_api *api;
static int find(void **state) {
    (void)state;
    struct error err = {""};
    if (machine_config_load(&config, TIPOFF_ROOT "/build/small2c/gen/config.json", &err) < 0) return -1;
    api = links_load(TIPOFF_ROOT "/build/small2c/model.so", config.name, config.model_digest, &err);
    return api ? 0 : -1;
}

struct machine {
    struct memory *memory;
    struct links *links;
};
static void begin(struct machine *m, unsigned harts) {
    struct machine_config behind = config;
    struct error err;
    behind.llc.latency -= LINKS_CYCLES;
    m->memory = memory_create(&behind, DRAM_BYTES, NULL, &err);
    assert_non_null(m->memory);
    m->links = links_create(api, harts, m->memory, &err);
    assert_non_null(m->links);
}
static void end(struct machine *m) {
    assert_false(links_failed(m->links));
    links_destroy(m->links);
    memory_destroy(m->memory);
}

// Cycles from a request to the cycle in which its tile has the answer.
static uint64_t asks(struct machine *m, uint64_t *cycle, uint64_t line, struct hub_answer *answer) {
    const uint64_t asked = *cycle;
    links_request(m->links, 0, asked, &(struct hub_request){.valid = true, .kind = HUB_GET, .id = 1, .line = line});
    for (;; ++*cycle) {
        links_advance(m->links, *cycle + 1);
        *answer = links_take(m->links, 0, *cycle)->answer;
        assert_true(*cycle - asked < 1000);
        if (!answer->valid) continue;
        links_done(m->links, 0, *cycle, &(struct hub_done){true, answer->transaction});
        return ++*cycle - asked;
    }
}

static void test_latency(void **state) {
    (void)state;
    struct machine m;
    struct hub_answer answer;
    uint64_t cycle = 0, *word;
    begin(&m, 1);
    word = memory_at(m.memory, DRAM_BASE, 64);
    word[5] = 1234;
    assert_true(asks(&m, &cycle, FIRST, &answer) > config.llc.latency); // of DRAM
    assert_int_equal(answer.flags, HUB_ANSWER_EXCLUSIVE | HUB_ANSWER_LLC_MISS);
    assert_int_equal(answer.data[5], 1234);
    assert_int_equal(answer.id, 1);
    cycle += 50;
    assert_int_equal(asks(&m, &cycle, FIRST, &answer), config.llc.latency); // as of a core without a hub
    assert_int_equal(answer.flags, HUB_ANSWER_EXCLUSIVE);
    end(&m);
}

// ---- caches of one word a line that keep the protocol: they ask for lines at random, and own what they change ----
struct cache {
    enum { INVALID, SHARED, EXCLUSIVE, MODIFIED } copy[LINES];
    uint64_t word[LINES], sum; // sum: of what it has added to lines
    bool waits, comes;         // for an answer; which is here, and becomes its copy a little later
    uint64_t due;
    struct hub_answer answer;
    unsigned line, kind;
    uint64_t random;
};
struct message {
    uint64_t cycle;
    struct hub_down down;
    struct hub_answer answer;
};
struct run {
    struct machine m;
    struct cache caches[HARTS];
    struct message heard[HARTS][MESSAGES];
    unsigned count[HARTS];
};

static void snoop(struct run *r, unsigned hart, uint64_t cycle, const struct hub_down *down) {
    struct cache *c = &r->caches[hart];
    const unsigned line = (unsigned)(down->line - FIRST), copy = c->copy[line];
    const bool dirty = copy == MODIFIED, keeps = down->kind == HUB_SHARE && copy != INVALID;
    struct hub_up up = {.valid = true, .tag = down->tag, .line = down->line};
    up.flags = (uint8_t)((dirty ? HUB_UP_HAS : 0) | (keeps ? HUB_UP_KEEPS : 0) |
                         ((down->kind == HUB_INVAL && copy != INVALID) || copy >= EXCLUSIVE ? HUB_UP_GAVE : 0));
    up.data[0] = c->word[line];
    c->copy[line] = keeps ? SHARED : INVALID;
    links_up(r->m.links, hart, cycle, &up);
}

static void refill(struct run *r, unsigned hart, uint64_t cycle, const struct hub_answer *answer) {
    struct cache *c = &r->caches[hart];
    c->copy[c->line] = answer->flags & HUB_ANSWER_DIRTY       ? MODIFIED
                       : answer->flags & HUB_ANSWER_EXCLUSIVE ? EXCLUSIVE
                                                              : SHARED;
    c->word[c->line] = answer->data[0];
    c->waits = c->comes = false;
    if (c->kind == HUB_OWN) {
        assert_true(c->copy[c->line] != SHARED);
        c->copy[c->line] = MODIFIED;
        c->word[c->line] += hart + 1;
        c->sum += hart + 1;
    }
    links_done(r->m.links, hart, cycle, &(struct hub_done){true, answer->transaction});
}

static void run_cycle(struct run *r, unsigned hart, uint64_t cycle) {
    struct cache *c = &r->caches[hart];
    const struct hub_in in = *links_take(r->m.links, hart, cycle);
    if (in.down.valid || in.answer.valid) {
        assert_true(r->count[hart] < MESSAGES);
        r->heard[hart][r->count[hart]++] = (struct message){cycle, in.down, in.answer};
    }
    if (in.down.valid) snoop(r, hart, cycle, &in.down);
    if (in.answer.valid) {
        c->comes = true;
        c->due = cycle + 6;
        c->answer = in.answer;
    }
    if (c->comes && cycle == c->due) refill(r, hart, cycle, &c->answer);
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    if (c->waits || c->random >> 61 || (stop == CYCLES && cycle > CYCLES - 500)) return;
    c->line = (unsigned)(c->random >> 40) % LINES;
    c->kind = c->random >> 50 & 1;
    if (c->copy[c->line] == MODIFIED || (c->kind == HUB_GET && c->copy[c->line] != INVALID)) return;
    c->copy[c->line] = INVALID;
    c->waits = true;
    links_request(r->m.links, hart, cycle,
                  &(struct hub_request){.valid = true, .kind = (uint8_t)c->kind, .line = FIRST + c->line});
}

// By turns, as long as the others allow, or shorter.
static void run_all(struct run *r, unsigned longest) {
    struct schedule_core cores[HARTS] = {{0}};
    size_t hart;
    uint64_t until;
    begin(&r->m, HARTS);
    for (unsigned i = 0; i < HARTS; i++)
        r->caches[i].random = i;
    while (schedule_next(cores, HARTS, LINKS_LATENCY, &hart, &until)) {
        struct schedule_core *c = &cores[hart];
        if (until > stop) until = stop;
        if (until > c->now + longest) until = c->now + longest;
        for (; c->now < until; c->now++)
            run_cycle(r, (unsigned)hart, c->now);
        c->quiet_until = c->now;
        c->over = c->now == stop;
        uint64_t first = UINT64_MAX;
        for (unsigned i = 0; i < HARTS; i++)
            first = cores[i].now < first ? cores[i].now : first;
        links_advance(r->m.links, first);
    }
}

// What all have added is in the newest copies: nothing was lost.
static void sums(struct run *r, uint64_t least) {
    uint64_t added = 0, found = 0;
    for (unsigned line = 0; line < LINES; line++) {
        uint64_t word = *(const uint64_t *)memory_at(r->m.memory, DRAM_BASE + line * 64, 64);
        for (unsigned i = 0; i < HARTS; i++)
            word = r->caches[i].copy[line] == MODIFIED ? r->caches[i].word[line] : word;
        found += word;
    }
    for (unsigned i = 0; i < HARTS; i++)
        added += r->caches[i].sum;
    assert_int_equal(found, added);
    assert_true(added > least);
}

// Stopped at any cycle, memory and caches together have all that was added.
static void test_drain(void **state) {
    (void)state;
    unsigned waits = 0;
    for (unsigned cycles = 900; cycles < 1000; cycles++) {
        struct run *r = calloc(1, sizeof *r);
        stop = cycles;
        run_all(r, LINKS_LATENCY);
        links_drain(r->m.links);
        sums(r, 30);
        for (unsigned i = 0; i < HARTS; i++)
            waits += r->caches[i].waits;
        end(&r->m);
        free(r);
    }
    stop = CYCLES;
    assert_true(waits > 100); // lines were on their way
}

// An instruction miss has no `done`: the hub would take it for another transaction's, and end that.
static void test_drain_insn(void **state) {
    (void)state;
    struct machine m;
    begin(&m, 1);
    for (uint8_t id = 4; id < 8; id++)
        links_request(m.links, 0, id,
                      &(struct hub_request){.valid = true, .kind = HUB_IGET, .id = id, .line = FIRST + id});
    links_drain(m.links);
    end(&m);
}

static void test_turns(void **state) {
    (void)state;
    struct run *step = calloc(1, sizeof *step);
    run_all(step, 1);
    sums(step, 200);
    end(&step->m);
    for (unsigned longest = 2; longest <= LINKS_LATENCY; longest++) {
        struct run *turns = calloc(1, sizeof *turns);
        run_all(turns, longest);
        sums(turns, 200);
        for (unsigned i = 0; i < HARTS; i++) {
            assert_int_equal(turns->count[i], step->count[i]);
            for (unsigned k = 0; k < step->count[i]; k++) {
                const struct message *a = &step->heard[i][k], *b = &turns->heard[i][k];
                assert_int_equal(a->cycle, b->cycle);
                assert_int_equal(a->down.valid, b->down.valid);
                assert_int_equal(a->answer.valid, b->answer.valid);
                if (a->down.valid) assert_int_equal(a->down.kind, b->down.kind);
                if (a->answer.valid) assert_memory_equal(a->answer.data, b->answer.data, sizeof a->answer.data);
            }
        }
        end(&turns->m);
        free(turns);
    }
    free(step);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_latency), cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_drain), cmocka_unit_test(test_drain_insn)};
    return cmocka_run_group_tests(tests, find, NULL);
}
