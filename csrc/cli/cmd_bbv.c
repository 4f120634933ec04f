// tipoff bbv: what a program executes, slice by slice, as vectors of basic blocks.
#include "analysis/analysis.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/iss_program.h"
#include "cli/regions_markers.h"
#include "cli/shared_options.h"
#include "methods/regions/dcfg.h"
#include "methods/regions/looppoint.h"
#include "methods/regions/simpoint_files.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_INTERVAL = 256, OPT_FORMAT, OPT_MARKERS };
enum format { FORMAT_TEXT, FORMAT_SIMPOINT, FORMAT_CSV, FORMAT_LOOPS, FORMATS };
static const char *const format_names[FORMATS] = {"text", "simpoint", "csv", "loops"};

static const struct argp_option options[] = {
    OPTION_INTERVAL(OPT_INTERVAL, 0),
    {"markers", OPT_MARKERS, NULL, 0,
     "a slice goes on to the next entry of a loop, as of `regions find --method looppoint`; --interval: without "
     "instructions that synchronise",
     0},
    OPTION_FORMAT(OPT_FORMAT,
                  "text (default), a line for each slice; simpoint: frequency vectors as SimPoint reads them (.bb); "
                  "csv: a row for each slice and block; loops: of the whole run, as CSV: its loops, by the control "
                  "flow of all harts together",
                  0),
    OPTION_OUTPUT("", 0),
    {0},
};

struct arguments {
    struct iss_program program;
    const char *output;
    uint64_t interval;
    bool marked;
    struct regions_markers markers;
    enum format format;
    struct program *names;
    FILE *out;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->program;
        state->child_inputs[1] = &a->markers;
        break;
    case OPT_MARKERS: a->marked = true; break;
    case OPT_INTERVAL: a->interval = option_number(arg, 1, UINT64_MAX, "interval", state); break;
    case OPT_FORMAT: a->format = option_choice(arg, format_names, FORMATS, "format", state); break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_END:
        if (!a->marked && a->markers.given)
            argp_error(state, "--sync and --quanta: say what --markers are: give that, too");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- what is written of a slice ----
static void name_place(const struct arguments *a, uint64_t pc, char *text, size_t size) {
    const struct program_function *f = a->names ? program_function_at(a->names, pc) : NULL;
    if (f)
        snprintf(text, size, "%.200s+0x%" PRIx64, f->name, pc - f->entry);
    else
        snprintf(text, size, "0x%" PRIx64, pc);
}

static void put_text(const struct arguments *a, struct iss *iss, const struct regions_slice *s) {
    size_t hottest = 0;
    char where[256];
    for (size_t i = 1; i < s->count; i++)
        if (s->parts[i].count > s->parts[hottest].count) hottest = i;
    name_place(a, iss_flow_place(iss, s->parts[hottest].dimension).pc, where, sizeof where);
    if (s->number == 0)
        fprintf(a->out, "   slice  instructions  blocks  hottest block%s\n",
                a->marked ? ", and before what it ends" : "");
    fprintf(a->out, "%8zu  %12" PRIu64 "  %6zu  %5.1f %%  %s", s->number, s->instructions, s->count,
            100. * (double)s->parts[hottest].count / (double)s->instructions, where);
    name_place(a, s->end.pc, where, sizeof where);
    if (s->end.pc) fprintf(a->out, ", %s for the %" PRIu64 ". time", where, s->end.count);
    fputc('\n', a->out);
}

static void put_csv(const struct arguments *a, struct iss *iss, const struct regions_slice *s) {
    if (s->number == 0)
        fprintf(a->out, "slice,begin,block,hart,mode,space,address,instructions%s\n", a->marked ? ",end,count" : "");
    for (size_t i = 0; i < s->count; i++) {
        const struct place place = iss_flow_place(iss, s->parts[i].dimension);
        fprintf(a->out, "%zu,%" PRIu64 ",%" PRIu64 ",%u,%c,0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu64, s->number, s->begin,
                s->parts[i].dimension, place_hart(place.context), MODE_LETTERS[place_mode(place.context)],
                place_space(place.context), place.pc, s->parts[i].count);
        if (a->marked) fprintf(a->out, ",0x%" PRIx64 ",%" PRIu64, s->end.pc, s->end.count);
        fputc('\n', a->out);
    }
}

static bool take(void *context, struct iss *iss, const struct regions_slice *slice, struct error *err) {
    const struct arguments *a = context;
    (void)err; // what could not be written is reported at the end
    switch (a->format) {
    case FORMAT_TEXT: put_text(a, iss, slice); break;
    case FORMAT_SIMPOINT: bb_write(a->out, slice->parts, slice->count); break;
    case FORMAT_LOOPS: break; // at the end
    default: put_csv(a, iss, slice); break;
    }
    return !ferror(a->out);
}

static bool put_loops(const struct arguments *a, const struct iss *iss, struct error *err) {
    char where[256];
    struct dcfg *d = dcfg_of_run(iss, a->names, err);
    if (!d) return false;
    fputs("loop,address,place,routine,depth,parent,blocks,entries,iterations\n", a->out);
    for (size_t i = 0; i < d->loop_count; i++) {
        const struct dcfg_loop *loop = &d->loops[i];
        const uint64_t pc = d->blocks[loop->header].pc;
        name_place(a, pc, where, sizeof where);
        fprintf(a->out, "%zu,0x%" PRIx64 ",\"%s\",0x%" PRIx64 ",%u,", i, pc, where,
                d->blocks[d->routines[loop->routine].entry].pc, loop->depth);
        if (loop->parent != DCFG_NONE) fprintf(a->out, "%" PRIu32, loop->parent);
        fprintf(a->out, ",%zu,%" PRIu64 ",%" PRIu64 "\n", loop->blocks, loop->entries, loop->iterations);
    }
    dcfg_free(d);
    return true;
}

static int run(void *context, struct iss *iss, struct error *err) {
    struct arguments *a = context;
    struct signals_before before;
    struct regions_run r = {.interval = a->interval, .max = a->program.max, .stop = signals_note(&before)};
    r.markers = &a->markers.markers;
    const bool loops = a->format == FORMAT_LOOPS;
    a->names = program_load(iss_program_path(&a->program), loops ? err : NULL);
    if (loops && (!a->names || !dcfg_watch(iss, err))) return STATUS_BAD_INPUT;
    int rc = a->marked && !regions_markers_count(&a->markers, iss, err) ? -ENOMEM : 0;
    if (!rc) rc = a->marked ? looppoint_run(&r, iss, take, a, err) : regions_run(&r, iss, take, a, err);
    signals_restore(&before);
    if (!rc && loops && !put_loops(a, iss, err)) return STATUS_BAD_INPUT;
    if (rc) return ferror(a->out) ? STATUS_OUTPUT : STATUS_BAD_INPUT;
    const int status = *r.stop ? 128 + *r.stop : iss_program_status(&a->program, iss, err);
    if (status != STATUS_BAD_INPUT && !a->markers.quiet)
        fprintf(stderr, "tipoff: %zu slice%s, %" PRIu64 " instructions, %zu blocks\n", r.slices,
                r.slices == 1 ? "" : "s", r.instructions, iss_flow_count(iss));
    return status;
}

int cmd_bbv(int argc, char **argv) {
    static const char text[] =
        "Show what PROGRAM executes, slice by slice: instructions by basic block.\vThe program runs on the "
        "instruction-set simulator; what it prints is not shown. A block begins after a jump or a branch, a trap, a "
        "system instruction, or the end of a page.\n"
        "Exit status: 0; 124 when --max-insns ran out; 2 on bad usage or bad input; 4 when the output could not be "
        "written; 128 and the signal's number when a signal ended it: what was written until then stays.";
    const struct argp_child children[] = {{&iss_program_argp, 0, NULL, 0}, {&regions_markers_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "[PROGRAM.elf [-- ARG...]]",
                              .doc = text,
                              .children = children};
    struct arguments a = {.interval = REGIONS_INTERVAL};
    iss_program_begin(&a.program);
    regions_markers_begin(&a.markers);
    parse_command(&argp, "bbv", argc, argv, &a);

    struct error err = {""};
    const struct path_use uses[] = {{"the program", a.program.program, false},
                                    {"--input", a.program.input, false},
                                    {"--restore", a.program.restore, false},
                                    {"--output", a.output, true}};
    int status = STATUS_BAD_INPUT;
    const bool good = paths_check(uses, sizeof uses / sizeof *uses, &err);
    struct output *const output = good ? output_open(a.output, &err) : NULL;
    if (good && !output) status = STATUS_OUTPUT;
    if (output) {
        a.out = output_file(output);
        status = a.marked ? regions_markers_find(&a.markers, &a.program, &err) : EXIT_SUCCESS;
        if (!status) status = iss_program_run(&a.program, run, &a, &err);
        const bool whole = status == EXIT_SUCCESS || status == STATUS_OUT_OF_BUDGET || status > 128;
        if (output_close(output, whole, whole ? &err : NULL) < 0 && whole) status = STATUS_OUTPUT;
        program_destroy(a.names);
        regions_markers_free(&a.markers);
    }
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
