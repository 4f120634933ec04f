// The slices of a run, clustered, and what each cluster stands for, as text and CSV: choice.h.
#include "methods/regions/choice.h"
#include "base/array.h"
#include "methods/regions/simpoint_files.h"
#include <inttypes.h>
#include <stdlib.h>

void choice_begin(struct choice *c, size_t dims, uint64_t seed) {
    *c = (struct choice){.slices = NULL};
    points_begin(&c->points, dims, seed);
}

void choice_free(struct choice *c) {
    points_free(&c->points);
    clustering_free(&c->clustering);
    free(c->slices);
}

bool choice_add(struct choice *c, const struct regions_slice *slice, struct error *err) {
    if (!array_reserve(&c->slices, &c->capacity, c->points.count, sizeof *c->slices)) {
        error_nomem(err, "choice of slices");
        return false;
    }
    struct regions_slice *const mine = &c->slices[c->points.count];
    *mine = *slice;
    mine->number = c->points.count;
    mine->parts = NULL;
    mine->count = 0;
    // all slices count alike, as SimPoint has it (-fixedLength on)
    return points_add(&c->points, slice->parts, slice->count, 1, err);
}

struct vectors {
    struct choice *choice;
    const char *path;
};
static bool take_vector(void *context, size_t number, const struct points_part *parts, size_t count,
                        struct error *err) {
    const struct vectors *v = context;
    uint64_t instructions = 0;
    for (size_t i = 0; i < count; i++)
        instructions += parts[i].count;
    if (!instructions) {
        error_set(err, "%s: vector %zu (from 0 on) has no instructions: omit it, or make the file again", v->path,
                  number);
        return false;
    }
    const struct regions_slice first = {.begin = 0}, *last = number ? &v->choice->slices[number - 1] : &first;
    const struct regions_slice slice = {.begin = last->begin + last->steps,
                                        .steps = instructions,
                                        .instructions = instructions,
                                        .counted = instructions,
                                        .parts = parts,
                                        .count = count};
    return choice_add(v->choice, &slice, err);
}

int choice_read(struct choice *c, const char *path, struct error *err) {
    struct vectors v = {c, path};
    return bb_read(path, take_vector, &v, err);
}

int choice_make(struct choice *c, const struct clustering_settings *s, struct error *err) {
    struct clustering_settings half = *s;
    if (half.most_k > (c->points.count + 1) / 2) half.most_k = (c->points.count + 1) / 2;
    return clustering_run(&c->clustering, &c->points, &half, err);
}

size_t choice_slices(const struct choice *c, size_t cluster) {
    size_t slices = 0;
    for (size_t i = 0; i < c->points.count; i++)
        slices += c->clustering.kmeans.label[i] == cluster;
    return slices;
}

double choice_multiplier(const struct choice *c, size_t cluster) {
    uint64_t all = 0;
    for (size_t i = 0; i < c->points.count; i++)
        if (c->clustering.kmeans.label[i] == cluster) all += c->slices[i].counted;
    const uint64_t own = c->slices[c->clustering.representative[cluster]].counted;
    return own ? (double)all / (double)own : (double)choice_slices(c, cluster); // none that counts in any of them
}

static void write_text(const struct choice *c, FILE *out) {
    const struct clustering *g = &c->clustering;
    uint64_t all = 0, chosen = 0;
    size_t regions = 0;
    for (size_t i = 0; i < c->points.count; i++)
        all += c->slices[i].instructions;
    for (size_t i = 0; i < g->kmeans.k; i++) {
        if (g->share[i] == 0) continue;
        chosen += c->slices[g->representative[i]].instructions;
        regions++;
    }
    fprintf(out, "%zu region%s of %zu slices: %" PRIu64 " of %" PRIu64 " instructions, %.1f %%\n\n", regions,
            regions == 1 ? "" : "s", c->points.count, chosen, all, 100. * (double)chosen / (double)all);
    fputs("region     slice  begins after  instructions   stands for   share\n", out);
    for (size_t i = 0; i < g->kmeans.k; i++) {
        const struct regions_slice *slice = &c->slices[g->representative[i]];
        if (g->share[i] > 0)
            fprintf(out, "%6zu  %8zu  %12" PRIu64 "  %12" PRIu64 "  %4zu slices  %5.1f %%\n", i, g->representative[i],
                    slice->begin, slice->instructions, choice_slices(c, i), 100 * g->share[i]);
    }
}

static void write_csv(const struct choice *c, FILE *out) {
    const struct clustering *g = &c->clustering;
    fputs("region,slice,begin,instructions,slices,share,multiplier\n", out);
    for (size_t i = 0; i < g->kmeans.k; i++) {
        const struct regions_slice *slice = &c->slices[g->representative[i]];
        if (g->share[i] > 0)
            fprintf(out, "%zu,%zu,%" PRIu64 ",%" PRIu64 ",%zu,%.9g,%.9g\n", i, g->representative[i], slice->begin,
                    slice->instructions, choice_slices(c, i), g->share[i], choice_multiplier(c, i));
    }
}

void choice_write(const struct choice *c, enum choice_format format, FILE *out) {
    if (format == CHOICE_TEXT)
        write_text(c, out);
    else
        write_csv(c, out);
}

bool choice_regions(const struct choice *c, struct regions_file *f, struct error *err) {
    const struct clustering *g = &c->clustering;
    f->slices = calloc(c->points.count, sizeof *f->slices);
    f->regions = calloc(g->kmeans.k, sizeof *f->regions);
    if (!f->slices || !f->regions) {
        error_nomem(err, "regions");
        return false;
    }
    for (size_t i = 0; i < c->points.count; i++) {
        const struct regions_slice *s = &c->slices[i];
        f->slices[f->slice_count++] =
            (struct regions_slices){s->begin, s->steps, s->instructions, s->counted, g->kmeans.label[i]};
        f->steps += s->steps;
        f->instructions += s->instructions;
        f->counted += s->counted;
    }
    for (size_t i = 0; i < g->kmeans.k; i++) {
        const struct regions_slice *s = &c->slices[g->representative[i]];
        if (g->share[i] > 0)
            f->regions[f->region_count++] = (struct regions_region){.slice = g->representative[i],
                                                                    .cluster = i,
                                                                    .start = s->start,
                                                                    .end = s->end,
                                                                    .begin = s->begin,
                                                                    .steps = s->steps,
                                                                    .instructions = s->instructions,
                                                                    .counted = s->counted,
                                                                    .multiplier = choice_multiplier(c, i)};
    }
    return true;
}
