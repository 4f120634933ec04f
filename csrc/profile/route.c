// Two rings: the last instructions, and the last transfers, which are at most as many and one more for each trap.
#include "profile/route.h"
#include "isa/control.h"
#include "isa/rvc.h"
#include <stdlib.h>

enum { INSTRUCTIONS = 1 << 16, STEPS = 1 << 18 };

struct executed {
    uint64_t cycle, pc, end; // end: steps before it
    uint16_t history, either;
};
struct step {
    struct route_step step;
    bool branch;
};
struct route_past {
    uint64_t count, step_count; // written in all
    bool going;                 // something has been executed: `last`
    bool trapped;               // ... but for the trap that was taken at its place
    bool branch, jumps;         // the last one is a conditional branch; goes elsewhere in any case
    bool either_way;            // a branch whose target is the next instruction
    uint64_t last, next;        // its address, that of the next instruction
    uint16_t history, either;   // after it
    struct executed executed[INSTRUCTIONS];
    struct step steps[STEPS];
};

struct route_past *route_past_create(void) {
    return calloc(1, sizeof(struct route_past));
}

void route_past_destroy(struct route_past *p) {
    free(p);
}

// A jump's target may be the next instruction.
static bool always_jumps(enum control_kind kind) {
    return kind != CONTROL_NONE && kind != CONTROL_BRANCH && kind != CONTROL_TRAPS;
}

// Whether the branch goes behind itself in any case (B-type: its offset is its own size).
static bool goes_on(uint32_t insn, uint32_t size) {
    enum { OFFSET = 0xfe000f80 };
    return (insn_word(insn) & OFFSET) == size << 7;
}

// Control comes to pc.
static void arrive(struct route_past *p, uint64_t pc) {
    if (!p->going || (!p->branch && !p->jumps && pc == p->next && !p->trapped)) return;
    p->steps[p->step_count++ % STEPS] = (struct step){{p->last, pc}, p->branch};
    if (p->branch) p->history = (uint16_t)(p->history << 1 | (pc != p->next));
    if (p->branch) p->either = (uint16_t)(p->either << 1 | p->either_way);
}

void route_past_add(struct route_past *p, uint64_t cycle, uint64_t pc, uint32_t insn) {
    const enum control_kind kind = control_kind_of(insn);
    const uint32_t size = (insn & 3) == 3 ? 4 : 2;
    arrive(p, pc);
    p->executed[p->count++ % INSTRUCTIONS] = (struct executed){cycle, pc, p->step_count, p->history, p->either};
    p->going = true;
    p->trapped = false;
    p->branch = kind == CONTROL_BRANCH;
    p->jumps = always_jumps(kind);
    p->either_way = p->branch && goes_on(insn, size);
    p->last = pc;
    p->next = pc + size;
}

void route_past_trap(struct route_past *p, uint64_t epc) {
    arrive(p, epc);
    p->going = p->trapped = true;
    p->branch = p->jumps = false;
    p->last = epc;
}

bool route_past_find(const struct route_past *p, uint64_t cycle, uint64_t pc, struct route_found *found) {
    const uint64_t kept = p->count < INSTRUCTIONS ? p->count : INSTRUCTIONS;
    for (uint64_t i = p->count; i-- > p->count - kept;) {
        const struct executed *e = &p->executed[i % INSTRUCTIONS];
        if (e->cycle < cycle) return false;
        if (e->cycle != cycle || e->pc != pc) continue;
        *found = (struct route_found){e->history, e->either, e->end};
        return true;
    }
    return false;
}

size_t route_past_steps(const struct route_past *p, const struct route_found *found,
                        struct route_step steps[ROUTE_STEPS]) {
    const uint64_t oldest = p->step_count < STEPS ? 0 : p->step_count - STEPS;
    size_t count = 0;
    unsigned branches = 0;
    for (uint64_t i = found->end; i > oldest && count < ROUTE_STEPS && branches < ROUTE_BRANCHES; i--) {
        steps[count++] = p->steps[(i - 1) % STEPS].step;
        branches += p->steps[(i - 1) % STEPS].branch;
    }
    return count;
}
