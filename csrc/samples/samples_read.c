// Reader of sample files: takes every good block, then says how the file ends.
#include "base/bytes.h"
#include "samples/samples.h"
#include "samples/samples_format.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A profile while the file is read. rows: of the whole profile, as its blocks say (version 1 does not say: UNTOLD).
#define UNTOLD UINT64_MAX
struct growing {
    uint64_t rows, weight; // of all rows: must not wrap
};

struct samples {
    struct samples_header header;
    uint32_t version;
    enum samples_state state;
    struct error fault;
    samples_take *take;
    void *context;
    struct sample_record *block; // of the block that is read
    size_t block_capacity;
    struct sample_record *records; // where nobody takes them
    size_t kept, capacity;
    uint64_t count, last_cycle, units; // units: time of all samples, in 1/U cycle, which must not wrap
    struct samples_profile *profiles;
    struct growing *growing;
    size_t profile_count;
    struct stack_node *stacks;
    uint32_t stack_count, stack_room;
    bool has_losses;
    uint64_t losses;
    char *statistics;
};

static bool reserve(struct sample_record **records, size_t *capacity, size_t need) {
    if (need <= *capacity) return true;
    size_t size = *capacity ? 2 * *capacity : SAMPLES_BLOCK;
    struct sample_record *grown = realloc(*records, size * sizeof *grown);
    if (!grown) return false;
    *records = grown;
    *capacity = size;
    return true;
}

// ---- samples ----
static void parse_what(struct sample_record *r, const uint8_t **p) {
    r->sample.state = (uint8_t)bytes_get(p, 1);
    r->sample.valid = (uint8_t)bytes_get(p, 1);
    r->sample.oldest = (uint8_t)bytes_get(p, 1);
    unsigned flags = (unsigned)bytes_get(p, 1);
    r->sample.exception = flags & 1;
    r->sample.flush = flags >> 1 & 1;
    r->sample.mispredict = flags >> 2 & 1;
}

static void parse_fixed(struct sample_record *r, const uint8_t *p, uint32_t type) {
    memset(r, 0, sizeof *r);
    r->cycle = bytes_get(&p, 8);
    r->cycles = bytes_get(&p, 8);
    if (type == SAMPLES_BLOCK_SAMPLES_1) {
        parse_what(r, &p);
        return;
    }
    r->stalled_cycles = bytes_get(&p, 8);
    r->sample.space = bytes_get(&p, 8);
    r->repeats = (uint32_t)bytes_get(&p, 4);
    r->stalled = (uint32_t)bytes_get(&p, 4);
    parse_what(r, &p);
    r->hart = (uint8_t)bytes_get(&p, 1);
    r->sample.priv = (uint8_t)bytes_get(&p, 1);
}

static bool plausible(const struct samples *s, const struct sample_record *r) {
    return r->sample.state < STATE_COUNT && !(r->sample.valid >> s->header.width) && r->stalled_cycles <= r->cycles;
}

// Takes the records of a block that parses, all of them or none.
static bool give(struct samples *s, size_t count) {
    uint64_t units = s->units, part;
    for (size_t i = 0; i < count; i++) {
        if (__builtin_mul_overflow(s->block[i].cycles, s->header.units, &part)) return false;
        if (__builtin_add_overflow(units, part, &units)) return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (s->take && !s->take(s->context, &s->header, &s->block[i])) return false;
        if (!s->take && !reserve(&s->records, &s->capacity, s->kept + 1)) return false;
        if (!s->take) s->records[s->kept++] = s->block[i];
        s->last_cycle = s->block[i].cycle;
        s->count++;
    }
    s->units = units;
    return true;
}

static bool parse_samples(struct samples *s, uint32_t type, const uint8_t *p, size_t bytes) {
    const uint8_t *end = p + bytes;
    size_t fixed = RECORD_FIXED_1, count = 0;
    const bool stacks = type == SAMPLES_BLOCK_SAMPLES;
    const int lane_bytes = stacks ? RECORD_LANE : RECORD_LANE_2;
    if (type != SAMPLES_BLOCK_SAMPLES_1) {
        if (bytes < 2) return false;
        fixed = bytes_get(&p, 2);
        if (fixed < RECORD_FIXED) return false;
    }
    for (; p < end; count++) {
        if ((size_t)(end - p) < fixed || !reserve(&s->block, &s->block_capacity, count + 1)) return false;
        struct sample_record *r = &s->block[count];
        parse_fixed(r, p, type);
        p += fixed;
        if (!plausible(s, r) || end - p < lane_bytes * __builtin_popcount(r->sample.valid)) return false;
        for (int lane = 0; lane < MAX_LANES; lane++) {
            if (!(r->sample.valid >> lane & 1)) continue;
            r->sample.addr[lane] = bytes_get(&p, 8);
            r->sample.psv[lane] = (uint16_t)bytes_get(&p, 2);
            r->stack[lane] = stacks ? (uint32_t)bytes_get(&p, 4) : STACK_UNKNOWN;
        }
    }
    return give(s, count);
}

// ---- stacks ----
static bool reserve_stacks(struct samples *s, uint32_t count) {
    if (count <= s->stack_room) return true;
    const uint32_t room = count > 2 * s->stack_room ? count : 2 * s->stack_room;
    struct stack_node *stacks = realloc(s->stacks, room * sizeof *stacks);
    if (!stacks) return false;
    memset(stacks + s->stack_room, 0, (room - s->stack_room) * sizeof *stacks);
    s->stacks = stacks;
    s->stack_room = room;
    return true;
}

static bool parse_stack(struct stack_node *node, uint32_t number, const uint8_t **p) {
    node->parent = (uint32_t)bytes_get(p, 4);
    node->kind = (uint8_t)bytes_get(p, 1);
    node->site = bytes_get(p, 8);
    node->entry = bytes_get(p, 8);
    node->context = bytes_get(p, 8);
    return node->parent < number && node->parent != STACK_LOST && node->kind < STACK_KINDS;
}

// Where a block is missing, its stacks are roots that nothing is known of.
static bool parse_stacks(struct samples *s, const uint8_t *p, size_t bytes) {
    if (bytes < 4 || (bytes - 4) % STACK_BYTES != 0) return false;
    const uint32_t first = (uint32_t)bytes_get(&p, 4);
    const size_t count = (bytes - 4) / STACK_BYTES;
    const uint32_t least = s->stack_count ? s->stack_count : STACK_LOST + 1;
    if (first < least || first > STACKS_MOST || count > STACKS_MOST - first) return false;
    if (!reserve_stacks(s, first + (uint32_t)count)) return false;
    for (uint32_t i = first; i < first + count; i++) {
        if (parse_stack(&s->stacks[i], i, &p)) continue;
        memset(&s->stacks[first], 0, count * sizeof *s->stacks);
        return false;
    }
    s->stack_count = first + (uint32_t)count;
    return true;
}

// ---- profiles ----
// In version 1 the events of a profiler went by its name.
static uint16_t events_by_name(const char *name) {
    static const struct {
        const char *name;
        uint16_t events;
    } sets[] = {{"Oracle", EVENT_SET_ALL}, {"TEA", EVENT_SET_ALL}, {"NCI-TEA", EVENT_SET_ALL},
                {"IBS", EVENT_SET_IBS},    {"SPE", EVENT_SET_SPE}, {"RIS", EVENT_SET_RIS}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (strcmp(name, sets[i].name) == 0) return sets[i].events;
    }
    return 0;
}

static bool same_name(const char *text, const uint8_t *name, size_t length) {
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

// Index of the profile of that name, a new one if there is none yet; SIZE_MAX: no memory.
static size_t profile_of(struct samples *s, const uint8_t *name, size_t length) {
    for (size_t i = 0; i < s->profile_count; i++) {
        if (same_name(s->profiles[i].profiler, name, length)) return i;
    }
    size_t i = s->profile_count;
    struct samples_profile *profiles = realloc(s->profiles, (i + 1) * sizeof *profiles);
    if (profiles) s->profiles = profiles;
    struct growing *growing = realloc(s->growing, (i + 1) * sizeof *growing);
    if (growing) s->growing = growing;
    char *copy = strndup((const char *)name, length);
    if (!profiles || !growing || !copy) {
        free(copy);
        return SIZE_MAX;
    }
    s->profiles[i] = (struct samples_profile){.profiler = copy, .events = events_by_name(copy)};
    s->growing[i] = (struct growing){.rows = UNTOLD};
    return s->profile_count++;
}

static bool parse_rows(struct samples_profile *profile, struct growing *growing, const uint8_t *p, size_t count,
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
        if (row->state > SAMPLES_NO_STATE) return false;
        if (__builtin_add_overflow(growing->weight, row->weight, &growing->weight)) return false;
        profile->count++;
    }
    return true;
}

static bool parse_profile(struct samples *s, uint32_t type, const uint8_t *p, size_t bytes) {
    const size_t more = type == SAMPLES_BLOCK_PROFILE_1 ? 0 : 10;
    const size_t row_bytes = type == SAMPLES_BLOCK_PROFILE     ? ROW_BYTES
                             : type == SAMPLES_BLOCK_PROFILE_3 ? ROW_BYTES_3
                                                               : ROW_BYTES_2;
    if (bytes < 1) return false;
    size_t length = *p++;
    if (bytes - 1 < length + more || (bytes - 1 - length - more) % row_bytes != 0) return false;
    size_t i = profile_of(s, p, length);
    if (i == SIZE_MAX) return false;
    p += length;
    if (more) {
        s->profiles[i].events = (uint16_t)bytes_get(&p, 2);
        s->growing[i].rows = bytes_get(&p, 8);
    }
    return parse_rows(&s->profiles[i], &s->growing[i], p, (bytes - 1 - length - more) / row_bytes, row_bytes);
}

static void drop_profile(struct samples *s, size_t i) {
    free((void *)s->profiles[i].profiler);
    free((void *)s->profiles[i].rows);
    memmove(&s->profiles[i], &s->profiles[i + 1], (s->profile_count - i - 1) * sizeof *s->profiles);
    memmove(&s->growing[i], &s->growing[i + 1], (s->profile_count - i - 1) * sizeof *s->growing);
    s->profile_count--;
}

// A profile that lacks rows is none: time would be missing in it without a word. In version 1, which does not say how
// many rows there are, that can be any.
static void drop_partial_profiles(struct samples *s) {
    for (size_t i = s->profile_count; i-- > 0;) {
        uint64_t rows = s->growing[i].rows;
        if (rows == UNTOLD ? s->state != SAMPLES_COMPLETE : rows != s->profiles[i].count) drop_profile(s, i);
    }
}

// ---- blocks ----
static bool parse_block(struct samples *s, uint32_t type, const uint8_t *data, size_t bytes) {
    switch (type) {
    case SAMPLES_BLOCK_SAMPLES_1:
    case SAMPLES_BLOCK_SAMPLES_2:
    case SAMPLES_BLOCK_SAMPLES: return parse_samples(s, type, data, bytes);
    case SAMPLES_BLOCK_PROFILE_1:
    case SAMPLES_BLOCK_PROFILE_2:
    case SAMPLES_BLOCK_PROFILE_3:
    case SAMPLES_BLOCK_PROFILE: return parse_profile(s, type, data, bytes);
    case SAMPLES_BLOCK_STACKS: return parse_stacks(s, data, bytes);
    case SAMPLES_BLOCK_LOSSES:
        s->has_losses = bytes >= 8;
        if (s->has_losses) s->losses = bytes_get(&data, 8);
        return s->has_losses;
    case SAMPLES_BLOCK_STATISTICS:
        free(s->statistics);
        s->statistics = strndup((const char *)data, bytes);
        return s->statistics != NULL;
    default: return true; // a later version's
    }
}

static bool must_understand(uint32_t type) {
    static const uint32_t known[] = {SAMPLES_BLOCK_SAMPLES_2, SAMPLES_BLOCK_SAMPLES,   SAMPLES_BLOCK_STACKS,
                                     SAMPLES_BLOCK_PROFILE_2, SAMPLES_BLOCK_PROFILE_3, SAMPLES_BLOCK_PROFILE};
    bool must = type & SAMPLES_MUST;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        must = must && type != known[i];
    return must;
}

// Reads the blocks behind the header. False with err: there is one that must be understood.
static bool read_blocks(struct samples *s, struct container_reader *r, const char *path, struct error *err) {
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    struct error fault = {""};
    enum container_result result;
    for (uint64_t block = 1;; block++) {
        result = container_next(r, &type, &data, &bytes, &fault);
        if (result == CONTAINER_BLOCK && must_understand(type)) {
            error_set(err, "%s: has blocks of type %u, which have to be understood: use the tipoff that wrote it", path,
                      type & ~SAMPLES_MUST);
            return false;
        }
        if (result == CONTAINER_BLOCK && !parse_block(s, type, data, bytes)) {
            error_set(&fault, "%s: bad block %llu (type %u does not parse): copy the file again, or run again", path,
                      (unsigned long long)block, type & ~SAMPLES_MUST);
            result = CONTAINER_DAMAGED;
        }
        if (result != CONTAINER_COMPLETE && result != CONTAINER_BLOCK && !s->fault.text[0]) s->fault = fault;
        if (result == CONTAINER_DAMAGED) s->state = SAMPLES_CORRUPT;
        if (result != CONTAINER_BLOCK && result != CONTAINER_DAMAGED) break;
    }
    if (result == CONTAINER_CORRUPT) s->state = SAMPLES_CORRUPT;
    if (result == CONTAINER_TRUNCATED && s->state == SAMPLES_COMPLETE) s->state = SAMPLES_TRUNCATED;
    drop_partial_profiles(s);
    return true;
}

static bool read_header(struct samples *s, struct container_reader *r, const char *path, struct error *err) {
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    enum container_result result = container_next(r, &type, &data, &bytes, err);
    if (result != CONTAINER_BLOCK) return false;
    s->version = container_version(r);
    if (type == CONTAINER_HEADER && samples_parse_header(&s->header, s->version, data, bytes)) return true;
    error_set(err, "%s: bad header block: copy the file again, or run again", path);
    return false;
}

struct samples *samples_read(const char *path, samples_take *take, void *context, struct error *err) {
    struct container_reader *r = container_open(path, SAMPLES_KIND, SAMPLES_OLDEST, SAMPLES_VERSION, err);
    if (!r) return NULL;
    struct samples *s = calloc(1, sizeof *s);
    bool good = s != NULL;
    if (!s) error_set(err, "%s: out of memory", path);
    if (good) {
        s->take = take;
        s->context = context;
        good = read_header(s, r, path, err) && read_blocks(s, r, path, err);
    }
    container_destroy(r);
    if (good) return s;
    samples_destroy(s);
    return NULL;
}

struct samples *samples_open(const char *path, struct error *err) {
    return samples_read(path, NULL, NULL, err);
}

void samples_destroy(struct samples *s) {
    if (!s) return;
    while (s->profile_count > 0)
        drop_profile(s, s->profile_count - 1);
    free(s->profiles);
    free(s->growing);
    free(s->block);
    free(s->records);
    free(s->stacks);
    free(s->statistics);
    free(s);
}

enum samples_state samples_state(const struct samples *s) {
    return s->state;
}
const char *samples_fault(const struct samples *s) {
    return s->fault.text;
}
const struct samples_header *samples_header(const struct samples *s) {
    return &s->header;
}

const struct sample_record *samples_records(const struct samples *s, size_t *count) {
    *count = s->kept;
    return s->records;
}
uint64_t samples_count(const struct samples *s) {
    return s->count;
}
uint64_t samples_last_cycle(const struct samples *s) {
    return s->last_cycle;
}
const struct stack_node *samples_stacks(const struct samples *s, uint32_t *count) {
    *count = s->stack_count;
    return s->stacks;
}
bool samples_losses(const struct samples *s, uint64_t *losses) {
    *losses = s->losses;
    return s->has_losses;
}

size_t samples_profile_count(const struct samples *s) {
    return s->profile_count;
}
const struct samples_profile *samples_profile(const struct samples *s, size_t i) {
    return &s->profiles[i];
}

const struct samples_profile *samples_find_profile(const struct samples *s, const char *profiler) {
    for (size_t i = 0; i < s->profile_count; i++) {
        if (strcmp(s->profiles[i].profiler, profiler) == 0) return &s->profiles[i];
    }
    return NULL;
}

const char *samples_statistics(const struct samples *s) {
    return s->statistics;
}
