// Slices of a fixed number of instructions, and what each executed.
#include "base/array.h"
#include "methods/regions/regions.h"
#include <errno.h>
#include <stdlib.h>

enum { PIECE = 1 << 20 }; // instructions between two looks at `stop`: milliseconds

struct slice {
    struct points_part *parts;
    size_t count, capacity;
    uint64_t instructions;
    bool memory;
};

static void seen(void *context, size_t number, uint64_t instructions) {
    struct slice *s = context;
    if (!array_reserve(&s->parts, &s->capacity, s->count, sizeof *s->parts)) {
        s->memory = false;
        return;
    }
    s->parts[s->count++] = (struct points_part){number, instructions};
    s->instructions += instructions;
}

static uint64_t run_slice(struct regions_run *run, struct iss *iss, uint64_t steps, bool *stopped) {
    uint64_t done = 0;
    const uint64_t left = run->max - steps, length = run->interval < left ? run->interval : left;
    while (done < length && !iss_over(iss) && !*stopped) {
        const uint64_t piece = length - done < PIECE ? length - done : PIECE;
        // The slice's last piece goes on to the end of a block; those before need not.
        const uint64_t now = piece == length - done ? iss_run_blocks(iss, piece) : iss_run(iss, piece);
        done += now;
        *stopped = (run->stop && *run->stop) || now == 0;
    }
    return done;
}

uint64_t regions_run_through(const struct regions_run *run, struct iss *iss, const int *fault) {
    uint64_t steps = 0;
    for (uint64_t now = 1; !*fault && now && steps < run->max && !iss_over(iss) && !(run->stop && *run->stop);)
        steps += now = iss_run(iss, run->max - steps < PIECE ? run->max - steps : PIECE);
    return steps;
}

int regions_run(struct regions_run *run, struct iss *iss, regions_take *take, void *context, struct error *err) {
    struct slice s = {.memory = true};
    int rc = iss_watch_flow(iss, err) ? 0 : -ENOMEM;
    bool stopped = false;
    run->instructions = run->slices = 0;
    for (uint64_t steps = 0; !rc && steps < run->max && !iss_over(iss) && !stopped;) {
        const uint64_t begin = steps;
        s.count = s.instructions = 0;
        steps += run_slice(run, iss, steps, &stopped);
        iss_flow_take(iss, seen, &s);
        if (!s.memory || !iss_flow_whole(iss)) rc = error_nomem(err, "slices of a run");
        if (rc || !s.instructions) continue;
        const struct regions_slice slice = {.number = run->slices++,
                                            .begin = begin,
                                            .steps = steps - begin,
                                            .instructions = s.instructions,
                                            .counted = s.instructions,
                                            .parts = s.parts,
                                            .count = s.count};
        run->instructions += s.instructions;
        if (!take(context, iss, &slice, err)) rc = -ECANCELED;
    }
    free(s.parts);
    return rc;
}
