// Columns and strings of a JSON document. Numbers are exact: none goes through a double.
#include "report/json_text.h"
#include "base/array.h"
#include "base/fnv.h"
#include "base/hash_index.h"
#include "base/plain_text.h"
#include <stdlib.h>
#include <string.h>

void json_text_string(FILE *out, const char *text) {
    char *plain = plain_is(text) ? NULL : plain_utf8(text);
    if (plain) text = plain;
    fputc('"', out);
    for (const char *p = text; *p; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f || c == '<' || c == '>' || c == '&') {
            fprintf(out, "\\u%04x", c);
        } else {
            fputc(c, out);
        }
    }
    fputc('"', out);
    free(plain);
}

struct string_table {
    char **texts; // by number
    size_t count, capacity;
    struct hash_index index;
    bool failed;
};

static uint64_t hash(const char *text) {
    const uint64_t h = fnv_text(FNV_START, text);
    return h ^ h >> 32;
}

static uint64_t hash_of(const void *table, uint32_t number) {
    return hash(((const struct string_table *)table)->texts[number]);
}
static bool is_text(const void *table, uint32_t number, const void *text) {
    return strcmp(((const struct string_table *)table)->texts[number], text) == 0;
}

struct string_table *string_table_create(void) {
    return calloc(1, sizeof(struct string_table));
}

void string_table_destroy(struct string_table *t) {
    if (!t) return;
    for (size_t i = 0; i < t->count; i++)
        free(t->texts[i]);
    free((void *)t->texts);
    hash_index_free(&t->index);
    free(t);
}

uint32_t string_table_number(struct string_table *t, const char *text) {
    const uint64_t h = hash(text);
    const uint32_t number = hash_index_find(&t->index, h, is_text, t, text);
    if (number != HASH_INDEX_NONE) return number;
    char *copy = strdup(text);
    if (t->failed || !copy || !hash_index_reserve(&t->index, 0, (uint32_t)t->count, hash_of, t) ||
        !array_reserve((void *)&t->texts, &t->capacity, t->count, sizeof *t->texts)) {
        free(copy);
        t->failed = true;
        return STRING_NONE;
    }
    t->texts[t->count] = copy;
    hash_index_put(&t->index, h, (uint32_t)t->count);
    return (uint32_t)t->count++;
}

bool string_table_good(const struct string_table *t) {
    return !t->failed;
}

uint32_t string_table_count(const struct string_table *t) {
    return (uint32_t)t->count;
}

const char *string_table_text(const struct string_table *t, uint32_t number) {
    return t->texts[number];
}

void string_table_write(const struct string_table *t, FILE *out) {
    fputc('[', out);
    for (size_t i = 0; i < t->count; i++) {
        if (i) fputc(',', out);
        json_text_string(out, t->texts[i]);
    }
    fputc(']', out);
}
