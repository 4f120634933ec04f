// The rules of the commit bundle, by their numbers in docs/guide/integration.md. Not for other libraries.
//
// Looked at in every cycle, so most of it stands here; what only the rare bundle needs, in bundle_rules.c.
#ifndef TIPOFF_ORACLE_BUNDLE_RULES_H
#define TIPOFF_ORACLE_BUNDLE_RULES_H

#include "records.h"

struct bundle_before { // what rules 4, 6 and 7 need of the cycle before
    bool known, empty, must_empty, dispatches;
    uint64_t dispatch_pc;
};

// Nothing but the oldest ones commits, all of them are valid, and none but the youngest flushes: rules 2 and 5,
// whichever is broken.
static inline bool bundle_commits_in_order(const struct commit_bundle *b, unsigned width) {
    const unsigned lanes = b->commit | (unsigned)b->commit
                                           << width; // the oldest one's is bit `oldest`, the others follow
    const unsigned order = lanes >> b->oldest & ((1u << width) - 1);
    if (order & (order + 1) || b->commit & ~b->valid || b->commit >> width) return false;
    const unsigned flush = (b->flush | (unsigned)b->flush << width) >> b->oldest;
    return !(flush & order >> 1);
}

// Rules 2 and 5, for whatever commits.
unsigned bundle_commit_rule_broken(const struct commit_bundle *b, unsigned width);
// Rules 4, 6 and 7; before is known.
static inline unsigned bundle_order_rule_broken(const struct commit_bundle *b, const struct bundle_before *before) {
    if (!before->known) return 0;
    if (before->must_empty && !b->rob_empty) return 4;
    if (!before->empty) return 0;
    if (before->dispatches) return b->rob_empty || b->pc[b->oldest] != before->dispatch_pc ? 6 : 0;
    return b->rob_empty ? 0 : 7;
}

// The number of the first rule that this bundle breaks, 0: none.
static inline __attribute__((always_inline)) unsigned bundle_rule_broken(const struct commit_bundle *b, unsigned width,
                                                                         const struct bundle_before *before) {
    if (b->oldest >= width || (b->rob_empty ? b->valid != 0 : !(b->valid >> b->oldest & 1))) return 1;
    if (b->commit && !bundle_commits_in_order(b, width)) {
        unsigned rule = bundle_commit_rule_broken(b, width);
        if (rule) return rule;
    }
    if (b->exception && (b->rob_empty || b->commit || b->exception_pc != b->pc[b->oldest])) return 3;
    return before->empty || before->must_empty ? bundle_order_rule_broken(b, before) : 0;
}

static inline void bundle_remember(struct bundle_before *before, const struct commit_bundle *b) {
    before->known = true;
    before->empty = b->rob_empty;
    before->must_empty = b->exception || (b->commit & b->flush);
    if (!b->rob_empty) return; // rules 6 and 7 ask of an empty one alone
    before->dispatches = b->dispatch_valid & 1;
    before->dispatch_pc = b->dispatch_pc[0];
}

#endif
