// Faults between core models of several harts and the checker of memory's order: a library for LD_PRELOAD that stands
// in for two of the models' DPI functions (test_order_faults.py has renamed them in a copy of the model) and passes on
// what each hart says with one thing wrong, named by the environment variable TIPOFF_FAULT. Without it nothing is
// changed. TIPOFF_LINES=states: what lines have in them is not reported, so that the other axioms are asked.
// For one thread.
#include "trace/dpi.h"
#include <stdlib.h>
#include <string.h>

enum {
    HARTS = 8,
    FROM = 40,
    LATE = 48,
    SOON = 16,
    WARM = 1500
}; // FROM: stores from which on faults act; the others: cycles

struct event {
    int kind, id, size;
    unsigned long long address, data;
};
static struct hart {
    const struct trace_cycle *of;
    unsigned long long cycle, due; // due: when what is held is reported; 0: nothing is held
    unsigned stores;
    struct event held;
    unsigned long long linked;
} harts[HARTS];

static int fault(const char *name) {
    const char *wanted = getenv("TIPOFF_FAULT");
    return wanted && strcmp(wanted, name) == 0;
}

// The hart whose model runs.
static struct hart *running(void) {
    const struct trace_cycle *now = tipoff_current_cycle();
    unsigned i = 0;
    while (i < HARTS - 1 && harts[i].of && harts[i].of != now)
        i++;
    harts[i].of = now;
    return &harts[i];
}

static void tell(struct event e) {
    tipoff_access(e.kind, e.id, e.size, e.address, e.data);
}
static void hold(struct hart *h, struct event e, unsigned long long cycles) {
    h->held = e;
    h->due = h->cycle + cycles;
}
static void release(struct hart *h) {
    if (h->due) tell(h->held);
    h->due = 0;
}

// Of stores, from the FROMth on.
static void tell_store(struct hart *h, struct event e) {
    if (fault("a store is not visible")) return;
    if (fault("a store has another bit")) e.data ^= 1;
    if (fault("a store is visible elsewhere")) e.address ^= 1ull << e.size;
    if (fault("a store is another hart's")) { // of the same id, if that has one
        tell((struct event){ACCESS_OTHER, 0, e.size, e.address, e.data});
        return;
    }
    if (fault("a store is visible late") && !h->due) {
        hold(h, e, LATE);
        return;
    }
    if (fault("two stores change places") && !h->due) {
        hold(h, e, 1000000);
        return;
    }
    tell(e);
    if (fault("two stores change places")) release(h);
}

static void tell_line(struct hart *h, struct event e) {
    const int lost = e.kind == ACCESS_LINE_LOST, acts = h->stores >= FROM;
    const char *lines = getenv("TIPOFF_LINES");
    if (lines && strcmp(lines, "states") == 0) e.id = 0;
    if (acts && fault("a line has another bit")) e.data ^= 1;
    if (acts && lost && fault("a line's loss is not reported")) return;
    if (acts && lost && fault("a line's loss is reported late") && !h->due) {
        hold(h, e, LATE);
        return;
    }
    if (acts && e.kind == ACCESS_LINE_OWNED && fault("a line of one's own is reported as shared"))
        e.kind = ACCESS_LINE_SHARED;
    if (acts && e.kind == ACCESS_LINE_SHARED && fault("a shared line is reported as one's own"))
        e.kind = ACCESS_LINE_OWNED;
    tell(e);
}

static void tell_atomic(struct hart *h, struct event e) {
    if (e.kind == ACCESS_LR) h->linked = e.address;
    const int sc = e.kind == ACCESS_AMO_STORE && e.address == h->linked;
    if (e.kind == ACCESS_AMO_STORE &&
        fault(sc ? "a store between LR and SC" : "a store between an AMO's load and its store"))
        tell((struct event){ACCESS_OTHER, 0, e.size, e.address, e.data});
    if (e.kind == ACCESS_AMO_STORE && fault("an AMO's store has another bit")) e.data ^= 1;
    tell(e);
}

void tipoff_Access(int kind, int id, int size, unsigned long long address, unsigned long long data);
void tipoff_Access(int kind, int id, int size, unsigned long long address, unsigned long long data) {
    struct hart *h = running();
    const struct event e = {kind, id, size, address, data};
    if (kind == ACCESS_STORE && ++h->stores >= FROM) {
        tell_store(h, e);
    } else if (kind == ACCESS_LOAD && h->cycle > WARM && fault("a load is bound late") && !h->due) {
        hold(h, e, SOON);
    } else if (kind == ACCESS_LOAD && h->stores >= FROM && fault("a load is bound elsewhere")) {
        tell((struct event){kind, id, size, address ^ 1ull << (size + 1), data});
    } else if (kind >= ACCESS_LINE_SHARED && kind <= ACCESS_LINE_LOST) {
        tell_line(h, e);
    } else if (kind == ACCESS_LR || kind == ACCESS_AMO_STORE) {
        tell_atomic(h, e);
    } else {
        tell(e);
    }
}

void tipoff_Commit(unsigned long long cycle);
void tipoff_Commit(unsigned long long cycle) {
    struct hart *h = running();
    h->cycle++;
    if (h->due && h->cycle >= h->due) release(h);
    tipoff_commit(cycle);
}
