// `tipoff run --dump-memory`: a part of memory into a file when the program has ended.
//
// Memory with the data cache's dirty lines in it, and with all stores up to the one that ended the program. With
// lockstep on that is checked: bytes that differ from the ISS's memory are an error, not a file that is wrong without a
// word. Of several harts memory has what each had stored as the program ended, and no ISS has all of it.
#ifndef TIPOFF_HARNESS_MEMORY_DUMP_H
#define TIPOFF_HARNESS_MEMORY_DUMP_H

#include "base/elf.h"
#include "harness/soc.h"
#include "iss/iss.h"

enum { MEMORY_DUMPS_MOST = 8 };

struct memory_dump {
    char *symbol;     // or an address in hexadecimal
    const char *path; // the file; NULL: the bytes go to `copy`
    void *copy;
    uint64_t address, bytes;
};
struct memory_dumps {
    struct memory_dump list[MEMORY_DUMPS_MOST];
    unsigned count;
};

// Adds SYMBOL[:BYTES]=FILE, whose text lives on. -EINVAL with err.
int memory_dumps_parse(struct memory_dumps *d, char *text, struct error *err);
// Finds the symbols. -EINVAL with err: before the run.
int memory_dumps_resolve(struct memory_dumps *d, const struct image *image, struct soc *soc, struct error *err);
// After the run. iss: NULL without lockstep. -EBADMSG: memory lacks what the program stored; -EIO: a file.
int memory_dumps_write(const struct memory_dumps *d, struct soc *soc, const struct iss *iss, struct error *err);

#endif
