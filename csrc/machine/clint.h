// Core-local interruptor, as SiFive's chips and QEMU's virt machine have it: a software interrupt and a timer compare
// register a hart, and the machine's time. One model for the ISS and for the machine around a core.
//
//   0x0000 + 4 * hart   msip: bit 0 raises MSIP; 32 bits, the others are 0
//   0x4000 + 8 * hart   mtimecmp: MTIP is raised where mtime >= mtimecmp
//   0xbff8              mtime
//
// Registers of harts that do not exist, and all other offsets, read 0 and ignore what is written.
#ifndef TIPOFF_MACHINE_CLINT_H
#define TIPOFF_MACHINE_CLINT_H

#include <stdbool.h>
#include <stdint.h>

struct clint_hart { // the registers stand in their hart, or wherever the machine keeps them
    bool *msip;
    uint64_t *mtimecmp;
};
struct clint {
    const struct clint_hart *harts; // borrowed
    unsigned count;
};

// No interrupt before software asks for one: msip 0, mtimecmp the greatest there is.
void clint_reset(const struct clint *c);
// Accesses of 1, 2, 4 or 8 bytes, not across a multiple of 8; offset from the CLINT's base. mtime: as it is now; a
// store changes it where it is mtime's.
uint64_t clint_load(const struct clint *c, uint64_t mtime, uint64_t offset, unsigned bytes);
void clint_store(const struct clint *c, uint64_t *mtime, uint64_t offset, unsigned bytes, uint64_t value);

#endif
