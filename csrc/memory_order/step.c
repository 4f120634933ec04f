// What an instruction does to memory, from its word: fields of the unprivileged manual, "Base Instruction Formats" and
// chapters "A" and "RV32I" (FENCE).
#include "isa/operands.h"
#include "isa/rvc.h"
#include "memory_order/memory_order.h"

enum { LOAD = 0x03, LOAD_FP = 0x07, FENCE = 0x0f, STORE = 0x23, STORE_FP = 0x27, ATOMIC = 0x2f, BRANCH = 0x63 };
enum { JALR = 0x67, SYSTEM = 0x73 };
enum { FUNCT5_LR = 2, FUNCT5_SC = 3, SFENCE_VMA = 9, FM_TSO = 8, FM_SHIFT = 28 };

static void read_atomic(struct memory_order_step *s, uint32_t word) {
    const unsigned funct5 = word >> 27;
    const bool aq = word >> 26 & 1, rl = word >> 25 & 1;
    s->act = funct5 == FUNCT5_LR ? MEMORY_ORDER_LR : funct5 == FUNCT5_SC ? MEMORY_ORDER_SC : MEMORY_ORDER_AMO;
    // "An AMO or LR instruction with aq set has an acquire-RCsc annotation. An AMO or SC instruction with rl set has a
    // release-RCsc annotation. An AMO, LR, or SC instruction with both aq and rl set has both."
    s->aq = aq && (s->act != MEMORY_ORDER_SC || rl);
    s->rl = rl && (s->act != MEMORY_ORDER_LR || aq);
}

static void read_fence(struct memory_order_step *s, uint32_t word) {
    if ((word >> 12 & 7) == 1) s->renews = MEMORY_ORDER_CODE; // fence.i orders no memory operations
    if (word >> 12 & 7) return;
    s->act = MEMORY_ORDER_FENCES;
    s->pred = word >> 24 & 3;
    s->succ = word >> 20 & 3;
    s->tso = word >> FM_SHIFT == FM_TSO && s->pred == 3 && s->succ == 3;
}

struct memory_order_step memory_order_step_of(uint32_t insn) {
    const uint32_t word = insn_word(insn);
    const struct operands o = operands_of(insn);
    struct memory_order_step s = {.rd = o.rd, .rs = {o.rs[0], o.rs[1], o.rs[2]}};
    switch (word & 0x7f) {
    case LOAD:
    case LOAD_FP: s.act = MEMORY_ORDER_LOADS; break;
    case STORE:
    case STORE_FP: s.act = MEMORY_ORDER_STORES; break;
    case ATOMIC: read_atomic(&s, word); break;
    case BRANCH:
    case JALR: s.act = MEMORY_ORDER_BRANCHES; break;
    case FENCE: read_fence(&s, word); break;
    // A CSR's value comes from the CSR, not from rs1: what passes through CSRs is not followed.
    case SYSTEM:
        if (word >> 25 == SFENCE_VMA && (word >> 7 & 0x3ffff) == 0) s.renews = MEMORY_ORDER_TABLES;
        s.rs[0] = s.rs[1] = s.rs[2] = OPERAND_NONE;
        break;
    default: break;
    }
    return s;
}
