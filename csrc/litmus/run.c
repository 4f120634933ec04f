// A test on a machine, over and over: how often each state was seen.
#include "litmus/run.h"
#include "base/array.h"
#include "base/fnv.h"
#include "litmus/program.h"
#include "litmus/thread.h"
#include <stdlib.h>
#include <unistd.h>

// Bytes of each location that its thread's paths access, at least those that it has.
static bool find_extents(const struct litmus_test *t, const char *path, uint64_t extents[LITMUS_LOCATIONS],
                         struct error *err) {
    struct shapes shapes[LITMUS_THREADS];
    const bool good = shapes_find(t, path, shapes, err);
    for (unsigned l = 0; l < t->location_count; l++)
        extents[l] = (uint64_t)t->locations[l].bytes * t->locations[l].elements;
    for (unsigned i = 0; good && i < t->thread_count; i++) {
        for (size_t k = 0; k < shapes[i].count; k++) {
            for (unsigned n = 0; n < shapes[i].list[k].count; n++) {
                const struct event *e = &shapes[i].list[k].events[n];
                const uint64_t location = (e->address - LITMUS_BASE) / LITMUS_SPACING;
                const uint64_t end = e->address + e->bytes - litmus_address((unsigned)location);
                if (end > extents[location]) extents[location] = end;
            }
        }
    }
    shapes_free(shapes);
    return good;
}

static bool count_state(struct litmus_seen *seen, const uint64_t *values) {
    const size_t state = litmus_states_add(seen->states, values);
    if (state == LITMUS_FILTERED) {
        seen->filtered++;
        return true;
    }
    if (state == LITMUS_NO_STATE || !array_reserve_all(&seen->counts, &seen->capacity, state + 1, sizeof *seen->counts))
        return false;
    if (state == seen->known) seen->counts[seen->known++] = 0;
    seen->counts[state]++;
    return true;
}

static bool run_some(const struct litmus_test *t, const struct litmus_run *how, unsigned iterations,
                     const uint64_t *extents, struct litmus_random *random, const char *path, struct litmus_seen *seen,
                     struct error *err) {
    struct litmus_program p;
    struct error why = {""};
    uint64_t values[LITMUS_ITEMS];
    bool good = litmus_program_make(&p, t, how->harts, iterations, extents, random, path, err);
    const int file = good ? litmus_program_file(&p, path, err) : -1;
    const struct litmus_job job = {.file = file,
                                   .path = path,
                                   .config = how->config,
                                   .harts = how->harts,
                                   .seed = random->state,
                                   .most = p.most,
                                   .address = litmus_program_base,
                                   .memory = p.memory,
                                   .bytes = p.bytes};
    good = file >= 0;
    if (good && !how->on->run(&job, &why)) {
        error_set(err, "%s: %s", path, why.text);
        good = false;
    }
    for (unsigned i = 0; good && i < iterations; i++) {
        litmus_program_state(&p, t, i, values);
        good = count_state(seen, values);
        if (!good) error_nomem(err, path);
    }
    if (file >= 0) close(file);
    litmus_program_free(&p);
    return good;
}

bool litmus_run(const struct litmus_test *t, const struct litmus_run *asked, const char *path, struct litmus_seen *seen,
                struct error *err) {
    uint64_t extents[LITMUS_LOCATIONS];
    struct litmus_run how = *asked;
    struct litmus_random random = {fnv_text(FNV_START, t->name) ^ (how.seed * UINT64_C(0x9e3779b97f4a7c15))};
    if (!random.state) random.state = 1;
    *seen = (struct litmus_seen){.states = litmus_states_create(t)};
    if (!how.harts) how.harts = t->thread_count;
    if (!seen->states) return error_nomem(err, path), false;
    if (how.harts < t->thread_count) {
        error_set(err, "%s: has %u threads: give --harts %u, or more", path, t->thread_count, t->thread_count);
        return false;
    }
    if (!find_extents(t, path, extents, err)) return false;
    for (uint64_t left = how.iterations; left && !(how.stop && *how.stop);) {
        const unsigned now = left < PROGRAM_ITERATIONS ? (unsigned)left : PROGRAM_ITERATIONS;
        if (!run_some(t, &how, now, extents, &random, path, seen, err)) return false;
        left -= now;
    }
    return true;
}

void litmus_seen_free(struct litmus_seen *seen) {
    litmus_states_destroy(seen->states);
    free(seen->counts);
    *seen = (struct litmus_seen){0};
}
