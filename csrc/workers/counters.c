// The counters, exactly: mcycle and the program's event counters at every read, those of `--count` when they are read
// at the end. (minstret, as exact, is lockstep's.) What an event counter must show is counted a second time, by event
// and mode (workers/event_tally.h). The mode of every cycle is compared, too: counts and samples are by it.
//
// mcycle is 0 in cycle 0, counts every cycle in which mcountinhibit lets it, and takes a written value over in the
// cycle after the write. A CSR instruction reads in the cycle before the one in which it commits: it is alone in the
// ROB, and commits as soon as it is done. An event counter shows then what cycles have counted up to two before that:
// what happens in a cycle is chosen in it, added in the next one, and seen from the one behind that on. Of csrrs and
// csrrc the written value is believed, for what they set and clear is what was read.
//
// Not compared: the program's sampling counter and its OF while tipoff_period reloads it (harness/trigger_model.h is
// for the harness's).
#include "csrs.h"
#include "events.h"
#include "workers/counter_model.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { READ_BEFORE_COMMIT = 1, COUNTED_BEFORE_READ = 2, INHIBIT_CYCLE = 1, FIRST = 3, NUMBERS = 32 };

struct counters {
    uint64_t base, from; // mcycle: value in cycle `from`
    bool stopped;
    unsigned mode; // of the machine, behind the last cycle
    struct event_tally tally;
    unsigned present, sampling; // one above the last number that there is; the sampling counter's
    bool follows;               // the harness may begin to count in any cycle
    bool counts;                // some event counter does
    bool reloads;               // the program's unit does, that one
    uint32_t inhibit;           // mcountinhibit
    struct counter_model own[NUMBERS], asked[NUMBERS]; // by number: the program's, the harness's
    uint32_t asks;                                     // for these
    uint64_t cycle_reads, event_reads, compared;
};

static const struct pmu_event_info events[PMU_EVENT_COUNT] = {PMU_EVENT_ROWS};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct counters *c = calloc(1, sizeof *c);
    if (!c) {
        error_set(err, "counters: out of memory: free some and run again");
        return NULL;
    }
    c->mode = MODE_MACHINE;
    c->tally.width = run->width;
    c->present = FIRST + run->counters;
    c->sampling = run->sample_counter;
    c->follows = run->counts;
    return c;
}

// ---- mcycle ----
static uint64_t mcycle_in(const struct counters *c, uint64_t cycle) {
    return c->stopped ? c->base : c->base + (cycle - c->from);
}

static void write_mcycle(struct counters *c, uint64_t cycle, uint64_t value) {
    c->base = value;
    c->from = cycle + 1;
}

// ---- what differs ----
static const char *event_name(unsigned number) {
    for (size_t i = 0; i < PMU_EVENT_COUNT; i++)
        if (events[i].number == number) return events[i].name;
    return "no event";
}

// "FLUSHES in S and U"
static void describe(const struct counter_model *m, char *text, size_t size) {
    const bool counts[] = {!(m->modes >> MODE_MACHINE & 1), !(m->modes >> MODE_SUPERVISOR & 1),
                           !(m->modes >> MODE_USER & 1)};
    snprintf(text, size, "%s in %s%s%s%s", event_name(m->event), counts[0] ? "M" : "", counts[1] ? "S" : "",
             counts[2] ? "U" : "", m->modes == ALL_MODES ? "no mode" : "");
}

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
static bool is_present(const struct counters *c, unsigned number) {
    return number >= FIRST && number < c->present;
}

static bool is_reloaded(const struct counters *c, unsigned number) {
    return c->reloads && number == c->sampling;
}

static struct counter_shown shown_to(const struct counters *c, unsigned number, uint64_t committed) {
    return counter_model_up_to(&c->own[number], &c->tally, committed - READ_BEFORE_COMMIT - COUNTED_BEFORE_READ);
}

static int check_counter(struct counters *c, const struct worker_view *v, const struct retired *core, unsigned number,
                         struct error *err) {
    const uint64_t expected = is_present(c, number) ? shown_to(c, number, v->cycle).value : 0;
    char what[96], event[64];
    c->event_reads++;
    if (core->rd_value == expected) return 0;
    describe(&c->own[number], event, sizeof event);
    snprintf(what, sizeof what, "mhpmcounter%u, %s", number, event);
    return differs(v, core, what, expected, err);
}

static int check_event(struct counters *c, const struct worker_view *v, const struct retired *core, unsigned number,
                       struct error *err) {
    const struct counter_model *m = &c->own[number];
    const uint64_t expected =
        is_present(c, number) ? counter_model_select(m, shown_to(c, number, v->cycle).overflowed) : 0;
    char what[32];
    if (core->rd_value == expected) return 0;
    snprintf(what, sizeof what, "mhpmevent%u", number);
    return differs_in_bits(v, core, what, expected, err);
}

// S-mode sees what mcounteren lets it see.
static int check_overflows(const struct counters *c, const struct worker_view *v, const struct retired *core,
                           uint8_t privilege, struct error *err) {
    uint64_t expected = 0, enabled = UINT64_MAX, unknown = 0;
    for (unsigned i = FIRST; i < c->present; i++) {
        expected |= (uint64_t)shown_to(c, i, v->cycle).overflowed << i;
        if (is_reloaded(c, i)) unknown = UINT64_C(1) << i;
    }
    if (privilege == MODE_SUPERVISOR) iss_csr(v->golden->iss, CSR_MCOUNTEREN, &enabled);
    expected &= enabled;
    return ((core->rd_value ^ expected) & ~unknown) == 0 ? 0 : differs_in_bits(v, core, "scountovf", expected, err);
}

static int check_inhibit(const struct counters *c, const struct worker_view *v, const struct retired *core,
                         struct error *err) {
    return core->rd_value == c->inhibit ? 0 : differs_in_bits(v, core, "mcountinhibit", c->inhibit, err);
}

static int check_read(struct counters *c, const struct worker_view *v, const struct iss_retire *step,
                      const struct retired *core, struct error *err) {
    const unsigned csr = step->csr, number = csr % NUMBERS;
    if (csr == CSR_MCYCLE || csr == CSR_CYCLE) {
        const uint64_t expected = mcycle_in(c, v->cycle - READ_BEFORE_COMMIT);
        c->cycle_reads++;
        return core->rd_value == expected ? 0 : differs(v, core, "mcycle", expected, err);
    }
    if (csr == CSR_SCOUNTOVF) return check_overflows(c, v, core, step->privilege, err);
    if (csr == CSR_MCOUNTINHIBIT) return check_inhibit(c, v, core, err);
    if (is_reloaded(c, number)) return 0;
    if ((csr >= CSR_MHPMCOUNTER3 && csr <= CSR_MHPMCOUNTER31) || (csr >= CSR_HPMCOUNTER3 && csr <= CSR_HPMCOUNTER31))
        return check_counter(c, v, core, number, err);
    if (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31) return check_event(c, v, core, number, err);
    return 0;
}

// ---- writes, which take effect at the end of the cycle in which they commit ----
static bool count_or_not(struct counters *c) {
    const bool before = c->counts;
    c->counts = c->asks != 0;
    for (unsigned i = FIRST; i < c->present; i++)
        c->counts |= counter_model_counts(&c->own[i]);
    return c->counts && !before;
}

// The program sets off the first counter, by an instruction that is alone in the ROB: whatever was before it is over.
static void count_from(struct counters *c, const struct commit_bundle *b) {
    c->tally.slots = (struct slots){0};
    event_tally_remember(&c->tally, b);
}

static void write_inhibit(struct counters *c, uint64_t cycle, uint64_t value) {
    const uint64_t present = (UINT64_C(1) << c->present) - (1 << FIRST);
    const uint64_t own = 1 << 0 | 1 << 2; // mcycle, minstret
    write_mcycle(c, cycle, mcycle_in(c, cycle + 1));
    c->stopped = value & INHIBIT_CYCLE;
    c->inhibit = (uint32_t)(value & (present | own));
    for (unsigned i = FIRST; i < c->present; i++)
        counter_model_stop(&c->own[i], &c->tally, cycle, c->inhibit >> i & 1);
}

static void write_csr(struct counters *c, const struct worker_view *v, const struct iss_retire *step,
                      const struct retired *core) {
    const uint64_t cycle = v->cycle;
    const bool sets = (step->insn >> 12 & 3) != 1;
    const uint64_t value = sets ? core->csr_value : step->csr_value;
    const unsigned csr = step->csr, number = csr % NUMBERS;
    if (csr == CSR_MCYCLE) {
        write_mcycle(c, cycle, value);
        return;
    }
    if (csr == CSR_TIPOFF_PERIOD) c->reloads = value != 0;
    if (csr == CSR_MCOUNTINHIBIT) write_inhibit(c, cycle, value);
    if (csr >= CSR_MHPMCOUNTER3 && csr <= CSR_MHPMCOUNTER31 && is_present(c, number))
        counter_model_write(&c->own[number], &c->tally, cycle, value);
    if (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31 && is_present(c, number))
        counter_model_select_event(&c->own[number], &c->tally, cycle, value);
    if (count_or_not(c)) count_from(c, v->bundle);
}

WORKER_RARE static int access_csr(struct counters *c, const struct worker_view *v, const struct iss_retire *step,
                                  const struct retired *core, struct error *err) {
    int result = core->rd_written ? check_read(c, v, step, core, err) : 0;
    if (result == 0 && step->csr_written) write_csr(c, v, step, core);
    return result;
}

// ---- cycles ----
static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct counters *c = state;
    int result = 0;
    if (v->bundle->priv != c->mode) {
        error_set(err, "counters: cycle %" PRIu64 ": the core shows mode %c, the ISS is in %c", v->cycle,
                  MODE_LETTERS[v->bundle->priv & 3], MODE_LETTERS[c->mode]);
        return -EBADMSG;
    }
    if (c->counts) {
        event_tally_cycle(&c->tally, v, c->mode);
    } else if (c->follows || v->bundle->commit | v->bundle->exception) {
        event_tally_remember(&c->tally, v->bundle);
    }
    if (v->golden->plain || v->golden->cycle != v->cycle) return 0;
    for (unsigned i = 0; result == 0 && i < v->left->count; i++) {
        const struct iss_retire *step = &v->golden->step[i];
        if (step->csr_accessed) result = access_csr(c, v, step, &v->left->retired[i], err);
    }
    c->mode = iss_privilege(v->golden->iss);
    return result;
}

// ---- those of the harness ----
static int counter(void *state, const struct counter_event *e, struct error *err) {
    struct counters *c = state;
    struct counter_model *m = &c->asked[e->number % NUMBERS];
    char event[64];
    if (!e->read) {
        *m = (struct counter_model){0};
        counter_model_select_event(m, &c->tally, e->cycle - 1, e->select);
        c->asks |= UINT32_C(1) << e->number % NUMBERS;
        count_or_not(c);
        return 0;
    }
    if (!(c->asks >> e->number % NUMBERS & 1)) return 0; // the run has ended before it was set off
    const uint64_t expected = counter_model_up_to(m, &c->tally, e->cycle - 1).value;
    c->compared++;
    if (e->value == expected) return 0;
    describe(m, event, sizeof event);
    error_set(err, "counters: cycle %" PRIu64 ": --count, %s: expected %" PRIu64 ", got %" PRIu64, e->cycle, event,
              expected, e->value);
    return -EBADMSG;
}

static void add_statistics(void *state, cJSON *statistics) {
    const struct counters *c = state;
    cJSON *checks = cJSON_GetObjectItem(statistics, "checks");
    cJSON_AddNumberToObject(checks, "mcycle_reads", (double)c->cycle_reads);
    cJSON_AddNumberToObject(checks, "counter_reads", (double)c->event_reads);
    cJSON_AddNumberToObject(checks, "counts", (double)c->compared);
}

static void checked(void *state, char *text, size_t size) {
    const struct counters *c = state;
    snprintf(text, size, "%" PRIu64 " reads of counters and %" PRIu64 " counts to the unit",
             c->cycle_reads + c->event_reads, c->compared);
}

const struct worker_ops worker_counters = {.name = "counters",
                                           .text = "mcycle and event counters at every read, and those of --count",
                                           .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN,
                                           .standard = WORKER_WITH_LOCKSTEP,
                                           .check = true,
                                           .create = create,
                                           .cycle = cycle,
                                           .counter = counter,
                                           .add_statistics = add_statistics,
                                           .checked = checked,
                                           .destroy = free};
