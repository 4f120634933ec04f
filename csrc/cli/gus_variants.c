// Each process runs the source once for all its models, and leaves their times in memory that all share.
#include "cli/gus_variants.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1024, STRONGEST = 15, PAIRED = 8, REFINED = 12, BOUND = 900 }; // BOUND: ten times as fast

struct shared {
    struct gus_variant variants[MOST];
    char fault[sizeof((struct error *)0)->text];
};
struct work {
    const struct gus_passes *passes;
    struct shared *shared;
    size_t count; // of variants; times are known up to `timed`
    size_t timed;
    uint64_t base;
};

static int child(const struct work *w, unsigned job) {
    struct gus_source source;
    struct error err = {""};
    int status = EXIT_FAILURE;
    if (w->passes->open(w->passes->context, &source, &err)) {
        size_t left = w->count - w->timed;
        if (gus_sweep_variants(&source, w->passes->table, w->shared->variants + w->timed, left, job, w->passes->jobs,
                               &err) == 0)
            status = EXIT_SUCCESS;
        w->passes->close(w->passes->context, &source);
    }
    if (status != EXIT_SUCCESS) memcpy(w->shared->fault, err.text, sizeof err.text);
    return status;
}

static bool ended_well(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

// Times of the variants that have none yet.
static bool run(struct work *w, struct error *err) {
    pid_t processes[1024];
    unsigned started = 0;
    bool good = true;
    for (; started < w->passes->jobs && w->timed + started < w->count; started++) {
        pid_t process = fork();
        if (process == 0) _exit(child(w, started));
        if (process < 0) break;
        processes[started] = process;
    }
    good = started == w->passes->jobs || w->timed + started >= w->count;
    for (unsigned i = 0; i < started; i++)
        good = ended_well(processes[i]) && good;
    w->timed = w->count;
    if (!good)
        error_set(err, "%s",
                  w->shared->fault[0]
                      ? w->shared->fault
                      : "gus: a process of --sensitivity was ended, or could not be started: try --jobs 1");
    return good;
}

static void add(struct work *w, const uint8_t *resources, unsigned count, unsigned percent) {
    if (w->count == MOST || count > GUS_SET) return;
    struct gus_variant *v = &w->shared->variants[w->count++];
    *v = (struct gus_variant){.count = (uint8_t)count, .percent = (uint16_t)percent};
    memcpy(v->resources, resources, count);
}

static int by_time(const void *a, const void *b) {
    const struct gus_variant *x = a, *y = b;
    if (x->time != y->time) return x->time > y->time ? 1 : -1;
    if (x->count != y->count) return x->count - y->count;
    if (x->percent != y->percent) return x->percent - y->percent;
    return memcmp(x->resources, y->resources, sizeof x->resources);
}

// Singles at the strongest first: those that gain nothing there gain nothing below (no resource that is faster makes
// the stream slower), and get no weaker variants.
static bool singles(struct work *w, struct error *err) {
    const unsigned resources = w->passes->table->resource_count;
    for (uint8_t r = 0; r < resources; r++)
        add(w, &r, 1, STRONGEST); // what goes with another changes nothing
    if (!run(w, err)) return false;
    for (uint8_t r = 0; r < resources; r++) {
        if (w->shared->variants[r].time >= w->base - w->base / 2000) continue;
        for (unsigned percent = 1; percent < STRONGEST; percent++)
            add(w, &r, 1, percent);
        add(w, &r, 1, BOUND);
    }
    return run(w, err);
}

struct rank {
    uint8_t resource;
    uint64_t time;
    double busy;
};

static int by_gain(const void *a, const void *b) {
    const struct rank *x = a, *y = b;
    if (x->time != y->time) return x->time > y->time ? 1 : -1;
    return x->resource - y->resource;
}

static int by_busy(const void *a, const void *b) {
    const struct rank *x = a, *y = b;
    if (x->busy != y->busy) return x->busy < y->busy ? 1 : -1;
    return x->resource - y->resource;
}

// Pairs of PAIRED resources: half of them are those that gain most alone, the others the busiest of the rest: two in
// balance gain nothing one by one. Then sets that grow in that order.
static bool sets(struct work *w, const struct gus *base, struct error *err) {
    struct rank ranks[GUS_RESOURCES];
    unsigned resources = 0;
    uint8_t set[GUS_SET];
    for (unsigned r = 0; r < w->passes->table->resource_count; r++) {
        if (w->passes->table->resources[r].with != GUS_NONE) continue;
        ranks[resources++] = (struct rank){(uint8_t)r, w->shared->variants[r].time, gus_occupancy(base, r)};
    }
    qsort(ranks, resources, sizeof *ranks, by_gain);
    if (resources > PAIRED / 2) qsort(ranks + PAIRED / 2, resources - PAIRED / 2, sizeof *ranks, by_busy);
    const unsigned first = resources < PAIRED ? resources : PAIRED;
    for (unsigned i = 0; i < first; i++) {
        for (unsigned k = i + 1; k < first; k++) {
            set[0] = ranks[i].resource;
            set[1] = ranks[k].resource;
            add(w, set, 2, STRONGEST);
        }
    }
    for (unsigned i = 0; i < first; i++) {
        set[i] = ranks[i].resource;
        if (i >= 2) add(w, set, i + 1, STRONGEST);
    }
    return run(w, err);
}

// A set gains more than the best of its members does alone.
static bool gains_more(const struct work *w, const struct gus_variant *set) {
    uint64_t least = w->base;
    for (unsigned i = 0; i < set->count; i++) {
        const uint64_t alone = w->shared->variants[set->resources[i]].time; // singles come first, by resource
        least = alone < least ? alone : least;
    }
    return set->time < least - w->base / 2000;
}

// The best sets at what is below 15 %, and at ten times.
static bool weaker_sets(struct work *w, size_t first, struct error *err) {
    const size_t last = w->count;
    qsort(w->shared->variants + first, last - first, sizeof *w->shared->variants, by_time);
    unsigned refined = 0;
    for (size_t i = first; i < last && refined < REFINED; i++) {
        const struct gus_variant set = w->shared->variants[i];
        if (!gains_more(w, &set)) continue;
        for (unsigned percent = 1; percent < STRONGEST; percent++)
            add(w, set.resources, set.count, percent);
        add(w, set.resources, set.count, BOUND);
        refined++;
    }
    return run(w, err);
}

bool gus_variants(const struct gus_passes *passes, const struct gus *base, struct gus_variant **variants, size_t *count,
                  struct error *err) {
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        error_nomem(err, "gus");
        return false;
    }
    struct work w = {passes, shared, 0, 0, gus_time(base)};
    bool good = singles(&w, err);
    const size_t first = w.count; // of the sets
    good = good && sets(&w, base, err) && weaker_sets(&w, first, err);
    *variants = good ? calloc(w.count + 1, sizeof **variants) : NULL;
    if (*variants) {
        memcpy(*variants, shared->variants, w.count * sizeof **variants);
        *count = w.count;
        qsort(*variants, *count, sizeof **variants, by_time);
    } else if (good) {
        error_nomem(err, "gus");
        good = false;
    }
    munmap(shared, sizeof *shared);
    return good;
}
