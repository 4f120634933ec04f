// Where what `tipoff gus` reports goes: a file or the terminal, and the picture beside it.
#ifndef TIPOFF_CLI_GUS_OUTPUT_H
#define TIPOFF_CLI_GUS_OUTPUT_H

#include "methods/gus/report.h"

struct gus_output {
    const char *output, *heat_map; // NULL: stdout; none
    enum gus_format format;
};
// Sets how the text looks, too. The exit status, with err.
int gus_output_write(const struct gus_output *o, struct gus_report *r, struct error *err);

#endif
