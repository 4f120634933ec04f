// How often the paths that are found are the ones taken: of a run that kept the ways to its sampled instructions.
#include "methods/profileme/path_code.h"
#include "methods/profileme/path_success.h"
#include <errno.h>
#include <stdlib.h>

struct view {
    const struct profileme_page *page;
    struct path_code *code;
    struct path_success success;
    struct path_step steps[ROUTE_STEPS];
    uint64_t samples, paired; // of them: the other instruction is known
};

// Pairs: of the second ones only, so that all schemes use the same samples.
static void look(struct view *v) {
    const bool pairs = v->page->settings.pairs;
    struct path_query q = {0};
    struct path_image image;
    for (size_t i = 0; i < v->page->count; i++) {
        if (pairs && !v->page->records[i].second) continue;
        if (!path_code_query(v->code, i, &q, &image)) continue;
        const int taken = path_code_taken(v->code, i, &image, v->steps);
        if (taken < 0) continue;
        const struct path_sample sample = {.instruction = q.instruction,
                                           .history = q.history,
                                           .other = q.other,
                                           .steps = v->steps,
                                           .count = (uint32_t)taken};
        path_success_add(&v->success, image.search, image.graph, &sample, q.window);
        v->samples++;
        v->paired += q.other != UINT32_MAX;
    }
}

static void columns(struct sheet *s) {
    sheet_column(s, "procedures", "procedures", SHEET_LEFT);
    sheet_column(s, "scheme", "scheme", SHEET_LEFT);
    sheet_column(s, "branches", "branches", SHEET_RIGHT);
    sheet_column(s, "samples", "samples", SHEET_RIGHT);
    sheet_column(s, "success", "success %", SHEET_RIGHT);
    sheet_column(s, "right", "", SHEET_FILES);
    sheet_column(s, "wrong", "wrong", SHEET_RIGHT);
    sheet_column(s, "several", "several", SHEET_RIGHT);
    sheet_column(s, "none", "none", SHEET_RIGHT);
}

static void fill(const struct view *v) {
    static const char *const schemes[PATH_SCHEMES] = {PATH_SCHEME_NAMES};
    struct sheet *s = v->page->sheet;
    for (unsigned across = 0; across < 2; across++) {
        for (unsigned scheme = 0; scheme < PATH_SCHEMES; scheme++) {
            for (unsigned n = 1; n <= ROUTE_BRANCHES; n++) {
                const struct path_counts *c = &v->success.of[across][scheme][n];
                if (!c->samples) continue;
                sheet_text(s, across ? "across" : "within");
                sheet_text(s, schemes[scheme]);
                sheet_add(s, value_count(n));
                sheet_add(s, value_count(c->samples));
                profileme_per_cent(s, (double)c->right / (double)c->samples);
                sheet_add(s, value_count(c->right));
                sheet_add(s, value_count(c->wrong));
                sheet_add(s, value_count(c->several));
                sheet_add(s, value_count(c->none));
            }
        }
    }
}

static int check(const struct view *v, struct error *err) {
    const char *path = v->page->data->path;
    const size_t taken = path_code_taken_count(v->code);
    if (taken != v->page->count) {
        error_set(err, "%s: does not have the paths that were taken%s: run again with --worker branch-history", path,
                  taken ? " for all its records" : "");
    } else if (!path_code_counted(v->code)) {
        error_set(err, "%s: has no exact counts of jumps: run again without --no-cosim, to the end of the program",
                  path);
    } else {
        return 0;
    }
    return -EINVAL;
}

int profileme_path_success(struct profileme_page *page, FILE *out, struct error *err) {
    (void)out;
    struct view *v = calloc(1, sizeof *v);
    if (!v) return report_out_of_memory(page->data->path, err);
    v->page = page;
    v->code = path_code_create(page, err);
    int result = v->code ? check(v, err) : -EINVAL;
    if (result == 0) look(v);
    if (result == 0 && !path_code_good(v->code)) result = report_out_of_memory(page->data->path, err);
    if (result == 0 && v->samples < PROFILEME_FEW) {
        error_set(
            err,
            "%s: too few samples: %d retired records, of %d that a share needs: run longer, or with a shorter interval",
            page->data->path, (int)v->samples, PROFILEME_FEW);
        result = -EINVAL;
    }
    if (result == 0) {
        fprintf(page->json, "\"path_samples\":%llu,\"paired\":%llu,\n", (unsigned long long)v->samples,
                (unsigned long long)v->paired);
        fprintf(page->above,
                "Paths found from %llu retired records: success is one path only, which is the one taken\n",
                (unsigned long long)v->samples);
        if (page->settings.pairs)
            fprintf(page->above,
                    "  of pairs the second ones; of %.1f %% the first retired, too, and narrows the paths\n",
                    100 * (double)v->paired / (double)v->samples);
        columns(page->sheet);
        fill(v);
    }
    path_code_destroy(v->code);
    free(v);
    return result;
}
