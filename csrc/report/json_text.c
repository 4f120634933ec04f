// Columns and strings of a JSON document. Numbers are exact: none goes through a double.
#include "report/json_text.h"
#include "base/array.h"
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

void json_text_column(FILE *out, const char *key, const uint32_t *values, size_t count) {
    json_text_string(out, key);
    fputs(":[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, i ? ",%u" : "%u", values[i]);
    fputc(']', out);
}

void json_text_weights(FILE *out, const char *key, const uint64_t *values, size_t count) {
    json_text_string(out, key);
    fputs(":[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, i ? ",%llu" : "%llu", (unsigned long long)values[i]);
    fputc(']', out);
}

enum { FIRST_SLOTS = 1024 };

struct string_table {
    char **texts; // by number
    size_t count, capacity;
    uint32_t *slots; // numbers by hash, STRING_NONE: free
    size_t slot_count;
    bool failed;
};

static uint64_t hash(const char *text) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

// Of that text, or the free one where it belongs.
static uint32_t *find(const struct string_table *t, const char *text) {
    size_t i = hash(text) & (t->slot_count - 1);
    while (t->slots[i] != STRING_NONE && strcmp(t->texts[t->slots[i]], text) != 0)
        i = (i + 1) & (t->slot_count - 1);
    return &t->slots[i];
}

static bool make_slots(struct string_table *t, size_t count) {
    uint32_t *slots = malloc(count * sizeof *slots);
    if (!slots) return false;
    memset(slots, 0xff, count * sizeof *slots);
    free(t->slots);
    t->slots = slots;
    t->slot_count = count;
    for (size_t i = 0; i < t->count; i++)
        *find(t, t->texts[i]) = (uint32_t)i;
    return true;
}

struct string_table *string_table_create(void) {
    struct string_table *t = calloc(1, sizeof *t);
    if (t && make_slots(t, FIRST_SLOTS)) return t;
    free(t);
    return NULL;
}

void string_table_destroy(struct string_table *t) {
    if (!t) return;
    for (size_t i = 0; i < t->count; i++)
        free(t->texts[i]);
    free((void *)t->texts);
    free(t->slots);
    free(t);
}

static bool grow(struct string_table *t) {
    if (2 * (t->count + 1) > t->slot_count && !make_slots(t, 2 * t->slot_count)) return false;
    return array_reserve((void *)&t->texts, &t->capacity, t->count, sizeof *t->texts);
}

uint32_t string_table_number(struct string_table *t, const char *text) {
    uint32_t *slot = find(t, text);
    if (*slot != STRING_NONE) return *slot;
    char *copy = strdup(text);
    if (t->failed || !copy || !grow(t)) {
        free(copy);
        t->failed = true;
        return STRING_NONE;
    }
    t->texts[t->count] = copy;
    *find(t, copy) = (uint32_t)t->count;
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
