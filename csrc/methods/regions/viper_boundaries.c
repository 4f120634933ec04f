// Thinning and the greedy choice of boundaries: viper_boundaries.h.
#include "methods/regions/viper_boundaries.h"
#include "base/array.h"
#include <errno.h>
#include <string.h>

int viper_thin(struct viper_list *l, uint64_t thin, const struct viper_marker *marker) {
    struct viper_marker *const last = l->count ? &l->at[l->count - 1] : NULL;
    if (last && last->position / thin == marker->position / thin) {
        if (marker->kind <= last->kind) return 0;
        *last = *marker;
        return 1;
    }
    if (!array_reserve(&l->at, &l->capacity, l->count, sizeof *l->at)) return -ENOMEM;
    l->at[l->count++] = *marker;
    return 1;
}

void viper_forget(struct viper_list *l, size_t count) {
    l->count -= count;
    memmove(l->at, l->at + count, l->count * sizeof *l->at);
}

size_t viper_next(const struct viper_marker *at, size_t count, uint64_t begin, uint64_t least, uint64_t most) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (at[i].position <= begin || at[i].position - begin < least) continue;
        if (at[i].position - begin > most) return best == SIZE_MAX ? i : best;
        if (best == SIZE_MAX || at[i].kind > at[best].kind) best = i;
    }
    return best;
}
