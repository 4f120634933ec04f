// The program that a checkpoint becomes for a core: its memory, and the code of the resume ROM. See resume.h.
#include "iss/iss_internal.h"
#include "iss/resume.h"
#include "iss/resume_internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool add_memory(const struct iss *iss, struct image_segment *segments, size_t *count) {
    static const uint8_t zeros[PAGE_BYTES];
    for (size_t at = 0; at < iss->dram_bytes;) {
        size_t end = at;
        while (end < iss->dram_bytes && memcmp(iss->dram + end, zeros, PAGE_BYTES) != 0)
            end += PAGE_BYTES;
        if (end == at) {
            at += PAGE_BYTES;
            continue;
        }
        uint8_t *data = malloc(end - at);
        if (!data) return false;
        memcpy(data, iss->dram + at, end - at);
        segments[(*count)++] = (struct image_segment){DRAM_BASE + at, end - at, end - at, data};
        at = end;
    }
    return true;
}

int resume_image(const struct iss *from, struct image *program, struct error *err) {
    if (!resume_all_possible(from, err)) return -EINVAL;
    size_t begin = 0;
    uint64_t entry = 0;
    struct image_segment *segments = calloc(from->dram_bytes / PAGE_BYTES / 2 + 2, sizeof *segments);
    uint8_t *rom = calloc(1, RESUME_BYTES), *part = malloc(RESUME_BYTES);
    size_t count = 0;
    bool good = segments && rom && part;
    if (good) {
        entry = resume_make(from, rom, &begin);
        memcpy(part, rom + begin, RESUME_BYTES - begin);
        segments[count++] =
            (struct image_segment){RESUME_BASE + begin, RESUME_BYTES - begin, RESUME_BYTES - begin, part};
        good = add_memory(from, segments, &count);
    }
    free(rom);
    if (good) {
        image_replace(program, entry, segments, count);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        free((void *)segments[i].data);
    if (!count) free(part);
    free(segments);
    return error_nomem(err, image_path(program));
}
