// The heap: from the program's end to that of memory, by the device tree that the boot ROM hands over.
//
// Nobody asks for it before the heap leaves what every machine has, so that small programs, and cores that hand nothing
// over, do without.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define START UINT64_C(0x80000000)                // of DRAM
#define LEAST (START + (UINT64_C(16) << 20))      // its end where there is as little as there can be
enum { BEGIN_NODE = 1, END_NODE, PROPERTY, NOP }; // tokens (Devicetree Specification, "Flattened Devicetree Format")
enum { MOST = 1 << 20 };                          // bytes of a tree that is believed

extern char __heap_start[], __heap_end[];
const uint8_t *device_tree; // crt0.S: a1 at the start

static uint32_t word(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint64_t cells(const uint8_t *at, unsigned count) {
    return count == 2 ? (uint64_t)word(at) << 32 | word(at + 4) : word(at);
}

// Where the memory ends that begins at START, by the property reg; 0: it is not of that.
static uint64_t end_of(const uint8_t *reg, uint32_t bytes) {
    const unsigned count = bytes == 8 ? 1 : 2; // cells of an address, and of a size
    for (uint32_t i = 0; i + 8 * count <= bytes; i += 8 * count)
        if (cells(reg + i, count) == START) return START + cells(reg + i + 4 * count, count);
    return 0;
}

static uint64_t tree_end(const uint8_t *tree) {
    if (!tree || (uintptr_t)tree % 8 || word(tree) != 0xd00dfeed || word(tree + 4) > MOST) return 0;
    const uint8_t *const end = tree + word(tree + 4), *const names = tree + word(tree + 12);
    int inside = 0; // the node of memory
    for (const uint8_t *at = tree + word(tree + 8); at + 12 <= end;) {
        const uint32_t token = word(at);
        at += 4;
        if (token == BEGIN_NODE) {
            inside = strncmp((const char *)at, "memory@", 7) == 0;
            at += (strlen((const char *)at) + 4) & ~(size_t)3;
        } else if (token == PROPERTY) {
            const uint32_t bytes = word(at), name = word(at + 4);
            if (inside && strcmp((const char *)names + name, "reg") == 0) return end_of(at + 8, bytes);
            at += 8 + ((bytes + 3) & ~UINT32_C(3));
        } else if (token == END_NODE) {
            inside = 0;
        } else if (token != NOP) {
            break;
        }
    }
    return 0;
}

static uint64_t memory_end(void) {
    static uint64_t end;
    if (!end) end = tree_end(device_tree);
    if (!end) end = (uint64_t)(uintptr_t)__heap_end;
    return end;
}

void *sbrk(ptrdiff_t more) {
    static char *at = __heap_start;
    char *const before = at;
    const uint64_t now = (uint64_t)(uintptr_t)at, next = now + (uint64_t)more;
    const int grows = more > 0;
    if (grows ? next < now || (next > LEAST && next > memory_end()) : next < (uint64_t)(uintptr_t)__heap_start) {
        errno = ENOMEM;
        return (void *)-1;
    }
    at += more;
    return before;
}
