// The time of a trace as collapsed stacks, which flamegraph.pl, speedscope and others draw: a line for each instruction
// and state, root first,
//
//   Stalled;step;nbody.c:57;0x80000458 fdiv.d fa5,fa4,fa5 1234
//
// the weight in 1/U cycles, as in profiles (base/units.h). The Oracle gives each cycle of the trace to its instruction.
// What it cannot know of cycles before the trace began: a flush whose cause lies there counts as Drained.
#include "cli/trace_folded.h"
#include "analysis/analysis.h"
#include "base/disasm.h"
#include "cli/cli.h"
#include "oracle/oracle.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const states[] = {STATE_NAMES};

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

static void print_stack(FILE *out, const struct program *p, struct disasm *d, uint64_t pc) {
    size_t i = program_find(p, pc), count;
    char text[96];
    if (i == PROGRAM_NONE) {
        fputs("[outside of the program];", out);
        pc == PROFILE_PC_END ? fputs("[end of the trace]", out) : fprintf(out, "0x%" PRIx64, pc);
        return;
    }
    const struct program_instruction *instruction = &program_instructions(p, &count)[i];
    print_frame(out, program_functions(p, &count)[instruction->function].name);
    print_place(out, p, pc);
    disasm_text(d, pc, instruction->insn, text, sizeof text);
    for (char *at = text; (at = strpbrk(at, ";\t"));)
        *at = ' ';
    fprintf(out, "0x%" PRIx64 " %s", pc, text);
}

// rows: by pc, then state. Vectors are not told apart.
static void print_rows(FILE *out, const struct program *p, struct disasm *d, const struct profile_row *rows,
                       size_t count) {
    for (size_t i = 0; i < count && !ferror(out);) {
        size_t first = i;
        uint64_t weight = 0;
        for (; i < count && rows[i].pc == rows[first].pc && rows[i].state == rows[first].state; i++)
            weight += rows[i].weight;
        print_frame(out, states[rows[first].state]);
        print_stack(out, p, d, rows[first].pc);
        fprintf(out, " %" PRIu64 "\n", weight);
    }
}

static int write_rows(const struct program *p, struct disasm *d, struct oracle *o, const char *output,
                      struct error *err) {
    size_t count;
    const struct profile_row *rows = oracle_rows(o, &count);
    FILE *out = output ? fopen(output, "we") : stdout;
    if (!out) {
        error_set(err, "%s: cannot create: %s: choose another file", output, strerror(errno));
        return STATUS_OUTPUT;
    }
    print_rows(out, p, d, rows, count);
    bool good = !ferror(out);
    if (output) good = fclose(out) == 0 && good;
    if (good || !output) return EXIT_SUCCESS; // stdout: stdout_written says
    error_set(err, "%s: cannot write: %s: free some space and try again", output, strerror(errno ? errno : EIO));
    return STATUS_OUTPUT;
}

static int book(struct trace_file *t, struct oracle *o, struct error *err) {
    struct trace_record record;
    uint64_t cycles = 0;
    int next;
    while ((next = trace_file_next(t, &record, err)) == 1) {
        cycles += record.count;
        if (oracle_step(o, &record.bundle, record.count) == 0) continue;
        error_set(err, "Oracle: out of memory: free some and try again");
        return STATUS_BAD_INPUT;
    }
    return next < 0 || oracle_finish(o, cycles, err) < 0 ? STATUS_BAD_INPUT : EXIT_SUCCESS;
}

int trace_folded_copy(struct trace_file *t, const char *program, const char *output, struct error *err) {
    if (!program) program = trace_file_program(t);
    if (!program[0]) {
        error_set(err, "the trace does not name its program: name it by --program");
        return STATUS_BAD_INPUT;
    }
    struct error why;
    struct program *p = program_load(program, &why);
    if (!p) {
        error_set(err, "%s: name the traced program by --program", why.text);
        return STATUS_BAD_INPUT;
    }
    struct disasm *d = disasm_create(err);
    struct oracle *o = d ? oracle_create(trace_file_width(t), err) : NULL;
    int status = o ? book(t, o, err) : STATUS_BAD_INPUT;
    if (status == EXIT_SUCCESS) status = write_rows(p, d, o, output, err);
    oracle_destroy(o);
    disasm_destroy(d);
    program_destroy(p);
    return status;
}
