// Random runs of a toy core of every width: what the profilers book, against the same policies worked out afterwards
// from the whole recorded run; and the ways of telling quiet cycles against each other.
#include "events.h"
#include "oracle/oracle.h"
#include "profile/units.h"
#include "profilers/profilers.h"
#include "toy_core.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CYCLES = 6000 };

// Everything that happened, with what the bundles do not show.
struct moment {
    struct commit_bundle bundle;
    uint64_t slot0;  // number of the instruction in slot 0
    uint64_t packet; // number of the packet that is fetched
    bool sampled;
};
static struct moment run[CYCLES];
static struct commit_bundle fed[CYCLES];
static struct toy_fate fates[CYCLES * MAX_LANES];
static struct toy_packet packets[CYCLES];
static unsigned width, entries; // of the toy core: lanes; of its ROB
static struct profile_table *expected;

static void record(struct toy_core *t, unsigned period) {
    memset(fates, 0, sizeof fates);
    memset(packets, 0, sizeof packets);
    t->fates = fates;
    t->packets = packets;
    for (unsigned c = 0; c < CYCLES; c++) {
        run[c].packet = t->packet_count;
        toy_cycle(t, &run[c].bundle);
        fed[c] = toy_fed(&run[c].bundle);
        run[c].slot0 = t->slot0;
        run[c].sampled = c && toy_below(t, period) == 0;
    }
}

static unsigned next_commit(unsigned c) {
    while (c < CYCLES && !run[c].bundle.commit)
        c++;
    return c;
}
static unsigned next_dispatch(unsigned c) {
    while (c < CYCLES && !(run[c].bundle.dispatch_valid & 1))
        c++;
    return c;
}
static unsigned youngest(const struct commit_bundle *b) {
    return (b->oldest + (unsigned)__builtin_popcount(b->commit) - 1) % width;
}

static void add(uint64_t pc, unsigned state, unsigned psv, uint64_t weight) {
    assert_true(profile_table_add(expected, toy_place(pc), (uint8_t)state, (uint16_t)psv, weight));
}

// ---- the policies, by looking ahead and back in the recorded run ----
enum { ONE, ALL, VECTORS };

static void book_nci(unsigned c, uint64_t weight, int how) {
    unsigned at = next_commit(c);
    if (at == CYCLES) {
        add(PROFILE_PC_END, STATE_COUNT, 0, weight);
        return;
    }
    const struct commit_bundle *b = &run[at].bundle;
    unsigned n = how == ALL ? (unsigned)__builtin_popcount(b->commit) : 1;
    for (unsigned k = 0; k < n; k++) {
        unsigned lane = (b->oldest + k) % width;
        add(b->pc[lane], STATE_COUNT, how == VECTORS ? b->psv[lane] : 0, weight / n);
    }
}

static void book_lci(unsigned c, uint64_t weight) {
    while (c-- > 0) {
        const struct commit_bundle *b = &run[c].bundle;
        if (!b->commit) continue;
        add(b->pc[youngest(b)], STATE_COUNT, 0, weight);
        return;
    }
    add(PROFILE_PC_END, STATE_COUNT, 0, weight);
}

// An interrupt that was asked for two cycles ago or earlier is taken by the oldest instruction there is.
static void book_software(void) {
    uint64_t held = 0;
    unsigned asked = 0, before = 0;
    for (unsigned c = 0; c < CYCLES; c++) {
        const struct commit_bundle *b = &run[c].bundle;
        if (held && c >= asked + 2 && !b->rob_empty) {
            add(b->pc[b->oldest], STATE_COUNT, 0, held);
            held = 0;
        }
        if (!run[c].sampled) continue;
        if (!held) asked = c;
        held += (c - before) * (uint64_t)units_per_cycle(width);
        before = c;
    }
    add(PROFILE_PC_END, STATE_COUNT, 0, held);
}

// The instruction that is oldest at the beginning of cycle c, with the vector it has when it leaves.
static void add_oldest(unsigned c, unsigned state, uint64_t weight) {
    for (unsigned at = c; at < CYCLES; at++) {
        const struct commit_bundle *b = &run[at].bundle;
        if (b->commit) {
            add(b->pc[b->oldest], state, b->psv[b->oldest], weight);
            return;
        }
        if (b->exception) {
            add(b->exception_pc, state, b->exception_psv, weight);
            return;
        }
    }
    const struct commit_bundle *b = &run[c].bundle; // it stays to the end
    add(b->pc[b->oldest], state, b->psv[b->oldest], weight);
}

static void book_tip(unsigned c, uint64_t weight, int how) {
    const struct commit_bundle *b = &run[c].bundle;
    if (b->commit) {
        unsigned n = how == ONE ? 1 : (unsigned)__builtin_popcount(b->commit);
        for (unsigned k = 0; k < n; k++) {
            unsigned lane = (b->oldest + k) % width;
            add(b->pc[lane], STATE_COMPUTING, b->psv[lane], weight / n);
        }
        return;
    }
    if (!b->rob_empty) {
        if (how == VECTORS)
            add_oldest(c, STATE_STALLED, weight);
        else
            add(b->pc[b->oldest], STATE_STALLED, b->psv[b->oldest], weight);
        return;
    }
    unsigned last = c;
    while (last-- > 0) {
        const struct commit_bundle *l = &run[last].bundle;
        unsigned lane = youngest(l);
        if (l->exception) {
            add(l->exception_pc, STATE_FLUSHED, l->exception_psv, weight);
            return;
        }
        if (!l->commit) continue;
        if (!((l->mispredict | l->flush) >> lane & 1)) break;
        add(l->pc[lane], STATE_FLUSHED, l->psv[lane], weight);
        return;
    }
    unsigned at = next_dispatch(c);
    if (how == VECTORS && at + 1 < CYCLES)
        add_oldest(at + 1, STATE_DRAINED, weight);
    else
        add(at == CYCLES ? PROFILE_PC_END : run[at].bundle.dispatch_pc[0], STATE_DRAINED, 0, weight);
}

// Tags, followed by the fates that the toy core emits. A squash by a branch shows a cycle later, in the next index.
enum { WAITS = UINT32_MAX }; // for its packet to dispatch
static struct {
    uint64_t packet, number, weight; // number: of the instruction, once it has dispatched
} tags[CYCLES];

// What becomes of tag i in cycle c, or has become by its end: 0 it goes on, 1 it is reported, 2 it is lost.
static int fate_of(unsigned i, unsigned c, bool traps) {
    if (tags[i].number == WAITS) {
        const struct toy_packet *packet = &packets[tags[i].packet];
        if (packet->kind == TOY_CLEARED && packet->cycle == c) return 2;
        if (packet->kind == TOY_COMMITTED && packet->cycle == c) tags[i].number = packet->number;
        if (tags[i].number == WAITS) return 0;
    }
    const struct toy_fate fate = fates[tags[i].number];
    const struct commit_bundle *b = &run[c].bundle;
    if (fate.kind == TOY_COMMITTED && fate.cycle == c) return 1;
    if (traps && b->exception && fate.kind == TOY_CLEARED && fate.cycle == c && fate.oldest) return 1;
    if (fate.kind == TOY_CLEARED && fate.cycle == c) return 2;
    return fate.kind == TOY_SQUASHED && fate.cycle + 1 == c ? 2 : 0;
}

// What leaves in cycle c is booked, or lost.
static unsigned follow_tags(unsigned c, unsigned count, unsigned events, bool traps, uint64_t *lost) {
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        int fate = fate_of(i, c, traps);
        if (fate == 1) {
            const struct toy_fate *f = &fates[tags[i].number];
            add(f->pc, STATE_COUNT, f->psv & events, tags[i].weight);
        } else if (fate == 2) {
            *lost += tags[i].weight;
        } else {
            tags[kept++] = tags[i];
        }
    }
    return kept;
}

// most: number of tags; 0: any number, and what is under way at the end is booked, too. A sample of a cycle weighs
// the time since the one before, or, where tags are few, 1.
static void book_tags(bool fetch, unsigned events, bool traps, unsigned most) {
    unsigned count = 0;
    uint64_t waiting = 0, lost = 0, before = 0;
    for (unsigned c = 0; c < CYCLES; c++) {
        const struct commit_bundle *b = &run[c].bundle;
        for (unsigned pass = 0; pass < 2; pass++) { // the waiting ones, then the sample of this cycle
            count = follow_tags(c, count, events, traps, &lost);
            if (pass == 1) {
                if (!run[c].sampled) break;
                waiting += (most ? 1 : (c - before) * (uint64_t)units_per_cycle(width)) + lost;
                lost = 0;
                before = c;
            }
            if (!waiting || !(fetch ? b->fetch_valid : b->dispatch_valid != 0)) continue;
            const bool same =
                count && (fetch ? tags[count - 1].packet == run[c].packet : tags[count - 1].number == run[c].slot0);
            if (same) {
                tags[count - 1].weight += waiting;
            } else if (most && count == most) {
                lost += waiting;
            } else {
                tags[count].packet = run[c].packet;
                tags[count].number = fetch ? WAITS : run[c].slot0;
                tags[count++].weight = waiting;
            }
            waiting = 0;
            count = follow_tags(c, count, events, traps, &lost);
        }
    }
    if (most) return;
    for (unsigned i = 0; i < count; i++)
        lost += tags[i].weight;
    add(PROFILE_PC_END, STATE_COUNT, 0, waiting + lost);
}

static void expect_rows(const char *name, const struct profile_row *got, size_t count) {
    size_t n;
    const struct profile_row *want = profile_table_rows(expected, &n);
    if (count != n) fail_msg("%s, width %u: %zu rows, expected %zu", name, width, count, n);
    for (size_t k = 0; k < n; k++) {
        if (place_equal(row_place(&got[k]), row_place(&want[k])) && got[k].state == want[k].state &&
            got[k].psv == want[k].psv && got[k].weight == want[k].weight) {
            continue;
        }
        fail_msg("%s, width %u: pc 0x%llx context 0x%llx state %u psv 0x%x: %llu, expected pc 0x%llx context 0x%llx "
                 "state %u psv "
                 "0x%x: %llu",
                 name, width, (unsigned long long)got[k].pc, (unsigned long long)got[k].context, got[k].state,
                 got[k].psv, (unsigned long long)got[k].weight, (unsigned long long)want[k].pc,
                 (unsigned long long)want[k].context, want[k].state, want[k].psv, (unsigned long long)want[k].weight);
    }
    profile_table_destroy(expected);
    expected = profile_table_create();
}

static void expect_profile(struct profilers *p, const char *name) {
    size_t i = 0, count;
    while (strcmp(profilers_name(i), name) != 0)
        i++;
    const struct profile_row *got = profilers_rows(p, i, &count);
    expect_rows(name, got, count);
}

// Cycles one by one, or as the monitor emits them: a quiet cycle that equals the one before is emitted with the next
// change.
static struct profilers *profile(bool late) {
    struct error err;
    struct profilers *p = profilers_create(width, entries, PROFILERS_TAGS, &err);
    assert_non_null(p);
    unsigned emitted = 0; // cycles
    for (unsigned c = 0; c < CYCLES; c++) {
        const struct commit_bundle *b = &fed[c];
        bool quiet = !b->commit && !b->exception && !b->dispatch_valid && !b->redirect && !b->fetch_valid && c &&
                     memcmp(b, &fed[c - 1], sizeof *b) == 0;
        if (!late || !quiet) {
            if (emitted < c) profilers_step(p, &fed[c - 1], c - emitted);
            profilers_step(p, b, 1);
            emitted = c + 1;
        }
        if (run[c].sampled) profilers_sample(p, b, c);
    }
    if (emitted < CYCLES) profilers_step(p, &fed[CYCLES - 1], CYCLES - emitted);
    if (profilers_finish(p, CYCLES, &err) < 0) fail_msg("%s", err.text);
    return p;
}

static void each_sample(void (*book)(unsigned c, uint64_t weight, int how), int how) {
    unsigned before = 0;
    for (unsigned c = 0; c < CYCLES; c++) {
        if (!run[c].sampled) continue;
        book(c, (c - before) * (uint64_t)units_per_cycle(width), how);
        before = c;
    }
}
static void lci(unsigned c, uint64_t weight, int how) {
    (void)how;
    book_lci(c, weight);
}

#define BIT(event) (1u << EVENT_##event)
static const struct {
    const char *name;
    void (*book)(unsigned c, uint64_t weight, int how);
    int how;
} policies[] = {{"TIP", book_tip, ALL},        {"TIP-ILP", book_tip, ONE}, {"NCI", book_nci, ONE},
                {"NCI+ILP", book_nci, ALL},    {"LCI", lci, ONE},          {"TEA", book_tip, VECTORS},
                {"NCI-TEA", book_nci, VECTORS}};
// Event sets as TEA (ISCA 2023) gives them for IBS, SPE and RIS: tables/events.tsv, column sets.
static const struct {
    const char *name;
    bool fetch;
    unsigned events;
    bool traps;
} taggers[] = {
    {"Dispatch", false, 0, false},
    {"Fetch", true, 0, false},
    {"IBS", false, BIT(DR_L1) | BIT(DR_TLB) | BIT(FL_MB) | BIT(ST_L1) | BIT(ST_TLB) | BIT(ST_LLC), false},
    {"SPE", false, BIT(FL_MB) | BIT(FL_EX) | BIT(ST_L1) | BIT(ST_TLB) | BIT(ST_LLC), true},
    {"RIS", true, BIT(DR_L1) | BIT(DR_TLB) | BIT(DR_SQ) | BIT(FL_MB) | BIT(ST_L1) | BIT(ST_TLB) | BIT(ST_LLC), false},
};

static void test_policies(void **state) {
    (void)state;
    static const unsigned periods[] = {1, 3, 17, 97};
    struct toy_core toy;
    unsigned squashed = 0, cleared = 0, committed = 0;
    for (width = 1; width <= MAX_LANES; width++) {
        for (unsigned i = 0; i < 4; i++) {
            toy_create(&toy, width, 3 + (width + i) % 5, 1000 * width + i);
            entries = toy.size;
            record(&toy, periods[i]);
            for (unsigned n = 0; n < toy.dispatched; n++) {
                committed += fates[n].kind == TOY_COMMITTED;
                squashed += fates[n].kind == TOY_SQUASHED;
                cleared += fates[n].kind == TOY_CLEARED;
            }
            expected = profile_table_create();
            for (unsigned late = 0; late < 2; late++) {
                struct profilers *p = profile(late);
                for (size_t k = 0; k < sizeof policies / sizeof *policies; k++) {
                    each_sample(policies[k].book, policies[k].how);
                    expect_profile(p, policies[k].name);
                }
                book_software();
                expect_profile(p, "Software");
                for (size_t k = 0; k < sizeof taggers / sizeof *taggers; k++) {
                    book_tags(taggers[k].fetch, taggers[k].events, taggers[k].traps, 0);
                    expect_profile(p, taggers[k].name);
                }
                profilers_destroy(p);
            }
            profile_table_destroy(expected);
        }
    }
    assert_true(committed > 10000 && squashed > 1000 && cleared > 1000);
}

// As hardware has them: a sample that finds all tags in flight is lost as if it were squashed.
static struct profile_table *tables[32];
static unsigned bookings;
static void booked(void *context, const struct profiler_booking *b) {
    (void)context;
    bookings++;
    assert_true(profile_table_add(tables[b->profiler], b->place, (uint8_t)b->state, (uint16_t)b->psv, b->weight));
}

static void watch_run(unsigned most) {
    struct error err;
    const struct profilers_watch watch = {booked, NULL, most};
    struct profilers *p = profilers_create_watched(width, entries, &watch, &err);
    assert_non_null(p);
    for (unsigned c = 0; c < CYCLES; c++) {
        profilers_step(p, &fed[c], 1);
        if (run[c].sampled) profilers_sample(p, &fed[c], c);
    }
    profilers_destroy(p);
}

static void expect_watched(const char *name) {
    size_t i = 0, count;
    while (strcmp(profilers_name(i), name) != 0)
        i++;
    const struct profile_row *got = profile_table_rows(tables[i], &count);
    expect_rows(name, got, count);
}

static void test_few_tags(void **state) {
    (void)state;
    static const unsigned periods[] = {1, 3, 17};
    struct toy_core toy;
    bookings = 0;
    expected = profile_table_create();
    for (unsigned i = 0; i < MAX_LANES * 9; i++) {
        const unsigned most = 1 + i / 3 % 3;
        width = 1 + i / 9;
        toy_create(&toy, width, 3 + i % 5, 77 + i);
        entries = toy.size;
        record(&toy, periods[i % 3]);
        for (size_t k = 0; k < profilers_count(); k++)
            tables[k] = profile_table_create();
        watch_run(most);
        for (size_t k = 0; k < sizeof taggers / sizeof *taggers; k++) {
            book_tags(taggers[k].fetch, taggers[k].events, taggers[k].traps, most);
            expect_watched(taggers[k].name);
        }
        for (size_t k = 0; k < profilers_count(); k++)
            profile_table_destroy(tables[k]);
    }
    profile_table_destroy(expected);
    assert_true(bookings > 100000);
}

static void test_arguments(void **state) {
    (void)state;
    struct error err = {""};
    assert_null(profilers_create(0, 32, PROFILERS_TAGS, &err));
    assert_true(err.text[0] != 0);
    assert_null(profilers_create(MAX_LANES + 1, 32, PROFILERS_TAGS, &err));
    profilers_destroy(NULL);
    struct profilers *p = profilers_create(4, 32, PROFILERS_TAGS, &err);
    const struct commit_bundle empty = {.rob_empty = true};
    profilers_step(p, &empty, 5);
    profilers_sample(p, &empty, 4);
    assert_int_equal(profilers_finish(p, 3, &err), -EBADMSG); // a sample after the end of the run
    profilers_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_policies), cmocka_unit_test(test_few_tags),
                                       cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
