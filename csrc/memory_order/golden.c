// Memory as all harts see it now: each byte's value, and when the last store wrote it.
//
// Most stores are as wide as 8 bytes or meet bytes that were written together: a time for 8 bytes, and for each byte
// only where they differ. The host gives pages as they are written to.
#include "base/memory_size.h"
#include "memory_order/order_internal.h"
#include <string.h>

enum { WIDE = 8 };
#define MIXED UINT64_MAX

bool golden_create(struct order_memory *g, uint64_t base, uint64_t bytes, struct error *err) {
    const uint64_t lines = bytes / MEMORY_ORDER_LINE;
    *g = (struct order_memory){.base = base, .bytes = bytes};
    g->contents = memory_reserve(bytes, err);
    if (g->contents) g->written = (uint64_t *)memory_reserve(bytes, err);
    if (g->written) g->apart = (uint64_t *)memory_reserve(WIDE * bytes, err);
    if (g->apart) g->held = memory_reserve(lines, err);
    if (g->held) g->own = memory_reserve(lines, err);
    if (g->own) return true;
    golden_destroy(g);
    return false;
}

uint64_t memory_order_digest(const uint64_t words[MEMORY_ORDER_LINE / 8]) {
    uint64_t digest = 0;
    for (unsigned i = 0; i < MEMORY_ORDER_LINE / WIDE; i++)
        digest = (digest << 7 | digest >> 57) ^ words[i];
    return digest;
}

void golden_destroy(struct order_memory *g) {
    const uint64_t lines = g->bytes / MEMORY_ORDER_LINE;
    memory_release(g->contents, g->bytes);
    memory_release((uint8_t *)g->written, g->bytes);
    memory_release((uint8_t *)g->apart, WIDE * g->bytes);
    memory_release(g->held, lines);
    memory_release(g->own, lines);
    *g = (struct order_memory){0};
}

bool golden_inside(const struct order_memory *g, uint64_t address, uint64_t bytes) {
    return address >= g->base && bytes <= g->bytes && address - g->base <= g->bytes - bytes;
}

struct golden_bytes golden_read(const struct order_memory *g, uint64_t address, unsigned size) {
    const uint64_t at = address - g->base, wide = at / WIDE;
    struct golden_bytes read = {0};
    memcpy(&read.word, g->contents + at, size);
    for (unsigned i = 0; i < size; i++)
        read.written[i] = g->written[wide] == MIXED ? g->apart[at + i] : g->written[wide];
    return read;
}

void golden_line(const struct order_memory *g, uint64_t first, uint64_t words[MEMORY_ORDER_LINE / WIDE]) {
    memcpy(words, g->contents + (first - g->base), MEMORY_ORDER_LINE);
}

bool golden_stored(const struct order_memory *g, uint64_t address, unsigned bytes) {
    const uint64_t at = address - g->base;
    return g->written[at / WIDE] | g->written[(at + bytes - 1) / WIDE];
}

void golden_write(struct order_memory *g, uint64_t address, unsigned size, uint64_t data, uint64_t time) {
    const uint64_t at = address - g->base, wide = at / WIDE;
    memcpy(g->contents + at, &data, size);
    if (size == WIDE) {
        g->written[wide] = time;
        return;
    }
    if (g->written[wide] != MIXED) {
        for (unsigned i = 0; i < WIDE; i++)
            g->apart[wide * WIDE + i] = g->written[wide];
        g->written[wide] = MIXED;
    }
    for (unsigned i = 0; i < size; i++)
        g->apart[at + i] = time;
}
