// Writes the results of a run: a block or several for each, with the ids and sizes of its fields in front of its rows.
#include "samples/write_results.h"
#include "base/bytes.h"
#include "results.h"
#include "samples/samples_format.h"
#include <string.h>

enum { ROOM = 1 << 18 }; // bytes of rows in a block

static uint8_t *put_head(uint8_t *p, const struct result_info *info, size_t total, uint32_t hart) {
    p = bytes_put(bytes_put(bytes_put(p, RESULT_HEAD, 2), info->id, 2), RESULT_PLAIN, 1);
    p = bytes_put(bytes_put(p, RESULT_FIELD, 1), info->field_count, 2);
    p = bytes_put(bytes_put(bytes_put(p, hart, 4), RESULT_WHOLE_RUN, 4), total, 8);
    for (unsigned i = 0; i < info->field_count; i++)
        p = bytes_put(bytes_put(p, info->fields[i].id, 2), info->fields[i].bytes, 2);
    return p;
}

static uint8_t *put_row(uint8_t *p, const struct result_info *info, const char *row) {
    for (unsigned i = 0; i < info->field_count; i++) {
        const struct result_field *f = &info->fields[i];
        if (f->type == RESULT_PLACE) {
            const struct place place = result_place(f, row);
            p = bytes_put(bytes_put(p, place.pc, 8), place.context, 8);
        } else if (f->type == RESULT_TEXT) {
            memcpy(p, result_text(f, row), f->bytes);
            p += f->bytes;
        } else {
            p = bytes_put(p, result_number(f, row), (int)f->bytes);
        }
    }
    return p;
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
    const size_t fit = ROOM / row_bytes(info);
    size_t count, done = 0;
    const char *rows = results_rows(r, number, &count);
    int result = 0;
    if (!results_known(r, number)) return 0;
    do { // at least one block: that there are no rows is known, too
        uint8_t *p = put_head(buffer, info, count, hart);
        for (size_t n = 0; n < fit && done < count; n++, done++)
            p = put_row(p, info, rows + done * info->bytes);
        result = container_write(w, SAMPLES_BLOCK_RESULT, buffer, (size_t)(p - buffer), err);
    } while (result == 0 && done < count);
    return result;
}
