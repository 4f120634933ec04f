// tipoff iss: run a program on the golden instruction-set simulator alone.
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/iss_print.h"
#include "cli/stop.h"
#include "iss/checkpoint.h"
#include "iss/iss.h"
#include "machine/console.h"
#include "machine/ends.h"
#include "machine/finisher.h"
#include "machine/harts.h"
#include "machine/htif.h"
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    OPT_MAX_INSNS = 256,
    OPT_TRACE,
    OPT_INPUT,
    OPT_AD,
    OPT_CHECKPOINT,
    OPT_AT,
    OPT_RESTORE,
    OPT_HART_ID,
    OPT_HARTS,
    OPT_QUANTUM,
    OPT_MEMORY,
    OPT_FILE_ROOT
};
enum { CHUNK = 1 << 20 }; // between two looks at signals: milliseconds, unless each step is a trap

static const struct argp_option options[] = {
    {"max-insns", OPT_MAX_INSNS, "N", 0, "end after N instructions and traps, of all harts together, with status 124",
     0},
    {"trace", OPT_TRACE, "FILE", 0, "write one line per instruction and trap ('-': stdout)", 0},
    {"input", OPT_INPUT, "FILE", 0, "console input of the program (default: none)", 0},
    {"file-root", OPT_FILE_ROOT, "DIR", 0, FILE_ROOT_TEXT, 0},
    {"ad-update", OPT_AD, NULL, 0, "set accessed and dirty bits in hardware (Svadu) instead of raising page faults", 0},
    {"hart-id", OPT_HART_ID, "N", 0, "value of mhartid, 0 to 255 (default: 0, or the checkpoint's)", 0},
    {"harts", OPT_HARTS, "N", 0, "harts of the machine, 1 to 16 (default: 1, or the checkpoint's)", 0},
    {"quantum", OPT_QUANTUM, "N", 0, QUANTUM_TEXT, 0},
    {"memory", OPT_MEMORY, "SIZE", 0, MEMORY_OR_CHECKPOINT, 0},
    {"checkpoint", OPT_CHECKPOINT, "FILE", 0, "write a checkpoint at --at, and exit there", 0},
    {"at", OPT_AT, "N|PLACE[:COUNT]|marker[:NUMBER]", 0,
     "after N instructions and traps of this run; before the instruction at PLACE (0xADDRESS, SYMBOL or SYMBOL+BYTES), "
     "the first or COUNTth time; after a marker instruction (slti x0, x0, NUMBER), any one or NUMBER's",
     0},
    {"restore", OPT_RESTORE, "FILE", 0, "start from this checkpoint; PROGRAM is optional then", 0},
    {"quiet", 'q', NULL, 0, "do not print the last line", 0},
    {0},
};

struct arguments {
    const char *program, *trace, *input, *checkpoint, *at, *restore;
    char *const *argv; // the program's
    struct host_roots file_roots;
    uint64_t max, quantum, memory;
    unsigned hart_id, harts; // harts, quantum, memory: 0 where not given
    bool quiet, ad_update;
    struct checkpoint_origin origin; // of the machine that runs
    struct stop stop;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case OPT_MAX_INSNS: a->max = option_number(arg, 0, UINT64_MAX, "max-insns", state); break;
    case OPT_HART_ID: a->hart_id = (unsigned)option_number(arg, 0, UINT8_MAX, "hart-id", state); break;
    case OPT_HARTS: a->harts = (unsigned)option_number(arg, 1, MACHINE_MOST_HARTS, "harts", state); break;
    case OPT_QUANTUM: a->quantum = option_number(arg, ISS_LEAST_QUANTUM, ISS_MOST_QUANTUM, "quantum", state); break;
    case OPT_MEMORY: a->memory = memory_argument(arg, state); break;
    case OPT_CHECKPOINT: a->checkpoint = arg; break;
    case OPT_AT: a->at = arg; break;
    case OPT_RESTORE: a->restore = arg; break;
    case OPT_AD: a->ad_update = true; break;
    case OPT_TRACE: a->trace = arg; break;
    case OPT_INPUT: a->input = arg; break;
    case OPT_FILE_ROOT: file_root_argument(&a->file_roots, arg, state); break;
    case 'q': a->quiet = true; break;
    case ARGP_KEY_ARG:
        if (program_argument(state, &a->argv)) a->program = arg;
        break;
    case ARGP_KEY_END:
        if (!a->checkpoint != !a->at) argp_error(state, "--checkpoint and --at go together");
        if (a->restore && a->ad_update)
            argp_error(state, "--ad-update: the checkpoint determines it; omit one of the two");
        if (a->hart_id && a->harts > 1) argp_error(state, "--hart-id: several harts are numbered from 0; omit it");
        quantum_argument(a->quantum, a->harts, a->restore, state);
        if (a->restore && a->hart_id) argp_error(state, "--hart-id: the checkpoint determines it; omit one of the two");
        break;
    case ARGP_KEY_NO_ARGS:
        if (a->restore) break;
        argp_error(state, "name a program: build/workloads/NAME.SIZE.elf, see `tipoff workloads`");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
    interrupted = signal_number;
}

static bool ended(const struct iss *iss) {
    return iss_exited(iss, NULL) || iss_refused(iss, "", NULL) || iss_asks_for_reset(iss);
}

// Step by step: for a trace, and up to an address.
static uint64_t run_steps(struct iss *iss, struct arguments *a, FILE *trace) {
    uint64_t done = 0;
    struct iss_retire retire;
    for (; done < a->max && !ended(iss) && !interrupted && !(trace && ferror(trace)); done++) {
        if (stop_reached(&a->stop, iss_next(iss), done)) break;
        const struct hart *hart = iss_step(iss, &retire);
        if (!hart) break;
        stop_after(&a->stop, iss, &retire);
        if (trace) iss_print_step(trace, hart, iss_harts(iss) > 1, &retire);
    }
    return done;
}

static uint64_t run_fast(struct iss *iss, struct arguments *a) {
    uint64_t done = 0, max = stop_limit(&a->stop, a->max);
    while (done < max && !ended(iss) && !interrupted && iss_next(iss) && !stop_reached(&a->stop, iss_next(iss), done)) {
        done += iss_run(iss, max - done < CHUNK ? max - done : CHUNK);
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
                  a->program, a->at);
        return STATUS_BAD_INPUT;
    }
    if (checkpoint_write(iss, &a->origin, a->checkpoint, err) < 0) return STATUS_OUTPUT;
    const struct hart *next = iss_next(iss);
    if (!next) next = iss_hart(iss, 0); // all wait forever
    char which[32] = "";
    if (iss_harts(iss) > 1) snprintf(which, sizeof which, "with hart %u next, ", hart_number(next));
    if (!a->quiet)
        fprintf(stderr, "tipoff: %s: the machine %sat pc 0x%" PRIx64 ", after %" PRIu64 " instructions\n",
                a->checkpoint, which, hart_pc(next), done);
    return EXIT_SUCCESS;
}

static int run(struct arguments *a, struct iss *iss, FILE *trace, struct error *err) {
    struct signals_before before;
    signals_catch(on_interrupt, true, &before);
    double start = now();
    bool steps = trace || stop_needs_steps(&a->stop);
    uint64_t done = steps ? run_steps(iss, a, trace) : run_fast(iss, a);
    double seconds = now() - start;
    signals_restore(&before);
    fflush(stdout); // in a log, what the program printed stands before messages about it
    if (a->checkpoint && !interrupted) return save(a, iss, done, err);
    if (!a->quiet) iss_print_end(iss, a->program, interrupted, done, seconds);
    uint64_t code;
    if (iss_refused(iss, a->program, err)) return STATUS_BAD_INPUT;
    if (iss_exited(iss, &code)) return htif_status(code);
    if (iss_asks_for_reset(iss)) {
        error_set(err, "%s: " FINISHER_RESET_TEXT, a->program);
        return STATUS_NO_PROGRESS;
    }
    if (!interrupted && !iss_next(iss)) {
        error_set(
            err,
            "%s: all harts wait for an interrupt (wfi), and none will come: enable one in mie, and set a timer or "
            "write msip",
            a->program);
        return STATUS_NO_PROGRESS;
    }
    return interrupted ? 128 + interrupted : STATUS_OUT_OF_BUDGET;
}

static bool has_end(const struct arguments *a, const struct image *image, struct error *err) {
    return a->max < UINT64_MAX || a->checkpoint || ends_by_itself(image, "--max-insns", err);
}

// The machine as its program or its checkpoint has it.
static bool fill(struct arguments *a, struct iss *iss, const struct image *image, struct error *err) {
    if (a->restore) {
        if (checkpoint_read(iss, &a->origin, a->restore, err) < 0 || !checkpoint_has(iss, a->memory, a->restore, err))
            return false;
        if (!a->program) a->program = a->origin.program;
        return !image || checkpoint_is_of(&a->origin, image, a->restore, err);
    }
    snprintf(a->origin.program, sizeof a->origin.program, "%s", a->program);
    snprintf(a->origin.build_id, sizeof a->origin.build_id, "%s", image_build_id(image));
    return iss_set_memory(iss, a->memory, err) == 0 && iss_load(iss, image, err) == 0;
}

static struct iss *set_up(struct arguments *a, const struct image *image, FILE **input, struct error *err) {
    if (image && !a->restore && !has_end(a, image, err)) return NULL;
    if (a->input && !(*input = console_open(a->input, err))) return NULL;
    if (!a->harts) a->harts = a->restore ? checkpoint_harts(a->restore, err) : 1;
    struct iss *iss = a->harts ? iss_create_harts(a->harts, err) : NULL;
    if (!iss) return NULL;
    if (a->quantum) iss_set_quantum(iss, a->quantum);
    iss_set_ad_update(iss, a->ad_update);
    iss_set_hart_id(iss, a->hart_id);
    iss_set_console(iss, stdout, *input);
    iss_set_second_console(iss, stderr);
    iss_set_file_roots(iss, &a->file_roots);
    if (fill(a, iss, image, err) && (!a->at || stop_parse(&a->stop, a->at, image, err))) {
        iss_set_arguments(iss, a->argv);
        iss_watch_markers(iss, stop_at_marker(&a->stop));
        return iss;
    }
    iss_destroy(iss);
    return NULL;
}

static FILE *open_trace(const char *path, struct error *err) {
    return strcmp(path, "-") == 0 ? stdout : output_stream(path, err);
}

// Whether everything has been written, to the trace and to stdout.
static bool close_outputs(const struct arguments *a, FILE *trace, struct error *err) {
    const bool good = !trace || trace == stdout || output_stream_close(trace, a->trace, err) == 0;
    return stdout_written(err) && good;
}

int cmd_iss(int argc, char **argv) {
    static const char text[] = "Run PROGRAM on the golden instruction-set simulator, without a core model.\v"
                               "Exit status: the program's (codes above 255: 255); 124 when --max-insns ran out; 2 on "
                               "bad usage or bad input; 4 "
                               "when an output could not be written; 5 when the program asked for a reset, or all "
                               "harts wait forever; 128 and the signal's number when a signal ended it.";
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "[PROGRAM.elf [-- ARG...]]", .doc = text};
    struct arguments a = {.max = UINT64_MAX, .file_roots.notices = &cli_notices};
    parse_command(&argp, "iss", argc, argv, &a);

    int status = STATUS_BAD_INPUT;
    struct error err = {""};
    FILE *trace = NULL, *input = NULL;
    const struct path_use uses[] = {{"the program", a.program, false},
                                    {"--input", a.input, false},
                                    {"--restore", a.restore, false},
                                    {"--checkpoint", a.checkpoint, true},
                                    {"--trace", a.trace && strcmp(a.trace, "-") != 0 ? a.trace : NULL, true}};
    bool good = paths_check(uses, sizeof uses / sizeof *uses, &err);
    struct image *image = good && a.program ? image_load(a.program, &err) : NULL;
    if (a.checkpoint && good && !paths_creatable(a.checkpoint, &err)) {
        good = false;
        status = STATUS_OUTPUT;
    }
    struct iss *iss = good && (image || !a.program) ? set_up(&a, image, &input, &err) : NULL;
    if (iss && a.trace) trace = open_trace(a.trace, &err);
    if (iss && !trace && a.trace) status = STATUS_OUTPUT;
    if (iss && (trace || !a.trace)) {
        signal(SIGPIPE, SIG_IGN);
        status = run(&a, iss, trace, &err);
        if (!close_outputs(&a, trace, &err)) status = STATUS_OUTPUT;
    }
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    iss_destroy(iss);
    if (input) fclose(input);
    image_destroy(image);
    return status;
}
