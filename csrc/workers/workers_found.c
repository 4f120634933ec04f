// What the workers of a run found: results, lines of the summary, profiles.
#include "workers/workers_internal.h"

bool workers_publish(const struct workers *w, struct results *results) {
    bool good = true;
    for (size_t i = 0; good && i < w->count; i++)
        if (w->list[i].ops->publish) good = w->list[i].ops->publish(w->list[i].state, results);
    return good;
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
