/* Regions of a program that it measures in itself, natively, while it runs to its end (ROIperf: Sabu's thesis, chapter
   7): where a region begins and ends says a trigger on an address, whose hits a counter counts; at the Nth hit the
   counter's overflow interrupts, and nothing happens at those before. For bare-metal programs of one hart on cores with
   triggers (profile.triggers; docs/guide/regions.md, ROIperf): link roi.c, which stands beside this file. */
#ifndef TIPOFF_ROI_H
#define TIPOFF_ROI_H

#include <stddef.h>
#include <stdint.h>

enum { ROI_EVENTS = 4 }; /* counted beside cycles and instructions, at most */

/* Regions in the order in which they come; none overlaps another. */
struct roi_region {
    uintptr_t start;      /* address of an instruction ... */
    uint64_t start_count; /* ... and at which of its executions from the end of the region before on (of the first: from
                             roi_start on) it begins; 0: there, without a pause */
    uintptr_t end;        /* likewise, from its start on; 0: after end_count instructions (the thesis's hybrid) */
    uint64_t end_count;   /* 1 or more */
    double multiplier;    /* what it stands for */
};

struct roi_values {
    uint64_t cycles, instructions, events[ROI_EVENTS];
};

/* From now on. regions and values (of as many): the caller's, until roi_stop. events: numbers of mhpmevent
   (docs/reference/pmu.md), at most ROI_EVENTS. Takes machine mode's trap vector and mscratch, interrupts, trigger 0 and
   counters 4 to 9 for itself. */
void roi_start(const struct roi_region *regions, struct roi_values *values, size_t count, const unsigned *events,
               unsigned event_count);
/* No more; the number of regions that were measured to their end. */
size_t roi_stop(void);

#endif
