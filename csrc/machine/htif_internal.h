// What HTIF's commands and its system calls share. Not for other libraries.
#ifndef TIPOFF_MACHINE_HTIF_INTERNAL_H
#define TIPOFF_MACHINE_HTIF_INTERNAL_H

#include "machine/htif.h"

static inline uint64_t htif_payload(uint64_t command) {
    return command & ((UINT64_C(1) << 48) - 1);
}
static inline void htif_print(struct htif *h, uint8_t byte) {
    if (h->out) fputc(byte, h->out);
}

// ---- a system call under way: htif_calls.c ----
// The word of memory at h->place, for the step that this names; the last one goes on to the next step.
void htif_take_argument(struct htif *h, uint64_t word);
void htif_take_text(struct htif *h, uint64_t word);
void htif_take_path(struct htif *h, uint64_t word);
void htif_fill_word(struct htif *h, uint64_t *word);

#endif
