// The Oracle (oracle/oracle.h), and the cross-check of the hardware's selection with it in every cycle.
#include "base/grouped.h"
#include "events.h"
#include "oracle/oracle_internal.h"
#include "profile/units.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {STATE_NAMES};

struct crosschecked {
    struct oracle *oracle;
    double units;    // in a cycle
    uint64_t cycles; // checked
    uint64_t begun;  // the first that counts
    uint64_t ended;  // the first that counts no more; UINT64_MAX: all do
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct crosschecked *c = error_calloc(sizeof *c, "Oracle", err);
    if (!c) return NULL;
    c->ended = UINT64_MAX;
    c->units = units_per_cycle(run->width);
    c->oracle = oracle_create(run->width, err);
    if (c->oracle) return c;
    free(c);
    return NULL;
}

static void destroy(void *state) {
    struct crosschecked *c = state;
    oracle_destroy(c->oracle);
    free(c);
}

WORKER_RARE static int no_memory(struct error *err) {
    return error_nomem(err, "Oracle");
}

__attribute__((noinline)) static int step(struct crosschecked *c, const struct worker_view *v, struct error *err) {
    if (c->ended == UINT64_MAX) c->cycles += v->count;
    oracle_use_stacks(c->oracle, v->stacks);
    return oracle_step(c->oracle, v->bundle, v->count) == 0 ? 0 : no_memory(err);
}

// What one of the two says of a field: states by name.
static void put_value(char text[24], const char *field, uint64_t value) {
    if (strcmp(field, "state") == 0 && value < STATE_COUNT) {
        snprintf(text, 24, "%s", state_names[value]);
    } else {
        snprintf(text, 24, "0x%" PRIx64, value);
    }
}

// Where the hardware makes it. The bundle is the core's own.
static const char *made_by(const char *field) {
    if (strcmp(field, "bundle rule") == 0) return "";
    return strncmp(field, "oir.", 4) == 0 ? ", which rtl/profile/oir_update.sv makes"
                                          : ", which rtl/profile/sample_select.sv makes";
}

WORKER_RARE static int look_closer(struct crosschecked *c, const struct worker_view *v, struct error *err) {
    struct oracle_difference d;
    if (!oracle_crosscheck(c->oracle, v->bundle, v->select, v->oir, &d)) return step(c, v, err);
    char expected[24], got[24];
    put_value(expected, d.field, d.expected);
    put_value(got, d.field, d.got);
    error_set(err, "cross-check: cycle %" PRIu64 ": %s%s: expected %s, got %s", v->cycle, d.field, made_by(d.field),
              expected, got);
    return -EBADMSG;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct crosschecked *c = state;
    if (!oracle_agrees(c->oracle, v->bundle, v->select, v->oir)) return look_closer(c, v, err);
    if (!oracle_waits(c->oracle, v->bundle, v->count)) return step(c, v, err);
    c->cycles += v->count;
    return 0;
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    struct crosschecked *c = state;
    c->begun = cycle;
    c->cycles = 0; // the profile starts here; the cycles before were checked, too
    return oracle_begin(c->oracle) == 0 ? 0 : no_memory(err);
}

static int end(void *state, uint64_t cycle, struct error *err) {
    struct crosschecked *c = state;
    (void)err;
    c->ended = cycle;
    oracle_end(c->oracle);
    return 0;
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    struct crosschecked *c = state;
    return oracle_finish(c->oracle, (c->ended < cycles ? c->ended : cycles) - c->begun, err);
}

static bool publish(void *state, struct results *results) {
    const struct crosschecked *c = state;
    bool good = results_add_oracle_checked(results, &(struct oracle_checked){c->cycles});
    for (unsigned i = 0; good && i < STATE_COUNT; i++)
        good = results_add_state_cycles(
            results, &(struct state_cycles){(uint8_t)i, (double)oracle_state_units(c->oracle, i) / c->units});
    return good;
}

static void print(void *state, uint64_t cycles, FILE *out) {
    struct crosschecked *c = state;
    double total = 0; // of the cycles that were checked: where a check stops a run, the model has gone on
    (void)cycles;
    for (unsigned i = 0; i < STATE_COUNT; i++)
        total += (double)oracle_state_units(c->oracle, i);
    if (total == 0) total = 1;
    fputs(" ", out);
    for (unsigned i = 0; i < STATE_COUNT; i++) {
        fprintf(out, " %s %.1f %%%s", state_names[i], 100 * (double)oracle_state_units(c->oracle, i) / total,
                i + 1 < STATE_COUNT ? "," : "\n");
    }
}

static void checked(void *state, char *text, size_t size) {
    char cycles[GROUPED_TEXT];
    snprintf(text, size, "%s cycles against the Oracle", grouped(cycles, ((struct crosschecked *)state)->cycles));
}

static bool profile(void *state, size_t i, struct worker_profile *out) {
    if (i) return false;
    out->name = "Oracle";
    out->events = EVENT_SET_ALL;
    out->rows = oracle_rows(((struct crosschecked *)state)->oracle, &out->count);
    return true;
}

const struct worker_ops worker_oracle = {
    .name = "oracle",
    .text = "the exact time of each instruction; checks the hardware's selection against it",
    .needs = DPI_BUNDLE | DPI_SELECT | WORKER_STACKS,
    .standard = WORKER_WITH_ORACLE,
    .check = true,
    .create = create,
    .cycle = cycle,
    .begin = begin,
    .end = end,
    .finish = finish,
    .publish = publish,
    .print = print,
    .checked = checked,
    .profile = profile,
    .destroy = destroy};
