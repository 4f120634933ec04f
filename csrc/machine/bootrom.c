// The boot ROM: its five instructions, and the device trees that gen.py has made: of one hart, and of as many as there
// can be, which those that a machine lacks are taken out of.
#include "machine/bootrom.h"
#include "base/bytes.h"
#include "device_tree.h"
#include "machine/harts.h"
#include "machine/memory_node.h"
#include "memory_map.h"
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t tree_fp[] = {DEVICE_TREE_FP}, tree_no_fp[] = {DEVICE_TREE_NO_FP};
_Static_assert(BOOTROM_TREE + sizeof tree_fp <= BOOTROM_BYTES && sizeof tree_no_fp <= sizeof tree_fp,
               "a larger boot ROM");

static const uint8_t most_fp[] = {DEVICE_TREE_FP_MOST}, most_no_fp[] = {DEVICE_TREE_NO_FP_MOST};
_Static_assert(DEVICE_TREE_MOST_HARTS == MACHINE_MOST_HARTS, "scripts/generate/device_tree.py");
_Static_assert(sizeof most_fp <= BOOTROM_RESUME_TREE && sizeof most_no_fp <= BOOTROM_RESUME_TREE, "more room for it");
_Static_assert(BOOTROM_RESUME_TREE <= RESUME_BYTES && (RESUME_BASE & 0xfff) == 0 && RESUME_BASE < UINT32_C(1) << 31,
               "a lui loads it");

enum { ADDRESS_BESIDE = 0x02028593 /* addi a1, t0, 32 */, LUI_A1 = 0x5b7 };

static void write_code(uint8_t *rom, uint32_t tree, uint64_t entry) {
    const uint32_t words[] = {
        0x00000297, // auipc t0, 0
        tree,       // the device tree's address, to a1
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
}

// The tables' size stands in the tree as it is.
static void set_memory(uint8_t *tree, size_t room, uint64_t memory) {
    const struct memory_range all = {DRAM_BASE, memory};
    if (memory != DRAM_BYTES && !memory_node_set(tree, room, &all, 1)) abort(); // a generated tree without the node
}

void bootrom_write(uint8_t *rom, uint64_t entry, bool fp, uint64_t memory) {
    write_code(rom, ADDRESS_BESIDE, entry);
    memcpy(rom + BOOTROM_TREE, fp ? tree_fp : tree_no_fp, fp ? sizeof tree_fp : sizeof tree_no_fp);
    set_memory(rom + BOOTROM_TREE, BOOTROM_BYTES - BOOTROM_TREE, memory);
}

// The controller connects `harts` harts: two interrupts of each, each a phandle and a cause.
static int connect(void *tree, const char *compatible, unsigned harts) {
    static const char name[] = "interrupts-extended";
    const int node = fdt_node_offset_by_compatible(tree, -1, compatible), bytes = (int)(16 * harts);
    int there = 0;
    const void *value = fdt_getprop(tree, node, name, &there);
    uint8_t copy[16 * MACHINE_MOST_HARTS];
    if (!value || there < bytes) return -FDT_ERR_NOTFOUND;
    memcpy(copy, value, (size_t)bytes);
    return fdt_setprop(tree, node, name, copy, bytes);
}

void bootrom_write_harts(uint8_t *rom, uint8_t *resume, uint64_t entry, bool fp, uint64_t memory, unsigned harts) {
    write_code(rom, LUI_A1 | RESUME_BASE, entry);
    int fault = fdt_open_into(fp ? most_fp : most_no_fp, resume, BOOTROM_RESUME_TREE);
    for (unsigned i = harts; !fault && i < MACHINE_MOST_HARTS; i++) {
        char path[] = "/cpus/cpu@f";
        path[sizeof path - 2] = "0123456789abcdef"[i];
        fault = fdt_del_node(resume, fdt_path_offset(resume, path));
    }
    if (!fault) fault = connect(resume, "sifive,clint0", harts);
    if (!fault) fault = connect(resume, "sifive,plic-1.0.0", harts);
    if (!fault) fault = fdt_pack(resume);
    if (fault) abort(); // a generated tree without these nodes
    set_memory(resume, BOOTROM_RESUME_TREE, memory);
}
