// The time of a trace as collapsed stacks, which flamegraph.pl, speedscope and others draw: a line for each instruction
// and state, root first,
//
//   Stalled;_start;main;step;nbody.c:57;0x80000458 fdiv.d fa5,fa4,fa5 1234
//
// the functions being those that were called, as far as the trace shows their calls,
// the weight in 1/U cycles, as in profiles (profile/units.h). The Oracle gives each cycle of the trace to its
// instruction. What it cannot know of cycles before the trace began: a flush whose cause lies there counts as Drained.
#include "cli/trace_folded.h"
#include "analysis/analysis.h"
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/trace_stacks.h"
#include "isa/disasm.h"
#include "oracle/oracle.h"
#include "report/folded.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const states[] = {STATE_NAMES};

struct folded_trace {
    const char *path; // of the trace
    struct program *program;
    struct disasm *disasm;
    struct oracle *oracle;
    struct trace_stacks *stacks;
    uint32_t max_stack; // frames of a stack; 0: all
    struct stack_depths depths;
    uint64_t all, cut; // time; of it, that of stacks without all their frames
    struct folded *lines;
};

static uint32_t on(const struct folded_trace *f, uint32_t stack, const char *name) {
    return folded_on(f->lines, stack, folded_name(f->lines, name));
}

static uint32_t on_place(const struct folded_trace *f, uint32_t stack, uint64_t pc) {
    char text[300];
    unsigned line;
    const char *file = program_source(f->program, pc, &line);
    if (!file) return stack;
    snprintf(text, sizeof text, "%s:%u", paths_name(file), line);
    return on(f, stack, text);
}

static const char *function_name(const struct program *p, uint64_t pc) {
    const struct program_function *f = program_function_at(p, pc);
    return f ? f->name : "[outside of the program]";
}

// Callers from this stack outwards, `most` of them at most, put on outermost first. way: an array that holds any stack.
static uint32_t on_callers(const struct folded_trace *f, uint32_t line, uint32_t stack, uint32_t most, uint32_t *way) {
    uint32_t count, length = 0;
    const struct stack_node *nodes = trace_stacks_nodes(f->stacks, &count);
    for (; length < most && stack > STACK_LOST && nodes[stack].kind != STACK_ROOT; stack = nodes[stack].parent)
        way[length++] = stack;
    while (length-- > 0)
        line = on(f, line, function_name(f->program, nodes[way[length]].site));
    return line;
}

static uint32_t on_all_callers(struct folded_trace *f, uint32_t line, const struct profile_row *row, uint32_t *way) {
    const uint32_t stack = row->stack;
    if (!f->max_stack || f->depths.depth[stack] <= f->max_stack) return on_callers(f, line, stack, UINT32_MAX, way);
    f->cut += row->weight;
    line = on_callers(f, line, f->depths.below[stack], UINT32_MAX, way);
    return on_callers(f, on(f, line, FOLDED_LEFT_OUT), stack, stack_inner(f->max_stack) - 1, way);
}

static uint32_t on_instruction(const struct folded_trace *f, uint32_t line, uint64_t pc) {
    const size_t i = program_find(f->program, pc);
    char text[96], whole[128];
    line = on(f, line, function_name(f->program, pc));
    if (i == PROGRAM_NONE) {
        snprintf(text, sizeof text, "0x%" PRIx64, pc);
        return on(f, line, pc == PROFILE_PC_END ? "[end of the trace]" : text);
    }
    size_t count;
    line = on_place(f, line, pc);
    const struct program_instruction *last = &program_instructions(f->program, &count)[i];
    if (last->data) {
        disasm_data(last->insn, last->bytes, text, sizeof text);
    } else {
        disasm_text(f->disasm, pc, last->insn, text, sizeof text);
    }
    for (char *at = text; (at = strpbrk(at, ";\t"));)
        *at = ' ';
    snprintf(whole, sizeof whole, "0x%" PRIx64 " %s", pc, text);
    return on(f, line, whole);
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

static void gather(struct folded_trace *f, const struct profile_row *rows, size_t count, uint32_t *way) {
    for (size_t i = 0; i < count; i++) {
        f->all += rows[i].weight;
        const uint32_t line = on_all_callers(f, on(f, FOLDED_ROOT, states[rows[i].state]), &rows[i], way);
        folded_add(f->lines, on_instruction(f, line, rows[i].pc), rows[i].weight);
    }
}

// False: no memory.
static bool gather_all(struct folded_trace *f) {
    uint32_t stacks;
    size_t oracle_count, count = 0;
    const struct profile_row *oracle = oracle_rows(f->oracle, &oracle_count);
    const struct stack_node *nodes = trace_stacks_nodes(f->stacks, &stacks);
    if (f->max_stack && !stack_depths_create(&f->depths, nodes, stacks, f->max_stack)) return false;
    uint32_t *way = malloc(stacks * sizeof *way);
    struct profile_table *t = without_vectors(oracle, oracle_count);
    const struct profile_row *rows = t && way ? profile_table_rows(t, &count) : NULL;
    if (rows) gather(f, rows, count, way);
    const bool good = rows || (t && way && oracle_count == 0);
    profile_table_destroy(t);
    free(way);
    return good;
}

static int write_rows(struct folded_trace *f, const char *output, struct error *err) {
    const bool gathered = gather_all(f);
    struct output *document = output_open(output, err);
    if (!document) return STATUS_OUTPUT;
    const bool printed = gathered && folded_write(f->lines, output_file(document));
    if (!printed) error_nomem(err, "collapsed stacks");
    int closed = output_close(document, printed, err);
    if (f->cut)
        warning(&cli_notices, STACK_CUT_TEXT, f->path, 100 * (double)f->cut / (double)f->all, "the time has",
                f->max_stack);
    return !printed ? STATUS_BAD_INPUT : closed < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

static int book(struct trace_file *t, const struct folded_trace *f, struct error *err) {
    struct trace_record record;
    uint64_t cycles = 0;
    struct error damage = {""};
    while (trace_file_next(t, &record, &damage) == 1) {
        cycles += record.count;
        trace_stacks_cycle(f->stacks, &record.bundle);
        if (oracle_step(f->oracle, &record.bundle, record.count) == 0) continue;
        error_nomem(err, "Oracle");
        return STATUS_BAD_INPUT;
    }
    cli_warn_damage(&damage);
    return oracle_finish(f->oracle, cycles, err) < 0 ? STATUS_BAD_INPUT : EXIT_SUCCESS;
}

// What stands beside the program. False with err.
static bool make(struct folded_trace *f, unsigned width, struct error *err) {
    if (!(f->disasm = disasm_create(err)) || !(f->oracle = oracle_create(width, err))) return false;
    f->stacks = trace_stacks_create(f->program);
    f->lines = folded_create();
    if (!f->stacks || !f->lines) {
        error_nomem(err, "collapsed stacks");
        return false;
    }
    oracle_use_stacks(f->oracle, trace_stacks_now(f->stacks));
    return true;
}

int trace_folded_copy(struct trace_file *t, const char *path, const char *program, uint32_t max_stack,
                      const char *output, struct error *err) {
    if (!program) program = trace_file_program(t);
    if (!program[0]) {
        error_set(err, "the trace does not name its program: name it with --program");
        return STATUS_BAD_INPUT;
    }
    struct error why;
    struct folded_trace f = {.path = path, .program = program_load(program, &why), .max_stack = max_stack};
    if (!f.program) {
        error_set(err, "%s: name the traced program with --program", why.text);
        return STATUS_BAD_INPUT;
    }
    int status = make(&f, trace_file_width(t), err) ? book(t, &f, err) : STATUS_BAD_INPUT;
    if (status == EXIT_SUCCESS) status = write_rows(&f, output, err);
    folded_destroy(f.lines);
    stack_depths_destroy(&f.depths);
    trace_stacks_destroy(f.stacks);
    oracle_destroy(f.oracle);
    disasm_destroy(f.disasm);
    program_destroy(f.program);
    return status;
}
