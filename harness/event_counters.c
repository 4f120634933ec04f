// While the selectors are written, one a cycle, mcountinhibit holds all counters still; one write sets them off
// together. By then the first instruction is still on its way from memory: what is missed is Drained cycles, and the
// statistics say how many (from_cycle).
#include "harness/event_counters.h"
#include "base/grouped.h"
#include "csrs.h"
#include "events.h"
#include "results.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const struct pmu_event_info events[PMU_EVENT_COUNT] = {PMU_EVENT_ROWS};

static const struct pmu_event_info *find(const char *name, size_t length) {
    for (size_t i = 0; i < PMU_EVENT_COUNT; i++) {
        if (strlen(events[i].name) == length && strncasecmp(events[i].name, name, length) == 0) return &events[i];
    }
    return NULL;
}

static const struct pmu_event_info *numbered(unsigned number) {
    size_t i = 0;
    while (events[i].number != number)
        i++;
    return &events[i];
}

static void unknown(const char *name, size_t length, struct error *err) {
    char names[sizeof err->text - 64]; // all of them fit; those of triggers are the program's alone
    size_t used = 0;
    for (size_t i = 0; i < PMU_EVENT_COUNT && used < sizeof names; i++)
        if (!events[i].triggers)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", events[i].name);
    for (size_t i = 0; i < event_group_count && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, ", and the group %s", event_groups[i]->name);
    error_set(err, "--count %.*s: no such event: use one of %s", (int)(length < 32 ? length : 32), name, names);
}

void event_counters_list(FILE *out) {
    for (size_t i = 0; i < PMU_EVENT_COUNT; i++)
        fprintf(out, "%-16s %s%s\n", events[i].name, events[i].text,
                events[i].coherent   ? " (cores with harts.coherent)"
                : events[i].triggers ? " (cores with profile.triggers, counted by the program itself)"
                                     : "");
    for (size_t i = 0; i < event_group_count; i++) {
        fprintf(out, "%-16s a group:", event_groups[i]->name);
        for (size_t k = 0; k < EVENT_GROUP_MOST && event_groups[i]->events[k]; k++)
            fprintf(out, "%s %s", k ? "," : "", numbered(event_groups[i]->events[k])->name);
        fputc('\n', out);
    }
}

// MINH, SINH and UINH of all modes that are not named.
static bool parse_modes(const char *modes, size_t length, uint64_t *inhibit) {
    static const char letters[] = "msu";
    *inhibit = UINT64_C(7) << 60;
    for (size_t i = 0; i < length; i++) {
        const char *letter = strchr(letters, modes[i]);
        if (!letter) return false;
        *inhibit &= ~(UINT64_C(1) << (62 - (letter - letters)));
    }
    return length > 0;
}

static int add_row(struct event_counters *c, const struct pmu_event_info *event, uint64_t inhibit, const char *modes,
                   size_t modes_length, struct error *err) {
    const uint64_t select = inhibit | event->number;
    for (unsigned i = 0; i < c->count; i++)
        if (c->rows[i].select == select) return 0;
    if (c->count == EVENT_COUNTERS_MOST) {
        error_set(err, "--count: more than %d events: count the others in a second run", EVENT_COUNTERS_MOST);
        return -EINVAL;
    }
    struct event_counter *row = &c->rows[c->count++];
    row->select = select;
    row->coherent = event->coherent;
    row->triggers = event->triggers;
    snprintf(row->name, sizeof row->name, "%s%.*s", event->name, (int)modes_length, modes);
    return 0;
}

static int add_group(struct event_counters *c, const struct event_group *group, uint64_t inhibit, const char *modes,
                     size_t modes_length, struct error *err) {
    for (unsigned i = 0; i < c->groups; i++)
        if (c->group[i].group == group && c->group[i].inhibit == inhibit) return 0;
    if (c->groups == EVENT_COUNTERS_GROUPS) {
        error_set(err, "--count: more than %d groups: count the others in a second run", EVENT_COUNTERS_GROUPS);
        return -EINVAL;
    }
    struct event_counters_group *g = &c->group[c->groups++];
    *g = (struct event_counters_group){.group = group, .inhibit = inhibit};
    snprintf(g->name, sizeof g->name, "%s%.*s", group->name, (int)modes_length, modes);
    int result = 0;
    for (size_t i = 0; result == 0 && i < EVENT_GROUP_MOST && group->events[i]; i++)
        result = add_row(c, numbered(group->events[i]), inhibit, modes, modes_length, err);
    return result;
}

static int parse_one(struct event_counters *c, const char *text, size_t length, struct error *err) {
    const char *colon = memchr(text, ':', length);
    const size_t name = colon ? (size_t)(colon - text) : length, modes = length - name; // with the colon
    const struct pmu_event_info *event = find(text, name);
    const struct event_group *group = event ? NULL : event_group_find(text, name);
    if (!event && !group) {
        unknown(text, name, err);
        return -EINVAL;
    }
    uint64_t inhibit = 0;
    if (colon && !parse_modes(colon + 1, modes - 1, &inhibit)) {
        error_set(err, "--count %.*s: give modes as letters m (machine), s (supervisor) and u (user)",
                  (int)(length < 64 ? length : 64), text);
        return -EINVAL;
    }
    return group ? add_group(c, group, inhibit, text + name, modes, err)
                 : add_row(c, event, inhibit, text + name, modes, err);
}

int event_counters_parse(struct event_counters *c, const char *text, struct error *err) {
    for (;;) {
        size_t length = strcspn(text, ",");
        int result = parse_one(c, text, length, err);
        if (result < 0 || !text[length]) return result;
        text += length + 1;
    }
}

int event_counters_assign(struct event_counters *c, const struct machine_config *config, bool sampling,
                          struct error *err) {
    unsigned counter = 2 + config->counters, free = config->counters - sampling;
    c->width = config->width;
    for (unsigned i = 0; i < c->count; i++) {
        if (c->rows[i].triggers) {
            error_set(
                err,
                "--count %s: what is counted from outside has triggers of its own, which nothing sets: count it in "
                "the program (docs/reference/triggers.md), or use --sample-from PLACE:N",
                c->rows[i].name);
            return -EINVAL;
        }
        if (!c->rows[i].coherent || config->coherent) continue;
        error_set(err,
                  "--count %s: %s has no such event, for its caches are not coherent (harts.coherent = 0): name a "
                  "configuration whose are, as small2c or tea4c",
                  c->rows[i].name, config->name);
        return -EINVAL;
    }
    if (c->count > free) {
        error_set(err, "--count: %u events, but %s has %u counters%s: count the others in a second run", c->count,
                  config->name, free, sampling ? " besides the sampling one" : "");
        return -EINVAL;
    }
    for (unsigned i = 0; i < c->count; i++, counter--) {
        if (sampling && counter == config->sample_counter) counter--;
        c->rows[i].counter = counter;
    }
    return 0;
}

static int programmed(int result, struct error *err) {
    if (result < 0) error_set(err, "the model has no counters to program: build it again");
    return result;
}

int event_counters_prepare(struct event_counters *c, const struct model_api *api, struct model *model,
                           struct error *err) {
    uint64_t mine = 0;
    if (c->count == 0) return 0;
    for (unsigned i = 0; i < c->count; i++)
        mine |= UINT64_C(1) << c->rows[i].counter;
    int result = api->csr_write(model, CSR_MCOUNTINHIBIT, mine);
    for (unsigned i = 0; result == 0 && i < c->count; i++)
        result = api->csr_write(model, CSR_MHPMEVENT3 + (int)c->rows[i].counter - 3, c->rows[i].select);
    c->prepared = true;
    return programmed(result, err);
}

int event_counters_start(struct event_counters *c, const struct model_api *api, struct model *model,
                         struct error *err) {
    if (c->count == 0) return 0;
    int result = c->prepared ? 0 : event_counters_prepare(c, api, model, err);
    if (result == 0) result = programmed(api->csr_write(model, CSR_MCOUNTINHIBIT, 0), err);
    c->from_cycle = api->cycles(model);
    return result;
}

void event_counters_read(struct event_counters *c, const struct model_api *api, struct model *model) {
    for (unsigned i = 0; i < c->count; i++)
        api->csr_read(model, CSR_MHPMCOUNTER3 + (int)c->rows[i].counter - 3, &c->rows[i].value);
}

bool event_counters_event(const struct event_counters *c, unsigned i, bool read, uint64_t cycle,
                          struct counter_event *event) {
    if (i >= c->count) return false;
    const struct event_counter *row = &c->rows[i];
    *event = (struct counter_event){
        .read = read, .number = row->counter, .cycle = cycle, .select = row->select, .value = row->value};
    return true;
}

// What the counters of a group have, by event number.
static struct event_group_counts counts_of(const struct event_counters *c, const struct event_counters_group *g) {
    struct event_group_counts counts = {.width = c->width};
    for (size_t e = 0; e < EVENT_GROUP_MOST && g->group->events[e]; e++) {
        for (unsigned i = 0; i < c->count; i++)
            if (c->rows[i].select == (g->inhibit | g->group->events[e])) counts.of[e] = (double)c->rows[i].value;
    }
    return counts;
}

bool event_counters_publish(const struct event_counters *c, struct results *results) {
    bool good = !c->count || results_add_counts_start(results, &(struct counts_start){c->from_cycle});
    for (unsigned i = 0; good && i < c->count; i++) {
        struct counted_event row = {.count = c->rows[i].value};
        snprintf(row.event, sizeof row.event, "%s", c->rows[i].name);
        good = results_add_counted_event(results, &row);
    }
    for (unsigned i = 0; good && i < c->groups; i++) {
        const struct event_group_counts of = counts_of(c, &c->group[i]);
        good = c->group[i].group->publish(c->group[i].name, &of, results);
    }
    return good;
}

void event_counters_print(const struct event_counters *c, FILE *out) {
    for (unsigned i = 0; i < c->count; i++)
        fprintf(out, "  %18s  %s\n", grouped((char[GROUPED_TEXT]){""}, c->rows[i].value), c->rows[i].name);
    for (unsigned i = 0; i < c->groups; i++) {
        const struct event_group_counts of = counts_of(c, &c->group[i]);
        c->group[i].group->print(c->group[i].name, &of, out);
    }
}
