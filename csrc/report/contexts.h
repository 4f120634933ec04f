// Modes and processes: who an address belongs to, and how much time each of them has. Not for other libraries.
#ifndef TIPOFF_REPORT_CONTEXTS_H
#define TIPOFF_REPORT_CONTEXTS_H

#include "report/run.h"

void report_count_contexts(struct run *d); // of its rows
// Whether the image follows a name: there are several images, and the name does not say it.
bool report_shows_image(const struct run *d, const char *image, const char *name);
bool report_has_modes(const struct run *d);                          // there are images by mode: an operating system
const char *report_mode_name(const struct run *d, uint64_t context); // "user"; "" in files without modes
const char *report_image(const struct run *d, struct place place);   // "kernel", or ""
void report_process(const struct run *d, uint64_t context, char *text, size_t size); // of its address space
// report_name, with image and process where there are several: "schedule [kernel]", "work {space 0x80123}".
void report_label(const struct run *d, enum granularity g, struct place place, char *text, size_t size);
// ... and its hart, where there are several: "work {hart 1}". For places of profiles: those of results have none.
void report_label_of_hart(const struct run *d, enum granularity g, struct place place, char *text, size_t size);
void report_context_words(const struct run *d, struct place place, char *text, size_t size);

#endif
