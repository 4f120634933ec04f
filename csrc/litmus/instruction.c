// One instruction: a mnemonic of tables/instructions.tsv or a pseudo-instruction, and the operands of its format.
#include "litmus/code.h"
#include <string.h>

const struct insn_info litmus_instructions[] = {INSN_INFO_ROWS};
enum { ROWS = sizeof litmus_instructions / sizeof *litmus_instructions };

static bool add(struct reader *r, struct litmus_thread *thread, const struct litmus_instruction *insn) {
    if (thread->count == LITMUS_CODE)
        return reader_fails(r, r->at, "more than %d instructions in a thread: use fewer", LITMUS_CODE);
    struct litmus_instruction *to = &thread->code[thread->count++];
    *to = *insn;
    to->line = 1;
    for (const char *p = r->text; p < r->at; p++)
        to->line += *p == '\n';
    return true;
}

static bool register_operand(struct reader *r, uint8_t *x) {
    const size_t bytes = reader_name(r);
    const int found = reader_register(r->at, bytes);
    if (found < 0) return reader_fails(r, r->at, "a register is missing: write x0 to x31, or a name of the ABI");
    r->at += bytes;
    *x = (uint8_t)found;
    return true;
}

static bool comma(struct reader *r) {
    return reader_needs(r, ",", "operands are separated by it");
}

static bool number_operand(struct reader *r, int64_t low, int64_t high, int64_t *number) {
    uint64_t value;
    reader_blanks(r);
    const char *const start = r->at;
    if (!reader_number(r, &value)) return false;
    *number = (int64_t)value;
    return (*number >= low && *number <= high) || reader_fails(r, start, "%lld is out of range: write %lld to %lld",
                                                               (long long)*number, (long long)low, (long long)high);
}

static bool immediate_operand(struct reader *r, int64_t low, int64_t high, int32_t *imm) {
    int64_t number;
    if (!number_operand(r, low, high, &number)) return false;
    *imm = (int32_t)number;
    return true;
}

// `4(x6)` or `(x6)`; AMOs have no offset.
static bool address_operand(struct reader *r, bool offset, uint8_t *x, int32_t *imm) {
    *imm = 0;
    reader_blanks(r);
    if (r->at < r->end && *r->at != '(' && !immediate_operand(r, offset ? -2048 : 0, offset ? 2047 : 0, imm))
        return false;
    return reader_needs(r, "(", "an address is OFFSET(REGISTER)") && register_operand(r, x) &&
           reader_needs(r, ")", "an address is OFFSET(REGISTER)");
}

// The number of the label of that name, which may follow later. -1 with an error.
static int label(struct reader *r, struct code_labels *labels, const char *name, size_t bytes) {
    for (unsigned i = 0; i < labels->count; i++)
        if (labels->list[i].bytes == bytes && memcmp(labels->list[i].name, name, bytes) == 0) return (int)i;
    if (labels->count == CODE_LABELS) {
        reader_fails(r, name, "more than %d labels in a thread: use fewer", CODE_LABELS);
        return -1;
    }
    labels->list[labels->count] = (struct code_label){name, bytes, -1};
    return (int)labels->count++;
}

static bool label_operand(struct reader *r, struct code_labels *labels, int32_t *imm) {
    const size_t bytes = reader_name(r);
    if (!bytes) return reader_fails(r, r->at, "a label is missing: write the name of one in this thread");
    *imm = label(r, labels, r->at, bytes);
    r->at += bytes;
    return *imm >= 0;
}

// A set of a fence, as its bits in the encoding: i, o, r, w.
static bool fence_set(struct reader *r, int32_t *bits) {
    const size_t bytes = reader_name(r);
    *bits = 0;
    for (size_t i = 0; i < bytes; i++) {
        const char *const letters = "wroi", *const at = strchr(letters, r->at[i]);
        if (!at) return reader_fails(r, r->at + i, "a fence's sets are made of r, w, i and o: write rw,rw");
        *bits |= 1 << (at - letters);
    }
    if (!bytes) return reader_fails(r, r->at, "a fence's set is missing: write rw,rw");
    r->at += bytes;
    return true;
}

static bool fence_operands(struct reader *r, struct litmus_instruction *insn) {
    int32_t before = 15, after = 15;
    if (insn->op == INSN_FENCE_I || insn->imm || reader_ended(r)) {
        if (insn->op == INSN_FENCE && !insn->imm) insn->imm = 0x0ff;
        return true;
    }
    if (!fence_set(r, &before) || !comma(r) || !fence_set(r, &after)) return false;
    insn->imm = before << 4 | after;
    return true;
}

static bool operands(struct reader *r, struct litmus_instruction *insn, struct code_labels *labels) {
    const struct insn_info *row = &litmus_instructions[insn->op];
    switch (row->format) {
    case FORMAT_R:
        return register_operand(r, &insn->rd) && comma(r) && register_operand(r, &insn->rs1) && comma(r) &&
               register_operand(r, &insn->rs2);
    case FORMAT_I:
        if (!register_operand(r, &insn->rd) || !comma(r)) return false;
        if (row->unit == UNIT_LOAD) return address_operand(r, true, &insn->rs1, &insn->imm);
        return register_operand(r, &insn->rs1) && comma(r) && immediate_operand(r, -2048, 2047, &insn->imm);
    case FORMAT_SH5:
    case FORMAT_SH6:
        return register_operand(r, &insn->rd) && comma(r) && register_operand(r, &insn->rs1) && comma(r) &&
               immediate_operand(r, 0, row->format == FORMAT_SH5 ? 31 : 63, &insn->imm);
    case FORMAT_S:
        return register_operand(r, &insn->rs2) && comma(r) && address_operand(r, true, &insn->rs1, &insn->imm);
    case FORMAT_B:
        return register_operand(r, &insn->rs1) && comma(r) && register_operand(r, &insn->rs2) && comma(r) &&
               label_operand(r, labels, &insn->imm);
    case FORMAT_U: {
        if (!register_operand(r, &insn->rd) || !comma(r) || !immediate_operand(r, 0, 0xfffff, &insn->imm)) return false;
        insn->imm = (int32_t)((uint32_t)insn->imm << 12);
        return true;
    }
    case FORMAT_FENCE: return fence_operands(r, insn);
    case FORMAT_LR:
        return register_operand(r, &insn->rd) && comma(r) && address_operand(r, false, &insn->rs1, &insn->imm);
    default: // AMO
        return register_operand(r, &insn->rd) && comma(r) && register_operand(r, &insn->rs2) && comma(r) &&
               address_operand(r, false, &insn->rs1, &insn->imm);
    }
}

static bool is(const char *name, size_t bytes, const char *word) {
    return strlen(word) == bytes && memcmp(name, word, bytes) == 0;
}

// .aq, .rl, .aqrl and .aq.rl of AMOs, loads and stores; what is left of the mnemonic's bytes.
static size_t strip_order(const char *name, size_t bytes, struct litmus_instruction *insn) {
    for (bool more = true; more;) {
        more = bytes > 3 && (is(name + bytes - 3, 3, ".aq") || is(name + bytes - 3, 3, ".rl"));
        if (more) {
            *(name[bytes - 1] == 'q' ? &insn->acquire : &insn->release) = true;
            bytes -= 3;
        } else if (bytes > 5 && is(name + bytes - 5, 5, ".aqrl")) {
            insn->acquire = insn->release = true;
            bytes -= 5;
        }
    }
    return bytes;
}

// li: an addi, or lui and addiw.
static bool load_immediate(struct reader *r, struct litmus_thread *thread) {
    struct litmus_instruction insn = {.op = INSN_ADDI};
    int64_t number;
    if (!register_operand(r, &insn.rd) || !comma(r) || !number_operand(r, INT32_MIN, INT32_MAX, &number)) return false;
    const int32_t low = (int32_t)((uint32_t)number << 20) >> 20;
    insn.imm = low;
    if (number == low) return add(r, thread, &insn);
    const struct litmus_instruction upper = {
        .op = INSN_LUI, .rd = insn.rd, .imm = (int32_t)((uint32_t)number - (uint32_t)low)};
    insn.op = INSN_ADDIW;
    insn.rs1 = insn.rd;
    return add(r, thread, &upper) && add(r, thread, &insn);
}

// Those that are one instruction, of operands that stand in order; 0: it is none.
static int pseudo(struct reader *r, const char *name, size_t bytes, struct litmus_thread *thread,
                  struct code_labels *labels) {
    struct litmus_instruction insn = {.op = INSN_ADDI};
    bool good = true;
    if (is(name, bytes, "li")) return load_immediate(r, thread) ? 1 : -1;
    if (is(name, bytes, "mv")) {
        good = register_operand(r, &insn.rd) && comma(r) && register_operand(r, &insn.rs1);
    } else if (is(name, bytes, "j")) {
        insn.op = INSN_JAL;
        good = label_operand(r, labels, &insn.imm);
    } else if (is(name, bytes, "beqz") || is(name, bytes, "bnez")) {
        insn.op = name[1] == 'e' ? INSN_BEQ : INSN_BNE;
        good = register_operand(r, &insn.rs1) && comma(r) && label_operand(r, labels, &insn.imm);
    } else if (is(name, bytes, "fence.tso")) {
        insn = (struct litmus_instruction){.op = INSN_FENCE, .imm = (int32_t)0xfffff833};
    } else if (!is(name, bytes, "nop")) {
        return 0;
    }
    return good && add(r, thread, &insn) ? 1 : -1;
}

static bool is_read(const struct insn_info *row) {
    switch (row->unit) {
    case UNIT_ALU: return row->match != 0x17; // auipc
    case UNIT_BRANCH:
    case UNIT_FENCE: return row->format != FORMAT_RR;
    case UNIT_LOAD:
    case UNIT_STORE: return !row->fp && !row->hint;
    case UNIT_AMO: return true;
    default: return false;
    }
}

bool litmus_read_instruction(struct reader *r, struct litmus_thread *thread, struct code_labels *labels) {
    const size_t bytes = reader_name(r);
    const char *const name = r->at;
    if (!bytes) return reader_fails(r, name, "an instruction is missing: write one, or leave the cell empty");
    r->at += bytes;
    if (reader_takes(r, ":")) {
        const int number = label(r, labels, name, bytes);
        if (number < 0) return false;
        if (labels->list[number].target >= 0) return reader_fails(r, name, "the label stands here twice: rename one");
        labels->list[number].target = (int)thread->count;
        return reader_ended(r) || litmus_read_instruction(r, thread, labels);
    }
    const int done = pseudo(r, name, bytes, thread, labels);
    if (done) return done > 0;
    struct litmus_instruction insn = {0};
    const size_t stem = strip_order(name, bytes, &insn);
    for (unsigned i = 1; i < ROWS; i++) {
        const struct insn_info *row = &litmus_instructions[i];
        if (!is(name, stem, row->name) || !is_read(row)) continue;
        if (stem < bytes && row->unit != UNIT_AMO && row->unit != UNIT_LOAD && row->unit != UNIT_STORE) break;
        insn.op = (uint8_t)i;
        return operands(r, &insn, labels) && add(r, thread, &insn);
    }
    return reader_fails(r, name,
                        "'%.*s' is not read: use loads, stores, lr, sc, amo, fences, branches and integer "
                        "arithmetic",
                        bytes > 32 ? 32 : (int)bytes, name);
}
