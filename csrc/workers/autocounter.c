// All countable events (docs/reference/pmu.md) every N cycles, as CSV: a line for each N cycles with what they added,
// the last line for what is left. Counted from the bundles, apart from the hardware's counters.
#include "base/output.h"
#include "events.h"
#include "isa/control.h"
#include "workers/slots.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_FILE, KEY_EVERY };

struct counters {
    FILE *file;
    const char *path;
    unsigned width;
    uint64_t every, next; // cycles; the first cycle of the next line
    bool offended;        // the instruction that left the ROB last flushed the pipeline
    struct slots slots;
    uint64_t cycle;                  // counted so far
    uint64_t count[PMU_EVENT_KEYED]; // those from there on, which come last, are not the bundle's
};

static const struct pmu_event_info events[PMU_EVENT_COUNT] = {PMU_EVENT_ROWS};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct counters *c = error_calloc(sizeof *c, "autocounter", err);
    if (!c) return NULL;
    c->width = run->width;
    c->path = values[KEY_FILE].text;
    c->every = c->next = values[KEY_EVERY].number;
    c->file = output_stream(c->path, err);
    if (!c->file) {
        free(c);
        return NULL;
    }
    fputs("cycle", c->file);
    for (unsigned i = 0; i < PMU_EVENT_COUNT && events[i].number < PMU_EVENT_KEYED; i++)
        fprintf(c->file, ",%s", events[i].name);
    fputc('\n', c->file);
    return c;
}

static int line(struct counters *c, struct error *err) {
    bool good = fprintf(c->file, "%" PRIu64, c->cycle) > 0;
    for (unsigned i = 0; i < PMU_EVENT_COUNT && events[i].number < PMU_EVENT_KEYED; i++)
        good = fprintf(c->file, ",%" PRIu64, c->count[events[i].number]) > 0 && good;
    good = fputc('\n', c->file) != EOF && good;
    memset(c->count, 0, sizeof c->count);
    c->next = c->cycle + c->every;
    if (good) return 0;
    error_set(err, "%s: cannot write: %s: free some space and run again", c->path, strerror(errno));
    return -(errno ? errno : EIO);
}

static void count_vector(struct counters *c, unsigned psv) {
    for (psv &= EVENT_SET_ALL; psv; psv &= psv - 1)
        c->count[PMU_EVENT_TEA + __builtin_ctz(psv)]++;
}

static bool transfers(uint32_t insn) {
    switch (control_kind_of(insn)) {
    case CONTROL_BRANCH:
    case CONTROL_JUMP:
    case CONTROL_CALL:
    case CONTROL_RETURN: return true;
    default: return false;
    }
}

static void count_leaving(struct counters *c, const struct commit_bundle *b) {
    for (unsigned age = 0, lane = b->oldest; age < c->width; age++, lane = lane + 1 == c->width ? 0 : lane + 1) {
        if (!(b->commit >> lane & 1)) continue;
        c->count[PMU_EVENT_INSTRUCTIONS] += b->first >> lane & 1;
        c->count[PMU_EVENT_FLUSHES] += b->flush >> lane & 1;
        c->count[PMU_EVENT_BRANCHES] += transfers(b->insn[lane]);
        count_vector(c, b->psv[lane]);
        c->offended = (b->mispredict | b->flush) >> lane & 1; // of the youngest, which comes last
    }
}

// What the slots of dispatch are used for, in `cycles` equal cycles.
static void count_slots(struct counters *c, const struct slot_use *u, uint64_t cycles) {
    c->count[PMU_EVENT_DISPATCHED] += cycles * u->dispatched;
    const unsigned fetch = u->stalls && u->idle ? 0 : u->empty;
    c->count[u->idle ? PMU_EVENT_FETCH_LATENCY : PMU_EVENT_FETCH_BANDWIDTH] += cycles * fetch;
    if (u->memory) c->count[PMU_EVENT_MEMORY_BOUND] += cycles * (u->held + u->empty - fetch);
    c->count[u->of_clear ? PMU_EVENT_RECOVERY_CLEAR : PMU_EVENT_RECOVERY_BRANCH] += cycles * u->recovery;
    c->count[PMU_EVENT_BRANCH_REDIRECTS] += cycles * u->branch_redirect;
    c->count[PMU_EVENT_CLEARS] += cycles * u->clear;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct counters *c = state;
    const struct commit_bundle *b = v->bundle;
    uint64_t left = v->count;
    const struct slot_use slots = slots_cycle(&c->slots, c->width, b);
    unsigned what = b->commit       ? PMU_EVENT_COMPUTING
                    : !b->rob_empty ? PMU_EVENT_STALLED
                    : c->offended   ? PMU_EVENT_FLUSHED
                                    : PMU_EVENT_DRAINED;
    if (b->commit) count_leaving(c, b);
    if (b->exception) {
        c->offended = true;
        c->count[PMU_EVENT_INTERRUPTS] += b->interrupt;
        c->count[PMU_EVENT_EXCEPTIONS] += !b->interrupt && !b->replay;
        count_vector(c, b->exception_psv);
    }
    while (left) { // equal cycles may lie on both sides of a line's end
        uint64_t now = left < c->next - c->cycle ? left : c->next - c->cycle;
        c->count[PMU_EVENT_CYCLES] += now;
        c->count[what] += now;
        count_slots(c, &slots, now);
        c->cycle += now;
        left -= now;
        int result = c->cycle == c->next ? line(c, err) : 0;
        if (result < 0) return result;
    }
    return 0;
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    struct counters *c = state;
    (void)cycles;
    int result = c->count[PMU_EVENT_CYCLES] ? line(c, err) : 0;
    FILE *file = c->file;
    c->file = NULL;
    if (fclose(file) == 0 || result < 0) return result;
    error_set(err, "%s: cannot write: %s: free some space and run again", c->path, strerror(errno));
    return -(errno ? errno : EIO);
}

static void destroy(void *state) {
    struct counters *c = state;
    if (c->file) fclose(c->file);
    free(c);
}

const struct worker_ops worker_autocounter = {.name = "autocounter",
                                              .text = "counts of all countable events at regular intervals, as CSV",
                                              .needs = DPI_BUNDLE,
                                              .keys = {{.name = "file", .kind = WORKER_FILE, .text = "output file"},
                                                       {.name = "every",
                                                        .kind = WORKER_NUMBER,
                                                        .text = "cycles per line",
                                                        .standard = "10000",
                                                        .low = 1,
                                                        .high = UINT64_MAX / 2}},
                                              .create = create,
                                              .cycle = cycle,
                                              .finish = finish,
                                              .destroy = destroy};
