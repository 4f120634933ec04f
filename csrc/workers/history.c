// A ring of what is printed, filled without a branch on its content.
#include "workers/history.h"
#include <inttypes.h>

void history_add(struct history *h, uint64_t cycle, uint64_t count, const struct commit_bundle *b) {
    struct past *p = &h->past[h->count++ % HISTORY_BUNDLES];
    p->cycle = cycle, p->count = count;
    p->valid = b->valid, p->commit = b->commit, p->mispredict = b->mispredict, p->flush = b->flush;
    p->oldest = b->oldest, p->dispatch_valid = b->dispatch_valid;
    p->rob_empty = b->rob_empty, p->exception = b->exception, p->replay = b->replay, p->interrupt = b->interrupt;
    for (unsigned i = 0; i < h->width; i++)
        p->pc[i] = b->pc[i], p->dispatch_pc[i] = b->dispatch_pc[i];
}

static void print_bundle(const struct past *b, unsigned width, FILE *out) {
    fprintf(out, "  cycle %-10" PRIu64 " x%-4" PRIu64 "%s%s%s%s", b->cycle, b->count, b->rob_empty ? " empty" : "",
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
    uint64_t first = h->count > HISTORY_BUNDLES ? h->count - HISTORY_BUNDLES : 0;
    for (uint64_t i = first; i < h->count; i++)
        print_bundle(&h->past[i % HISTORY_BUNDLES], h->width, out);
}
