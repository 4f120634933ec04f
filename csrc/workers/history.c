// What is printed of the last bundles.
#include "workers/history.h"
#include <inttypes.h>

static void print_past(const struct past *p, unsigned width, FILE *out) {
    const struct commit_bundle *b = &p->bundle;
    fprintf(out, "  cycle %-10" PRIu64 " x%-4" PRIu64 "%s%s%s%s", p->cycle, p->count, b->rob_empty ? " empty" : "",
            b->exception ? " exception" : "", b->replay ? " replay" : "", b->interrupt ? " interrupt" : "");
    for (unsigned k = 0, lane = b->oldest; k < width; k++, lane = lane + 1 == width ? 0 : lane + 1) {
        if (!(b->valid >> lane & 1)) continue;
        fprintf(out, "  %s0x%" PRIx64 "%s%s", b->commit >> lane & 1 ? "*" : "", b->pc[lane],
                b->mispredict >> lane & 1 ? "m" : "", b->flush >> lane & 1 ? "f" : "");
    }
    for (unsigned i = 0; i < width; i++) {
        if (b->dispatch_valid >> i & 1) fprintf(out, "  %s0x%" PRIx64, i ? "" : "dispatch ", b->dispatch_pc[i]);
    }
    fputc('\n', out);
}

void history_print(const struct history *h, FILE *out) {
    fprintf(out, "The last bundles (*: commits, m: mispredicted, f: flushes):\n");
    for (unsigned i = 0; i < HISTORY_BUNDLES; i++) {
        const struct past *p = &h->past[(h->next + i) % HISTORY_BUNDLES];
        if (p->count) print_past(p, h->width, out);
    }
}
