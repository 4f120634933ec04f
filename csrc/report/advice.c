// Finds each instruction's rule, and sums up by rule.
#include "report/advice.h"
#include "base/bisect.h"
#include "base/paths.h"
#include "report/contexts.h"
#include "report/facts.h"
#include "report/json.h"
#include "report/style.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum {
    TOGETHER = 3, // of the part's time one part in this many, for several events that it met together to explain it
    EXAMPLE_PART = 100, // of the run one part in this many, for more than one example of a rule
    TEXT = 512
};

static const struct advice_row rules[] = {ADVICE_ROWS};
enum { RULES = sizeof rules / sizeof *rules };

static bool row_before(const void *entry, const void *key) {
    return place_order(row_place(entry), *(const struct place *)key) < 0;
}
// The first row of the place, in rows that are by place.
static size_t first_row(const struct run *d, struct place place) {
    return bisect(d->rows, d->row_count, sizeof *d->rows, row_before, &place);
}

struct part { // an instruction's time in one state
    const struct unit_time *unit;
    unsigned state;
};

static uint64_t weight_of(const struct part *p) {
    return p->unit->states[p->state];
}

static int heavier_part(const void *x, const void *y) {
    const struct part *a = x, *b = y;
    if (weight_of(a) != weight_of(b)) return weight_of(a) > weight_of(b) ? -1 : 1;
    const int order = place_order(a->unit->place, b->unit->place);
    return order ? order : (a->state > b->state) - (a->state < b->state);
}

// The part's time under vectors that have all these events.
static uint64_t time_with(const struct run *d, const struct part *p, unsigned events) {
    const struct place place = p->unit->place;
    uint64_t sum = 0;
    for (size_t i = first_row(d, place); i < d->row_count && place_equal(row_place(&d->rows[i]), place); i++) {
        if (d->rows[i].state == p->state && (d->rows[i].psv & events) == events) sum += d->rows[i].weight;
    }
    return sum;
}

struct fit { // how well a rule suits
    int events, own;
    uint64_t time;
};

static bool better(const struct fit *a, const struct fit *b) {
    if (a->events != b->events) return a->events > b->events;
    return a->time != b->time ? a->time > b->time : a->own > b->own;
}

// The rule for the part: the one with most events that the instruction met together; of these the one with most time,
// and one of its own kind before one for all. RULES: none.
static size_t rule_of(const struct run *d, const struct part *p) {
    const char *kind = report_execution_unit(d, p->unit->place);
    struct fit most = {-1, 0, 0};
    size_t best = RULES;
    for (size_t r = 0; r < RULES; r++) {
        const struct advice_row *rule = &rules[r];
        if (rule->state != p->state || (rule->unit && strcmp(rule->unit, kind) != 0)) continue;
        const struct fit fit = {__builtin_popcount(rule->events), rule->unit != NULL, time_with(d, p, rule->events)};
        if ((fit.events > 1 ? TOGETHER : REPORT_WHY_PART) * fit.time < weight_of(p) || !better(&fit, &most)) continue;
        best = r;
        most = fit;
    }
    return best;
}

// The rule for a mispredicted branch whose own time is another's; flush: for an instruction that flushes.
static size_t rule_of_refill(const struct run *d, struct place branch, bool flush) {
    const char *kind = report_execution_unit(d, branch);
    size_t best = RULES;
    for (size_t r = 0; r < RULES; r++) {
        if (rules[r].state != STATE_FLUSHED || rules[r].events != (flush ? 0 : 1u << EVENT_FL_MB)) continue;
        if (rules[r].unit ? strcmp(rules[r].unit, kind) == 0 : best == RULES) best = r;
    }
    return best;
}

// The mispredicted branch, or the flush, that half of the wait or more is due to.
static bool is_shadow(const struct run *d, const struct part *p, struct code_place *branch, bool *flush) {
    const struct code_place at = code_place_of(d->images, p->unit->place);
    if (p->state != STATE_STALLED) return false;
    return 2 * facts_shadow(d->facts, &at, branch, flush) * d->header->units >= weight_of(p);
}

// A part of an instruction's time, or a wait on its account. Parts come by their time: the first is an example, others
// are where they take a hundredth of the run.
static void add(const struct run *d, struct advice *a, size_t rule, uint64_t weight, struct place place) {
    a->rule = &rules[rule];
    a->weight += weight;
    a->count++;
    if (a->example_count && weight * EXAMPLE_PART < d->total) return;
    for (size_t i = 0; i < a->example_count; i++) {
        if (place_equal(a->examples[i], place)) return;
    }
    if (a->example_count < ADVICE_EXAMPLES) a->examples[a->example_count++] = place;
}

static int heavier(const void *x, const void *y) {
    const struct advice *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return (a->rule > b->rule) - (a->rule < b->rule);
}

static void give(const struct run *d, struct advice *list, const struct part *p) {
    struct code_place branch;
    bool flush;
    const bool shadow = is_shadow(d, p, &branch, &flush);
    const size_t rule = shadow ? rule_of_refill(d, branch.place, flush) : rule_of(d, p);
    if (rule < RULES) add(d, &list[rule], rule, weight_of(p), shadow ? branch.place : p->unit->place);
}

struct advice *advice_give(const struct run *d, size_t *count) {
    size_t unit_count, part_count = 0, used = 0;
    const struct unit_time *units = run_units(d, BY_INSTRUCTION, &unit_count);
    struct part *parts = malloc((unit_count * STATE_COUNT + 1) * sizeof *parts);
    struct advice *list = parts ? calloc(RULES, sizeof *list) : NULL;
    *count = 0;
    for (size_t i = 0; list && units && i < unit_count * STATE_COUNT; i++) {
        const struct part part = {&units[i / STATE_COUNT], i % STATE_COUNT};
        if (part.unit->place.pc != PROFILE_PC_END && weight_of(&part)) parts[part_count++] = part;
    }
    if (part_count) qsort(parts, part_count, sizeof *parts, heavier_part);
    for (size_t i = 0; i < part_count; i++)
        give(d, list, &parts[i]);
    free(parts);
    for (size_t r = 0; list && r < RULES; r++) {
        if (list[r].count && list[r].weight * ADVICE_PART >= d->total) list[used++] = list[r];
    }
    if (used) qsort(list, used, sizeof *list, heavier);
    *count = used;
    return list;
}

static void place_words(const struct run *d, struct place place, char *text, size_t size) {
    char name[TEXT];
    unsigned line;
    const char *file = report_source(d, place, &line);
    report_label_of_hart(d, BY_INSTRUCTION, place, name, sizeof name);
    if (file) {
        snprintf(text, size, "%s (%s:%u)", name, paths_name(file), line);
    } else {
        snprintf(text, size, "%s", name);
    }
}

int advice_print(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    char text[2 * TEXT];
    size_t count;
    struct advice *list = advice_give(d, &count);
    if (!list) return report_out_of_memory(d->path, err);
    if (count) style_heading(out, o, "What to do, by the time it applies to");
    for (size_t i = 0; i < count; i++) {
        const struct advice *a = &list[i];
        style_share(out, o, a->weight, d->total);
        fputs("  ", out);
        for (size_t k = 0; k < a->example_count; k++) {
            place_words(d, a->examples[k], text, sizeof text);
            fprintf(out, "%s%s", k ? ", " : "", text);
        }
        if (a->count > a->example_count) fprintf(out, "; of %zu instructions", a->count);
        fprintf(out, ": %s%s%s\n            %s.\n            [%s]\n", report_state_name(a->rule->state),
                *a->rule->names ? ", " : "", a->rule->names, a->rule->text, a->rule->source);
    }
    free(list);
    return 0;
}

bool advice_add_json(cJSON *root, const struct run *d) {
    char text[TEXT];
    size_t count;
    struct advice *list = advice_give(d, &count);
    if (!list) return false;
    cJSON *array = cJSON_AddArrayToObject(root, "advice");
    for (size_t i = 0; i < count; i++) {
        const struct advice *a = &list[i];
        cJSON *object = cJSON_CreateObject();
        json_add_u64(object, "weight", a->weight);
        cJSON_AddStringToObject(object, "state", report_state_name(a->rule->state));
        cJSON_AddStringToObject(object, "events", a->rule->names);
        cJSON_AddStringToObject(object, "text", a->rule->text);
        cJSON_AddStringToObject(object, "source", a->rule->source);
        cJSON_AddNumberToObject(object, "instructions", (double)a->count);
        cJSON *examples = cJSON_AddArrayToObject(object, "examples");
        for (size_t k = 0; k < a->example_count; k++) {
            report_unit(d, BY_INSTRUCTION, a->examples[k], text, sizeof text);
            cJSON_AddItemToArray(examples, cJSON_CreateString(text));
        }
        cJSON_AddItemToArray(array, object);
    }
    free(list);
    return true;
}
