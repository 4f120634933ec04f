// Reads the results of a run from blocks that say what their fields are: a field is found by its id, held to what its
// type allows, and passed over where this build does not know it.
#include "base/bytes.h"
#include "base/plain_text.h"
#include "results.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

// A field may be written in fewer bytes than it has in memory: a file of many such rows is made to fill memory.
enum { HELD_SPARE = 32 << 20, HELD_TIMES = 4 };

struct head {
    uint32_t hart, region;
    uint64_t total;
    unsigned field_count;
    const uint8_t *fields, *rows; // in the block
    size_t field_bytes, row_bytes, count;
    size_t step, stride; // from a byte of a row to its next; from a row to the next
};

// Field and size, of the i-th field of the block.
static void field_at(const struct head *h, unsigned i, uint16_t *id, size_t *bytes) {
    const uint8_t *p = h->fields + i * h->field_bytes;
    *id = (uint16_t)bytes_get(&p, 2);
    *bytes = bytes_get(&p, 2);
}

// After the id. Everything that the block claims is held to its bytes before any of it is used.
static bool read_head(struct head *h, const uint8_t *data, size_t bytes) {
    const uint8_t *p = data;
    if (bytes < RESULT_HEAD) return false;
    const size_t head = bytes_get(&p, 2);
    p += 2;
    const bool planes = bytes_get(&p, 1) == RESULT_PLANES;
    h->field_bytes = bytes_get(&p, 1);
    h->field_count = (unsigned)bytes_get(&p, 2);
    h->hart = (uint32_t)bytes_get(&p, 4);
    h->region = (uint32_t)bytes_get(&p, 4);
    h->total = bytes_get(&p, 8);
    if (head < RESULT_HEAD || bytes < head || h->field_bytes < RESULT_FIELD) return false;
    if (!h->field_count || (bytes - head) / h->field_bytes < h->field_count) return false;
    h->fields = data + head;
    h->rows = h->fields + h->field_count * h->field_bytes;
    h->row_bytes = 0;
    for (unsigned i = 0; i < h->field_count; i++) {
        uint16_t id;
        size_t size;
        field_at(h, i, &id, &size);
        h->row_bytes += size;
    }
    const size_t left = bytes - (size_t)(h->rows - data);
    if (!h->row_bytes || left % h->row_bytes) return false;
    h->count = left / h->row_bytes;
    h->step = planes ? h->count : 1;
    h->stride = planes ? 1 : h->row_bytes;
    return true;
}

static bool fits(const struct result_field *f, size_t bytes) {
    switch (f->type) {
    case RESULT_PLACE: return bytes == 16;
    case RESULT_REAL: return bytes == 8;
    case RESULT_TEXT: return bytes >= 1 && bytes <= f->bytes;
    default: return bytes >= 1 && bytes <= 8;
    }
}

// The number of the field of that id; field_count: none that this build knows.
static unsigned find_field(const struct result_info *info, uint16_t id) {
    unsigned k = 0;
    while (k < info->field_count && info->fields[k].id != id)
        k++;
    return k;
}

// Where each field of ours is in a row of the block. False: one that every such file has is missing, twice there, or of
// no size that its type can have.
struct column {
    size_t offset;
    int bytes; // 0: the file does not have it, and it is 0
};
static bool find_columns(const struct head *h, const struct result_info *info, struct column *columns) {
    size_t offset = 0;
    memset(columns, 0, RESULT_FIELDS_MOST * sizeof *columns);
    for (unsigned i = 0; i < h->field_count; i++) {
        uint16_t id;
        size_t size;
        field_at(h, i, &id, &size);
        const unsigned k = find_field(info, id);
        if (k < info->field_count) {
            if (!fits(&info->fields[k], size) || columns[k].bytes) return false;
            columns[k] = (struct column){offset, (int)size};
        }
        offset += size;
    }
    for (unsigned k = 0; k < info->field_count; k++)
        if (!columns[k].bytes && info->fields[k].since == info->since) return false;
    return true;
}

// ---- values: an error says what is wrong with one ----
static void read_place(const struct result_field *f, char *row, const uint8_t *p, struct error *why) {
    struct place place;
    place.pc = bytes_get(&p, 8);
    place.context = bytes_get(&p, 8);
    memcpy(row + f->offset, &place, sizeof place);
    if (place.context >> PLACE_HART_SHIFT) error_set(why, "an address space that is none");
}

static void read_text(const struct result_field *f, char *row, const uint8_t *p, int bytes, struct error *why) {
    memcpy(row + f->offset, p, (size_t)bytes);
    if (p[bytes - 1] || !plain_is(result_text(f, row))) error_set(why, "a text with no end or unprintable");
}

static void read_real(const struct result_field *f, char *row, const uint8_t *p, struct error *why) {
    memcpy(row + f->offset, p, sizeof(double));
    if (!isfinite(result_real(f, row))) error_set(why, "no number");
}

static void read_number(const struct result_field *f, char *row, const uint8_t *p, int bytes, struct error *why) {
    const uint64_t value = bytes_get(&p, bytes);
    if (value < f->least) {
        error_set(why, "%" PRIu64 ", at least %" PRIu64, value, f->least);
    } else if (value > f->most) {
        error_set(why, "%" PRIu64 ", at most %" PRIu64, value, f->most);
    } else {
        result_set_number(f, row, value);
    }
}

static void read_value(const struct result_field *f, char *row, const uint8_t *p, int bytes, struct error *why) {
    switch (f->type) {
    case RESULT_PLACE: read_place(f, row, p, why); return;
    case RESULT_TEXT: read_text(f, row, p, bytes, why); return;
    case RESULT_REAL: read_real(f, row, p, why); return;
    default: read_number(f, row, p, bytes, why);
    }
}

// The bytes of a value of the row, one after the other: where they stand, or copied to `own`.
static const uint8_t *bytes_of(const struct head *h, size_t row, struct column column, uint8_t own[RESULT_ROW_MOST]) {
    const uint8_t *p = h->rows + row * h->stride + column.offset * h->step;
    if (h->step == 1) return p;
    for (int i = 0; i < column.bytes; i++)
        own[i] = p[(size_t)i * h->step];
    return own;
}

static bool read_row(const struct result_info *info, const struct column *columns, const struct head *h, size_t number,
                     char *row, struct error *why) {
    uint8_t own[RESULT_ROW_MOST];
    struct error fault = {""};
    const struct result_field *f = NULL;
    memset(row, 0, info->bytes);
    for (unsigned k = 0; k < info->field_count && !fault.text[0]; k++) {
        f = &info->fields[k];
        if (columns[k].bytes) read_value(f, row, bytes_of(h, number, columns[k], own), columns[k].bytes, &fault);
    }
    for (unsigned k = 0; k < info->field_count && !fault.text[0]; k++) { // of one of the rows that belong to it
        f = &info->fields[k];
        if (f->type == RESULT_INDEX && result_number(f, row) >= result_number(&info->fields[f->of], row))
            error_set(&fault, "%" PRIu64 ", of %" PRIu64 " rows", result_number(f, row),
                      result_number(&info->fields[f->of], row));
    }
    if (fault.text[0]) error_set(why, "result %s, field %s: %s", info->name, f->name, fault.text);
    return !fault.text[0];
}

// Blocks of other harts and regions than the first are those of a run with several: a later version's to show.
static bool of_ours(struct read_results *r, const struct head *h) {
    struct samples_skipped *s = &r->skipped;
    if (!r->any) {
        r->any = true;
        s->hart = h->hart;
        s->region = h->region;
    }
    if (s->hart == h->hart && s->region == h->region) return true;
    if (!s->other) {
        s->other = true;
        s->other_hart = h->hart;
        s->other_region = h->region;
    }
    return false;
}

// ---- what a later version has ----
static void note_unknown(struct read_results *r, uint16_t result, uint16_t field, uint64_t rows) {
    for (size_t i = 0; i < r->unknown_count; i++)
        if (r->unknown[i].result == result && r->unknown[i].field == field) return;
    if (r->unknown_count < SAMPLES_UNKNOWN_MOST)
        r->unknown[r->unknown_count++] = (struct samples_unknown){result, field, rows};
    else
        r->skipped.unknown = true;
}

static void note_unknown_fields(struct read_results *r, const struct head *h, const struct result_info *info) {
    for (unsigned i = 0; i < h->field_count; i++) {
        uint16_t id;
        size_t size;
        field_at(h, i, &id, &size);
        if (find_field(info, id) == info->field_count) note_unknown(r, info->id, id, h->total);
    }
}

bool read_results_block(struct read_results *r, const uint8_t *data, size_t bytes, struct error *why) {
    struct head h;
    struct column columns[RESULT_FIELDS_MOST];
    union {
        char bytes[RESULT_ROW_MOST];
        uint64_t aligned;
    } row;
    unsigned number;
    const uint8_t *p = data + 2, *total = data + RESULT_HEAD - 8;
    if (bytes < RESULT_HEAD) return false;
    const uint16_t id = (uint16_t)bytes_get(&p, 2);
    if (!result_find(id, &number) || *p > RESULT_PLANES) {
        note_unknown(r, id, 0, bytes_get(&total, 8));
        return true;
    }
    const struct result_info *info = result_info(number);
    if (!read_head(&h, data, bytes) || !find_columns(&h, info, columns)) return false;
    if (!of_ours(r, &h)) return true;
    if (r->came[number] && (r->totals[number] != h.total || info->kind == RESULT_SCALAR)) return false;
    if (info->kind == RESULT_SCALAR && h.count > 1) return false;
    r->unpacked += bytes;
    r->held += h.count * info->bytes;
    if (r->held > HELD_SPARE + HELD_TIMES * r->unpacked) {
        error_set(why, "result %s: its rows take far more memory than bytes of the file", info->name);
        return false;
    }
    r->came[number] = true;
    r->totals[number] = h.total;
    note_unknown_fields(r, &h, info);
    results_keep(r->rows, number);
    for (size_t i = 0; i < h.count; i++)
        if (!read_row(info, columns, &h, i, row.bytes, why) || !results_add(r->rows, number, row.bytes)) return false;
    return true;
}

bool read_results_settle(struct read_results *r) {
    bool good = true;
    for (unsigned n = 0; r->any && n < RESULT_COUNT; n++) {
        size_t count;
        results_rows(r->rows, n, &count);
        if (!r->came[n] || (count == r->totals[n] && (result_info(n)->kind != RESULT_SCALAR || count == 1))) continue;
        results_drop(r->rows, n);
        good = false;
    }
    return results_settle(r->rows) && good;
}
