// The formats that can be read, a file each, and what they share. Not for other libraries.
#ifndef TIPOFF_IMPORT_FORMATS_H
#define TIPOFF_IMPORT_FORMATS_H

#include "import/import.h"

extern const struct import_format import_o3pipeview, import_kanata, import_lifetimes, import_fields, import_retires;

// The number up to `end` (':', '\t', ',' or the line's end), decimal, or hexadecimal with 0x; *next: after that
// character, or NULL at the line's end. An empty field is 0. False: it is no number, or none of 64 bits.
bool import_number(const char *text, char end, uint64_t *value, char **next);
// Sets control and load by the instruction's text, of RISC-V, Arm or x86.
void import_classify(struct import_life *life, const char *text);

#endif
