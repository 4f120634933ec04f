// A coherent tile's link to the hub: what its model calls, and what is made for it.
#include "harness/core_internal.h"
#include <string.h>

bool core_take_hub(struct core *c) {
    const struct machine_config *m = &c->config;
    const bool second = m->l2.kib != 0; // the hub asks the L2 first
    const uint32_t latency = second ? m->l2.latency : m->llc.latency;
    if (!m->coherent) return true;
    if (latency <= LINKS_CYCLES) {
        error_set(
            c->err,
            "%s: %s.latency = %u: %u at least with harts.coherent: %u cycles of it are those of the hub and its links",
            m->name, second ? "l2" : "llc", latency, LINKS_CYCLES + 1, LINKS_CYCLES);
        return false;
    }
    // Of several kinds, the hub of the one that asks for most: it has numbers for the requests of the others.
    struct core *first = c->place.first ? c->place.first : c;
    if (!first->hub || m->mshrs > first->hub_mshrs) {
        first->hub = links_load(c->options->model_path, m->name, m->model_digest, c->err);
        first->hub_mshrs = m->mshrs;
    }
    c->hub = first->hub;
    return c->hub != NULL;
}

struct machine_config core_config_behind(const struct core *c) {
    struct machine_config behind = c->config;
    if (c->config.coherent) *(behind.l2.kib ? &behind.l2.latency : &behind.llc.latency) -= LINKS_CYCLES;
    return behind;
}

bool core_link(struct core *c) {
    const struct core *first = c->place.first;
    if (!c->hub) return true;
    const unsigned harts = c->place.harts ? c->place.count : 1;
    c->links = first ? first->links : links_create(c->hub, harts, soc_memory(c->soc), c->err);
    if (c->links) soc_link(c->soc, c->links);
    return c->links != NULL;
}

bool core_serve(struct core *c) {
    if (!c->board || !c->links || c->place.first) return true;
    c->host_port = host_port_create(c->host, c->links, soc_memory(c->soc), c->harts, c->err);
    board_serve(c->board, c->host_port);
    return c->host_port != NULL;
}

// ---- calls of the model ----
enum { FOUND = HUB_UP_HAS | HUB_UP_KEEPS | HUB_UP_GAVE | HUB_UP_REFUSES };

static unsigned hart(const struct core *c) {
    return c->place.harts ? c->place.number : 0;
}

static void on_request(void *context, unsigned kind, unsigned id, uint64_t line) {
    struct core *c = context;
    links_request(c->links, hart(c), soc_ticks(c->soc),
                  &(struct hub_request){.valid = true, .kind = (uint8_t)kind, .id = (uint8_t)id, .line = line});
    if (!c->bus.watched) return;
    c->insn_requests = (c->insn_requests & ~(UINT32_C(1) << id)) | (uint32_t)(kind == HUB_IGET) << id;
    core_emit(c, &(struct memory_event){.kind = MEMORY_READ,
                                        .tick = soc_ticks(c->soc) + 1,
                                        .port = kind == HUB_IGET ? DPI_PORT_INSN : DPI_PORT_DATA,
                                        .id = id,
                                        .prefetch = kind == HUB_TRYGET,
                                        .address = line << 6});
}

static void on_up(void *context, unsigned flags, unsigned tag, uint64_t line, const uint64_t data[8]) {
    struct core *c = context;
    struct hub_up up = {.valid = true, .flags = (uint8_t)flags, .tag = (uint8_t)tag, .line = line};
    memcpy(up.data, data, sizeof up.data);
    links_up(c->links, hart(c), soc_ticks(c->soc), &up);
    if (!c->bus.watched) return;
    if (!(flags & HUB_UP_PUT))
        core_emit(c, &(struct memory_event){.kind = MEMORY_SNOOPED,
                                            .tick = soc_ticks(c->soc) + 1,
                                            .found = flags & FOUND,
                                            .address = line << 6});
    if ((flags & (HUB_UP_PUT | HUB_UP_HAS)) != (HUB_UP_PUT | HUB_UP_HAS)) return;
    core_emit(c, &(struct memory_event){.kind = MEMORY_WRITE,
                                        .tick = soc_ticks(c->soc) + 1,
                                        .port = DPI_PORT_DATA,
                                        .address = line << 6,
                                        .data = data});
}

static void on_done(void *context, unsigned transaction) {
    struct core *c = context;
    links_done(c->links, hart(c), soc_ticks(c->soc),
               &(struct hub_done){.valid = true, .transaction = (uint8_t)transaction});
}

static void on_down(void *context, unsigned *kind, unsigned *tag, uint64_t *line) {
    struct core *c = context;
    const struct hub_down *down = &soc_hub_in(c->soc)->down;
    *kind = down->kind;
    *tag = down->tag;
    *line = down->line;
    if (!c->bus.watched || down->kind == HUB_PUT_ACK) return;
    core_emit(c, &(struct memory_event){.kind = MEMORY_SNOOP, .tick = soc_ticks(c->soc), .address = down->line << 6});
}

static void on_answer(void *context, unsigned *id, unsigned *transaction, unsigned *flags, uint64_t data[8]) {
    struct core *c = context;
    const struct hub_answer *answer = &soc_hub_in(c->soc)->answer;
    *id = answer->id;
    *transaction = answer->transaction;
    *flags = answer->flags;
    memcpy(data, answer->data, sizeof answer->data);
    if (!c->bus.watched) return;
    core_emit(c, &(struct memory_event){.kind = MEMORY_RESPONSE,
                                        .tick = soc_ticks(c->soc),
                                        .port = c->insn_requests >> answer->id & 1 ? DPI_PORT_INSN : DPI_PORT_DATA,
                                        .id = answer->id,
                                        .refused = answer->flags & HUB_ANSWER_REFUSED,
                                        .llc_miss = answer->flags & HUB_ANSWER_LLC_MISS});
}

void core_client_hub(struct dpi_client *client) {
    client->hub_request = on_request;
    client->hub_up = on_up;
    client->hub_done = on_done;
    client->hub_down = on_down;
    client->hub_answer = on_answer;
}
