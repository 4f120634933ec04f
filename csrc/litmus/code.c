// The table of code: a row of cells, separated by `|` and ended by `;`, has one instruction of each thread, or none.
#include "litmus/code.h"
#include "litmus/reader.h"
#include <string.h>

static const char *const behind[] = {"exists", "forall", "final", "locations", "filter"};

// What follows the table begins here.
static bool table_ends(struct reader *r) {
    if (reader_ended(r) || *r->at == '~' || *r->at == '(') return true;
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        if (reader_is(r, behind[i])) return true;
    return false;
}

// The end of the cell that begins here: its `|` or `;`. NULL with an error.
static const char *cell_end(struct reader *r) {
    const char *p = r->at;
    while (p < r->end && *p != '|' && *p != ';')
        p++;
    if (p < r->end) return p;
    reader_fails(r, r->at, "the row does not end: close it with ';'");
    return NULL;
}

static bool read_heads(struct reader *r) {
    struct litmus_test *t = r->test;
    for (bool more = true; more;) {
        const char *const end = cell_end(r);
        const unsigned thread = t->thread_count;
        char name[8] = {'P', (char)('0' + thread), 0};
        if (!end) return false;
        if (thread == LITMUS_THREADS) return reader_fails(r, r->at, "more than %d threads: use fewer", LITMUS_THREADS);
        if (!reader_is(r, name))
            return reader_fails(r, r->at, "the table's first row names the threads, P0 | P1 ...: write %s here", name);
        r->at += strlen(name);
        reader_blanks(r);
        if (r->at != end) return reader_fails(r, r->at, "a thread's name stands alone: omit what follows %s", name);
        more = *end == '|';
        r->at = end + 1;
        t->thread_count++;
    }
    for (unsigned i = t->thread_count; i < LITMUS_THREADS; i++)
        for (unsigned x = 0; x < LITMUS_REGISTERS; x++)
            if (t->threads[i].x[x].location >= 0 || t->threads[i].x[x].number)
                return reader_fails(r, r->at,
                                    "the initial state has a register of thread %u, the table %u threads: "
                                    "omit it",
                                    i, t->thread_count);
    return true;
}

static bool read_cell(struct reader *r, unsigned thread, struct code_labels *labels, const char *end) {
    struct reader cell = *r;
    cell.end = end;
    if (reader_ended(&cell)) return true;
    if (!litmus_read_instruction(&cell, &r->test->threads[thread], labels)) return false;
    return reader_ended(&cell) || reader_fails(&cell, cell.at,
                                               "an instruction ends before this: omit it, or write ';' "
                                               "or '|' before it");
}

static bool read_row(struct reader *r, struct code_labels *labels) {
    for (unsigned thread = 0;; thread++) {
        const char *const end = cell_end(r);
        if (!end) return false;
        if (thread == r->test->thread_count)
            return reader_fails(r, r->at, "the row has more cells than there are threads: omit some");
        if (!read_cell(r, thread, &labels[thread], end)) return false;
        r->at = end + 1;
        if (*end == '|') continue;
        return thread + 1 == r->test->thread_count ||
               reader_fails(r, end, "the row has %u cells of %u: write '|' between them, also where one is empty",
                            thread + 1, r->test->thread_count);
    }
}

// Branches know their targets' numbers in the list of labels until all are read.
static bool resolve(struct reader *r, struct litmus_thread *thread, const struct code_labels *labels) {
    for (unsigned i = 0; i < thread->count; i++) {
        struct litmus_instruction *insn = &thread->code[i];
        const uint8_t unit = litmus_instructions[insn->op].unit;
        if (unit != UNIT_BRANCH && unit != UNIT_JAL) continue;
        const struct code_label *label = &labels->list[insn->imm];
        if (label->target < 0)
            return reader_fails(r, label->name, "no label '%.*s' in this thread: write it before an instruction",
                                (int)label->bytes, label->name);
        insn->imm = label->target;
    }
    return true;
}

bool litmus_read_code(struct reader *r) {
    struct code_labels labels[LITMUS_THREADS] = {0};
    bool good = read_heads(r);
    while (good && !table_ends(r))
        good = read_row(r, labels);
    for (unsigned i = 0; good && i < r->test->thread_count; i++)
        good = resolve(r, &r->test->threads[i], &labels[i]);
    return good;
}
