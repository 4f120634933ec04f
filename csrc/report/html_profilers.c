// All profiles of a sample file side by side: time by instruction, states and vectors summed up.
#include "report/html_document.h"
#include <stdlib.h>

enum { ROWS = 20000 }; // of one profile, at most: what is left of it goes to the functions

// Instructions with less than this are given to their function as a whole.
static uint64_t cut(const uint64_t *weights, size_t count, uint64_t total) {
    uint64_t least = 0;
    for (size_t kept = count; kept > ROWS;) {
        least = least ? 2 * least : total / 1000000 + 1;
        kept = 0;
        for (size_t i = 0; i < count; i++)
            kept += weights[i] >= least;
    }
    return least;
}

static bool write_profile(const struct html_functions *f, const struct run *d, const char *name, uint16_t events,
                          const struct profile_row *rows, size_t row_count, FILE *out) {
    struct html_slot *slots = malloc((row_count + 1) * sizeof *slots);
    uint64_t *weights = calloc(row_count + 1, sizeof *weights), total = 0;
    const bool good = slots && weights;
    size_t count = 0;
    for (size_t i = 0; good && i < row_count; i++) {
        if (i == 0 || !place_equal(row_place(&rows[i]), row_place(&rows[i - 1])))
            slots[count++] = html_functions_find(f, d, row_place(&rows[i]));
        weights[count - 1] += rows[i].weight;
        total += rows[i].weight;
    }
    if (good) {
        const uint64_t least = cut(weights, count, total);
        fputs("{\"name\":", out);
        json_text_string(out, name);
        fprintf(out, ",\"events\":%u,\"total\":%llu", events, (unsigned long long)total);
        JSON_COLUMN(out, ",\"function\"", i, count, slots[i].function);
        JSON_COLUMN(out, ",\"instruction\"", i, count, weights[i] < least ? -1 : (int64_t)slots[i].instruction);
        JSON_WEIGHTS(out, ",\"weight\"", i, count, weights[i]);
        fputc('}', out);
    }
    free(slots);
    free(weights);
    return good;
}

bool html_profilers_write(const struct html_functions *f, const struct run *d, FILE *out) {
    bool good = true;
    const char *before = "";
    fputs("\"profilers\":[", out);
    const uint16_t all = (uint16_t)((1u << d->header->event_count) - 1);
    if (d->shown) { // the others hold the whole run
        good = write_profile(f, d, d->profiler, d->header->vectors == SAMPLES_VECTORS_NONE ? 0 : all, d->rows,
                             d->row_count, out);
    } else if (d->sample_count) {
        good = write_profile(f, d, "TIP", d->header->vectors == SAMPLES_VECTORS_COMMIT ? all : 0, d->sampled,
                             d->sampled_count, out);
        before = ",\n";
    }
    for (size_t i = 0; good && !d->shown && i < samples_profile_count(d->samples); i++) {
        const struct samples_profile *p = samples_profile(d->samples, i);
        fputs(before, out);
        good = write_profile(f, d, report_profile_label(d, p), p->events, p->rows, p->count, out);
        before = ",\n";
    }
    fputs("],\n", out);
    return good;
}
