// Events of all harts, in the order of cycle and hart, and the interrupt lines that come of them, some cycles later.
#include "harness/board.h"
#include <stdlib.h>

// Cycles of lines that are kept: what the slowest hart still asks for. A power of two above BOARD_LATENCY.
enum { KEPT = 8, EVENTS = 256 };
_Static_assert(KEPT > BOARD_LATENCY, "a hart asks for lines of that many cycles ago");

enum event_kind { READ, WRITE, LOST, TOHOST };
struct board_event {
    uint64_t cycle, address, data;
    uint8_t kind, bytes;
};
// Events of a hart that wait for the others: those of a few cycles.
struct queue {
    struct board_event events[EVENTS];
    unsigned first, count;
    bool done; // its access
    struct device_access access;
};

struct board {
    unsigned harts;
    struct host *host;
    struct devices devices;
    uint64_t cycle; // done up to here
    uint64_t end;
    unsigned ended_by;
    bool asks_host;
    struct host_port *port; // NULL: no system calls
    unsigned asker;         // the hart that stored to tohost last
    struct queue queues[MACHINE_MOST_HARTS];
    struct device_lines lines[KEPT][MACHINE_MOST_HARTS]; // before a cycle
};

static void keep_lines(struct board *b, uint64_t cycle) {
    for (unsigned i = 0; i < b->harts; i++)
        b->lines[cycle % KEPT][i] = devices_lines(&b->devices, i);
}

struct board *board_create(unsigned harts, struct host *host, struct error *err) {
    struct board *b = error_calloc(sizeof *b, "devices", err);
    if (!b) return NULL;
    const struct console console = host_console(host);
    b->harts = harts;
    b->host = host;
    b->end = UINT64_MAX;
    b->ended_by = MACHINE_MOST_HARTS;
    devices_reset(&b->devices, harts, &console);
    keep_lines(b, 0);
    return b;
}

void board_restore(struct board *b, const struct resume_devices *from) {
    const struct console console = host_console(b->host);
    devices_restore(&b->devices, from, &console);
    keep_lines(b, 0);
}

void board_destroy(struct board *b) {
    free(b);
}

unsigned board_harts(const struct board *b) {
    return b->harts;
}

void board_serve(struct board *b, struct host_port *port) {
    b->port = port;
}

static void add(struct board *b, unsigned hart, struct board_event event) {
    struct queue *q = &b->queues[hart];
    if (q->count == EVENTS) abort(); // a hart ran ahead of the others by far more than a turn
    q->events[(q->first + q->count++) % EVENTS] = event;
}

void board_access(struct board *b, unsigned hart, uint64_t cycle, bool write, unsigned bytes, uint64_t addr,
                  uint64_t data) {
    b->queues[hart].done = false;
    add(b, hart,
        (struct board_event){
            .cycle = cycle, .address = addr, .data = data, .kind = write ? WRITE : READ, .bytes = (uint8_t)bytes});
}

void board_lost_store(struct board *b, unsigned hart, uint64_t cycle, uint64_t addr) {
    add(b, hart, (struct board_event){.cycle = cycle, .address = addr, .kind = LOST});
}

void board_tohost(struct board *b, unsigned hart, uint64_t cycle, unsigned bytes, uint64_t addr, uint64_t data) {
    add(b, hart,
        (struct board_event){.cycle = cycle, .address = addr, .data = data, .kind = TOHOST, .bytes = (uint8_t)bytes});
}

const struct device_lines *board_lines(const struct board *b, unsigned hart, uint64_t cycle) {
    const uint64_t seen = cycle < BOARD_LATENCY ? 0 : cycle - BOARD_LATENCY + 1; // cycles, and what was done in them
    // A hart whose units are being programmed runs ahead by those cycles.
    return &b->lines[(seen < b->cycle ? seen : b->cycle) % KEPT][hart];
}

const struct device_access *board_access_done(const struct board *b, unsigned hart) {
    return b->queues[hart].done ? &b->queues[hart].access : NULL;
}

// ---- time ----
static void do_event(struct board *b, unsigned hart, const struct board_event *e) {
    struct queue *q = &b->queues[hart];
    uint64_t wanted;
    switch ((enum event_kind)e->kind) {
    case READ:
    case WRITE:
        devices_access(&b->devices, e->cycle, e->kind == WRITE, e->bytes, e->address, e->data, &q->access);
        q->done = true;
        if (b->ended_by == MACHINE_MOST_HARTS && host_power(b->host, &b->devices.peripherals.finisher)) {
            b->ended_by = hart;
            board_stop(b, e->cycle + BOARD_LATENCY);
        }
        break;
    case LOST: peripherals_lose(&b->devices.peripherals, e->address); break;
    case TOHOST:
        if (b->ended_by < MACHINE_MOST_HARTS) break;
        b->asker = hart;
        if (host_store(b->host, e->address, e->bytes, e->data, e->cycle)) b->ended_by = hart;
        b->asks_host = !b->port && b->ended_by == MACHINE_MOST_HARTS && host_wants(b->host, &wanted);
        if (b->asks_host) b->ended_by = hart;
        break;
    }
}

static void do_cycle(struct board *b, uint64_t cycle) {
    for (unsigned i = 0; i < b->harts; i++) {
        struct queue *q = &b->queues[i];
        for (; q->count && q->events[q->first].cycle <= cycle; q->first = (q->first + 1) % EVENTS, q->count--)
            do_event(b, i, &q->events[q->first]);
    }
    const bool was_over = b->ended_by < MACHINE_MOST_HARTS;
    bool over = !was_over && host_tick(b->host, cycle); // a store of less than 8 bytes that was waiting for the rest
    if (b->port && !over) {
        host_port_cycle(b->port, cycle, b->asker);
        over = host_stage(b->host) > HOST_SERVES;
    }
    if (over && !was_over) b->ended_by = b->asker;
    keep_lines(b, cycle + 1);
}

void board_advance(struct board *b, uint64_t cycle) {
    for (; b->cycle < cycle && b->cycle < b->end; b->cycle++)
        do_cycle(b, b->cycle);
}

uint64_t board_end(const struct board *b) {
    return b->end;
}
void board_stop(struct board *b, uint64_t cycle) {
    if (b->end == UINT64_MAX) b->end = cycle;
}
unsigned board_ended_by(const struct board *b) {
    return b->ended_by;
}
bool board_asks_host(const struct board *b) {
    return b->asks_host;
}
const struct devices *board_devices(const struct board *b) {
    return &b->devices;
}
