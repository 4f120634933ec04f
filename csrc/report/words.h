// Addresses, instructions and reasons in words. Not for other libraries.
#ifndef TIPOFF_REPORT_WORDS_H
#define TIPOFF_REPORT_WORDS_H

#include "report/run.h"

// Where frames of a call stack are left out (call_tree.h). No row of a file has that place: an end of the run has no
// space.
#define REPORT_LEFT_OUT ((struct place){PROFILE_PC_END, UINT64_MAX})

enum { REPORT_WHY_PART = 10 }; // an event explains a time if it has more than one part in this many of it

// Bytes that files give a unit's name, with its image; tables for people REPORT_SHOWN, where names of C++ are short
// (short_name.h). A longer one is cut in its middle so that it stays another one than all others (plain_fit).
enum { REPORT_WHOLE = 16384, REPORT_SHOWN = 512 };
// "eval+0x1c", "eval", "end of run"; the bare address where there is no symbol.
void report_name(const struct run *d, enum granularity g, struct place place, char *text, size_t size);
// As in files: an address "0x80000000" for an instruction or a block, a symbol for a function.
void report_unit(const struct run *d, enum granularity g, struct place place, char *text, size_t size);
void report_instruction(const struct run *d, struct place place, char *text, size_t size); // disassembly, or ""
const char *report_execution_unit(const struct run *d, struct place place);                // "alu", or ""
// The data at a physical address, "queue+0x8": program_data. False: no name.
bool report_data(const struct run *d, uint64_t address, char *text, size_t size);
const char *report_source(const struct run *d, struct place place, unsigned *line); // NULL: not known
// True where an event explains it: its number to *event.
bool report_why(const struct run *d, const struct unit_time *unit, char *text, size_t size, unsigned *event);
// What report_why is made of: for i = 0 what it says of time in the state, for those that follow what an event adds to
// that, in the order in which it looks for them. NULL: there are no more.
const char *report_explanation(unsigned state, size_t i, const char **event);
const char *report_state_name(unsigned state);
// To the end of the text, as far as it fits.
void words_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *report_state_words(unsigned state);

#endif
