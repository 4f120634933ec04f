// Estimates beside exact numbers: property by property, and as the paper's plot of convergence (figure 3).
#include "events.h"
#include "methods/profileme/view.h"
#include "report/plot.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct property {
    enum lifetime_total total;
    const char *name;
    bool plotted; // figure 3
} properties[] = {
    {TOTAL_FETCHED, "fetched", false},
    {TOTAL_RETIRED, "retired", true},
    {TOTAL_EVENT_ST_L1, "L1 data misses", true},
    {TOTAL_EVENT_ST_TLB, "L1 data TLB misses", false},
    {TOTAL_EVENT_DR_L1, "L1 instruction misses", false},
    {TOTAL_TAKEN, "taken", false},
    {TOTAL_MISPREDICTED, "mispredicted", false},
    {TOTAL_MISPREDICTION, "died by misprediction", false},
    {TOTAL_REORDERED, "died by memory ordering", false},
    {TOTAL_FLUSH, "died by a flush", false},
    {TOTAL_DISPATCH, "cycles fetch to map", false},
    {TOTAL_OPERANDS, "cycles map to ready", false},
    {TOTAL_CONTENTION, "cycles ready to issue", false},
    {TOTAL_EXECUTION, "cycles issue to done", false},
    {TOTAL_RETIRE_WAIT, "cycles done to retire", false},
    {TOTAL_OLDEST, "cycles as the oldest", false},
    {TOTAL_PROGRESS, "cycles in progress", false},
};
enum { PROPERTIES = sizeof properties / sizeof *properties };

static int most_samples(const void *x, const void *y) {
    const struct profileme_point *a = x, *b = y;
    if (a->k != b->k) return a->k < b->k ? 1 : -1;
    if (a->exact != b->exact) return a->exact < b->exact ? 1 : -1;
    return (a->place.pc > b->place.pc) - (a->place.pc < b->place.pc);
}

static void columns(struct sheet *s, bool several) {
    sheet_column(s, "program", "program", several ? SHEET_LEFT : SHEET_FILES);
    sheet_column(s, "property", "property", SHEET_LEFT);
    sheet_column(s, "samples", "k", SHEET_RIGHT);
    sheet_column(s, "records", "", SHEET_FILES);
    sheet_column(s, "estimate", "estimate", SHEET_RIGHT);
    sheet_column(s, "exact", "exact", SHEET_RIGHT);
    sheet_column(s, "ratio", "ratio", SHEET_RIGHT);
    sheet_column(s, "deviation", "deviation", SHEET_RIGHT);
    sheet_column(s, "inside", "inside", SHEET_RIGHT);
    profileme_code_columns(s);
}

static void fill(const struct profileme_page *page, const char *name, const struct profileme_point *p) {
    struct sheet *s = page->sheet;
    sheet_text(s, page->data->header->program);
    sheet_text(s, name);
    sheet_add(s, value_count(p->k));
    sheet_add(s, value_count(p->records));
    sheet_add(s, value_real(p->estimate, 0));
    sheet_add(s, value_count(p->exact));
    sheet_add(s, value_real(p->ratio, 4));
    sheet_add(s, value_real(p->k ? p->bound : INFINITY, 4));
    if (p->k) {
        sheet_text(s, p->inside ? "yes" : "no");
    } else {
        sheet_add(s, value_none());
    }
    profileme_code(page, p->place);
}

static void summarize(const struct profileme_page *page, const char *name, const struct profileme_convergence *c) {
    double estimate = 0, exact = 0;
    for (size_t i = 0; i < c->count; i++) {
        estimate += c->points[i].estimate;
        exact += (double)c->points[i].exact;
    }
    fprintf(page->above, "  %-24s %14.0f %14.0f %+7.2f %% %7zu %7zu ", name, estimate, exact,
            100 * (estimate / exact - 1), c->sampled, c->steady);
    if (c->steady >= PROFILEME_POINTS) {
        fprintf(page->above, "%6.1f %%\n", 100 * (double)c->steady_inside / (double)c->steady);
    } else {
        fputs("       - \n", page->above);
    }
}

static int add(const struct profileme_page *page, const struct property *property, bool all, struct error *err) {
    struct profileme_convergence c;
    if (!profileme_converge(page->estimates, page->exact, page->exact_count, property->total, &c, err)) return -ENOMEM;
    if (c.count) {
        summarize(page, property->name, &c);
        qsort(c.points, c.count, sizeof *c.points, most_samples);
        const size_t top = all ? 0 : page->options->report.top;
        for (size_t i = 0; i < c.count && (!top || i < top); i++)
            fill(page, property->name, &c.points[i]);
    }
    free(c.points);
    return 0;
}

static void head(const struct profileme_page *page) {
    if (page->file == 0) columns(page->sheet, page->files > 1);
    fprintf(page->above,
            "Estimates beside exact totals; inside: within one deviation, of instructions with %d samples or more; "
            "about two thirds are expected\n",
            PROFILEME_STEADY);
    fprintf(page->above, "  %-24s %14s %14s %9s %7s %7s %8s\n", "all instructions", "estimate", "exact", "error",
            "points", "of them", "inside");
}

int profileme_compare(struct profileme_page *page, FILE *out, struct error *err) {
    (void)out;
    int result = profileme_needs_exact(page, err) ? 0 : -EINVAL;
    if (!result) head(page);
    for (unsigned i = 0; i < PROPERTIES && !result; i++)
        result = add(page, &properties[i], false, err);
    if (!result) fputc('\n', page->above);
    return result;
}

// ---- the plot ----
static int draw(const struct profileme_page *page, const struct profileme_convergence c[2], FILE *out,
                struct error *err) {
    struct plot_point *points = calloc(c[0].count + c[1].count + 1, sizeof *points);
    char text[160];
    size_t n = 0;
    if (!points) return report_out_of_memory(page->data->path, err);
    for (unsigned s = 0; s < 2; s++)
        for (size_t i = 0; i < c[s].count; i++)
            if (c[s].points[i].k)
                points[n++] = (struct plot_point){(double)c[s].points[i].k, c[s].points[i].ratio, s, NULL};
    snprintf(
        text, sizeof text,
        "a point an instruction; within 1 ± 1/√k: %zu of %zu (retired), %zu of %zu (misses) with 10 samples or more",
        c[0].steady_inside, c[0].steady, c[1].steady_inside, c[1].steady);
    const struct plot plot = {.head = "Convergence of ProfileMe's estimates",
                              .text = text,
                              .x = "k, samples with the property",
                              .y = "estimate / exact",
                              .series = {"retired", c[1].count ? "L1 data misses" : NULL, NULL},
                              .points = points,
                              .count = n,
                              .envelope = true};
    plot_write(&plot, out);
    free(points);
    return 0;
}

// Takes c's points over.
static bool pool_points(struct profileme_convergence *pool, struct profileme_convergence *c) {
    struct profileme_point *points = realloc(pool->points, (pool->count + c->count + 1) * sizeof *points);
    if (!points) return false;
    memcpy(points + pool->count, c->points, c->count * sizeof *points);
    pool->points = points;
    pool->count += c->count;
    pool->sampled += c->sampled;
    pool->inside += c->inside;
    pool->steady += c->steady;
    pool->steady_inside += c->steady_inside;
    return true;
}

static int add_plotted(const struct profileme_page *page, struct error *err) {
    struct profileme_convergence *pool = page->pool;
    for (unsigned i = 0; i < PROPERTIES; i++) {
        struct profileme_convergence c;
        if (!properties[i].plotted) continue;
        if (!profileme_converge(page->estimates, page->exact, page->exact_count, properties[i].total, &c, err))
            return -ENOMEM;
        const bool pooled = pool_points(pool++, &c);
        free(c.points);
        if (!pooled) return report_out_of_memory(page->data->path, err);
        const int result = add(page, &properties[i], page->options->format != PROFILEME_TEXT, err);
        if (result) return result;
    }
    return 0;
}

// Of all files together.
static void sum_up(const struct profileme_page *page) {
    static const char *const names[] = {"retired", "L1 data misses"};
    if (page->files > 1) fprintf(page->above, "All %zu runs\n", page->files);
    for (unsigned i = 0; i < 2 && page->files > 1; i++)
        summarize(page, names[i], &page->pool[i]);
    fputc('\n', page->above);
}

int profileme_convergence_view(struct profileme_page *page, FILE *out, struct error *err) {
    if (!profileme_needs_exact(page, err)) return -EINVAL;
    head(page);
    const int result = add_plotted(page, err);
    if (result || page->file + 1 < page->files) return result;
    if (page->pool[0].steady < PROFILEME_POINTS) {
        error_set(err,
                  "%s: too few samples: %zu instructions have %d or more that retired, of %d that a share needs: run "
                  "longer, or with a shorter interval",
                  page->data->path, page->pool[0].steady, PROFILEME_STEADY, PROFILEME_POINTS);
        return -EINVAL;
    }
    sum_up(page);
    return page->options->format == PROFILEME_SVG ? draw(page, page->pool, out, err) : 0;
}
