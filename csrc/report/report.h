// Reports: a sample file as text and as an HTML page for people, and as CSV and JSON for programs.
#ifndef TIPOFF_REPORT_REPORT_H
#define TIPOFF_REPORT_REPORT_H

#include "analysis/analysis.h"
#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// The formats: identifier, name, whether there is one of cycle stacks and of `tipoff compare`, and the functions of
// report_data.h that write them. A new one is a row here, and its file.
#define REPORT_FORMATS(ROW)                                                                                            \
    ROW(TEXT, "text", true, true, report_text, report_text)                                                            \
    ROW(CSV, "csv", true, true, report_csv, report_stacks_csv)                                                         \
    ROW(JSON, "json", true, true, report_json, report_stacks_json)                                                     \
    ROW(HTML, "html", false, false, report_html, NULL)
#define REPORT_FORMAT_IDENTIFIER(id, name, stacks, compare, report_function, stacks_function) REPORT_##id,
enum report_format { REPORT_FORMATS(REPORT_FORMAT_IDENTIFIER) };
enum report_use { REPORT_USE_PROFILE, REPORT_USE_STACKS, REPORT_USE_COMPARE };
// False: there is none of that name for that use.
bool report_format_find(enum report_use use, const char *name, enum report_format *format);
// "text, csv, json": those there are for that use.
void report_format_names(enum report_use use, char *text, size_t size);

struct report_options {
    enum report_format format;
    enum granularity granularity;  // of CSV and JSON rows, and of the text's table where one_table is set
    bool one_table;                // text: the summary and that table only
    size_t top;                    // rows of a table; 0: all
    bool stacks;                   // cycle stacks of functions and instructions (of `granularity`, with one_table)
    const char *profiler;          // whose profile; NULL: TIP's samples, the Oracle's rows where there are none
    const char *annotate;          // text: list this function; NULL: the hottest
    const char *program;           // ELF file in place of the one the samples name, or NULL
    const char *kernel, *firmware; // of a run of Linux, likewise
    const char *output;            // where it will be written, which no file that is read may be; NULL: elsewhere
    const char *page;              // HTML: the page that the data is put into (html/); NULL: not found
    bool utf8, colour;             // text: block characters, escape sequences
};

// What suits `out`: text, 20 rows; block characters in a UTF-8 locale, colour on a terminal (unless NO_COLOR is set).
struct report_options report_defaults(FILE *out);

// All return 0, or a negative errno with err filled in (one line: file, fault, remedy): the file is missing, of another
// version or has a bad block, or there is no such profiler or function. A truncated file is reported as far as it is
// good. Both this and a program that cannot be read are told in one line each on stderr.
int report_write(const char *path, const struct report_options *options, FILE *out, struct error *err);
int report_print(const char *path, FILE *out, struct error *err); // report_write with the defaults

// The error of each profiler against the Oracle at each granularity: of one file, or mean and maximum over several.
int report_compare(const char *const *paths, size_t count, const struct report_options *options, FILE *out,
                   struct error *err);

#endif
