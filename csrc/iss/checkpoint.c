// The state that a checkpoint holds, and whether it belongs to this program and this hart. What is saved are the lists
// MACHINE_STATE and HART_STATE, field by field, with pointers left out.
#include "base/memory_size.h"
#include "iss/checkpoint_internal.h"
#include <stdio.h>
#include <string.h>

// A block of a field: its name, CHECKPOINT_NAME_BYTES of it, and its bytes. The machine's, then each hart's,
// "harts[0].pc".
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
};
_Static_assert(CHECKPOINT_MOST_FIELDS == MACHINE_FIELDS + MACHINE_MOST_HARTS * HART_FIELDS, "readers note all fields");

static unsigned machine_count(const struct iss *iss) {
    return iss->hart_count > 1 ? MACHINE_FIELDS : MACHINE_FIELDS_OF_ONE;
}
static unsigned hart_count(const struct iss *iss) {
    return iss->hart_count > 1 ? HART_FIELDS : HART_FIELDS_OF_ONE;
}

unsigned checkpoint_field_count(const struct iss *iss) {
    return machine_count(iss) + iss->hart_count * hart_count(iss);
}

void checkpoint_field_at(const struct iss *iss, const struct iss *machine, unsigned i, struct checkpoint_field *field) {
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

void checkpoint_detach(struct iss *s) {
    s->htif.out = s->htif.in = NULL;
    s->htif.host = NULL;
    for (unsigned i = 0; i < 2; i++)
        s->peripherals.uart[i].out = s->peripherals.uart[i].in = NULL;
}

uint64_t checkpoint_steps(const struct iss *iss) {
    return iss_clock(iss) - iss->idle;
}

bool checkpoint_is_of(const struct checkpoint_origin *origin, const struct image *image, const char *path,
                      struct error *err) {
    const char *id = image_build_id(image);
    if (!id[0] || !origin->build_id[0] || strcmp(id, origin->build_id) == 0) return true;
    error_set(err, "%s: a checkpoint of %s, not of %s: name that program, or make a new checkpoint", path,
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
    const struct hart *h = &iss->harts[0]; // as all of them
    if (h->fp == fp && h->pmp_entries == pmp_entries && h->ad_update == ad_update) return true;
    error_set(err,
              "%s: a checkpoint of a hart with fp %d, pmp_entries %u, ad_update %d; this configuration has %d, %u, %d: "
              "choose one that has the same",
              path, h->fp, h->pmp_entries, h->ad_update, fp, pmp_entries, ad_update);
    return false;
}
