// The Oracle and the profilers, each fed all cycles, and samples as TIP takes them.
#include "import/watch.h"
#include "import/import.h"
#include "oracle/oracle.h"
#include "profile/units.h"
#include "profilers/profilers.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_WITHOUT_DISPATCH = 5 }; // the others compare what dispatches with what the ROB has

struct watch {
    const char *path;
    struct sampling_settings sampling;
    unsigned shows;
    struct oracle *oracle;
    struct profilers *profilers;
    struct samples_writer *writer;
    struct watch_counts counts;
    uint64_t trigger, last; // the next one's cycle; the cycle after the last sample's
    uint64_t random;
    struct sample_record waits; // Drained: its instruction has not come yet
    bool waiting;
};

// ---- samples ----
static uint64_t draw(struct watch *w) { // xorshift64* (Vigna, 2014)
    w->random ^= w->random >> 12;
    w->random ^= w->random << 25;
    w->random ^= w->random >> 27;
    return w->random * 0x2545f4914f6cdd1dULL >> 32;
}

static void next_trigger(struct watch *w) {
    const struct sampling_settings *s = &w->sampling;
    const uint64_t span = s->jitter_bits ? UINT64_C(1) << s->jitter_bits : 1;
    w->trigger += s->period - span / 2 + draw(w) % span;
}

static bool put(struct watch *w, const struct sample_record *r, struct error *err) {
    w->counts.samples++;
    return samples_add(w->writer, r, err) == 0;
}

// The first in the ROB is what a Drained sample waits for.
static bool name(struct watch *w, const struct commit_bundle *b, struct error *err) {
    if (!w->waiting || b->rob_empty) return true;
    w->waiting = false;
    w->waits.sample.valid = 1;
    w->waits.sample.addr[0] = b->pc[b->oldest];
    return put(w, &w->waits, err);
}

static bool sample(struct watch *w, const struct commit_bundle *b, struct error *err) {
    struct sample_record r = {.cycle = w->trigger, .cycles = w->trigger + 1 - w->last};
    oracle_expect(w->oracle, b, &r.sample);
    w->last = w->trigger + 1;
    w->counts.triggers++;
    if (w->waiting) {
        w->waits.repeats++;
        w->waits.cycles += r.cycles;
        return true;
    }
    if (r.sample.state != STATE_DRAINED) return put(w, &r, err);
    w->waits = r;
    w->waiting = true;
    return true;
}

// ---- cycles ----
static bool step(struct watch *w, const struct commit_bundle *b, uint64_t count, struct error *err) {
    if (oracle_step(w->oracle, b, count) < 0) return error_nomem(err, w->path), false;
    if (w->profilers) profilers_step(w->profilers, b, count);
    return true;
}

static void add_up(struct watch_counts *c, const struct commit_bundle *b, uint64_t count) {
    c->cycles += count;
    c->retired += (unsigned)__builtin_popcount(b->commit);
    c->mispredictions += (unsigned)__builtin_popcount(b->commit & b->mispredict);
    c->flushes += (unsigned)__builtin_popcount(b->commit & b->flush);
    c->traps += b->exception && !b->replay;
    c->replays += b->exception && b->replay;
}

bool watch_show(void *context, const struct commit_bundle *b, uint64_t cycle, uint64_t count, struct error *err) {
    struct watch *w = context;
    if (count > UINT32_MAX) { // each of a sample's distances costs time
        error_set(err,
                  "%s: nothing happens in %" PRIu64 " cycles from cycle %" PRIu64 ": two traces in one file, or a "
                  "damaged one",
                  w->path, count, cycle);
        return false;
    }
    add_up(&w->counts, b, count);
    if (!name(w, b, err)) return false;
    while (w->profilers && w->trigger < cycle + count) {
        const uint64_t part = w->trigger + 1 - cycle;
        if (!sample(w, b, err) || !step(w, b, part, err)) return false;
        profilers_sample(w->profilers, b, w->trigger);
        next_trigger(w);
        cycle += part;
        count -= part;
        if (!count) return true;
    }
    return step(w, b, count, err);
}

// ---- what it leaves ----
// Those that need what the format does not show are left out.
static bool known(const struct watch *w, const char *profiler) {
    static const char *const fetch[] = {"Fetch", "RIS"}, *const dispatch[] = {"Dispatch", "IBS", "SPE"};
    for (size_t k = 0; k < sizeof fetch / sizeof *fetch; k++)
        if (strcmp(profiler, fetch[k]) == 0) return w->shows & IMPORT_FETCH;
    for (size_t k = 0; k < sizeof dispatch / sizeof *dispatch; k++)
        if (strcmp(profiler, dispatch[k]) == 0) return w->shows & IMPORT_DISPATCH;
    return true;
}

bool watch_add_profiles(struct watch *w, struct error *err) {
    size_t count;
    const struct profile_row *rows = oracle_rows(w->oracle, &count);
    const uint16_t all = w->shows & IMPORT_EVENTS ? (1u << EVENT_COUNT_ALONE) - 1 : 0;
    bool good = samples_add_profile(w->writer, "Oracle", all, rows, count, err) == 0;
    for (size_t p = 0; good && w->profilers && p < profilers_count(); p++) {
        if (!known(w, profilers_name(p)) || (profilers_events(p) && !all)) continue;
        rows = profilers_rows(w->profilers, p, &count);
        good = samples_add_profile(w->writer, profilers_name(p), profilers_events(p) & all, rows, count, err) == 0;
    }
    return good;
}

// ---- its life ----
struct watch *watch_create(const struct watch_settings *s, struct error *err) {
    struct watch *w = error_calloc(sizeof *w, s->path, err);
    if (!w) return NULL;
    *w = (struct watch){.path = s->path, .sampling = s->sampling, .shows = s->shows, .writer = s->writer};
    w->oracle = oracle_create(s->width, err);
    if (w->oracle && s->sampling.period) {
        w->profilers = profilers_create(s->width, s->rob_entries, PROFILERS_TAGS, err);
        w->random = s->sampling.seed * 0x9e3779b97f4a7c15ULL + 1;
        next_trigger(w);
    }
    if (w->oracle && (w->profilers || !s->sampling.period)) return w;
    watch_destroy(w);
    return NULL;
}

void watch_destroy(struct watch *w) {
    if (!w) return;
    profilers_destroy(w->profilers);
    oracle_destroy(w->oracle);
    free(w);
}

int watch_finish(struct watch *w, struct error *err) {
    const int rc = oracle_finish(w->oracle, w->counts.cycles, err);
    return rc || !w->profilers ? rc : profilers_finish(w->profilers, w->counts.cycles, err);
}

const struct watch_counts *watch_counts(const struct watch *w) {
    return &w->counts;
}
unsigned watch_rule_broken(const struct watch *w, const struct commit_bundle *b) {
    const unsigned rule = oracle_rule_broken(w->oracle, b);
    return rule > RULES_WITHOUT_DISPATCH && !(w->shows & IMPORT_DISPATCH) ? 0 : rule;
}
double watch_state_cycles(const struct watch *w, unsigned state, unsigned width) {
    return (double)oracle_state_units(w->oracle, state) / units_per_cycle(width);
}
