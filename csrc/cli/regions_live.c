// tipoff regions live: Pac-Sim, sampled simulation of a program that nobody has looked at before.
#include "analysis/analysis.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/regions.h"
#include "cli/regions_live_options.h"
#include "cli/regions_live_rtl.h"
#include "methods/regions/measures.h"
#include "methods/regions/own_code.h"
#include <stdlib.h>
#include <string.h>

struct live_run {
    struct live_options *o;
    struct live_gus *gus; // one of the two
    struct live_rtl *rtl;
    struct program *names; // NULL: not known, nor code
    struct own_code *code;
    double reference; // cycles; 0: not known
    double *full;     // of each region, in a run in detail; NULL: not known
    const struct pacsim *pacsim;
    bool cut; // the run did not go to the program's end
};

// Functions at which harts wait for each other or begin to run side by side: by tipoff-cc's runtime and the kernels of
// tests/parallel, GCC's OpenMP, POSIX.
static const char *const barrier_names[] = {"tipoff_barrier_wait",
                                            "sync_barrier",
                                            "GOMP_parallel",
                                            "GOMP_barrier",
                                            "gomp_barrier_wait",
                                            "gomp_team_barrier_wait",
                                            "gomp_team_barrier_wait_end",
                                            "pthread_barrier_wait",
                                            "pthread_create",
                                            "pthread_join"};
enum { BARRIERS = sizeof barrier_names / sizeof *barrier_names };

static bool closes(void *context, uint64_t pc, uint64_t target, bool jump) {
    const struct live_run *const r = context;
    if (own_code_synchronises(r->code, pc)) return false;
    const struct program_function *const f = program_function_at(r->names, pc), *const g = program_function_at(r->names,
                                                                                                               target);
    return !jump || (f && g && f->entry == g->entry);
}

static int by_address(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Where those of the program begin.
static size_t find_barriers(const struct program *names, uint64_t found[BARRIERS]) {
    size_t count = 0, functions;
    const struct program_function *const list = program_functions(names, &functions);
    for (unsigned i = 0; i < BARRIERS; i++) {
        const size_t at = program_find_function(names, barrier_names[i]);
        if (at < functions) found[count++] = list[at].entry;
    }
    qsort(found, count, sizeof *found, by_address);
    return count;
}

// A number, or the cycles of a file of statistics.
static bool read_reference(struct live_run *r, struct error *err) {
    const char *const text = r->o->reference;
    char *end;
    if (!text) return true;
    r->reference = strtod(text, &end);
    if (end != text && !*end && r->reference >= 1) return true;
    struct measures m = {0};
    const bool good = measures_read(&m, text, err) == 0;
    r->reference = good ? measures_get(&m, "cycles") : 0;
    measures_free(&m);
    return good;
}

static int report(const struct live_run *live, const struct pacsim *p, const struct pacsim_live *run,
                  struct error *err) {
    const struct live_options *const o = live->o;
    char warmup[64];
    struct pacsim_report r = {.pacsim = p,
                              .live = run,
                              .program = iss_program_path(&o->program),
                              .method = live_method_names[o->settings.method],
                              .on = live_on_names[o->on],
                              .config = o->config,
                              .warmup = warmup,
                              .reference = live->reference};
    snprintf(warmup, sizeof warmup, "%s",
             o->on == LIVE_ON_GUS ? live_warmup_names[o->warmup]
             : o->warmup_text     ? o->warmup_text
                                  : "none");
    r.full = live->full;
    struct output *const output = output_open(o->output, err);
    if (!output) return STATUS_OUTPUT;
    const bool good = pacsim_report_write(&r, o->format, output_file(output), err);
    if (output_close(output, good, good ? err : NULL) < 0) return good ? STATUS_OUTPUT : STATUS_BAD_INPUT;
    return EXIT_SUCCESS;
}

// The program once more, all in detail.
static int run_full(void *context, struct iss *iss, struct error *err) {
    struct live_run *live = context;
    struct signals_before before;
    const volatile sig_atomic_t *const stop = signals_note(&before);
    const bool good = live_gus_full(live->gus, iss, live->pacsim, live->cut, stop, &live->reference, &live->full, err);
    const int came = *stop;
    signals_restore(&before);
    return good ? EXIT_SUCCESS : came ? 128 + came : STATUS_BAD_INPUT;
}

// What is still to be simulated, and the report. status: of the program's run.
static int finish(struct live_run *live, struct pacsim *p, struct pacsim_live *run, int status, struct error *err) {
    if (status == STATUS_BAD_INPUT) return status;
    if (p->count == 0) {
        error_set(err, "%s: no instruction was executed: nothing to report", iss_program_path(&live->o->program));
        return STATUS_BAD_INPUT;
    }
    if (live->rtl) {
        const int came = live_rtl_measure(live->rtl, p, &run->seconds[PACSIM_DETAIL], err);
        if (came) return came < 0 ? STATUS_BAD_INPUT : 128 + came;
    }
    if (live->o->full && status < 128) {
        live->pacsim = p;
        live->cut = status != EXIT_SUCCESS;
        const int full = iss_program_run(&live->o->program, run_full, live, err);
        if (full) return full;
    }
    const int written = report(live, p, run, err);
    return written ? written : status;
}

static int run(void *context, struct iss *iss, struct error *err) {
    struct live_run *live = context;
    struct live_options *const o = live->o;
    struct signals_before before;
    struct pacsim_engine engine;
    struct pacsim p;
    uint64_t barriers[BARRIERS];
    if (iss_harts(iss) > 1 && live->rtl) {
        error_set(err, "--harts: --on rtl simulates one hart: omit it, or use --on gus");
        return STATUS_BAD_INPUT;
    }
    if (!pacsim_begin(&p, &o->settings, iss_harts(iss), err)) return STATUS_BAD_INPUT;
    if (live->gus)
        live_gus_engine(live->gus, &engine);
    else
        live_rtl_engine(live->rtl, &engine);
    struct pacsim_live l = {.least = o->least,
                            .most = o->most,
                            .markers = o->settings.method == PACSIM_LIVE,
                            .max = o->program.max,
                            .closes = live->code ? closes : NULL,
                            .names = live,
                            .stop = signals_note(&before),
                            .engine = &engine};
    if (live->names && iss_harts(iss) > 1) {
        l.barriers = barriers;
        l.barrier_count = find_barriers(live->names, barriers);
    }
    int status = STATUS_BAD_INPUT;
    const bool good = pacsim_live_run(&l, &p, iss, err) == 0;
    if (good) status = *l.stop ? 128 + *l.stop : iss_program_status(&o->program, iss, err);
    const bool stopped = *l.stop != 0;
    signals_restore(&before);
    if (live->gus) live_gus_leave(live->gus);
    if (good && !(stopped && live->rtl)) status = finish(live, &p, &l, status, err);
    pacsim_free(&p);
    return status;
}

static bool open_engine(struct live_run *r, struct error *err) {
    struct live_options *const o = r->o;
    if (o->on == LIVE_ON_GUS) {
        r->gus = live_gus_create(o->config, o->table, o->warmup, err);
        return r->gus != NULL;
    }
    const struct live_rtl_options rtl = {.config = o->config,
                                         .program = o->program.program,
                                         .input = o->program.input,
                                         .argv = o->program.restore ? NULL : o->program.argv,
                                         .origin = &o->program.origin,
                                         .accesses = o->accesses,
                                         .warmup = o->ahead,
                                         .jobs = o->jobs,
                                         .quiet = o->format != PACSIM_TEXT};
    r->rtl = live_rtl_create(&rtl, err);
    return r->rtl != NULL;
}

int regions_live(int argc, char **argv) {
    struct live_options o;
    struct live_run r = {.o = &o};
    struct error err = {""};
    live_options_begin(&o);
    parse_command(&live_options_argp, "regions live", argc, argv, &o);
    const bool stats = o.reference && o.reference[strspn(o.reference, "0123456789.eE+")];
    const struct path_use uses[] = {{"the program", o.program.program, false},
                                    {"--input", o.program.input, false},
                                    {"--restore", o.program.restore, false},
                                    {"--table", o.table, false},
                                    {"--reference", stats ? o.reference : NULL, false},
                                    {"--output", o.output, true}};
    int status = STATUS_BAD_INPUT;
    if (paths_check(uses, sizeof uses / sizeof *uses, &err) && read_reference(&r, &err) && open_engine(&r, &err)) {
        if (o.program.program) r.names = program_load(o.program.program, NULL);
        r.code = r.names ? own_code_create(r.names, NULL) : NULL;
        status = iss_program_run(&o.program, run, &r, &err);
    }
    free(r.full);
    live_gus_destroy(r.gus);
    live_rtl_destroy(r.rtl);
    own_code_destroy(r.code);
    program_destroy(r.names);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
