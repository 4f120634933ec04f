// What is in a checkpoint: the fields of the state, for those who write and read them. Not for other libraries.
#ifndef TIPOFF_ISS_CHECKPOINT_INTERNAL_H
#define TIPOFF_ISS_CHECKPOINT_INTERNAL_H

#include "iss/checkpoint.h"
#include "iss/iss_internal.h"

#define CHECKPOINT_KIND "machine"                                                 // of container
enum { CHECKPOINT_FIELD = 16, CHECKPOINT_MEMORY = 17, CHECKPOINT_ACCESSES = 18 }; // blocks
// A block of a field begins with its name; one of memory with its offset in DRAM.
enum { CHECKPOINT_NAME_BYTES = 32, CHECKPOINT_RUN_HEAD = 8 };
// NOLINTNEXTLINE(bugprone-macro-parentheses): a term of a sum
#define CHECKPOINT_ONE(type, name, dimension, range) +1
enum {
    CHECKPOINT_MOST_FIELDS = MACHINE_STATE(CHECKPOINT_ONE) MACHINE_SEVERAL(CHECKPOINT_ONE) +
                             MACHINE_MOST_HARTS * (HART_STATE(CHECKPOINT_ONE) HART_SEVERAL(CHECKPOINT_ONE))
};
#undef CHECKPOINT_ONE

struct checkpoint_field {
    struct state_member member; // its name: that of the block
    const uint8_t *bytes;       // in the machine
    char name[CHECKPOINT_NAME_BYTES];
};
unsigned checkpoint_field_count(const struct iss *iss);
// i: below checkpoint_field_count. The machine's own are those of `machine`, which may be a copy of iss.
void checkpoint_field_at(const struct iss *iss, const struct iss *machine, unsigned i, struct checkpoint_field *field);
// The fields that point to files do so without them in a checkpoint.
void checkpoint_detach(struct iss *s);
uint64_t checkpoint_steps(const struct iss *iss); // instructions and traps so far
struct container_writer;
int checkpoint_write_accesses(const struct access_record *accesses, struct container_writer *w, struct error *err);

#endif
