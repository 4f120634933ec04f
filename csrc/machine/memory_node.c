// The property by libfdt; numbers are big-endian there.
#include "machine/memory_node.h"
#include <libfdt.h>

bool memory_node_set(uint8_t *tree, size_t room, const struct memory_range *ranges, size_t count) {
    static const char type[] = "memory";
    fdt64_t reg[2 * MEMORY_RANGES];
    if (count > MEMORY_RANGES || room < sizeof(struct fdt_header)) return false;
    for (size_t i = 0; i < count; i++) {
        reg[2 * i] = cpu_to_fdt64(ranges[i].base);
        reg[2 * i + 1] = cpu_to_fdt64(ranges[i].bytes);
    }
    if (fdt_open_into(tree, tree, (int)room) != 0) return false;
    const int node = fdt_node_offset_by_prop_value(tree, -1, "device_type", type, sizeof type);
    return node >= 0 && fdt_setprop(tree, node, "reg", reg, (int)(count * 2 * sizeof *reg)) == 0 && fdt_pack(tree) == 0;
}
