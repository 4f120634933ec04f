// Holds back the instruction that retired last, and the squashed ones after it, until the next that retires.
#include "import/fates.h"
#include "base/array.h"
#include <stdlib.h>

struct fates {
    const char *path;
    fates_take *take;
    void *context;
    struct fate before;
    bool any; // there is a `before`
    struct fate *squashed;
    size_t count, capacity;
    struct fate_counts counts;
};

struct fates *fates_create(const char *path, fates_take *take, void *context, struct error *err) {
    struct fates *f = error_calloc(sizeof *f, path, err);
    if (!f) return NULL;
    *f = (struct fates){.path = path, .take = take, .context = context};
    return f;
}

void fates_destroy(struct fates *f) {
    if (f) free(f->squashed);
    free(f);
}

const struct fate_counts *fates_counts(const struct fates *f) {
    return &f->counts;
}

static bool give_all(struct fates *f, struct error *err) {
    bool good = !f->any || f->take(f->context, &f->before, err);
    for (size_t i = 0; good && i < f->count; i++)
        good = f->take(f->context, &f->squashed[i], err);
    f->count = 0;
    return good;
}

// The squashed ones that say no time leave in cycle `now`, after they have come.
static void set_times(struct fates *f, uint64_t now) {
    for (size_t i = f->count; i > 0; i--) {
        struct import_life *l = &f->squashed[i - 1].life;
        if (l->dispatched != IMPORT_NEVER && l->dispatched > now) now = l->dispatched;
        if (l->left == IMPORT_NEVER) l->left = now;
    }
}

static void trap(struct fates *f, enum fate_kind kind) {
    f->squashed[0].kind = kind;
    // It is at the head for a cycle at least.
    struct import_life *l = &f->squashed[0].life;
    const uint64_t head = f->any && f->before.life.left > l->dispatched ? f->before.life.left : l->dispatched;
    if (l->left <= head) l->left = head + 1;
    for (size_t i = 1; i < f->count; i++)
        f->squashed[i].life.left = l->left;
    f->counts.traps += kind == FATE_TRAPS;
    f->counts.replays += kind == FATE_REPLAYS;
}

// What squashed those between `before` and this one. A branch that retires has been resolved: its wrong path has gone.
static void judge(struct fates *f, const struct import_life *next) {
    const struct import_life *first = &f->squashed[0].life;
    const bool again = next->pc == first->pc, in = first->dispatched != IMPORT_NEVER;
    const uint64_t fetched = next->fetched == IMPORT_NEVER ? 0 : next->fetched;
    const uint64_t squashed = first->left != IMPORT_NEVER ? first->left : fetched, last = fetched ? fetched - 1 : 0;
    const uint64_t retired = f->any ? f->before.life.left : 0;
    const bool behind = !f->any || squashed > retired;
    if (!again && f->any && f->before.life.control) {
        f->before.mispredicts = true;
        f->counts.mispredictions++;
        set_times(f, last < retired ? last : retired);
    } else if (behind && in && (!again || first->load)) {
        set_times(f, last);
        trap(f, again ? FATE_REPLAYS : FATE_TRAPS);
    } else if (f->any && (behind || !again || squashed == retired)) {
        f->before.flushes = true;
        f->counts.flushes++;
        set_times(f, retired);
    } else {
        set_times(f, last);
    }
}

bool fates_add(struct fates *f, const struct import_life *life, struct error *err) {
    if (!life->retired) {
        if (!array_reserve(&f->squashed, &f->capacity, f->count, sizeof *f->squashed)) {
            error_nomem(err, f->path);
            return false;
        }
        f->squashed[f->count++] = (struct fate){.life = *life, .kind = FATE_SQUASHED};
        f->counts.squashed++;
        return true;
    }
    if (f->count) judge(f, life);
    if (!give_all(f, err)) return false;
    f->before = (struct fate){.life = *life, .kind = FATE_RETIRES};
    f->any = true;
    f->counts.retired++;
    return true;
}

// Those in flight at the end of the trace did not leave.
bool fates_finish(struct fates *f, struct error *err) {
    f->count = 0;
    const bool good = give_all(f, err);
    f->any = false;
    return good;
}
