// The programs that a run was of, by the header of its sample file. Not for other libraries but `tipoff mix`.
#ifndef TIPOFF_REPORT_RUN_IMAGES_H
#define TIPOFF_REPORT_RUN_IMAGES_H

#include "analysis/images_open.h"
#include "report/run.h"

struct guest_image run_program_image(const struct samples_header *header); // of a bare machine
// run->images, readable and disasm, by its header. False with err.
bool run_open_images(struct run *run, const struct report_options *options, struct error *err);

// What the trace of another core shows of the instruction; NULL: nothing.
const struct traced_text *run_traced_text(const struct run *d, uint64_t pc);

#endif
