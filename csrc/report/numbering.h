// The units of a profile by number: those of a granularity, or those of a kind (units.h), and the estimates of each
// from the samples one by one. Not for other libraries.
#ifndef TIPOFF_REPORT_NUMBERING_H
#define TIPOFF_REPORT_NUMBERING_H

#include "analysis/spread.h"
#include "report/run.h"
#include "report/units.h"

struct numbering {
    const struct run *data;
    enum granularity granularity;
    struct units *units;      // of a kind, its owner's; else NULL, and
    struct unit_time *places; // by place
    size_t count;
};

// False: no memory. To be freed in either case.
bool numbering_create(struct numbering *n, const struct run *d, enum granularity g);
void numbering_create_by(struct numbering *n, struct units *units); // which have to live as long
void numbering_free(struct numbering *n);

// The number of a unit of the granularity, by its own place (unit_of); `count`: it has no time.
size_t numbering_unit(const struct numbering *n, struct place unit);
// The number of the unit that any place is in; `count` or more: none.
size_t numbering_of(const struct numbering *n, struct place place);

// Each sample is given to its unit by `unit` (analysis/spread.h). NULL with err: no memory.
struct spread *numbering_spread(const struct run *d, size_t units, spread_unit *unit, void *context, struct error *err);

#endif
