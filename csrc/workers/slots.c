// Uses of the slots of dispatch, cycle by cycle: one pass over the slots, and three flags.
#include "workers/slots.h"

// 32-bit forms by their opcode, 16-bit ones by their quadrant.
static bool accesses(uint32_t insn) {
    const unsigned opcode = insn & 0x7f, funct3 = insn >> 13 & 7;
    if ((insn & 3) == 3) return opcode == 0x03 || opcode == 0x07 || opcode == 0x23 || opcode == 0x27 || opcode == 0x2f;
    return ((insn & 3) == 0 || (insn & 3) == 2) && funct3 != 0 && funct3 != 4;
}

struct slot_use slots_cycle(struct slots *s, unsigned width, const struct commit_bundle *b) {
    struct slot_use u = {.dispatched = (unsigned)__builtin_popcount(b->dispatch_valid)};
    const bool recovers = s->recovers || b->redirect;
    slots_remember(s, b);
    for (unsigned i = 0; i < width; i++)
        u.empty += !(b->dispatch_valid >> i & 1) && b->dispatch_pc[i] == 0;
    u.held = width - u.dispatched - u.empty;
    u.idle = u.empty == width;
    u.clear = b->exception || (b->commit & b->flush);
    u.of_clear = s->of_clear;
    if (b->redirect) {
        u.branch_redirect = !s->of_clear;
        u.recovery = u.held;
        u.held = 0;
    }
    if (recovers && !u.dispatched) {
        u.recovery += u.empty;
        u.empty = 0;
    }
    u.stalls = !b->rob_empty && !b->commit;
    u.memory = u.stalls && accesses(b->insn[b->oldest]);
    return u;
}
