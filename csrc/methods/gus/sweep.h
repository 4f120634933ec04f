// One stream to many models at once: the program is simulated, and each of its instructions goes to all of them.
#ifndef TIPOFF_METHODS_GUS_SWEEP_H
#define TIPOFF_METHODS_GUS_SWEEP_H

#include "methods/gus/stream.h"

// What is simulated, and where it begins and ends: at the latest when the program has ended, or after `most`
// instructions and traps.
struct gus_source {
    struct iss *iss; // loaded
    uint64_t most;
    bool (*begins)(void *context, struct iss *iss, uint64_t done); // from here on models see the stream; NULL: at once
    bool (*ends)(void *context, struct iss *iss,
                 uint64_t done); // then asked before each instruction; NULL: it does not
    void (*stepped)(void *context, struct iss *iss, const struct iss_retire *retire); // what was done; NULL: not wanted
    void *context;
};
// 0; or -ENOMEM with err. The first model keeps its counts by place. *begun: whether models have seen anything.
int gus_sweep(const struct gus_source *source, const struct gus_table *table, struct gus_stream *stream,
              struct gus *const *models, size_t count, bool *begun, struct error *err);

// A model with resources that are faster by some per cent, and how long the stream takes on it.
enum { GUS_SET = 8 };
struct gus_variant {
    uint8_t resources[GUS_SET], count;
    uint16_t percent;
    uint64_t time; // of GUS_CYCLE
};
// Times of variants that start, start + step, start + 2 * step ... The source is run once.
int gus_sweep_variants(const struct gus_source *source, const struct gus_table *table, struct gus_variant *variants,
                       size_t count, size_t start, size_t step, struct error *err);

#endif
