// How each instruction of a trace left the ROB, and what squashed those that did not retire.
//
// A trace says that instructions were squashed, seldom when, and never why. What follows from it, of the squashed ones
// between two that retired, `before` and `next`:
//   the path goes on elsewhere than with the first of them, `before` is a branch or jump: it was mispredicted
//   ... it is none: the first of them trapped, or an interrupt was taken on it
//   the path goes on with the first of them again, it was at the head, and is a load: it was replayed
//   ... it is none, or was squashed in the cycle in which `before` retired: by that one, which always flushes
//   ... it was not at the head: nothing that time goes to
// Where the time of a squash is not known, it is the cycle before the next instruction is fetched.
#ifndef TIPOFF_IMPORT_FATES_H
#define TIPOFF_IMPORT_FATES_H

#include "import/import.h"

enum fate_kind { FATE_RETIRES, FATE_SQUASHED, FATE_TRAPS, FATE_REPLAYS };
struct fate {
    struct import_life life; // `left` is set for all
    enum fate_kind kind;
    bool mispredicts, flushes; // of one that retires: those after it are squashed
};

struct fates;
typedef bool fates_take(void *context, const struct fate *fate, struct error *err);
struct fates *fates_create(const char *path, fates_take *take, void *context, struct error *err); // NULL with err
void fates_destroy(struct fates *f);                                                              // NULL is fine
// In the order of fetch, in cycles.
bool fates_add(struct fates *f, const struct import_life *life, struct error *err);
bool fates_finish(struct fates *f, struct error *err);

struct fate_counts {
    uint64_t retired, squashed, mispredictions, traps, replays, flushes;
};
const struct fate_counts *fates_counts(const struct fates *f);

#endif
