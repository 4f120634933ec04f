// Loops of a program, and those that are executed as often however its harts interleave: marker_sources.h.
#include "methods/regions/marker_sources.h"

bool markers_of_loops(struct markers *m, const struct dcfg *d, const struct program *p, const struct own_code *code,
                      struct error *err) {
    for (size_t i = 0; i < d->loop_count; i++) {
        const struct dcfg_loop *loop = &d->loops[i];
        const uint64_t pc = d->blocks[loop->header].pc;
        const struct program_function *const f = program_function_at(p, pc);
        if (!f || !own_code_has(code, pc) || own_code_synchronises(code, pc)) continue;
        if (!markers_add(m, pc, MARKER_LOOP, f->entry, loop->depth, err)) return false;
    }
    markers_sort(m);
    return true;
}

struct markers_kept markers_keep_stable(struct markers *m, const uint64_t *counts, size_t runs) {
    struct markers_kept kept = {0};
    size_t stay = 0;
    for (size_t i = 0; i < m->count; i++) {
        uint64_t low = UINT64_MAX, high = 0;
        for (size_t r = 0; r < runs; r++) {
            const uint64_t count = counts[r * m->count + i];
            low = count < low ? count : low;
            high = count > high ? count : high;
        }
        if (high == 0) continue;
        kept.candidates++;
        if (low == high) {
            m->at[stay++] = m->at[i];
            continue;
        }
        kept.unstable++;
        if (kept.high == 0 || high - low > kept.high - kept.low) {
            kept.worst = m->at[i].pc;
            kept.low = low;
            kept.high = high;
        }
    }
    m->count = stay;
    return kept;
}
