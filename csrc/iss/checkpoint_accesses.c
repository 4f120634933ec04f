// The last accesses to memory before a checkpoint, in its file: a block of its own, which restoring passes over.
#include "base/bytes.h"
#include "base/container.h"
#include "iss/checkpoint_internal.h"
#include <errno.h>
#include <stdlib.h>

// An access is one number: its line, hart and kind.
enum { NUMBER = 8, HART_SHIFT = 2, LINE_SHIFT = 8 };
_Static_assert(LAST_KINDS <= 1 << HART_SHIFT, "a kind has its bits");
_Static_assert(MACHINE_MOST_HARTS <= 1 << (LINE_SHIFT - HART_SHIFT), "and a hart");
_Static_assert((uint64_t)LAST_ACCESSES_MOST *NUMBER <= CONTAINER_MAX_BLOCK, "they fit one block");

int checkpoint_write_accesses(const struct access_record *accesses, struct container_writer *w, struct error *err) {
    struct last_accesses all;
    if (!access_record_list(accesses, &all, err)) return -ENOMEM;
    uint8_t *const block = malloc((all.count + 1) * NUMBER);
    uint8_t *to = block;
    int result = block ? 0 : -ENOMEM;
    if (!block) error_nomem(err, "record of accesses");
    for (size_t i = 0; block && i < all.count; i++) {
        const struct last_access *a = &all.list[i];
        to = bytes_put(to, a->line << LINE_SHIFT | (unsigned)a->hart << HART_SHIFT | a->kind, NUMBER);
    }
    if (result == 0) result = container_write(w, CHECKPOINT_ACCESSES, block, all.count * NUMBER, err);
    free(block);
    last_accesses_free(&all);
    return result;
}

static bool take(struct last_accesses *out, const uint8_t *data, size_t bytes) {
    const size_t count = bytes / NUMBER;
    if (bytes % NUMBER || count > LAST_ACCESSES_MOST) return false;
    out->list = malloc((count + 1) * sizeof *out->list);
    if (!out->list) return false;
    bool good = true;
    for (out->count = 0; good && out->count < count; out->count++) {
        const uint64_t number = bytes_get(&data, NUMBER);
        const struct last_access a = {number >> LINE_SHIFT,
                                      number >> HART_SHIFT & ((1 << (LINE_SHIFT - HART_SHIFT)) - 1),
                                      number & ((1 << HART_SHIFT) - 1)};
        good = a.kind < LAST_KINDS && a.hart < MACHINE_MOST_HARTS && number >> LINE_SHIFT < UINT64_MAX / LAST_LINE;
        out->list[out->count] = a;
    }
    return good;
}

static bool refuse(const char *path, const char *fault, struct error *err) {
    error_set(err, "%s: %s: make it again with `tipoff iss --checkpoint FILE --accesses`", path, fault);
    return false;
}

bool checkpoint_accesses(const char *path, struct last_accesses *out, struct error *err) {
    *out = (struct last_accesses){NULL, 0};
    struct container_reader *file = container_open(path, CHECKPOINT_KIND, CHECKPOINT_VERSION, CHECKPOINT_VERSION, err);
    if (!file) return false;
    enum container_result result;
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    bool good = true;
    while (good && (result = container_next(file, &type, &data, &bytes, err)) == CONTAINER_BLOCK)
        if (type == CHECKPOINT_ACCESSES)
            good = (!out->list && take(out, data, bytes)) || refuse(path, "damaged: its record of accesses", err);
    if (good && result != CONTAINER_COMPLETE)
        good = refuse(path, result == CONTAINER_TRUNCATED ? "cut short" : "damaged", err);
    if (good && !out->list) good = refuse(path, "holds no record of accesses", err);
    container_destroy(file);
    if (!good) last_accesses_free(out);
    return good;
}
