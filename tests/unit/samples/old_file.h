// Sample files of before version 4, whose statistics are JSON text.
#ifndef TIPOFF_TESTS_SAMPLES_OLD_FILE_H
#define TIPOFF_TESTS_SAMPLES_OLD_FILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/base/fuzz.h"

// Makes the file one of that version, with a block of statistics after the others.
static inline void old_file(const char *file, uint32_t version, const char *statistics) {
    enum { STATISTICS_TYPE = 18 }; // as files of before have them
    static struct fuzz_blocks blocks;
    fuzz_take(&blocks, file, "samples", 4); // as it is written now
    fuzz_add(&blocks, STATISTICS_TYPE, (const uint8_t *)statistics, strlen(statistics));
    fuzz_put(&blocks, file, "samples", version);
    fuzz_drop(&blocks);
}

#endif
