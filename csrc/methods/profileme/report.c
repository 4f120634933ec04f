// Opens the file, and writes the view that is asked for: its sheet, or its picture.
#include "methods/profileme/report.h"
#include "base/paths.h"
#include "methods/profileme/view.h"
#include "report/json_text.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LOST 1.0 // per cent of the selections, up to which nothing needs to be said

static const struct view {
    const char *name;
    profileme_write *write;
    bool draws;
} views[PROFILEME_VIEWS] = {
    {"instructions", profileme_instructions, false},
    {"addresses", profileme_addresses, false},
    {"pairs", profileme_pairs_view, true},
    {"compare", profileme_compare, false},
    {"convergence", profileme_convergence_view, true},
    {"records", profileme_records, false},
    {"paths", profileme_paths, false},
    {"path-success", profileme_path_success, false},
};

// ---- what views share ----
void profileme_name_columns(struct sheet *s) {
    sheet_column(s, "instruction", "instruction", SHEET_LEFT);
    sheet_column(s, "function", "function", SHEET_LEFT);
    sheet_column(s, "source", "source", SHEET_LEFT);
}

void profileme_name(const struct profileme_page *page, struct place place) {
    char text[512];
    unsigned line;
    struct sheet *s = page->sheet;
    report_instruction(page->data, place, text, sizeof text);
    sheet_text(s, text);
    report_label(page->data, BY_INSTRUCTION, place, text, sizeof text);
    sheet_text(s, text);
    const char *file = report_source(page->data, place, &line);
    text[0] = '\0';
    if (file) snprintf(text, sizeof text, "%.200s:%u", paths_name(file), line);
    sheet_text(s, text);
}

void profileme_no_name(struct sheet *s) {
    for (unsigned i = 0; i < 3; i++)
        sheet_add(s, value_none());
}

void profileme_code_columns(struct sheet *s) {
    sheet_column(s, "address", "address", SHEET_LEFT);
    sheet_column(s, "mode", "", SHEET_FILES);
    sheet_column(s, "space", "", SHEET_FILES);
    profileme_name_columns(s);
}

void profileme_code(const struct profileme_page *page, struct place place) {
    char text[32];
    struct sheet *s = page->sheet;
    snprintf(text, sizeof text, "0x%08" PRIx64, place.pc);
    sheet_text(s, text);
    snprintf(text, sizeof text, "%c", MODE_LETTERS[place_mode(place.context)]);
    sheet_text(s, text);
    snprintf(text, sizeof text, "0x%" PRIx64, place_space(place.context));
    sheet_text(s, text);
    profileme_name(page, place);
}

const char *profileme_outcome(unsigned outcome) {
    static const char *const names[] = {"retired",   "misprediction", "memory ordering", "exception",
                                        "interrupt", "flush",         "page bit"};
    return outcome < sizeof names / sizeof *names ? names[outcome] : "?";
}

void profileme_per_cent(struct sheet *s, double part) {
    sheet_add(s, value_real(100 * part, 1));
}

bool profileme_needs_exact(const struct profileme_page *page, struct error *err) {
    if (page->exact_count) return true;
    error_set(err, "%s: has no exact totals to compare with: run again without --no-cosim, to the end of the program",
              page->data->path);
    return false;
}

// ---- the page ----
static void write_head(const struct profileme_page *page, FILE *out) {
    const struct profileme_summary *s = profileme_estimates_summary(page->estimates);
    fprintf(out, "ProfileMe: %" PRIu64 " records of instructions, one%s in %.1f fetched %s (%s, %s)\n", s->records,
            page->settings.pairs ? " pair" : "", s->interval,
            page->settings.opportunities ? "or not, counted by fetch opportunities" : "instructions",
            page->data->header->program, page->data->header->config);
    if (s->empty) fprintf(out, "  %" PRIu64 " more fetch opportunities held no instruction\n", s->empty);
    if (s->collisions) {
        const double lost = 100 * (double)s->collisions / (double)(s->collisions + s->selections);
        fprintf(out,
                "  %.1f %% of the selections (%" PRIu64
                ") found no profile registers: the interval allows for them%s\n",
                lost, s->collisions,
                lost < MOST_LOST ? ""
                                 : ", but they are not lost at random: estimates can be further off than their "
                                   "deviations; sample less often");
    }
    if (s->saturated)
        fprintf(out,
                "  %" PRIu64
                " records have a latency of 4095 cycles or more, counted as 4095: means and sums are too low\n",
                s->saturated);
}

static void write_json_head(const struct profileme_page *page, FILE *out) {
    const struct profileme_summary *s = profileme_estimates_summary(page->estimates);
    fputs("{\"program\":", out);
    json_text_string(out, page->data->header->program);
    fputs(",\"config\":", out);
    json_text_string(out, page->data->header->config);
    fprintf(out,
            ",\"view\":\"%s\",\"records\":%" PRIu64 ",\"empty\":%" PRIu64 ",\"selections\":%" PRIu64
            ",\"collisions\":%" PRIu64 ",\"saturated\":%" PRIu64 ",\"interval\":%.6f,\"pairs\":%s,\"window\":%u,\n",
            views[page->options->view].name, s->records, s->empty, s->selections, s->collisions, s->saturated,
            s->interval, page->settings.pairs ? "true" : "false",
            page->settings.pairs ? 1u << page->settings.window : 0);
}

static bool check(const struct profileme_page *page, struct error *err) {
    const struct view *view = &views[page->options->view];
    if (page->options->format == PROFILEME_SVG && !view->draws) {
        error_set(err, "--format svg: needs --pairs or --convergence: use text, csv or json for %s", view->name);
        return false;
    }
    if (page->count == 0) {
        error_set(
            err,
            "%s: has no records of ProfileMe: run again with --profileme INTERVAL on a core that has it (full2, full4)",
            page->data->path);
        return false;
    }
    return true;
}

// The page already has what belongs to all files; this adds one file.
static int add_file(struct profileme_page *page, const char *path, FILE *out, struct error *err) {
    struct run data;
    struct report_options plain = page->options->report;
    plain.no_profile = true;
    int result = -EINVAL;
    if (run_open(&data, path, &plain, err)) {
        page->data = &data;
        page->records = samples_instructions(data.samples, &page->count, &page->settings);
        page->exact = results_lifetime(samples_results(data.samples), &page->exact_count);
        struct profileme_estimates *estimates =
            check(page, err) ? profileme_estimates_create(page->records, page->count, &page->settings, err) : NULL;
        page->estimates = estimates;
        if (estimates) write_head(page, page->above);
        if (estimates && page->file == 0) write_json_head(page, page->json);
        if (estimates) result = views[page->options->view].write(page, out, err);
        profileme_estimates_destroy(estimates);
    }
    run_close(&data);
    return result;
}

static void print(const struct profileme_page *page, const char *above, const char *below, const char *json,
                  FILE *out) {
    switch (page->options->format) {
    case PROFILEME_TEXT:
        fputs(above, out);
        sheet_write_text(page->sheet, SHEET_ALL, out);
        fputs(below, out);
        break;
    case PROFILEME_CSV: sheet_write_csv(page->sheet, out); break;
    case PROFILEME_JSON:
        fputs(json, out);
        fputs("\"rows\":", out);
        sheet_write_json(page->sheet, out);
        fputs("}\n", out);
        break;
    default: break; // drawn
    }
}

int profileme_report(const char *const *paths, size_t count, const struct profileme_options *options, FILE *out,
                     struct error *err) {
    char *text[3] = {NULL};
    size_t sizes[3];
    struct profileme_convergence pool[2] = {{0}};
    struct profileme_page page = {.options = options, .sheet = sheet_create(), .files = count, .pool = pool};
    FILE **streams[3] = {&page.above, &page.below, &page.json};
    bool good = page.sheet;
    for (unsigned i = 0; i < 3; i++)
        good = (*streams[i] = open_memstream(&text[i], &sizes[i])) && good;
    int result = good ? 0 : report_out_of_memory(paths[0], err);
    for (; page.file < count && !result; page.file++)
        result = add_file(&page, paths[page.file], out, err);
    for (unsigned i = 0; i < 3; i++)
        good = *streams[i] && fclose(*streams[i]) == 0 && good;
    if (!result && (!good || !sheet_good(page.sheet))) result = report_out_of_memory(paths[0], err);
    if (!result) print(&page, text[0], text[1], text[2], out);
    sheet_destroy(page.sheet);
    for (unsigned i = 0; i < 3; i++)
        free(text[i]);
    free(pool[0].points);
    free(pool[1].points);
    return result;
}
