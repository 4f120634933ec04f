// Pac-Sim: which regions of a run are simulated in detail, decided while it goes on, and how long the others took
// (Sabu's thesis, chapter 5). Pure: regions come from pacsim_live.h, and so does what they took.
//   begin of a region -> pacsim_ask: in detail or not -> its end -> pacsim_end: cluster, learnt -> pacsim_estimate
//
// Beside it, the baselines of the thesis: intervals of one length in turn, without a look at what they execute.
#ifndef TIPOFF_METHODS_REGIONS_PACSIM_H
#define TIPOFF_METHODS_REGIONS_PACSIM_H

#include "methods/regions/pacsim_predictor.h"

enum pacsim_method {
    PACSIM_LIVE,
    PACSIM_TIME_BASED, // one interval in detail, `skip` of others, which take what the one before them took
    PACSIM_SMARTS,     // likewise; they take the average of all in detail
    PACSIM_METHODS
};
// Whom the cycles of a region come from; those of the thesis's 5.3.5 in its order.
enum pacsim_rule {
    PACSIM_MEASURED,
    PACSIM_SAME_BEGIN,   // of a region of its cluster that begins at the same place; the latest
    PACSIM_SAME_CLUSTER, // of a region of its cluster; the latest
    PACSIM_NEAREST,      // of the nearest one, below a distance of 1, with as many active harts
    PACSIM_AVERAGE,      // of all with as many active harts
    PACSIM_CLOSEST,      // of the closest one before: regions too short to be clustered; time-based sampling
    PACSIM_ANY,          // of all: none had as many active harts
    PACSIM_RULES
};
#define PACSIM_RULE_NAMES "measured", "same-begin", "same-cluster", "nearest", "average", "closest", "any"

struct pacsim_settings {
    enum pacsim_method method;
    double threshold; // of the clusters: the thesis's theta
    unsigned depth;   // of the trie
    unsigned skip;    // of the baselines
    bool data;        // a second vector of each hart, of its accesses to data (pacsim_data.h)
};
#define PACSIM_SETTINGS                                                                                                \
    { .threshold = 0.05, .depth = 16 } // the thesis's table 5.2

struct pacsim_region {
    uint64_t marker;                     // address of its first instruction
    unsigned state;                      // of the hardware, constant in a region: any number
    bool cut;                            // it was ended by an event before it was long enough: it belongs to no cluster
    uint64_t begin, steps, instructions; // before it, of it (instructions and traps); instructions of all harts
    uint64_t most;                       // instructions of the hart that executed most
    unsigned active;                     // harts that executed more than a hundredth of that
    bool detailed;
    // What is found out of it.
    size_t predicted, cluster; // PACSIM_NONE: none
    unsigned matched;          // length of the history that predicted it
    double cycles;             // measured, or of pacsim_estimate
    enum pacsim_rule rule;
    size_t donor;         // region, or PACSIM_NONE: an average, or its own
    size_t detail_before; // of its cluster, in detail, the latest up to it
};
struct pacsim_answer {
    bool detailed;
    size_t predicted;
    unsigned matched;
};

struct pacsim {
    struct pacsim_settings settings;
    size_t harts, dims, count; // dims: of a region's vector, PACSIM_DIMS a hart, or twice that with `data`
    struct pacsim_region *regions;
    double *vectors; // of regions, dims each
    struct pacsim_clusters clusters;
    struct pacsim_predictor *predictor;
    size_t *latest; // by cluster: its latest region in detail, PACSIM_NONE: none
    size_t capacity, vector_capacity, latest_capacity;
};

// harts: 1 or more. False with err: no memory.
bool pacsim_begin(struct pacsim *p, const struct pacsim_settings *s, size_t harts, struct error *err);
void pacsim_free(struct pacsim *p);
// How the next region is to be simulated, which begins at `marker`; exception: its begin was no marker.
struct pacsim_answer pacsim_ask(const struct pacsim *p, uint64_t marker, unsigned state, bool exception);
// It ended: `answer` as it was given; region: the members from `marker` to `detailed`, and `cycles`, if they are known.
// False with err: no memory.
bool pacsim_end(struct pacsim *p, const struct pacsim_region *region, const struct pacsim_answer *answer,
                const double *vector, struct error *err);
// Cycles of all regions that were not simulated in detail, when those of the others are known: T = T' x n / n', where n
// is the number of instructions of the hart that executed most (thesis, 5.3.5).
void pacsim_estimate(struct pacsim *p);

// Sums over all regions.
struct pacsim_totals {
    size_t detailed, predicted, right; // regions: in detail, with a prediction, of the cluster that was predicted
    size_t clustered;                  // those that belong to a cluster
    uint64_t instructions, in_detail;
    double cycles;
    size_t by_rule[PACSIM_RULES];
};
struct pacsim_totals pacsim_sums(const struct pacsim *p);

#endif
