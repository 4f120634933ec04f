// The rules that every commit bundle keeps (docs/guide/integration.md, "What must always hold"): what
// sim/bundle_rules.sv asserts, for cores and models that are built without assertions. A bundle that breaks one would
// make attribution meaningless.
#include "oracle/bundle_rules.h"

static unsigned next_lane(unsigned lane, unsigned width) {
    return lane + 1 == width ? 0 : lane + 1;
}

// From the oldest lane on nothing commits past one that does not, nor past one that flushes.
unsigned bundle_commit_rule_broken(const struct commit_bundle *b, unsigned width) {
    bool stopped = false, flushes = false;
    for (unsigned k = 0, lane = b->oldest; k < width; k++, lane = next_lane(lane, width)) {
        if (!(b->commit >> lane & 1)) {
            stopped = true;
        } else if (stopped || !(b->valid >> lane & 1)) {
            return 2;
        } else if (flushes) {
            return 5;
        } else {
            flushes = b->flush >> lane & 1;
        }
    }
    return b->commit >> width ? 2 : 0;
}
