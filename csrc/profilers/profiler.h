// What a profiler is made of. Inside csrc/profilers only.
//
// sample is called once for each sampled cycle; step only while the profiler says `open` (it waits for something): most
// profilers cost nothing in most cycles.
#ifndef TIPOFF_PROFILERS_PROFILER_H
#define TIPOFF_PROFILERS_PROFILER_H

#include "profile/profile_table.h"
#include "profilers/fetch_order.h"
#include "profilers/profilers.h"
#include "profilers/rob_order.h"
#include "records.h"

// What has happened before: kept once, for all profilers.
struct profiler_history {
    unsigned width;
    uint64_t now;                  // cycles stepped: the next to be stepped is cycle `now`
    struct oir oir;                // the youngest that left the ROB last
    struct place committed;        // youngest that committed last, or PLACE_END
    struct place committed_before; // ... as it was before the cycle stepped last
    struct rob_order order;        // in steps: between begin and end of the cycle; in samples: at its end
    struct fetch_order fetch;      // at the end of the cycle
};

struct profiler {
    const struct profiler_ops *ops;
    struct profile_table *table;
    size_t number;
    const struct profilers_watch *watch; // NULL: it books to the table
    unsigned tags;                       // that it may have in flight
    void *state;                         // ops->state_size bytes, zero at first
    uint64_t held;                       // weight of the samples that wait for their instruction
    bool open;                           // wants to be stepped
    bool failed;                         // no memory: something was not booked
};

struct profiler_sample {
    const struct commit_bundle *bundle;
    uint64_t cycle, weight;
};

struct profiler_ops {
    const char *name;
    size_t state_size;
    uint16_t events; // that its rows distinguish; 0: it has none (TIP's rows keep what the sample shows)
    bool traps;      // a tag whose instruction raises an exception is reported, too
    void (*step)(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b); // NULL: never
    void (*sample)(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s);
    void (*finish)(struct profiler *p); // NULL: what is held is booked to PROFILE_PC_END
};

extern const struct profiler_ops *const profiler_registry[];
extern const size_t profiler_registry_count;

void profiler_book(struct profiler *p, struct place place, unsigned state, unsigned psv, uint64_t weight);
// Books what is held, if anything, and closes the profiler.
void profiler_release(struct profiler *p, struct place place, unsigned state, unsigned psv);
static inline void profiler_hold(struct profiler *p, uint64_t weight) {
    p->held += weight;
    p->open = p->held != 0;
}

// Places of instructions of this cycle, and of the one that left last.
static inline struct place profiler_place(const struct commit_bundle *b, uint64_t pc) {
    return (struct place){pc, place_context(b->priv, b->space)};
}
static inline struct place profiler_oir_place(const struct oir *oir) {
    return (struct place){oir->pc, place_context(oir->priv, oir->space)};
}

static inline unsigned profiler_next_lane(const struct profiler_history *h, unsigned lane) {
    return lane + 1 == h->width ? 0 : lane + 1;
}
// Lanes whose instruction commits: one for each instruction, whatever number of micro-ops it has in the group.
static inline unsigned profiler_committing(const struct commit_bundle *b) {
    return b->commit & (b->first | 1u << b->oldest);
}

// TIP, with all that commit in Computing or with the oldest of them only (tip.c).
void tip_sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s, bool all);
void tip_step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b);
void tip_finish(struct profiler *p);

#endif
