// Profiles of a sample file: blocks of one name add up, and have to be all there.
#include "base/bytes.h"
#include "base/plain_text.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"
#include <stdlib.h>
#include <string.h>

// A profile while the file is read. rows: of the whole profile, as its blocks say (version 1 does not say: UNTOLD).
#define UNTOLD UINT64_MAX
enum { PROFILES_MOST = 256 }; // of a file; a run has one a profiler, and each block looks for its own among them
struct read_growth {
    uint64_t rows, weight; // of all rows: must not wrap
};

// In version 1 the events of a profiler went by its name.
static uint16_t events_by_name(const char *name) {
    enum { all = (1 << EVENT_COUNT_ALONE) - 1 };
    static const struct {
        const char *name;
        uint16_t events;
    } sets[] = {{"Oracle", all},        {"TEA", all},           {"NCI-TEA", all},
                {"IBS", EVENT_SET_IBS}, {"SPE", EVENT_SET_SPE}, {"RIS", EVENT_SET_RIS}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (strcmp(name, sets[i].name) == 0) return sets[i].events;
    }
    return 0;
}

static bool same_name(const char *text, const uint8_t *name, size_t length) {
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

// Index of the profile of that name, a new one if there is none yet; SIZE_MAX: no memory, too many, or no name.
static size_t profile_of(struct read_profiles *p, const uint8_t *name, size_t length) {
    for (size_t i = 0; i < p->count; i++) {
        if (same_name(p->list[i].profiler, name, length)) return i;
    }
    size_t i = p->count;
    if (i == PROFILES_MOST || memchr(name, 0, length)) return SIZE_MAX;
    struct samples_profile *profiles = realloc(p->list, (i + 1) * sizeof *profiles);
    if (profiles) p->list = profiles;
    struct read_growth *growth = realloc(p->growth, (i + 1) * sizeof *growth);
    if (growth) p->growth = growth;
    char *copy = strndup((const char *)name, length);
    if (!profiles || !growth || !copy || !plain_is(copy)) {
        free(copy);
        return SIZE_MAX;
    }
    p->list[i] = (struct samples_profile){.profiler = copy, .events = events_by_name(copy)};
    p->growth[i] = (struct read_growth){.rows = UNTOLD};
    return p->count++;
}

static bool parse_rows(struct samples_profile *profile, struct read_growth *growth, const uint8_t *p, size_t count,
                       size_t row_bytes) {
    struct profile_row *rows = realloc((void *)profile->rows, (profile->count + count + 1) * sizeof *rows);
    if (!rows) return false;
    profile->rows = rows;
    for (size_t i = 0; i < count; i++) {
        struct profile_row *row = &rows[profile->count];
        row->pc = bytes_get(&p, 8);
        row->context = row_bytes >= ROW_BYTES_3 ? bytes_get(&p, 8) : 0;
        row->weight = bytes_get(&p, 8);
        row->psv = (uint16_t)bytes_get(&p, 2);
        row->state = (uint8_t)bytes_get(&p, 1);
        row->stack = row_bytes >= ROW_BYTES ? (uint32_t)bytes_get(&p, 4) : STACK_UNKNOWN;
        if (row->state > SAMPLES_NO_STATE || place_hart(row->context)) return false;
        if (__builtin_add_overflow(growth->weight, row->weight, &growth->weight)) return false;
        profile->count++;
    }
    return true;
}

bool read_profiles_block(struct read_profiles *p, uint32_t type, const uint8_t *data, size_t bytes) {
    const size_t more = type == SAMPLES_BLOCK_PROFILE_1 ? 0 : 10;
    const size_t row_bytes = type == SAMPLES_BLOCK_PROFILE     ? ROW_BYTES
                             : type == SAMPLES_BLOCK_PROFILE_3 ? ROW_BYTES_3
                                                               : ROW_BYTES_2;
    if (bytes < 1) return false;
    size_t length = *data++;
    if (bytes - 1 < length + more || (bytes - 1 - length - more) % row_bytes != 0) return false;
    size_t i = profile_of(p, data, length);
    if (i == SIZE_MAX) return false;
    data += length;
    if (more) {
        p->list[i].events = (uint16_t)bytes_get(&data, 2);
        p->growth[i].rows = bytes_get(&data, 8);
    }
    return parse_rows(&p->list[i], &p->growth[i], data, (bytes - 1 - length - more) / row_bytes, row_bytes);
}

static void drop(struct read_profiles *p, size_t i) {
    free((void *)p->list[i].profiler);
    free((void *)p->list[i].rows);
    memmove(&p->list[i], &p->list[i + 1], (p->count - i - 1) * sizeof *p->list);
    memmove(&p->growth[i], &p->growth[i + 1], (p->count - i - 1) * sizeof *p->growth);
    p->count--;
}

void read_profiles_drop_partial(struct read_profiles *p, bool complete) {
    for (size_t i = p->count; i-- > 0;) {
        uint64_t rows = p->growth[i].rows;
        if (rows == UNTOLD ? !complete : rows != p->list[i].count) drop(p, i);
    }
}

void read_profiles_free(struct read_profiles *p) {
    for (size_t i = 0; i < p->count; i++) {
        free((void *)p->list[i].profiler);
        free((void *)p->list[i].rows);
    }
    free(p->list);
    free(p->growth);
}
