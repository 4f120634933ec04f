// Sums over the harts' models, and a row for each: see report_harts.h.
#include "methods/gus/report_harts.h"
#include "base/grouped.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double cycles(uint64_t time) {
    return (double)time / (double)GUS_CYCLE;
}

static double ipc(const struct gus *model) {
    return gus_time(model) ? (double)gus_instructions(model) / cycles(gus_time(model)) : 0;
}

static void add(struct gus_place *to, const struct gus_place *from) {
    if (from->executions) to->kind = from->kind;
    to->executions += from->executions;
    to->misses += from->misses;
    to->mispredicted += from->mispredicted;
    to->walks += from->walks;
    to->latency += from->latency;
    to->exposed += from->exposed;
}

bool gus_sum(const struct gus_report *r, struct gus_sum *sum) {
    if (!r->harts) {
        *sum = (struct gus_sum){.cycles = cycles(gus_time(r->model)),
                                .time = gus_time(r->model),
                                .instructions = gus_instructions(r->model),
                                .places = gus_places(r->model),
                                .stream = r->stream,
                                .count = gus_stream_places(r->stream)};
        return true;
    }
    *sum = (struct gus_sum){.cycles = gus_harts_cycles(r->harts), .stream = gus_harts_places(r->harts)};
    sum->count = gus_stream_places(sum->stream);
    sum->own = calloc(sum->count + 1, sizeof *sum->own);
    sum->places = sum->own;
    if (!sum->own) return false;
    for (unsigned h = 0; h < gus_harts_count(r->harts); h++) {
        const struct gus *model = gus_harts_model(r->harts, h);
        sum->time += gus_time(model);
        sum->instructions += gus_instructions(model);
        for (size_t i = 0; i < gus_place_count(model) && i < sum->count; i++)
            add(&sum->own[i], &gus_places(model)[i]);
    }
    return true;
}

void gus_sum_free(struct gus_sum *sum) {
    free(sum->own);
    sum->own = NULL;
}

static bool is_shared(const char *name) {
    return strcmp(name, "llc") == 0 || strcmp(name, "dram") == 0;
}

double gus_sum_occupancy(const struct gus_report *r, const struct gus_sum *sum, unsigned resource) {
    if (!r->harts) return gus_occupancy(r->model, resource);
    double busy = 0;
    for (unsigned h = 0; h < gus_harts_count(r->harts); h++) {
        const struct gus *model = gus_harts_model(r->harts, h);
        const double own = gus_occupancy(model, resource);
        if (own < 0) return own;
        busy += own * cycles(gus_time(model));
    }
    const double whole = is_shared(r->table->resources[resource].name) ? sum->cycles : cycles(sum->time);
    return whole > 0 ? busy / whole : 0;
}

void gus_text_harts(const struct gus_report *r, FILE *out) {
    if (!r->harts) return;
    fprintf(out, "\nHarts\n  hart  instructions        cycles    IPC\n");
    for (unsigned h = 0; h < gus_harts_count(r->harts); h++) {
        const struct gus *model = gus_harts_model(r->harts, h);
        char instructions[GROUPED_TEXT], time[GROUPED_TEXT];
        fprintf(out, "  %4u  %12s  %12s  %5.3f\n", h, grouped(instructions, gus_instructions(model)),
                grouped(time, (uint64_t)llround(cycles(gus_time(model)))), ipc(model));
    }
}

void gus_json_harts(const struct gus_report *r, FILE *out) {
    if (!r->harts) return;
    fprintf(out, "\"exited\":%s,\n\"harts\":[", gus_harts_over(r->harts) ? "true" : "false");
    for (unsigned h = 0; h < gus_harts_count(r->harts); h++) {
        const struct gus *model = gus_harts_model(r->harts, h);
        fprintf(out, "%s\n{\"hart\":%u,\"instructions\":%" PRIu64 ",\"cycles\":%.3f,\"ipc\":%.6f}", h ? "," : "", h,
                gus_instructions(model), cycles(gus_time(model)), ipc(model));
    }
    fputs("],\n", out);
}
