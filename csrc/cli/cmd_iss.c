// tipoff iss: run a program on the golden instruction-set simulator alone.
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
enum { STATUS_OUT_OF_BUDGET = 124, STATUS_BAD_INPUT = 2, CHUNK = 50000000 };

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

static uint64_t run_traced(struct iss *iss, uint64_t max, FILE *out) {
    uint64_t done = 0;
    struct iss_retire retire;
    for (; done < max && !iss_exited(iss, NULL) && !interrupted; done++) {
        iss_step(iss, &retire);
        print_step(out, &retire);
    }
    return done;
}

static uint64_t run_fast(struct iss *iss, uint64_t max) {
    uint64_t done = 0;
    while (done < max && !iss_exited(iss, NULL) && !interrupted)
        done += iss_run(iss, max - done < CHUNK ? max - done : CHUNK);
    return done;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(const struct arguments *a, struct iss *iss, FILE *trace) {
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, old;
    sigaction(SIGINT, &action, &old);
    double start = now();
    uint64_t done = trace ? run_traced(iss, a->max, trace) : run_fast(iss, a->max);
    double seconds = now() - start;
    sigaction(SIGINT, &old, NULL);
    fflush(stdout);
    int code = 0;
    bool exited = iss_exited(iss, &code);
    if (!a->quiet) {
        fprintf(stderr, "tipoff: %s: %" PRIu64 " instructions in %.3f s, %.1f MIPS, ", a->program, done, seconds,
                seconds > 0 ? (double)done / seconds * 1e-6 : 0.0);
        if (exited) {
            fprintf(stderr, "exit status %d\n", code & 0xff);
        } else {
            fprintf(stderr, "%s at pc 0x%" PRIx64 "\n", interrupted ? "interrupted" : "did not end", iss_pc(iss));
        }
    }
    if (exited) return code & 0xff;
    return interrupted ? 128 + SIGINT : STATUS_OUT_OF_BUDGET;
}

int cmd_iss(int argc, char **argv) {
    static const char text[] = "Run PROGRAM on the golden instruction-set simulator, without a core model.\v"
                               "Exit status: the program's; 124 when --max-insns ran out; 2 on bad usage or bad input.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "PROGRAM.elf", .doc = text};
    struct arguments a = {.max = UINT64_MAX};
    static char name[] = "tipoff iss";
    argv[0] = name; // what --help and errors call it
    argp_err_exit_status = STATUS_BAD_INPUT;
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    int status = STATUS_BAD_INPUT;
    struct error err = {""};
    FILE *trace = NULL, *input = NULL;
    struct iss *iss = NULL;
    struct image *image = image_load(a.program, &err);
    if (image) iss = iss_create(&err);
    if (iss) iss_set_ad_update(iss, a.ad_update);
    if (iss && a.input && !(input = fopen(a.input, "rb"))) {
        error_set(&err, "%s: cannot open: %s: name another file", a.input, strerror(errno));
    } else if (iss) {
        iss_set_console(iss, stdout, input);
    }
    bool ready = iss && !err.text[0] && iss_load(iss, image, &err) == 0;
    if (ready && a.trace) {
        trace = strcmp(a.trace, "-") == 0 ? stdout : fopen(a.trace, "w");
        if (!trace) error_set(&err, "%s: cannot write: %s: name another file", a.trace, strerror(errno));
    }
    if (ready && (trace || !a.trace)) {
        status = run(&a, iss, trace);
    }
    if (trace && trace != stdout && fclose(trace) != 0) {
        error_set(&err, "%s: cannot write: %s: free some space", a.trace, strerror(errno));
    }
    if (err.text[0]) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        status = STATUS_BAD_INPUT;
    }
    iss_destroy(iss);
    if (input) fclose(input);
    image_destroy(image);
    return status;
}
