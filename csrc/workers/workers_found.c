// What the workers of a run found: statistics, lines of the summary, profiles.
#include "profile/result_statistics.h"
#include "workers/workers_internal.h"

// Those of one worker, in both.
static bool publish(const struct worker *worker, struct results *results, cJSON *statistics) {
    bool before[RESULT_COUNT];
    for (unsigned i = 0; i < RESULT_COUNT; i++)
        before[i] = results_known(results, i);
    if (!worker->ops->publish(worker->state, results)) return false;
    for (unsigned i = 0; statistics && i < RESULT_COUNT; i++)
        if (!before[i] && !result_statistics_add(statistics, results, i)) return false;
    return true;
}

bool workers_publish(const struct workers *w, struct results *results, cJSON *statistics) {
    bool good = true;
    for (size_t i = 0; good && i < w->count; i++) {
        if (statistics && w->list[i].ops->add_statistics) w->list[i].ops->add_statistics(w->list[i].state, statistics);
        if (w->list[i].ops->publish) good = publish(&w->list[i], results, statistics);
    }
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
