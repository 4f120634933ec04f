// Lines of a long text file, plain or compressed by gzip or zstd, one after the other: memory does not grow with it.
#ifndef TIPOFF_IMPORT_LINES_H
#define TIPOFF_IMPORT_LINES_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

struct lines;
struct lines *lines_open(const char *path, struct error *err); // NULL with err
void lines_close(struct lines *l);                             // NULL is fine
// The next line, without its end (LF or CR LF); it may be changed, and lives until the next call. NULL: the end, or
// what could not be read: lines_fault. Of a line beyond 64 KiB the rest is left out.
char *lines_next(struct lines *l);
uint64_t lines_number(const struct lines *l); // of the line given last, from 1 on
uint64_t lines_bytes(const struct lines *l);  // read so far, as unpacked
const char *lines_path(const struct lines *l);
// The same line comes once more.
void lines_again(struct lines *l);
// The line given last had no end: the file may end in its midst.
bool lines_cut(const struct lines *l);
// "" or why the rest cannot be read: compressed data that is damaged, or not whole.
const char *lines_fault(const struct lines *l);
// -EBADMSG; err: "PATH: line N: WHAT".
int lines_bad(const struct lines *l, const char *what, struct error *err);

#endif
