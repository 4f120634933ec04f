// Reads executions by vector and stalls without an event from the run's results.
#include "report/stacks.h"
#include "report/words.h"
#include "results.h"
#include <stdlib.h>
#include <string.h>

struct events_met events_met_of(const struct run *d) {
    const struct results *r = samples_results(d->samples);
    const struct base_stalls *base = results_base_stalls(r);
    struct events_met e = {.known = base};
    size_t count;
    const struct execution *executions = results_execution(r, &count);
    if (!base) return e;
    for (size_t i = 0; i < count; i++) {
        const unsigned psv = executions[i].psv;
        e.executions += executions[i].count;
        if (psv) e.any += executions[i].count;
        if (psv & (psv - 1)) e.combined += executions[i].count;
    }
    e.stalls = base->count;
    e.stall_cycles = base->cycles;
    e.lengths = results_stall_length(r, &e.length_count);
    e.longs = results_long_stall(r, &e.long_count);
    return e;
}

uint64_t events_met_quantile(const struct events_met *e, double share) {
    uint64_t sum = 0;
    for (size_t i = 0; i < e->length_count; i++) {
        sum += e->lengths[i].stalls;
        if ((double)sum >= share * (double)e->stalls) return e->lengths[i].length;
    }
    return 0;
}

uint64_t events_met_longest(const struct events_met *e) {
    return e->length_count ? e->lengths[e->length_count - 1].length : 0;
}

uint64_t events_met_from(const struct events_met *e, uint64_t length) {
    uint64_t sum = 0;
    for (size_t i = 0; i < e->length_count; i++) {
        if (e->lengths[i].length >= length) sum += e->lengths[i].stalls;
    }
    return sum;
}

const char *stalls_kind(const struct run *d, struct place place) {
    static const struct {
        const char *unit, *words;
    } kinds[] = {
        {"alu", "integer operation (end of a chain)"},
        {"branch", "branch (end of a chain)"},
        {"jal", "jump"},
        {"jalr", "indirect jump (end of a chain)"},
        {"mul", "multiply"},
        {"div", "divide"},
        {"load", "load (a device, or waits for its address or an older store)"},
        {"store", "store (waits for its operands, or while others wait for the walker)"},
        {"amo", "atomic (waits until older stores have drained)"},
        {"csr", "CSR access (satp: waits until older stores have drained)"},
        {"fp", "floating-point operation"},
        {"fence", "fence (waits until older stores have drained)"},
        {"sys", "environment call, trap return, wfi"},
    };
    const char *unit = report_execution_unit(d, place);
    if (!*unit) return "not in the program";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].unit, unit) == 0) return kinds[i].words;
    }
    return unit; // a unit without words of its own: its name
}
