// Columns of time: views pick their own by their names.
#include "report/time_columns.h"
#include "report/contexts.h"
#include "report/json.h"
#include "report/place_columns.h"
#include "report/reasons.h"
#include "report/stacks.h"
#include "report/style.h"
#include "report/words.h"
#include <math.h>

static cJSON *stack(const struct time_row *r) {
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < r->row_count; i++)
        cJSON_AddItemToArray(array, json_vector(&r->rows[i]));
    return array;
}

// A vector without events is Base of a profile that has events only.
static bool knows_events(const struct run *d, const struct profile_row *row) {
    if (row->psv) return true;
    if (row->state < STATE_COUNT) return d->header->vectors != SAMPLES_VECTORS_NONE;
    const struct samples_profile *profile = d->by_samples ? NULL : samples_find_profile(d->samples, d->profiler);
    return profile && profile->events;
}

struct value interval_value(const struct estimate *part, double whole) {
    const double half = whole > 0 ? 100 * SPREAD_HALF_WIDTH * part->deviation / whole : 0;
    return (struct value){
        .kind = VALUE_INTERVAL, .with = (unsigned)fmin((double)part->samples, SPREAD_FEW), .real = half};
}

bool time_value(const struct time_row *r, const char *column, char *room, size_t size, struct value *v) {
    const struct run *d = r->run;
    const uint64_t weight = r->time ? r->time->weight : r->rows->weight;
    const char *name = column + (*column == '?');
    *v = value_none();
    if (column_is(name, "profiler")) {
        *v = value_text(d->profiler);
    } else if (column_is(name, "weight")) {
        *v = value_weight(weight, d->header->units);
    } else if (column_is(name, "cycles")) {
        *v = value_cycles(weight, d->header->units);
    } else if (column_is(name, "share")) {
        *v = value_share(weight, d->total);
    } else if (column_is(name, "interval")) {
        *v = r->estimated ? interval_value(&r->estimate, (double)d->total / d->header->units) : value_text("");
    } else if (column_is(name, "deviation")) {
        if (r->estimated) *v = value_number(r->estimate.deviation);
    } else if (column_is(name, "samples")) {
        if (r->estimated) *v = value_count(r->estimate.samples);
    } else if (column_is(name, "states")) {
        *v = value_states(r->time->states, d->header->units, r->full);
    } else if (column_is(name, "why")) {
        unsigned event;
        *room = '\0';
        if (weight) report_why(d, r->time, room, size, &event);
        *v = value_text(room);
    } else if (column_is(name, "stack")) {
        *v = value_item(stack(r));
    } else if (column_is(name, "state")) {
        *v = value_word(report_state_name(r->rows->state));
    } else if (column_is(name, "events")) {
        *room = '\0';
        if (knows_events(d, r->rows)) stacks_events(d, r->rows->psv, room, size);
        *v = value_text(room);
    } else if (column_is(name, "psv")) {
        *v = value_count(r->rows->psv);
    } else {
        return false;
    }
    return true;
}

struct value unit_value(const void *row, const char *column, char *room, size_t size) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    const struct unit_row *r = row;
    const struct run *d = r->of.run;
    const bool instruction = r->granularity == BY_INSTRUCTION;
    struct value v;
    if (column_is(column, "granularity")) return value_word(granularities[r->granularity]);
    if (instruction && column_is(column, "why")) {
        reasons_of_instruction(d, r->of.time, room, size);
        return value_text(room);
    }
    if (column_is(column, "code")) return place_value(d, BY_INSTRUCTION, r->place, "instruction", room, size);
    if (column_is(column, "harts")) { // text: a column with its space, or nothing
        *room = '\0';
        if (d->harts > 1 && r->place.pc == PROFILE_PC_END) snprintf(room, size, "%6s", "");
        if (d->harts > 1 && !*room) snprintf(room, size, "  %4u", place_hart(r->place.context));
        return value_text(room);
    }
    if (column_is(column, "counts")) {
        *room = '\0';
        if (instruction && facts_executions_known(d->facts))
            reasons_counts(d, r->place, r->of.time->weight, room, size);
        return value_text(room);
    }
    if (column_is(column, "address")) {
        snprintf(room, size, "0x%0*llx", report_has_modes(d) ? 16 : 8, (unsigned long long)r->place.pc);
        return value_text(room);
    }
    if (reasons_value(d, instruction ? r->place : PLACE_END, column, &v)) return v;
    return time_value(&r->of, column, room, size, &v) ? v
                                                      : place_value(d, r->granularity, r->place, column, room, size);
}

struct value context_value(const void *row, const char *column, char *room, size_t size) {
    const struct unit_row *r = row;
    if (!column_is(column, "name")) return unit_value(row, column, room, size);
    report_context_words(r->of.run, r->place, room, size);
    return value_text(room);
}
