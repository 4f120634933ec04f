// Whose turn it is: several harts one after the other, a quantum of instructions and traps each. One hart has it
// always.
//
// A hart sees what the others did in their turns when its own begins: it is then that interrupts, which they or time
// have raised meanwhile, are looked for. The turns are part of the machine's state, and do not depend on how a run is
// cut into calls.
#include "iss/accesses.h"
#include "iss/iss_internal.h"

static bool over(const struct iss *iss) {
    return iss->htif.exited || iss->htif.refused || iss->peripherals.finisher.ended || iss->marker ||
           (iss->flow && iss->flow->stopped);
}

// Until `max` are done, the run is over, or the hart waits.
static uint64_t run(struct hart *h, uint64_t max) {
    struct iss *iss = h->machine;
    uint64_t done = 0;
    while (done < max && !over(iss) && !h->waiting) {
        int cause = iss->autonomous ? iss_pending(h) : -1;
        if (cause >= 0) {
            iss_interrupt_recorded(h, (unsigned)cause, NULL);
            done++;
            continue;
        }
        uint64_t limit = max - done, timer = iss_steps_to_timer(h);
        if (timer > 0 && timer < limit) limit = timer;
        if (iss->host_acts && limit > HTIF_PATIENCE) limit = HTIF_PATIENCE;
        done += iss_execute(h, limit);
        if (iss->host_acts) iss_serve(iss);
    }
    if (iss->accesses) iss_accesses_hand_over(h);
    return done;
}

uint64_t iss_ticks_to_timer(const struct iss *iss) {
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < iss->hart_count; i++) {
        const struct hart *h = &iss->harts[i];
        if (h->csr[CSR_MIE] >> IRQ_MTI & 1 && h->mtimecmp < next) next = h->mtimecmp;
    }
    if (next == UINT64_MAX) return next;
    const uint64_t now = iss_mtime(iss);
    return next > now ? next - now : 0;
}

// Time to the next timer that a hart waits for; false: to none.
static bool pass_time(struct iss *iss) {
    const uint64_t ticks = iss_ticks_to_timer(iss);
    if (ticks != UINT64_MAX) iss->mtime_offset += ticks;
    return ticks != UINT64_MAX;
}

static void pass_turn(struct iss *iss) {
    iss->harts[iss->turn].reserved = false;
    iss->idle += iss->slice; // 0, unless it waits
    iss->turn = (iss->turn + 1) % iss->hart_count;
    iss->slice = iss->quantum;
}

struct hart *iss_next(struct iss *iss) {
    if (iss->hart_count == 1) return iss->harts;
    for (unsigned waiting = 0;;) {
        struct hart *h = &iss->harts[iss->turn];
        if (h->waiting && iss_mip(h) & h->csr[CSR_MIE]) h->waiting = false;
        if (iss->slice && !h->waiting) return h;
        waiting = h->waiting ? waiting + 1 : 0;
        if (waiting > iss->hart_count) {
            if (!pass_time(iss)) return NULL;
            waiting = 0;
        }
        pass_turn(iss);
    }
}

struct hart *iss_step(struct iss *iss, struct iss_retire *out) {
    struct hart *h = iss_next(iss);
    if (!h) return NULL;
    hart_step(h, out);
    if (iss->hart_count > 1) iss->slice--;
    return h;
}

// ---- turns that the caller gives ----
bool iss_may_step(const struct iss *iss, unsigned number) {
    const struct hart *h = &iss->harts[number];
    return !h->waiting || iss_mip(h) & h->csr[CSR_MIE];
}

void iss_step_hart(struct iss *iss, unsigned number, struct iss_retire *out) {
    struct hart *h = &iss->harts[number];
    iss->turn = number;
    h->waiting = false;
    hart_step(h, out);
    if (out->access != ISS_ACCESS_STORE) return;
    for (unsigned i = 0; i < iss->hart_count; i++) {
        struct hart *other = &iss->harts[i];
        if (other->reserved && i != number && iss_line_of(out->address) == other->reserved_line)
            other->reserved = false;
    }
}

void iss_hold_time(struct iss *iss, bool held) {
    const uint64_t now = iss_mtime(iss);
    iss->held = held;
    iss->mtime_offset += now - iss_mtime(iss);
}

void iss_pass_time(struct iss *iss, uint64_t ticks) {
    iss->mtime_offset += ticks;
}

struct hart *iss_last(const struct iss *iss) {
    return &((struct iss *)iss)->harts[iss->turn];
}

uint64_t iss_run(struct iss *iss, uint64_t max) {
    if (iss->flow) iss->flow->stopped = false;
    if (iss->hart_count == 1) return run(iss->harts, max);
    uint64_t done = 0;
    struct hart *h;
    while (done < max && !over(iss) && (h = iss_next(iss))) {
        const uint64_t left = max - done, now = run(h, left < iss->slice ? left : iss->slice);
        done += now;
        iss->slice -= now;
    }
    return done;
}
