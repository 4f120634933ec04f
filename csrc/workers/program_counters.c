// Reads and writes of the program's counters; see program_counters.h.
#include "workers/program_counters.h"
#include "csrs.h"
#include <errno.h>
#include <inttypes.h>

enum { READ_BEFORE_COMMIT = 1, COUNTED_BEFORE_READ = 2, INHIBIT_CYCLE = 1 };

// ---- mcycle ----
static uint64_t mcycle_in(const struct program_counters *c, uint64_t cycle) {
    return c->stopped ? c->base : c->base + (cycle - c->from);
}

static void write_mcycle(struct program_counters *c, uint64_t cycle, uint64_t value) {
    c->base = value;
    c->from = cycle + 1;
}

// ---- what differs ----
WORKER_RARE static int differs(const struct worker_view *v, const struct retired *core, const char *what,
                               uint64_t expected, struct error *err) {
    error_set(err, "counters: cycle %" PRIu64 ", pc 0x%" PRIx64 ": %s: expected %" PRIu64 ", got %" PRIu64, v->cycle,
              core->pc, what, expected, core->rd_value);
    return -EBADMSG;
}

WORKER_RARE static int differs_in_bits(const struct worker_view *v, const struct retired *core, const char *what,
                                       uint64_t expected, struct error *err) {
    error_set(err, "counters: cycle %" PRIu64 ", pc 0x%" PRIx64 ": %s: expected 0x%" PRIx64 ", got 0x%" PRIx64,
              v->cycle, core->pc, what, expected, core->rd_value);
    return -EBADMSG;
}

// ---- reads ----
static bool is_present(const struct program_counters *c, unsigned number) {
    return number >= COUNTER_FIRST && number < c->present;
}

static struct counter_shown shown_to(const struct program_counters *c, const struct event_tally *t, unsigned number,
                                     uint64_t committed) {
    return counter_model_up_to(&c->own[number], t, committed - READ_BEFORE_COMMIT - COUNTED_BEFORE_READ);
}

static int check_counter(struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                         const struct retired *core, unsigned number, struct error *err) {
    struct counter_shown shown = {.known = true};
    char what[96], event[64];
    if (is_present(c, number)) shown = shown_to(c, t, number, v->cycle);
    c->reads++;
    if (shown.known ? core->rd_value == shown.value : -core->rd_value - 1 < c->farthest) return 0;
    counter_model_describe(&c->own[number], event, sizeof event);
    snprintf(what, sizeof what, "mhpmcounter%u, %s%s", number, event,
             shown.known ? "" : ", reloaded: no further from its overflow than");
    return differs(v, core, what, shown.known ? shown.value : -c->farthest, err);
}

static int check_event(struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                       const struct retired *core, unsigned number, struct error *err) {
    const struct counter_model *m = &c->own[number];
    struct counter_shown shown = {.overflow_known = true};
    if (is_present(c, number)) shown = shown_to(c, t, number, v->cycle);
    const uint64_t expected = is_present(c, number) ? counter_model_select(m, shown.overflowed) : 0;
    const uint64_t unknown = shown.overflow_known ? 0 : counter_model_select(m, false) ^ counter_model_select(m, true);
    char what[32];
    if (((core->rd_value ^ expected) & ~unknown) == 0) return 0;
    snprintf(what, sizeof what, "mhpmevent%u", number);
    return differs_in_bits(v, core, what, expected, err);
}

// S-mode sees what mcounteren lets it see.
static int check_overflows(const struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                           const struct retired *core, uint8_t privilege, struct error *err) {
    uint64_t expected = 0, enabled = UINT64_MAX, unknown = 0;
    for (unsigned i = COUNTER_FIRST; i < c->present; i++) {
        const struct counter_shown shown = shown_to(c, t, i, v->cycle);
        expected |= (uint64_t)shown.overflowed << i;
        unknown |= (uint64_t)!shown.overflow_known << i;
    }
    if (privilege == MODE_SUPERVISOR) hart_csr(v->golden->hart, CSR_MCOUNTEREN, &enabled);
    expected &= enabled;
    return ((core->rd_value ^ expected) & ~unknown) == 0 ? 0 : differs_in_bits(v, core, "scountovf", expected, err);
}

// LCOFIP alone: the other bits are the worker interrupts' business.
static int check_pending(const struct program_counters *c, const struct worker_view *v, const struct retired *core,
                         uint64_t visible, struct error *err) {
    const uint64_t expected = (uint64_t)c->overflows.pending << LCOFI & visible;
    if (((core->rd_value ^ expected) & (UINT64_C(1) << LCOFI)) == 0) return 0;
    return c->overflows.unsure && !expected ? 0 : differs_in_bits(v, core, "LCOFIP", expected, err);
}

static uint64_t delegated(const struct worker_view *v) {
    uint64_t mideleg = 0;
    hart_csr(v->golden->hart, CSR_MIDELEG, &mideleg);
    return mideleg;
}

static int check_inhibit(const struct program_counters *c, const struct worker_view *v, const struct retired *core,
                         struct error *err) {
    return core->rd_value == c->inhibit ? 0 : differs_in_bits(v, core, "mcountinhibit", c->inhibit, err);
}

static int check_time(struct program_counters *c, const struct worker_view *v, const struct retired *core,
                      struct error *err) {
    enum { ON_ITS_WAY = 3, WRITTEN = 64 }; // cycles to the core, and to a commit; since mtime was written
    if (!c->time_ticks) return 0;
    const uint64_t from = (v->cycle - ON_ITS_WAY) / c->time_ticks, to = v->cycle / c->time_ticks, got = core->rd_value;
    c->reads++;
    if (got == from + c->time || got == to + c->time) return 0;
    if (v->cycle < c->time_changed + WRITTEN && (got == from + c->time_before || got == to + c->time_before)) return 0;
    return differs(v, core, "time", to + c->time, err);
}

static int check_read(struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                      const struct iss_retire *step, const struct retired *core, struct error *err) {
    const unsigned csr = step->csr, number = csr % COUNTER_NUMBERS;
    if (csr == CSR_MCYCLE || csr == CSR_CYCLE) {
        const uint64_t expected = mcycle_in(c, v->cycle - READ_BEFORE_COMMIT);
        c->reads++;
        return core->rd_value == expected ? 0 : differs(v, core, "mcycle", expected, err);
    }
    if (csr == CSR_TIME) return check_time(c, v, core, err);
    if (csr == CSR_SCOUNTOVF) return check_overflows(c, t, v, core, step->privilege, err);
    if (csr == CSR_MCOUNTINHIBIT) return check_inhibit(c, v, core, err);
    if (csr == CSR_MIP) return check_pending(c, v, core, UINT64_MAX, err);
    if (csr == CSR_SIP) return check_pending(c, v, core, delegated(v), err);
    if ((csr >= CSR_MHPMCOUNTER3 && csr <= CSR_MHPMCOUNTER31) || (csr >= CSR_HPMCOUNTER3 && csr <= CSR_HPMCOUNTER31))
        return check_counter(c, t, v, core, number, err);
    if (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31) return check_event(c, t, v, core, number, err);
    return 0;
}

// ---- writes, which take effect at the end of the cycle in which they commit ----
static void count_or_not(struct program_counters *c) {
    struct overflows *o = &c->overflows;
    c->counts = false;
    o->counting = 0;
    for (unsigned i = COUNTER_FIRST; i < c->present; i++) {
        const bool counts = counter_model_counts(&c->own[i]);
        c->counts |= counts;
        if (i != c->sampling) o->counting |= (uint32_t)(counts | c->own[i].overflowed) << i;
        if (i == c->sampling) o->others = counts || c->samples_instructions;
    }
}

static void write_inhibit(struct program_counters *c, const struct event_tally *t, uint64_t cycle, uint64_t value) {
    const uint64_t present = (UINT64_C(1) << c->present) - (1 << COUNTER_FIRST);
    const uint64_t own = 1 << 0 | 1 << 2; // mcycle, minstret
    write_mcycle(c, cycle, mcycle_in(c, cycle + 1));
    c->stopped = value & INHIBIT_CYCLE;
    c->inhibit = (uint32_t)(value & (present | own));
    for (unsigned i = COUNTER_FIRST; i < c->present; i++)
        counter_model_stop(&c->own[i], t, cycle, c->inhibit >> i & 1);
}

static void write_event(struct program_counters *c, const struct event_tally *t, unsigned number, uint64_t cycle,
                        uint64_t value) {
    const uint32_t bit = UINT32_C(1) << number;
    counter_model_select_event(&c->own[number], t, cycle, value);
    c->overflows.accounted = (c->overflows.accounted & ~bit) | (value >> 63 ? bit : 0);
}

static bool is_of_unit(unsigned csr) {
    return (csr >= CSR_MHPMCOUNTER3 && csr <= CSR_MHPMCOUNTER31) || (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31) ||
           csr == CSR_MCOUNTINHIBIT || csr == CSR_TIPOFF_PERIOD || csr == CSR_TIPOFF_JITTER || csr == CSR_MPDISCTL;
}

// ---- the reload of the sampling counter ----
enum { SETTLING = 12, SHORTEST = 16 }; // cycles from a write on; the shortest distance (docs/reference/pmu.md)

// The counter may overflow within these cycles, however much is counted in each.
static bool is_near(const struct event_tally *t, uint64_t value) {
    return -value - 1 < (uint64_t)SETTLING * (t->width + 1);
}

static unsigned jitter_bits(const struct program_counters *c) {
    const unsigned bits = c->jitter >> 48 & 63;
    return bits > 32 ? 32 : bits;
}

static uint64_t farthest(const struct program_counters *c) {
    const uint64_t period = c->period < SHORTEST ? SHORTEST : c->period, more = (UINT64_C(1) << jitter_bits(c)) + 1;
    return c->period == 0 || period > UINT64_MAX - more ? UINT64_MAX : period + more;
}

static void write_reload(struct program_counters *c, const struct event_tally *t, uint64_t cycle) {
    struct counter_model *m = &c->own[c->sampling];
    const bool varies = c->jitter >> 48 & 0x7f; // of some width, or golden
    counter_model_reload(m, t, cycle, c->period && c->period < SHORTEST ? SHORTEST : c->period, c->period && varies);
    if (farthest(c) > c->farthest) c->farthest = farthest(c);
    if (is_near(t, m->base)) {
        m->lost = true;
        c->farthest = UINT64_MAX;
    }
    c->changed = cycle;
}

static void write_counter(struct program_counters *c, const struct event_tally *t, unsigned number, uint64_t cycle,
                          uint64_t value) {
    counter_model_write(&c->own[number], t, cycle, value);
    if (number != c->sampling) return;
    c->farthest = farthest(c);
    if (cycle < c->changed + SETTLING && is_near(t, value)) c->own[number].lost = true;
    if (c->own[number].lost) c->farthest = UINT64_MAX;
}

static void write_unit(struct program_counters *c, const struct event_tally *t, uint64_t cycle, unsigned csr,
                       uint64_t value) {
    const unsigned number = csr % COUNTER_NUMBERS;
    overflows_look(&c->overflows, c->own, t, cycle - 1); // before OF is written
    if (csr == CSR_TIPOFF_PERIOD) c->period = value;
    if (csr == CSR_TIPOFF_JITTER) c->jitter = value;
    if (csr == CSR_TIPOFF_PERIOD || csr == CSR_TIPOFF_JITTER) write_reload(c, t, cycle);
    if (csr == CSR_MPDISCTL) c->samples_instructions = value != 0;
    if (csr == CSR_MCOUNTINHIBIT) write_inhibit(c, t, cycle, value);
    if (csr >= CSR_MHPMCOUNTER3 && csr <= CSR_MHPMCOUNTER31 && is_present(c, number))
        write_counter(c, t, number, cycle, value);
    if (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31 && is_present(c, number))
        write_event(c, t, number, cycle, value);
}

static void write_csr(struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                      const struct iss_retire *step, const struct retired *core) {
    const bool sets = (step->insn >> 12 & 3) != 1;
    const uint64_t value = sets ? core->csr_value : step->csr_value;
    const unsigned csr = step->csr;
    if (csr == CSR_MCYCLE) {
        write_mcycle(c, v->cycle, value);
    } else if (csr == CSR_MIP || (csr == CSR_SIP && delegated(v) >> LCOFI & 1)) {
        overflows_write(&c->overflows, value >> LCOFI & 1);
    } else if (is_of_unit(csr)) {
        write_unit(c, t, v->cycle, csr, value);
        count_or_not(c);
    }
}

// ---- the interface ----
int program_counters_access(struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                            const struct iss_retire *step, const struct retired *core, struct error *err) {
    int result = core->rd_written ? check_read(c, t, v, step, core, err) : 0;
    if (result == 0 && step->csr_written) write_csr(c, t, v, step, core);
    return result;
}

int program_counters_left(struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                          struct error *err) {
    struct overflows *o = &c->overflows;
    const uint64_t behind = v->bundle->exception && v->bundle->interrupt ? OVERFLOW_ACTS : OVERFLOW_SEEN;
    if (o->counting | o->others) overflows_look(o, c->own, t, v->cycle - behind);
    const bool matters = o->counting || o->others || o->pending || v->bundle->interrupt;
    return matters ? overflows_check(o, v, err) : 0;
}

void program_counters_time(struct program_counters *c, const struct memory_event *event) {
    if (event->time != c->time) {
        c->time_before = c->time;
        c->time_changed = event->tick;
    }
    c->time = event->time;
    c->time_ticks = event->time_ticks;
}

void program_counters_allow(struct program_counters *c, const struct hart *hart) {
    c->overflows.allowed = hart_interrupt_due(hart, UINT64_C(1) << LCOFI) == LCOFI;
}
