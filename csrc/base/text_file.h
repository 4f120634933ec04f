// Text files from outside (tables, rules, configurations, sources): read whole, and checked, before a line of them is
// believed.
#ifndef TIPOFF_BASE_TEXT_FILE_H
#define TIPOFF_BASE_TEXT_FILE_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

// The bytes of the file, ended by a zero that *bytes does not count (bytes NULL: not asked for); free() it. NULL with
// err, which ends with the remedy ("name another file"): it cannot be opened or read, is a folder, or has more than
// `most` bytes. A pipe is read to its end.
char *text_file_bytes(const char *path, size_t most, const char *remedy, size_t *bytes, struct error *err);
// ... where it is a regular file, not empty; what the name of a file comes from is not the user, who could say no.
// NULL: it is not, or cannot be read.
char *text_file_bytes_if_any(const char *path, size_t most, size_t *bytes);

// The lines of a file.
struct text_file {
    char *text, *next; // all of it; where the next line begins, NULL after the last
    unsigned line;     // number of the line that was given last, from 1 on
};
// False with err, as above, or because a line holds what is no text: bytes that are no UTF-8, and control characters.
bool text_file_open(struct text_file *t, const char *path, size_t most, const char *remedy, struct error *err);
// The next line, without its end (LF or CR LF), to be changed as one likes; NULL: there is none. Lives until the close.
char *text_file_line(struct text_file *t);
void text_file_close(struct text_file *t);

enum { TEXT_FILE_MOST = 1 << 20 }; // bytes of a table that people write

#endif
