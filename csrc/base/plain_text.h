// Text that came from outside (names of functions, files, programs) as it may be shown: UTF-8 that no terminal, table
// or JSON reader stumbles over. Bytes that are no UTF-8, control characters (C0 but tab, DEL, C1), line ends, and marks
// that turn the direction of text become \xNN, byte by byte, so that two names stay two.
#ifndef TIPOFF_BASE_PLAIN_TEXT_H
#define TIPOFF_BASE_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of the character that begins here; 0: none does. (Unicode standard, table 3-7: no overlong forms, no
// surrogates.)
size_t plain_character(const unsigned char *p, uint32_t *code);
bool plain_is(const char *text);
// All three: free() it. NULL: no memory. A name as it is read, once: letters of its own that look like such an escape
// get \x5c for their backslash.
char *plain_name(const char *name);
// Any text, as it is written: what is plain stays as it is.
char *plain_text(const char *text);
// ... of a document that has a way of its own to write control characters: only what is no UTF-8 is escaped.
char *plain_utf8(const char *text);
// plain_text in `size` bytes, cut where it does not fit, never inside a character or an escape.
void plain_put(char *out, size_t size, const char *text);
// Likewise for a name that is plain, and what follows it: where both are too long, the middle of the name makes
// room for "~" and a number of the whole name, 16 digits, so that names that differ anywhere stay different. size: 64
// at least; `behind` is shorter than half of it.
void plain_fit(char *out, size_t size, const char *name, const char *behind);

#endif
