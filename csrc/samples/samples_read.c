// Reader of sample files: takes every good block, then says how the file ends.
#include "base/array.h"
#include "base/bytes.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- samples ----
static void parse_what(struct sample_record *r, const uint8_t **p) {
    r->sample.state = (uint8_t)bytes_get(p, 1);
    r->sample.valid = (uint8_t)bytes_get(p, 1);
    r->sample.oldest = (uint8_t)bytes_get(p, 1);
    unsigned flags = (unsigned)bytes_get(p, 1);
    r->sample.exception = flags & 1;
    r->sample.flush = flags >> 1 & 1;
    r->sample.mispredict = flags >> 2 & 1;
    r->partial = flags >> 3 & 1;
}

static void parse_fixed(struct sample_record *r, const uint8_t *p, uint32_t type, size_t bytes) {
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
    if (bytes < RECORD_FIXED) return;
    r->data_of = (uint8_t)bytes_get(&p, 1);
    r->data = bytes_get(&p, 8);
}

static bool plausible(const struct samples *s, const struct sample_record *r) {
    const unsigned width = s->header.width;
    return r->sample.state < STATE_COUNT && !(r->sample.valid >> width) && r->sample.oldest < width &&
           r->stalled_cycles <= r->cycles && r->data_of < SAMPLES_DATA_KINDS && !(r->data >> SAMPLES_ADDRESS_BITS) &&
           !(r->sample.space >> PLACE_SPACE_BITS) && !r->data_of == !r->data;
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
        if (!s->take && !array_reserve(&s->records, &s->capacity, s->kept, sizeof *s->records)) return false;
        if (!s->take) s->records[s->kept++] = s->block[i];
        s->last_cycle = s->block[i].cycle;
        if (!s->count) s->hart = s->block[i].hart;
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
        if (fixed < RECORD_FIXED_4) return false;
    }
    for (; p < end; count++) {
        if ((size_t)(end - p) < fixed || !array_reserve(&s->block, &s->block_capacity, count, sizeof *s->block))
            return false;
        struct sample_record *r = &s->block[count];
        parse_fixed(r, p, type, fixed);
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

// ---- blocks ----
static bool parse_block(struct samples *s, uint32_t type, const uint8_t *data, size_t bytes, struct error *why) {
    switch (type) {
    case SAMPLES_BLOCK_SAMPLES_1:
    case SAMPLES_BLOCK_SAMPLES_2:
    case SAMPLES_BLOCK_SAMPLES: return parse_samples(s, type, data, bytes);
    case SAMPLES_BLOCK_PROFILE_1:
    case SAMPLES_BLOCK_PROFILE_2:
    case SAMPLES_BLOCK_PROFILE_3:
    case SAMPLES_BLOCK_PROFILE: return read_profiles_block(&s->profiles, type, data, bytes);
    case SAMPLES_BLOCK_INSTRUCTIONS: return read_instructions_block(&s->instructions, data, bytes);
    case SAMPLES_BLOCK_RESULT: return read_results_block(&s->results, data, bytes, why);
    case SAMPLES_BLOCK_STACKS: return read_stacks_block(&s->stacks, data, bytes);
    case SAMPLES_BLOCK_STATISTICS:
        if (s->version > SAMPLES_TEXT) return true;
        free(s->statistics);
        s->statistics = strndup((const char *)data, bytes);
        return s->statistics != NULL;
    default: return read_old_block(s->results.rows, type, data, bytes);
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

// Reads the blocks after the header. False with err: there is one that must be understood.
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
        struct error why = {""};
        if (result == CONTAINER_BLOCK && !parse_block(s, type, data, bytes, &why)) {
            if (!why.text[0]) error_set(&why, "type %u does not parse", type & ~SAMPLES_MUST);
            error_set(&fault, "%s: bad block %llu (%s): copy the file again, or run again", path,
                      (unsigned long long)block, why.text);
            result = CONTAINER_DAMAGED;
        }
        if (result != CONTAINER_COMPLETE && result != CONTAINER_BLOCK && !s->fault.text[0]) s->fault = fault;
        if (result == CONTAINER_DAMAGED) {
            s->state = SAMPLES_CORRUPT;
            if (type == SAMPLES_BLOCK_STACKS) read_stacks_lost(&s->stacks, bytes);
        }
        if (result != CONTAINER_BLOCK && result != CONTAINER_DAMAGED) break;
    }
    if (result == CONTAINER_CORRUPT) s->state = SAMPLES_CORRUPT;
    if (result == CONTAINER_TRUNCATED && s->state == SAMPLES_COMPLETE) s->state = SAMPLES_TRUNCATED;
    read_profiles_drop_partial(&s->profiles, s->state == SAMPLES_COMPLETE);
    if (!s->results.any && s->statistics && !read_statistics(s->results.rows, s->statistics)) {
        error_nomem(err, path);
        return false;
    }
    if (s->results.any && s->statistics) read_statistics_begin(s->results.rows, s->statistics);
    if (!read_results_settle(&s->results) && s->state == SAMPLES_COMPLETE) {
        s->state = SAMPLES_CORRUPT;
        error_set(&s->fault, "%s: a result lacks rows: copy the file again, or run again", path);
    }
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

struct samples *samples_read_if(const char *path, bool *is, samples_take *take, void *context, struct error *err) {
    struct container_reader *r = container_open_if(path, SAMPLES_KIND, SAMPLES_OLDEST, SAMPLES_VERSION, is, err);
    if (!r) return NULL;
    struct samples *s = calloc(1, sizeof *s);
    bool good = s && (s->results.rows = results_create());
    if (!good) error_nomem(err, path);
    if (good) {
        s->take = take;
        s->context = context;
        container_bound(r, SAMPLES_SPARE, SAMPLES_UNPACKED);
        good = read_header(s, r, path, err) && read_blocks(s, r, path, err);
    }
    container_destroy(r);
    if (good) return s;
    samples_destroy(s);
    return NULL;
}

struct samples *samples_read(const char *path, samples_take *take, void *context, struct error *err) {
    bool is;
    return samples_read_if(path, &is, take, context, err);
}

bool samples_read_header(const char *path, struct samples_header *header, struct error *err) {
    bool is;
    struct container_reader *r = container_open_if(path, SAMPLES_KIND, SAMPLES_OLDEST, SAMPLES_VERSION, &is, err);
    if (!r) return false;
    struct samples *s = calloc(1, sizeof *s);
    if (!s) error_nomem(err, path);
    const bool good = s && read_header(s, r, path, err);
    if (good) *header = s->header;
    container_destroy(r);
    free(s);
    return good;
}

struct samples *samples_open(const char *path, struct error *err) {
    return samples_read(path, NULL, NULL, err);
}

void samples_destroy(struct samples *s) {
    if (!s) return;
    read_profiles_free(&s->profiles);
    free(s->block);
    free(s->records);
    free(s->stacks.nodes);
    free(s->instructions.list);
    results_destroy(s->results.rows);
    samples_join_free(s);
    free(s->statistics);
    free(s);
}

enum samples_state samples_state(const struct samples *s) {
    return s->state;
}
const char *samples_fault(const struct samples *s) {
    return s->fault.text;
}
void samples_warn(const struct samples *s, const struct notices *notices) {
    if (s->state == SAMPLES_COMPLETE) return;
    warning(notices, "%s; the %" PRIu64 " samples %s are good", s->fault.text, s->count,
            s->state == SAMPLES_TRUNCATED ? "before it" : "in other blocks");
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
uint32_t samples_hart(const struct samples *s) {
    return s->count ? s->hart : s->results.skipped.hart;
}
uint64_t samples_last_cycle(const struct samples *s) {
    return s->last_cycle;
}
const struct stack_node *samples_stacks(const struct samples *s, uint32_t *count) {
    *count = s->stacks.count;
    return s->stacks.nodes;
}
const struct instruction_sample *samples_instructions(const struct samples *s, size_t *count,
                                                      struct instruction_settings *settings) {
    *count = s->instructions.count;
    *settings = s->instructions.settings;
    return s->instructions.list;
}
const struct results *samples_results(const struct samples *s) {
    return s->results.rows;
}

size_t samples_profile_count(const struct samples *s) {
    return s->profiles.count;
}
const struct samples_profile *samples_profile(const struct samples *s, size_t i) {
    return &s->profiles.list[i];
}

const struct samples_profile *samples_find_profile(const struct samples *s, const char *profiler) {
    for (size_t i = 0; i < s->profiles.count; i++) {
        if (strcmp(s->profiles.list[i].profiler, profiler) == 0) return &s->profiles.list[i];
    }
    return NULL;
}

const struct samples_unknown *samples_unknown(const struct samples *s, size_t *count) {
    *count = s->results.unknown_count;
    return s->results.unknown;
}
const struct samples_skipped *samples_skipped(const struct samples *s) {
    return &s->results.skipped;
}
