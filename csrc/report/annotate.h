// A function line by line, with its time and its source. Not for other libraries.
#ifndef TIPOFF_REPORT_ANNOTATE_H
#define TIPOFF_REPORT_ANNOTATE_H

#include "report/run.h"

// The function of that instruction.
int annotate_function(const struct run *d, const struct report_options *o, const struct image_hit *hit, FILE *out,
                      struct error *err);
// Says which other functions of the program are called `name`, if any.
void annotate_warn(const struct run *d, const struct image_hit *hit, const char *name);

// ---- source text (source_text.c) ----
struct source_text;
// near: a file in whose folder, or in one above it, relative names are looked up when the working folder has them not.
struct source_text *source_text_create(const char *near); // NULL: no memory
void source_text_destroy(struct source_text *t);          // NULL is fine
// The line, without what follows its end; NULL if there is no such file or line. Lives as long as t.
const char *source_text_line(struct source_text *t, const char *file, unsigned line);

#endif
