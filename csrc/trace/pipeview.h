// The pipeline view: the way of each instruction through the core as a Kanata log, for Konata.
//
//   F  its packet is in the fetch buffer, or it is being decoded      (from the fetch of the packet)
//   Q  it is in the ROB and waits for operands or its turn            (from dispatch)
//   X  it executes: register read up to completion                    (from issue; loads that miss stay here)
//   C  it is done and waits to commit                                 (from completion)
//
// Arrows lead to it, in the cycle of its issue, from the instructions in flight whose registers it reads. A sampled
// instruction is marked, with its state: docs/guide/profiling.md, "Looking at a stall".
//
// Instructions that are squashed end with a flush. Instructions dispatched inside the region are shown, up to their
// end.
#ifndef TIPOFF_TRACE_PIPEVIEW_H
#define TIPOFF_TRACE_PIPEVIEW_H

#include "base/elf.h"
#include "trace/cycle.h"
#include "trace/region.h"

struct pipeview;
// image: names the places of the instructions; lives on. NULL: nobody does. NULL with err.
struct pipeview *pipeview_create(const char *path, unsigned width, const struct trace_region *region,
                                 const struct image *image, struct error *err);
// Every cycle. 0, or -ENOMEM.
int pipeview_cycle(struct pipeview *p, uint64_t cycle, const struct commit_bundle *bundle,
                   const struct trace_stages *stages);
// A trigger in the cycle that was shown last: marks the instructions that the cycle belongs to. taken: it begins a
// sample.
void pipeview_sample(struct pipeview *p, uint64_t cycle, const struct commit_bundle *bundle, bool taken);
// Instructions in flight end as flushed. 0 or a negative errno with err; frees p.
int pipeview_close(struct pipeview *p, struct error *err);

#endif
