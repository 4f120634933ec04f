// An instruction's time, in the words of report_why, with counts and with what the statistics name as its cause.
#include "report/reasons.h"
#include "base/paths.h"
#include "oracle/waits.h"
#include "report/json.h"
#include "report/place_columns.h"
#include "report/style.h"
#include "report/value.h"
#include "report/words.h"
#include <string.h>

enum {
    NAME = 512,
    LITTLE = 1000 // of all time one part in this many: cheaper mispredictions are not listed
};

struct words {
    char *text;
    size_t size;
};
#define ADD(w, ...) words_append((w)->text, (w)->size, __VA_ARGS__)

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

// How often the instruction meets the event that explains its time.
static void add_rate(const struct run *d, const struct code_place *at, unsigned event, struct words *w) {
    uint64_t executions, met;
    char n[32];
    if (!facts_met(d->facts, at, event, &met) || !facts_executions(d->facts, at, &executions) || !executions) return;
    ADD(w, " in %.1f %% of %s executions", percent_of(met, executions), style_number(executions, n));
}

// Of what empties the pipeline: a mispredicted branch, or an instruction that flushes it.
static void add_cost(const struct run *d, const struct misprediction *m, const char *path, struct words *w) {
    ADD(w, "; costs %.1f %% of the time, %.1f %% here and %.1f %% booked to what runs next",
        percent_of(m->flushed + m->shadow, d->cycles), percent_of(m->flushed, d->cycles),
        percent_of(m->shadow, d->cycles));
    if (m->late > m->flushed + m->shadow)
        ADD(w, "; up to %.1f %% if no other work overlaps the delay of %s", percent_of(m->late, d->cycles), path);
}

static void add_flush(const struct run *d, const struct code_place *at, struct words *w) {
    const struct misprediction *m = facts_flush(d->facts, at);
    if (m && (m->flushed + m->shadow) * LITTLE >= d->cycles) add_cost(d, m, "what follows", w);
}

// Of a branch.
static void add_price(const struct run *d, const struct code_place *at, struct words *w) {
    const struct misprediction *m = facts_misprediction(d->facts, at);
    uint64_t executions;
    char n[32];
    if (!m || (m->flushed + m->shadow) * LITTLE < d->cycles) return;
    if (facts_executions(d->facts, at, &executions)) {
        if (!ends_with(w->text, ": mispredicted")) ADD(w, "; mispredicted");
        ADD(w, " in %.1f %% of %s executions", percent_of(m->times, executions), style_number(executions, n));
    }
    add_cost(d, m, "the correct path", w);
}

// Of an instruction that a good part of its time waits on a branch's account.
static void add_shadow(const struct run *d, const struct code_place *at, const struct unit_time *unit,
                       struct words *w) {
    struct code_place branch;
    char name[NAME];
    bool flush;
    const uint64_t cycles = facts_shadow(d->facts, at, &branch, &flush);
    if (cycles == 0 || cycles < unit->weight / d->header->units / 10) return;
    report_name(d, BY_INSTRUCTION, branch.place, name, sizeof name);
    ADD(w, "; %.1f %% of the time while the pipeline fills after %s, %s", percent_of(cycles, d->cycles), name,
        flush ? "which flushes it" : "mispredicted");
}

// Of an instruction that a good part of its time waits for others: for which most, and how far that is.
static void add_waits(const struct run *d, const struct code_place *at, const struct unit_time *unit, struct words *w) {
    size_t count;
    uint64_t cycles = 0, executions, met;
    const struct code_pair *pairs = facts_waits(d->facts, at, &count), *most = NULL;
    char name[NAME], instruction[NAME], source[NAME] = "", n[32];
    unsigned line;
    for (size_t i = 0; pairs && i < count; i++) {
        cycles += pairs[i].counts[WAIT_CYCLES];
        if (!most || pairs[i].counts[WAIT_CYCLES] > most->counts[WAIT_CYCLES]) most = &pairs[i];
    }
    if (!most || cycles < unit->weight / d->header->units / 10) return;
    const struct code_place *to = &most->to;
    const char *file = report_source(d, to->place, &line);
    report_name(d, BY_INSTRUCTION, to->place, name, sizeof name);
    report_instruction(d, to->place, instruction, sizeof instruction);
    if (file) snprintf(source, sizeof source, " (%s:%u)", paths_name(file), line);
    ADD(w, "; waits %s cycles", style_number(most->counts[WAIT_CYCLES], n));
    ADD(w, " in %s times for %s at %s%s", style_number(most->counts[WAIT_TIMES], n), instruction, name, source);
    if (2 * most->counts[WAIT_CHAINED] > most->counts[WAIT_TIMES]) ADD(w, ", through others");
    if (facts_met(d->facts, to, EVENT_ST_L1, &met) && facts_executions(d->facts, to, &executions) && executions &&
        met * 100 >= executions)
        ADD(w, ", which misses the L1 in %.1f %% of its executions", percent_of(met, executions));
}

void reasons_counts(const struct run *all, struct place place, uint64_t weight, char *text, size_t size) {
    const struct run own = run_of(all, place), *d = &own;
    const struct code_place at = code_place_of(d->images, place);
    uint64_t executions;
    char n[32];
    if (place.pc == PROFILE_PC_END || !facts_executions(d->facts, &at, &executions) || !executions) {
        snprintf(text, size, "  %12s  %6s", "-", "-");
    } else {
        snprintf(text, size, "  %12s  %6.2f", style_number(executions, n),
                 (double)weight / d->header->units / (double)executions);
    }
}

// Of a core without events none.
static cJSON *met(const struct run *d, const struct code_place *at) {
    cJSON *object = NULL;
    uint64_t count;
    for (unsigned e = 0; e < d->header->event_count; e++) {
        if (!facts_met(d->facts, at, e, &count)) return object ? object : cJSON_CreateNull();
        if (!object) object = cJSON_CreateObject();
        if (count) json_add_u64(object, d->header->events[e], count);
    }
    return object;
}

static cJSON *waited_for(const struct run *d, const struct code_place *at) {
    size_t count;
    const struct code_pair *pairs = facts_waits(d->facts, at, &count);
    cJSON *array = pairs ? cJSON_CreateArray() : cJSON_CreateNull();
    for (size_t i = 0; pairs && i < count; i++) {
        cJSON *one = place_json(d, BY_INSTRUCTION, pairs[i].to.place, "unit,name");
        json_add_u64(one, "times", pairs[i].counts[WAIT_TIMES]);
        json_add_u64(one, "cycles", pairs[i].counts[WAIT_CYCLES]);
        json_add_u64(one, "chained", pairs[i].counts[WAIT_CHAINED]);
        cJSON_AddItemToArray(array, one);
    }
    return array;
}

bool reasons_value(const struct run *all, struct place place, const char *column, struct value *v) {
    const bool counted = column_is(column, "executions"), events = column_is(column, "met");
    if (!counted && !events && !column_is(column, "waits_for")) return false;
    *v = value_none();
    if (place.pc == PROFILE_PC_END) return true;
    const struct run own = run_of(all, place), *d = &own;
    const struct code_place at = code_place_of(d->images, place);
    uint64_t executions;
    if (counted && facts_executions(d->facts, &at, &executions)) {
        *v = value_count(executions);
    } else {
        cJSON *item = counted ? cJSON_CreateNull() : events ? met(d, &at) : waited_for(d, &at);
        if (item) *v = value_item(item);
    }
    return true;
}

void reasons_of_instruction(const struct run *all, const struct unit_time *unit, char *text, size_t size) {
    const struct run own = run_of(all, unit->place), *d = &own;
    struct words w = {text, size};
    unsigned event;
    const bool explained = report_why(d, unit, text, size, &event);
    if (unit->place.pc == PROFILE_PC_END) return;
    const struct code_place at = code_place_of(d->images, unit->place);
    if (explained && event < EVENT_COUNT && event != EVENT_FL_MB) add_rate(d, &at, event, &w);
    add_price(d, &at, &w);
    add_flush(d, &at, &w);
    add_shadow(d, &at, unit, &w);
    add_waits(d, &at, unit, &w);
}
