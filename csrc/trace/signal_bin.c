// Values of signals in binary: records of equal cycles, gathered to blocks.
#include "base/bytes.h"
#include "base/container.h"
#include "trace/signal_trace.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 16 + 8 * SIGNAL_SLOTS, BUFFER = 1 << 18 };

struct signal_writer {
    struct container_writer *container;
    unsigned columns;
    uint64_t cycle, count; // the record that is open; count 0: none
    uint64_t values[SIGNAL_SLOTS];
    uint8_t *end;
    uint8_t buffer[BUFFER];
};

static char *header_of(const struct signal_columns *columns) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "group", columns->group);
    cJSON *names = cJSON_AddArrayToObject(object, "columns"), *hex = cJSON_AddArrayToObject(object, "hex");
    for (unsigned i = 0; i < columns->count; i++) {
        cJSON_AddItemToArray(names, cJSON_CreateString(columns->list[i].name));
        cJSON_AddItemToArray(hex, cJSON_CreateNumber(columns->list[i].hex));
    }
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return text;
}

static struct signal_writer *bin_create(const char *path, const struct signal_columns *columns, struct error *err) {
    struct signal_writer *w = malloc(sizeof *w);
    char *header = header_of(columns);
    if (!w || !header) {
        error_nomem(err, path);
        free(w);
        free(header);
        return NULL;
    }
    w->columns = columns->count;
    w->count = 0;
    w->end = w->buffer;
    w->container = container_create(path, SIGNALS_KIND, SIGNALS_VERSION, header, err);
    free(header);
    if (w->container) return w;
    free(w);
    return NULL;
}

static int flush(struct signal_writer *w, struct error *err) {
    int result = w->end == w->buffer ? 0
                                     : container_write(w->container, SIGNALS_BLOCK_CYCLES, w->buffer,
                                                       (size_t)(w->end - w->buffer), err);
    w->end = w->buffer;
    return result;
}

// The open record goes to the block.
static int put(struct signal_writer *w, struct error *err) {
    if (!w->count) return 0;
    w->end = bytes_put(w->end, w->cycle, 8);
    w->end = bytes_put(w->end, w->count, 8);
    for (unsigned i = 0; i < w->columns; i++)
        w->end = bytes_put(w->end, w->values[i], 8);
    w->count = 0;
    return w->end + RECORD > w->buffer + BUFFER ? flush(w, err) : 0;
}

static int bin_add(struct signal_writer *w, uint64_t cycle, uint64_t count, const uint64_t *values, struct error *err) {
    if (w->count && w->cycle + w->count == cycle && memcmp(w->values, values, w->columns * sizeof *values) == 0) {
        w->count += count;
        return 0;
    }
    int result = put(w, err);
    w->cycle = cycle;
    w->count = count;
    memcpy(w->values, values, w->columns * sizeof *values);
    return result;
}

static int bin_close(struct signal_writer *w, struct error *err) {
    int result = put(w, err);
    if (result == 0) result = flush(w, err);
    result = container_end(w->container, result, err);
    free(w);
    return result;
}

const struct signal_format signal_bin = {"bin", bin_create, bin_add, bin_close};
