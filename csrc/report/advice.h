// What to do about instructions that take time: a rule of tables/advice.tsv for the time in each state, by the events
// that they met together in it, and their kind. Not for other libraries.
#ifndef TIPOFF_REPORT_ADVICE_H
#define TIPOFF_REPORT_ADVICE_H

#include "advice_rules.h"
#include "report/run.h"
#include <cjson/cJSON.h>

enum { ADVICE_EXAMPLES = 3 };
struct advice {
    const struct advice_row *rule;          // of the table; state, events, text, source
    uint64_t weight;                        // of all its instructions in that state, in 1/U cycle
    size_t count;                           // of them
    struct place examples[ADVICE_EXAMPLES]; // the hottest of them; of waits due to a misprediction, the branch
    size_t example_count;
};
enum { ADVICE_PART = 100 }; // a rule is given for one part in this many of all time, or more
// By weight, greatest first. A wait that is due to a mispredicted
// branch is that branch's. free() it. NULL: no memory.
struct advice *advice_give(const struct run *d, size_t *count);
int advice_print(const struct run *d, const struct report_options *o, FILE *out, struct error *err); // text
bool advice_add_json(cJSON *root, const struct run *d); // "advice"; false: no memory

#endif
