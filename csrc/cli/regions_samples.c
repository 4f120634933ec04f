// Projected profiles: regions_samples.h.
#include "cli/regions_samples.h"
#include "cli/cli.h"
#include "methods/regions/projection.h"
#include "report/sheet.h"
#include "samples/samples_project.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool regions_samples_write(const struct regions_measure *m, const char *path, const char *command, struct error *err) {
    const struct regions_file *const f = &m->file;
    const double scale = projection_scale(f);
    char region[256];
    struct samples_projected_part *const parts = error_calloc(f->region_count * sizeof *parts, path, err);
    if (!parts) return false;
    for (size_t i = 0; i < f->region_count; i++)
        parts[i] = (struct samples_projected_part){m->samples[i], f->regions[i].multiplier * scale};
    snprintf(region, sizeof region, "projected from %zu regions of %zu slices (%s)", f->region_count, f->slice_count,
             f->method);
    const struct samples_projection projection = {.parts = parts,
                                                  .count = f->region_count,
                                                  .region = region,
                                                  .command = command,
                                                  .instructions = f->instructions};
    const bool good = samples_project(&projection, path, err);
    free(parts);
    return good;
}

bool regions_samples_judge(const struct regions_measure *m, const char *full, struct projection_errors *e,
                           struct error *err) {
    char *path;
    if (asprintf(&path, "%s.projected.%ld", m->samples[0], (long)getpid()) < 0) {
        error_nomem(err, m->path);
        return false;
    }
    const bool good = regions_samples_write(m, path, "", err) && projection_errors(e, path, full, &cli_notices, err);
    unlink(path);
    free(path);
    return good;
}

void regions_samples_fill(struct sheet *s, const struct projection_errors *e) {
    static const char *const columns[][2] = {{"regions_percent", "regions %"},
                                             {"samples_percent", "their samples %"},
                                             {"sampling_percent", "of sampling %"},
                                             {"chance_percent", "by chance %"},
                                             {"full_samples_percent", "full run's samples %"},
                                             {"full_chance_percent", "by chance %"}};
    sheet_column(s, "unit", "misplaced by", SHEET_LEFT);
    sheet_column(s, "components", "", SHEET_LEFT);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        sheet_column(s, columns[i][0], columns[i][1], SHEET_RIGHT);
    for (unsigned i = 0; i < PROJECTION_ERRORS; i++) {
        const struct projection_error *const o = &e->of[i];
        const double values[] = {o->regions, o->samples, o->sampling, o->chance, o->full, o->by_chance};
        sheet_add(s, value_word(o->unit));
        sheet_add(s, value_word(o->events ? "events" : "time"));
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            sheet_add(s, value_number(100 * values[k]));
    }
}

void regions_samples_text(const struct sheet *s, const struct projection_errors *e, FILE *out) {
    fprintf(out, "\nTime that the projected profile misplaces: %" PRIu64 " samples, %" PRIu64 " of the full run\n\n",
            e->samples, e->full_samples);
    sheet_write_text(s, SHEET_ALL, out);
}

bool regions_samples_period(const char *full, uint64_t *period, struct error *err) {
    if (*period) return true;
    if (!projection_period(full, period, err)) return false;
    if (!*period) error_set(err, "%s: its samples have no period: give --period, of the regions", full);
    return *period > 0;
}
