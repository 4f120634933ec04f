// Writes and reads files of regions, which are hostile: regions_file.h.
#include "methods/regions/regions_file.h"
#include "base/plain_json.h"
#include "base/text_file.h"
#include "machine/harts.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KIND "tipoff regions"
enum { SLICE_NUMBERS = 5, TEXT_MOST = 4096 };

void regions_file_free(struct regions_file *f) {
    for (size_t i = 0; i < f->region_count; i++)
        free(f->regions[i].checkpoint);
    free(f->regions);
    free(f->slices);
    free(f->program);
    free(f->digest);
    free(f->method);
    free(f->input);
    free(f->restore);
    for (char **argument = f->arguments; argument && *argument; argument++)
        free(*argument);
    free(f->arguments);
    *f = (struct regions_file){.regions = NULL};
}

// ---- written ----
static void put(cJSON *object, const char *key, uint64_t value) {
    cJSON_AddNumberToObject(object, key, (double)value);
}

static void put_marker(cJSON *object, const char *key, const struct regions_marker *m) {
    char pc[32];
    if (m->pc == 0) return;
    cJSON *const marker = cJSON_AddObjectToObject(object, key);
    snprintf(pc, sizeof pc, "0x%" PRIx64, m->pc);
    cJSON_AddStringToObject(marker, "pc", pc);
    put(marker, "count", m->count);
}

static cJSON *region_json(const struct regions_region *r) {
    cJSON *const o = cJSON_CreateObject();
    put(o, "slice", r->slice);
    put(o, "cluster", r->cluster);
    put_marker(o, "start", &r->start);
    put_marker(o, "end", &r->end);
    put(o, "begin", r->begin);
    put(o, "steps", r->steps);
    put(o, "instructions", r->instructions);
    put(o, "counted", r->counted);
    cJSON_AddNumberToObject(o, "multiplier", r->multiplier);
    if (r->checkpoint) {
        cJSON_AddStringToObject(o, "checkpoint", r->checkpoint);
        put(o, "warmup", r->warmup);
    }
    return o;
}

static cJSON *slice_json(const struct regions_slices *s) {
    const double numbers[SLICE_NUMBERS] = {(double)s->begin, (double)s->steps, (double)s->instructions,
                                           (double)s->counted, (double)s->cluster};
    return cJSON_CreateDoubleArray(numbers, SLICE_NUMBERS);
}

static cJSON *file_json(const struct regions_file *f) {
    cJSON *const root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "kind", KIND);
    put(root, "version", REGIONS_FILE_VERSION);
    cJSON_AddStringToObject(root, "program", f->program ? f->program : "");
    cJSON_AddStringToObject(root, "digest", f->digest ? f->digest : "");
    cJSON_AddStringToObject(root, "method", f->method ? f->method : "");
    if (f->input) cJSON_AddStringToObject(root, "input", f->input);
    if (f->restore) cJSON_AddStringToObject(root, "restore", f->restore);
    if (f->arguments && f->arguments[0]) {
        cJSON *const arguments = cJSON_AddArrayToObject(root, "arguments");
        for (char **argument = f->arguments; *argument; argument++)
            cJSON_AddItemToArray(arguments, cJSON_CreateString(*argument));
    }
    put(root, "harts", f->harts);
    put(root, "quantum", f->quantum);
    put(root, "interval", f->interval);
    put(root, "steps", f->steps);
    put(root, "instructions", f->instructions);
    put(root, "counted", f->counted);
    cJSON *const regions = cJSON_AddArrayToObject(root, "regions");
    for (size_t i = 0; i < f->region_count; i++)
        cJSON_AddItemToArray(regions, region_json(&f->regions[i]));
    cJSON *const slices = cJSON_AddArrayToObject(root, "slices");
    for (size_t i = 0; i < f->slice_count; i++)
        cJSON_AddItemToArray(slices, slice_json(&f->slices[i]));
    plain_json(root);
    return root;
}

bool regions_file_clustered(const struct regions_file *f) {
    for (size_t i = 0; i < f->slice_count; i++)
        if (f->slices[i].cluster == REGIONS_NO_CLUSTER) return false;
    return true;
}

bool regions_file_write(const struct regions_file *f, FILE *out, struct error *err) {
    cJSON *const root = file_json(f);
    char *const text = root ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (!text) {
        error_nomem(err, "file of regions");
        return false;
    }
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    return true;
}

// ---- read ----
struct reader {
    const char *path;
    struct error *err;
    bool bad;
};

static void refuse(struct reader *r, const char *what) {
    if (!r->bad) error_set(r->err, "%s: %s: make it again with `tipoff regions find --format json`", r->path, what);
    r->bad = true;
}

static uint64_t whole(struct reader *r, const cJSON *item, const char *key) {
    const double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (value >= 0 && value < 0x1p53 && value == floor(value)) return (uint64_t)value;
    char text[100];
    snprintf(text, sizeof text, "damaged: '%s' is no whole number below 2^53", key);
    refuse(r, text);
    return 0;
}

static uint64_t get(struct reader *r, const cJSON *object, const char *key) {
    return whole(r, cJSON_GetObjectItemCaseSensitive(object, key), key);
}

// A copy of a text without control characters; NULL after a fault.
static char *text_of(struct reader *r, const cJSON *item, const char *key) {
    bool good = cJSON_IsString(item) && strlen(item->valuestring) < TEXT_MOST;
    for (const char *c = good ? item->valuestring : ""; *c; c++)
        good &= (unsigned char)*c >= ' ' && *c != 0x7f;
    char *const copy = good ? strdup(item->valuestring) : NULL;
    char text[100];
    snprintf(text, sizeof text, "damaged: '%s' is no text of one line", key);
    if (!copy) refuse(r, text);
    return copy;
}

// NULL where there is none, or after a fault.
static char *get_text(struct reader *r, const cJSON *object, const char *key) {
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(object, key);
    return item ? text_of(r, item, key) : NULL;
}

static char **get_arguments(struct reader *r, const cJSON *root) {
    const cJSON *const list = cJSON_GetObjectItemCaseSensitive(root, "arguments");
    if (!list) return NULL;
    char **const arguments = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof(char *));
    size_t count = 0;
    if (!arguments || !cJSON_IsArray(list)) refuse(r, "damaged: 'arguments' are no list of texts");
    for (const cJSON *item = list->child; item && !r->bad; item = item->next)
        arguments[count++] = text_of(r, item, "arguments");
    return arguments;
}

static char *need_text(struct reader *r, const cJSON *object, const char *key) {
    char *const text = get_text(r, object, key);
    char fault[100];
    snprintf(fault, sizeof fault, "damaged: it has no '%s'", key);
    if (!text) refuse(r, fault);
    return text;
}

static struct regions_marker get_marker(struct reader *r, const cJSON *object, const char *key) {
    struct regions_marker m = {0, 0};
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) return m;
    const cJSON *const pc = cJSON_GetObjectItemCaseSensitive(item, "pc");
    char *end = NULL;
    errno = 0;
    if (cJSON_IsString(pc) && strncmp(pc->valuestring, "0x", 2) == 0) m.pc = strtoull(pc->valuestring + 2, &end, 16);
    m.count = get(r, item, "count");
    if (!end || end == pc->valuestring + 2 || *end || errno || m.pc == 0 || m.count == 0)
        refuse(r, "damaged: a marker needs 'pc', an address as text (0x...), and 'count', from 1 on");
    return m;
}

static void take_slice(struct reader *r, struct regions_file *f, const cJSON *row) {
    if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != SLICE_NUMBERS) {
        refuse(r, "damaged: a slice is [begin, steps, instructions, counted, cluster]");
        return;
    }
    const cJSON *item = row->child;
    uint64_t number[SLICE_NUMBERS];
    for (unsigned i = 0; i < SLICE_NUMBERS; i++, item = item->next)
        number[i] = whole(r, item, "slices");
    const struct regions_slices s = {number[0], number[1], number[2], number[3], (size_t)number[4]};
    const struct regions_slices *const last = f->slice_count ? &f->slices[f->slice_count - 1] : NULL;
    if (last && s.begin < last->begin + last->steps) refuse(r, "damaged: a slice begins before the one before it ends");
    if (s.instructions == 0 || s.instructions > s.steps || s.counted > s.instructions)
        refuse(r, "damaged: a slice has some steps, of them instructions, of them those that count");
    f->steps += s.steps; // none overlaps another, and the last one begins below 2^53
    f->instructions += s.instructions;
    f->counted += s.counted;
    f->slices[f->slice_count++] = s;
}

static void take_region(struct reader *r, struct regions_file *f, const cJSON *o) {
    struct regions_region *const g = &f->regions[f->region_count++];
    const cJSON *const multiplier = cJSON_GetObjectItemCaseSensitive(o, "multiplier");
    *g = (struct regions_region){.slice = get(r, o, "slice"),
                                 .cluster = get(r, o, "cluster"),
                                 .start = get_marker(r, o, "start"),
                                 .end = get_marker(r, o, "end"),
                                 .begin = get(r, o, "begin"),
                                 .steps = get(r, o, "steps"),
                                 .instructions = get(r, o, "instructions"),
                                 .counted = get(r, o, "counted"),
                                 .multiplier = cJSON_IsNumber(multiplier) ? multiplier->valuedouble : 0,
                                 .checkpoint = get_text(r, o, "checkpoint")};
    if (g->checkpoint) g->warmup = get(r, o, "warmup");
    if (!(g->multiplier > 0 && g->multiplier < 0x1p53)) refuse(r, "damaged: a region's 'multiplier' is above 0");
    if (g->warmup > g->begin) refuse(r, "damaged: a region's 'warmup' is longer than what lies before it");
    const struct regions_slices *const s = g->slice < f->slice_count ? &f->slices[g->slice] : NULL;
    if (!s || s->begin != g->begin || s->steps != g->steps || s->instructions != g->instructions ||
        s->counted != g->counted || s->cluster != g->cluster)
        refuse(r, "damaged: a region has other numbers than its slice");
    if (f->region_count > 1 && g[-1].cluster >= g->cluster)
        refuse(r, "damaged: regions are not in the order of their clusters");
}

static void take_lists(struct reader *r, struct regions_file *f, const cJSON *root) {
    const cJSON *const slices = cJSON_GetObjectItemCaseSensitive(root, "slices"), *item;
    const cJSON *const regions = cJSON_GetObjectItemCaseSensitive(root, "regions");
    if (!cJSON_IsArray(slices) || !cJSON_IsArray(regions) || !regions->child || !slices->child) {
        refuse(r, "damaged: it has no 'regions' and 'slices'");
        return;
    }
    f->slices = calloc((size_t)cJSON_GetArraySize(slices), sizeof *f->slices);
    f->regions = calloc((size_t)cJSON_GetArraySize(regions), sizeof *f->regions);
    if (!f->slices || !f->regions) {
        error_nomem(r->err, r->path);
        r->bad = true;
        return;
    }
    for (item = slices->child; item && !r->bad; item = item->next)
        take_slice(r, f, item);
    for (item = regions->child; item && !r->bad; item = item->next)
        take_region(r, f, item);
}

static void take_root(struct reader *r, struct regions_file *f, const cJSON *root) {
    const cJSON *const kind = cJSON_GetObjectItemCaseSensitive(root, "kind");
    if (!cJSON_IsString(kind) || strcmp(kind->valuestring, KIND) != 0) {
        refuse(r, "no file of regions");
        return;
    }
    if (get(r, root, "version") != REGIONS_FILE_VERSION) refuse(r, "a file of another version of tipoff");
    f->program = need_text(r, root, "program");
    f->digest = need_text(r, root, "digest");
    f->method = need_text(r, root, "method");
    f->input = get_text(r, root, "input");
    f->restore = get_text(r, root, "restore");
    f->arguments = get_arguments(r, root);
    const uint64_t harts = get(r, root, "harts");
    if (harts < 1 || harts > MACHINE_MOST_HARTS) refuse(r, "damaged: its number of harts");
    f->harts = (unsigned)harts;
    f->quantum = get(r, root, "quantum");
    f->interval = get(r, root, "interval");
    if (!r->bad) take_lists(r, f, root);
    if (!r->bad && (f->steps != get(r, root, "steps") || f->instructions != get(r, root, "instructions") ||
                    f->counted != get(r, root, "counted")))
        refuse(r, "damaged: its totals are not the sums of its slices");
}

int regions_file_read(struct regions_file *f, const char *path, struct error *err) {
    struct reader r = {path, err, false};
    size_t bytes;
    char *const text =
        text_file_bytes(path, REGIONS_FILE_MOST, "name a file of `tipoff regions find --format json`", &bytes, err);
    if (!text) return -EINVAL;
    cJSON *const root = cJSON_ParseWithLength(text, bytes);
    free(text);
    if (root)
        take_root(&r, f, root);
    else
        refuse(&r, "no JSON, or not whole");
    cJSON_Delete(root);
    return r.bad ? -EINVAL : 0;
}
