// Checkpoints, read: all of a file is checked before a machine goes on from it.
#include "base/bytes.h"
#include "base/container.h"
#include "base/memory_size.h"
#include "iss/checkpoint_internal.h"
#include "machine/console.h"
#include "tables_digest.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Fields that files of this version may hold, too: what is in them follows from others, and is not looked at.
static const char *const passed_over[] = {"harts[0].data_limit", "harts[0].fetches_plainly"};

// A field that has grown at its end: as files of this version may hold it, too. What lacks is 0.
static const struct {
    const char *name;
    size_t bytes;
} shorter[] = {{"peripherals", PERIPHERALS_OLD_BYTES}};

struct reader {
    struct iss *iss;
    const char *path;
    struct error *err;
    bool header, seen[CHECKPOINT_MOST_FIELDS];
};

static bool refuse(const struct reader *r, const char *fault) {
    error_set(r->err, "%s: %s: make it again with `tipoff iss --checkpoint`", r->path, fault);
    return false;
}

static void copy_text(char *to, size_t size, const cJSON *from) {
    snprintf(to, size, "%s", cJSON_IsString(from) ? from->valuestring : "");
}

// How many harts the machine has, by the header; 0: that is damaged.
static unsigned harts_of(const cJSON *header) {
    const cJSON *harts = cJSON_GetObjectItem(header, "harts");
    if (!harts) return 1;
    const double number = cJSON_IsNumber(harts) ? harts->valuedouble : 0;
    const unsigned whole = number > 1 && number <= MACHINE_MOST_HARTS ? (unsigned)number : 0;
    return whole == number ? whole : 0;
}

// Bytes of memory; without: as much as machines have by default. 0: that is damaged.
static uint64_t memory_of(const cJSON *header) {
    const cJSON *size = cJSON_GetObjectItem(header, "memory");
    if (!size) return DRAM_BYTES;
    if (!cJSON_IsNumber(size) || !(size->valuedouble >= 0 && size->valuedouble <= (double)MEMORY_MOST)) return 0;
    const uint64_t bytes = (uint64_t)size->valuedouble;
    return (double)bytes == size->valuedouble && memory_size_is(bytes) ? bytes : 0;
}

static bool take_header(struct reader *r, struct checkpoint_origin *origin, const uint8_t *data, size_t bytes) {
    cJSON *header = cJSON_ParseWithLength((const char *)data, bytes);
    char tables[sizeof TABLES_DIGEST] = "";
    copy_text(tables, sizeof tables, cJSON_GetObjectItem(header, "tables"));
    const unsigned harts = harts_of(header);
    bool good = true;
    if (origin) {
        origin->accesses = NULL;
        good = guest_images_take(header, &origin->images);
        copy_text(origin->program, sizeof origin->program, cJSON_GetObjectItem(header, "program"));
        copy_text(origin->build_id, sizeof origin->build_id, cJSON_GetObjectItem(header, "build_id"));
    }
    const uint64_t memory = memory_of(header);
    cJSON_Delete(header);
    r->header = true;
    if (!good) return refuse(r, "damaged: its images");
    if (!harts) return refuse(r, "damaged: its number of harts");
    if (harts != r->iss->hart_count) {
        error_set(r->err,
                  "%s: a checkpoint of a machine of %u hart%s, not of %u: `tipoff iss` and `tipoff run` continue it "
                  "with --harts %u",
                  r->path, harts, harts > 1 ? "s" : "", r->iss->hart_count, harts);
        return false;
    }
    if (strcmp(tables, TABLES_DIGEST) != 0) return refuse(r, "a checkpoint of a tipoff with other tables");
    if (!memory) return refuse(r, "damaged: its size of memory");
    if (iss_set_memory(r->iss, memory, r->err) < 0) return false;
    memory_clear(r->iss->dram, memory);
    return true;
}

static bool is_passed_over(const uint8_t *name) {
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++) {
        if (strncmp((const char *)name, passed_over[i], CHECKPOINT_NAME_BYTES) == 0) return true;
    }
    return false;
}

static bool has_length(const struct state_member *field, size_t bytes) {
    for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++)
        if (strcmp(field->name, shorter[i].name) == 0 && bytes == shorter[i].bytes) return true;
    return bytes == field->bytes;
}

// Its bytes have its length, or a shorter one that it may have.
static bool take_bytes(struct reader *r, const struct checkpoint_field *field, const uint8_t *data, size_t bytes) {
    uint8_t *whole = calloc(1, field->member.bytes);
    char fault[200] = "out of memory", text[sizeof fault + 16];
    if (whole) memcpy(whole, data, bytes);
    const bool good = whole && state_check(&field->member, whole, fault, sizeof fault);
    if (good) memcpy((uint8_t *)field->bytes, whole, field->member.bytes); // of r->iss
    free(whole);
    snprintf(text, sizeof text, "damaged: %s", fault);
    return good || refuse(r, text);
}

static bool take_field(struct reader *r, const uint8_t *data, size_t bytes) {
    for (unsigned i = 0; bytes >= CHECKPOINT_NAME_BYTES && i < checkpoint_field_count(r->iss); i++) {
        struct checkpoint_field field;
        checkpoint_field_at(r->iss, r->iss, i, &field);
        if (strncmp((const char *)data, field.name, CHECKPOINT_NAME_BYTES) != 0) continue;
        if (!has_length(&field.member, bytes - CHECKPOINT_NAME_BYTES) || r->seen[i]) break;
        r->seen[i] = true;
        return take_bytes(r, &field, data + CHECKPOINT_NAME_BYTES, bytes - CHECKPOINT_NAME_BYTES);
    }
    if (bytes >= CHECKPOINT_NAME_BYTES && is_passed_over(data)) return true;
    return refuse(r, "holds a state that this tipoff does not have");
}

static bool take_memory(struct reader *r, const uint8_t *data, size_t bytes) {
    const uint8_t *next = data;
    const uint64_t memory = r->iss->dram_bytes;
    uint64_t at = bytes >= CHECKPOINT_RUN_HEAD ? bytes_get(&next, CHECKPOINT_RUN_HEAD) : memory;
    if (at >= memory || bytes - CHECKPOINT_RUN_HEAD > memory - at) return refuse(r, "holds memory outside DRAM");
    memcpy(r->iss->dram + at, next, bytes - CHECKPOINT_RUN_HEAD);
    return true;
}

static bool take_all(struct reader *r, struct container_reader *file, struct checkpoint_origin *origin) {
    enum container_result result;
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    while ((result = container_next(file, &type, &data, &bytes, r->err)) == CONTAINER_BLOCK) {
        bool good = type == CONTAINER_HEADER      ? take_header(r, origin, data, bytes)
                    : !r->header                  ? refuse(r, "damaged: it does not begin with its header")
                    : type == CHECKPOINT_FIELD    ? take_field(r, data, bytes)
                    : type == CHECKPOINT_MEMORY   ? take_memory(r, data, bytes)
                    : type == CHECKPOINT_ACCESSES ? true
                                                  : refuse(r, "holds a block of an unknown type");
        if (!good) return false;
    }
    if (result != CONTAINER_COMPLETE) return refuse(r, result == CONTAINER_TRUNCATED ? "cut short" : "damaged");
    for (unsigned i = 0; i < checkpoint_field_count(r->iss); i++) {
        if (!r->seen[i]) return refuse(r, "lacks a part of the state");
    }
    checkpoint_detach(r->iss);
    const char *fault;
    if (!iss_restored(r->iss, &fault)) {
        char text[64];
        snprintf(text, sizeof text, "damaged: its %s", fault);
        return refuse(r, text);
    }
    if (origin) origin->steps = checkpoint_steps(r->iss);
    return true;
}

static void attach(struct iss *s) {
    const struct console *c = &s->console;
    s->htif.out = s->peripherals.uart[0].out = c->out;
    s->htif.in = s->peripherals.uart[0].in = c->in;
    s->htif.host = &s->host;
    s->peripherals.uart[1].out = c->out1;
    console_skip(c->in, s->htif.received);
    console_skip(c->in, s->peripherals.uart[0].received);
}

int checkpoint_read(struct iss *iss, struct checkpoint_origin *origin, const char *path, struct error *err) {
    struct container_reader *file = container_open(path, CHECKPOINT_KIND, CHECKPOINT_VERSION, CHECKPOINT_VERSION, err);
    if (!file) return -EINVAL;
    struct reader r = {.iss = iss, .path = path, .err = err};
    bool good = take_all(&r, file, origin);
    container_destroy(file);
    checkpoint_detach(iss);
    if (!good) return -EINVAL;
    attach(iss);
    for (unsigned i = 0; i < iss->hart_count; i++) {
        iss_csr_rows(&iss->harts[i]);
        iss_tlb_unknown(&iss->harts[i]);
        iss_drop_decoded(&iss->harts[i]);
        iss_mode_changed(&iss->harts[i]);
    }
    return 0;
}

unsigned checkpoint_harts(const char *path, struct error *err) {
    struct container_reader *file = container_open(path, CHECKPOINT_KIND, CHECKPOINT_VERSION, CHECKPOINT_VERSION, err);
    if (!file) return 0;
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    unsigned harts = 1; // a damaged one is reported by its reader
    if (container_next(file, &type, &data, &bytes, err) == CONTAINER_BLOCK && type == CONTAINER_HEADER) {
        cJSON *header = cJSON_ParseWithLength((const char *)data, bytes);
        const unsigned stated = harts_of(header);
        if (stated) harts = stated;
        cJSON_Delete(header);
    }
    container_destroy(file);
    return harts;
}
