// The part of a run that `tipoff gus` models: between two positions (--from, --to), the first execution of a function
// (--function) or of a loop (--loop).
#ifndef TIPOFF_CLI_GUS_REGION_H
#define TIPOFF_CLI_GUS_REGION_H

#include "analysis/analysis.h"
#include "cli/stop.h"

struct gus_region_options { // texts as given; NULL: not given
    const char *from, *to;  // positions, as `tipoff iss --at` takes them
    const char *function;   // from its first instruction until it has returned
    const char *loop;       // PLACE in a loop: from its header until what is executed in the function is not in it
};
struct gus_region;
// names: of the program, for --loop; borrowed for the call. NULL with err.
struct gus_region *gus_region_create(const struct gus_region_options *o, const struct image *image,
                                     const struct program *names, struct error *err);
void gus_region_destroy(struct gus_region *r);              // NULL is fine
bool gus_region_whole(const struct gus_region *r);          // it begins with the run
bool gus_region_ends_somewhere(const struct gus_region *r); // and not with the program

void gus_region_reset(struct gus_region *r, struct iss *iss); // a run begins
// Asked before each instruction: whether the region begins with it; then, whether it has ended.
bool gus_region_begins(struct gus_region *r, const struct iss *iss, uint64_t done);
bool gus_region_ends(struct gus_region *r, const struct iss *iss, uint64_t done);
void gus_region_stepped(struct gus_region *r, struct iss *iss, const struct iss_retire *retire);

#endif
