// Sample files read for their results alone, one after the other, and what is to be said of each.
#include "cli/results_found.h"
#include "cli/cli.h"
#include "profile/result_merge.h"
#include <inttypes.h>

static bool take_nothing(void *context, const struct samples_header *header, const struct sample_record *record) {
    (void)context;
    (void)header;
    (void)record;
    return true;
}

static void note_unknown(struct results_found *f, const struct samples *s) {
    size_t count;
    const struct samples_unknown *unknown = samples_unknown(s, &count);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < f->unknown_count &&
               (f->unknown[k].result != unknown[i].result || f->unknown[k].field != unknown[i].field))
            k++;
        if (k < f->unknown_count) {
            if (__builtin_add_overflow(f->unknown[k].rows, unknown[i].rows, &f->unknown[k].rows))
                f->unknown[k].rows = UINT64_MAX; // a number that is believed, of rows that are not read
        } else if (k < SAMPLES_UNKNOWN_MOST) {
            f->unknown[f->unknown_count++] = unknown[i];
        } else {
            f->more_unknown = true;
        }
    }
    f->more_unknown |= samples_skipped(s)->unknown;
}

static void warn_of(struct results_found *f, const char *path, const struct samples *s) {
    const struct samples_skipped *skipped = samples_skipped(s);
    samples_warn(s, &cli_notices);
    if (skipped->other)
        warning(&cli_notices,
                "%s: has results of several harts or regions: those of hart %" PRIu32 ", region %" PRIu32
                " are shown, those of hart %" PRIu32 ", region %" PRIu32 " and of any further one are not",
                path, skipped->hart, skipped->region, skipped->other_hart, skipped->other_region);
    if (!f->first || f->warned || samples_same_builds(samples_header(f->first), samples_header(s))) return;
    warning(&cli_notices,
            "%s and %s: not of one build of one program: their results are added up, and equal addresses "
            "taken for one instruction, all the same",
            f->first_path, path);
    f->warned = true;
}

bool results_found_read(struct results_found *f, const char *path, struct error *err) {
    struct samples *s = samples_read(path, take_nothing, NULL, err);
    if (!s) return false;
    warn_of(f, path, s);
    note_unknown(f, s);
    struct error why = {""};
    const bool good = results_merge(f->results, samples_results(s), &why);
    if (!good) error_set(err, "%s: %s", path, why.text);
    if (f->first) {
        samples_destroy(s);
    } else {
        f->first = s;
        f->first_path = path;
    }
    return good;
}

void results_found_free(struct results_found *f) {
    samples_destroy(f->first);
    results_destroy(f->results);
}
