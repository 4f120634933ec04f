// The data of the HTML report, as columns (docs/guide/report.md, "The data in the page"). Not for other libraries.
#ifndef TIPOFF_REPORT_HTML_DOCUMENT_H
#define TIPOFF_REPORT_HTML_DOCUMENT_H

#include "report/call_tree.h"
#include "report/json_text.h"
#include "report/pair_numbers.h"
#include "report/run.h"
#include <cjson/cJSON.h>

// ---- what names mean, and the numbers of rules (html_words.c) ----
void html_words_add(cJSON *root, unsigned events); // "states", "event_list" (that many of them), "rules"

// ---- the run as a whole (html_run.c) ----
// The members that are none of the columns below. False with or without err: no memory without.
bool html_run_write(const struct run *d, FILE *out, struct error *err);

// ---- views that fill a sheet (html_tables.c) ----
// "tables"; false: no memory.
bool html_tables_write(const struct run *d, const struct report_options *options, FILE *out);

// ---- functions and their code (html_functions.c) ----
// A function is a place of granularity BY_FUNCTION: one a mode and address space. Those with the same code share
// its listing. Both are numbered from 0.
#define HTML_NONE UINT32_MAX
struct html_code {
    struct image_hit first; // its first instruction
    uint32_t count;         // of the function's instructions
    uint32_t listed;        // of them: all, or those with time where the page would grow too large
    uint32_t *slot;         // of each: its number in the listing, HTML_NONE: left out
    uint64_t weight;        // of the profile reported
    struct place place;     // of the first instruction, as it ran
};
struct html_functions {
    size_t count;
    struct place *places; // by pc, context
    uint32_t *code;       // of each; HTML_NONE: its program cannot be read
    size_t code_count;
    struct html_code *codes;
};
// All functions that any profile of the file has time of, and those that call them (calls: NULL where the file has no
// call stacks). False: no memory.
bool html_functions_create(struct html_functions *f, const struct run *d, const struct call_tree *calls);
void html_functions_destroy(struct html_functions *f);
struct html_slot {
    uint32_t function, instruction; // instruction: in its listing, 0 where there is none
};
// Of a place that has time in some profile, or of a function that calls.
struct html_slot html_functions_find(const struct html_functions *f, const struct run *d, struct place place);
void html_functions_write(const struct html_functions *f, const struct run *d, struct pair_numbers *inlines,
                          struct string_table *strings, FILE *out); // "functions" and "code"

// ---- inlined calls (html_inlines.c) ----
// The innermost call that the instruction at pc was inlined from; HTML_NONE: none.
uint32_t html_inlines_number(struct pair_numbers *inlines, const struct html_code *code, uint64_t pc,
                             struct string_table *strings);
void html_inlines_write(const struct pair_numbers *inlines, FILE *out); // "inlines", behind all numbers

// ---- the rows of the profile, their frames, and when they had their time (html_rows.c) ----
bool html_rows_write(const struct html_functions *f, const struct run *d, const struct call_tree *calls,
                     struct string_table *strings, FILE *out); // "rows", "frames" and "timeline"; false: no memory

// ---- all profiles of the file side by side (html_profilers.c) ----
bool html_profilers_write(const struct html_functions *f, const struct run *d,
                          FILE *out); // "profilers"; false: no memory

// ---- what is known of the run as a whole (html_known.c) ----
// "known": the deviations of functions and instructions, in cycles, and why each instruction with time takes it. False
// with or without err: no memory without.
bool html_known_write(const struct html_functions *f, const struct run *d, struct string_table *strings, FILE *out,
                      struct error *err);

// ---- loops and basic blocks (html_units.c) ----
bool html_units_write(const struct html_functions *f, const struct run *d, struct string_table *strings, FILE *out,
                      struct error *err); // "units"; false as above

// ---- pipeline snippets of the hottest instructions (html_snippets.c) ----
void html_snippets_write(const struct html_functions *f, const struct run *d, struct string_table *strings,
                         FILE *out); // "snippets": none where the run kept none

// ---- source text of what is listed (html_sources.c) ----
bool html_sources_write(const struct html_functions *f, const struct run *d, struct string_table *strings,
                        FILE *out); // "sources"; false: no memory

const char *html_source_name(const char *file); // as reports have it
// Number of the name of the source file of a place, with its line; STRING_NONE: not known.
uint32_t html_source_number(const struct run *d, struct string_table *strings, struct place place, unsigned *line);
// Of a listing: the place of each instruction of the function, listed or not.
struct place html_code_place(const struct html_code *code, uint32_t instruction);

#endif
