// The time of a trace as collapsed stacks, which flamegraph.pl, speedscope and others draw: a line for each instruction
// and state, root first,
//
//   Stalled;_start;main;step;nbody.c:57;0x80000458 fdiv.d fa5,fa4,fa5 1234
//
// the functions being those that were called, as far as the trace shows their calls,
// the weight in 1/U cycles, as in profiles (base/units.h). The Oracle gives each cycle of the trace to its instruction.
// What it cannot know of cycles before the trace began: a flush whose cause lies there counts as Drained.
#include "cli/trace_folded.h"
#include "analysis/analysis.h"
#include "base/disasm.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/trace_stacks.h"
#include "oracle/oracle.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const states[] = {STATE_NAMES};

struct folded {
    struct program *program;
    struct disasm *disasm;
    struct oracle *oracle;
    struct trace_stacks *stacks;
};

// ; ends a frame and a line ends the stack: no name may hold either.
static void print_frame(FILE *out, const char *text) {
    for (; *text; text++)
        fputc(*text == ';' || *text == '\n' ? ':' : *text, out);
    fputc(';', out);
}

static void print_place(FILE *out, const struct program *p, uint64_t pc) {
    char text[300];
    unsigned line;
    const char *file = program_source(p, pc, &line);
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!file) return;
    snprintf(text, sizeof text, "%s:%u", slash ? slash + 1 : file, line);
    print_frame(out, text);
}

static const char *function_name(const struct program *p, uint64_t pc) {
    const size_t i = program_find(p, pc);
    size_t count;
    if (i == PROGRAM_NONE) return "[outside of the program]";
    return program_functions(p, &count)[program_instructions(p, &count)[i].function].name;
}

// The callers of the function, outermost first. way: an array that holds any stack.
static void print_callers(FILE *out, const struct folded *f, uint32_t stack, uint32_t *way) {
    uint32_t count;
    size_t length = 0;
    const struct stack_node *nodes = trace_stacks_nodes(f->stacks, &count);
    for (; stack > STACK_LOST && nodes[stack].kind != STACK_ROOT; stack = nodes[stack].parent)
        way[length++] = stack;
    while (length-- > 0)
        print_frame(out, function_name(f->program, nodes[way[length]].site));
}

static void print_stack(FILE *out, const struct folded *f, const struct profile_row *row, uint32_t *way) {
    const size_t i = program_find(f->program, row->pc);
    char text[96];
    print_callers(out, f, row->stack, way);
    print_frame(out, function_name(f->program, row->pc));
    if (i == PROGRAM_NONE) {
        row->pc == PROFILE_PC_END ? fputs("[end of the trace]", out) : fprintf(out, "0x%" PRIx64, row->pc);
        return;
    }
    size_t count;
    print_place(out, f->program, row->pc);
    const struct program_instruction *last = &program_instructions(f->program, &count)[i];
    if (last->data) {
        disasm_data(last->insn, last->bytes, text, sizeof text);
    } else {
        disasm_text(f->disasm, row->pc, last->insn, text, sizeof text);
    }
    for (char *at = text; (at = strpbrk(at, ";\t"));)
        *at = ' ';
    fprintf(out, "0x%" PRIx64 " %s", row->pc, text);
}

// The rows again, summed over vectors. NULL: no memory.
static struct profile_table *without_vectors(const struct profile_row *rows, size_t count) {
    struct profile_table *t = profile_table_create();
    for (size_t i = 0; t && i < count; i++) {
        const struct profile_row *r = &rows[i];
        const struct place place = {r->pc, 0};
        if (profile_table_add_stack(t, place, r->stack, r->state, 0, r->weight)) continue;
        profile_table_destroy(t);
        return NULL;
    }
    return t;
}

// False: no memory.
static bool print_rows(FILE *out, const struct folded *f, const struct profile_row *oracle, size_t oracle_count) {
    uint32_t stacks;
    size_t count = 0;
    trace_stacks_nodes(f->stacks, &stacks);
    uint32_t *way = malloc(stacks * sizeof *way);
    struct profile_table *t = without_vectors(oracle, oracle_count);
    const struct profile_row *rows = t && way ? profile_table_rows(t, &count) : NULL;
    for (size_t i = 0; i < count && !ferror(out); i++) {
        print_frame(out, states[rows[i].state]);
        print_stack(out, f, &rows[i], way);
        fprintf(out, " %" PRIu64 "\n", rows[i].weight);
    }
    const bool good = rows || (t && way && oracle_count == 0);
    profile_table_destroy(t);
    free(way);
    return good;
}

static int write_rows(const struct folded *f, const char *output, struct error *err) {
    size_t count;
    const struct profile_row *rows = oracle_rows(f->oracle, &count);
    struct output *document = output_open(output, err);
    if (!document) return STATUS_OUTPUT;
    const bool printed = print_rows(output_file(document), f, rows, count);
    if (!printed) error_set(err, "collapsed stacks: out of memory: free some and try again");
    int closed = output_close(document, printed, err);
    return !printed ? STATUS_BAD_INPUT : closed < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

static int book(struct trace_file *t, const struct folded *f, struct error *err) {
    struct trace_record record;
    uint64_t cycles = 0;
    int next;
    while ((next = trace_file_next(t, &record, err)) == 1) {
        cycles += record.count;
        trace_stacks_cycle(f->stacks, &record.bundle);
        if (oracle_step(f->oracle, &record.bundle, record.count) == 0) continue;
        error_set(err, "Oracle: out of memory: free some and try again");
        return STATUS_BAD_INPUT;
    }
    return next < 0 || oracle_finish(f->oracle, cycles, err) < 0 ? STATUS_BAD_INPUT : EXIT_SUCCESS;
}

// What stands beside the program. False with err.
static bool make(struct folded *f, unsigned width, struct error *err) {
    if (!(f->disasm = disasm_create(err)) || !(f->oracle = oracle_create(width, err))) return false;
    f->stacks = trace_stacks_create(f->program);
    if (!f->stacks) {
        error_set(err, "collapsed stacks: out of memory: free some and try again");
        return false;
    }
    oracle_use_stacks(f->oracle, trace_stacks_now(f->stacks));
    return true;
}

int trace_folded_copy(struct trace_file *t, const char *program, const char *output, struct error *err) {
    if (!program) program = trace_file_program(t);
    if (!program[0]) {
        error_set(err, "the trace does not name its program: name it by --program");
        return STATUS_BAD_INPUT;
    }
    struct error why;
    struct folded f = {.program = program_load(program, &why)};
    if (!f.program) {
        error_set(err, "%s: name the traced program by --program", why.text);
        return STATUS_BAD_INPUT;
    }
    int status = make(&f, trace_file_width(t), err) ? book(t, &f, err) : STATUS_BAD_INPUT;
    if (status == EXIT_SUCCESS) status = write_rows(&f, output, err);
    trace_stacks_destroy(f.stacks);
    oracle_destroy(f.oracle);
    disasm_destroy(f.disasm);
    program_destroy(f.program);
    return status;
}
