// The statements that the instructions in execute.c consist of: operands, what is next, traps, jumps, memory.
//
// All are for the body of iss_execute and use what it declares: h, e, page, page_pc, pc, asked, limit, left, cause,
// tval, dram, data_limit, quick_data, tohost, and its labels.
#ifndef TIPOFF_ISS_EXECUTE_STATEMENTS_H
#define TIPOFF_ISS_EXECUTE_STATEMENTS_H

#include "iss/iss_internal.h"
#include <string.h>

#define RD h->x[e->rd]
#define RS1 h->x[e->rs1]
#define RS2 h->x[e->rs2]
#define IMM ((uint64_t)(int64_t)e->imm)
#define SIGNED(value) ((int64_t)(value))
#define PC (page_pc + 2 * (uint64_t)(e - page->entries))
#define NEXT_PC (PC + 2 * (uint64_t)e->halfwords)

// Counting: an entry counts when control comes to it. One across two pages is dispatched twice, the second time out of
// a page of its own, where its cell is the first; an instruction that traps was not executed, but for an ecall.
#ifdef COUNTING
#define COUNTS_DECLARE uint64_t *counts = NULL
#define COUNTS_ENTER counts = iss_counts_at(h, pc)
#define COUNTS_STRADDLE (counts += pc % PAGE_BYTES / 2, --*counts)
#define COUNTS_TRAP (counts[e - page->entries] -= cause < CAUSE_ECALL_U || cause > CAUSE_ECALL_M)
#define COUNT ++counts[e - page->entries]
#else
#define COUNTS_DECLARE (void)0
#define COUNTS_ENTER (void)0
#define COUNTS_STRADDLE (void)0
#define COUNTS_TRAP (void)0
#define COUNT (void)0
#endif

#define DISPATCH                                                                                                       \
    do {                                                                                                               \
        COUNT;                                                                                                         \
        goto *((const uint8_t *)&&decode + e->code); /* NOLINT(bugprone-macro-parentheses): a statement */             \
    } while (0)
// Two widths, two branches, which the host predicts: an addition of the width would make each instruction wait for the
// load of the one before.
#define NEXT                                                                                                           \
    do {                                                                                                               \
        if (e->halfwords == 1) {                                                                                       \
            e += 1;                                                                                                    \
            if (--left == 0) goto out;                                                                                 \
            DISPATCH;                                                                                                  \
        }                                                                                                              \
        e += 2;                                                                                                        \
        if (--left == 0) goto out;                                                                                     \
        DISPATCH;                                                                                                      \
    } while (0)
// Hands the instructions done so far to the counters.
#define SYNC                                                                                                           \
    do {                                                                                                               \
        h->steps += limit - left;                                                                                      \
        h->retired += limit - left;                                                                                    \
        limit = left;                                                                                                  \
    } while (0)
#define EVENT                                                                                                          \
    do {                                                                                                               \
        e += e->halfwords;                                                                                             \
        left--;                                                                                                        \
        goto out;                                                                                                      \
    } while (0)
// No more than this instruction.
#define LAST                                                                                                           \
    do {                                                                                                               \
        asked -= left - 1;                                                                                             \
        limit -= left - 1;                                                                                             \
        left = 1;                                                                                                      \
    } while (0)
#define TRAP(cause_, tval_)                                                                                            \
    do {                                                                                                               \
        cause = (cause_);                                                                                              \
        tval = (tval_);                                                                                                \
        goto trap;                                                                                                     \
    } while (0)
#define JUMP(target)                                                                                                   \
    do {                                                                                                               \
        pc = (target);                                                                                                 \
        if (--left == 0) goto out_at_pc;                                                                               \
        if (pc - page_pc < PAGE_BYTES) {                                                                               \
            e = &page->entries[(pc - page_pc) / 2];                                                                    \
            DISPATCH;                                                                                                  \
        }                                                                                                              \
        goto enter_page;                                                                                               \
    } while (0)
// To this instruction's own target: within the page it is so many entries from here, without a way by the pc.
#define JUMP_BY_IMM                                                                                                    \
    do {                                                                                                               \
        uint64_t place = (uint64_t)((uint8_t *)e - (uint8_t *)page->entries) + IMM * (sizeof *e / 2);                  \
        if (__builtin_expect(place >= PAGE_ENTRIES * sizeof *e, 0)) JUMP(PC + IMM);                                    \
        e = (struct entry *)((uint8_t *)page->entries + place);                                                        \
        if (--left == 0) goto out;                                                                                     \
        DISPATCH;                                                                                                      \
    } while (0)
#define BRANCH(condition)                                                                                              \
    do {                                                                                                               \
        if (condition) JUMP_BY_IMM;                                                                                    \
        NEXT;                                                                                                          \
    } while (0)
// The page of an aligned access as struct iss_quick has it; another value, if it is not aligned.
#define QUICK_PAGE(type) (address & (~(uint64_t)(PAGE_BYTES - 1) | (sizeof(type) - 1)))
#define QUICK (&quick_data[address / PAGE_BYTES % ISS_TLB_ENTRIES])
// WRITE: a statement that puts `value` into the destination register.
#define LOAD_TO(type, WRITE)                                                                                           \
    do {                                                                                                               \
        uint64_t address = RS1 + IMM, offset = address - DRAM_BASE, raw;                                               \
        type value;                                                                                                    \
        if (__builtin_expect(offset < data_limit && !(offset & (sizeof(type) - 1)), 1)) {                              \
            memcpy(&value, dram + offset, sizeof value);                                                               \
            WRITE;                                                                                                     \
            NEXT;                                                                                                      \
        }                                                                                                              \
        if (__builtin_expect(QUICK->load == QUICK_PAGE(type), 1)) {                                                    \
            h->physical = address + QUICK->offset;                                                                     \
            memcpy(&value, dram + (h->physical - DRAM_BASE), sizeof value);                                            \
            WRITE;                                                                                                     \
            NEXT;                                                                                                      \
        }                                                                                                              \
        SYNC;                                                                                                          \
        if (!iss_load_slow(h, address, sizeof(type), &raw, &cause)) TRAP(cause, address);                              \
        value = (type)raw;                                                                                             \
        WRITE;                                                                                                         \
        if (h->physical - DRAM_BASE < DRAM_BYTES) NEXT;                                                                \
        EVENT;                                                                                                         \
    } while (0)
#define STORE_FROM(type, source)                                                                                       \
    do {                                                                                                               \
        uint64_t address = RS1 + IMM, offset = address - DRAM_BASE;                                                    \
        type value = (type)(source);                                                                                   \
        if (__builtin_expect(offset < data_limit && !(offset & (sizeof(type) - 1)), 1)) {                              \
            memcpy(dram + offset, &value, sizeof value);                                                               \
            if (__builtin_expect(offset - tohost < 8, 0)) {                                                            \
                SYNC;                                                                                                  \
                iss_tohost(h, address, sizeof(type), value);                                                           \
                EVENT;                                                                                                 \
            }                                                                                                          \
            NEXT;                                                                                                      \
        }                                                                                                              \
        if (__builtin_expect(QUICK->store == QUICK_PAGE(type), 1)) {                                                   \
            h->physical = address + QUICK->offset;                                                                     \
            memcpy(dram + (h->physical - DRAM_BASE), &value, sizeof value);                                            \
            NEXT;                                                                                                      \
        }                                                                                                              \
        SYNC;                                                                                                          \
        if (!iss_store_slow(h, address, sizeof(type), value, &cause)) TRAP(cause, address);                            \
        if (h->physical - DRAM_BASE < DRAM_BYTES && !h->machine->host_acts) NEXT;                                      \
        EVENT;                                                                                                         \
    } while (0)
#define LOAD(type) LOAD_TO(type, RD = (uint64_t)(int64_t)value)
#define STORE(type) STORE_FROM(type, RS2)
#define FP_LOAD(type, box)                                                                                             \
    do {                                                                                                               \
        if (!iss_fp_is_on(h)) goto illegal;                                                                            \
        LOAD_TO(type, (h->f[e->rd] = (box) | value, iss_fp_dirty(h)));                                                 \
    } while (0)
#define FP_STORE(type)                                                                                                 \
    do {                                                                                                               \
        if (!iss_fp_is_on(h)) goto illegal;                                                                            \
        STORE_FROM(type, h->f[e->rs2]);                                                                                \
    } while (0)

#endif
