// What the workers of a run found: statistics, lines of the summary, profiles.
#include "workers/workers_internal.h"

void workers_add_statistics(const struct workers *w, cJSON *statistics) {
    for (size_t i = 0; i < w->count; i++) {
        if (w->list[i].ops->add_statistics) w->list[i].ops->add_statistics(w->list[i].state, statistics);
    }
}

void workers_print(const struct workers *w, uint64_t cycles, FILE *out) {
    for (size_t i = 0; i < w->count; i++) {
        if (w->list[i].ops->print) w->list[i].ops->print(w->list[i].state, cycles, out);
    }
}

bool workers_check_anything(const struct workers *w) {
    for (size_t i = 0; i < w->count; i++) {
        if (w->list[i].ops->check) return true;
    }
    return false;
}

// What it says of what agreed; false: nothing.
static bool checked_text(const struct worker *worker, char *text, size_t size) {
    text[0] = '\0';
    if (worker->ops->checked) worker->ops->checked(worker->state, text, size);
    return text[0];
}

void workers_print_checked(const struct workers *w, FILE *out) {
    const char *between = "";
    for (size_t i = 0; i < w->count; i++) {
        char text[160];
        if (!checked_text(&w->list[i], text, sizeof text)) continue;
        fprintf(out, "%s%s", between, text);
        between = ", ";
    }
    between = ", and by ";
    for (size_t i = 0; i < w->count; i++) {
        if (!w->list[i].ops->check || w->list[i].ops->checked) continue;
        fprintf(out, "%s%s", between, w->list[i].ops->name);
        between = ", ";
    }
}

bool workers_profile(const struct workers *w, size_t i, struct worker_profile *out) {
    for (size_t n = 0; n < w->count; n++) {
        const struct worker *worker = &w->list[n];
        for (size_t k = 0; worker->ops->profile && worker->ops->profile(worker->state, k, out); k++) {
            if (i-- == 0) return true;
        }
    }
    return false;
}

const struct snippet *workers_snippet(const struct workers *w, size_t i) {
    for (size_t n = 0; n < w->count; n++) {
        const struct worker *worker = &w->list[n];
        const struct snippet *found = worker->ops->snippet ? worker->ops->snippet(worker->state, i) : NULL;
        if (found) return found;
    }
    return NULL;
}

const struct life_row *workers_life_totals(const struct workers *w, size_t *count) {
    for (size_t n = 0; n < w->count; n++)
        if (w->list[n].ops->totals) return w->list[n].ops->totals(w->list[n].state, count);
    *count = 0;
    return NULL;
}

const struct collection *workers_collection(const struct workers *w) {
    for (size_t n = 0; n < w->count; n++) {
        const struct worker *worker = &w->list[n];
        if (worker->ops->collection) return worker->ops->collection(worker->state);
    }
    return NULL;
}

const struct routes *workers_routes(const struct workers *w) {
    for (size_t n = 0; n < w->count; n++) {
        const struct worker *worker = &w->list[n];
        if (worker->ops->routes) return worker->ops->routes(worker->state);
    }
    return NULL;
}
