// Exact executions from a run's jumps: all arrivals up to an instruction, less all departures from those before it.
#include "methods/hbbp/mix.h"
#include <stdlib.h>

struct flow {
    int64_t *arrivals, *departures; // by instruction
};

static void add_end(struct mix *m, int64_t *ends, struct place place, uint64_t count, uint64_t *outside) {
    if (place.pc == PROFILE_PC_END) return;
    const uint32_t i = code_find(m->code, place);
    if (i == CODE_NONE) {
        *outside += count;
    } else {
        ends[i] = (int64_t)((uint64_t)ends[i] + count);
    }
}

bool mix_add_edges(struct mix *m, const struct results *results, struct error *err) {
    size_t jump_count;
    const struct jump *jumps = results_jump(results, &jump_count);
    const size_t n = m->code->count;
    struct flow f = {calloc(n + 1, sizeof *f.arrivals), calloc(n + 1, sizeof *f.departures)};
    int64_t flow = 0;
    free(m->counts[MIX_EXACT]);
    double *counts = m->counts[MIX_EXACT] = calloc(n + 1, sizeof *counts);
    bool good = f.arrivals && f.departures && counts;
    if (!good) {
        error_nomem(err, "instruction mix");
    } else if (!results_known(results, RESULT_JUMP)) {
        error_set(err, "the run has no exact counts to compare with: run it again to its end, with lockstep");
        good = false;
    }
    for (size_t i = 0; good && i < jump_count; i++) {
        uint64_t left = 0;
        add_end(m, f.departures, jumps[i].from, jumps[i].executions, &left);
        add_end(m, f.arrivals, jumps[i].to, jumps[i].executions, &m->outside[MIX_EXACT]);
    }
    for (size_t i = 0; good && i < n; i++) {
        flow = (m->code->instructions[i].follows ? flow : 0) + f.arrivals[i];
        counts[i] = flow > 0 ? (double)flow : 0;
        flow -= f.departures[i];
    }
    free(f.arrivals);
    free(f.departures);
    return good;
}
