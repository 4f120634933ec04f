// A counter's value is the difference of two totals: however many there are, a cycle costs nothing more.
#include "workers/counter_model.h"
#include "events.h"
#include <stdio.h>

enum { OF = 63, MINH = 62, SINH = 61, UINH = 60, EVENT = 0xff };

bool counter_model_counts(const struct counter_model *c) {
    return c->event != 0 && c->event < PMU_EVENT_NUMBERS && !c->stopped;
}

static uint64_t counted(const struct counter_model *c, const struct event_tally *t, uint64_t cycle) {
    return event_tally_up_to(t, c->event, ALL_MODES & ~c->modes, cycle);
}

struct counter_shown counter_model_up_to(const struct counter_model *c, const struct event_tally *t, uint64_t cycle) {
    uint64_t by = 0;
    if (counter_model_counts(c)) {
        const uint64_t now = counted(c, t, cycle);
        if (now > c->from) by = now - c->from; // else the cycle is before it was written
    }
    const uint64_t value = c->base + by;
    const bool wraps = !c->lost && value < by, overflowed = c->overflowed || wraps;
    return (struct counter_shown){.value = wraps && c->reload ? value % c->reload - c->reload : value,
                                  .overflowed = overflowed,
                                  .known = !c->lost && !(wraps && c->varies),
                                  .overflow_known = !c->lost || overflowed};
}

uint64_t counter_model_select(const struct counter_model *c, bool overflowed) {
    const unsigned modes = c->modes;
    return (uint64_t)overflowed << OF | (uint64_t)(modes >> MODE_MACHINE & 1) << MINH |
           (uint64_t)(modes >> MODE_SUPERVISOR & 1) << SINH | (uint64_t)(modes >> MODE_USER & 1) << UINH | c->event;
}

// Up to the end of this cycle it counts as it did.
static void settle(struct counter_model *c, const struct event_tally *t, uint64_t cycle) {
    const struct counter_shown shown = counter_model_up_to(c, t, cycle);
    c->base = shown.value;
    c->overflowed = shown.overflowed;
    c->lost = !shown.known;
    c->from = counted(c, t, cycle);
}

// What its own cycle would count is lost; what overflowed before it has set OF.
void counter_model_write(struct counter_model *c, const struct event_tally *t, uint64_t cycle, uint64_t value) {
    settle(c, t, cycle - 1);
    c->lost = false;
    c->base = value;
    c->from = counted(c, t, cycle);
}

// An overflow in its cycle comes after it.
void counter_model_select_event(struct counter_model *c, const struct event_tally *t, uint64_t cycle, uint64_t select) {
    settle(c, t, cycle - 1);
    c->overflowed = select >> OF & 1;
    settle(c, t, cycle);
    c->event = select & EVENT;
    c->modes = (unsigned)(select >> MINH & 1) << MODE_MACHINE | (unsigned)(select >> SINH & 1) << MODE_SUPERVISOR |
               (unsigned)(select >> UINH & 1) << MODE_USER;
    c->from = counted(c, t, cycle);
}

void counter_model_reload(struct counter_model *c, const struct event_tally *t, uint64_t cycle, uint64_t reload,
                          bool varies) {
    settle(c, t, cycle);
    c->reload = reload;
    c->varies = varies;
}

void counter_model_stop(struct counter_model *c, const struct event_tally *t, uint64_t cycle, bool stopped) {
    settle(c, t, cycle);
    c->stopped = stopped;
}

// ---- for messages ----
static const struct pmu_event_info events[PMU_EVENT_COUNT] = {PMU_EVENT_ROWS};

static const char *event_name(unsigned number) {
    for (size_t i = 0; i < PMU_EVENT_COUNT; i++)
        if (events[i].number == number) return events[i].name;
    return "no event";
}

void counter_model_describe(const struct counter_model *m, char *text, size_t size) {
    const bool counts[] = {!(m->modes >> MODE_MACHINE & 1), !(m->modes >> MODE_SUPERVISOR & 1),
                           !(m->modes >> MODE_USER & 1)};
    snprintf(text, size, "%s in %s%s%s%s", event_name(m->event), counts[0] ? "M" : "", counts[1] ? "S" : "",
             counts[2] ? "U" : "", m->modes == ALL_MODES ? "no mode" : "");
}
