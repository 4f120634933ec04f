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
#include "events.h"
#include "harness/event_groups.h"

enum { CYCLES, INSTRUCTIONS, DISPATCHED, LATENCY, BANDWIDTH, MEMORY, BY_BRANCH, BY_CLEAR, REDIRECTS, CLEARS, COUNTS };

struct level { // one of level 1, with its parts of level 2
    const char *name, *key;
    double slots;
    unsigned parts;
    struct {
        const char *name, *key;
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
    levels[0] = (struct level){.name = "retiring", .key = "retiring", .slots = n[INSTRUCTIONS]};
    levels[1] = (struct level){.name = "bad speculation",
                               .key = "bad_speculation",
                               .slots = bad,
                               .parts = 2,
                               .part = {{"mispredictions", "mispredictions", wasted - by_clears + n[BY_BRANCH]},
                                        {"machine clears", "clears", by_clears + n[BY_CLEAR]}}};
    levels[2] = (struct level){.name = "front end",
                               .key = "frontend",
                               .slots = fetch,
                               .parts = 2,
                               .part = {{"latency", "latency", n[LATENCY]}, {"bandwidth", "bandwidth", n[BANDWIDTH]}}};
    levels[3] = (struct level){.name = "back end",
                               .key = "backend",
                               .slots = back,
                               .parts = 2,
                               .part = {{"memory", "memory", n[MEMORY]}, {"core", "core", back - n[MEMORY]}}};
}

// {slots, retiring, bad_speculation: {slots, mispredictions, clears}, frontend: {slots, latency, bandwidth},
//  backend: {slots, memory, core}}: as the worker topdown has it.
static void add(cJSON *o, const struct event_group_counts *c) {
    struct level levels[LEVELS];
    analyse(c, levels);
    cJSON_AddNumberToObject(o, "slots", c->of[CYCLES] * c->width);
    for (unsigned i = 0; i < LEVELS; i++) {
        const struct level *l = &levels[i];
        if (l->parts == 0) {
            cJSON_AddNumberToObject(o, l->key, l->slots);
            continue;
        }
        cJSON *object = cJSON_AddObjectToObject(o, l->key);
        cJSON_AddNumberToObject(object, "slots", l->slots);
        for (unsigned p = 0; p < l->parts; p++)
            cJSON_AddNumberToObject(object, l->part[p].key, l->part[p].slots);
    }
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
    fprintf(out, "  %s: of %.0f slots of dispatch\n", name, slots);
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
                                                .add = add,
                                                .print = print};
_Static_assert(COUNTS <= EVENT_GROUP_MOST, "the events of a group");
