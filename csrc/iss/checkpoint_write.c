// Checkpoints, written: each field of the state, and the pages of memory that are not zero.
#include "base/bytes.h"
#include "base/container.h"
#include "base/unnamed.h"
#include "iss/checkpoint_internal.h"
#include "tables_digest.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUN_BYTES = 1 << 20 }; // of a block of memory

static struct container_writer *begin(const struct iss *iss, const struct checkpoint_origin *origin, const char *path,
                                      struct error *err) {
    cJSON *header = cJSON_CreateObject();
    cJSON_AddStringToObject(header, "program", origin->program);
    cJSON_AddStringToObject(header, "build_id", origin->build_id);
    cJSON_AddStringToObject(header, "tables", TABLES_DIGEST);
    guest_images_put(header, &origin->images);
    cJSON_AddNumberToObject(header, "fields", checkpoint_field_count(iss));
    if (iss->hart_count > 1) cJSON_AddNumberToObject(header, "harts", iss->hart_count);
    cJSON_AddNumberToObject(header, "steps", (double)checkpoint_steps(iss));
    if (iss->dram_bytes != DRAM_BYTES) cJSON_AddNumberToObject(header, "memory", (double)iss->dram_bytes);
    char *text = cJSON_PrintUnformatted(header);
    cJSON_Delete(header);
    struct container_writer *w = text ? container_create(path, CHECKPOINT_KIND, CHECKPOINT_VERSION, text, err) : NULL;
    if (!text) error_nomem(err, path);
    free(text);
    return w;
}

// What instructions wrote to x0 is nobody's, and depends on how the loop came here.
static void forget_sink(const struct iss *iss, const struct checkpoint_field *field, uint8_t *bytes) {
    for (unsigned i = 0; i < iss->hart_count; i++) {
        const uint64_t *x = iss->harts[i].x;
        if (field->bytes == (const uint8_t *)x) memset(bytes + X_SINK * sizeof *x, 0, sizeof *x);
    }
}

static int write_fields(const struct iss *iss, struct container_writer *w, struct error *err) {
    struct iss *copy = malloc(sizeof *copy);
    uint8_t *block = malloc(CHECKPOINT_NAME_BYTES + sizeof *copy + sizeof *iss->harts);
    int result = copy && block ? 0 : -ENOMEM;
    if (result < 0) error_nomem(err, "checkpoint");
    if (result == 0) {
        *copy = *iss;
        checkpoint_detach(copy);
    }
    for (unsigned i = 0; result == 0 && i < checkpoint_field_count(iss); i++) {
        struct checkpoint_field field;
        checkpoint_field_at(iss, copy, i, &field);
        memcpy(block, field.name, CHECKPOINT_NAME_BYTES);
        memcpy(block + CHECKPOINT_NAME_BYTES, field.bytes, field.member.bytes);
        forget_sink(iss, &field, block + CHECKPOINT_NAME_BYTES);
        result = container_write(w, CHECKPOINT_FIELD, block, CHECKPOINT_NAME_BYTES + field.member.bytes, err);
    }
    free(block);
    free(copy);
    return result;
}

static bool is_zero(const uint8_t *page) {
    return page[0] == 0 && memcmp(page, page + 1, PAGE_BYTES - 1) == 0;
}

// Runs of pages that are not all zero, each with its offset in DRAM.
static int write_memory(const struct iss *iss, struct container_writer *w, struct error *err) {
    uint8_t *block = malloc(CHECKPOINT_RUN_HEAD + RUN_BYTES);
    int result = block ? 0 : -ENOMEM;
    if (result < 0) error_nomem(err, "checkpoint");
    for (size_t at = 0; result == 0 && at < iss->dram_bytes;) {
        size_t end = at;
        while (end < iss->dram_bytes && end - at < RUN_BYTES && !is_zero(iss->dram + end))
            end += PAGE_BYTES;
        if (end == at) {
            at += PAGE_BYTES;
            continue;
        }
        bytes_put(block, at, CHECKPOINT_RUN_HEAD);
        memcpy(block + CHECKPOINT_RUN_HEAD, iss->dram + at, end - at);
        result = container_write(w, CHECKPOINT_MEMORY, block, CHECKPOINT_RUN_HEAD + end - at, err);
        at = end;
    }
    free(block);
    return result;
}

int checkpoint_write_into(const struct iss *iss, const struct checkpoint_origin *origin, const char *path,
                          struct error *err) {
    struct container_writer *w = begin(iss, origin, path, err);
    if (!w) return -EIO;
    int result = write_fields(iss, w, err);
    if (result == 0) result = write_memory(iss, w, err);
    if (result == 0 && origin->accesses) result = checkpoint_write_accesses(origin->accesses, w, err);
    return container_end(w, result, err);
}

// An empty file beside that one. Its name cannot be foretold and it is new: in a folder that others can write, a link
// in its place would lead elsewhere.
static int make_beside(const char *path, char *name, size_t size, struct error *err) {
    int fd = -1;
    for (int tries = 0; fd < 0 && tries < 100; tries++) {
        if (!unnamed_beside(path, name, size)) {
            error_set(err, "%s: too long a name: choose a shorter one", path);
            return -ENAMETOOLONG;
        }
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) {
        error_set(err, "%s: cannot create: %s: choose another file", path, strerror(errno));
        return -EIO;
    }
    close(fd);
    return 0;
}

int checkpoint_write(const struct iss *iss, const struct checkpoint_origin *origin, const char *path,
                     struct error *err) {
    char temporary[4096];
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) { // a rename would put a file in its place
        error_set(err, "%s: is no regular file, and a checkpoint is: choose another file", path);
        return -EINVAL;
    }
    int result = make_beside(path, temporary, sizeof temporary, err);
    if (result < 0) return result;
    result = checkpoint_write_into(iss, origin, temporary, err);
    if (result == 0 && rename(temporary, path) != 0) {
        result = -errno;
        error_set(err, "%s: cannot create: %s: choose another file", path, strerror(errno));
    }
    if (result >= 0) return 0;
    unlink(temporary);
    const size_t length = strlen(temporary);
    struct error whole = *err;
    if (strncmp(whole.text, temporary, length) == 0) error_set(err, "%s%s", path, whole.text + length);
    return result;
}
