// What limits the time in which instructions commit: how many do a cycle, and the loops that have most of it. Not for
// other libraries.
#ifndef TIPOFF_REPORT_COMPUTING_H
#define TIPOFF_REPORT_COMPUTING_H

#include "report/run.h"
#include <cjson/cJSON.h>

enum { COMPUTING_PART = 4, COMPUTING_LOOPS = 3 }; // said of runs with one part in this many of Computing, or more

struct computing_loop {
    char at[512];        // its header: "main+0x10 (a.c:7)"
    uint64_t weight;     // its Computing, without the loops inside it, in 1/U cycle
    uint64_t iterations; // exact; 0: not known
    double instructions; // an iteration, without the loops inside it; NAN: not known
    double cycles;       // of all states, an iteration, likewise
};
struct computing {
    uint64_t weight; // Computing, of all, in 1/U cycle
    double a_cycle;  // instructions a cycle of Computing; NAN: not known (the run did not end, or a part is shown)
    unsigned width;
    struct computing_loop loops[COMPUTING_LOOPS]; // most Computing first
    size_t loop_count;
};
// False: no memory, or less Computing than COMPUTING_PART says.
bool computing_find(const struct run *d, struct computing *c);
void computing_print(const struct run *d, const struct report_options *o, FILE *out);
void computing_add_json(cJSON *root, const struct run *d); // "computing", where there is enough

#endif
