// Loads and AMOs against the lines that came to the data port.
#include "workers/event_vectors.h"

enum { LINE_BITS = 6, AMO = 0x2f };

static struct vectors_line *slot(struct vectors *s, uint64_t line) {
    return &s->lines[(line ^ line >> 14) % VECTORS_LINES];
}

static void responded(struct vectors *s, uint64_t line, uint64_t asked, const struct memory_event *event) {
    struct vectors_line *entry = slot(s, line);
    if (entry->line != line) *entry = (struct vectors_line){.line = line, .before = entry->responded};
    if (entry->responded) entry->before = entry->responded;
    entry->responded = event->tick;
    entry->asked = asked;
    entry->llc_miss = event->llc_miss;
    if (event->llc_miss) entry->from_dram = event->tick;
}

void vectors_memory(struct vectors *s, const struct memory_event *event) {
    if (event->kind != MEMORY_READ && event->kind != MEMORY_RESPONSE) return;
    struct vectors_ask *ask = &s->asks[event->port][event->id % VECTORS_IDS];
    if (event->kind == MEMORY_READ) {
        *ask = (struct vectors_ask){event->address >> LINE_BITS, event->tick};
    } else if (event->port == DPI_PORT_DATA) {
        responded(s, ask->line, ask->tick, event);
    } else {
        vectors_fetched(s, ask->line << LINE_BITS);
    }
}

void vectors_store(struct vectors *s, uint64_t address) {
    s->stores[s->store_count++ % VECTORS_STORES] = address >> LINE_BITS;
}

static bool stored(const struct vectors *s, uint64_t line) {
    unsigned count = s->store_count < VECTORS_STORES ? s->store_count : VECTORS_STORES;
    for (unsigned i = 0; i < count; i++) {
        if (s->stores[i] == line) return true;
    }
    return false;
}

// It was the oldest for long when its line came, which had been asked for long before.
static bool held(const struct vectors_line *entry, const struct shadow_left *left, const struct iss_retire *step,
                 unsigned psv) {
    return entry->responded >= left->headed + VECTORS_HEADED && entry->responded >= entry->asked + VECTORS_ASKED &&
           !(psv >> EVENT_ST_TLB & 1) && (step->insn & 0x7f) != AMO;
}

bool vectors_check_load(struct vectors *s, const struct shadow_left *left, const struct iss_retire *step, unsigned psv,
                        struct vectors_difference *d) {
    const uint64_t line = step->address >> LINE_BITS, since = left->dispatched;
    const struct vectors_line *entry = slot(s, line);
    const bool came = entry->responded + VECTORS_SLACK >= since;
    if (entry->line != line && came) return false; // another line has taken its place: nothing is known
    const bool mine = entry->line == line && came, dram = mine && entry->from_dram + VECTORS_SLACK >= since;
    const bool again =
        entry->before + VECTORS_SLACK >= since; // what came before, of it or of another, is not all known
    if (psv >> EVENT_ST_LLC & 1 && !dram && !again)
        return vectors_differ(d, EVENT_ST_LLC, "ST_LLC", "its line did not come from DRAM", false, psv);
    if (psv >> EVENT_ST_L1 & 1 && !mine && !stored(s, line))
        return vectors_differ(d, EVENT_ST_L1, "ST_L1", "its line did not come", false, psv);
    if (!mine || stored(s, line)) return false;
    if (s->gated) return false; // what follows must be set
    const bool met = psv >> EVENT_ST_L1 & 1 && !again && entry->asked > since && (step->insn & 0x7f) != AMO;
    if (met && entry->llc_miss) s->dram_expected++;
    if (met && vectors_differ(d, EVENT_ST_LLC, "ST_LLC", "by the memory model, for the line that it missed",
                              entry->llc_miss, psv))
        return true;
    if (!held(entry, left, step, psv)) return false;
    s->loads_expected++;
    if (vectors_differ(d, EVENT_ST_L1, "ST_L1", "it waited for its line", true, psv)) return true;
    return !again &&
           vectors_differ(d, EVENT_ST_LLC, "ST_LLC", "by the memory model, for its line", entry->llc_miss, psv);
}
