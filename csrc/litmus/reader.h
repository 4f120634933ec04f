// What the parts of the reader share: where they are in the text, and how they complain.
#ifndef TIPOFF_LITMUS_READER_H
#define TIPOFF_LITMUS_READER_H

#include "base/error.h"
#include "litmus/test.h"

struct reader {
    const char *path;
    const char *text, *at, *end; // all of it; where reading is; where it must stop (the end of a cell, or of the text)
    struct litmus_test *test;
    struct error *err;
};

// False, always: path:line:column (from 1 on) of `where`, and the text, which ends with the remedy.
__attribute__((format(printf, 3, 4))) bool reader_fails(const struct reader *r, const char *where, const char *format,
                                                        ...);
void reader_blanks(struct reader *r);                  // skips blanks and line ends
bool reader_ended(struct reader *r);                   // nothing but blanks is left
bool reader_takes(struct reader *r, const char *sign); // skips blanks, and the sign if it stands there
bool reader_needs(struct reader *r, const char *sign, const char *remedy);
// A name ([A-Za-z_][A-Za-z0-9_.]*), 0 bytes where none stands there; behind blanks; not moved over.
size_t reader_name(struct reader *r);
bool reader_is(struct reader *r, const char *word); // the name that stands there is this one
// Decimal or 0x..., with a sign; false with an error where none stands there, or it has more than 64 bits.
bool reader_number(struct reader *r, uint64_t *number);
int reader_register(const char *name, size_t bytes); // x0..x31 and the ABI's names; -1: none

// The number of that location; it is made where there is none. -1 with an error.
int reader_location(struct reader *r, const char *name, size_t bytes);
// A number or the name of a location, `&` or not.
bool reader_value(struct reader *r, struct litmus_value *value);

// ---- the parts: false with an error ----
bool litmus_read_init(struct reader *r);      // behind its `{`, over its `}`
bool litmus_read_code(struct reader *r);      // the table, up to the first word after it
bool litmus_read_condition(struct reader *r); // all the rest
// One instruction, in a cell that ends at r->end; labels are the names of targets, known when all rows are read.
struct code_labels;
bool litmus_read_instruction(struct reader *r, struct litmus_thread *thread, struct code_labels *labels);

#endif
