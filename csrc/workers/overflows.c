// The rule of time is that of the worker interrupts: at most one group leaves while the interrupt is due.
#include "workers/overflows.h"
#include <errno.h>
#include <inttypes.h>

enum { LATE = 1 };

void overflows_look(struct overflows *o, const struct counter_model *own, const struct event_tally *t, uint64_t cycle) {
    o->unsure |= o->others;
    for (uint32_t left = o->counting & ~o->accounted; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (!counter_model_up_to(&own[i], t, cycle).overflowed) continue;
        o->accounted |= UINT32_C(1) << i;
        o->pending = true;
    }
}

int overflows_check(struct overflows *o, const struct worker_view *v, struct error *err) {
    const struct commit_bundle *b = v->bundle;
    if (b->exception && b->interrupt) {
        o->late = 0;
        if (b->cause != LCOFI || o->pending || o->unsure) return 0;
        error_set(err, "counters: cycle %" PRIu64 ": the overflow interrupt is taken, but no counter has overflowed",
                  v->cycle);
        return -EBADMSG;
    }
    if (!o->pending || !o->allowed) {
        o->late = 0;
        return 0;
    }
    if (b->replay || o->late++ < LATE) return 0;
    error_set(err,
              "counters: cycle %" PRIu64 ": a counter has overflowed, but %u groups of instructions have left the ROB "
              "without its interrupt",
              v->cycle, o->late);
    return -EBADMSG;
}

void overflows_write(struct overflows *o, bool pending) {
    o->pending = pending;
    o->unsure = o->others;
}
