// Profiles, stacks and results of a perf.data file, as a sample file.
#include "base/output.h"
#include "import/perf_import_internal.h"
#include "results.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void make_header(struct perf_import *i) {
    static const char *const events[] = {EVENT_NAMES};
    struct samples_header *h = &i->h;
    const char *arch = perf_data_arch(i->data), *cpu = perf_data_cpu(i->data);
    h->clock_mhz = 1000;
    h->width = h->units = 1;
    h->vectors = SAMPLES_VECTORS_NONE;
    h->contexts = true;
    snprintf(h->config, sizeof h->config, "%.40s%s%.20s",
             *cpu    ? cpu
             : *arch ? arch
                     : "perf record",
             *cpu ? ", " : "", *cpu ? arch : "");
    snprintf(h->command, sizeof h->command, "%s", i->o->command);
    h->event_count = EVENT_COUNT_ALONE; // none of them is in a perf.data file
    for (unsigned e = 0; e < h->event_count; e++)
        snprintf(h->events[e], sizeof h->events[e], "%s", events[e]);
    const struct guest_image *program = &h->images.list[0];
    snprintf(h->program, sizeof h->program, "%s", program->path[0] ? program->path : program->name);
    snprintf(h->real_path, sizeof h->real_path, "%s", program->path);
    snprintf(h->build_id, sizeof h->build_id, "%s", program->build_id);
}

static bool add_stacks(const struct perf_import *i, struct samples_writer *w, struct error *err) {
    uint32_t count;
    const struct stack_node *nodes = stack_table_nodes(i->samples->stacks, &count);
    bool good = true;
    for (uint32_t k = STACK_LOST + 1; good && k < count; k++) {
        struct stack_node node = nodes[k];
        node.context = perf_moved(i, (struct place){0, node.context}).context;
        if (node.kind != STACK_ROOT)
            node.site = perf_moved(i, (struct place){node.site, nodes[node.parent].context}).pc;
        good = samples_add_stack(w, &node, err) == 0;
    }
    return good;
}

static bool add_profile(const struct perf_import *i, const struct perf_profile *p, struct samples_writer *w,
                        struct error *err) {
    size_t count;
    struct profile_table *table = profile_table_create_small();
    const struct profile_row *rows = profile_table_rows(p->table, &count);
    bool good = table;
    for (size_t k = 0; good && k < count; k++)
        good = profile_table_add_stack(table, perf_moved(i, row_place(&rows[k])), rows[k].stack, rows[k].state, 0,
                                       rows[k].weight);
    if (!good) error_nomem(err, i->o->file);
    rows = good ? profile_table_rows(table, &count) : NULL;
    good = good && samples_add_profile(w, p->name, 0, rows, rows ? count : 0, err) == 0;
    profile_table_destroy(table);
    return good;
}

static bool add_results(const struct perf_import *i, struct samples_writer *w, struct error *err) {
    struct results *r = results_create();
    const bool own = strcmp(i->samples->profiles[0].name, "tipoff") == 0;
    struct imported imported = {.format = "perf-data"};
    snprintf(imported.missing, sizeof imported.missing,
             own ? "events" : "events, Computing, Stalled, Flushed, Drained");
    const uint64_t total = profile_table_total(i->samples->profiles[0].table);
    const bool made = r && results_add_imported(r, &imported) &&
                      results_add_run_outcome(r, &(struct run_outcome){0, false}) &&
                      results_add_run_totals(r, &(struct run_totals){total, 0, 0, 0}) &&
                      results_add_samples_taken(r, &(struct samples_taken){i->samples->profiles[0].samples});
    if (!made) error_nomem(err, i->o->file);
    const bool good = made && samples_add_results(w, r, 0, err) == 0;
    results_destroy(r);
    return good;
}

int perf_write(struct perf_import *i, struct error *err) {
    char path[OUTPUT_PATH];
    make_header(i);
    struct output *output = output_open(i->o->samples, err);
    if (!output) return -EIO;
    output_path(output, path);
    struct samples_writer *w = samples_create(path, &i->h, err);
    bool good = w && add_stacks(i, w, err);
    for (unsigned p = 0; good && p < i->samples->profile_count; p++)
        good = add_profile(i, &i->samples->profiles[p], w, err);
    good = good && add_results(i, w, err);
    if (w && good)
        good = samples_close(w, err) == 0;
    else if (w)
        samples_abandon(w);
    if (!good) output_said(output, err);
    return output_close(output, good, err) || !good ? -EIO : 0;
}
