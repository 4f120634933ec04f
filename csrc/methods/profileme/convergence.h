// How estimates converge (ProfileMe, MICRO 1997, section 5.1 and figure 3): beside the exact number of each
// instruction. Of many points with k samples about two thirds lie within 1 +- 1/sqrt(k), one standard deviation.
#ifndef TIPOFF_METHODS_PROFILEME_CONVERGENCE_H
#define TIPOFF_METHODS_PROFILEME_CONVERGENCE_H

#include "methods/profileme/estimates.h"

struct profileme_point { // an instruction
    struct place place;
    uint64_t records; // all of it: x of the paper's upper row
    uint64_t k;       // that have the property, or the latency: x of the others
    uint64_t exact;   // how often it has had it
    double estimate;  // k S
    double ratio;     // estimate / exact; 0 where exact is 0
    double bound;     // one deviation of the ratio: 1/sqrt(k); of a latency's sum sqrt(sum of squares) / sum
    bool inside;      // |ratio - 1| <= bound
};
struct profileme_convergence {
    struct profileme_point *points; // of all instructions that have had the property; by place
    size_t count;
    size_t sampled; // of them: with k > 0
    size_t inside;  // of the sampled
    size_t steady;  // with k >= PROFILEME_STEADY: k is near enough to normal there for two thirds to be expected
    size_t steady_inside;
};
enum { PROFILEME_STEADY = 10 };
// exact: rows by place. False with err: no memory. free(points) afterwards.
bool profileme_converge(const struct profileme_estimates *e, const struct lifetime *exact, size_t count,
                        enum lifetime_total total, struct profileme_convergence *c, struct error *err);

#endif
