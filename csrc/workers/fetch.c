// The packets that the core shows as fetched, which nothing else in a run depends on but the profilers that tag there:
// whatever dispatches must have been fetched. It is the first instruction of the oldest packet that has not dispatched
// yet, or a later one in the packet that dispatches now.
//
// How long a packet is the core does not show. An instruction that lies as far after a packet's first as a packet can
// be long is taken for one of it: a missing packet is found a few instructions later then. And where the next packet
// begins with what may as well be the last one's next instruction, it is not known which of the two it is (a loop that
// lies in one packet): then it may come once more.
#include "profilers/fetch_order.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define NOWHERE UINT64_C(1) // no instruction is at an odd address

struct fetch {
    uint64_t most;         // bytes from a packet's first instruction to behind its last one's first parcel
    uint64_t oldest, next; // as in fetch_order
    uint64_t first, last;  // of the packet that dispatches now: its first instruction, the one dispatched last
    bool inside;           // there is one
    uint64_t twice;        // began a packet, and might have been of the one before: it may come once more; NOWHERE
    uint64_t pc[FETCH_ORDER_PACKETS];
    uint64_t packets;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct fetch *f = error_calloc(sizeof *f, "fetch", err);
    if (!f) return NULL;
    enum { PARCEL = 2 };
    f->twice = NOWHERE;
    f->most = PARCEL * (run->fetch_width + 1); // the first may lie across two packets
    return f;
}

WORKER_RARE static int not_fetched(const struct fetch *f, uint64_t cycle, uint64_t pc, struct error *err) {
    char next[48] = "none is left";
    if (f->oldest < f->next)
        snprintf(next, sizeof next, "the next begins at 0x%" PRIx64, f->pc[f->oldest % FETCH_ORDER_PACKETS]);
    error_set(err, "fetch: cycle %" PRIu64 ": 0x%" PRIx64 " dispatches, but no fetched packet contains it: %s", cycle,
              pc, next);
    return -EBADMSG;
}

// It lies after the one that dispatched last, in the same packet if that is long enough.
static bool follows(const struct fetch *f, uint64_t pc) {
    return f->inside && pc - f->first > f->last - f->first && pc - f->first < f->most;
}

static int dispatch(struct fetch *f, const struct worker_view *v, struct error *err) {
    const struct commit_bundle *b = v->bundle;
    for (unsigned slot = 0; b->dispatch_valid >> slot & 1; slot++) {
        const uint64_t pc = b->dispatch_pc[slot];
        const bool begins = f->oldest < f->next && f->pc[f->oldest % FETCH_ORDER_PACKETS] == pc;
        const bool goes_on = follows(f, pc);
        if (begins) {
            if (goes_on) f->twice = pc;
            f->oldest++;
        } else if (!goes_on) {
            if (f->twice != pc) return not_fetched(f, v->cycle, pc, err);
            f->twice = NOWHERE;
        }
        if (begins || !goes_on) f->first = pc;
        f->last = pc;
        f->inside = true;
    }
    return 0;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct fetch *f = state;
    const struct commit_bundle *b = v->bundle;
    if (b->dispatch_valid && dispatch(f, v, err) < 0) return -EBADMSG;
    if (b->redirect || b->exception || b->commit & b->flush) { // with what was fetched in this cycle
        f->oldest = f->next;
        f->inside = false;
        f->twice = NOWHERE;
    } else if (b->fetch_valid) {
        f->pc[f->next++ % FETCH_ORDER_PACKETS] = b->fetch_pc;
        f->packets++;
    }
    return 0;
}

static bool publish(void *state, struct results *results) {
    return results_add_fetch_checked(results, &(struct fetch_checked){((const struct fetch *)state)->packets});
}

const struct worker_ops worker_fetch = {.name = "fetch",
                                        .text = "what dispatches is in the packets that the core shows as fetched",
                                        .needs = DPI_BUNDLE,
                                        .standard = WORKER_WITH_LOCKSTEP,
                                        .check = true,
                                        .create = create,
                                        .cycle = cycle,
                                        .publish = publish,
                                        .destroy = free};
