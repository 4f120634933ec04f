// A growing array for each result, and what the generated tables say of its fields.
#include "profile/result_store.h"
#include "base/array.h"
#include "result_fields.h"
#include <stdlib.h>
#include <string.h>

struct rows {
    char *list;
    size_t count, capacity, spans; // spans: rows of its fields of rows, so far
    bool known, apart;
};
struct results {
    struct rows of[RESULT_COUNT];
};

const struct result_info *result_info(unsigned number) {
    return &result_infos[number];
}

bool result_find(uint16_t id, unsigned *number) {
    for (*number = 0; *number < RESULT_COUNT; ++*number)
        if (result_infos[*number].id == id) return true;
    return false;
}

static const void *at(const struct result_field *field, const void *row) {
    return (const char *)row + field->offset;
}

uint64_t result_number(const struct result_field *field, const void *row) {
    struct result_span span;
    uint64_t value = 0;
    if (field->type != RESULT_ROWS) {
        memcpy(&value, at(field, row), field->bytes); // little-endian, as all hosts that the command is built for
        return value;
    }
    memcpy(&span, at(field, row), sizeof span);
    return span.count;
}

double result_real(const struct result_field *field, const void *row) {
    double value;
    if (field->type != RESULT_REAL) return (double)result_number(field, row);
    memcpy(&value, at(field, row), sizeof value);
    return value;
}

const char *result_text(const struct result_field *field, const void *row) {
    return at(field, row);
}

// Bytes between fields stay as they are: rows are equal where their bytes are.
void result_set_number(const struct result_field *field, void *row, uint64_t value) {
    const uint32_t count = (uint32_t)value;
    char *own = (char *)row + field->offset;
    if (field->type == RESULT_ROWS)
        memcpy(own + offsetof(struct result_span, count), &count, sizeof count);
    else
        memcpy(own, &value, field->bytes);
}

struct place result_place(const struct result_field *field, const void *row) {
    struct place place;
    memcpy(&place, at(field, row), sizeof place);
    return place;
}

struct results *results_create(void) {
    return calloc(1, sizeof(struct results));
}

void results_destroy(struct results *r) {
    for (unsigned i = 0; r && i < RESULT_COUNT; i++)
        free(r->of[i].list);
    free(r);
}

void results_keep(struct results *r, unsigned number) {
    r->of[number].known = true;
}

bool results_known(const struct results *r, unsigned number) {
    return r->of[number].known;
}

const void *results_rows(const struct results *r, unsigned number, size_t *count) {
    *count = r->of[number].count;
    return r->of[number].list;
}

// Where the rows that belong to this one begin: behind those of the one before.
static void place_span(const struct result_info *info, struct rows *rows, void *row) {
    for (unsigned i = 0; i < info->field_count; i++) {
        if (info->fields[i].type != RESULT_ROWS) continue;
        char *span = (char *)row + info->fields[i].offset;
        memcpy(span + offsetof(struct result_span, first), &rows->spans, sizeof rows->spans);
        rows->spans += result_number(&info->fields[i], row);
    }
}

bool results_add(struct results *r, unsigned number, const void *row) {
    const struct result_info *info = &result_infos[number];
    struct rows *rows = &r->of[number];
    if (info->kind == RESULT_SCALAR) rows->count = 0;
    if (!array_reserve(&rows->list, &rows->capacity, rows->count, info->bytes)) return false;
    void *own = rows->list + rows->count++ * info->bytes;
    memcpy(own, row, info->bytes);
    place_span(info, rows, own);
    rows->known = true;
    return true;
}

void results_drop(struct results *r, unsigned number) {
    free(r->of[number].list);
    r->of[number] = (struct rows){0};
}

void *results_row(struct results *r, unsigned number, size_t i) {
    return r->of[number].list + i * result_infos[number].bytes;
}

void results_set_apart(struct results *r, unsigned number) {
    results_drop(r, number);
    r->of[number].apart = true;
}

bool results_apart(const struct results *r, unsigned number) {
    return r->of[number].apart;
}

bool results_settle(struct results *r) {
    bool good = true;
    for (unsigned n = 0; n < RESULT_COUNT; n++) {
        for (unsigned i = 0; i < result_infos[n].field_count; i++) {
            const struct result_field *field = &result_infos[n].fields[i];
            if (field->type != RESULT_ROWS || r->of[n].spans == r->of[field->of].count) continue;
            results_drop(r, n);
            results_drop(r, field->of);
            good = false;
        }
    }
    return good;
}
