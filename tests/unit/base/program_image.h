// A program of a few instructions, as image_load makes it of a file (tests/unit/base/elf_file.h). Included behind
// cmocka.h.
#ifndef TIPOFF_TESTS_PROGRAM_IMAGE_H
#define TIPOFF_TESTS_PROGRAM_IMAGE_H

#include "base/elf.h"
#include "tests/unit/base/elf_file.h"
#include <stdlib.h>
#include <unistd.h>

// `bytes` bytes of code at ELF_ADDRESS, at most ELF_CODE_MAX; image_destroy it.
static inline struct image *program_image(const void *code, size_t bytes) {
    char path[] = "/tmp/test_image_XXXXXX";
    struct elf_file file;
    struct error err = {""};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    elf_make(&file, code, bytes);
    assert_int_equal(elf_write(path, &file, sizeof file), 0);
    struct image *image = image_load(path, &err);
    unlink(path);
    if (!image) fail_msg("%s", err.text);
    return image;
}

#endif
