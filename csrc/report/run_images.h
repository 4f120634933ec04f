// Opens the programs that a run was of. Not for other libraries.
#ifndef TIPOFF_REPORT_RUN_IMAGES_H
#define TIPOFF_REPORT_RUN_IMAGES_H

#include "report/run.h"

// run->images, readable and disasm, by its header. False with err.
bool run_open_images(struct run *run, const struct report_options *options, struct error *err);

#endif
