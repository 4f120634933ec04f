// tipoff iss: run a program on the golden instruction-set simulator alone.
#include "base/htif.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "iss/iss.h"
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPT_MAX_INSNS = 256, OPT_TRACE, OPT_INPUT, OPT_AD };
enum { CHUNK = 1 << 20 }; // between two looks at signals: milliseconds, unless each step is a trap

static const struct argp_option options[] = {
    {"max-insns", OPT_MAX_INSNS, "N", 0, "end after N instructions and traps with status 124", 0},
    {"trace", OPT_TRACE, "FILE", 0, "write one line for each instruction and trap ('-': stdout)", 0},
    {"input", OPT_INPUT, "FILE", 0, "what the program receives on its console (default: nothing)", 0},
    {"ad-update", OPT_AD, NULL, 0, "accessed and dirty bits are set as by hardware, instead of page faults", 0},
    {"quiet", 'q', NULL, 0, "no closing line", 0},
    {0},
};

struct arguments {
    const char *program, *trace, *input;
    uint64_t max;
    bool quiet, ad_update;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case OPT_MAX_INSNS: {
        char *end;
        errno = 0;
        a->max = strtoull(arg, &end, 0);
        if (errno || end == arg || *end || *arg == '-') argp_error(state, "--max-insns %s: not a number", arg);
        break;
    }
    case OPT_AD: a->ad_update = true; break;
    case OPT_TRACE: a->trace = arg; break;
    case OPT_INPUT: a->input = arg; break;
    case 'q': a->quiet = true; break;
    case ARGP_KEY_ARG:
        if (a->program) argp_error(state, "one program only: '%s' is too much", arg);
        a->program = arg;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name a program: build/workloads/NAME.SIZE.elf, see `tipoff workloads`");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static char mode_letter(unsigned privilege) {
    return privilege == ISS_PRIVILEGE_M ? 'M' : privilege == ISS_PRIVILEGE_S ? 'S' : 'U';
}

static void print_step(FILE *out, const struct iss_retire *r) {
    if (r->trap) {
        fprintf(out, "%c 0x%016" PRIx64 " %s cause=%u epc=0x%" PRIx64 " tval=0x%" PRIx64 "\n",
                mode_letter(r->privilege), r->pc, r->interrupt ? "interrupt" : "exception", r->cause, r->epc, r->tval);
        return;
    }
    fprintf(out, "%c 0x%016" PRIx64 " 0x%08" PRIx32, mode_letter(r->privilege), r->pc, r->insn);
    if (r->rd_written) fprintf(out, " %c%u=0x%" PRIx64, r->rd_fp ? 'f' : 'x', r->rd, r->rd_value);
    if (r->csr_written) fprintf(out, " csr[0x%x]=0x%" PRIx64, r->csr, r->csr_value);
    if (r->access == ISS_ACCESS_LOAD) fprintf(out, " load%u[0x%" PRIx64 "]", r->size, r->address);
    if (r->access == ISS_ACCESS_STORE) fprintf(out, " store%u[0x%" PRIx64 "]=0x%" PRIx64, r->size, r->address, r->data);
    fputc('\n', out);
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
    interrupted = signal_number;
}

static bool ended(const struct iss *iss) {
    return iss_exited(iss, NULL) || iss_refused(iss, "", NULL);
}

static uint64_t run_traced(struct iss *iss, uint64_t max, FILE *out) {
    uint64_t done = 0;
    struct iss_retire retire;
    for (; done < max && !ended(iss) && !interrupted && !ferror(out); done++) {
        iss_step(iss, &retire);
        print_step(out, &retire);
    }
    return done;
}

static uint64_t run_fast(struct iss *iss, uint64_t max) {
    uint64_t done = 0;
    while (done < max && !ended(iss) && !interrupted)
        done += iss_run(iss, max - done < CHUNK ? max - done : CHUNK);
    return done;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_end(const struct arguments *a, const struct iss *iss, uint64_t done, double seconds) {
    uint64_t code;
    fprintf(stderr, "tipoff: %s: %" PRIu64 " instructions in %.3f s, %.1f MIPS, ", a->program, done, seconds,
            seconds > 0 ? (double)done / seconds * 1e-6 : 0.0);
    if (!iss_exited(iss, &code)) {
        fprintf(stderr, "%s at pc 0x%" PRIx64 "\n", interrupted ? "interrupted" : "did not end", iss_pc(iss));
    } else if (code > 255) {
        fprintf(stderr, "exit code %" PRIu64 " (status 255: the greatest that a process has)\n", code);
    } else {
        fprintf(stderr, "exit status %" PRIu64 "\n", code);
    }
}

static int run(const struct arguments *a, struct iss *iss, FILE *trace, struct error *err) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, old[3];
    for (int i = 0; i < 3; i++)
        sigaction(numbers[i], &action, &old[i]);
    double start = now();
    uint64_t done = trace ? run_traced(iss, a->max, trace) : run_fast(iss, a->max);
    double seconds = now() - start;
    for (int i = 0; i < 3; i++)
        sigaction(numbers[i], &old[i], NULL);
    if (!a->quiet) print_end(a, iss, done, seconds);
    uint64_t code;
    if (iss_refused(iss, a->program, err)) return STATUS_BAD_INPUT;
    if (iss_exited(iss, &code)) return htif_status(code);
    return interrupted ? 128 + interrupted : STATUS_OUT_OF_BUDGET;
}

static struct iss *set_up(const struct arguments *a, const struct image *image, FILE **input, struct error *err) {
    if (!image_symbol(image, "tohost", 0) && a->max == UINT64_MAX) {
        error_set(err,
                  "%s: has no symbol tohost, so that nothing ends the run: link one in (docs/workloads.md), or give "
                  "--max-insns",
                  a->program);
        return NULL;
    }
    if (a->input && !(*input = paths_open(a->input, err))) return NULL;
    struct iss *iss = iss_create(err);
    if (!iss) return NULL;
    iss_set_ad_update(iss, a->ad_update);
    iss_set_console(iss, stdout, *input);
    if (iss_load(iss, image, err) == 0) return iss;
    iss_destroy(iss);
    return NULL;
}

static FILE *open_trace(const char *path, struct error *err) {
    FILE *trace = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    if (!trace) error_set(err, "%s: cannot create: %s: choose another file", path, strerror(errno));
    return trace;
}

// Whether everything has been written, to the trace and to stdout.
static bool close_outputs(const struct arguments *a, FILE *trace, struct error *err) {
    bool good = true;
    if (trace && trace != stdout) {
        good = !ferror(trace);
        good = fclose(trace) == 0 && good;
        if (!good) error_set(err, "%s: cannot write: free some space", a->trace);
    }
    return stdout_written(err) && good;
}

int cmd_iss(int argc, char **argv) {
    static const char text[] = "Run PROGRAM on the golden instruction-set simulator, without a core model.\v"
                               "Exit status: the program's (codes above 255: 255); 124 when --max-insns ran out; 2 on "
                               "bad usage or bad input; 4 "
                               "when an output could not be written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "PROGRAM.elf", .doc = text};
    struct arguments a = {.max = UINT64_MAX};
    static char name[] = "tipoff iss";
    argv[0] = name; // what --help and errors call it
    argp_err_exit_status = STATUS_BAD_INPUT;
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    int status = STATUS_BAD_INPUT;
    struct error err = {""};
    FILE *trace = NULL, *input = NULL;
    const struct path_use uses[] = {{"the program", a.program, false},
                                    {"--input", a.input, false},
                                    {"--trace", a.trace && strcmp(a.trace, "-") != 0 ? a.trace : NULL, true}};
    struct image *image = paths_check(uses, 3, &err) ? image_load(a.program, &err) : NULL;
    struct iss *iss = image ? set_up(&a, image, &input, &err) : NULL;
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
