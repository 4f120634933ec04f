// Linux on the ISS (make linux): booted once, then kept as a checkpoint; programs are put in after it.
//
//   linux.elf -> boot to init's first marker -> machine (kept beside it) -> tray into DRAM -> init runs it
//                                                                                -> first instruction of the program
#ifndef TIPOFF_GUEST_GUEST_H
#define TIPOFF_GUEST_GUEST_H

#include "guest/tray.h"
#include "iss/checkpoint.h"

// The booted machine in iss, which waits for its tray: from the checkpoint `machine`, which is made, with a line on
// stderr, where there is none of this program `linux_elf`. 0, or a negative errno with err.
int guest_boot(struct iss *iss, const char *linux_elf, const char *machine, struct checkpoint_origin *origin,
               struct error *err);
struct guest_spaces { // satp's page numbers
    uint64_t init, program;
};
// Puts the tray in, and goes on to the first instruction of its program; a program that cannot be executed has ended
// the run then (iss_exited), init having said why. 0, or -EIO with err: the guest has gone astray.
int guest_start(struct iss *iss, const struct tray_pack *tray, struct guest_spaces *spaces, struct error *err);
// Adds what there is to say of the guest's code: the program at its first instruction, in iss, then init, kernel and
// firmware, from the folder of linux.elf. alone: nothing else that could be executed was handed in, so that its
// children execute it, too. 0, or -EINVAL with err: the program cannot be read.
int guest_describe(struct iss *iss, const struct guest_spaces *spaces, const char *program, bool alone,
                   const char *linux_elf, struct guest_images *images, struct error *err);
// Whether this is a program that the guest can run: a RISC-V ELF of 64 bits. False with err.
bool guest_can_run(FILE *file, const char *path, struct error *err);
// Whether all that a dynamically linked program needs is among the files that are handed in; a static one needs
// nothing. False with err: one line names what is missing.
struct guest_file {
    char host[4096], guest[4098]; // paths
};
bool guest_is_library(const char *path); // or no ELF file: nothing that could be executed by itself
bool guest_has_libraries(const char *program, const struct guest_file *files, size_t count, struct error *err);

#endif
