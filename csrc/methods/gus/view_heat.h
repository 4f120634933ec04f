// The gains of `tipoff gus --sensitivity` as a map: a row a resource, a column a percentage, and the sets below.
#ifndef TIPOFF_METHODS_GUS_VIEW_HEAT_H
#define TIPOFF_METHODS_GUS_VIEW_HEAT_H

#include "methods/gus/report.h"

// How much faster the stream is with a variant: 0.1: 10 % (Pompougnac et al., section 3.3).
double gus_gain(const struct gus_report *r, const struct gus_variant *v);
void gus_variant_name(const struct gus_report *r, const struct gus_variant *v, char *text, size_t size);
// Variants of more than this are upper bounds: of a resource that is hardly there any more.
enum { GUS_HEAT_COLUMNS = 15 }; // 1 to 15 %

// False: no memory.
bool gus_heat_text(const struct gus_report *r, FILE *out);
bool gus_heat_draw(const struct gus_report *r, FILE *out); // an SVG of its own

#endif
