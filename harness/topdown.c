// Top-down, levels 1 and 2 (Yasin, "A Top-Down Method for Performance Analysis and Counters Architecture", ISPASS
// 2014), from the core's counters. Of all slots of dispatch, which are CYCLES times the width:
//
//   retiring          INSTRUCTIONS
//   bad speculation   DISPATCHED - INSTRUCTIONS + RECOVERY_BRANCH + RECOVERY_CLEAR
//     mispredictions  what was dispatched and squashed, by the share of BRANCH_REDIRECTS in them and CLEARS, and
//     RECOVERY_BRANCH clears          the rest
//   front end         FETCH_LATENCY + FETCH_BANDWIDTH
//   back end          what is left of the slots
//     memory          MEMORY_BOUND
//     core            the rest
//
// Of the instructions of one mode alone, those that dispatch in another one than they commit in may make a difference
// negative, by as many as there are.
#include "base/grouped.h"
#include "events.h"
#include "harness/event_groups.h"
#include "results.h"

enum { CYCLES, INSTRUCTIONS, DISPATCHED, LATENCY, BANDWIDTH, MEMORY, BY_BRANCH, BY_CLEAR, REDIRECTS, CLEARS, COUNTS };

struct level { // one of level 1, with its parts of level 2
    const char *name;
    double slots;
    unsigned parts;
    struct {
        const char *name;
        double slots;
    } part[2];
};
enum { LEVELS = 4 };

static void analyse(const struct event_group_counts *c, struct level levels[LEVELS]) {
    const double *n = c->of;
    const double slots = n[CYCLES] * c->width, fetch = n[LATENCY] + n[BANDWIDTH],
                 wasted = n[DISPATCHED] - n[INSTRUCTIONS];
    const double causes = n[REDIRECTS] + n[CLEARS], by_clears = causes > 0 ? wasted * n[CLEARS] / causes : 0;
    const double bad = wasted + n[BY_BRANCH] + n[BY_CLEAR], back = slots - n[INSTRUCTIONS] - bad - fetch;
    levels[0] = (struct level){.name = "retiring", .slots = n[INSTRUCTIONS]};
    levels[1] = (struct level){
        .name = "bad speculation",
        .slots = bad,
        .parts = 2,
        .part = {{"mispredictions", wasted - by_clears + n[BY_BRANCH]}, {"machine clears", by_clears + n[BY_CLEAR]}}};
    levels[2] = (struct level){.name = "front end",
                               .slots = fetch,
                               .parts = 2,
                               .part = {{"latency", n[LATENCY]}, {"bandwidth", n[BANDWIDTH]}}};
    levels[3] = (struct level){
        .name = "back end", .slots = back, .parts = 2, .part = {{"memory", n[MEMORY]}, {"core", back - n[MEMORY]}}};
}

static bool publish(const char *name, const struct event_group_counts *c, struct results *results) {
    struct level levels[LEVELS];
    analyse(c, levels);
    const struct level *bad = &levels[1], *front = &levels[2], *back = &levels[3];
    struct counted_topdown row = {.slots = c->of[CYCLES] * c->width,
                                  .retiring = levels[0].slots,
                                  .bad_speculation_slots = bad->slots,
                                  .bad_speculation_mispredictions = bad->part[0].slots,
                                  .bad_speculation_clears = bad->part[1].slots,
                                  .frontend_slots = front->slots,
                                  .frontend_latency = front->part[0].slots,
                                  .frontend_bandwidth = front->part[1].slots,
                                  .backend_slots = back->slots,
                                  .backend_memory = back->part[0].slots,
                                  .backend_core = back->part[1].slots};
    snprintf(row.group, sizeof row.group, "%s", name);
    return results_add_counted_topdown(results, &row);
}

static void line(FILE *out, int indent, const char *name, double slots, double all) {
    enum { BAR = 50, NAME = 18 };
    const double share = all > 0 ? slots / all : 0;
    fprintf(out, "  %*s%-*s %5.1f %%", indent, "", NAME - indent, name, 100 * share);
    const int bar = share > 0 ? (int)(share * BAR + 0.5) : 0;
    if (bar) fputs("  ", out);
    for (int i = 0; i < bar && i < BAR; i++)
        fputc(indent ? '-' : '=', out);
    fputc('\n', out);
}

static void print(const char *name, const struct event_group_counts *c, FILE *out) {
    struct level levels[LEVELS];
    analyse(c, levels);
    const double slots = c->of[CYCLES] * c->width;
    fprintf(out, "  %s: of %s slots of dispatch\n", name, grouped((char[GROUPED_TEXT]){""}, (uint64_t)slots));
    for (unsigned i = 0; i < LEVELS; i++) {
        line(out, 0, levels[i].name, levels[i].slots, slots);
        for (unsigned p = 0; p < levels[i].parts; p++)
            line(out, 2, levels[i].part[p].name, levels[i].part[p].slots, slots);
    }
}

const struct event_group event_group_topdown = {.name = "topdown",
                                                .events = {[CYCLES] = PMU_EVENT_CYCLES,
                                                           [INSTRUCTIONS] = PMU_EVENT_INSTRUCTIONS,
                                                           [DISPATCHED] = PMU_EVENT_DISPATCHED,
                                                           [LATENCY] = PMU_EVENT_FETCH_LATENCY,
                                                           [BANDWIDTH] = PMU_EVENT_FETCH_BANDWIDTH,
                                                           [MEMORY] = PMU_EVENT_MEMORY_BOUND,
                                                           [BY_BRANCH] = PMU_EVENT_RECOVERY_BRANCH,
                                                           [BY_CLEAR] = PMU_EVENT_RECOVERY_CLEAR,
                                                           [REDIRECTS] = PMU_EVENT_BRANCH_REDIRECTS,
                                                           [CLEARS] = PMU_EVENT_CLEARS},
                                                .publish = publish,
                                                .print = print};
_Static_assert(COUNTS <= EVENT_GROUP_MOST, "the events of a group");
