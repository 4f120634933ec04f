// tipoff litmus: what RVWMO allows litmus tests to end in, and what they do end in on a machine.
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/litmus_rtl.h"
#include "cli/shared_options.h"
#include "litmus/report.h"
#include "machine/harts.h"
#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { OPT_ALLOWED = 256, OPT_FORMAT, OPT_ON, OPT_CONFIG, OPT_ITERATIONS, OPT_SEED, OPT_HARTS };
enum { SHOW_PROGRESS = 100, MOST_ITERATIONS = 1000000000 }; // tests between two lines of it

static const struct argp_option options[] = {
    {"allowed", OPT_ALLOWED, NULL, 0, "show all states that RVWMO allows, and run nothing", 0},
    {"on", OPT_ON, "iss|rtl", 0, "machine to run on: the instruction-set simulator (default), or RTL cores", 0},
    OPTION_CONFIG(OPT_CONFIG, LITMUS_RTL_CONFIG ", the smallest whose caches are coherent; with --on rtl", 0),
    {"iterations", OPT_ITERATIONS, "N", 0, "times that each test runs (default: 1000)", 0},
    OPTION_SEED(OPT_SEED, "skew and placement", 0),
    {"harts", OPT_HARTS, "N", 0,
     "harts of the machine, 2 to 16, cores: 8 (default: one for each thread); which hart runs which thread is random",
     0},
    OPTION_FORMAT(OPT_FORMAT, "text (default), in the form of herd7 and litmus7; csv, json", 0),
    OPTION_OUTPUT("", 0),
    OPTION_QUIET("", 0),
    {0},
};

struct arguments {
    char **files;
    int count;
    const char *output;
    enum litmus_format format;
    bool allowed, run_given, quiet;
    struct litmus_run run;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[LITMUS_FORMATS] = {LITMUS_FORMAT_NAMES};
    static const struct litmus_machine *const machines[] = {&litmus_machine_iss, &litmus_machine_rtl};
    static const char *const names[] = {"iss", "rtl"};
    struct arguments *a = state->input;
    if (key >= OPT_ON && key <= OPT_HARTS) a->run_given = true;
    switch (key) {
    case OPT_ALLOWED: a->allowed = true; break;
    case OPT_ON: a->run.on = machines[option_choice(arg, names, sizeof names / sizeof *names, "on", state)]; break;
    case OPT_CONFIG: a->run.config = arg; break;
    case OPT_ITERATIONS: a->run.iterations = option_number(arg, 1, MOST_ITERATIONS, "iterations", state); break;
    case OPT_SEED: a->run.seed = option_number(arg, 0, UINT64_MAX, "seed", state); break;
    case OPT_HARTS: a->run.harts = (unsigned)option_number(arg, 2, MACHINE_MOST_HARTS, "harts", state); break;
    case OPT_FORMAT:
        a->format = (enum litmus_format)option_choice(arg, formats, LITMUS_FORMATS, "format", state);
        break;
    case 'o': a->output = arg; break;
    case 'q': a->quiet = true; break;
    case ARGP_KEY_ARGS:
        a->files = state->argv + state->next;
        a->count = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        if (!a->count) argp_error(state, "name a litmus test: FILE.litmus");
        if (a->allowed && a->run_given)
            argp_error(state,
                       "--allowed runs nothing: leave it out, or --on, --config, --iterations, --seed and --harts");
        if (a->run.config && a->run.on != &litmus_machine_rtl)
            argp_error(state, "--config belongs to RTL cores: add --on rtl, or leave it out");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// What all tests together come to.
struct totals {
    size_t good, forbidden; // tests
};

static void complain(const struct litmus_result *r, struct totals *totals) {
    size_t state = 0;
    const uint64_t count = litmus_forbidden(r, &state);
    if (!count || !r->seen) return;
    totals->forbidden++;
    fprintf(stderr, "tipoff: %s: %" PRIu64 " iterations ended in what RVWMO does not allow, such as ", r->path, count);
    litmus_states_print(r->seen->states, state, stderr);
    fputc('\n', stderr);
}

// Whether the test could be done; its result goes to out.
static bool handle_test(const struct arguments *a, struct litmus_test *t, const char *path, struct totals *totals,
                        FILE *out, struct error *err) {
    struct litmus_seen seen = {0};
    struct litmus_result r = {.path = path, .test = t, .seen = a->allowed ? NULL : &seen};
    if (!a->allowed && (r.lowered = litmus_lower(t, path, err)) < 0) return false;
    struct litmus_states *const allowed = litmus_allowed(t, path, err);
    r.allowed = allowed;
    bool good = allowed && (a->allowed || litmus_run(t, &a->run, path, &seen, err));
    if (good && !litmus_report(&r, a->format, totals->good, out)) {
        error_nomem(err, path);
        good = false;
    }
    if (good) complain(&r, totals);
    totals->good += good;
    litmus_seen_free(&seen);
    litmus_states_destroy(allowed);
    return good;
}

static void handle(const struct arguments *a, const char *path, struct totals *totals, FILE *out) {
    struct error err = {""};
    struct litmus_test *t = litmus_read(path, &err);
    if (!t || !handle_test(a, t, path, totals, out, &err)) fprintf(stderr, "tipoff: %s\n", err.text);
    litmus_destroy(t);
}

static void progress(const struct arguments *a, int done, const struct totals *totals) {
    if (a->quiet || a->count < 2 * SHOW_PROGRESS || done % SHOW_PROGRESS || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "tipoff: %d of %d tests, %zu of them with a state that is not allowed\n", done, a->count,
            totals->forbidden);
}

static int handle_all(struct arguments *a, struct error *err) {
    struct totals totals = {0};
    struct signals_before before;
    struct output *const output = output_open(a->output, err);
    if (!output) return STATUS_OUTPUT;
    FILE *const out = output_file(output);
    const volatile sig_atomic_t *const came = a->run.stop = signals_note(&before);
    for (int i = 0; i < a->count && !ferror(out) && !*came; i++) {
        handle(a, a->files[i], &totals, out);
        progress(a, i + 1, &totals);
    }
    signals_restore(&before);
    if (totals.good) litmus_report_end(a->format, totals.good, out);
    if (output_close(output, totals.good > 0, err) < 0 && totals.good) return STATUS_OUTPUT;
    if (!a->output && !stdout_written(err)) return STATUS_OUTPUT;
    if (*came) return 128 + *came;
    return totals.forbidden ? STATUS_DIFFERENCE : totals.good < (size_t)a->count ? STATUS_BAD_INPUT : EXIT_SUCCESS;
}

int cmd_litmus(int argc, char **argv) {
    static const char text[] =
        "Run litmus tests, and show which of the states that they end in the memory model of RISC-V, RVWMO, allows.\v"
        "FILE.litmus: a test for RISC-V in the form of herdtools7 (docs/reference/litmus.md).\n"
        "Exit status: 0; 3 when a test ended in a state that is not allowed; 2 on bad usage, or when a file is not "
        "read "
        "(the others are); 4 when the output could not be written; 128 and the signal's number when a signal ended it.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "FILE.litmus...", .doc = text};
    struct arguments a = {.run = {.on = &litmus_machine_iss, .iterations = 1000, .seed = 1}};
    parse_command(&argp, "litmus", argc, argv, &a);

    struct error err = {""};
    int status = EXIT_SUCCESS;
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < a.count && a.output && !status; i++) {
        const struct path_use uses[] = {{"--output", a.output, true}, {"the test", a.files[i], false}};
        if (!paths_check(uses, 2, &err)) status = STATUS_BAD_INPUT;
    }
    if (!status) status = handle_all(&a, &err);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
