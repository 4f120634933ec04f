// The registry of units, and time by unit: each place of the profile is given to its unit once.
#include "report/units.h"
#include "base/array.h"
#include "base/fnv.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

// The registry: a name each, in the order of `--by help`.
#define KINDS(row)                                                                                                     \
    row(instruction) row(line) row(inline) row(block) row(loop) row(function) row(file) row(module) row(mode)          \
        row(hart) row(data) row(process) row(window)

#define DECLARED(name) extern const struct unit_kind unit_##name;
#define LISTED(name) &unit_##name,
KINDS(DECLARED)
static const struct unit_kind *const kinds[] = {KINDS(LISTED)};

const struct unit_kind unit_instruction = {
    .name = "instruction", .text = "one instruction", .plain = true, .addresses = true, .granularity = BY_INSTRUCTION};
const struct unit_kind unit_function = {
    .name = "function", .text = "a function, with what was inlined into it", .plain = true, .granularity = BY_FUNCTION};

size_t unit_kind_count(void) {
    return sizeof(kinds) / sizeof(kinds[0]);
}
const struct unit_kind *unit_kind(size_t i) {
    return kinds[i];
}

const struct unit_kind *unit_kind_find(const char *name) {
    for (size_t i = 0; i < unit_kind_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    }
    return NULL;
}

void unit_kind_names(char *text, size_t size) {
    *text = '\0';
    for (size_t i = 0; i < unit_kind_count(); i++)
        words_append(text, size, "%s%s", i == 0 ? "" : i + 1 == unit_kind_count() ? " and " : ", ", kinds[i]->name);
}

static uint64_t unit_hash(const struct unit *unit) {
    enum { BETWEEN = 0x1f };
    const uint64_t first = fnv_byte(FNV_START, (uint8_t)place_hart(unit->place.context));
    const uint64_t name = fnv_text(fnv_byte(fnv_text(first, unit->unit), BETWEEN), unit->name);
    return fnv_text(fnv_byte(name, BETWEEN), unit->image);
}

static uint64_t hash_of(const void *units, uint32_t number) {
    return unit_hash(&((const struct units *)units)->list[number]);
}
static bool is_unit(const void *units, uint32_t number, const void *unit) {
    const struct unit *a = &((const struct units *)units)->list[number], *b = unit;
    return place_hart(a->place.context) == place_hart(b->place.context) && strcmp(a->unit, b->unit) == 0 &&
           strcmp(a->name, b->name) == 0 && strcmp(a->image, b->image) == 0;
}

size_t units_add(struct units *u, const struct unit *unit) {
    const uint64_t hash = unit_hash(unit);
    const uint32_t number = hash_index_find(&u->index, hash, is_unit, u, unit);
    if (number != HASH_INDEX_NONE) return number;
    if (!hash_index_reserve(&u->index, 0, (uint32_t)u->count, hash_of, u) ||
        !array_reserve(&u->list, &u->capacity, u->count, sizeof *u->list))
        return UNIT_NONE;
    struct unit copy = *unit;
    copy.unit = strdup(unit->unit);
    copy.name = strdup(unit->name);
    if (!copy.unit || !copy.name) {
        free(copy.unit);
        free(copy.name);
        return UNIT_NONE;
    }
    u->list[u->count] = copy;
    hash_index_put(&u->index, hash, (uint32_t)u->count);
    return u->count++;
}

size_t units_add_bare(struct units *u, struct place place, const struct image_hit *hit, const char *what) {
    char *text = NULL;
    const int made = hit ? asprintf(&text, "[%s] %s", what, image_hit_function(hit)->name)
                         : asprintf(&text, "0x%llx", (unsigned long long)place.pc);
    if (made < 0) return UNIT_NONE;
    const char *image = hit ? images_name(u->run->images, hit->image) : "";
    const size_t unit = units_add(u, &(struct unit){.unit = text, .name = text, .image = image, .place = place});
    free(text);
    return unit;
}

void units_add_hart(struct units *u, size_t unit, struct place place) {
    const unsigned hart = place_hart(place.context);
    u->list[unit].harts[hart / 64] |= UINT64_C(1) << hart % 64;
}

void units_harts(const struct unit *unit, char *text, size_t size) {
    *text = '\0';
    for (unsigned hart = 0; hart < SAMPLES_HARTS; hart++)
        if (unit->harts[hart / 64] >> hart % 64 & 1) words_append(text, size, "%s%u", *text ? " " : "", hart);
    if (!*text) snprintf(text, size, "%u", place_hart(unit->place.context));
}

size_t units_find(struct units *u, struct place place) {
    struct image_hit hit;
    if (place.pc == PROFILE_PC_END) {
        char end[] = "end of run";
        return units_add(u, &(struct unit){.unit = end, .name = end, .image = "", .place = place});
    }
    return u->kind->find(u, place, images_find(u->run->images, place, &hit) ? &hit : NULL);
}

static bool book(struct units *u) {
    size_t unit = UNIT_NONE;
    u->table = profile_table_create();
    for (size_t i = 0; u->table && i < u->run->row_count; i++) {
        const struct profile_row *r = &u->run->rows[i];
        if (i == 0 || !place_equal(row_place(r), row_place(r - 1))) unit = units_find(u, row_place(r));
        if (unit != UNIT_NONE) units_add_hart(u, unit, row_place(r));
        if (unit == UNIT_NONE || !profile_table_add(u->table, (struct place){unit, 0}, r->state, r->psv, r->weight))
            return false;
    }
    if (u->table) u->rows = profile_table_rows(u->table, &u->row_count);
    return u->table && (u->rows || u->run->row_count == 0);
}

static int heavier(const void *x, const void *y, void *context) {
    const struct units *u = context;
    const size_t *a = x, *b = y;
    if (u->times[*a].weight != u->times[*b].weight) return u->times[*a].weight > u->times[*b].weight ? -1 : 1;
    return strcmp(u->list[*a].unit, u->list[*b].unit);
}

static bool add_up(struct units *u) {
    u->times = calloc(u->count + 1, sizeof *u->times);
    u->first_row = calloc(u->count + 1, sizeof *u->first_row);
    u->ranked = calloc(u->count + 1, sizeof *u->ranked);
    if (!u->times || !u->first_row || !u->ranked) return false;
    for (size_t i = 0, row = 0; i <= u->count; i++) {
        u->first_row[i] = row;
        if (i == u->count) break;
        u->ranked[i] = i;
        u->times[i].place = u->list[i].place;
        for (; row < u->row_count && u->rows[row].pc == i; row++)
            unit_add(&u->times[i], &u->rows[row]);
    }
    qsort_r(u->ranked, u->count, sizeof *u->ranked, heavier, u);
    return true;
}

struct units *units_create(const struct run *d, const struct unit_kind *kind) {
    struct units *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    u->run = d;
    u->kind = kind;
    bool good = !kind->create || (u->state = kind->create(d));
    if (good && book(u) && add_up(u)) return u;
    units_destroy(u);
    return NULL;
}

void units_destroy(struct units *u) {
    if (!u) return;
    if (u->state && u->kind->destroy) u->kind->destroy(u->state);
    for (size_t i = 0; i < u->count; i++) {
        free(u->list[i].unit);
        free(u->list[i].name);
    }
    profile_table_destroy(u->table);
    free(u->list);
    free(u->times);
    hash_index_free(&u->index);
    free(u->first_row);
    free(u->ranked);
    free(u);
}

struct value units_cell(const struct units *u, size_t unit, unsigned column, char *room, size_t size) {
    const bool end = u->list[unit].place.pc == PROFILE_PC_END;
    if (end) return u->kind->columns[column].number ? value_none() : value_text("");
    return u->kind->cell(u, &u->list[unit], column, room, size);
}
