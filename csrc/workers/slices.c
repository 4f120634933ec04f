// What each slice of a run took: instructions, cycles by state, events, as CSV. A slice is cut by instructions and
// traps, as the ISS counts them; it ends with the cycle in which its last one leaves, which is its own whole, also
// where first ones of the next slice leave in it. So cycles and instructions of all slices add up to the run's. A slice
// that begins and ends within a cycle has none. The cycles after the last instruction are the last slice's.
#include "base/array.h"
#include "base/output.h"
#include "base/paths.h"
#include "events.h"
#include "workers/event_tally.h"
#include "workers/slice_begins.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_FILE, KEY_EVERY, KEY_AT };

struct row {
    uint64_t begin, instructions, traps, cycles;
    uint64_t states[STATE_COUNT], mispredictions, events[EVENT_COUNT];
};

struct slices {
    const char *file;
    unsigned event_count; // columns: 0 where instructions carry no vectors
    uint64_t every;       // 0: cut at `begins`
    uint64_t *begins;
    size_t begin_count;
    struct row *rows;
    size_t count, capacity;
    uint64_t steps, limit; // instructions and traps so far, and where the slice ends
    struct event_tally tally;
    bool ended;
};

static bool full(const struct slices *s) {
    return s->count == 0 || s->steps >= s->limit;
}

static uint64_t next_limit(const struct slices *s, size_t number) {
    if (s->every) return (number + 1) * s->every;
    return number + 1 < s->begin_count ? s->begins[number + 1] : UINT64_MAX;
}

static bool open_row(struct slices *s) {
    if (!array_reserve(&s->rows, &s->capacity, s->count, sizeof *s->rows)) return false;
    s->limit = next_limit(s, s->count);
    s->rows[s->count++] = (struct row){.begin = s->steps};
    return true;
}

static struct row *now(struct slices *s) {
    return &s->rows[s->count - 1];
}

static void add_vector(struct row *row, unsigned psv) {
    for (psv &= EVENT_SET_ALL; psv; psv &= psv - 1)
        row->events[__builtin_ctz(psv)]++;
}

// ---- cycles ----
// The lanes that commit, oldest first. An instruction of several micro-ops counts with the one that it retires with.
static bool commit(struct slices *s, const struct worker_view *v) {
    const struct commit_bundle *b = v->bundle;
    unsigned retired = 0;
    for (unsigned i = 0, lane = b->oldest; i < (unsigned)__builtin_popcount(b->commit); i++) {
        if (full(s) && b->first >> lane & 1 && !open_row(s)) return false;
        struct row *row = now(s);
        row->mispredictions += b->mispredict >> lane & 1;
        add_vector(row, b->psv[lane]);
        if (retired < v->left->count && v->left->retired[retired].lane == lane) {
            retired++;
            row->instructions++;
            s->steps++;
        }
        lane = lane + 1 == s->tally.width ? 0 : lane + 1;
    }
    return true;
}

static bool raise(struct slices *s, const struct worker_view *v) {
    if (full(s) && !open_row(s)) return false;
    add_vector(now(s), v->bundle->exception_psv);
    if (!v->left->trap.valid) return true; // a replay
    now(s)->traps++;
    s->steps++;
    return true;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct slices *s = state;
    const struct commit_bundle *b = v->bundle;
    if (s->ended) return 0;
    if (full(s) && !open_row(s)) return error_nomem(err, "slices");
    now(s)->cycles += v->count;
    now(s)->states[event_tally_state(&s->tally, b) - PMU_EVENT_COMPUTING] += v->count;
    if ((b->commit && !commit(s, v)) || (b->exception && !raise(s, v))) return error_nomem(err, "slices");
    event_tally_remember(&s->tally, b);
    return 0;
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    struct slices *s = state;
    (void)cycle;
    (void)err;
    s->count = 0;
    s->steps = 0;
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    ((struct slices *)state)->ended = true;
    return 0;
}

// ---- what is written ----
// A slice without an instruction has begun, and the run has ended.
static void join_last(struct slices *s) {
    if (s->count < 2 || now(s)->instructions + now(s)->traps) return;
    const struct row tail = *now(s);
    s->count--;
    now(s)->cycles += tail.cycles;
    now(s)->mispredictions += tail.mispredictions;
    for (unsigned i = 0; i < STATE_COUNT; i++)
        now(s)->states[i] += tail.states[i];
    for (unsigned i = 0; i < EVENT_COUNT; i++)
        now(s)->events[i] += tail.events[i];
}

static void write_row(const struct slices *s, size_t number, FILE *out) {
    const struct row *row = &s->rows[number];
    fprintf(out, "%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, number, row->begin, row->instructions, row->traps,
            row->cycles);
    for (unsigned i = 0; i < STATE_COUNT; i++)
        fprintf(out, ",%" PRIu64, row->states[i]);
    fprintf(out, ",%" PRIu64, row->mispredictions);
    for (unsigned i = 0; i < s->event_count; i++)
        fprintf(out, ",%" PRIu64, row->events[i]);
    fputc('\n', out);
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    static const char *const states[] = {STATE_NAMES}, *const events[] = {EVENT_NAMES};
    struct slices *s = state;
    struct output *const output = output_open(s->file, err);
    (void)cycles;
    if (!output) return -EIO;
    FILE *const out = output_file(output);
    join_last(s);
    fputs("slice,begin,instructions,traps,cycles", out);
    for (unsigned i = 0; i < STATE_COUNT; i++)
        fprintf(out, ",%s", states[i]);
    fputs(",mispredictions", out);
    for (unsigned i = 0; i < s->event_count; i++)
        fprintf(out, ",%s", events[i]);
    fputc('\n', out);
    for (size_t i = 0; i < s->count; i++)
        write_row(s, i, out);
    return output_close(output, true, err);
}

static void destroy(void *state) {
    struct slices *s = state;
    free(s->begins);
    free(s->rows);
    free(s);
}

static bool check_config(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    const char *const at = values[KEY_AT].text;
    const struct path_use uses[] = {{"at=", at, false}, {"file=", values[KEY_FILE].text, true}};
    uint64_t *begins = NULL;
    size_t count;
    (void)run;
    if (!at == !values[KEY_EVERY].number) {
        error_set(err, "worker slices: write either every=N or at=FILE");
        return false;
    }
    const bool good =
        !at || (paths_check(uses, sizeof uses / sizeof *uses, err) && slice_begins_read(at, &begins, &count, err) == 0);
    free(begins);
    return good;
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct slices *s = error_calloc(sizeof *s, "slices", err);
    if (!s) return NULL;
    s->file = values[KEY_FILE].text;
    s->every = values[KEY_EVERY].number;
    s->event_count = run->vectors ? run->event_count : 0;
    s->tally.width = run->width;
    if (s->every || slice_begins_read(values[KEY_AT].text, &s->begins, &s->begin_count, err) == 0) return s;
    free(s);
    return NULL;
}

const struct worker_ops worker_slices = {
    .name = "slices",
    .text = "a row for each slice of the run: its instructions, cycles, states and events",
    .needs = DPI_BUNDLE | DPI_RETIRE,
    .keys = {{.name = "file", .kind = WORKER_FILE, .text = "output file"},
             {.name = "every",
              .kind = WORKER_NUMBER,
              .text = "instructions and traps of a slice",
              .low = 1,
              .high = UINT64_C(1) << 48},
             {.name = "at",
              .kind = WORKER_INPUT,
              .text = "where slices begin: tipoff bbv --format csv, a regions file, or numbers line by line"}},
    .check_config = check_config,
    .create = create,
    .cycle = cycle,
    .begin = begin,
    .end = end,
    .finish = finish,
    .destroy = destroy};
