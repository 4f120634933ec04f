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

// The pending, enabled source of highest priority, the lowest of equals; 0: none.
static unsigned best(const struct plic *p, unsigned context, unsigned above) {
    unsigned found = 0;
    for (uint32_t left = p->pending & p->enabled[context]; left; left &= left - 1) {
        unsigned source = (unsigned)__builtin_ctz(left);
        if (p->priority[source] <= above) continue;
        above = p->priority[source];
        found = source;
    }
    return found;
}

bool plic_asks(const struct plic *p, unsigned context) {
    return p->pending && best(p, context, p->threshold[context]);
}

// The threshold does not hold claims back (specification, chapter "Interrupt Claim Process").
static uint32_t claim(struct plic *p, unsigned context) {
    unsigned source = best(p, context, 0);
    if (source) {
        p->pending &= ~(UINT32_C(1) << source);
        p->claimed |= UINT32_C(1) << source;
    }
    return source;
}

static void complete(struct plic *p, unsigned context, uint32_t source) {
    if (source >= PLIC_SOURCES || !(p->enabled[context] >> source & 1)) return;
    p->claimed &= ~(UINT32_C(1) << source);
    gateways(p);
}

uint32_t plic_read(struct plic *p, uint64_t offset) {
    if (offset < PRIORITY + 4 * PLIC_SOURCES) return p->priority[offset / 4];
    if (offset == PENDING) return p->pending;
    for (unsigned c = 0; c < PLIC_CONTEXTS; c++) {
        if (offset == ENABLE + c * ENABLE_STRIDE) return p->enabled[c];
        if (offset == CONTEXT + c * CONTEXT_STRIDE) return p->threshold[c];
        if (offset == CONTEXT + c * CONTEXT_STRIDE + 4) return claim(p, c);
    }
    return 0;
}

void plic_write(struct plic *p, uint64_t offset, uint32_t value) {
    if (offset >= 4 && offset < PRIORITY + 4 * PLIC_SOURCES) p->priority[offset / 4] = value % PLIC_PRIORITIES;
    for (unsigned c = 0; c < PLIC_CONTEXTS; c++) {
        if (offset == ENABLE + c * ENABLE_STRIDE) p->enabled[c] = value & ~(uint32_t)PLIC_NO_SOURCE;
        if (offset == CONTEXT + c * CONTEXT_STRIDE) p->threshold[c] = value % PLIC_PRIORITIES;
        if (offset == CONTEXT + c * CONTEXT_STRIDE + 4) complete(p, c, value);
    }
}
