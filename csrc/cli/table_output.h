// Of a command whose answer is one table: --format text, csv or json, --output, and how the table goes there.
#ifndef TIPOFF_CLI_TABLE_OUTPUT_H
#define TIPOFF_CLI_TABLE_OUTPUT_H

#include "base/error.h"
#include "report/sheet.h"
#include <argp.h>

// Zeros: as text, to stdout.
struct table_output {
    const char *path;                               // NULL: stdout
    void (*text)(const struct sheet *s, FILE *out); // of the text; NULL: as of any sheet
    void (*write)(const struct sheet *s, FILE *out);
};
// A child of a command's parser, whose input this is. Its keys are TABLE_OUTPUT_KEYS and more, and 'o'.
enum { TABLE_OUTPUT_KEYS = 0x1400 };
extern const struct argp table_output_argp;

bool table_output_is_text(const struct table_output *t);
// The exit status, with err where it is not EXIT_SUCCESS; a sheet that memory did not suffice for is STATUS_BAD_INPUT.
int table_output_write(const struct table_output *t, const struct sheet *s, struct error *err);

#endif
