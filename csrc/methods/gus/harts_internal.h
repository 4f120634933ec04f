// Inside of the fast model of several harts: harts.c has its life, harts_turns.c runs it.
#ifndef TIPOFF_METHODS_GUS_HARTS_INTERNAL_H
#define TIPOFF_METHODS_GUS_HARTS_INTERNAL_H

#include "methods/gus/harts.h"
#include "methods/gus/hub.h"
#include "methods/gus/traffic.h"

struct core {
    struct hart *hart;
    struct gus_stream *stream;
    struct gus *model;
    size_t places;                             // for which the model keeps counts
    uint32_t place;                            // of what was done last
    bool waits;                                // in wfi, and nobody has woken it
    uint64_t load_pc, load_address, load_data; // the last one
    unsigned spun;                             // how often it was the same
    bool leaves;                               // the loop in which it was the same: by the next branch
};
struct gus_harts {
    struct iss *iss;
    struct core cores[MACHINE_MOST_HARTS];
    unsigned count;
    struct gus_hub *hub; // of several
    struct gus_traffic *traffic;
    uint64_t ahead, ticks; // ticks: of the models' time, those that have passed on the machine
    bool over, stuck;
    gus_harts_stepped *stepped;
    void *context;
};

struct run {
    uint64_t most, done;
    bool stopped; // by who watches
};

// Until r->most are done, or the run ends; false: no memory. One hart; several.
bool gus_harts_run_one(struct gus_harts *g, struct run *r);
bool gus_harts_run_all(struct gus_harts *g, struct run *r);

#endif
