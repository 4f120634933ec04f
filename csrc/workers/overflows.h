// When the overflow of a counter must interrupt: mip.LCOFIP as the program's counters set it, by their models.
//
// An overflow is seen in mip from the second cycle on after the one that counted it. The interrupt of the sampling
// counter waits for its sample, and ProfileMe has one of its own: while one of these may interrupt, LCOFIP may be set
// without a reason that is known here. It must be set where there is one, always.
#ifndef TIPOFF_WORKERS_OVERFLOWS_H
#define TIPOFF_WORKERS_OVERFLOWS_H

#include "workers/counter_model.h"

// Cycles from the one that counts to the one that can be interrupted for it; to the commit of an instruction that reads
// it in mip, or clears it there.
enum { LCOFI = 13, OVERFLOW_ACTS = 2, OVERFLOW_SEEN = 3 };

struct overflows {
    uint32_t counting, accounted; // counters that count, but for the sampling one; whose OF has been taken into account
    bool pending;
    bool others;  // something else may set LCOFIP ...
    bool unsure;  // ... or may have set it, since it was cleared
    bool allowed; // by mie, mideleg, mstatus and the mode, behind what left last
    unsigned late;
};

// Takes into account what has overflowed up to the end of this cycle. own: counters by number.
void overflows_look(struct overflows *o, const struct counter_model *own, const struct event_tally *t, uint64_t cycle);
// In a cycle in which something leaves: -EBADMSG with err, an interrupt of a counter has no reason, or is missing.
int overflows_check(struct overflows *o, const struct worker_view *v, struct error *err);
// A write of mip or sip, with this bit for LCOFIP.
void overflows_write(struct overflows *o, bool pending);

#endif
