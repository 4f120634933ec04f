// The statements that the bodies of instructions (execute.c, execute_slow.c) consist of: operands, what is next, jumps,
// memory.
//
// A body is a function that ends in a call of the next one's, which clang makes a jump (musttail); what they hand on,
// in registers all the way, is:
//   e      the entry of the instruction
//   h      the hart
//   memory what loads and stores go by: the machine's DRAM, or h->quick_data where they are translated
//   left   instructions until the run ends, counted from the end of e's block: left + e->count from before e
//   table  where entries' bodies are: of the hart's mode, those that count, or those of single steps
// A body that calls a function in the ordinary way saves these five around it. So the hot ones call none: what they
// cannot do they leave, as it is, to a body of execute_slow.c. What is rarely needed stands in the hart: h->bias, which
// makes the pc of e; h->asked and h->synced, which `left` began at and was when it was last handed to the counters.
#ifndef TIPOFF_ISS_EXECUTE_STATEMENTS_H
#define TIPOFF_ISS_EXECUTE_STATEMENTS_H

#include "iss/bodies.h"
#include "iss/iss_internal.h"
#include <string.h>

struct iss_table {
    iss_handler *of[BODIES_MARKED + BODY_COUNT];
};

#define UNUSED __attribute__((unused)) // by those that end the run
#define ARGUMENTS                                                                                                      \
    struct entry *e, struct hart *h, UNUSED void *memory, int64_t left, UNUSED const struct iss_table *table
#define GO_TO(body) __attribute__((musttail)) return (body)(e, h, memory, left, table)
#define DISPATCH GO_TO(table->of[e->body])

#define RD h->x[e->rd]
#define RS1 h->x[e->rs1]
#define RS2 h->x[e->rs2]
#define IMM ((uint64_t)(int64_t)e->imm)
#define SIGNED(value) ((int64_t)(value))
#define PC (h->bias + (uintptr_t)e / ENTRY_BYTES_A_BYTE)

// execute.c
extern const struct iss_table iss_table_bare, iss_table_translated, iss_table_counted, iss_table_steps;
extern const struct iss_table iss_table_flow_bare, iss_table_flow_translated; // in a block whose flow is watched ...
extern const struct iss_table iss_table_entering;                             // ... and where the next one begins
extern const struct iss_table iss_table_noting_bare,
    iss_table_noting_translated; // accesses are watched; pairs: as below
extern const struct iss_table iss_table_flow_noting_bare, iss_table_flow_noting_translated; // ... and the flow, too
extern const struct iss_table iss_table_bare_singles, iss_table_translated_singles;         // pairs: their first alone
// execute_slow.c: bodies, and what the hot ones leave.
#define ISS_SLOW_BODY(name) iss_handler iss_body_##name;
#define ISS_FAST_BODY(name)
ISS_BODIES(ISS_SLOW_BODY, ISS_SLOW_BODY, ISS_SLOW_BODY, ISS_FAST_BODY, ISS_FAST_BODY, ISS_FAST_BODY)
iss_handler iss_load_any, iss_store_any;
iss_handler iss_short;      // the block is longer than what is left of the run
iss_handler iss_enter_page; // at h->pc, which is not known from where control comes; left: all of the run
iss_handler iss_count_body; // counts e, whose cells are not at hand
iss_handler iss_flow_body;  // begins a block at e, likewise
iss_handler iss_marked;     // begins a block at e, which is marked, and reports it
// execute.c: the instruction itself, after that.
iss_handler iss_marked_on;
iss_handler iss_noted_body; // hands over what was noted of accesses, and goes on at e

// To the next entry, in its block.
#define NEXT                                                                                                           \
    do {                                                                                                               \
        e += STRIDE;                                                                                                   \
        DISPATCH;                                                                                                      \
    } while (0)
// Begins a block at e.
#define BLOCK                                                                                                          \
    do {                                                                                                               \
        left -= e->count;                                                                                              \
        if (__builtin_expect(left < 0, 0)) GO_TO(iss_short);                                                           \
        DISPATCH;                                                                                                      \
    } while (0)
// The instruction that jumps is its block's last: left is what it leaves.
// Where it jumps to follows from registers of the guest by half a dozen loads one after the other, and every operand
// after it waits for e. So there is a guess at e, which is known at once: the host predicts that the guess is
// right, and goes on with it while it still finds out. WHERE: the guess's place; MORE: what else is done with it.
#define JUMP_BY(where, target, MORE)                                                                                   \
    do {                                                                                                               \
        const uint64_t to = (target);                                                                                  \
        const struct iss_quick_code *code = &h->quick_code[to / PAGE_BYTES % ISS_TLB_ENTRIES];                         \
        struct entry **known = (where), *guess = *known;                                                               \
        struct entry *const found = iss_entry_of(code->bias, to);                                                      \
        if (__builtin_expect(code->fetch != (to & ~(uint64_t)(PAGE_BYTES - 1)), 0)) {                                  \
            h->pc = to;                                                                                                \
            GO_TO(iss_enter_page);                                                                                     \
        }                                                                                                              \
        h->bias = code->bias;                                                                                          \
        const bool right = guess == found;                                                                             \
        __asm__("" : "+r"(guess)); /* the compiler would take what it was found to be */                               \
        if (right) {                                                                                                   \
            e = guess;                                                                                                 \
            MORE;                                                                                                      \
            BLOCK;                                                                                                     \
        }                                                                                                              \
        *known = e = found;                                                                                            \
        MORE;                                                                                                          \
        BLOCK;                                                                                                         \
    } while (0)
#define ENTRY_NUMBER ((uintptr_t)e / sizeof *e)
// Always to the same place, as a rule.
#define JUMP(target) JUMP_BY(&h->targets[ENTRY_NUMBER % ISS_JUMPS], target, (void)0)
// To a place that depends on how control came here: on the last few of these jumps.
#define JUMP_BY_PATH(target)                                                                                           \
    do {                                                                                                               \
        const uint64_t path = h->path;                                                                                 \
        JUMP_BY(&h->targets[(ENTRY_NUMBER ^ path) % ISS_JUMPS], target, h->path = path * 8 + ENTRY_NUMBER);            \
    } while (0)
// After the call that was entered last.
#define CALL (h->returns[h->depth = (h->depth + 1) % ISS_RETURNS] = e + STRIDE)
#define RETURN(target)                                                                                                 \
    do {                                                                                                               \
        const unsigned depth = h->depth;                                                                               \
        JUMP_BY(&h->returns[depth], target, h->depth = (depth - 1) % ISS_RETURNS);                                     \
    } while (0)
// Within the page, where the decoder has made entries of the distance.
#define JUMP_NEAR                                                                                                      \
    do {                                                                                                               \
        e = (struct entry *)((uint8_t *)e + e->imm);                                                                   \
        BLOCK;                                                                                                         \
    } while (0)
#define BRANCH(condition)                                                                                              \
    do {                                                                                                               \
        if (condition) JUMP_NEAR;                                                                                      \
        e += STRIDE;                                                                                                   \
        BLOCK;                                                                                                         \
    } while (0)

// ---- operations: what an instruction does to registers and memory ----
enum iss_done { ISS_DONE, ISS_LEFT_LOAD, ISS_LEFT_STORE, ISS_LEFT_ILLEGAL }; // LEFT: nothing was done; what is to do it
#define OPERANDS UNUSED struct entry *e, UNUSED struct hart *h, UNUSED void *memory
// Does it, or leaves it to its slow body.
#define DO(operation)                                                                                                  \
    do {                                                                                                               \
        const enum iss_done done = (operation)(e, h, memory);                                                          \
        if (__builtin_expect(done == ISS_LEFT_LOAD, 0)) GO_TO(iss_load_any);                                           \
        if (__builtin_expect(done == ISS_LEFT_STORE, 0)) GO_TO(iss_store_any);                                         \
        if (__builtin_expect(done == ISS_LEFT_ILLEGAL, 0)) GO_TO(iss_body_illegal);                                    \
    } while (0)
// Rotated, an address within DRAM that is not aligned is a large number: one comparison does for both.
#define ROTATED(type)                                                                                                  \
    (offset / sizeof(type) | (sizeof(type) > 1 ? offset << (64 - __builtin_ctz(sizeof(type))) % 64 : 0))
#define IS_PLAIN(type) (ROTATED(type) < h->data_limits[__builtin_ctz(sizeof(type))])
// The page of an aligned access as struct iss_quick has it; another value, if it is not aligned.
#define QUICK_PAGE(type) (address & (~(uint64_t)(PAGE_BYTES - 1) | (sizeof(type) - 1)))
// TO: what puts `value` into the destination register.
#define LOAD_BARE(type, TO)                                                                                            \
    const uint64_t offset = RS1 + IMM - DRAM_BASE;                                                                     \
    type value;                                                                                                        \
    if (__builtin_expect(!IS_PLAIN(type), 0)) return ISS_LEFT_LOAD;                                                    \
    memcpy(&value, (uint8_t *)memory + offset, sizeof value);                                                          \
    TO;                                                                                                                \
    return ISS_DONE
#define LOAD_TRANSLATED(type, TO)                                                                                      \
    const uint64_t address = RS1 + IMM;                                                                                \
    const struct iss_quick *known = (const struct iss_quick *)memory + (address / PAGE_BYTES % ISS_TLB_ENTRIES);       \
    type value;                                                                                                        \
    if (__builtin_expect(known->load != QUICK_PAGE(type), 0)) return ISS_LEFT_LOAD;                                    \
    memcpy(&value, (const void *)(address + known->host), sizeof value);                                               \
    TO;                                                                                                                \
    return ISS_DONE
// The word tohost asks for a look at each store; its page is never known to be translated.
#define STORE_BARE(type, source)                                                                                       \
    const uint64_t offset = RS1 + IMM - DRAM_BASE;                                                                     \
    if (__builtin_expect(!IS_PLAIN(type) || offset / 8 == h->tohost, 0)) return ISS_LEFT_STORE;                        \
    const type value = (type)(source);                                                                                 \
    memcpy((uint8_t *)memory + offset, &value, sizeof value);                                                          \
    return ISS_DONE
#define STORE_TRANSLATED(type, source)                                                                                 \
    const uint64_t address = RS1 + IMM;                                                                                \
    const struct iss_quick *known = (const struct iss_quick *)memory + (address / PAGE_BYTES % ISS_TLB_ENTRIES);       \
    if (__builtin_expect(known->store != QUICK_PAGE(type), 0)) return ISS_LEFT_STORE;                                  \
    const type value = (type)(source);                                                                                 \
    memcpy((void *)(address + known->host), &value, sizeof value);                                                     \
    return ISS_DONE

#endif
