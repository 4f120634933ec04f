// Regions on the core's model: regions_live_rtl.h.
#include "cli/regions_live_rtl.h"
#include "base/array.h"
#include "cli/children.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "methods/regions/measures.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct live_rtl {
    struct live_rtl_options o;
    char folder[PATH_MAX];
    struct child *children;
    size_t *regions; // of each child
    size_t count, capacity, regions_capacity;
    size_t made;                    // the region that has a checkpoint from before its begin; PACSIM_NONE: none has
    struct access_record *accesses; // so far; NULL: they are not recorded
    uint64_t made_steps, warmup;    // where; how far before its begin the checkpoint of the present region lies
};

enum { LONGEST = PATH_MAX + 64, STATUS_BUDGET = 124 };

static void name(const struct live_rtl *r, size_t region, const char *ending, char path[LONGEST]) {
    snprintf(path, LONGEST, "%s/%zu.%s", r->folder, region, ending);
}

static void drop(const struct live_rtl *r, size_t region, const char *ending) {
    char path[LONGEST];
    name(r, region, ending, path);
    unlink(path);
}

static uint64_t all_steps(const struct iss *iss) {
    uint64_t steps = 0;
    for (unsigned i = 0; i < iss_harts(iss); i++)
        steps += hart_steps(iss_hart(iss, i));
    return steps;
}

static bool save(const struct live_rtl *r, const struct iss *iss, size_t region, struct error *err) {
    char path[LONGEST];
    name(r, region, "ckpt", path);
    return checkpoint_write(iss, r->o.origin, path, err) == 0;
}

// ---- the engine ----
static bool near_end(void *context, struct iss *iss, size_t number, struct error *err) {
    struct live_rtl *r = context;
    if (!save(r, iss, number, err)) return false;
    r->made = number;
    r->made_steps = all_steps(iss);
    return true;
}

static bool begin(void *context, struct iss *iss, size_t number, bool detailed, struct error *err) {
    struct live_rtl *r = context;
    const bool made = r->made == number;
    if (r->o.accesses && !r->accesses) {
        r->accesses = access_record_create(iss_memory_bytes(iss), iss_harts(iss), err);
        r->o.origin->accesses = r->accesses;
        if (!r->accesses || !access_record_watch(r->accesses, iss, err)) return false;
    }
    r->made = PACSIM_NONE;
    r->warmup = made ? all_steps(iss) - r->made_steps : 0;
    if (!detailed && made) drop(r, number, "ckpt");
    return !detailed || made || save(r, iss, number, err);
}

// Step by step, for the record of accesses.
static bool run(void *context, struct iss *iss, bool detailed, uint64_t most, pacsim_stepped *stepped, void *with,
                struct error *err) {
    struct live_rtl *r = context;
    struct iss_retire retire = {.access = ISS_ACCESS_STORE};
    (void)detailed;
    (void)err;
    for (uint64_t done = 0; done < most; done++) {
        if (retire.access == ISS_ACCESS_STORE && iss_over(iss)) break;
        const struct hart *const hart = access_record_step(r->accesses, iss, &retire);
        if (!hart) break;
        if (stepped(with, hart_number(hart), &retire)) break;
    }
    return true;
}

static bool end(void *context, struct iss *iss, size_t number, struct pacsim_region *region, struct error *err) {
    struct live_rtl *r = context;
    char stats[LONGEST], checkpoint[LONGEST];
    (void)iss;
    if (!region->detailed) return true;
    if (!array_reserve(&r->children, &r->capacity, r->count, sizeof *r->children) ||
        !array_reserve(&r->regions, &r->regions_capacity, r->count, sizeof *r->regions)) {
        error_nomem(err, "regions");
        return false;
    }
    r->regions[r->count] = number;
    struct child *const c = &r->children[r->count++];
    *c = (struct child){.work = (double)(region->instructions + r->warmup)};
    name(r, number, "json", stats);
    name(r, number, "ckpt", checkpoint);
    child_word(c, "tipoff");
    child_word(c, "run");
    child_word(c, "--quiet");
    child_word(c, "--threads=1");
    child_word(c, "--config=%s", r->o.config);
    if (r->o.input) child_word(c, "--input=%s", r->o.input);
    if (r->warmup) child_word(c, "--warmup=%" PRIu64, r->warmup);
    child_word(c, "--max-insns=%" PRIu64, region->instructions ? region->instructions : 1);
    child_word(c, "--stats=%s", stats);
    // The first one from reset, with what a core does then.
    const bool reset = number == 0 && r->o.argv;
    if (!reset) child_word(c, "--restore=%s", checkpoint);
    if (!reset && r->o.accesses) child_word(c, "--warm=all");
    if (r->o.program) child_word(c, "%s", r->o.program);
    if (reset && r->o.argv[1]) child_word(c, "--");
    for (char *const *argument = r->o.argv + 1; reset && *argument; argument++)
        child_word(c, "%s", *argument);
    return true;
}

void live_rtl_engine(struct live_rtl *r, struct pacsim_engine *engine) {
    *engine =
        (struct pacsim_engine){.context = r, .begin = begin, .end = end, .near_end = near_end, .ahead = r->o.warmup};
    if (!r->o.accesses) return;
    engine->run = run;
    engine->always = true;
}

// ---- the processes ----
static bool ended(void *context, size_t which) {
    struct live_rtl *r = context;
    drop(r, r->regions[which], "ckpt");
    return r->children[which].status == STATUS_BUDGET || r->children[which].status == 0;
}

static bool take(const struct live_rtl *r, struct pacsim *p, struct error *err) {
    for (size_t i = 0; i < r->count; i++) {
        const struct child *const c = &r->children[i];
        char path[LONGEST];
        if (c->status != STATUS_BUDGET && c->status != 0) {
            if (c->status < 0) continue; // not begun, since another one failed
            error_set(err, "region %zu: tipoff run ended with status %d: %s", r->regions[i], c->status, c->said);
            return false;
        }
        struct measures m = {0};
        name(r, r->regions[i], "json", path);
        const bool good = measures_read(&m, path, err) == 0;
        if (good) p->regions[r->regions[i]].cycles = measures_get(&m, "cycles");
        measures_free(&m);
        if (!good) return false;
    }
    return true;
}

int live_rtl_measure(struct live_rtl *r, struct pacsim *p, double *seconds, struct error *err) {
    struct timespec from, to;
    struct children c = {.list = r->children,
                         .count = r->count,
                         .jobs = r->o.jobs,
                         .what = "regions",
                         .quiet = r->o.quiet,
                         .ended = ended,
                         .context = r};
    clock_gettime(CLOCK_MONOTONIC, &from);
    const int came = children_run(&c, err);
    clock_gettime(CLOCK_MONOTONIC, &to);
    *seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    if (came) return came;
    if (!take(r, p, err)) return -1;
    pacsim_estimate(p);
    return 0;
}

// ---- its life ----
struct live_rtl *live_rtl_create(const struct live_rtl_options *options, struct error *err) {
    const char *const given = getenv("TMPDIR"), *const under = given && given[0] ? given : "/tmp";
    char built[PATH_MAX];
    if (!folder_find(built, sizeof built, err) || configurations_check(built, options->config, err) < 0) return NULL;
    struct live_rtl *r = error_calloc(sizeof *r, "regions", err);
    if (!r) return NULL;
    r->o = *options;
    r->made = PACSIM_NONE;
    snprintf(r->folder, sizeof r->folder, "%.*s/tipoff-live-XXXXXX", PATH_MAX - 32, under);
    if (mkdtemp(r->folder)) return r;
    error_set(err, "%s: no folder for checkpoints: %s: set TMPDIR to one that can be written", under, strerror(errno));
    free(r);
    return NULL;
}

void live_rtl_destroy(struct live_rtl *r) {
    if (!r) return;
    for (size_t i = 0; i < r->count; i++) {
        drop(r, r->regions[i], "ckpt");
        drop(r, r->regions[i], "json");
    }
    if (r->made != PACSIM_NONE) drop(r, r->made, "ckpt");
    rmdir(r->folder);
    r->o.origin->accesses = NULL;
    access_record_destroy(r->accesses);
    children_free(r->children, r->count);
    free(r->regions);
    free(r);
}
