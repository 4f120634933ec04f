// The markers of a program, by runs of several quanta: regions_markers.h.
#include "cli/regions_markers.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "methods/regions/viper_markers.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_SYNC = REGIONS_MARKERS_KEYS, OPT_QUANTA };
enum { PIECE = 1 << 20 }; // instructions between two looks at signals

static const struct argp_option options[] = {
    {"sync", OPT_SYNC, "FUNCTION[,...]", 0,
     "functions that synchronise, also where they are inlined: executed, but not counted; '*' at the end: any; "
     "looppoint: libgomp's alone (default: locks and barriers of tipoff_harts.h, libgomp's, pthread's, futex's, "
     "sync_*)",
     0},
    {"quanta", OPT_QUANTA, "N[,...]", 0,
     "of several harts: a marker whose count is not the same in runs of all these quanta is none (default: "
     "64,256,1000,4096,100000)",
     0},
    OPTION_QUIET("", 0),
    {0},
};

void regions_markers_begin(struct regions_markers *r) {
    *r = (struct regions_markers){.quanta = {64, 256, 1000, 4096, 100000}, .quantum_count = 5};
}

void regions_markers_free(struct regions_markers *r) {
    markers_free(&r->markers);
    own_code_destroy(r->code);
    program_destroy(r->program);
}

static void take_quanta(struct regions_markers *r, char *list, struct argp_state *state) {
    r->quantum_count = 0;
    for (char *rest = list, *word; (word = strsep(&rest, ","));) {
        if (r->quantum_count == MARKERS_MOST_QUANTA) argp_error(state, "--quanta: more than %d", MARKERS_MOST_QUANTA);
        r->quanta[r->quantum_count++] = option_number(word, ISS_LEAST_QUANTUM, ISS_MOST_QUANTUM, "quanta", state);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct regions_markers *r = state->input;
    switch (key) {
    case OPT_SYNC: r->sync = arg; break;
    case OPT_QUANTA: take_quanta(r, arg, state); break;
    case 'q': r->quiet = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
    r->given = true;
    return 0;
}
const struct argp regions_markers_argp = {.options = options, .parser = parse};

// ---- runs that count ----
struct counting {
    struct iss_program *program;
    struct markers *markers;
};

// To its end, or where a signal comes. The exit status.
static int run(const struct iss_program *program, struct iss *iss, struct error *err) {
    struct signals_before before;
    const volatile sig_atomic_t *const came = signals_note(&before);
    for (uint64_t done = 0, now = 1; now && !*came && done < program->max && !iss_over(iss);)
        done += now = iss_run(iss, program->max - done < PIECE ? program->max - done : PIECE);
    signals_restore(&before);
    return *came ? 128 + *came : iss_program_status(program, iss, err);
}

static int count(void *context, struct iss *iss, struct error *err) {
    const struct counting *c = context;
    struct markers_watch watch = {.markers = c->markers};
    return markers_watch(&watch, iss, err) ? run(c->program, iss, err) : STATUS_BAD_INPUT;
}

// ---- the run whose loops they are ----
struct looking {
    struct iss_program *program;
    struct regions_markers *r;
};

static int look(void *context, struct iss *iss, struct error *err) {
    const struct looking *l = context;
    if (!dcfg_watch(iss, err)) return STATUS_BAD_INPUT;
    const int status = run(l->program, iss, err);
    if (status && status != STATUS_OUT_OF_BUDGET) return status;
    struct dcfg *d = dcfg_of_run(iss, l->r->program, err);
    const bool good = d && markers_of_loops(&l->r->markers, d, l->r->program, l->r->code, err);
    dcfg_free(d);
    return good ? status : STATUS_BAD_INPUT;
}

// As often as there are quanta; `counts` has room for all.
static int count_all(struct regions_markers *r, struct iss_program *program, unsigned runs, uint64_t *counts,
                     struct error *err) {
    struct iss_program mine = *program;
    struct counting c = {&mine, &r->markers};
    int status = EXIT_SUCCESS;
    for (unsigned i = 0; i < runs && (!status || status == STATUS_OUT_OF_BUDGET); i++) {
        if (runs > 1) mine.quantum = r->quanta[i];
        status = iss_program_run(&mine, count, &c, err);
        for (size_t k = 0; k < r->markers.count; k++)
            counts[i * r->markers.count + k] = r->markers.at[k].count;
    }
    program->harts = mine.harts;
    return status == STATUS_OUT_OF_BUDGET ? EXIT_SUCCESS : status;
}

static void report(const struct regions_markers *r, const struct markers_kept *kept, unsigned runs) {
    const struct program_function *const f = kept->unstable ? program_function_at(r->program, kept->worst) : NULL;
    fprintf(stderr, "tipoff: %zu marker%s", r->markers.count, r->markers.count == 1 ? "" : "s");
    if (runs > 1 && !kept->unstable) fprintf(stderr, ", executed as often under each of %u quanta", runs);
    if (kept->unstable)
        fprintf(stderr, " of %zu executed loop entries: the others are not executed as often under each of %u quanta",
                kept->candidates, runs);
    if (f)
        fprintf(stderr, " (%s+0x%" PRIx64 ": %" PRIu64 " to %" PRIu64 " times)", f->name, kept->worst - f->entry,
                kept->low, kept->high);
    fputc('\n', stderr);
}

int regions_markers_find(struct regions_markers *r, struct iss_program *program, struct error *err) {
    const char *const path = program->program;
    if (!path) {
        error_set(err, "--restore: loops are found in the program's file: name it, too");
        return STATUS_BAD_INPUT;
    }
    r->program = program_load(path, err);
    if (!r->program) return STATUS_BAD_INPUT;
    r->code = own_code_create(r->program, r->sync);
    if (!r->code) error_nomem(err, "code of a program");
    if (!r->code) return STATUS_BAD_INPUT;
    struct looking looking = {program, r};
    int status = iss_program_run(program, look, &looking, err);
    if (status && status != STATUS_OUT_OF_BUDGET) return status;
    if (r->classes && !viper_classify(&r->markers, r->program, r->code, err)) return STATUS_BAD_INPUT;
    const unsigned harts = program->harts     ? program->harts
                           : program->restore ? checkpoint_harts(program->restore, err)
                                              : 1;
    if (!harts) return STATUS_BAD_INPUT;
    // A run that --max-insns ends has done other work at each quantum.
    const unsigned runs = harts > 1 && program->max == UINT64_MAX ? r->quantum_count : 1;
    uint64_t *const counts = calloc(runs * r->markers.count + 1, sizeof *counts);
    if (!counts) error_nomem(err, "counts of markers");
    status = counts ? count_all(r, program, runs, counts, err) : STATUS_BAD_INPUT;
    if (!status) {
        const struct markers_kept kept = markers_keep_stable(&r->markers, counts, runs);
        report(r, &kept, runs);
        if (r->markers.count == 0) {
            error_set(err,
                      "%s: no loop of its own is executed as often in each run: name fewer --quanta, or take "
                      "--method simpoint",
                      path);
            status = STATUS_BAD_INPUT;
        }
    }
    free(counts);
    return status;
}

static bool counts(void *context, struct place block) {
    return !own_code_synchronises(context, block.pc);
}

bool regions_markers_count(const struct regions_markers *r, struct iss *iss, struct error *err) {
    if (!iss_watch_flow(iss, err)) return false;
    iss_flow_count_by(iss, counts, r->code);
    return true;
}
