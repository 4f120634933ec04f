// A run on the fast model, cut at regions: gus_cuts.h.
#include "cli/gus_cuts.h"
#include "base/output.h"
#include "cli/cli.h"
#include "machine/harts.h"
#include "methods/gus/harts.h"
#include "methods/regions/cuts.h"
#include "report/sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct gus_cuts_run *r;
    struct regions_file file;
    struct gus_harts *harts;
    struct cuts *cuts;
    uint64_t before[MACHINE_MOST_HARTS]; // each hart's time when its last instruction had left
};
static const double unit = GUS_CYCLE;

static bool stepped(void *context, unsigned hart, const struct iss_retire *retire) {
    struct run *const run = context;
    cuts_step(run->cuts, retire->pc, !retire->interrupt, run->before[hart]);
    run->before[hart] = gus_time(gus_harts_model(run->harts, hart));
    return false;
}

static double length(const struct cut *cut) {
    return (double)(int64_t)(cut->to - cut->from) / unit;
}

// What regions say of the run; those that were not met are left out, as if they were as the others are together.
struct sums {
    double cycles, counted, largest; // projected; of the regions themselves: instructions that count
    size_t missing;
};
static struct sums add_up(const struct run *run) {
    const struct regions_file *const f = &run->file;
    struct sums s = {0};
    double stood = 0; // for
    for (size_t i = 0; i < f->region_count; i++) {
        const struct cut *const cut = cuts_of(run->cuts, i);
        if (!cut->begun || !cut->ended) {
            s.missing++;
            continue;
        }
        s.cycles += length(cut) * f->regions[i].multiplier;
        stood += f->regions[i].multiplier * (double)f->regions[i].counted;
        s.counted += (double)f->regions[i].counted;
        s.largest = fmax(s.largest, (double)f->regions[i].counted);
    }
    if (stood > 0) s.cycles *= (double)f->counted / stood;
    return s;
}

static struct sheet *table(const struct run *run) {
    const struct regions_file *const f = &run->file;
    struct sheet *const sheet = sheet_create();
    if (!sheet) return NULL;
    sheet_column(sheet, "region", "region", SHEET_RIGHT);
    sheet_column(sheet, "slice", "slice", SHEET_RIGHT);
    sheet_column(sheet, "from_cycle", "from cycle", SHEET_RIGHT);
    sheet_column(sheet, "cycles", "cycles", SHEET_RIGHT);
    sheet_column(sheet, "instructions", "instructions", SHEET_RIGHT);
    sheet_column(sheet, "multiplier", "multiplier", SHEET_RIGHT);
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const r = &f->regions[i];
        const struct cut *const cut = cuts_of(run->cuts, i);
        sheet_add(sheet, value_count(r->cluster));
        sheet_add(sheet, value_count(r->slice));
        if (cut->begun && cut->ended) {
            sheet_add(sheet, value_count((uint64_t)((double)cut->from / unit)));
            sheet_add(sheet, value_real(length(cut), 0));
            sheet_add(sheet, value_count(cut->to_steps - cut->from_steps));
        } else {
            for (unsigned k = 0; k < 3; k++)
                sheet_add(sheet, value_none());
        }
        sheet_add(sheet, value_number(r->multiplier));
    }
    return sheet;
}

static void summary(const struct run *run, FILE *out) {
    const struct regions_file *const f = &run->file;
    const struct sums s = add_up(run);
    const double whole = gus_harts_cycles(run->harts);
    fputc('\n', out);
    if (s.missing)
        fprintf(out, "%zu of %zu regions are left out: an end of theirs was not met in this run\n", s.missing,
                f->region_count);
    if (!(s.counted > 0)) return;
    fprintf(out, "%zu regions of %zu slices: %.0f cycles projected, the run took %.0f: %+.2f %%\n",
            f->region_count - s.missing, f->slice_count, s.cycles, whole, 100 * (s.cycles / whole - 1));
    fprintf(out, "Speed-up by instructions that count: %.1f one after the other, %.1f side by side\n",
            (double)f->counted / s.counted, (double)f->counted / s.largest);
}

static bool put(const struct run *run, FILE *out) {
    struct sheet *const sheet = table(run);
    const bool good = sheet && sheet_good(sheet);
    if (good && run->r->csv) sheet_write_csv(sheet, out);
    if (good && !run->r->csv) {
        sheet_write_text(sheet, SHEET_ALL, out);
        summary(run, out);
    }
    sheet_destroy(sheet);
    return good;
}

static int model(struct run *run, FILE *out, struct error *err) {
    const struct gus_cuts_run *const r = run->r;
    gus_harts_watch(run->harts, stepped, run);
    if (gus_harts_run(run->harts, r->program->max, NULL, err) < 0) return STATUS_BAD_INPUT;
    if (!gus_harts_over(run->harts)) {
        error_set(err, "%s: %s: its regions stand for a whole run", r->path,
                  gus_harts_stuck(run->harts) ? "all harts wait in wfi, and no interrupt is to come"
                                              : "--max-insns ended the program");
        return gus_harts_stuck(run->harts) ? STATUS_NO_PROGRESS : STATUS_BAD_INPUT;
    }
    cuts_end(run->cuts, (uint64_t)(gus_harts_cycles(run->harts) * unit));
    if (put(run, out)) return EXIT_SUCCESS;
    error_nomem(err, r->path);
    return STATUS_BAD_INPUT;
}

// The regions are those of this machine.
static bool fits(const struct run *run, struct error *err) {
    const struct gus_cuts_run *const r = run->r;
    const struct image *const image = r->program->image;
    const unsigned harts = iss_harts(r->iss);
    if (image && run->file.digest[0] && strcmp(image_digest(image), run->file.digest) != 0) {
        error_set(err, "%s: regions of another program, %s: find those of %s", r->path, run->file.program,
                  r->program->program);
        return false;
    }
    if (run->file.harts == harts) return true;
    error_set(err, "%s: regions of %u hart%s, but the program runs on %u: give --harts %u", r->path, run->file.harts,
              run->file.harts == 1 ? "" : "s", harts, run->file.harts);
    return false;
}

static int run_into(struct run *run, struct error *err) {
    const struct gus_cuts_run *const r = run->r;
    struct output *const output = output_open(r->output, err);
    if (!output) return STATUS_OUTPUT;
    run->harts = gus_harts_create(r->iss, r->table, r->ahead, err);
    run->cuts = run->harts ? cuts_create(&run->file, err) : NULL;
    const int status = run->cuts ? model(run, output_file(output), err) : STATUS_BAD_INPUT;
    const bool written = output_close(output, status == EXIT_SUCCESS, err) == 0;
    return status == EXIT_SUCCESS && !written ? STATUS_OUTPUT : status;
}

int gus_cuts_run(const struct gus_cuts_run *r, struct error *err) {
    struct run run = {.r = r};
    const bool good = regions_file_read(&run.file, r->path, err) == 0 && fits(&run, err);
    const int status = good ? run_into(&run, err) : STATUS_BAD_INPUT;
    cuts_destroy(run.cuts);
    gus_harts_destroy(run.harts);
    regions_file_free(&run.file);
    iss_program_close(r->program, r->iss);
    return status;
}
