// The initial state: `0:x6=x; uint64_t y=1; int *p = &y; int a[2]={0,1};`.
#include "litmus/reader.h"
#include <string.h>

static const struct {
    const char *name;
    uint8_t bytes;
    bool is_signed;
} types[] = {
    {"int", 4, true},       {"int8_t", 1, true},     {"int16_t", 2, true},   {"int32_t", 4, true},
    {"int64_t", 8, true},   {"uint8_t", 1, false},   {"uint16_t", 2, false}, {"uint32_t", 4, false},
    {"uint64_t", 8, false}, {"char", 1, false},      {"short", 2, true},     {"long", 8, true},
    {"intptr_t", 8, true},  {"uintptr_t", 8, false},
};
enum { TYPES = sizeof types / sizeof *types };

struct type {
    unsigned bytes;
    bool is_signed, given;
};

static bool read_type(struct reader *r, struct type *type) {
    const char *const start = r->at;
    *type = (struct type){4, true, false};
    const size_t bytes = reader_name(r);
    for (size_t i = 0; i < TYPES; i++) {
        if (strlen(types[i].name) != bytes || memcmp(types[i].name, r->at, bytes) != 0) continue;
        *type = (struct type){types[i].bytes, types[i].is_signed, true};
        r->at += bytes;
        while (reader_takes(r, "*"))
            *type = (struct type){8, false, true};
        return true;
    }
    r->at += bytes;
    if (bytes && (reader_name(r) || reader_takes(r, "*")))
        return reader_fails(r, start, "'%.*s' is no type that is read: use int, int8_t to int64_t, uint8_t to uint64_t",
                            bytes > 32 ? 32 : (int)bytes, start);
    r->at = start;
    return true;
}

static bool read_register(struct reader *r) {
    const char *const start = r->at;
    uint64_t thread;
    if (!reader_number(r, &thread)) return false;
    if (thread >= LITMUS_THREADS)
        return reader_fails(r, start, "thread %llu: at most %d threads are read: use fewer", (unsigned long long)thread,
                            LITMUS_THREADS);
    if (!reader_needs(r, ":", "a register is THREAD:NAME, as in 0:x6")) return false;
    const size_t bytes = reader_name(r);
    const int x = reader_register(r->at, bytes);
    if (x < 0) return reader_fails(r, r->at, "no such register: use x0 to x31, or a name of the ABI");
    r->at += bytes;
    if (!reader_takes(r, "=")) return true;
    struct litmus_value value;
    const char *const at = r->at;
    if (!reader_value(r, &value)) return false;
    if (x == 0 && (value.location >= 0 || value.number)) return reader_fails(r, at, "x0 is always 0: use another one");
    r->test->threads[thread].x[x] = value;
    return true;
}

static bool read_elements(struct reader *r, struct litmus_location *l) {
    struct litmus_test *t = r->test;
    uint64_t count;
    const char *const start = r->at;
    if (!reader_number(r, &count) || !reader_needs(r, "]", "an array is NAME[NUMBER]")) return false;
    if (count == 0 || count > LITMUS_ELEMENTS - t->element_count)
        return reader_fails(r, start, "an array of %llu elements: give it 1 to %u", (unsigned long long)count,
                            LITMUS_ELEMENTS - t->element_count);
    l->first = t->element_count;
    l->elements = (unsigned)count;
    for (unsigned i = 0; i < count; i++)
        t->elements[t->element_count++] = (struct litmus_value){0, -1};
    if (!reader_takes(r, "=")) return true;
    if (!reader_needs(r, "{", "an array's values are {VALUE, ...}")) return false;
    for (unsigned i = 0; !reader_takes(r, "}"); i++) {
        if (i && !reader_needs(r, ",", "values are separated by ','")) return false;
        if (i == count) return reader_fails(r, r->at, "more values than elements: omit some");
        if (!reader_value(r, &t->elements[l->first + i])) return false;
    }
    return true;
}

static bool read_location(struct reader *r, const struct type *type) {
    const size_t bytes = reader_name(r);
    if (!bytes) return reader_fails(r, r->at, "a register (0:x6) or a location's name is missing: write NAME=VALUE;");
    const char *const name = r->at;
    const int location = reader_location(r, name, bytes);
    if (location < 0) return false;
    struct litmus_location *l = &r->test->locations[location];
    r->at += bytes;
    if (type->given) {
        l->bytes = type->bytes;
        l->is_signed = type->is_signed;
    }
    if (reader_takes(r, "[")) {
        if (l->elements > 1) return reader_fails(r, name, "the array stands here twice: omit one");
        return read_elements(r, l);
    }
    return !reader_takes(r, "=") || reader_value(r, &r->test->elements[l->first]);
}

bool litmus_read_init(struct reader *r) {
    while (!reader_takes(r, "}")) {
        struct type type;
        if (reader_takes(r, ";")) continue;
        if (reader_ended(r)) return reader_fails(r, r->at, "the initial state does not end: close it with '}'");
        if (!read_type(r, &type)) return false;
        reader_blanks(r);
        const bool is_register = r->at < r->end && *r->at >= '0' && *r->at <= '9';
        if (!(is_register ? read_register(r) : read_location(r, &type))) return false;
        reader_blanks(r);
        if (r->at < r->end && *r->at != '}' && !reader_needs(r, ";", "';' stands after each part of the initial state"))
            return false;
    }
    return true;
}
