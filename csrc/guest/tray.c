// Packs the tray: records one after the other, padded to 8 bytes, their number in front.
#include "guest/tray.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct tray_pack {
    uint8_t *data;
    size_t bytes, capacity;
};

static struct tray *head(struct tray_pack *t) {
    return (struct tray *)t->data;
}

// Reserves this many bytes more, all zero.
static int reserve(struct tray_pack *t, size_t more, const char *name, struct error *err) {
    if (more > TRAY_BYTES - t->bytes) {
        error_set(err,
                  "%s: program and files are larger than the %llu MiB that can be handed to the guest: leave some out",
                  name, (unsigned long long)(TRAY_BYTES >> 20));
        return -ENOSPC;
    }
    const size_t before = t->capacity;
    if (!array_reserve_all(&t->data, &t->capacity, t->bytes + more, 1)) return error_nomem(err, name);
    memset(t->data + before, 0, t->capacity - before);
    return 0;
}

struct tray_pack *tray_create(struct error *err) {
    struct tray_pack *t = calloc(1, sizeof *t);
    if (!t || reserve(t, sizeof(struct tray), "tray", err) < 0) {
        if (!t) error_nomem(err, "tray");
        free(t);
        return NULL;
    }
    t->bytes = sizeof(struct tray);
    head(t)->magic = TRAY_MAGIC;
    return t;
}

void tray_destroy(struct tray_pack *t) {
    if (!t) return;
    free(t->data);
    free(t);
}

int tray_add(struct tray_pack *t, enum tray_kind kind, const char *name, const void *data, size_t bytes,
             struct error *err) {
    const size_t name_bytes = strlen(name) + 1;
    const struct tray_record record = {(uint32_t)kind, (uint32_t)name_bytes, bytes};
    if (bytes > TRAY_BYTES) bytes = TRAY_BYTES; // does not fit either, and the sum below holds
    const size_t all = (sizeof record + name_bytes + bytes + 7) & ~(size_t)7;
    int result = reserve(t, all, name, err);
    if (result < 0) return result;
    uint8_t *to = t->data + t->bytes;
    memcpy(to, &record, sizeof record);
    memcpy(to + sizeof record, name, name_bytes);
    if (bytes) memcpy(to + sizeof record + name_bytes, data, bytes);
    t->bytes += all;
    head(t)->records++;
    return 0;
}

int tray_add_file(struct tray_pack *t, enum tray_kind kind, const char *name, FILE *file, const char *path,
                  struct error *err) {
    uint8_t *data = malloc(TRAY_BYTES + 1);
    int result = data ? 0 : -ENOMEM;
    if (!data) error_nomem(err, path);
    size_t bytes = data ? fread(data, 1, TRAY_BYTES + 1, file) : 0;
    if (data && ferror(file)) {
        error_set(err, "%s: cannot read: check the disk and permissions", path);
        result = -EIO;
    }
    if (result == 0) result = tray_add(t, kind, name, data, bytes, err);
    free(data);
    return result;
}

const void *tray_data(const struct tray_pack *t, size_t *bytes) {
    *bytes = t->bytes;
    return t->data;
}
