// Builds tiny.S for a test.
#ifndef TIPOFF_TESTS_TINY_H
#define TIPOFF_TESTS_TINY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// Writes the executable to `elf`; `flags` are more arguments of the compiler.
static inline bool tiny_build(const char *elf, const char *flags) {
    char command[1024];
    snprintf(command, sizeof command,
             "cd '%s' && riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -g -nostdlib -static "
             "-Wa,--debug-prefix-map='%s'=. "
             "-Wl,-Ttext=0x80000000 -Wl,--section-start=.note.gnu.build-id=0x80001000 -Wl,-n %s -o '%s' "
             "tests/unit/analysis/tiny.S",
             TIPOFF_ROOT, TIPOFF_ROOT, flags, elf);
    return system(command) == 0;
}

#endif
