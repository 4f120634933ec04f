// Sizes of memory as text, and the address space for them: see memory_size.h.
#include "base/memory_size.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char letters[] = "KMG"; // each 1,024 of the one before

const char *memory_size_text(uint64_t bytes, char text[MEMORY_SIZE_TEXT]) {
    unsigned unit = 0;
    uint64_t count = bytes >> 10;
    for (; count && count % 1024 == 0 && letters[unit + 1]; unit++)
        count /= 1024;
    snprintf(text, MEMORY_SIZE_TEXT, "%" PRIu64 "%c", count, letters[unit]);
    return text;
}

static bool refuse(struct error *why, const char *text, const char *fault) {
    char least[MEMORY_SIZE_TEXT], most[MEMORY_SIZE_TEXT];
    error_set(why, "%s: %s: a power of two from %s to %s", text, fault, memory_size_text(MEMORY_LEAST, least),
              memory_size_text(MEMORY_MOST, most));
    return false;
}

bool memory_size_parse(const char *text, uint64_t *bytes, struct error *why) {
    char *end;
    errno = 0;
    const bool digit = *text >= '0' && *text <= '9'; // no sign, no space
    const uint64_t count = strtoull(text, &end, 10);
    const char *letter = digit && *end ? strchr(letters, *end) : NULL;
    if (!letter || end[1]) return refuse(why, text, "no size such as 512M or 1G (K, M, G: KiB, MiB, GiB)");
    const unsigned shift = 10 * (unsigned)(letter - letters + 1);
    if (errno || count > MEMORY_MOST >> shift) return refuse(why, text, "too much");
    *bytes = count << shift;
    if (*bytes < MEMORY_LEAST) return refuse(why, text, "too little");
    return memory_size_is(*bytes) || refuse(why, text, "no size of a memory");
}

uint64_t memory_size_for(uint64_t address, uint64_t bytes) {
    const uint64_t at = address - DRAM_BASE;
    for (uint64_t size = MEMORY_LEAST; address >= DRAM_BASE && size <= MEMORY_MOST; size *= 2)
        if (bytes <= size && at <= size - bytes) return size;
    return 0;
}

uint8_t *memory_reserve(uint64_t bytes, struct error *err) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char text[MEMORY_SIZE_TEXT];
    if (memory != MAP_FAILED) return memory;
    error_set(err,
              "no address space for the machine's memory of %s: %s: free some, raise the limit (ulimit -v), or choose "
              "a smaller --memory",
              memory_size_text(bytes, text), strerror(errno));
    return NULL;
}

void memory_clear(uint8_t *memory, uint64_t bytes) {
    if (madvise(memory, bytes, MADV_DONTNEED) != 0) memset(memory, 0, bytes);
}

void memory_release(uint8_t *memory, uint64_t bytes) {
    if (memory) munmap(memory, bytes);
}
