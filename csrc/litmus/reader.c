// The reader's hands: blanks, names, numbers, and errors with line and column.
#include "litmus/reader.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool reader_fails(const struct reader *r, const char *where, const char *format, ...) {
    char text[384];
    unsigned line = 1, column = 1;
    for (const char *p = r->text; p < where; p++) {
        column = *p == '\n' ? 1 : column + 1;
        line += *p == '\n';
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(r->err, "%s:%u:%u: %s", r->path, line, column, text);
    return false;
}

void reader_blanks(struct reader *r) {
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

bool reader_ended(struct reader *r) {
    reader_blanks(r);
    return r->at == r->end;
}

bool reader_takes(struct reader *r, const char *sign) {
    const size_t bytes = strlen(sign);
    reader_blanks(r);
    if ((size_t)(r->end - r->at) < bytes || memcmp(r->at, sign, bytes) != 0) return false;
    r->at += bytes;
    return true;
}

bool reader_needs(struct reader *r, const char *sign, const char *remedy) {
    return reader_takes(r, sign) || reader_fails(r, r->at, "'%s' is missing: %s", sign, remedy);
}

size_t reader_name(struct reader *r) {
    reader_blanks(r);
    const char *p = r->at;
    if (p < r->end && (isalpha((unsigned char)*p) || *p == '_'))
        while (p < r->end && (isalnum((unsigned char)*p) || *p == '_' || *p == '.'))
            p++;
    return (size_t)(p - r->at);
}

bool reader_is(struct reader *r, const char *word) {
    const size_t bytes = reader_name(r);
    return bytes == strlen(word) && memcmp(r->at, word, bytes) == 0;
}

bool reader_number(struct reader *r, uint64_t *number) {
    reader_blanks(r);
    const char *const start = r->at, *p = start;
    const bool negative = p < r->end && *p == '-';
    p += negative;
    const bool hex = r->end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    p += hex ? 2 : 0;
    uint64_t value = 0;
    const char *const digits = p;
    for (; p < r->end && (hex ? isxdigit((unsigned char)*p) : isdigit((unsigned char)*p)); p++) {
        const unsigned base = hex ? 16 : 10;
        const unsigned digit = isdigit((unsigned char)*p) ? (unsigned)(*p - '0') : (unsigned)(*p | 32) - 'a' + 10;
        if (value > (UINT64_MAX - digit) / base)
            return reader_fails(r, start, "the number has more than 64 bits: write a smaller one");
        value = value * base + digit;
    }
    if (p == digits) return reader_fails(r, start, "a number is missing: write one, decimal or 0x...");
    if (p < r->end && (isalnum((unsigned char)*p) || *p == '_'))
        return reader_fails(r, p, "not a digit: write a number, decimal or 0x...");
    *number = negative ? 0 - value : value;
    r->at = p;
    return true;
}

int reader_register(const char *name, size_t bytes) {
    static const char names[LITMUS_REGISTERS][5] = {
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
        "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    if (bytes >= 2 && bytes <= 3 && name[0] == 'x') {
        const bool two = bytes == 3;
        if (!isdigit((unsigned char)name[1]) || two & (name[1] == '0' || !isdigit((unsigned char)name[2]))) return -1;
        const int x = two ? (name[1] - '0') * 10 + name[2] - '0' : name[1] - '0';
        return x < LITMUS_REGISTERS ? x : -1;
    }
    if (bytes == 2 && memcmp(name, "fp", 2) == 0) return 8;
    for (int x = 0; x < LITMUS_REGISTERS; x++)
        if (strlen(names[x]) == bytes && memcmp(name, names[x], bytes) == 0) return x;
    return -1;
}

int reader_location(struct reader *r, const char *name, size_t bytes) {
    struct litmus_test *t = r->test;
    for (unsigned i = 0; i < t->location_count; i++)
        if (strlen(t->locations[i].name) == bytes && memcmp(t->locations[i].name, name, bytes) == 0) return (int)i;
    if (bytes >= LITMUS_NAME) {
        reader_fails(r, name, "the name has more than %d characters: shorten it", LITMUS_NAME - 1);
        return -1;
    }
    if (t->location_count == LITMUS_LOCATIONS || t->element_count == LITMUS_ELEMENTS) {
        reader_fails(r, name, "more than %d locations: use fewer", LITMUS_LOCATIONS);
        return -1;
    }
    struct litmus_location *l = &t->locations[t->location_count];
    *l = (struct litmus_location){.bytes = 4, .is_signed = true, .elements = 1, .first = t->element_count};
    memcpy(l->name, name, bytes);
    t->elements[t->element_count++] = (struct litmus_value){0, -1};
    return (int)t->location_count++;
}

bool reader_value(struct reader *r, struct litmus_value *value) {
    const bool address = reader_takes(r, "&");
    const size_t bytes = reader_name(r);
    *value = (struct litmus_value){0, -1};
    if (!bytes)
        return address ? reader_fails(r, r->at, "a location's name is missing behind '&'")
                       : reader_number(r, &value->number);
    const char *const name = r->at;
    r->at += bytes;
    if (reader_takes(r, ":"))
        return reader_fails(r, name, "addresses of code are not read: take the test's jalr out, or omit the test");
    value->location = reader_location(r, name, bytes);
    return value->location >= 0;
}
