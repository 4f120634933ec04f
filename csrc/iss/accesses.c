// Who sees the accesses to data, and their hand-over: accesses.h. They are noted in execute.c, and here those that are
// not plain.
#include "iss/accesses.h"
#include "iss/iss_internal.h"
#include <stdlib.h>

enum { ROOM = 4096 };
// Its owner's turn ends with it empty: all harts share it.
struct iss_accesses {
    iss_accessed *accessed;
    void *context;
    iss_data_access noted[ROOM];
};

bool iss_watch_accesses(struct iss *iss, iss_accessed *accessed, void *context, struct error *err) {
    struct iss_accesses *a = iss->accesses;
    if (accessed && !a && !(a = malloc(sizeof *a))) {
        error_nomem(err, "stream of accesses");
        return false;
    }
    if (!accessed) {
        free(a);
        a = NULL;
    } else {
        a->accessed = accessed;
        a->context = context;
    }
    iss->accesses = a;
    for (unsigned i = 0; i < iss->hart_count; i++) {
        iss->harts[i].noted = a ? a->noted : NULL;
        iss->harts[i].noted_end = a ? a->noted + ROOM : NULL;
    }
    return true;
}

void iss_accesses_hand_over(struct hart *h) {
    const struct iss_accesses *a = h->machine->accesses;
    const size_t count = (size_t)(h->noted - a->noted);
    h->noted -= count;
    if (count) a->accessed(a->context, h->place, a->noted, count);
}

void iss_note_access(struct hart *h, unsigned bytes, bool store) {
    if (!h->machine->accesses || !iss_is_dram(h->machine, h->physical)) return;
    *h->noted++ = iss_access_of(h->physical, bytes, store);
    if (h->noted == h->noted_end) iss_accesses_hand_over(h);
}
