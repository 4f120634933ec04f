// pprof's profile.proto (https://github.com/google/pprof/blob/main/proto/profile.proto), gzipped: samples with call
// stacks, inlined functions, and state, events, mode, process and the data that is waited for as labels.
#include "report/contexts.h"
#include "report/export.h"
#include "report/formats.h"
#include "report/json_text.h"
#include "report/proto_message.h"
#include "report/row_data.h"
#include "report/stacks.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// Field numbers of profile.proto.
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_MAPPING = 3, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5 };
enum { PROFILE_STRING_TABLE = 6, PROFILE_DURATION_NANOS = 10, PROFILE_PERIOD_TYPE = 11, PROFILE_PERIOD = 12 };
enum { PROFILE_COMMENT = 13, PROFILE_DEFAULT_SAMPLE_TYPE = 14 };
enum { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STR = 2 };
enum { MAPPING_ID = 1, MAPPING_MEMORY_START = 2, MAPPING_MEMORY_LIMIT = 3, MAPPING_FILENAME = 5, MAPPING_BUILD_ID = 6 };
enum {
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILENAMES = 8,
    MAPPING_HAS_LINE_NUMBERS = 9,
    MAPPING_HAS_INLINE_FRAMES = 10
};
enum { LOCATION_ID = 1, LOCATION_MAPPING_ID = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION_ID = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILENAME = 4 };

// ---- the profile ----
struct pprof {
    const struct export *export;
    struct string_table *strings;
    struct proto_message profile, part, list; // a part of the profile, and a list or message in it
    struct row_data data;
    size_t next;                  // part of the data, of the row that comes next
    bool states[STATE_COUNT + 1]; // those that have time
    unsigned events;              // likewise, a bit each
    uint64_t *low, *high;         // of each image, the addresses that have time or calls; none: high 0
};

static uint32_t string(struct pprof *p, const char *text) {
    return string_table_number(p->strings, text);
}

static void put_value_type(struct pprof *p, unsigned field, const char *type) {
    proto_number(&p->part, VALUE_TYPE_TYPE, string(p, type));
    proto_number(&p->part, VALUE_TYPE_UNIT, string(p, "count"));
    proto_message(&p->profile, field, &p->part);
}

// A type for each state and event that has time, after the cycles of all.
static void put_sample_types(struct pprof *p) {
    const struct run *d = p->export->data;
    for (size_t i = 0; i < d->row_count; i++) {
        p->states[d->rows[i].state] = true;
        p->events |= d->rows[i].psv;
    }
    if (d->by_samples) put_value_type(p, PROFILE_SAMPLE_TYPE, "samples");
    put_value_type(p, PROFILE_SAMPLE_TYPE, "cycles");
    for (unsigned s = 0; s <= STATE_COUNT; s++)
        if (p->states[s]) put_value_type(p, PROFILE_SAMPLE_TYPE, report_state_name(s));
    for (unsigned e = 0; e < d->header->event_count; e++)
        if (p->events >> e & 1) put_value_type(p, PROFILE_SAMPLE_TYPE, d->header->events[e]);
}

static void put_values(struct pprof *p, const struct profile_row *row, uint64_t samples, uint64_t cycles) {
    const struct run *d = p->export->data;
    if (d->by_samples) proto_varint(&p->list, samples);
    proto_varint(&p->list, cycles);
    for (unsigned s = 0; s <= STATE_COUNT; s++)
        if (p->states[s]) proto_varint(&p->list, row->state == s ? cycles : 0);
    for (unsigned e = 0; e < d->header->event_count; e++)
        if (p->events >> e & 1) proto_varint(&p->list, row->psv >> e & 1 ? cycles : 0);
    proto_message(&p->part, SAMPLE_VALUE, &p->list);
}

static void put_label(struct pprof *p, const char *key, const char *text) {
    proto_number(&p->list, LABEL_KEY, string(p, key));
    proto_number(&p->list, LABEL_STR, string(p, text));
    proto_message(&p->part, SAMPLE_LABEL, &p->list);
}

static void put_data(struct pprof *p, const struct row_part *part) {
    char text[512];
    put_label(p, "data_of", samples_data_name(part->of));
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)part->data);
    put_label(p, "data_address", text);
    if (report_data(p->export->data, part->data, text, sizeof text)) put_label(p, "data", text);
}

static void put_labels(struct pprof *p, const struct profile_row *row) {
    const struct run *d = p->export->data;
    char text[512];
    put_label(p, "state", report_state_name(row->state));
    stacks_events(d, row->psv, text, sizeof text);
    put_label(p, "events", text);
    if (d->harts > 1 && row->pc != PROFILE_PC_END) {
        snprintf(text, sizeof text, "%u", place_hart(row->context));
        put_label(p, "hart", text);
    }
    if (row->pc == PROFILE_PC_END || !d->header->contexts) return;
    put_label(p, "mode", report_mode_name(d, row->context));
    if (d->spaces < 2) return;
    report_process(d, row->context, text, sizeof text);
    put_label(p, "process", text);
}

static void put_sample(struct pprof *p, size_t row, const struct row_part *part, uint64_t samples, uint64_t cycles) {
    const struct export *e = p->export;
    if (!cycles && !samples) return;
    for (size_t f = e->tree.row_frames[row]; f != CALL_TREE_NONE; f = e->tree.frames[f].parent)
        proto_varint(&p->list, e->frame_sites[f] + 1);
    proto_message(&p->part, SAMPLE_LOCATION_ID, &p->list);
    put_values(p, &e->data->rows[row], samples, cycles);
    put_labels(p, &e->data->rows[row]);
    if (part) put_data(p, part);
    proto_message(&p->profile, PROFILE_SAMPLE, &p->part);
}

static void put_row(struct pprof *p, size_t row) {
    uint64_t left = p->export->cycles[row];
    for (; p->next < p->data.count && p->data.parts[p->next].row == row; p->next++) {
        const struct row_part *part = &p->data.parts[p->next];
        put_sample(p, row, part, part->samples, part->cycles);
        left -= part->cycles;
    }
    put_sample(p, row, NULL, p->data.samples[row], left);
}

static void put_location(struct pprof *p, size_t number) {
    const struct export *e = p->export;
    const struct export_site *site = &e->sites[number];
    proto_number(&p->part, LOCATION_ID, number + 1);
    proto_number(&p->part, LOCATION_MAPPING_ID, site->image == EXPORT_NO_IMAGE ? 0 : site->image + 1);
    proto_number(&p->part, LOCATION_ADDRESS, site->place.pc == PROFILE_PC_END ? 0 : site->place.pc);
    for (size_t i = 0; i < site->count; i++) {
        proto_number(&p->list, LINE_FUNCTION_ID, e->lines[site->first + i].function + UINT64_C(1));
        proto_number(&p->list, LINE_LINE, e->lines[site->first + i].line);
        proto_message(&p->part, LOCATION_LINE, &p->list);
    }
    proto_message(&p->profile, PROFILE_LOCATION, &p->part);
}

static void put_function(struct pprof *p, size_t number) {
    const struct export_function *f = &p->export->functions[number];
    proto_number(&p->part, FUNCTION_ID, number + 1);
    proto_number(&p->part, FUNCTION_NAME, string(p, f->name));
    proto_number(&p->part, FUNCTION_SYSTEM_NAME, string(p, f->symbol));
    proto_number(&p->part, FUNCTION_FILENAME, string(p, f->file));
    proto_message(&p->profile, PROFILE_FUNCTION, &p->part);
}

// Names and lines are in the file, so that nothing looks for them again.
static void put_mapping(struct pprof *p, size_t image) {
    const struct images *images = p->export->data->images;
    const struct program *program = images_program(images, image);
    proto_number(&p->part, MAPPING_ID, image + 1);
    proto_number(&p->part, MAPPING_MEMORY_START, p->low[image]);
    proto_number(&p->part, MAPPING_MEMORY_LIMIT, p->high[image]);
    proto_number(&p->part, MAPPING_FILENAME, string(p, images_name(images, image)));
    proto_number(&p->part, MAPPING_BUILD_ID, string(p, program ? program_build_id(program) : ""));
    for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINE_FRAMES; field++)
        proto_number(&p->part, field, 1);
    proto_message(&p->profile, PROFILE_MAPPING, &p->part);
}

static void find_extents(struct pprof *p) {
    const struct export *e = p->export;
    for (size_t i = 0; i < e->site_count; i++) {
        const struct export_site *site = &e->sites[i];
        if (site->image == EXPORT_NO_IMAGE) continue;
        uint64_t *low = &p->low[site->image], *high = &p->high[site->image];
        if (!*high || site->place.pc < *low) *low = site->place.pc;
        if (site->place.pc >= *high) *high = site->place.pc + 2; // the shortest instruction
    }
}

static void put_comment(struct pprof *p, const char *text) {
    proto_varint(&p->part, string(p, text));
    proto_message(&p->profile, PROFILE_COMMENT, &p->part);
}

static void put_run(struct pprof *p) {
    const struct samples_header *h = p->export->data->header;
    char text[512];
    snprintf(text, sizeof text, "%s on %s%s%s, profile of %s", export_title(p->export->data), h->config,
             h->settings[0] ? " with " : "", h->settings, p->export->data->profiler);
    put_comment(p, text);
    put_comment(p, h->command);
    if (h->clock_mhz) proto_number(&p->profile, PROFILE_DURATION_NANOS, p->export->data->cycles * 1000 / h->clock_mhz);
    put_value_type(p, PROFILE_PERIOD_TYPE, "cycles");
    proto_number(&p->profile, PROFILE_PERIOD, p->export->data->by_samples ? h->sampling.period : 1);
    proto_number(&p->profile, PROFILE_DEFAULT_SAMPLE_TYPE, string(p, "cycles"));
}

static void put_profile(struct pprof *p) {
    const struct export *e = p->export;
    string(p, ""); // number 0
    put_sample_types(p);
    for (size_t i = 0; i < e->data->row_count; i++)
        put_row(p, i);
    find_extents(p);
    for (size_t i = 0; i < images_count(e->data->images); i++)
        put_mapping(p, i);
    for (size_t i = 0; i < e->site_count; i++)
        put_location(p, i);
    for (size_t i = 0; i < e->function_count; i++)
        put_function(p, i);
    put_run(p);
    for (uint32_t i = 0; i < string_table_count(p->strings); i++) {
        const char *text = string_table_text(p->strings, i);
        proto_text(&p->profile, PROFILE_STRING_TABLE, text, strlen(text));
    }
}

// ---- gzip ----
enum { GZIP = 15 + 16, MEMORY = 8 }; // zlib's window and level of memory, with the header of gzip

static bool write_gzip(const struct proto_message *m, FILE *out) {
    z_stream z = {.next_in = m->bytes, .avail_in = 0};
    uint8_t bytes[1 << 16];
    size_t left = m->count;
    int status = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY);
    if (status != Z_OK) return false;
    do {
        if (z.avail_in == 0) {
            z.avail_in = left < UINT32_MAX ? (uInt)left : UINT32_MAX;
            left -= z.avail_in;
        }
        z.next_out = bytes;
        z.avail_out = sizeof bytes;
        status = deflate(&z, left ? Z_NO_FLUSH : Z_FINISH);
        fwrite(bytes, 1, sizeof bytes - z.avail_out, out);
    } while (status == Z_OK);
    deflateEnd(&z);
    return status == Z_STREAM_END;
}

static int write_pprof(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct export e;
    int result = -EINVAL;
    if (!export_create(&e, d, o->max_stack, err)) return -EINVAL;
    const size_t images = images_count(d->images) + 1;
    struct pprof p = {.export = &e,
                      .strings = string_table_create(),
                      .low = calloc(images, sizeof *p.low),
                      .high = calloc(images, sizeof *p.high)};
    bool good = p.strings && p.low && p.high;
    if (!good) {
        result = report_out_of_memory(d->path, err);
    } else if (row_data_find(&p.data, &e, err)) {
        put_profile(&p);
        good = string_table_good(p.strings) && !p.profile.failed && !p.part.failed && !p.list.failed &&
               write_gzip(&p.profile, out);
        result = good ? 0 : report_out_of_memory(d->path, err);
    }
    free(p.profile.bytes);
    free(p.part.bytes);
    free(p.list.bytes);
    row_data_free(&p.data);
    free(p.low);
    free(p.high);
    string_table_destroy(p.strings);
    export_destroy(&e);
    return result;
}

const struct report_format format_pprof = {.name = "pprof", .write = write_pprof, .stacks = true};
