// tipoff iss: run a program on the golden instruction-set simulator alone.
#include "base/grouped.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/iss_print.h"
#include "cli/iss_program.h"
#include "cli/shared_options.h"
#include "cli/stop.h"
#include "machine/finisher.h"
#include "machine/htif.h"
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPT_TRACE = 256, OPT_AD, OPT_CHECKPOINT, OPT_AT, OPT_HART_ID, OPT_ACCESSES };
enum { CHUNK = 1 << 20 }; // between two looks at signals: milliseconds, unless each step is a trap

static const struct argp_option options[] = {
    {"trace", OPT_TRACE, "FILE", 0, "write one line per instruction and trap ('-': stdout)", 0},
    {"ad-update", OPT_AD, NULL, 0, "set accessed and dirty bits in hardware (Svadu) instead of raising page faults", 0},
    OPTION_HART_ID(OPT_HART_ID, 0),
    {"checkpoint", OPT_CHECKPOINT, "FILE", 0, "write a checkpoint at --at, and exit there", 0},
    {"accesses", OPT_ACCESSES, NULL, 0,
     "with --checkpoint: record the last access to each line of memory, for `tipoff run --warm` (slower)", 0},
    {"at", OPT_AT, "N|PLACE[:COUNT]|marker[:NUMBER]", 0,
     "after N instructions and traps of this run; before the instruction at PLACE (0xADDRESS, SYMBOL or SYMBOL+BYTES), "
     "the first or COUNTth time; after a marker instruction (slti x0, x0, NUMBER), any one or NUMBER's",
     0},
    OPTION_QUIET("", 0),
    {0},
};

struct arguments {
    struct iss_program program;
    const char *trace, *checkpoint, *at;
    bool quiet, record;
    struct access_record *accesses; // so far; NULL: they are not recorded
    struct stop stop;
    const volatile sig_atomic_t *came; // the signal
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    struct iss_program *p = &a->program;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = p; break;
    case OPT_HART_ID: p->hart_id = (unsigned)option_number(arg, 0, UINT8_MAX, "hart-id", state); break;
    case OPT_CHECKPOINT: a->checkpoint = arg; break;
    case OPT_AT: a->at = arg; break;
    case OPT_ACCESSES: a->record = true; break;
    case OPT_AD: p->ad_update = true; break;
    case OPT_TRACE: a->trace = arg; break;
    case 'q': a->quiet = true; break;
    case ARGP_KEY_END:
        p->ends = a->checkpoint;
        if (!a->checkpoint != !a->at) argp_error(state, "--checkpoint and --at go together");
        if (a->record && !a->checkpoint) argp_error(state, "--accesses: go into a checkpoint: name it, or omit it");
        if (p->restore && p->ad_update)
            argp_error(state, "--ad-update: the checkpoint determines it; omit one of the two");
        if (p->hart_id && p->harts > 1) argp_error(state, "--hart-id: several harts are numbered from 0; omit it");
        if (p->restore && p->hart_id) argp_error(state, "--hart-id: the checkpoint determines it; omit one of the two");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// Step by step: for a trace, and up to an address.
static uint64_t run_steps(struct iss *iss, struct arguments *a, FILE *trace) {
    uint64_t done = 0;
    struct iss_retire retire;
    for (; done < a->program.max && !iss_over(iss) && !*a->came && !(trace && ferror(trace)); done++) {
        struct hart *const next = iss_next(iss);
        if (stop_reached(&a->stop, next, done)) break;
        const struct hart *hart = a->accesses ? access_record_step(a->accesses, iss, &retire) : iss_step(iss, &retire);
        if (!hart) break;
        stop_after(&a->stop, iss, &retire);
        if (trace) iss_print_step(trace, hart, iss_harts(iss) > 1, &retire);
    }
    return done;
}

static uint64_t run_fast(struct iss *iss, struct arguments *a) {
    uint64_t done = 0, max = stop_limit(&a->stop, a->program.max);
    while (done < max && !iss_over(iss) && !*a->came && iss_next(iss) && !stop_reached(&a->stop, iss_next(iss), done)) {
        const uint64_t most = max - done < CHUNK ? max - done : CHUNK;
        done += a->accesses ? access_record_run(a->accesses, iss, most, max - done) : iss_run(iss, most);
        stop_after(&a->stop, iss, NULL);
    }
    return done;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// What a run with --checkpoint ends with.
static int save(const struct arguments *a, struct iss *iss, uint64_t done, struct error *err) {
    if (!stop_reached(&a->stop, iss_next(iss), done)) {
        error_set(err, "%s: the run ended before --at %s: no checkpoint is written; choose an earlier place",
                  iss_program_path(&a->program), a->at);
        return STATUS_BAD_INPUT;
    }
    if (checkpoint_write(iss, &a->program.origin, a->checkpoint, err) < 0) return STATUS_OUTPUT;
    const struct hart *next = iss_next(iss);
    if (!next) next = iss_hart(iss, 0); // all wait forever
    char which[32] = "", count[GROUPED_TEXT];
    if (iss_harts(iss) > 1) snprintf(which, sizeof which, "with hart %u next, ", hart_number(next));
    if (!a->quiet)
        fprintf(stderr, "tipoff: %s: the machine %sat pc 0x%" PRIx64 ", after %s instructions\n", a->checkpoint, which,
                hart_pc(next), grouped(count, done));
    return EXIT_SUCCESS;
}

static int run(struct arguments *a, struct iss *iss, FILE *trace, struct error *err) {
    struct signals_before before;
    a->came = signals_note(&before);
    double start = now();
    bool steps = trace || stop_needs_steps(&a->stop) || (a->accesses && stop_at_marker(&a->stop));
    uint64_t done = steps ? run_steps(iss, a, trace) : run_fast(iss, a);
    double seconds = now() - start;
    signals_restore(&before);
    fflush(stdout); // in a log, what the program printed stands before messages about it
    if (a->checkpoint && !*a->came) return save(a, iss, done, err);
    const char *const name = iss_program_path(&a->program);
    if (!a->quiet) iss_print_end(iss, name, *a->came, done, seconds);
    uint64_t code;
    if (iss_refused(iss, name, err)) return STATUS_BAD_INPUT;
    if (iss_exited(iss, &code)) return htif_status(code);
    if (iss_asks_for_reset(iss)) {
        error_set(err, "%s: " FINISHER_RESET_TEXT, name);
        return STATUS_NO_PROGRESS;
    }
    if (!*a->came && !iss_next(iss)) {
        error_set(
            err,
            "%s: all harts wait for an interrupt (wfi), and none will come: enable one in mie, and set a timer or "
            "write msip",
            name);
        return STATUS_NO_PROGRESS;
    }
    return *a->came ? 128 + *a->came : STATUS_OUT_OF_BUDGET;
}

static FILE *open_trace(const char *path, struct error *err) {
    return strcmp(path, "-") == 0 ? stdout : output_stream(path, err);
}

// Whether everything has been written, to the trace and to stdout.
static bool close_outputs(const struct arguments *a, FILE *trace, struct error *err) {
    const bool good = !trace || trace == stdout || output_stream_close(trace, a->trace, err) == 0;
    return stdout_written(err) && good;
}

static int with_machine(void *context, struct iss *iss, struct error *err) {
    struct arguments *a = context;
    if (a->at && !stop_parse(&a->stop, a->at, a->program.image, err)) return STATUS_BAD_INPUT;
    FILE *const trace = a->trace ? open_trace(a->trace, err) : NULL;
    if (a->trace && !trace) return STATUS_OUTPUT;
    iss_watch_markers(iss, stop_at_marker(&a->stop));
    signal(SIGPIPE, SIG_IGN);
    if (a->record && !(a->accesses = access_record_create(iss_memory_bytes(iss), iss_harts(iss), err)))
        return STATUS_BAD_INPUT;
    if (a->record && !access_record_watch(a->accesses, iss, err)) return STATUS_BAD_INPUT;
    a->program.origin.accesses = a->accesses;
    const int status = run(a, iss, trace, err);
    access_record_destroy(a->accesses);
    return close_outputs(a, trace, err) ? status : STATUS_OUTPUT;
}

int cmd_iss(int argc, char **argv) {
    static const char text[] = "Run PROGRAM on the golden instruction-set simulator, without a core model.\v"
                               "Exit status: the program's (codes above 255: 255); 124 when --max-insns ran out; 2 on "
                               "bad usage or bad input; 4 "
                               "when an output could not be written; 5 when the program asked for a reset, or all "
                               "harts wait forever; 128 and the signal's number when a signal ended it.";
    const struct argp_child children[] = {{&iss_program_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "[PROGRAM.elf [-- ARG...]]",
                              .doc = text,
                              .children = children};
    struct arguments a = {.trace = NULL};
    iss_program_begin(&a.program);
    a.program.console = stdout;
    a.program.second = stderr;
    parse_command(&argp, "iss", argc, argv, &a);

    int status = STATUS_BAD_INPUT;
    struct error err = {""};
    const struct path_use uses[] = {{"the program", a.program.program, false},
                                    {"--input", a.program.input, false},
                                    {"--restore", a.program.restore, false},
                                    {"--checkpoint", a.checkpoint, true},
                                    {"--trace", a.trace && strcmp(a.trace, "-") != 0 ? a.trace : NULL, true}};
    if (paths_check(uses, sizeof uses / sizeof *uses, &err)) {
        if (a.checkpoint && !paths_creatable(a.checkpoint, &err))
            status = STATUS_OUTPUT;
        else
            status = iss_program_run(&a.program, with_machine, &a, &err);
    }
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
