// Writes the results of a run: a block or several for each, with the ids and sizes of its fields in front of its rows.
// Their bytes stand by planes, of all rows the first bytes, then the second ones: they pack to half and less.
#include "samples/write_results.h"
#include "base/bytes.h"
#include "results.h"
#include "samples/samples_format.h"

enum { ROOM = 1 << 18 }; // bytes of rows in a block

static uint8_t *put_head(uint8_t *p, const struct result_info *info, size_t total, uint32_t hart) {
    p = bytes_put(bytes_put(bytes_put(p, RESULT_HEAD, 2), info->id, 2), RESULT_PLANES, 1);
    p = bytes_put(bytes_put(p, RESULT_FIELD, 1), info->field_count, 2);
    p = bytes_put(bytes_put(bytes_put(p, hart, 4), RESULT_WHOLE_RUN, 4), total, 8);
    for (unsigned i = 0; i < info->field_count; i++)
        p = bytes_put(bytes_put(p, info->fields[i].id, 2), info->fields[i].bytes, 2);
    return p;
}

// To p and every `step` bytes on. Returns where the next byte of the row is.
static uint8_t *put(uint8_t *p, size_t step, const void *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++, p += step)
        *p = ((const uint8_t *)from)[i];
    return p;
}

static void put_row(uint8_t *p, size_t step, const struct result_info *info, const char *row) {
    for (unsigned i = 0; i < info->field_count; i++) {
        const struct result_field *f = &info->fields[i];
        uint8_t value[16];
        if (f->type == RESULT_PLACE) {
            const struct place place = result_place(f, row);
            bytes_put(bytes_put(value, place.pc, 8), place.context, 8);
        } else if (f->type != RESULT_TEXT) {
            bytes_put(value, result_number(f, row), (int)f->bytes);
        }
        p = put(p, step, f->type == RESULT_TEXT ? (const void *)result_text(f, row) : value, f->bytes);
    }
}

static size_t row_bytes(const struct result_info *info) {
    size_t bytes = info->fields[0].bytes;
    for (unsigned i = 1; i < info->field_count; i++)
        bytes += info->fields[i].bytes;
    return bytes;
}

int write_result(struct container_writer *w, const struct results *r, unsigned number, uint32_t hart,
                 struct error *err) {
    uint8_t buffer[RESULT_HEAD + RESULT_FIELDS_MOST * RESULT_FIELD + ROOM];
    const struct result_info *info = result_info(number);
    const size_t bytes = row_bytes(info), fit = ROOM / bytes;
    size_t count, done = 0, more;
    const char *rows = results_rows(r, number, &count);
    int result = 0;
    if (!results_known(r, number)) return 0;
    do { // at least one block, also without rows
        uint8_t *p = put_head(buffer, info, count, hart);
        more = count - done < fit ? count - done : fit;
        for (size_t i = 0; i < more; i++)
            put_row(p + i, more, info, rows + (done + i) * info->bytes);
        done += more;
        result = container_write(w, SAMPLES_BLOCK_RESULT, buffer, (size_t)(p - buffer) + more * bytes, err);
    } while (result == 0 && done < count);
    return result;
}
