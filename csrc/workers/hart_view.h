// What a hart in lockstep is shown of memory that other harts store to, before each of its instructions.
#ifndef TIPOFF_WORKERS_HART_VIEW_H
#define TIPOFF_WORKERS_HART_VIEW_H

#include "iss/iss.h"
#include "trace/cycle.h"
#include "workers/hart_order.h"

struct hart_view {
    struct hart_order *order;
    struct iss *iss; // whose memory is this hart's
    struct hart *hart;
};
// The instruction that the core has retired: what it loads, its code and its translations.
void hart_view_before(const struct hart_view *v, const struct retired *core);
// An exception: its code and its translations.
void hart_view_before_trap(const struct hart_view *v, const struct trapped *trap);

#endif
