// What a flattened device tree says of memory.
#ifndef TIPOFF_MACHINE_MEMORY_NODE_H
#define TIPOFF_MACHINE_MEMORY_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_range {
    uint64_t base, bytes;
};
enum { MEMORY_RANGES = 2 };

// Makes these, at most MEMORY_RANGES, the memory of the tree (reg of the one node with device_type memory; two cells an
// address, two a size), in place; it may grow up to `room` bytes, all the caller's. False, and the tree is
// of no more use: no such node, or no room.
bool memory_node_set(uint8_t *tree, size_t room, const struct memory_range *ranges, size_t count);

#endif
