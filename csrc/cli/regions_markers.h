// The markers of a program for commands that cut its run at them, and the options that say which.
#ifndef TIPOFF_CLI_REGIONS_MARKERS_H
#define TIPOFF_CLI_REGIONS_MARKERS_H

#include "cli/iss_program.h"
#include "methods/regions/marker_sources.h"
#include "methods/regions/own_code.h"

enum { MARKERS_MOST_QUANTA = 16 };
struct regions_markers {
    const char *sync;                     // as own_code_create; NULL: not given
    uint64_t quanta[MARKERS_MOST_QUANTA]; // that runs are compared of
    unsigned quantum_count;
    bool given;   // one of the options was
    bool classes; // Viper's are to be found, too
    bool quiet;   // nothing is printed on stderr
    // Out.
    struct markers markers;
    struct program *program; // ... and what its code is: markers and code live as long
    struct own_code *code;
};
// --sync, --quanta, --quiet: a child of a command's parser. Its keys are REGIONS_MARKERS_KEYS and more.
enum { REGIONS_MARKERS_KEYS = 0x1100 };
extern const struct argp regions_markers_argp;

void regions_markers_begin(struct regions_markers *r);
void regions_markers_free(struct regions_markers *r);
// The loop entries of the program's own code that are executed, by all harts, as often in runs of each quantum; says on
// stderr how many there are and why others are not. Of one hart all runs are alike: there is one. The exit status.
int regions_markers_find(struct regions_markers *r, struct iss_program *program, struct error *err);
// What synchronises does not count in this machine's flow. False with err: no memory.
bool regions_markers_count(const struct regions_markers *r, struct iss *iss, struct error *err);

#endif
