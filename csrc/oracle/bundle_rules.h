// The rules of the commit bundle, by their numbers in docs/integration.md. Not for other libraries.
#ifndef TIPOFF_ORACLE_BUNDLE_RULES_H
#define TIPOFF_ORACLE_BUNDLE_RULES_H

#include "records.h"

struct bundle_before { // what rules 4, 6 and 7 need of the cycle before
    bool known, empty, must_empty, dispatches;
    uint64_t dispatch_pc;
};

// The number of the first rule that this bundle breaks, 0: none.
unsigned bundle_rule_broken(const struct commit_bundle *b, unsigned width, const struct bundle_before *before);
void bundle_remember(struct bundle_before *before, const struct commit_bundle *b);

#endif
