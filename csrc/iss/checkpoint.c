// Checkpoints: see checkpoint.h. What is saved are the lists MACHINE_STATE and HART_STATE, field by field, with
// pointers left out.
#include "iss/checkpoint.h"
#include "base/bytes.h"
#include "base/container.h"
#include "base/memory_size.h"
#include "base/unnamed.h"
#include "iss/iss_internal.h"
#include "machine/console.h"
#include "tables_digest.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char kind[] = "machine";
enum { BLOCK_FIELD = 16, BLOCK_MEMORY = 17 };
enum { RUN_BYTES = 1 << 20, RUN_HEAD = 8, NAME_BYTES = 32 }; // of a block of memory; of a field's name

// A block of a field: its name, NAME_BYTES of it, and its bytes. The machine's, then each hart's, "harts[0].pc".
#define MACHINE_ROW(type, name, dimension, range) STATE_ROW(struct iss, type, name, range),
#define HART_ROW(type, name, dimension, range) STATE_ROW(struct hart, type, name, range),
#define LENGTH(array) (sizeof(array) / sizeof(struct state_member))
static const struct state_member machine_fields[] = {MACHINE_STATE(MACHINE_ROW) MACHINE_SEVERAL(MACHINE_ROW)},
                                 hart_fields[] = {HART_STATE(HART_ROW) HART_SEVERAL(HART_ROW)};
enum {
    MACHINE_FIELDS = LENGTH(machine_fields),
    HART_FIELDS = LENGTH(hart_fields),
    MACHINE_FIELDS_OF_ONE = LENGTH(((const struct state_member[]){MACHINE_STATE(MACHINE_ROW)})), // there are no others
    HART_FIELDS_OF_ONE = LENGTH(((const struct state_member[]){HART_STATE(HART_ROW)})),
    MOST_FIELDS = MACHINE_FIELDS + MACHINE_MOST_HARTS * HART_FIELDS,
};
struct field {
    struct state_member member; // its name: that of the block
    const uint8_t *bytes;       // in the machine
    char name[NAME_BYTES];
};

static unsigned machine_count(const struct iss *iss) {
    return iss->hart_count > 1 ? MACHINE_FIELDS : MACHINE_FIELDS_OF_ONE;
}
static unsigned hart_count(const struct iss *iss) {
    return iss->hart_count > 1 ? HART_FIELDS : HART_FIELDS_OF_ONE;
}
static unsigned field_count(const struct iss *iss) {
    return machine_count(iss) + iss->hart_count * hart_count(iss);
}

// i: below field_count. The machine's own are those of `machine`, which may be a copy of iss.
static void field_at(const struct iss *iss, const struct iss *machine, unsigned i, struct field *field) {
    memset(field, 0, sizeof *field);
    if (i < machine_count(iss)) {
        field->member = machine_fields[i];
        field->bytes = (const uint8_t *)machine + field->member.offset;
        snprintf(field->name, sizeof field->name, "%s", field->member.name);
    } else {
        const unsigned at = i - machine_count(iss), hart = at / hart_count(iss);
        field->member = hart_fields[at % hart_count(iss)];
        field->bytes = (const uint8_t *)&iss->harts[hart] + field->member.offset;
        snprintf(field->name, sizeof field->name, "harts[%u].%s", hart, field->member.name);
    }
    field->member.name = field->name;
}

// Fields that files of this version may hold, too: what is in them follows from others, and is not looked at.
static const char *const passed_over[] = {"harts[0].data_limit", "harts[0].fetches_plainly"};

// A field that has grown at its end: as files of this version may hold it, too. What lacks is 0.
static const struct {
    const char *name;
    size_t bytes;
} shorter[] = {{"peripherals", PERIPHERALS_OLD_BYTES}};

// The fields that point to files do so without them in a checkpoint.
static void detach(struct iss *s) {
    s->htif.out = s->htif.in = NULL;
    s->htif.host = NULL;
    for (unsigned i = 0; i < 2; i++)
        s->peripherals.uart[i].out = s->peripherals.uart[i].in = NULL;
}

static uint64_t steps_of(const struct iss *iss) {
    return iss_clock(iss) - iss->idle;
}

// ---- writing ----
static struct container_writer *begin(const struct iss *iss, const struct checkpoint_origin *origin, const char *path,
                                      struct error *err) {
    cJSON *header = cJSON_CreateObject();
    cJSON_AddStringToObject(header, "program", origin->program);
    cJSON_AddStringToObject(header, "build_id", origin->build_id);
    cJSON_AddStringToObject(header, "tables", TABLES_DIGEST);
    guest_images_put(header, &origin->images);
    cJSON_AddNumberToObject(header, "fields", field_count(iss));
    if (iss->hart_count > 1) cJSON_AddNumberToObject(header, "harts", iss->hart_count);
    cJSON_AddNumberToObject(header, "steps", (double)steps_of(iss));
    if (iss->dram_bytes != DRAM_BYTES) cJSON_AddNumberToObject(header, "memory", (double)iss->dram_bytes);
    char *text = cJSON_PrintUnformatted(header);
    cJSON_Delete(header);
    struct container_writer *w = text ? container_create(path, kind, CHECKPOINT_VERSION, text, err) : NULL;
    if (!text) error_nomem(err, path);
    free(text);
    return w;
}

static int write_fields(const struct iss *iss, struct container_writer *w, struct error *err) {
    struct iss *copy = malloc(sizeof *copy);
    uint8_t *block = malloc(NAME_BYTES + sizeof *copy + sizeof *iss->harts);
    int result = copy && block ? 0 : -ENOMEM;
    if (result < 0) error_nomem(err, "checkpoint");
    if (result == 0) {
        *copy = *iss;
        detach(copy);
    }
    for (unsigned i = 0; result == 0 && i < field_count(iss); i++) {
        struct field field;
        field_at(iss, copy, i, &field);
        memcpy(block, field.name, NAME_BYTES);
        memcpy(block + NAME_BYTES, field.bytes, field.member.bytes);
        result = container_write(w, BLOCK_FIELD, block, NAME_BYTES + field.member.bytes, err);
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
    uint8_t *block = malloc(RUN_HEAD + RUN_BYTES);
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
        bytes_put(block, at, RUN_HEAD);
        memcpy(block + RUN_HEAD, iss->dram + at, end - at);
        result = container_write(w, BLOCK_MEMORY, block, RUN_HEAD + end - at, err);
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

// ---- reading ----
struct reader {
    struct iss *iss;
    const char *path;
    struct error *err;
    bool header, seen[MOST_FIELDS];
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
        error_set(r->err, "%s: a checkpoint of a machine of %u hart%s, not of %u: `tipoff iss --restore` continues it",
                  r->path, harts, harts > 1 ? "s" : "", r->iss->hart_count);
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
        if (strncmp((const char *)name, passed_over[i], NAME_BYTES) == 0) return true;
    }
    return false;
}

static bool has_length(const struct state_member *field, size_t bytes) {
    for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++)
        if (strcmp(field->name, shorter[i].name) == 0 && bytes == shorter[i].bytes) return true;
    return bytes == field->bytes;
}

// Its bytes have its length, or a shorter one that it may have.
static bool take_bytes(struct reader *r, const struct field *field, const uint8_t *data, size_t bytes) {
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
    for (unsigned i = 0; bytes >= NAME_BYTES && i < field_count(r->iss); i++) {
        struct field field;
        field_at(r->iss, r->iss, i, &field);
        if (strncmp((const char *)data, field.name, NAME_BYTES) != 0) continue;
        if (!has_length(&field.member, bytes - NAME_BYTES) || r->seen[i]) break;
        r->seen[i] = true;
        return take_bytes(r, &field, data + NAME_BYTES, bytes - NAME_BYTES);
    }
    if (bytes >= NAME_BYTES && is_passed_over(data)) return true;
    return refuse(r, "holds a state that this tipoff does not have");
}

static bool take_memory(struct reader *r, const uint8_t *data, size_t bytes) {
    const uint8_t *next = data;
    const uint64_t memory = r->iss->dram_bytes;
    uint64_t at = bytes >= RUN_HEAD ? bytes_get(&next, RUN_HEAD) : memory;
    if (at >= memory || bytes - RUN_HEAD > memory - at) return refuse(r, "holds memory outside DRAM");
    memcpy(r->iss->dram + at, next, bytes - RUN_HEAD);
    return true;
}

static bool take_all(struct reader *r, struct container_reader *file, struct checkpoint_origin *origin) {
    enum container_result result;
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    while ((result = container_next(file, &type, &data, &bytes, r->err)) == CONTAINER_BLOCK) {
        bool good = type == CONTAINER_HEADER ? take_header(r, origin, data, bytes)
                    : !r->header             ? refuse(r, "damaged: it does not begin with its header")
                    : type == BLOCK_FIELD    ? take_field(r, data, bytes)
                    : type == BLOCK_MEMORY   ? take_memory(r, data, bytes)
                                             : refuse(r, "holds a block of an unknown type");
        if (!good) return false;
    }
    if (result != CONTAINER_COMPLETE) return refuse(r, result == CONTAINER_TRUNCATED ? "cut short" : "damaged");
    for (unsigned i = 0; i < field_count(r->iss); i++) {
        if (!r->seen[i]) return refuse(r, "lacks a part of the state");
    }
    detach(r->iss);
    const char *fault;
    if (!iss_restored(r->iss, &fault)) {
        char text[64];
        snprintf(text, sizeof text, "damaged: its %s", fault);
        return refuse(r, text);
    }
    if (origin) origin->steps = steps_of(r->iss);
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
    struct container_reader *file = container_open(path, kind, CHECKPOINT_VERSION, CHECKPOINT_VERSION, err);
    if (!file) return -EINVAL;
    struct reader r = {.iss = iss, .path = path, .err = err};
    bool good = take_all(&r, file, origin);
    container_destroy(file);
    detach(iss);
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
    struct container_reader *file = container_open(path, kind, CHECKPOINT_VERSION, CHECKPOINT_VERSION, err);
    if (!file) return 0;
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    unsigned harts = 1; // of one that is damaged, whoever reads it says so
    if (container_next(file, &type, &data, &bytes, err) == CONTAINER_BLOCK && type == CONTAINER_HEADER) {
        cJSON *header = cJSON_ParseWithLength((const char *)data, bytes);
        const unsigned told = harts_of(header);
        if (told) harts = told;
        cJSON_Delete(header);
    }
    container_destroy(file);
    return harts;
}

bool checkpoint_is_of(const struct checkpoint_origin *origin, const struct image *image, const char *path,
                      struct error *err) {
    const char *id = image_build_id(image);
    if (!id[0] || !origin->build_id[0] || strcmp(id, origin->build_id) == 0) return true;
    error_set(err, "%s: a checkpoint of %s, not of %s: name that program, or make the checkpoint anew", path,
              origin->program, image_path(image));
    return false;
}

bool checkpoint_has(const struct iss *iss, uint64_t memory, const char *path, struct error *err) {
    char has[MEMORY_SIZE_TEXT], asked[MEMORY_SIZE_TEXT];
    if (!memory || memory == iss->dram_bytes) return true;
    error_set(err, "%s: a checkpoint of a machine with memory of %s, not of %s: omit --memory", path,
              memory_size_text(iss->dram_bytes, has), memory_size_text(memory, asked));
    return false;
}

bool checkpoint_fits(const struct iss *iss, bool fp, unsigned pmp_entries, bool ad_update, const char *path,
                     struct error *err) {
    const struct hart *h = iss_only(iss);
    if (h->fp == fp && h->pmp_entries == pmp_entries && h->ad_update == ad_update) return true;
    error_set(err,
              "%s: a checkpoint of a hart with fp %d, pmp_entries %u, ad_update %d; this configuration has %d, %u, %d: "
              "choose one that has the same",
              path, h->fp, h->pmp_entries, h->ad_update, fp, pmp_entries, ad_update);
    return false;
}
