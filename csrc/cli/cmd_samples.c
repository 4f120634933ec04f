// tipoff samples: the samples of a file one by one, as the unit delivered them.
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "samples/samples.h"
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_OUTPUT = 'o' };

static const struct argp_option options[] = {
    {"output", OPT_OUTPUT, "FILE", 0, "write to FILE instead of stdout", 1},
    {0},
};

struct arguments {
    const char *file, *output;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case OPT_OUTPUT: a->output = arg; break;
    case ARGP_KEY_ARG:
        if (a->file) argp_error(state, "one sample file only: '%s' is too much", arg);
        a->file = arg;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name a sample file that `tipoff run --samples` has written"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// partial: some sample's vectors may lack events, so that a last column says whose.
static void write_header(unsigned width, bool partial, FILE *out) {
    fputs("cycle,state,priv,space,hart,repeats,stalled,valid,oldest,exception,flush,mispredict", out);
    for (unsigned lane = 0; lane < width; lane++)
        fprintf(out, ",addr%u,psv%u", lane, lane);
    for (unsigned lane = 0; lane < width; lane++)
        fprintf(out, ",stack%u", lane);
    if (partial) fputs(",partial", out);
    fputc('\n', out);
}

// What the numbers of stacks mean, and a buffer for the addresses of one.
struct stacks {
    const struct stack_node *nodes;
    uint32_t count;
    uint64_t *sites;
};

// Addresses of the calls, the outermost first. A stack that begins with nothing known of its callers has none of a
// root.
static void write_stack(const struct stacks *s, uint32_t stack, FILE *out) {
    size_t length = 0;
    if (stack <= STACK_LOST || stack >= s->count) {
        fputs(",?", out);
        return;
    }
    for (; stack > STACK_LOST && s->nodes[stack].kind != STACK_ROOT; stack = s->nodes[stack].parent)
        s->sites[length++] = s->nodes[stack].site;
    fputc(',', out);
    while (length-- > 0)
        fprintf(out, length ? "0x%" PRIx64 ";" : "0x%" PRIx64, s->sites[length]);
}

static void write_row(const struct sample_record *r, unsigned width, bool partial, const struct stacks *stacks,
                      FILE *out) {
    static const char *const states[] = {STATE_NAMES};
    const struct sample *s = &r->sample;
    fprintf(out, "%" PRIu64 ",%s,%c,0x%" PRIx64 ",%u,%" PRIu32 ",%" PRIu32 ",%u,%u,%d,%d,%d", r->cycle,
            states[s->state], "US?M"[r->sample.priv & 3], r -> sample.space, r->hart, r->repeats, r->stalled, s->valid,
            s->oldest, s->exception, s->flush, s->mispredict);
    for (unsigned lane = 0; lane < width; lane++) {
        if (s->valid >> lane & 1) {
            fprintf(out, ",0x%" PRIx64 ",%u", s->addr[lane], s->psv[lane]);
        } else {
            fputs(",,", out);
        }
    }
    for (unsigned lane = 0; lane < width; lane++) {
        if (s->valid >> lane & 1) {
            write_stack(stacks, r->stack[lane], out);
        } else {
            fputc(',', out);
        }
    }
    if (partial) fprintf(out, ",%d", r->partial);
    fputc('\n', out);
}

static int write_all(const struct samples *samples, const char *path, struct error *err) {
    size_t count;
    const struct sample_record *records = samples_records(samples, &count);
    const unsigned width = samples_header(samples)->width;
    struct stacks stacks = {0};
    stacks.nodes = samples_stacks(samples, &stacks.count);
    stacks.sites = malloc(((size_t)stacks.count + 1) * sizeof *stacks.sites);
    if (!stacks.sites) {
        error_set(err, "out of memory: free some and try again");
        return STATUS_BAD_INPUT;
    }
    struct output *output = output_open(path, err);
    if (!output) {
        free(stacks.sites);
        return STATUS_OUTPUT;
    }
    FILE *out = output_file(output);
    bool partial = false;
    for (size_t i = 0; i < count; i++)
        partial |= records[i].partial;
    write_header(width, partial, out);
    for (size_t i = 0; i < count; i++)
        write_row(&records[i], width, partial, &stacks, out);
    free(stacks.sites);
    return output_close(output, true, err) < 0 ? STATUS_OUTPUT : EXIT_SUCCESS; // of stdout, stdout_written says
}

int cmd_samples(int argc, char **argv) {
    static const char text[] =
        "List the samples of a file as CSV: a header line, then a row per sample.\v"
        "Lanes that are not valid are empty. A stack is the addresses of the calls, outermost "
        "first, separated by ;, or "
        "? if it is not known. A last column, partial, is there if the vectors of some samples may lack events "
        "(profile.vector_window). Exit status: 0; 2 on bad usage or bad input; 4 if the "
        "output cannot be written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "FILE.tips", .doc = text};
    struct arguments a = {0};
    struct error err = {""};
    char command[] = "tipoff samples"; // as argp is to call it
    argv[0] = command;
    argp_err_exit_status = STATUS_BAD_INPUT;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    const struct path_use uses[] = {{"the samples", a.file, false}, {"--output", a.output, true}};
    struct samples *samples = paths_check(uses, 2, &err) ? samples_open(a.file, &err) : NULL;
    int status = samples ? write_all(samples, a.output, &err) : STATUS_BAD_INPUT;
    if (status == EXIT_SUCCESS && !stdout_written(&err)) status = STATUS_OUTPUT;
    if (status == EXIT_SUCCESS && samples_state(samples) != SAMPLES_COMPLETE) {
        error_set(&err, "%s", samples_fault(samples));
        status = STATUS_BAD_INPUT;
    }
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    samples_destroy(samples);
    return status;
}
