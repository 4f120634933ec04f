// Checkpoints: the whole state of a machine in a file, and back. A restored machine goes on as the one that was saved
// would have, instruction by instruction.
//
// The file is a container (base/container.h) of kind "machine": a header (JSON: program, build id, digest of the
// tables, instructions done, images; the size of memory, where it is not DRAM_BYTES), a block for each field of the
// state (iss_internal.h), blocks of DRAM where it is not zero, and, where it was recorded, one of the last accesses.
// Console input is read again from its beginning up to where the saved machine was.
#ifndef TIPOFF_ISS_CHECKPOINT_H
#define TIPOFF_ISS_CHECKPOINT_H

#include "iss/iss.h"
#include "iss/last_accesses.h"
#include "profile/guest_images.h"

enum { CHECKPOINT_VERSION = 2, CHECKPOINT_NAME = 1024 };

struct checkpoint_origin {
    char program[CHECKPOINT_NAME], build_id[128]; // of the program that was running: path, and note; "" if it has none
    struct guest_images images;                   // of the code in it, where there is an operating system
    uint64_t steps;                               // instructions and traps so far; checkpoint_read alone sets it
    const struct access_record *accesses;         // so far, of one to be written; NULL: they are not recorded
};

// 0, or a negative errno with err; then there is no such file. A file of that name is replaced when all is written.
int checkpoint_write(const struct iss *iss, const struct checkpoint_origin *origin, const char *path,
                     struct error *err);
// The same into the file itself, for one that has no name (base/unnamed.h); after a failure it exists, and holds no
// checkpoint.
int checkpoint_write_into(const struct iss *iss, const struct checkpoint_origin *origin, const char *path,
                          struct error *err);
// Replaces the state of iss, and its size of memory; its console stays as it is set; it is autonomous or not as before.
// origin may be NULL. 0, or -EINVAL with err (one line: file, fault, remedy): no checkpoint, damaged, of another
// version or of other tables, of another number of harts. After a failure iss_load or another checkpoint is needed.
int checkpoint_read(struct iss *iss, struct checkpoint_origin *origin, const char *path, struct error *err);
// The last accesses before it, which checkpoint_read passes over, for last_accesses_free. False with err (one line:
// file, fault, remedy): it is damaged, or holds none.
bool checkpoint_accesses(const char *path, struct last_accesses *out, struct error *err);
// Harts of the machine that this file holds, for iss_create_harts; 0 with err: it cannot be read, or is none.
unsigned checkpoint_harts(const char *path, struct error *err);
// Whether the checkpoint, which `path` names, was made of a run of this program: by their build ids, where both have
// one.
bool checkpoint_is_of(const struct checkpoint_origin *origin, const struct image *image, const char *path,
                      struct error *err);
// Whether its memory is as large as was asked for (0: nothing was): the checkpoint's size wins.
bool checkpoint_has(const struct iss *iss, uint64_t memory, const char *path, struct error *err);
// Whether a hart like this can go on with the restored machine.
bool checkpoint_fits(const struct iss *iss, bool fp, unsigned pmp_entries, bool ad_update, const char *path,
                     struct error *err);

#endif
