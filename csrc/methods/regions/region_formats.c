// LoopPoint's and gem5's files of regions: region_formats.h.
#include "methods/regions/region_formats.h"
#include "base/paths.h"
#include "base/plain_json.h"
#include <inttypes.h>

bool region_formats_can(const struct regions_file *f) {
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const r = &f->regions[i];
        if ((!r->start.pc && r->begin) || (!r->end.pc && r->begin + r->steps < f->steps)) return false;
    }
    return f->region_count > 0;
}

static struct regions_marker start_of(const struct regions_region *r, uint64_t entry) {
    return r->start.pc ? r->start : (struct regions_marker){entry, 1};
}

static uint64_t relative(const struct regions_region *r) { // 0: not known
    return r->start.pc && r->start.pc == r->end.pc ? r->end.count - r->start.count : 0;
}

// ---- LoopPoint ----
// Commas and control characters would end a cell.
static void put_image(const char *program, FILE *out) {
    for (const char *c = paths_name(program); *c; c++)
        fputc(*c == ',' || (unsigned char)*c <= ' ' ? '_' : *c, out);
}

static void put_marker(const struct regions_file *f, const struct regions_marker *m, FILE *out) {
    fprintf(out, "0x%" PRIx64 ",", m->pc);
    put_image(f->program, out);
    fprintf(out, ",0x%" PRIx64 ",%" PRIu64 ",", m->pc, m->count);
}

void looppoint_table_write(const struct regions_file *f, uint64_t entry, FILE *out) {
    fputs("# comment,thread-id,region-id,start-pc,start-image-name,start-image-offset,start-pc-count,end-pc,"
          "end-image-name,end-image-offset,end-pc-count,end-pc-relative-count,region-length,region-weight,"
          "region-multiplier,region-type\n",
          out);
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const r = &f->regions[i];
        const struct regions_marker start = start_of(r, entry);
        fprintf(out, "cluster %zu from slice %zu,global,%zu,", r->cluster, r->slice, i + 1);
        put_marker(f, &start, out);
        put_marker(f, &r->end, out);
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%.9g,%.9g,simulation\n", relative(r), r->counted,
                r->multiplier * (double)r->counted / (double)f->counted, r->multiplier);
    }
}

// ---- gem5 ----
static void add_marker(cJSON *simulation, const char *name, const struct regions_marker *m, uint64_t rel) {
    cJSON *const o = cJSON_AddObjectToObject(simulation, name);
    cJSON_AddNumberToObject(o, "pc", (double)m->pc);
    cJSON_AddNumberToObject(o, "global", (double)m->count);
    if (rel) cJSON_AddNumberToObject(o, "relative", (double)rel);
}

bool gem5_regions_write(const struct regions_file *f, uint64_t entry, FILE *out, struct error *err) {
    cJSON *const root = cJSON_CreateObject();
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const r = &f->regions[i];
        const struct regions_marker start = start_of(r, entry);
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        cJSON *const region = cJSON_AddObjectToObject(root, number);
        cJSON *const simulation = cJSON_AddObjectToObject(region, "simulation");
        add_marker(simulation, "start", &start, 0);
        add_marker(simulation, "end", &r->end, relative(r));
        cJSON_AddNumberToObject(region, "multiplier", r->multiplier);
    }
    char *const text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text)
        fprintf(out, "%s\n", text);
    else
        error_nomem(err, "gem5's regions");
    cJSON_free(text);
    return text != NULL;
}
