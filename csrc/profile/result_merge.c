// The rules of fields, and rows found by their keys.
#include "profile/result_merge.h"
#include "base/fnv.h"
#include "base/hash_index.h"
#include "results.h"
#include <math.h>
#include <string.h>

// ---- fields ----
static size_t bytes_of(const struct result_field *f) {
    return f->type == RESULT_PLACE ? sizeof(struct place) : f->bytes;
}

static bool same_field(const struct result_field *f, const void *a, const void *b) {
    if (f->type == RESULT_TEXT) return strcmp(result_text(f, a), result_text(f, b)) == 0;
    if (f->type == RESULT_ROWS) return result_number(f, a) == result_number(f, b);
    return memcmp((const char *)a + f->offset, (const char *)b + f->offset, bytes_of(f)) == 0;
}

static void take(const struct result_field *f, void *row, const void *other) {
    memcpy((char *)row + f->offset, (const char *)other + f->offset, bytes_of(f));
}

static enum result_merged add_real(const struct result_field *f, void *row, double other) {
    const double sum = result_real(f, row) + other;
    if (!isfinite(sum)) return RESULT_TOO_LARGE;
    memcpy((char *)row + f->offset, &sum, sizeof sum);
    return RESULT_MERGED;
}

static enum result_merged add(const struct result_field *f, void *row, const void *other) {
    uint64_t sum;
    if (f->type == RESULT_REAL) return add_real(f, row, result_real(f, other));
    if (__builtin_add_overflow(result_number(f, row), result_number(f, other), &sum) || sum > f->most)
        return RESULT_TOO_LARGE;
    result_set_number(f, row, sum);
    return RESULT_MERGED;
}

static bool is_less(const struct result_field *f, const void *a, const void *b) {
    return f->type == RESULT_REAL ? result_real(f, a) < result_real(f, b) : result_number(f, a) < result_number(f, b);
}

enum result_merged result_merge_field(const struct result_field *f, void *row, const void *other) {
    switch (f->merge) {
    case RESULT_MERGE_SUM: return add(f, row, other);
    case RESULT_MERGE_MAX:
        if (is_less(f, row, other)) take(f, row, other);
        return RESULT_MERGED;
    case RESULT_MERGE_MIN:
        if (is_less(f, other, row)) take(f, row, other);
        return RESULT_MERGED;
    case RESULT_MERGE_LAST: take(f, row, other); return RESULT_MERGED;
    case RESULT_MERGE_NONE: break;
    }
    return same_field(f, row, other) ? RESULT_MERGED : RESULT_APART;
}

// ---- rows ----
struct side { // one result of `to`, and where its rows are by their keys
    const struct result_info *info;
    struct results *of;
    unsigned number;
    struct hash_index index;
};

static const void *row_at(const struct side *s, size_t i) {
    size_t count;
    return (const char *)results_rows(s->of, s->number, &count) + i * s->info->bytes;
}

static uint64_t hash(const struct side *s, const void *row) {
    uint64_t h = FNV_START;
    for (unsigned k = 0; k < s->info->field_count; k++) {
        const struct result_field *f = &s->info->fields[k];
        const unsigned char *p = (const unsigned char *)row + f->offset;
        const size_t bytes = f->type == RESULT_TEXT ? strlen(result_text(f, row)) : bytes_of(f);
        for (size_t i = 0; f->key && i < bytes; i++)
            h = fnv_byte(h, p[i]);
    }
    return h;
}
static uint64_t hash_of(const void *side, uint32_t number) {
    return hash(side, row_at(side, number));
}
static bool is_of_key(const void *side, uint32_t number, const void *row) {
    const struct side *s = side;
    const void *own = row_at(s, number);
    for (unsigned k = 0; k < s->info->field_count; k++)
        if (s->info->fields[k].key && !same_field(&s->info->fields[k], own, row)) return false;
    return true;
}

static bool index_rows(struct side *s) {
    size_t count;
    results_rows(s->of, s->number, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!hash_index_reserve(&s->index, 0, i, hash_of, s)) return false;
        hash_index_put(&s->index, hash_of(s, i), i);
    }
    return true;
}

// The fields after the keys of an existing row.
static bool merge_row(struct side *s, uint32_t number, const void *other, bool *apart, struct error *err) {
    char *row = results_row(s->of, s->number, number);
    for (unsigned k = 0; k < s->info->field_count && !*apart; k++) {
        const struct result_field *f = &s->info->fields[k];
        const enum result_merged merged = f->key ? RESULT_MERGED : result_merge_field(f, row, other);
        *apart = merged == RESULT_APART;
        if (merged != RESULT_TOO_LARGE) continue;
        error_set(err, "result %s, field %s: the sum is too large: merge fewer", s->info->name, f->name);
        return false;
    }
    return true;
}

static bool add_row(struct side *s, const void *row, struct error *err) {
    size_t count;
    results_rows(s->of, s->number, &count);
    if (!hash_index_reserve(&s->index, 0, (uint32_t)count, hash_of, s) || !results_add(s->of, s->number, row)) {
        error_nomem(err, "results");
        return false;
    }
    hash_index_put(&s->index, hash(s, row), (uint32_t)count);
    return true;
}

static bool merge_keyed(struct side *s, const char *rows, size_t count, bool *apart, struct error *err) {
    if (!index_rows(s)) {
        error_nomem(err, "results");
        return false;
    }
    for (size_t i = 0; i < count && !*apart; i++, rows += s->info->bytes) {
        const uint32_t number = hash_index_find(&s->index, hash(s, rows), is_of_key, s, rows);
        const bool good = number == HASH_INDEX_NONE ? add_row(s, rows, err) : merge_row(s, number, rows, apart, err);
        if (!good) return false;
    }
    return true;
}

static bool append(struct side *s, const char *rows, size_t count, struct error *err) {
    for (size_t i = 0; i < count; i++) {
        if (results_add(s->of, s->number, rows + i * s->info->bytes)) continue;
        error_nomem(err, "results");
        return false;
    }
    return true;
}

bool results_merge(struct results *to, const struct results *from, struct error *err) {
    bool good = true;
    for (unsigned n = 0; good && n < RESULT_COUNT; n++) {
        struct side s = {.info = result_info(n), .of = to, .number = n};
        bool apart = false;
        size_t count;
        const char *rows = results_rows(from, n, &count);
        if (!results_known(from, n) || results_apart(to, n)) continue;
        results_keep(to, n);
        good = s.info->kind == RESULT_LIST ? append(&s, rows, count, err) : merge_keyed(&s, rows, count, &apart, err);
        hash_index_free(&s.index);
        if (apart) results_set_apart(to, n);
    }
    return good;
}
