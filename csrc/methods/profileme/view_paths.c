// The hottest paths: samples by their path and by the sequence of instructions that they are in. Of several paths the
// likeliest counts, by the run's exact counts; the page marks samples with one path only.
#include "base/array.h"
#include "methods/profileme/path_code.h"
#include "methods/profileme/path_text.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sampled {        // a record of an instruction that retired
    struct place place; // where its sequence begins
    const struct program *program;
    const struct path_graph *graph;
    uint64_t bias;
    uint32_t length;   // instructions of the sequence
    uint32_t first;    // of its steps, in the view's
    uint32_t count;    // of them
    unsigned branches; // of the path, fewer at the beginning of a procedure
    bool found;        // the steps are those of its path, or of the likeliest
    bool sure;         // ... the only one
    const struct view *view;
};
struct path {
    const struct sampled *sample; // one of them
    uint64_t samples, sure, of;   // with this path; of them, with no other; of the sequence, with any
};
struct view {
    const struct profileme_page *page;
    struct path_code *code;
    struct path_result result;
    struct sampled *list;
    size_t count, capacity;
    struct path_step *steps;
    size_t step_count, step_capacity;
    struct path *paths;
    size_t path_count;
    struct {
        uint64_t all, known, right; // known: the path that was taken
    } one, likeliest;               // of one path; of several
    uint64_t several, none;
};

// ---- samples ----
// Whether the path found is the one taken, where that is known.
static bool compare(struct view *v, size_t i, const struct path_query *q, const struct path_image *image, bool *right) {
    struct path_step taken[ROUTE_STEPS];
    const int count = path_code_taken(v->code, i, image, taken);
    uint32_t used;
    if (count < 0 || !path_taken(image->graph, q, taken, (uint32_t)count, &used)) return false;
    *right = used == v->result.count && (used == 0 || memcmp(taken, v->result.steps, used * sizeof *taken) == 0);
    return true;
}

static bool keep_steps(struct view *v) {
    for (uint32_t i = 0; i < v->result.count; i++) {
        if (!array_reserve(&v->steps, &v->step_capacity, v->step_count, sizeof *v->steps)) return false;
        v->steps[v->step_count++] = v->result.steps[i];
    }
    return true;
}

// The one that fits, or, where the run was counted, the likeliest of several.
static void search(struct view *v, size_t i, struct path_query *q, const struct path_image *image,
                   struct sampled *sample) {
    bool right = false;
    q->scheme = PATH_WHOLE;
    path_search_run(image->search, q, &v->result);
    sample->sure = v->result.found == 1;
    v->none += v->result.found == 0;
    v->several += v->result.found > 1;
    if (v->result.found > 1 && path_code_counted(v->code)) {
        q->scheme = PATH_LIKELIEST;
        path_search_run(image->search, q, &v->result);
    }
    sample->found = v->result.found == 1;
    if (!sample->found) return;
    const bool known = compare(v, i, q, image, &right);
    if (sample->sure) {
        v->one.all++;
        v->one.known += known;
        v->one.right += right;
    } else {
        v->likeliest.all++;
        v->likeliest.known += known;
        v->likeliest.right += right;
    }
}

static bool add(struct view *v, size_t i) {
    const struct profileme_options *o = v->page->options;
    const struct instruction_sample *s = &v->page->records[i];
    struct path_query q = {.branches = o->branches, .across = o->across};
    struct path_image image;
    size_t count;
    if (!path_code_query(v->code, i, &q, &image)) return path_code_good(v->code);
    const uint32_t lead = path_graph_lead(image.graph, q.instruction);
    const uint64_t pc = program_instructions(image.program, &count)[lead].pc + image.bias;
    struct sampled sample = {.place = {pc, place_context(s->mode, s->space)},
                             .program = image.program,
                             .graph = image.graph,
                             .bias = image.bias,
                             .length = path_graph_length(image.graph, lead),
                             .first = (uint32_t)v->step_count,
                             .view = v};
    search(v, i, &q, &image, &sample);
    if (sample.found) {
        sample.count = v->result.count;
        sample.branches = v->result.branches;
        if (!keep_steps(v)) return false;
    }
    if (!array_reserve(&v->list, &v->capacity, v->count, sizeof *v->list)) return false;
    v->list[v->count++] = sample;
    return true;
}

// ---- paths ----
static int by_sequence(const struct sampled *a, const struct sampled *b) {
    if (a->place.context != b->place.context) return a->place.context < b->place.context ? -1 : 1;
    return (a->place.pc > b->place.pc) - (a->place.pc < b->place.pc);
}

static int by_path(const void *x, const void *y) {
    const struct sampled *a = x, *b = y;
    const int order = by_sequence(a, b);
    if (order) return order;
    if (a->found != b->found) return a->found ? -1 : 1;
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    return a->count ? memcmp(a->view->steps + a->first, b->view->steps + b->first, a->count * sizeof(struct path_step))
                    : 0;
}

static double executions(const struct path *p, double samples) {
    return samples / p->sample->length;
}

static int hottest(const void *x, const void *y) {
    const struct path *a = x, *b = y;
    const double more = executions(b, (double)b->samples) - executions(a, (double)a->samples);
    if (more != 0) return more > 0 ? 1 : -1;
    return (a->sample > b->sample) - (a->sample < b->sample);
}

static bool sum_up(struct view *v) {
    v->paths = calloc(v->count + 1, sizeof *v->paths);
    if (!v->paths) return false;
    if (v->count) qsort(v->list, v->count, sizeof *v->list, by_path);
    for (size_t i = 0; i < v->count;) {
        const size_t first = v->path_count, from = i;
        for (; i < v->count && by_sequence(&v->list[from], &v->list[i]) == 0; i++) {
            if (!v->list[i].found) continue;
            if (i == from || by_path(&v->list[i - 1], &v->list[i]) != 0)
                v->paths[v->path_count++] = (struct path){.sample = &v->list[i]};
            v->paths[v->path_count - 1].samples++;
            v->paths[v->path_count - 1].sure += v->list[i].sure;
        }
        for (size_t k = first; k < v->path_count; k++)
            v->paths[k].of = i - from;
    }
    if (v->path_count) qsort(v->paths, v->path_count, sizeof *v->paths, hottest);
    return true;
}

// ---- the page ----
// The way of a path, or its steps.
static bool cell(const struct view *v, const struct sampled *s, bool way) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return false;
    const struct path_walk walk = {s->program, s->graph, s->bias, s->place, v->steps + s->first, s->count};
    if (way)
        path_text_way(v->page, &walk, out);
    else
        path_text_steps(&walk, out);
    const bool good = fclose(out) == 0;
    if (good) sheet_text(v->page->sheet, text);
    free(text);
    return good;
}

static void columns(struct sheet *s) {
    sheet_column(s, "executions", "executions", SHEET_RIGHT);
    sheet_column(s, "executions_95", "±95 %", SHEET_RIGHT);
    sheet_column(s, "samples", "samples", SHEET_RIGHT);
    sheet_column(s, "sure", "sure", SHEET_RIGHT);
    sheet_column(s, "of_samples", "of", SHEET_RIGHT);
    sheet_column(s, "branches", "branches", SHEET_RIGHT);
    sheet_column(s, "way", "way", SHEET_LEFT);
    sheet_column(s, "steps", "", SHEET_FILES);
    profileme_code_columns(s);
}

static bool fill(const struct view *v, const struct path *p) {
    const double scale = profileme_estimates_summary(v->page->estimates)->scale;
    struct sheet *s = v->page->sheet;
    sheet_add(s, value_real(scale * executions(p, (double)p->samples), 0));
    sheet_add(s, value_real(1.96 * scale * executions(p, sqrt((double)p->samples)), 0));
    sheet_add(s, value_count(p->samples));
    sheet_add(s, value_count(p->sure));
    sheet_add(s, value_count(p->of));
    sheet_add(s, value_count(p->sample->branches));
    if (!cell(v, p->sample, true) || !cell(v, p->sample, false)) return false;
    profileme_code(v->page, p->sample->place);
    return true;
}

static void write_right(const struct view *v, const char *what, uint64_t known, uint64_t right) {
    if (!known) return;
    fprintf(v->page->above, "  of %" PRIu64 " %s, and whose way is known, it is the one taken in %.1f %%\n", known,
            what, 100 * (double)right / (double)known);
}

static void head(const struct view *v, size_t shown) {
    const struct profileme_options *o = v->page->options;
    const double all = (double)v->count;
    FILE *above = v->page->above, *json = v->page->json;
    fprintf(above,
            "Paths of %u conditional branches%s (%zu of %zu), by executions of what they lead to, which begins at the "
            "address\n",
            o->branches, o->across ? ", across procedures" : ", or from the procedure's beginning", shown,
            v->path_count);
    fprintf(above,
            "  of %zu retired records %.1f %% have one path that fits their history (sure), %.1f %% several%s, %.1f %% "
            "none\n",
            v->count, 100 * (double)v->one.all / all, 100 * (double)v->several / all,
            path_code_counted(v->code) ? ", the likeliest counts" : "", 100 * (double)v->none / all);
    write_right(v, "with one path", v->one.known, v->one.right);
    write_right(v, "with several", v->likeliest.known, v->likeliest.right);
    fputs("  way: functions with the lines of their branches, taken (+) or not (-); calls ->, returns <-, other jumps "
          "to a function ~>\n",
          above);
    fprintf(json, "\"branches\":%u,\"across\":%s,\"retired\":%zu,\"one\":%" PRIu64 ",\"several\":%" PRIu64, o->branches,
            o->across ? "true" : "false", v->count, v->one.all, v->several);
    fprintf(json,
            ",\"none\":%" PRIu64 ",\"one_known\":%" PRIu64 ",\"one_right\":%" PRIu64 ",\"several_known\":%" PRIu64
            ",\"several_right\":%" PRIu64 ",\n",
            v->none, v->one.known, v->one.right, v->likeliest.known, v->likeliest.right);
}

static int look(struct view *v, struct error *err) {
    const char *path = v->page->data->path;
    for (size_t i = 0; i < v->page->count; i++)
        if (!add(v, i)) return report_out_of_memory(path, err);
    if (v->count >= PROFILEME_FEW) return sum_up(v) ? 0 : report_out_of_memory(path, err);
    error_set(err,
              "%s: too few samples: %zu retired records, of %d that paths need: run longer, or with a shorter interval",
              path, v->count, PROFILEME_FEW);
    return -EINVAL;
}

int profileme_paths(struct profileme_page *page, FILE *out, struct error *err) {
    (void)out;
    struct view *v = calloc(1, sizeof *v);
    if (!v) return report_out_of_memory(page->data->path, err);
    v->page = page;
    v->code = path_code_create(page, err);
    int result = v->code ? look(v, err) : -EINVAL;
    if (result == 0) {
        const size_t top = page->options->report.top, shown = top && top < v->path_count ? top : v->path_count;
        head(v, shown);
        columns(page->sheet);
        for (size_t i = 0; i < shown && result == 0; i++)
            if (!fill(v, &v->paths[i])) result = report_out_of_memory(page->data->path, err);
    }
    path_code_destroy(v->code);
    free(v->list);
    free(v->steps);
    free(v->paths);
    free(v);
    return result;
}
