// The boot ROM: five instructions that jump to a program, and a device tree, in the manner of QEMU's virt machine.
#ifndef TIPOFF_MACHINE_BOOTROM_H
#define TIPOFF_MACHINE_BOOTROM_H

#include <stdbool.h>
#include <stdint.h>

// Fills the BOOTROM_BYTES bytes at rom: five instructions, and the device tree of a hart with or without F and D. The
// hart arrives at `entry` with a0 = mhartid, a1 = address of the device tree.
void bootrom_write(uint8_t *rom, uint64_t entry, bool fp);

#endif
