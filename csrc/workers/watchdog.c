// The watchdog: a core that does not commit for `limit` cycles makes no progress. The slowest thing that a core waits
// for is DRAM, some hundred cycles even where its queues are full, and a few of them one after the other on a page
// walk: the standard limit is a thousand times that.
//
// A wfi is excepted, unless nothing can end it: it ends when an interrupt is pending and enabled in mie, and of what
// can become pending while the core waits there are the timer and the counters' overflow only. (The UART and the PLIC
// change their lines in accesses alone.) Of several harts another one may end it, unless all wait so.
#include "base/error.h"
#include "csrs.h"
#include "iss/iss.h"
#include "workers/harts.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { KEY_LIMIT, WFI = 0x10500073 };
enum { SETTLED = 1000 }; // cycles of wfi before it is checked
enum { WAKES = 100 };    // cycles that a core has to end it once an interrupt is pending and enabled
enum { MTI = 7, LCOFI = 13 };

struct watchdog {
    struct harts *harts; // of the machine: others may end a wfi of this one; NULL: it is alone
    unsigned hart;       // of them
    uint64_t limit, idle;
    uint64_t timer;   // tick in which MTIP will rise
    uint64_t changed; // tick since which the lines are as they are
    uint64_t devices; // interrupts that devices ask for, as bits of mip
    bool looked;      // into this wfi
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct watchdog *w = error_calloc(sizeof *w, "watchdog", err);
    if (!w) return NULL;
    w->harts = run->core.harts > 1 ? run->harts : NULL;
    w->hart = run->hart;
    w->limit = values[KEY_LIMIT].number;
    w->timer = UINT64_MAX;
    return w;
}

static void goes_on(struct watchdog *w) {
    if (w->harts && w->looked) harts_goes_on(w->harts, w->hart);
    w->looked = false;
}

static int memory(void *state, const struct memory_event *event, struct error *err) {
    struct watchdog *w = state;
    (void)err;
    if (event->kind != MEMORY_LINES) return 0;
    w->timer = event->timer;
    w->changed = event->tick;
    w->devices = memory_event_pending(event);
    goes_on(w);
    return 0;
}

// A hart that waits can be woken by another one, but not where all wait.
static int check_others(const struct watchdog *w, const struct worker_view *v, struct error *err) {
    char where[MEMORY_ORDER_HARTS * 32];
    harts_waits(w->harts, w->hart, v->bundle->pc[v->bundle->oldest]);
    if (!harts_all_wait(w->harts, where, sizeof where)) return 0;
    error_set(err,
              "watchdog: cycle %" PRIu64
              ": all harts wait for an interrupt (wfi), and none will come: %s: enable one in mie, and set a timer or "
              "have a hart that does not wait send it",
              v->cycle, where);
    return -ETIMEDOUT;
}

static int check_wfi(struct watchdog *w, const struct worker_view *v, struct error *err) {
    uint64_t mie = 0;
    w->looked = true;
    hart_csr(v->golden->hart, CSR_MIE, &mie);
    if (mie & w->devices) {
        w->looked = v->cycle + v->count > w->changed + WAKES;
        if (!w->looked) return 0;
        error_set(err, "watchdog: cycle %" PRIu64 ": a wfi goes on, with 0x%" PRIx64 " pending and enabled in mie",
                  v->cycle, mie & w->devices);
        return -EBADMSG;
    }
    if ((mie >> MTI & 1 && w->timer != UINT64_MAX) || mie >> LCOFI & 1) return 0;
    if (w->harts) return check_others(w, v, err);
    error_set(err,
              "watchdog: cycle %" PRIu64 ": nothing can end the wfi at 0x%" PRIx64 ": mie is 0x%" PRIx64
              " and %s: enable an interrupt that will come",
              v->cycle, v->bundle->pc[v->bundle->oldest], mie,
              w->timer == UINT64_MAX ? "the timer is not set" : "the timer's is not in it");
    return -ETIMEDOUT;
}

WORKER_RARE static int check_idle(struct watchdog *w, const struct worker_view *v, struct error *err) {
    const struct commit_bundle *b = v->bundle;
    if (!b->rob_empty && b->insn[b->oldest] == WFI) return w->looked ? 0 : check_wfi(w, v, err);
    if (w->idle < w->limit) return 0;
    char trap[ISS_LAST_TRAP_TEXT], oldest[48] = "the ROB is empty";
    if (!b->rob_empty) snprintf(oldest, sizeof oldest, "the oldest is at 0x%" PRIx64, b->pc[b->oldest]);
    hart_last_trap_text(v->golden->hart, trap, sizeof trap);
    error_set(err, "watchdog: cycle %" PRIu64 ": nothing has committed for %" PRIu64 " cycles; %s%s",
              v->cycle + v->count - 1, w->idle, oldest, trap);
    return -ETIMEDOUT;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct watchdog *w = state;
    w->idle += v->count;
    if (v->bundle->commit) {
        w->idle = 0;
        goes_on(w);
    }
    return w->idle < SETTLED ? 0 : check_idle(w, v, err);
}

const struct worker_ops worker_watchdog = {.name = "watchdog",
                                           .text =
                                               "instructions commit, or a wfi waits for an interrupt that can arrive",
                                           .needs = DPI_BUNDLE | WORKER_GOLDEN | WORKER_MEMORY,
                                           .standard = WORKER_WITH_LOCKSTEP,
                                           .check = true,
                                           .keys = {{.name = "limit",
                                                     .kind = WORKER_NUMBER,
                                                     .text = "cycles without a commit",
                                                     .standard = "1000000",
                                                     .low = 1000,
                                                     .high = UINT64_MAX / 2}},
                                           .create = create,
                                           .cycle = cycle,
                                           .memory = memory,
                                           .destroy = free};
