// Bundles made of random lives keep every rule of the commit bundle (docs/guide/integration.md), and each instruction
// commits, or traps, once and in order; causes of squashes; lives that could not be.
#include "import/bundles.h"
#include "import/fates.h"
#include "oracle/bundle_rules.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs those before it
#include <cmocka.h>

enum { WIDTH = 4, LIVES = 4000 };

struct seen {
    struct bundle_before before;
    uint64_t next, committed, exceptions, mispredicted;
    uint64_t pc[LIVES]; // of what retired, in order
};

static bool show(void *context, const struct commit_bundle *b, uint64_t cycle, uint64_t count, struct error *err) {
    struct seen *s = context;
    (void)err;
    assert_int_equal(cycle, s->next);
    s->next += count;
    assert_int_equal(bundle_rule_broken(b, WIDTH, &s->before), 0);
    bundle_remember(&s->before, b);
    assert_false(count > 1 && (b->commit || b->exception || b->dispatch_valid || b->fetch_valid));
    for (unsigned k = 0; k < WIDTH; k++) {
        const unsigned lane = (b->oldest + k) % WIDTH;
        if (b->commit >> lane & 1) s->pc[s->committed++] = b->pc[lane];
    }
    s->exceptions += b->exception;
    s->mispredicted += b->mispredict != 0;
    return true;
}

static bool take_fate(void *context, const struct fate *fate, struct error *err) {
    return bundles_add(context, fate, err);
}

static uint64_t draw(uint64_t *state) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return *state >> 33;
}

// A run: retired ones in groups, and now and then, after one, a path that is squashed.
struct made {
    struct import_life life[2 * LIVES];
    size_t count;
    uint64_t pc[LIVES], retired;
};

static void add(struct made *m, struct import_life life) {
    life.number = m->count;
    if (life.retired) m->pc[m->retired++] = life.pc;
    m->life[m->count++] = life;
}

static void make(struct made *m, uint64_t seed) {
    uint64_t random = seed, fetched = 1, left = 5, pc = 0x1000;
    memset(m, 0, sizeof *m);
    unsigned group = 0;
    while (m->retired < 500) {
        fetched += draw(&random) % 3 == 0 ? 1 : 0;
        const uint64_t dispatched = fetched + 2, least = dispatched + 1;
        const bool later = draw(&random) % 3 == 0 || group == WIDTH || left < least;
        if (left < least) left = least;
        left += later ? draw(&random) % 5 + 1 : 0;
        group = later ? 1 : group + 1;
        const bool control = draw(&random) % 8 == 0;
        add(m, (struct import_life){.pc = pc,
                                    .fetched = fetched,
                                    .dispatched = dispatched,
                                    .done = IMPORT_NEVER,
                                    .left = left,
                                    .retired = true,
                                    .control = control,
                                    .load = !control});
        const uint64_t kind = draw(&random) % 16;
        if (kind > 1) {
            pc += 4;
            continue;
        }
        for (unsigned i = 0; i < 5; i++) // the wrong path, some of it never dispatched
            add(m, (struct import_life){.pc = pc + 4 + 4 * i,
                                        .fetched = fetched + 1,
                                        .left = IMPORT_NEVER,
                                        .load = true,
                                        .dispatched = i < 3 ? fetched + 3 : IMPORT_NEVER,
                                        .done = IMPORT_NEVER});
        fetched = left + 2 + draw(&random) % 4;
        pc = kind ? pc + 4 : pc + 0x100;
    }
}

static void keeps_the_rules(void **state) {
    (void)state;
    static struct made m;
    static struct seen s;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct error err = {""};
        make(&m, seed);
        memset(&s, 0, sizeof s);
        struct bundles *b = bundles_create("made", WIDTH, show, &s, &err);
        struct fates *f = fates_create("made", take_fate, b, &err);
        bool good = true;
        for (size_t i = 0; good && i < m.count; i++)
            good = fates_add(f, &m.life[i], &err);
        if (!good || !fates_finish(f, &err) || !bundles_finish(b, &err)) fail_msg("seed %lu: %s", seed, err.text);
        if (s.committed != m.retired || memcmp(s.pc, m.pc, m.retired * sizeof *m.pc) != 0)
            fail_msg("seed %lu: %lu commit of %lu", seed, s.committed, m.retired);
        const struct fate_counts *c = fates_counts(f);
        if (s.exceptions != c->traps + c->replays || s.mispredicted > c->mispredictions)
            fail_msg("seed %lu: %lu exceptions of %lu", seed, s.exceptions, c->traps + c->replays);
        fates_destroy(f);
        bundles_destroy(b);
    }
}

// Times that contradict each other: whatever is made of them keeps the rules.
static void nonsense_keeps_the_rules(void **state) {
    (void)state;
    static struct made m;
    static struct seen s;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        struct error err = {""};
        make(&m, seed);
        memset(&s, 0, sizeof s);
        for (size_t i = 0; i < m.count; i++) {
            uint64_t *const times[] = {&m.life[i].fetched, &m.life[i].dispatched, &m.life[i].left};
            uint64_t *const time = times[draw(&random) % 3];
            const bool can_lack = !m.life[i].retired || time == &m.life[i].fetched; // else a format lacks it of all
            if (draw(&random) % 10 == 0) *time = can_lack && draw(&random) % 2 ? IMPORT_NEVER : draw(&random) % 900;
        }
        struct bundles *b = bundles_create("made", WIDTH, show, &s, &err);
        struct fates *f = fates_create("made", take_fate, b, &err);
        bool good = true;
        for (size_t i = 0; good && i < m.count; i++)
            good = fates_add(f, &m.life[i], &err);
        if (good) good = fates_finish(f, &err) && bundles_finish(b, &err);
        if (good && (s.committed != m.retired || memcmp(s.pc, m.pc, m.retired * sizeof *m.pc) != 0))
            fail_msg("seed %lu: %lu commit of %lu", seed, s.committed, m.retired);
        // Those that enter late may pile up to more than a group: that is refused.
        if (!good && !strstr(err.text, "more than --width")) fail_msg("seed %lu: %s", seed, err.text);
        fates_destroy(f);
        bundles_destroy(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_the_rules), cmocka_unit_test(nonsense_keeps_the_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
