// Registers and gateways of the interrupt controller.
#include "machine/plic.h"

enum {
    PRIORITY = 0x0,
    PENDING = 0x1000,
    ENABLE = 0x2000,
    ENABLE_STRIDE = 0x80,
    CONTEXT = 0x200000, // threshold, then claim and complete
    CONTEXT_STRIDE = 0x1000,
};

#define ROW(type, name, dimension, range) STATE_ROW(struct plic, type, name, range),
static const struct state_member rows[] = {PLIC_STATE(ROW)};
const struct state_table plic_table = STATE_TABLE(rows);
#define FURTHER_ROW(type, name, dimension, range) STATE_ROW(struct plic_further, type, name, range),
static const struct state_member further_rows[] = {PLIC_FURTHER_STATE(FURTHER_ROW)};
const struct state_table plic_further_table = STATE_TABLE(further_rows);

static void gateways(struct plic *p) {
    p->pending |= p->lines & ~p->claimed;
}

void plic_line(struct plic *p, unsigned source, bool level) {
    uint32_t bit = UINT32_C(1) << source & ~(uint32_t)PLIC_NO_SOURCE;
    p->lines = level ? p->lines | bit : p->lines & ~bit;
    // A gateway has no way to withdraw a request that it has forwarded (specification, "Interrupt Gateways"): what is
    // pending stays so until it is claimed, whatever becomes of the line.
    gateways(p);
}

// ---- contexts ----
struct context {
    uint32_t *enabled;
    uint8_t *threshold;
};
static struct context context_at(const struct plic_harts *p, unsigned context) {
    const unsigned further = context - PLIC_CONTEXTS;
    if (context < PLIC_CONTEXTS) return (struct context){&p->plic->enabled[context], &p->plic->threshold[context]};
    return (struct context){&p->further->enabled[further], &p->further->threshold[further]};
}

// The pending, enabled source of highest priority, the lowest of equals; 0: none.
static unsigned best(const struct plic *p, uint32_t enabled, unsigned above) {
    unsigned found = 0;
    for (uint32_t left = p->pending & enabled; left; left &= left - 1) {
        unsigned source = (unsigned)__builtin_ctz(left);
        if (p->priority[source] <= above) continue;
        above = p->priority[source];
        found = source;
    }
    return found;
}

bool plic_asks(const struct plic *p, unsigned context) {
    return p->pending && best(p, p->enabled[context], p->threshold[context]);
}

bool plic_harts_ask(const struct plic_harts *p, unsigned context) {
    if (!p->plic->pending) return false;
    const struct context c = context_at(p, context);
    return best(p->plic, *c.enabled, *c.threshold);
}

// The threshold does not hold claims back (specification, chapter "Interrupt Claim Process").
static uint32_t claim(struct plic *p, uint32_t enabled) {
    unsigned source = best(p, enabled, 0);
    if (source) {
        p->pending &= ~(UINT32_C(1) << source);
        p->claimed |= UINT32_C(1) << source;
    }
    return source;
}

static void complete(struct plic *p, uint32_t enabled, uint32_t source) {
    if (source >= PLIC_SOURCES || !(enabled >> source & 1)) return;
    p->claimed &= ~(UINT32_C(1) << source);
    gateways(p);
}

uint32_t plic_harts_read(const struct plic_harts *p, uint64_t offset) {
    struct plic *plic = p->plic;
    if (offset < PRIORITY + 4 * PLIC_SOURCES) return plic->priority[offset / 4];
    if (offset == PENDING) return plic->pending;
    for (unsigned i = 0; i < PLIC_CONTEXTS * p->harts; i++) {
        const struct context c = context_at(p, i);
        if (offset == ENABLE + i * ENABLE_STRIDE) return *c.enabled;
        if (offset == CONTEXT + i * CONTEXT_STRIDE) return *c.threshold;
        if (offset == CONTEXT + i * CONTEXT_STRIDE + 4) return claim(plic, *c.enabled);
    }
    return 0;
}

void plic_harts_write(const struct plic_harts *p, uint64_t offset, uint32_t value) {
    struct plic *plic = p->plic;
    if (offset >= 4 && offset < PRIORITY + 4 * PLIC_SOURCES) plic->priority[offset / 4] = value % PLIC_PRIORITIES;
    for (unsigned i = 0; i < PLIC_CONTEXTS * p->harts; i++) {
        const struct context c = context_at(p, i);
        if (offset == ENABLE + i * ENABLE_STRIDE) *c.enabled = value & ~(uint32_t)PLIC_NO_SOURCE;
        if (offset == CONTEXT + i * CONTEXT_STRIDE) *c.threshold = value % PLIC_PRIORITIES;
        if (offset == CONTEXT + i * CONTEXT_STRIDE + 4) complete(plic, *c.enabled, value);
    }
}

uint32_t plic_read(struct plic *p, uint64_t offset) {
    return plic_harts_read(&(struct plic_harts){p, NULL, 1}, offset);
}

void plic_write(struct plic *p, uint64_t offset, uint32_t value) {
    plic_harts_write(&(struct plic_harts){p, NULL, 1}, offset, value);
}
