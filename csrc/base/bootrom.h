// The boot ROM: five instructions that jump to a program, in the manner of QEMU's virt machine.
#ifndef TIPOFF_BASE_BOOTROM_H
#define TIPOFF_BASE_BOOTROM_H

#include <stdint.h>

// Fills the BOOTROM_BYTES bytes at rom. The hart arrives at `entry` with a0 = mhartid, a1 = address of the device tree.
void bootrom_write(uint8_t *rom, uint64_t entry);

#endif
