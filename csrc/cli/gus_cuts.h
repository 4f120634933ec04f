// `tipoff gus --regions FILE`: a run on the fast model, cut at the regions that stand for it, beside what they project.
#ifndef TIPOFF_CLI_GUS_CUTS_H
#define TIPOFF_CLI_GUS_CUTS_H

#include "cli/iss_program.h"
#include "methods/gus/table.h"

struct gus_cuts_run {
    struct iss_program *program;
    struct iss *iss; // of it, at its begin; is closed
    const struct gus_table *table;
    const char *path;   // of the file of regions
    uint64_t ahead;     // as of gus_harts_create
    const char *output; // NULL: stdout
    bool csv;           // else text
};
// Runs the whole program. The exit status, with err.
int gus_cuts_run(const struct gus_cuts_run *r, struct error *err);

#endif
