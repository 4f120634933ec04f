// Interrupts: taken where mie, mideleg, mstatus and the mode allow them, of the right priority, and taken in time.
//
// Enables, delegation and what software set pending are exact in the ISS; the devices' lines are those of the C models,
// as the core sees them in that cycle. LCOFI alone is believed where it is reported as pending (counters set it, whose
// overflows the worker counters knows): it may come where it is enabled and nothing goes before it.
//
// In time: the oldest instruction gives way to an interrupt that is due unless it has been granted to act for
// good. So at most one group commits while an interrupt is due, be it that one or a wfi or fence.i; the next must not.
#include "results.h"
#include "trace/dpi.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { MTI = 7, LCOFI = 13 };
enum { LATE = 1 }; // groups that may commit while an interrupt is due

struct interrupts {
    uint64_t before, now, from; // pending by the devices: up to tick `from`, and from it on
    unsigned late;
    uint64_t taken;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    return error_calloc(sizeof(struct interrupts), "interrupts", err);
}

static int memory(void *state, const struct memory_event *event, struct error *err) {
    struct interrupts *s = state;
    (void)err;
    if (event->kind != MEMORY_LINES) return 0;
    s->before = s->now;
    s->from = event->tick;
    s->now = memory_event_pending(event);
    return 0;
}

WORKER_RARE static int check_taken(struct interrupts *s, const struct worker_view *v, uint64_t pending, int due,
                                   struct error *err) {
    int cause = v->bundle->cause, overflow = hart_interrupt_due(v->golden->hart, pending | UINT64_C(1) << LCOFI);
    s->late = 0;
    s->taken++;
    if (cause == due || (cause == LCOFI && overflow == LCOFI)) return 0;
    error_set(err, "interrupts: cycle %" PRIu64 ": cause %d is taken, but with 0x%" PRIx64 " pending %s is due",
              v->cycle, cause, pending,
              due < 0      ? "none"
              : due == MTI ? "the timer's"
                           : "another");
    return -EBADMSG;
}

// Something is pending, or taken.
WORKER_RARE static int check_pending(struct interrupts *s, const struct worker_view *v, uint64_t pending,
                                     struct error *err) {
    const struct commit_bundle *b = v->bundle;
    int due = hart_interrupt_due(v->golden->hart, pending);
    if (b->exception && b->interrupt) return check_taken(s, v, pending, due, err);
    if (due < 0) s->late = 0;
    if (due < 0 || b->replay || s->late++ < LATE) return 0;
    error_set(err,
              "interrupts: cycle %" PRIu64 ": cause %d is due, but %u groups of instructions have left the ROB since",
              v->cycle, due, s->late);
    return -EBADMSG;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct interrupts *s = state;
    const struct commit_bundle *b = v->bundle;
    uint64_t pending = v->cycle >= s->from ? s->now : s->before;
    pending |= *v->golden->now.mip & ~(UINT64_C(1) << LCOFI);
    if (!b->commit && !b->exception) return 0; // only the host wrote
    if (pending || b->interrupt) return check_pending(s, v, pending, err);
    s->late = 0;
    return 0;
}

static bool publish(void *state, struct results *results) {
    return results_add_interrupts_checked(results,
                                          &(struct interrupts_checked){((const struct interrupts *)state)->taken});
}

const struct worker_ops worker_interrupts = {.name = "interrupts",
                                             .text =
                                                 "taken only where they are enabled, the right one first, and in time",
                                             .needs = DPI_BUNDLE | WORKER_GOLDEN | WORKER_MEMORY,
                                             .standard = WORKER_WITH_LOCKSTEP,
                                             .check = true,
                                             .leaving_only = true,
                                             .create = create,
                                             .cycle = cycle,
                                             .memory = memory,
                                             .publish = publish,
                                             .destroy = free};
