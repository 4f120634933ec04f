// The boot ROM: five instructions that jump to a program, and a device tree, in the manner of QEMU's virt machine.
#ifndef TIPOFF_MACHINE_BOOTROM_H
#define TIPOFF_MACHINE_BOOTROM_H

#include <stdbool.h>
#include <stdint.h>

enum { BOOTROM_TREE = 32 };            // offset of the device tree, where a1 points
enum { BOOTROM_RESUME_TREE = 0x2000 }; // bytes for that of several harts, at RESUME_BASE

// Fills the BOOTROM_BYTES bytes at rom: five instructions, and the device tree of a hart with or without F and D and so
// many bytes of memory. The hart arrives at `entry` with a0 = mhartid, a1 = address of the device tree.
void bootrom_write(uint8_t *rom, uint64_t entry, bool fp, uint64_t memory);
// Of a machine of several harts (2 to MACHINE_MOST_HARTS), which all arrive there: its device tree, which is too
// long for the boot ROM, fills the first BOOTROM_RESUME_TREE bytes of the resume ROM; the code of a checkpoint comes
// after it (iss/resume.h).
void bootrom_write_harts(uint8_t *rom, uint8_t *resume, uint64_t entry, bool fp, uint64_t memory, unsigned harts);

#endif
