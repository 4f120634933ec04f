// What a run has measured, as its --stats has it: every number that adds up over parts of a run, by name, and sums of
// such: Sabu's thesis, formula 3.1.
#ifndef TIPOFF_METHODS_REGIONS_MEASURES_H
#define TIPOFF_METHODS_REGIONS_MEASURES_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

struct measure {
    char *name; // "cycles", "events.FL_MB"; of a member of an object: the names with a dot
    double value;
};
struct measures {
    struct measure *list; // in the order of the first file
    size_t count, capacity;
    // Of one run alone:
    double seconds; // of the host
    int status;
    bool exited, passed; // by itself; all checks
    char config[64], settings[256];
};

void measures_free(struct measures *m);
// A file of --stats, or of `tipoff gus --format json`, into one that is empty; to be freed in any case. 0, or a
// negative errno with err: it cannot be read, or is none. Its cycles and instructions are above 0.
int measures_read(struct measures *m, const char *path, struct error *err);
// 0 of what it does not have.
double measures_get(const struct measures *m, const char *name);
bool measures_has(const struct measures *m, const char *name);
// part, times that. False with err: no memory.
bool measures_add(struct measures *m, const struct measures *part, double times, struct error *err);

#endif
