// SimPoint's three files as outputs of a command: NAME.simpoints, NAME.weights, NAME.labels.
#ifndef TIPOFF_CLI_REGIONS_SIMPOINT_H
#define TIPOFF_CLI_REGIONS_SIMPOINT_H

#include "methods/regions/choice.h"
#include <argp.h>

enum { REGIONS_SIMPOINT_FILES = 3, REGIONS_SIMPOINT_LONGEST = 4096 };
struct regions_simpoint { // zeros at first: not asked for
    bool given;
    char files[REGIONS_SIMPOINT_FILES][REGIONS_SIMPOINT_LONGEST];
};
void regions_simpoint_argument(struct regions_simpoint *s, const char *name, struct argp_state *state);
// Path of one of them, or NULL.
static inline const char *regions_simpoint_path(const struct regions_simpoint *s, unsigned file) {
    return s->given ? s->files[file] : NULL;
}
bool regions_simpoint_write(const struct regions_simpoint *s, const struct choice *c, struct error *err);

#endif
