// Columns that say where a place is: each view picks its own by their names.
#include "report/place_columns.h"
#include "base/paths.h"
#include "report/contexts.h"
#include "report/words.h"
#include <assert.h>
#include <cjson/cJSON.h>

// "file:line", of where the place's source is.
static const char *source(const struct run *d, struct place place, bool whole, char *room, size_t size) {
    unsigned line;
    const char *file = report_source(d, place, &line);
    if (!file) return NULL;
    snprintf(room, size, "%s:%u", whole ? file : paths_name(file), line);
    return room;
}

// NULL: not known.
static const char *text_of(const struct run *d, enum granularity g, struct place place, const char *name, char *room,
                           size_t size) {
    const bool one = g != BY_APPLICATION && place.pc != PROFILE_PC_END; // of one mode, and one image
    unsigned line;
    if (column_is(name, "mode")) return one ? report_mode_name(d, place.context) : NULL;
    if (column_is(name, "image")) return one ? report_image(d, place) : NULL;
    if (column_is(name, "file")) return one ? report_source(d, place, &line) : NULL;
    if (column_is(name, "source")) return one ? source(d, place, true, room, size) : NULL;
    if (column_is(name, "at")) return one ? source(d, place, false, room, size) : NULL;
    *room = '\0';
    if (column_is(name, "unit")) {
        report_unit(d, g, place, room, size);
    } else if (column_is(name, "name")) {
        report_name(d, g, place, room, size);
    } else if (column_is(name, "label")) {
        report_label(d, g, place, room, size);
    } else if (column_is(name, "label_of_hart")) {
        report_label_of_hart(d, g, place, room, size);
    } else if (column_is(name, "instruction")) {
        if (g == BY_INSTRUCTION) report_instruction(d, place, room, size);
        if (!*room) return NULL;
    } else if (column_is(name, "process")) {
        report_process(d, place.context, room, size);
    } else {
        assert(column_is(name, "space"));
        snprintf(room, size, "0x%llx", (unsigned long long)place_space(place.context));
    }
    return room;
}

struct value place_value(const struct run *d, enum granularity g, struct place place, const char *column, char *room,
                         size_t size) {
    const bool optional = *column == '?', end = place.pc == PROFILE_PC_END;
    unsigned line;
    if (column_is(column, "hart"))
        return d->harts > 1 && !end ? value_count(place_hart(place.context)) : optional ? value_none() : value_text("");
    if (column_is(column, "line")) {
        const bool known = g != BY_APPLICATION && !end && report_source(d, place, &line);
        return known ? value_count(line) : value_none();
    }
    const char *known = optional && end ? NULL : text_of(d, g, place, column + optional, room, size);
    return known ? value_text(known) : optional ? value_none() : value_text("");
}

struct place_row {
    const struct run *run;
    enum granularity granularity;
    struct place place;
};

static struct value get(const void *row, const char *column, char *room, size_t size) {
    const struct place_row *r = row;
    return place_value(r->run, r->granularity, r->place, column, room, size);
}

cJSON *place_json(const struct run *d, enum granularity g, struct place place, const char *columns) {
    return columns_json(&(struct columns){.json = columns, .get = get}, &(struct place_row){d, g, place});
}
