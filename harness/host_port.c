// A system call's way through memory that caches share: a line at a time.
#include "harness/host_port.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, WORD = 8 }; // bytes
enum state { IDLE, ASKED, PUTS };

struct host_port {
    struct host *host;
    struct links *links;
    struct memory *memory;
    struct harts *harts;
    unsigned number; // of its link
    enum state state;
    bool owned;
    uint64_t line, data[LINE / WORD];
    struct hub_done done; // of the answer
};

struct host_port *host_port_create(struct host *host, struct links *links, struct memory *memory, struct harts *harts,
                                   struct error *err) {
    struct host_port *p = error_calloc(sizeof *p, "host", err);
    if (!p) return NULL;
    *p = (struct host_port){.host = host, .links = links, .memory = memory, .harts = harts};
    p->number = links_host(links);
    return p;
}

void host_port_destroy(struct host_port *p) {
    free(p);
}

static void ask(struct host_port *p, uint64_t cycle) {
    uint64_t address, unused;
    if (!host_wants(p->host, &address)) return;
    if (!memory_at(p->memory, address, WORD)) {
        host_access(p->host, NULL, false, &unused);
        return;
    }
    p->state = ASKED;
    p->owned = host_writes(p->host);
    p->line = address / LINE;
    links_request(p->links, p->number, cycle,
                  &(struct hub_request){.valid = true, .kind = p->owned ? HUB_OWN : HUB_GET, .line = p->line});
}

// Dated as late as the line is its alone: harts' cycles before have been proved already, and none can have the line.
static void tell(struct host_port *p, uint64_t cycle, unsigned hart, bool write, uint64_t address, uint64_t word) {
    const struct harts_host_access access = {cycle + LINKS_LATENCY, (uint8_t)hart, write, address, word};
    if (p->harts) harts_host(p->harts, &access);
}

// All words of the line that it wants next. Whether one was written.
static bool access_words(struct host_port *p, uint64_t cycle, unsigned hart) {
    uint64_t address, before = 0, word;
    bool written = false;
    while (host_wants(p->host, &address) && address / LINE == p->line && address != before &&
           (p->owned || !host_writes(p->host))) {
        uint64_t *place = &p->data[address % LINE / WORD];
        tell(p, cycle, hart, false, address, *place);
        const bool write = host_access(p->host, place, false, &word);
        if (write) tell(p, cycle, hart, true, address, *place);
        written |= write;
        before = address; // it waits for the program to change that one
    }
    return written;
}

static void finish(struct host_port *p, uint64_t cycle) {
    links_done(p->links, p->number, cycle, &p->done);
    p->state = IDLE;
}

static void take(struct host_port *p, uint64_t cycle, unsigned hart, const struct hub_answer *answer) {
    struct hub_up put = {.valid = true, .flags = HUB_UP_PUT | HUB_UP_HAS, .line = p->line};
    if (answer->flags & HUB_ANSWER_ERROR) abort(); // the line is memory's
    p->done = (struct hub_done){true, answer->transaction};
    memcpy(p->data, answer->data, sizeof p->data);
    const bool written = access_words(p, cycle, hart);
    if (!written && !(answer->flags & HUB_ANSWER_DIRTY)) {
        finish(p, cycle);
        return;
    }
    memcpy(put.data, p->data, sizeof put.data);
    links_up(p->links, p->number, cycle, &put);
    p->state = PUTS;
}

void host_port_cycle(struct host_port *p, uint64_t cycle, unsigned hart) {
    const struct hub_in *in = links_take(p->links, p->number, cycle);
    if (p->state == IDLE) {
        ask(p, cycle);
    } else if (p->state == ASKED && in->answer.valid) {
        take(p, cycle, hart, &in->answer);
    } else if (p->state == PUTS && in->down.valid && in->down.kind == HUB_PUT_ACK) {
        finish(p, cycle);
    }
}
