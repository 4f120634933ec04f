// Whether two runs have left the same: traces and profiles to the byte, statistics but for the wall's clock, and
// samples. Included behind cmocka.h.
#ifndef TIPOFF_TESTS_RUN_FILES_H
#define TIPOFF_TESTS_RUN_FILES_H

#include "samples/samples.h"
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline char *contents(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s: not there", path);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *text = calloc(1, *size + 1);
    assert_int_equal(fread(text, 1, *size, f), *size);
    fclose(f);
    return text;
}

static inline void equal_files(const char *a, const char *b) {
    size_t size[2];
    char *text[2] = {contents(a, &size[0]), contents(b, &size[1])};
    if (size[0] != size[1] || memcmp(text[0], text[1], size[0]) != 0) fail_msg("%s and %s differ", a, b);
    free(text[0]);
    free(text[1]);
}

// All but how long it took.
static inline void equal_statistics(const char *a, const char *b) {
    const char *const paths[] = {a, b};
    char *plain[2];
    for (unsigned i = 0; i < 2; i++) {
        size_t size;
        char *text = contents(paths[i], &size);
        cJSON *json = cJSON_Parse(text);
        assert_non_null(json);
        cJSON_DeleteItemFromObject(json, "wall_seconds");
        cJSON_DeleteItemFromObject(json, "khz");
        plain[i] = cJSON_Print(json);
        cJSON_Delete(json);
        free(text);
    }
    assert_string_equal(plain[0], plain[1]);
    cJSON_free(plain[0]);
    cJSON_free(plain[1]);
}

static inline void equal_rows(const struct samples_profile *p, const struct samples_profile *q) {
    assert_string_equal(p->profiler, q->profiler);
    assert_int_equal(p->count, q->count);
    for (size_t i = 0; i < p->count; i++) {
        const struct profile_row *a = &p->rows[i], *b = &q->rows[i];
        assert_true(a->pc == b->pc && a->state == b->state && a->psv == b->psv && a->weight == b->weight &&
                    a->context == b->context && a->stack == b->stack);
    }
}

static inline void equal_records(const struct sample_record *a, const struct sample_record *b) {
    const struct sample *s = &a->sample, *t = &b->sample;
    assert_true(a->cycle == b->cycle && a->cycles == b->cycles && a->repeats == b->repeats &&
                a->stalled == b->stalled && a->stalled_cycles == b->stalled_cycles && a->partial == b->partial);
    assert_true(s->state == t->state && s->valid == t->valid && s->oldest == t->oldest && s->flush == t->flush);
    for (unsigned i = 0; i < 2; i++) // small2's lanes
        assert_true(s->addr[i] == t->addr[i] && s->psv[i] == t->psv[i] && a->stack[i] == b->stack[i]);
}

static inline void equal_samples(const char *a, const char *b) {
    struct error err;
    struct samples *read[2] = {samples_open(a, &err), samples_open(b, &err)};
    assert_true(read[0] && read[1] && samples_state(read[0]) == SAMPLES_COMPLETE &&
                samples_state(read[1]) == SAMPLES_COMPLETE);
    size_t count[2];
    const struct sample_record *records[2];
    for (unsigned i = 0; i < 2; i++)
        records[i] = samples_records(read[i], &count[i]);
    assert_true(count[0] > 40 && count[0] == count[1]);
    for (size_t i = 0; i < count[0]; i++)
        equal_records(&records[0][i], &records[1][i]);
    assert_int_equal(samples_profile_count(read[0]), samples_profile_count(read[1]));
    for (size_t i = 0; i < samples_profile_count(read[0]); i++)
        equal_rows(samples_profile(read[0], i), samples_profile(read[1], i));
    samples_destroy(read[0]);
    samples_destroy(read[1]);
}

#endif
