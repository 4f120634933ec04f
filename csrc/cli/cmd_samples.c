// tipoff samples: the samples of a file one by one, as the unit delivered them.
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/csv_json.h"
#include "cli/shared_options.h"
#include "profile/stack_table.h"
#include "samples/sample_store.h"
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_OUTPUT = 'o', OPT_MAX_STACK = 256, OPT_FORMAT };

static const struct argp_option options[] = {
    OPTION_FORMAT(
        OPT_FORMAT,
        "csv (default), a header line and a row per sample; json: an array of objects, whose stacks are arrays", 1),
    OPTION_OUTPUT("", 1),
    OPTION_MAX_STACK(OPT_MAX_STACK, "", 1),
    {0},
};

struct arguments {
    const char *file, *output;
    uint32_t max_stack;
    bool json;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"csv", "json"};
    struct arguments *a = state->input;
    switch (key) {
    case OPT_FORMAT: a->json = option_choice(arg, formats, sizeof formats / sizeof *formats, "format", state); break;
    case OPT_OUTPUT: a->output = arg; break;
    case OPT_MAX_STACK: a->max_stack = max_stack_argument(arg, state); break;
    case ARGP_KEY_ARG:
        if (a->file) argp_error(state, "one sample file only: unexpected argument '%s'", arg);
        a->file = arg;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name a sample file that `tipoff run --samples` has written"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// partial: some sample's vectors may lack events, so that a last column says whose; data: the address of the data that
// some sample waits for is known.
static void write_header(unsigned width, bool partial, bool data, FILE *out) {
    fputs("cycle,state,priv,space,hart,repeats,stalled,valid,oldest,exception,flush,mispredict", out);
    for (unsigned lane = 0; lane < width; lane++)
        fprintf(out, ",addr%u,psv%u", lane, lane);
    for (unsigned lane = 0; lane < width; lane++)
        fprintf(out, ",stack%u", lane);
    if (partial) fputs(",partial", out);
    if (data) fputs(",data_of,data", out);
    fputc('\n', out);
}

// The rows while they are written: the file is read twice, for what all of it says and for its samples, so that memory
// does not grow with their number.
struct listing {
    bool partial; // some sample's vectors may lack events
    bool data;    // of some sample the data that it waits for are known
    const struct samples *read;
    struct sample_store *store; // its samples
    const struct stack_node *nodes;
    uint32_t count, max_stack; // of nodes; frames of a stack, 0: all
    struct stack_depths depths;
    uint64_t *sites;     // a buffer for the addresses of one
    uint64_t lanes, cut; // valid ones, and those whose stack lacks frames
    FILE *out;
    // As JSON: where a line of CSV is made, the first one's names, and where objects go.
    char *line, *names;
    size_t length;
    FILE *json;
    bool more; // objects
};

// Addresses of the calls from this stack outwards, `most` at most, the outermost first.
static void write_sites(const struct listing *l, uint32_t stack, uint32_t most) {
    uint32_t length = 0;
    for (; length < most && stack > STACK_LOST && l->nodes[stack].kind != STACK_ROOT; stack = l->nodes[stack].parent)
        l->sites[length++] = l->nodes[stack].site;
    while (length-- > 0)
        fprintf(l->out, length ? "0x%" PRIx64 ";" : "0x%" PRIx64, l->sites[length]);
}

// A stack that begins with nothing known of its callers has none of a root.
static void write_stack(struct listing *l, uint32_t stack) {
    l->lanes++;
    if (stack <= STACK_LOST || stack >= l->count) {
        fputs(",?", l->out);
        return;
    }
    fputc(',', l->out);
    if (!l->max_stack || l->depths.depth[stack] <= l->max_stack) {
        write_sites(l, stack, UINT32_MAX);
        return;
    }
    l->cut++;
    write_sites(l, l->depths.below[stack], UINT32_MAX);
    fputs(";...", l->out);
    if (stack_inner(l->max_stack) == 1) return; // the lane's own frame
    fputc(';', l->out);
    write_sites(l, stack, stack_inner(l->max_stack) - 1);
}

static bool write_row(void *context, const struct samples_header *header, const struct sample_record *r) {
    static const char *const states[] = {STATE_NAMES};
    struct listing *l = context;
    FILE *out = l->out;
    const struct sample *s = &r->sample;
    const unsigned width = header->width;
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
            write_stack(l, r->stack[lane]);
        } else {
            fputc(',', out);
        }
    }
    if (l->partial) fprintf(out, ",%d", r->partial);
    if (l->data && r->data_of) fprintf(out, ",%s,0x%" PRIx64, samples_data_name(r->data_of), r->data);
    if (l->data && !r->data_of) fputs(",,", out);
    fputc('\n', out);
    return !ferror(out);
}

// The line that has been written, without its end; the next one overwrites it.
static char *take_line(struct listing *l) {
    if (fputc('\0', l->out) == EOF || fflush(l->out) != 0) return NULL;
    l->line[strcspn(l->line, "\n")] = '\0';
    rewind(l->out);
    return l->line;
}

static bool write_object(void *context, const struct samples_header *header, const struct sample_record *r) {
    struct listing *l = context;
    const char *line = write_row(l, header, r) ? take_line(l) : NULL;
    if (!line) return false;
    fputs(l->more ? ",\n" : "\n", l->json);
    csv_json_row(l->names, line, "stack", l->json);
    l->more = true;
    return !ferror(l->json);
}

static bool write_json(struct listing *l, struct error *err) {
    FILE *const out = l->json = l->out;
    l->out = open_memstream(&l->line, &l->length);
    if (l->out) write_header(samples_header(l->read)->width, l->partial, l->data, l->out);
    const char *const names = l->out ? take_line(l) : NULL;
    l->names = names ? strdup(names) : NULL;
    fputc('[', out);
    if (l->names) sample_store_each(l->store, samples_header(l->read), write_object, l);
    fputs("]\n", out);
    const bool good = l->names != NULL;
    if (l->out) fclose(l->out);
    free(l->line);
    free(l->names);
    l->out = out;
    if (!good) error_nomem(err, NULL);
    return good;
}

static bool keep(void *context, const struct samples_header *header, const struct sample_record *r) {
    struct listing *l = context;
    (void)header;
    l->partial |= r->partial;
    l->data |= r->data_of != SAMPLES_DATA_NONE;
    return sample_store_add(l->store, r);
}

static bool make(struct listing *l, struct error *err) {
    l->nodes = samples_stacks(l->read, &l->count);
    l->sites = malloc(((size_t)l->count + 1) * sizeof *l->sites);
    if (l->sites && (!l->max_stack || stack_depths_create(&l->depths, l->nodes, l->count, l->max_stack))) return true;
    error_nomem(err, NULL);
    return false;
}

static int write_all(struct listing *l, const struct arguments *a, struct error *err) {
    if (!make(l, err)) return STATUS_BAD_INPUT;
    struct output *output = output_open(a->output, err);
    if (!output) return STATUS_OUTPUT;
    l->out = output_file(output);
    const bool good = !a->json || write_json(l, err);
    if (!a->json) {
        write_header(samples_header(l->read)->width, l->partial, l->data, l->out);
        sample_store_each(l->store, samples_header(l->read), write_row, l);
    }
    if (l->cut && !ferror(l->out))
        warning(&cli_notices, STACK_CUT_TEXT, a->file, 100 * (double)l->cut / (double)l->lanes, "the lanes have",
                l->max_stack);
    const int closed = output_close(output, good, err);
    return !good ? STATUS_BAD_INPUT : closed < 0 ? STATUS_OUTPUT : EXIT_SUCCESS; // of stdout, stdout_written says
}

int cmd_samples(int argc, char **argv) {
    static const char text[] =
        "List the samples of a file, as CSV or JSON.\v"
        "Lanes that are not valid are empty. A stack is the addresses of the calls, outermost "
        "first, separated by ;, or "
        "? if it is not known; ... stands where some are left out. A last column, partial, is "
        "added if the vectors of some samples may lack events "
        "(profile.vector_window), and then data_of and data where samples wait for data: the "
        "physical address of their own access, or, with drain, of the store of another "
        "instruction that was next to leave the store queue. Exit status: 0; 2 on bad usage or bad input; 4 if the "
        "output cannot be written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "FILE.tips", .doc = text};
    struct arguments a = {.max_stack = STACK_FRAMES};
    struct listing listing = {0};
    struct error err = {""};
    parse_command(&argp, "samples", argc, argv, &a);
    const struct path_use uses[] = {{"the samples", a.file, false}, {"--output", a.output, true}};
    struct samples *samples = NULL;
    listing.store = sample_store_create();
    if (!listing.store) {
        error_nomem(&err, NULL);
    } else if (paths_check(uses, 2, &err)) {
        samples = samples_read(a.file, keep, &listing, &err);
    }
    listing.read = samples;
    listing.max_stack = a.max_stack;
    if (samples) samples_warn(samples, &cli_notices);
    int status = samples ? write_all(&listing, &a, &err) : STATUS_BAD_INPUT;
    free(listing.sites);
    sample_store_destroy(listing.store);
    stack_depths_destroy(&listing.depths);
    if (status == EXIT_SUCCESS && !stdout_written(&err)) status = STATUS_OUTPUT;
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    samples_destroy(samples);
    return status;
}
