// The boot ROM: its five instructions, and the device trees that gen.py has made.
#include "machine/bootrom.h"
#include "base/bytes.h"
#include "device_tree.h"
#include "memory_map.h"
#include <string.h>

static const uint8_t tree_fp[] = {DEVICE_TREE_FP}, tree_no_fp[] = {DEVICE_TREE_NO_FP};
enum { TREE = 32 }; // where a1 points
_Static_assert(TREE + sizeof tree_fp <= BOOTROM_BYTES && sizeof tree_no_fp <= sizeof tree_fp, "a larger boot ROM");

void bootrom_write(uint8_t *rom, uint64_t entry, bool fp) {
    static const uint32_t words[] = {
        0x00000297, // auipc t0, 0
        0x02028593, // addi  a1, t0, 32
        0xf1402573, // csrr  a0, mhartid
        0x0182b283, // ld    t0, 24(t0)
        0x00028067, // jr    t0
        0,
    };
    memset(rom, 0, BOOTROM_BYTES);
    uint8_t *p = rom;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        p = bytes_put(p, words[i], 4);
    bytes_put(p, entry, 8);
    memcpy(rom + TREE, fp ? tree_fp : tree_no_fp, fp ? sizeof tree_fp : sizeof tree_no_fp);
}
