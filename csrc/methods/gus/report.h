// What Gus found, as text, JSON or CSV.
#ifndef TIPOFF_METHODS_GUS_REPORT_H
#define TIPOFF_METHODS_GUS_REPORT_H

#include "analysis/analysis.h"
#include "methods/gus/harts.h"
#include "methods/gus/sweep.h"
#include <stdio.h>

struct gus_report {
    const char *program, *config, *table_path;
    const struct gus_table *table;
    const struct gus *model; // of one hart, and its stream
    const struct gus_stream *stream;
    const struct gus_harts *harts;      // of several, in the place of the two
    const struct program *names;        // NULL: no symbols
    const struct gus_variant *variants; // of --sensitivity; count 0: not asked for
    size_t variant_count;
    size_t limit;      // instructions in the text; 0: all
    bool utf8, colour; // of the text
    unsigned columns;  // that the text may take; 0: as many as it wants
};
enum gus_format { GUS_TEXT, GUS_JSON, GUS_CSV, GUS_SVG, GUS_FORMATS }; // SVG: the map of the gains alone
#define GUS_FORMAT_NAMES "text", "json", "csv", "svg"

// To out; false with err: no memory.
bool gus_report_write(const struct gus_report *r, enum gus_format format, FILE *out, struct error *err);

#endif
