// Simulates the regions of a file in processes of their own: regions_measure.h.
#include "cli/regions_measure.h"
#include "base/cpus.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/folder.h"
#include "cli/regions_work.h"
#include "cli/run_harts.h"
#include "cli/shared_options.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_ON = REGIONS_MEASURE_KEYS, OPT_CONFIG, OPT_WARMUP, OPT_KEEP, OPT_COUNT, OPT_SET };
enum { MOST_JOBS = 1024, LONGER = 16 }; // LONGER: instructions that a core may commit beyond --max-insns

static const struct argp_option options[] = {
    {"on", OPT_ON, "rtl|gus", 0, "what simulates them: the core (default), or the fast model of tipoff gus", 0},
    OPTION_CONFIG(OPT_CONFIG, DEFAULT_CONFIGURATION, 0),
    {NULL, 'c', "NAME", OPTION_HIDDEN, NULL, 0},
    {"warmup", OPT_WARMUP, "N|mtr[:N]", 0,
     "run N instructions and traps before each region, to warm up caches, TLBs and predictors (default: from where its "
     "checkpoint is); other checkpoints than those of the file are made first. mtr: fill the caches by the last "
     "accesses "
     "before the checkpoint, then N more",
     0},
    OPTION_JOBS("", 0),
    {"keep", OPT_KEEP, "FOLDER", 0, "where results are kept, and reused from (default: REGIONS.run, beside it)", 0},
    {"count", OPT_COUNT, "EVENT[:MODES],...", 0,
     "count these events with the core's hardware counters, as tipoff run does", 0},
    OPTION_SET(OPT_SET, ": of l2, llc, dram or clock", 0),
    OPTION_QUIET("", 0),
    {0},
};

void regions_measure_begin(struct regions_measure *m) {
    *m = (struct regions_measure){
        .backend = regions_backends, .config = DEFAULT_CONFIGURATION, .jobs = cpus_available()};
}

void regions_measure_free(struct regions_measure *m) {
    for (size_t i = 0; i < m->file.region_count; i++) {
        if (m->of) measures_free(&m->of[i]);
        if (m->samples) free(m->samples[i]);
    }
    free(m->of);
    free(m->samples);
    regions_file_free(&m->file);
}

static const struct regions_backend *backend_named(const char *name, struct argp_state *state) {
    const char *names[REGIONS_BACKENDS];
    for (unsigned i = 0; i < REGIONS_BACKENDS; i++)
        names[i] = regions_backends[i].name;
    return &regions_backends[option_choice(name, names, REGIONS_BACKENDS, "on", state)];
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct regions_measure *m = state->input;
    switch (key) {
    case 'c':
    case OPT_CONFIG: m->config = arg; break;
    case OPT_ON: m->backend = backend_named(arg, state); break;
    case OPT_WARMUP:
        m->accesses = strncmp(arg, "mtr", 3) == 0 && (arg[3] == ':' || !arg[3]);
        if (m->accesses) arg += arg[3] ? 4 : 3;
        m->has_warmup = !m->accesses || *arg;
        if (m->has_warmup) m->warmup = option_number(arg, 0, UINT64_MAX, "warmup", state);
        break;
    case 'j': m->jobs = (unsigned)option_number(arg, 1, MOST_JOBS, "jobs", state); break;
    case OPT_KEEP: m->keep = arg; break;
    case OPT_COUNT: m->count = arg; break;
    case OPT_SET:
        if (m->sets == REGIONS_SETS) argp_error(state, "--set: at most %d", REGIONS_SETS);
        m->set[m->sets++] = arg;
        break;
    case 'q': m->quiet = true; break;
    case ARGP_KEY_ARG:
        if (m->path) argp_error(state, "'%s': one file of regions is enough", arg);
        m->path = arg;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name REGIONS, a file of `tipoff regions find --format json`"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}
const struct argp regions_measure_argp = {.options = options, .parser = parse};

// Instructions of the run in its first `place` steps: within a slice in proportion.
static double instructions_before(const struct regions_file *f, uint64_t place) {
    double instructions = 0;
    for (size_t i = 0; i < f->slice_count && f->slices[i].begin < place; i++) {
        const struct regions_slices *s = &f->slices[i];
        const uint64_t steps = place - s->begin < s->steps ? place - s->begin : s->steps;
        instructions +=
            steps == s->steps ? (double)s->instructions : (double)s->instructions * (double)steps / (double)s->steps;
    }
    return instructions;
}

uint64_t regions_warmup(const struct regions_file *f, const struct regions_region *r) {
    return (uint64_t)(instructions_before(f, r->begin) - instructions_before(f, r->begin - r->warmup) + 0.5);
}

// ---- the processes ----
static char *kept_path(const struct regions_work *w, size_t region, const char *ending) {
    char *path;
    return asprintf(&path, "%s/%016" PRIx64 "%s", w->keep, w->keys[region], ending) < 0 ? NULL : path;
}

static char *part_path(const struct regions_work *w, size_t region) {
    char ending[64];
    snprintf(ending, sizeof ending, ".json.%ld", (long)getpid());
    return kept_path(w, region, ending);
}

static char *samples_path(const struct regions_work *w, size_t region) {
    return w->m->period ? kept_path(w, region, ".tips") : NULL;
}

// What is kept of it; false: nothing.
static bool take_kept(struct regions_work *w, size_t region) {
    struct regions_measure *const m = w->m;
    char *const path = kept_path(w, region, ".json");
    const bool good = path && access(path, R_OK) == 0 && (!m->period || access(m->samples[region], R_OK) == 0) &&
                      measures_read(&m->of[region], path, NULL) == 0;
    if (!good) measures_free(&m->of[region]);
    free(path);
    return good;
}

// The program has ended before the region's end: it is left out.
static void miss(struct regions_work *w, size_t region) {
    measures_free(&w->m->of[region]);
    w->m->missed++;
}

// Of several harts, each has left one.
static void remove_parts(const struct regions_work *w, const char *part) {
    for (unsigned hart = 0; w->m->file.harts > 1 && hart < w->m->file.harts; hart++) {
        char path[PATH_MAX];
        run_harts_file(path, sizeof path, part, hart);
        unlink(path);
    }
}

// Its result, from the file that its process has left. False with err and status.
static bool take_part(struct regions_work *w, size_t region, const struct child *child, const char *part) {
    struct regions_measure *const m = w->m;
    const struct regions_region *const r = &m->file.regions[region];
    struct measures *const found = &m->of[region];
    const bool read = measures_read(found, part, NULL) == 0;
    if (!read || (child->status && child->status != STATUS_OUT_OF_BUDGET && !found->exited)) {
        error_set(w->err, "%s: region %zu: %s", m->path, r->cluster,
                  child->said[0] ? child->said : "its simulation was ended: run again");
        w->status =
            child->status > STATUS_BAD_INPUT && child->status <= STATUS_NO_PROGRESS ? child->status : STATUS_BAD_INPUT;
        return false;
    }
    if (regions_by_markers(&m->file)) {
        if (r->end.pc && found->exited) miss(w, region);
        return true;
    }
    const double instructions = measures_get(found, "instructions");
    const uint64_t expected = m->backend->steps ? r->steps : r->instructions;
    if (fabs(instructions - (double)expected) > LONGER) {
        error_set(w->err,
                  "%s: region %zu: %.0f instructions on the core, not %" PRIu64
                  ": it takes another way there (time, input?): find regions of a program that does not",
                  m->path, r->cluster, instructions, expected);
        w->status = STATUS_BAD_INPUT;
        return false;
    }
    return true;
}

static bool ended(void *context, size_t which) {
    struct regions_work *const w = context;
    const size_t region = w->regions[which];
    char *const part = part_path(w, region), *const path = kept_path(w, region, ".json"), *tips = NULL;
    bool good = part && path && (!w->m->period || asprintf(&tips, "%s.tips", part) >= 0);
    if (good) good = w->children[which].status <= 128 && take_part(w, region, &w->children[which], part);
    if (part) remove_parts(w, part);
    const bool kept = good && w->m->of[region].count;
    if (kept && ((tips && rename(tips, w->m->samples[region]) < 0) || rename(part, path) < 0)) {
        error_set(w->err, "%s: cannot be written: %s: name another --keep", path, strerror(errno));
        w->status = STATUS_OUTPUT;
        good = false;
    }
    if (!kept && tips) unlink(tips);
    if (!kept && part) unlink(part);
    if (!good && !w->status) w->status = STATUS_BAD_INPUT;
    free(tips);
    free(part);
    free(path);
    return good;
}

static int run(struct regions_work *w) {
    const struct regions_measure *const m = w->m;
    struct children c = {.list = w->children,
                         .count = w->count,
                         .jobs = m->jobs,
                         .what = "regions",
                         .before = m->reused,
                         .quiet = m->quiet,
                         .ended = ended,
                         .context = w};
    const int number = w->count ? children_run(&c, w->err) : 0;
    if (number > 0) {
        w->err->text[0] = '\0';
        return 128 + number;
    }
    return number < 0 ? STATUS_BAD_INPUT : w->status;
}

// What is not kept.
static void choose(struct regions_work *w) {
    struct regions_measure *const m = w->m;
    for (size_t i = 0; i < m->file.region_count; i++) {
        m->samples[i] = samples_path(w, i);
        if (take_kept(w, i))
            m->reused++;
        else
            w->regions[w->count++] = i;
    }
}

static bool prepare(struct regions_work *w) {
    struct regions_measure *const m = w->m;
    for (size_t i = 0; i < w->count; i++) {
        const struct regions_region *const r = &m->file.regions[w->regions[i]];
        char *const part = part_path(w, w->regions[i]);
        if (!part) {
            error_nomem(w->err, m->path);
            return false;
        }
        w->children[i].work = (double)(r->steps + r->warmup);
        m->backend->command(w, w->regions[i], part, &w->children[i]);
        free(part);
    }
    return true;
}

static int measure(struct regions_work *w) {
    struct regions_measure *const m = w->m;
    if (mkdir(w->keep, 0777) < 0 && errno != EEXIST) {
        error_set(w->err, "%s: %s: name another --keep", w->keep, strerror(errno));
        return STATUS_OUTPUT;
    }
    if (m->file.harts > 1 && !m->backend->steps && (m->period || !regions_by_markers(&m->file))) {
        error_set(w->err, "%s: regions of %u harts%s", m->path, m->file.harts,
                  m->period ? ": --samples projects those of one: omit it"
                            : ", by instructions, which are no place of a run on the core: find them with --method "
                              "looppoint or viper, or give --on gus");
        return STATUS_BAD_INPUT;
    }
    if ((!m->backend->counts && (m->count || m->sets)) || (!m->backend->samples && m->period)) {
        error_set(w->err, "--count, --set and --samples: are the core's: give --on rtl, or omit them");
        return STATUS_BAD_INPUT;
    }
    if (!regions_check_program(w) || !regions_find_checkpoints(w) || !regions_make_keys(w))
        return w->status ? w->status : STATUS_BAD_INPUT;
    choose(w);
    if (w->count && regions_by_markers(&m->file) && !regions_count_before(w)) return w->status;
    if (!prepare(w)) return STATUS_BAD_INPUT;
    const int status = run(w);
    return status == EXIT_SUCCESS && m->missed && !regions_leave_out(m, w->err) ? STATUS_BAD_INPUT : status;
}

int regions_measure(struct regions_measure *m, struct error *err) {
    struct regions_work w = {.m = m, .err = err};
    if (regions_file_read(&m->file, m->path, err) < 0 || !folder_find(w.folder, sizeof w.folder, err))
        return STATUS_BAD_INPUT;
    const size_t count = m->file.region_count;
    m->of = calloc(count, sizeof *m->of);
    m->samples = calloc(count, sizeof(char *));
    w.keys = calloc(count, sizeof *w.keys);
    w.children = calloc(count, sizeof *w.children);
    w.regions = calloc(count, sizeof *w.regions);
    w.before = calloc(count, sizeof *w.before);
    const bool named = m->keep ? (w.keep = strdup(m->keep)) != NULL : asprintf(&w.keep, "%s.run", m->path) >= 0;
    const bool good = m->of && m->samples && w.keys && w.children && w.regions && w.before && named;
    const int status = good ? measure(&w) : STATUS_BAD_INPUT;
    if (!good) error_nomem(err, m->path);
    children_free(w.children, count);
    free(w.regions);
    free(w.before);
    free(w.keys);
    if (named) free(w.keep);
    return status;
}
