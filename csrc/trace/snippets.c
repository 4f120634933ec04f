// All instructions of the last some thousand are kept in a ring, by the order of dispatch. A sample that is chosen
// waits until enough has committed after it; then its part of the ring is copied.
#include "trace/snippets.h"
#include "base/hash_index.h"
#include "trace/flights.h"
#include <errno.h>
#include <stdlib.h>

enum { RING = 8192, PLACES = 4096 }; // places sampled: those beyond have no snippet
enum { BEFORE = 8, AFTER = 16, WRONG = 8, WAITING = 16 };
_Static_assert(BEFORE + 1 + AFTER + WRONG <= SNIPPET_ROWS, "a snippet has room");

struct record {
    struct snippet_row row;
    uint64_t retired; // instructions that had committed before it did
};
struct candidate {
    struct place place;
    uint64_t triggers;
    struct snippet_copy *snippet; // NULL: not yet
};
struct waiting {
    uint64_t id, trigger, until; // until: that many have committed; SNIPPET_NEVER: it has not left
    uint8_t state;
    uint32_t candidate;
};

struct snippets {
    struct flights *flights;
    struct record ring[RING]; // by id
    uint64_t next_id, retired, now;
    uint64_t context, gone; // of the cycle shown; of the last one in which something left
    struct candidate candidates[PLACES];
    struct hash_index index; // of candidates
    uint32_t candidate_count;
    struct waiting waiting[WAITING];
    unsigned waiting_count;
    uint64_t random;
    bool failed;
};

static struct record *record_of(struct snippets *s, uint64_t id) {
    return &s->ring[id % RING];
}

static uint64_t oldest_id(const struct snippets *s) {
    return s->next_id > RING ? s->next_id - RING : 0;
}

// ---- what happens to instructions ----
static void dispatched(void *context, const struct stage *stage, struct flight *flight) {
    struct snippets *s = context;
    flight->id = s->next_id++;
    *record_of(s, flight->id) = (struct record){.row = {.pc = stage->pc,
                                                        .insn = stage->insn,
                                                        .fetched = stage->fetched,
                                                        .dispatched = s->now,
                                                        .issued = SNIPPET_NEVER,
                                                        .done = SNIPPET_NEVER,
                                                        .left = SNIPPET_NEVER}};
}

static void issued(void *context, const struct flight *flight) {
    struct snippets *s = context;
    record_of(s, flight->id)->row.issued = s->now;
}

static void done(void *context, const struct flight *flight) {
    struct snippets *s = context;
    record_of(s, flight->id)->row.done = s->now;
}

static void leave(struct snippets *s, uint64_t id) {
    record_of(s, id)->row.left = s->now;
    record_of(s, id)->retired = s->retired;
    for (unsigned i = 0; i < s->waiting_count; i++) {
        if (s->waiting[i].id == id) s->waiting[i].until = s->retired + 1 + AFTER;
    }
}

static void committed(void *context, const struct flight *flight, const struct commit_bundle *bundle, unsigned lane) {
    struct snippets *s = context;
    record_of(s, flight->id)->row.psv = bundle->psv[lane];
    leave(s, flight->id);
    s->retired++;
}

static void squashed(void *context, const struct flight *flight) {
    struct snippets *s = context;
    record_of(s, flight->id)->row.squashed = true;
    leave(s, flight->id);
}

// ---- which samples are kept ----
static uint64_t next_random(struct snippets *s) { // xorshift64 (Marsaglia, 2003)
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

static uint64_t hash(struct place place) {
    return place.pc ^ place.context * UINT64_C(0x9e3779b97f4a7c15);
}
static uint64_t hash_of(const void *snippets, uint32_t number) {
    return hash(((const struct snippets *)snippets)->candidates[number].place);
}
static bool is_at(const void *snippets, uint32_t number, const void *place) {
    return place_equal(((const struct snippets *)snippets)->candidates[number].place, *(const struct place *)place);
}

// NULL: there are too many, or there is no memory.
static struct candidate *candidate_of(struct snippets *s, struct place place) {
    const uint32_t found = hash_index_find(&s->index, hash(place), is_at, s, &place);
    if (found != HASH_INDEX_NONE) return &s->candidates[found];
    if (s->candidate_count == PLACES) return NULL;
    if (!hash_index_reserve(&s->index, 0, s->candidate_count, hash_of, s)) {
        s->failed = true;
        return NULL;
    }
    hash_index_put(&s->index, hash(place), s->candidate_count);
    s->candidates[s->candidate_count] = (struct candidate){.place = place};
    return &s->candidates[s->candidate_count++];
}

static void sampled(void *context, uint64_t id, uint64_t when, uint64_t trigger, enum commit_state state) {
    struct snippets *s = context;
    (void)when;
    const struct record *r = record_of(s, id);
    struct candidate *c =
        id < oldest_id(s) ? NULL
                          : candidate_of(s, (struct place){r->row.pc, state == STATE_FLUSHED ? s->gone : s->context});
    if (!c) return;
    c->triggers++;
    if (next_random(s) % c->triggers != 0 || s->waiting_count == WAITING) return;
    s->waiting[s->waiting_count++] =
        (struct waiting){.id = id,
                         .trigger = trigger,
                         .until = r->row.left == SNIPPET_NEVER ? SNIPPET_NEVER : r->retired + 1 + AFTER,
                         .state = (uint8_t)state,
                         .candidate = (uint32_t)(c - s->candidates)};
}

// ---- copies ----
// The first that is shown: BEFORE that committed, or as many as there are.
static uint64_t first_shown(struct snippets *s, uint64_t id) {
    uint64_t first = id;
    unsigned before = 0;
    for (uint64_t i = id; i > oldest_id(s) && before < BEFORE; i--) {
        if (record_of(s, i - 1)->row.squashed) continue;
        first = i - 1;
        before++;
    }
    return first;
}

static void copy(struct snippets *s, const struct waiting *w) {
    struct candidate *c = &s->candidates[w->candidate];
    if (w->id < oldest_id(s)) return; // it was overwritten, or will be
    if (!c->snippet) c->snippet = malloc(sizeof *c->snippet);
    if (!c->snippet) {
        s->failed = true;
        return;
    }
    struct snippet_copy *snippet = c->snippet;
    snippet->head = (struct snippet){.place = c->place, .cycle = w->trigger, .state = w->state};
    unsigned after = 0, wrong = 0;
    for (uint64_t id = first_shown(s, w->id); id < s->next_id && after < AFTER; id++) {
        const struct snippet_row *row = &record_of(s, id)->row;
        if (id == w->id) snippet->head.row = snippet->head.rows.count;
        if (id != w->id && row->squashed && (id < w->id || wrong++ >= WRONG)) continue;
        after += id > w->id && !row->squashed;
        snippet->rows[snippet->head.rows.count++] = *row;
    }
}

// all: the run ends. Else those behind which enough has committed, and those that the ring is about to lose.
static void copy_waiting(struct snippets *s, bool all) {
    unsigned left = 0;
    for (unsigned i = 0; i < s->waiting_count; i++) {
        const struct waiting w = s->waiting[i];
        if (all || s->retired >= w.until || s->next_id - w.id > RING / 2) {
            copy(s, &w);
        } else {
            s->waiting[left++] = w;
        }
    }
    s->waiting_count = left;
}

static const struct flights_listener listener = {dispatched, issued, done, committed, squashed, sampled};

struct snippets *snippets_create(unsigned width) {
    struct snippets *s = calloc(1, sizeof *s);
    if (s) s->random = 1;
    if (s) s->flights = flights_create(width, &listener, s);
    if (s && s->flights) return s;
    free(s);
    return NULL;
}

void snippets_destroy(struct snippets *s) {
    if (!s) return;
    for (uint32_t i = 0; i < s->candidate_count; i++)
        free(s->candidates[i].snippet);
    hash_index_free(&s->index);
    flights_destroy(s->flights);
    free(s);
}

int snippets_cycle(struct snippets *s, uint64_t cycle, const struct commit_bundle *bundle,
                   const struct trace_stages *stages) {
    s->now = cycle;
    s->context = place_context(bundle->priv, bundle->space);
    if (bundle->commit || bundle->exception) s->gone = s->context;
    flights_cycle(s->flights, cycle, bundle, stages);
    if (s->waiting_count) copy_waiting(s, false);
    return s->failed ? -ENOMEM : 0;
}

void snippets_sample(struct snippets *s, uint64_t cycle, const struct commit_bundle *bundle) {
    flights_sample(s->flights, cycle, bundle);
}

// Those that have a snippet first.
static int by_triggers(const void *x, const void *y) {
    const struct candidate *a = x, *b = y;
    if (!a->snippet != !b->snippet) return a->snippet ? -1 : 1;
    if (a->triggers != b->triggers) return a->triggers > b->triggers ? -1 : 1;
    return place_order(a->place, b->place);
}

void snippets_finish(struct snippets *s) {
    copy_waiting(s, true);
    qsort(s->candidates, s->candidate_count, sizeof *s->candidates, by_triggers);
    for (uint32_t i = 0; i < s->candidate_count && s->candidates[i].snippet; i++)
        s->candidates[i].snippet->head.triggers = s->candidates[i].triggers;
}

const struct snippet_copy *snippets_hottest(const struct snippets *s, size_t i) {
    return i < s->candidate_count ? s->candidates[i].snippet : NULL;
}
