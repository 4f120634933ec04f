// Regions of other tools, read: region_formats.h. Each becomes a row of one list, in the order of its numbers.
#include "base/array.h"
#include "base/text_file.h"
#include "methods/regions/region_formats.h"
#include "methods/regions/simpoint_files.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 16, FILE_MOST = 1 << 28 }; // columns of LoopPoint's table; bytes
enum { START_PC = 3, START_COUNT = 6, END_PC = 7, END_COUNT = 10, MULTIPLIER = 14, KIND = 15, NUMBER = 2 };

void foreign_regions_free(struct foreign_regions *f) {
    free(f->at);
    *f = (struct foreign_regions){0};
}

static bool add(struct foreign_regions *f, const struct foreign_region *r, const char *path, struct error *err) {
    if (!array_reserve(&f->at, &f->capacity, f->count, sizeof *f->at)) return error_nomem(err, path), false;
    f->at[f->count++] = *r;
    return true;
}

static int by_number(const void *a, const void *b) {
    const size_t x = ((const struct foreign_region *)a)->number, y = ((const struct foreign_region *)b)->number;
    return (x > y) - (x < y);
}

static bool settle(struct foreign_regions *f, const char *path, struct error *err) {
    if (!f->count) {
        error_set(err, "%s: has no regions: name a file of this format", path);
        return false;
    }
    qsort(f->at, f->count, sizeof *f->at, by_number);
    for (size_t i = 1; i < f->count; i++) {
        if (f->at[i - 1].number != f->at[i].number) continue;
        error_set(err, "%s: region %zu is in it twice: keep one", path, f->at[i].number);
        return false;
    }
    return true;
}

// ---- LoopPoint's table ----
static bool whole(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    return end != text && !*end && !errno && text[0] != '-' && *value < UINT64_C(1) << 53;
}

static bool address(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 16);
    return strncmp(text, "0x", 2) == 0 && end != text + 2 && !*end && !errno;
}

static size_t split(char *line, char *cells[CELLS]) {
    size_t count = 0;
    for (char *cell; (cell = strsep(&line, ","));)
        if (count++ < CELLS) cells[count - 1] = cell;
    return count;
}

// NULL, or what is wrong.
static const char *take_row(struct foreign_region *r, char *cells[CELLS]) {
    char *end;
    uint64_t number;
    if (!whole(cells[NUMBER], &number)) return "the region's number (3rd column) is no whole one";
    r->number = number;
    if (!address(cells[START_PC], &r->start.pc) || !address(cells[END_PC], &r->end.pc))
        return "a pc (4th, 8th column) is no 0x...";
    if (!whole(cells[START_COUNT], &r->start.count) || !whole(cells[END_COUNT], &r->end.count))
        return "a count (7th, 11th column) is no whole number below 2^53";
    if (!r->start.pc || !r->start.count || (r->end.pc && !r->end.count)) return "counts go from 1 on";
    r->multiplier = strtod(cells[MULTIPLIER], &end);
    if (end == cells[MULTIPLIER] || *end || !(r->multiplier > 0 && r->multiplier < 0x1p53))
        return "the multiplier (15th column) is not above 0";
    return NULL;
}

static bool take_line(struct foreign_regions *f, char *line, const char **wrong, const char *path, struct error *err) {
    char *cells[CELLS];
    struct foreign_region r = {0};
    if (!*line || *line == '#') return true;
    if (split(line, cells) != CELLS) {
        *wrong = "a region has 16 columns";
        return false;
    }
    if (strncmp(cells[KIND], "warmup", 6) == 0) {
        f->warmups++;
        return true;
    }
    if (strcmp(cells[KIND], "simulation") != 0) *wrong = "the 16th column is neither simulation nor warmup:N";
    if (!*wrong) *wrong = take_row(&r, cells);
    return !*wrong && add(f, &r, path, err);
}

bool looppoint_table_read(struct foreign_regions *f, const char *path, struct error *err) {
    struct text_file t;
    const char *wrong = NULL;
    bool good = true;
    if (!text_file_open(&t, path, FILE_MOST, "name LoopPoint's table of regions (.csv)", err)) return false;
    for (char *line; good && (line = text_file_line(&t));)
        good = take_line(f, line, &wrong, path, err);
    if (wrong) error_set(err, "%s:%u: %s: is it LoopPoint's table of regions?", path, t.line, wrong);
    text_file_close(&t);
    return good && settle(f, path, err);
}

// ---- gem5's JSON ----
static bool take_number(const cJSON *item, uint64_t *value) {
    const double v = cJSON_IsNumber(item) ? item->valuedouble : -1;
    *value = v >= 0 && v < 0x1p53 && v == floor(v) ? (uint64_t)v : 0;
    return *value > 0 || v == 0;
}

// A count is "global", in some versions "count".
static bool take_marker(const cJSON *simulation, const char *name, struct regions_marker *m) {
    const cJSON *const o = cJSON_GetObjectItemCaseSensitive(simulation, name);
    const cJSON *count = cJSON_GetObjectItemCaseSensitive(o, "global");
    if (!count) count = cJSON_GetObjectItemCaseSensitive(o, "count");
    return take_number(cJSON_GetObjectItemCaseSensitive(o, "pc"), &m->pc) && take_number(count, &m->count);
}

static const char *take_object(struct foreign_region *r, const cJSON *o) {
    const cJSON *const simulation = cJSON_GetObjectItemCaseSensitive(o, "simulation");
    const cJSON *const multiplier = cJSON_GetObjectItemCaseSensitive(o, "multiplier");
    uint64_t number;
    if (!o->string || !whole(o->string, &number)) return "its name is no number";
    r->number = number;
    if (!take_marker(simulation, "start", &r->start) || !r->start.pc || !r->start.count)
        return "needs simulation.start, pc and global from 1 on";
    if (!take_marker(simulation, "end", &r->end) || (r->end.pc && !r->end.count))
        return "needs simulation.end, pc and global";
    r->multiplier = cJSON_IsNumber(multiplier) ? multiplier->valuedouble : 0;
    return r->multiplier > 0 && r->multiplier < 0x1p53 ? NULL : "needs a multiplier above 0";
}

static bool take_objects(struct foreign_regions *f, const cJSON *root, const char *path, struct error *err) {
    if (!cJSON_IsObject(root)) {
        error_set(err, "%s: no JSON of regions, or not whole: name gem5's file of LoopPoint regions", path);
        return false;
    }
    for (const cJSON *o = root->child; o; o = o->next) {
        struct foreign_region r = {0};
        const char *const wrong = take_object(&r, o);
        if (wrong) error_set(err, "%s: region %.32s: %s", path, o->string ? o->string : "", wrong);
        if (wrong || !add(f, &r, path, err)) return false;
        f->warmups += cJSON_HasObjectItem(o, "warmup");
    }
    return settle(f, path, err);
}

bool gem5_regions_read(struct foreign_regions *f, const char *path, struct error *err) {
    size_t bytes;
    char *const text = text_file_bytes(path, FILE_MOST, "name gem5's file of LoopPoint regions (.json)", &bytes, err);
    if (!text) return false;
    cJSON *const root = cJSON_ParseWithLength(text, bytes);
    free(text);
    const bool good = take_objects(f, root, path, err);
    cJSON_Delete(root);
    return good;
}

// ---- SimPoint's two files ----
bool simpoint_regions_read(struct foreign_regions *f, const char *simpoints, const char *weights, struct error *err) {
    struct simpoint *list;
    size_t count;
    bool good = simpoints_read(simpoints, weights, &list, &count, err) == 0;
    for (size_t i = 0; good && i < count; i++) {
        const struct foreign_region r = {
            .number = list[i].label, .interval = list[i].interval, .weight = list[i].weight};
        if (list[i].weight > 0) good = add(f, &r, simpoints, err);
    }
    free(list);
    return good && settle(f, simpoints, err);
}
