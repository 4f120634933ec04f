// Loads with .aq and stores with .rl as RV64GC can have them: with a fence beside them.
#include "litmus/litmus.h"
#include "litmus/test.h"

static bool is_load(const struct litmus_instruction *insn) {
    return litmus_instructions[insn->op].unit == UNIT_LOAD;
}

static bool is_store(const struct litmus_instruction *insn) {
    return litmus_instructions[insn->op].unit == UNIT_STORE;
}

static struct litmus_instruction fence(const struct litmus_instruction *at, int32_t sets) {
    return (struct litmus_instruction){.op = INSN_FENCE, .imm = sets, .line = at->line};
}

// Branches go to the fence that stands before an instruction.
static int lower(struct litmus_thread *from) {
    struct litmus_thread to = {0};
    unsigned place[LITMUS_CODE + 1] = {0};
    int changed = 0;
    for (unsigned i = 0; i < from->count; i++) {
        struct litmus_instruction insn = from->code[i];
        const bool plain = is_load(&insn) || is_store(&insn), before = plain && insn.release,
                   behind = plain && insn.acquire;
        place[i] = to.count;
        if (to.count + 1 + before + behind > LITMUS_CODE) return -1;
        if (plain) insn.acquire = insn.release = false;
        if (before) to.code[to.count++] = fence(&insn, 0x31); // rw,w, and rw,rw before a load
        if (before && is_load(&insn)) to.code[to.count - 1].imm = 0x33;
        to.code[to.count++] = insn;
        if (behind) to.code[to.count++] = fence(&insn, is_load(&insn) ? 0x23 : 0x33); // r,rw
        changed += before || behind;
    }
    place[from->count] = to.count;
    for (unsigned i = 0; i < to.count; i++) {
        const uint8_t unit = litmus_instructions[to.code[i].op].unit;
        if (unit == UNIT_BRANCH || unit == UNIT_JAL) to.code[i].imm = (int32_t)place[to.code[i].imm];
    }
    for (unsigned i = 0; i < to.count; i++)
        from->code[i] = to.code[i];
    from->count = to.count;
    return changed;
}

int litmus_lower(struct litmus_test *t, const char *path, struct error *err) {
    int changed = 0;
    for (unsigned i = 0; i < t->thread_count; i++) {
        const int now = lower(&t->threads[i]);
        if (now < 0) {
            error_set(err, "%s: thread %u has more than %d instructions with its fences: use fewer", path, i,
                      LITMUS_CODE);
            return -1;
        }
        changed += now;
    }
    return changed;
}
