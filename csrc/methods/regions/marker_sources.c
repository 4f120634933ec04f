// Loops of a program, and those that are executed as often however its harts interleave: marker_sources.h.
#include "methods/regions/marker_sources.h"
#include "analysis/flow.h"

static bool add_loops(struct markers *m, const struct program *p, const struct own_code *code, size_t function,
                      struct error *err) {
    size_t blocks, loops, unused;
    struct flow *flow = flow_create(p, function, NULL, 0);
    if (!flow) {
        error_nomem(err, "loops of a program");
        return false;
    }
    const struct flow_block *block = flow_blocks(flow, &blocks);
    const struct flow_loop *loop = flow_loops(flow, &loops);
    const struct program_instruction *all = program_instructions(p, &unused);
    bool good = true;
    for (size_t i = 0; good && i < loops; i++) {
        const uint64_t pc = all[block[loop[i].header].first].pc;
        if (loop[i].irreducible || !own_code_has(code, pc) || own_code_synchronises(code, pc)) continue;
        good = markers_add(m, pc, MARKER_LOOP, program_functions(p, &unused)[function].entry, loop[i].depth, err);
    }
    flow_destroy(flow);
    return good;
}

bool markers_of_code(struct markers *m, const struct program *p, const struct own_code *code, struct error *err) {
    size_t count;
    program_functions(p, &count);
    for (size_t i = 0; i < count; i++)
        if (!add_loops(m, p, code, i, err)) return false;
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
