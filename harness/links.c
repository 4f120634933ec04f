// Queues of messages with the cycle in which each arrives, and the hub and its memory, clocked once all tiles have run.
#include "harness/links.h"
#include "trace/dpi.h"
#include <stdlib.h>
#include <string.h>

// Room of a queue: a hart has at most this many numbers of requests, victims and transactions together (5 bits each,
// but half of them in use).
enum { ROOM = 64 };

union message {
    struct hub_request request;
    struct hub_up up;
    struct hub_done done;
    struct hub_down down;
    struct hub_answer answer;
};
struct queue {
    uint64_t due[ROOM];
    union message messages[ROOM];
    unsigned first, count;
};

static void add(struct queue *q, uint64_t due, const union message *message) {
    if (q->count == ROOM) abort(); // beyond what the protocol allows
    const unsigned place = (q->first + q->count++) % ROOM;
    q->due[place] = due;
    q->messages[place] = *message;
}

// The message of that cycle; NULL: none.
static const union message *take(struct queue *q, uint64_t cycle) {
    const unsigned place = q->first;
    if (!q->count || q->due[place] > cycle) return NULL;
    q->first = (q->first + 1) % ROOM;
    q->count--;
    return &q->messages[place];
}

// A dirty line that a tile has been given, until its `done`: it may not be in the cache yet.
struct handed {
    bool valid;
    uint64_t line, data[8];
};
enum { NUMBERS = 32 }; // of requests, of transactions

struct link {
    struct hub_request asked[NUMBERS];
    struct handed handed[NUMBERS];
    struct queue requests, ups, dones, downs, answers;
    struct hub_in taken;
};

struct links {
    const struct hub_model_api *api;
    struct hub_model *hub;
    struct memory *memory;
    unsigned harts, ports;
    uint64_t cycle; // done up to here
    struct link links[HUB_PORTS];
    struct hub_out out[HUB_PORTS];
    struct hub_in in[HUB_PORTS];
};

struct links *links_create(const struct hub_model_api *api, unsigned harts, struct memory *memory, struct error *err) {
    struct links *l = error_calloc(sizeof *l, "hub", err);
    if (!l) return NULL;
    l->api = api;
    l->harts = harts;
    l->ports = harts + 1;
    l->memory = memory;
    l->hub = api->create(harts);
    return l;
}

unsigned links_host(const struct links *l) {
    return l->harts;
}

void links_destroy(struct links *l) {
    if (l) l->api->destroy(l->hub);
    free(l);
}

// The host writes a line back before its `done`: what it was given is no longer the newest.
static void give_back(struct link *link, uint64_t line) {
    for (struct handed *h = link->handed; h < link->handed + NUMBERS; h++)
        h->valid &= h->line != line;
}

void links_request(struct links *l, unsigned hart, uint64_t cycle, const struct hub_request *message) {
    l->links[hart].asked[message->id % NUMBERS] = *message;
    add(&l->links[hart].requests, cycle + LINKS_LATENCY, &(union message){.request = *message});
}
void links_up(struct links *l, unsigned hart, uint64_t cycle, const struct hub_up *message) {
    if (hart == l->harts) give_back(&l->links[hart], message->line);
    add(&l->links[hart].ups, cycle + LINKS_LATENCY, &(union message){.up = *message});
}
void links_done(struct links *l, unsigned hart, uint64_t cycle, const struct hub_done *message) {
    l->links[hart].handed[message->transaction % NUMBERS].valid = false;
    add(&l->links[hart].dones, cycle + LINKS_LATENCY, &(union message){.done = *message});
}

static void keep(struct link *link, const struct hub_answer *answer) {
    struct handed *h = &link->handed[answer->transaction % NUMBERS];
    h->valid = true;
    h->line = link->asked[answer->id % NUMBERS].line;
    memcpy(h->data, answer->data, sizeof h->data);
}

const struct hub_in *links_take(struct links *l, unsigned hart, uint64_t cycle) {
    struct link *link = &l->links[hart];
    const union message *down = take(&link->downs, cycle), *answer = take(&link->answers, cycle);
    link->taken.down.valid = link->taken.answer.valid = false;
    if (down) link->taken.down = down->down;
    if (answer) link->taken.answer = answer->answer;
    if (answer && answer->answer.flags & HUB_ANSWER_DIRTY) keep(link, &answer->answer);
    return &link->taken;
}

bool links_failed(const struct links *l) {
    return l->api->failed(l->hub);
}

// ---- the hub's cycle ----
static void take_out(struct links *l, uint64_t cycle) {
    for (unsigned i = 0; i < l->ports; i++) {
        struct hub_out *out = &l->out[i];
        const union message *request = take(&l->links[i].requests, cycle), *up = take(&l->links[i].ups, cycle),
                            *done = take(&l->links[i].dones, cycle);
        out->request.valid = out->up.valid = out->done.valid = false;
        if (request) out->request = request->request;
        if (up) out->up = up->up;
        if (done) out->done = done->done;
    }
}

static void send_in(struct links *l, uint64_t cycle) {
    for (unsigned i = 0; i < l->ports; i++) {
        const struct hub_in *in = &l->in[i];
        if (in->down.valid) add(&l->links[i].downs, cycle + LINKS_LATENCY, &(union message){.down = in->down});
        if (in->answer.valid) add(&l->links[i].answers, cycle + LINKS_LATENCY, &(union message){.answer = in->answer});
    }
}

static void do_cycle(struct links *l, uint64_t cycle) {
    const struct memory_response *comes = memory_response(l->memory, DPI_PORT_DATA);
    struct hub_memory_response response = {.valid = comes != NULL};
    struct hub_memory_request request;
    const bool ready = memory_ready(l->memory);
    if (comes) {
        response.llc_miss = comes->llc_miss;
        response.error = comes->error;
        response.id = (uint8_t)comes->id;
        response.data = comes->data;
    }
    take_out(l, cycle);
    l->api->cycle(l->hub, l->out, ready, &response, &request, l->in);
    if (ready && request.valid) {
        if (request.write) {
            memory_write(l->memory, request.addr, request.data);
        } else {
            memory_read(l->memory, DPI_PORT_DATA, request.id, request.addr);
        }
    }
    memory_tick(l->memory);
    send_in(l, cycle);
}

void links_advance(struct links *l, uint64_t cycle) {
    for (; l->cycle < cycle; l->cycle++)
        do_cycle(l, l->cycle);
}

// ---- the end ----
static void store(struct links *l, const struct handed *h) {
    void *to = h->valid ? memory_at(l->memory, h->line * 64, sizeof h->data) : NULL;
    if (to) memcpy(to, h->data, sizeof h->data);
}

// In place of a tile that has stopped: it has nothing to give but what its cache holds.
static void drain_hart(struct links *l, unsigned hart) {
    const struct hub_in in = *links_take(l, hart, l->cycle);
    if (in.down.valid && in.down.kind != HUB_PUT_ACK)
        links_up(l, hart, l->cycle, &(struct hub_up){.valid = true, .tag = in.down.tag, .line = in.down.line});
    if (!in.answer.valid || in.answer.flags & (HUB_ANSWER_ERROR | HUB_ANSWER_REFUSED)) return;
    if (l->links[hart].asked[in.answer.id % NUMBERS].kind == HUB_IGET) return; // ends with its answer
    store(l, &l->links[hart].handed[in.answer.transaction % NUMBERS]);
    links_done(l, hart, l->cycle, &(struct hub_done){true, in.answer.transaction});
}

void links_drain(struct links *l) {
    enum { LONG = 2000 }; // cycles: more than all transactions take, one after the other
    for (unsigned i = 0; i < l->ports; i++) {
        for (unsigned t = 0; t < NUMBERS; t++)
            store(l, &l->links[i].handed[t]);
    }
    for (unsigned left = LONG; left-- > 0;) {
        links_advance(l, l->cycle + 1);
        for (unsigned i = 0; i < l->ports; i++)
            drain_hart(l, i);
    }
}
