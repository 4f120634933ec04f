// Linux on the ISS (make linux): booted once, then kept as a checkpoint; programs are put in after it.
//
//   linux.elf -> boot to init's first marker -> machine (kept beside it) -> tray into DRAM -> init runs it
//                                                                                -> first instruction of the program
#ifndef TIPOFF_GUEST_GUEST_H
#define TIPOFF_GUEST_GUEST_H

#include "base/notices.h"
#include "guest/tray.h"
#include "iss/checkpoint.h"
#include "memory_map.h"

#define GUEST_LEAST_MEMORY (TRAY_BASE + TRAY_BYTES - DRAM_BASE)
// Turns of several harts, in instructions: docs/reference/harts.md.
enum { GUEST_QUANTUM = 1000 };

// The booted machine in iss, with as much memory as that has (GUEST_LEAST_MEMORY at least), which waits for its tray:
// from the checkpoint `machine`, which is made, with a notice, where there is none of this program `linux_elf`.
// 0, or a negative errno with err. linux_elf is that of several harts where iss has some.
int guest_boot(struct iss *iss, const char *linux_elf, const char *machine, struct checkpoint_origin *origin,
               const struct notices *notices, struct error *err);
struct guest_spaces { // satp's page numbers
    uint64_t init, program;
};
// Puts the tray in, and goes on to the first instruction of its program; a program that cannot be executed has ended
// the run then (iss_exited), init having said why. 0, or -EIO with err: the guest has gone astray.
int guest_start(struct iss *iss, const struct tray_pack *tray, struct guest_spaces *spaces, struct error *err);
// What samples and profiles call an address space: satp's page number, of the hart that was stepped last; of that one.
uint64_t guest_space(const struct iss *iss);
uint64_t guest_hart_space(const struct hart *hart);
// A file of the host, and where it is in the guest.
struct guest_file {
    char host[4096], guest[4098]; // paths
};
// What was handed in: the program, and the other files.
struct guest_code {
    const char *program;
    const struct guest_file *files;
    size_t count;
};
// Adds the images of the guest's code: the program at its first instruction, in iss, then init, kernel and
// firmware, from the folder of linux.elf. 0, or -EINVAL with err: the program cannot be read.
int guest_describe(struct iss *iss, const struct guest_spaces *spaces, const struct guest_code *code,
                   const char *linux_elf, struct guest_images *images, struct error *err);
// The same of the program's libraries, which are not mapped yet: ahead is a copy of that machine, which is run for it.
void guest_describe_libraries(struct iss *ahead, const struct guest_spaces *spaces, const struct guest_code *code,
                              struct guest_images *images, const struct notices *notices);
// What the program consists of is executed by its children, too: for code with no other file that could be executed.
void guest_describe_children(const struct guest_spaces *spaces, struct guest_images *images);
// An entry of the auxiliary vector of a program at its first instruction; false if there is none.
bool guest_auxiliary(struct iss *iss, uint64_t type, uint64_t *value);
// Addresses of the program less those of its file, at its first instruction: by the entry that the kernel passes to it,
// because a loader runs first. 0 with err: the file cannot be read.
uint64_t guest_bias(struct iss *iss, const char *path, struct error *err);
// Runs the machine on until the program's loader has done its work, or, where the program opens libraries by itself,
// longer, and reports each library: its path, and its address less the file's.
typedef void guest_mapped(void *context, const char *path, uint64_t bias);
void guest_look_ahead(struct iss *iss, const struct guest_spaces *spaces, bool opens, guest_mapped *see, void *context);
// Whether this is a program that the guest can run: a RISC-V ELF of 64 bits. False with err.
bool guest_can_run(FILE *file, const char *path, struct error *err);
// Whether all that a dynamically linked program needs is among the files that are handed in; a static one needs
// nothing. False with err: one line names what is missing.
bool guest_has_libraries(const struct guest_code *code, struct error *err);
bool guest_is_library(const char *path); // or no ELF file: nothing that could be executed by itself
// The file of a library, by its path in the guest or by its last name; NULL: it was not handed in.
const struct guest_file *guest_find_library(const struct guest_code *code, const char *name);
// Whether the program or a file that was handed in calls dlopen.
bool guest_opens_libraries(const struct guest_code *code);

#endif
