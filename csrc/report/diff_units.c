// The units of both runs under their names: those of one name are a row.
#include "report/diff_units.h"
#include "base/paths.h"
#include "base/plain_text.h"
#include "report/contexts.h"
#include "report/style.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum { TEXT = REPORT_WHOLE };

struct named {
    char *unit, *name;
    unsigned side;
    size_t number; // of the side's units
    const struct unit_time *time;
};

static int by_name(const void *x, const void *y) {
    const struct named *a = x, *b = y;
    int order = strcmp(a->unit, b->unit);
    return order ? order : strcmp(a->name, b->name);
}

static void label_of(const struct diff *d, const struct run *run, enum granularity g, struct place place, char *text,
                     size_t size) {
    (d->by_hart ? report_label_of_hart : report_label)(run, g, place, text, size);
}

// What a unit is called: a function is the same one wherever it lies; of one build the addresses are the same.
static void names_of(const struct diff *d, const struct numbering *n, size_t i, char *unit, char *name, size_t size) {
    const bool hart = d->by_hart && n->data->harts > 1;
    if (n->units) {
        const struct unit *u = &n->units->list[i];
        const bool whose = report_shows_image(n->data, u->image, u->unit);
        const bool foreign = u->file && u->line && (style_sampled(&d->side[0]) || style_sampled(&d->side[1]));
        char behind[128] = "";
        if (whose) snprintf(behind, sizeof behind, " [%.100s]", u->image);
        plain_fit(unit, size, foreign ? u->name : u->unit, behind); // another machine built it in another folder
        plain_fit(name, size, strcmp(u->unit, u->name) == 0 ? unit : u->name, "");
        if (!hart || u->place.pc == PROFILE_PC_END) return;
        words_append(unit, size, " {hart %u}", place_hart(u->place.context));
        words_append(name, size, " {hart %u}", place_hart(u->place.context));
        return;
    }
    label_of(d, n->data, n->granularity, n->places[i].place, name, size);
    report_unit(n->data, n->granularity, n->places[i].place, unit, size);
    if (n->granularity == BY_FUNCTION) {
        snprintf(unit, size, "%s", name);
    } else if (hart && n->places[i].place.pc != PROFILE_PC_END) {
        words_append(unit, size, " {hart %u}", place_hart(n->places[i].place.context));
    }
}

static bool add_side(struct matching *m, unsigned side, const struct diff *diff, const struct report_options *o) {
    const struct run *d = &diff->side[side];
    struct side_units *s = &m->side[side];
    char unit[TEXT], name[TEXT];
    if (o->by) {
        s->units = units_create(d, o->by);
        if (!s->units) return false;
        numbering_create_by(&s->numbering, s->units);
    } else if (!numbering_create(&s->numbering, d, o->granularity)) {
        return false;
    }
    const size_t count = s->numbering.count;
    s->rows = calloc(count + 1, sizeof *s->rows);
    struct named *list = realloc(m->list, (m->count + count + 1) * sizeof *list);
    if (list) m->list = list;
    if (!list || !s->rows) return false;
    for (size_t i = 0; i < count; i++) {
        struct named *n = &list[m->count++];
        names_of(diff, &s->numbering, i, unit, name, sizeof unit);
        *n = (struct named){.side = side, .number = i, .unit = strdup(unit), .name = strdup(name)};
        n->time = s->units ? &s->units->times[i] : &s->numbering.places[i];
        if (!n->unit || !n->name) return false;
    }
    return true;
}

static const char *file_of(const struct diff *d, const struct named *n) {
    unsigned line;
    return report_source(&d->side[n->side], n->time->place, &line);
}

// One of several functions of one name: "a.c:step", for people "step (a.c)". False: no memory.
static bool name_file(const struct diff *d, struct named *n, bool whole) {
    const struct run *data = &d->side[n->side];
    char function[TEXT];
    const char *file = file_of(d, n);
    if (!file) return true; // they stay one
    if (!whole) file = paths_name(file);
    label_of(d, data, BY_FUNCTION, n->time->place, function, sizeof function);
    char *unit, *name;
    if (asprintf(&unit, "%s:%s", file, function) < 0) return false;
    if (asprintf(&name, "%s (%s)", function, file) < 0) {
        free(unit);
        return false;
    }
    free(n->unit);
    free(n->name);
    n->unit = unit;
    n->name = name;
    return true;
}

// Whether these, which have one name, come from several files on one side. (One function may be at several places: in
// several modes, or mapped by several processes.)
static bool are_several(const struct diff *d, const struct named *list, size_t count) {
    const char *of[2] = {NULL};
    for (size_t i = 0; i < count; i++) {
        const char *file = file_of(d, &list[i]), **first = &of[list[i].side];
        if (file && *first && strcmp(file, *first) != 0) return true;
        if (!*first) *first = file;
    }
    return false;
}

// The files distinguish functions of one name, static ones of several files: by the files' names alone, so that
// builds in two folders match, and where that does not do by their paths.
static bool tell_apart(const struct diff *d, struct matching *m) {
    for (int whole = 0; whole < 2; whole++) {
        qsort(m->list, m->count, sizeof *m->list, by_name);
        for (size_t i = 0, end; i < m->count; i = end) {
            for (end = i + 1; end < m->count && by_name(&m->list[i], &m->list[end]) == 0;)
                end++;
            if (end - i < 2 || !are_several(d, &m->list[i], end - i)) continue;
            for (size_t k = i; k < end; k++)
                if (!name_file(d, &m->list[k], whole)) return false;
        }
    }
    return true;
}

void matching_destroy(struct matching *m) {
    for (size_t i = 0; i < m->count; i++) {
        free(m->list[i].unit);
        free(m->list[i].name);
    }
    free(m->list);
    for (unsigned side = 0; side < 2; side++) {
        units_destroy(m->side[side].units);
        numbering_free(&m->side[side].numbering);
        free(m->side[side].rows);
    }
}

// ---- rows ----
// Exact values, of a profile in the file.
static void add_exact(struct diff_row *row, const struct named *n, double cycle) {
    struct diff_value *v = row->of[n->side];
    v[SPREAD_TIME].value += (double)n->time->weight / cycle;
    for (unsigned s = 0; s < STATE_COUNT; s++)
        v[SPREAD_STATES + s].value += (double)n->time->states[s] / cycle;
    for (unsigned e = 0; e < 16; e++)
        v[SPREAD_EVENTS + e].value += (double)n->time->events[e] / cycle;
}

static bool make_rows(struct diff *d, struct matching *m) {
    qsort(m->list, m->count, sizeof *m->list, by_name);
    d->rows = calloc(m->count + 1, sizeof *d->rows);
    if (!d->rows) return false;
    for (size_t i = 0; i < m->count; i++) {
        struct named *n = &m->list[i];
        if (i == 0 || by_name(n, &m->list[i - 1]) != 0)
            d->rows[d->count++] = (struct diff_row){.unit = n->unit, .name = n->name};
        m->side[n->side].rows[n->number] = d->count - 1;
        if (d->side[n->side].by_samples) continue;
        const double cycle = d->side[n->side].header->units;
        add_exact(&d->rows[d->count - 1], n, cycle);
        add_exact(&d->all, n, cycle);
    }
    return true;
}

bool matching_create(struct matching *m, struct diff *d, const struct report_options *o) {
    *m = (struct matching){0};
    if (!add_side(m, 0, d, o) || !add_side(m, 1, d, o)) return false;
    return (o->by || o->granularity != BY_FUNCTION || tell_apart(d, m)) && make_rows(d, m);
}
