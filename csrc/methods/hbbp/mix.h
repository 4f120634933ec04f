// Executions of every instruction of a run: exact ones, and those that the two collections and their hybrid estimate.
#ifndef TIPOFF_METHODS_HBBP_MIX_H
#define TIPOFF_METHODS_HBBP_MIX_H

#include "methods/hbbp/rule.h"
#include "results.h"

enum mix_method { MIX_EXACT, MIX_EBS, MIX_LBR, MIX_HBBP, MIX_METHODS };
#define MIX_METHOD_NAMES "exact", "EBS", "LBR", "HBBP"

struct mix {
    struct code *code;
    double *counts[MIX_METHODS]; // by instruction; NULL: not known
    struct hbbp_block *blocks;   // by block of code; NULL: no collection was booked
    bool *lbr;                   // by block: the rule chose LBR
    struct hbbp_quality quality;
    uint64_t outside[MIX_METHODS]; // exact: executions in no image; EBS: samples
};

struct mix *mix_create(const struct images *images, struct error *err); // images must outlive it. NULL with err
void mix_destroy(struct mix *m);                                        // NULL is fine

// ---- exact ----
bool mix_add_exact(struct mix *m, struct place place, uint64_t count); // false: no memory
// From a run's results, which have its jumps. False with err: they do not.
bool mix_add_edges(struct mix *m, const struct results *results, struct error *err);

// ---- estimated ----
// Of results that have a collection. skid: EBS by the address after the interrupt (mepc) instead of the precise one.
// Once.
bool mix_add_collection(struct mix *m, const struct results *results, bool skid, struct error *err);
bool mix_choose(struct mix *m, const struct rule *rule, struct error *err); // behind mix_add_collection

double mix_total(const struct mix *m, enum mix_method method); // of all instructions

#endif
