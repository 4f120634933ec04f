// Control transfer records (Smctr, Ssctr) as a model: from every instruction and trap it derives what they leave.
//
// By itself: of the hardware it knows the cycles in which that retires, and no more.
#ifndef TIPOFF_WORKERS_CTR_MODEL_H
#define TIPOFF_WORKERS_CTR_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { CTR_MOST = 256, CTR_FIRST = 0x200, CTR_BEHIND = CTR_FIRST + CTR_MOST }; // entries; their numbers in siselect
enum { CTR_SOURCE = 1, CTR_TARGET, CTR_DATA };                                 // sireg, sireg2, sireg3

struct ctr_entry {
    uint64_t source, target, data; // as the registers read
};

struct ctr_model {
    uint64_t control; // mctrctl
    unsigned depth, write;
    bool frozen;
    struct ctr_entry entry[CTR_MOST];
    unsigned mode;        // of the cycles from `from` on
    uint64_t from;        // up to there they have been counted
    uint64_t cycles;      // active ones since the last record
    bool counted;         // it is known how many they are
    uint64_t transferred; // transfers that were looked at, and those that were recorded
    uint64_t recorded;
};

// An instruction that retires, or a trap (insn: of no meaning), in this cycle. Addresses and modes: its own, and where
// it goes.
struct ctr_step {
    uint64_t cycle, pc, next_pc;
    uint32_t insn;
    bool trap, interrupt, mispredict;
    uint8_t cause, mode, next_mode;
};

void ctr_model_reset(struct ctr_model *m);
static inline bool ctr_model_is_on(const struct ctr_model *m) {
    return m->control & 7;
}
void ctr_model_step(struct ctr_model *m, const struct ctr_step *step);
// By software, in an instruction that retires in this cycle and has been stepped. control: 64 bits of mctrctl; status:
// of sctrstatus; depth: the value of sctrdepth, a legal one.
void ctr_model_write_control(struct ctr_model *m, uint64_t cycle, uint64_t control);
void ctr_model_write_status(struct ctr_model *m, uint64_t cycle, uint64_t status);
void ctr_model_write_depth(struct ctr_model *m, unsigned depth);
// number: CTR_SOURCE and so on; select: CTR_FIRST to CTR_BEHIND - 1. What it is to read; 0 where nothing is.
void ctr_model_write_entry(struct ctr_model *m, unsigned select, unsigned number, uint64_t value);
uint64_t ctr_model_read_entry(const struct ctr_model *m, unsigned select, unsigned number);
uint64_t ctr_model_read_status(const struct ctr_model *m);

#endif
