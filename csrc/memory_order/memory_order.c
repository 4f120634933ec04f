// The checker: its memory, its harts, and each event to the file that knows it.
#include "memory_order/memory_order.h"
#include "memory_order/order_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct memory_order *memory_order_create(const struct memory_order_shape *shape, struct error *err) {
    if (!shape->harts || shape->harts > MEMORY_ORDER_HARTS || !shape->bytes || (shape->bytes | shape->base) % PAGE) {
        error_set(err, "memory-order: %u harts and %" PRIu64 " bytes at 0x%" PRIx64 ": 1 to %d harts, whole pages",
                  shape->harts, shape->bytes, shape->base, MEMORY_ORDER_HARTS);
        return NULL;
    }
    struct memory_order *m = error_calloc(sizeof *m + shape->harts * sizeof *m->hart, "memory-order", err);
    if (!m) return NULL;
    m->harts = shape->harts;
    if (!golden_create(&m->memory, shape->base, shape->bytes, err)) {
        free(m);
        return NULL;
    }
    for (unsigned i = 0; i < m->harts; i++) {
        m->hart[i].next_store = m->hart[i].oldest = 1;
        m->hart[i].patience = shape->patience;
    }
    return m;
}

void memory_order_destroy(struct memory_order *m) {
    if (!m) return;
    golden_destroy(&m->memory);
    free(m);
}

void memory_order_set_patience(struct memory_order *m, unsigned hart, uint64_t cycles) {
    m->hart[hart].patience = cycles;
}

bool memory_order_load(struct memory_order *m, uint64_t address, const void *data, uint64_t bytes) {
    if (!golden_inside(&m->memory, address, bytes)) return false;
    memcpy(m->memory.contents + (address - m->memory.base), data, bytes);
    return true;
}

struct memory_order_counts memory_order_counts(const struct memory_order *m) {
    return m->counts;
}

// ---- events ----
static bool has_access(enum memory_order_kind kind) {
    return kind <= MEMORY_ORDER_HOST_WRITTEN && kind != MEMORY_ORDER_STORE_LOST;
}

static int check_event(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    if ((unsigned)e->kind >= MEMORY_ORDER_KINDS || e->hart >= m->harts || e->id >= MEMORY_ORDER_IDS) {
        return stream_fault(m, e, err, "kind %d, hart %u of %u, id %u of %d", (int)e->kind, e->hart, m->harts, e->id,
                            MEMORY_ORDER_IDS);
    }
    if (m->broken) return stream_fault(m, e, err, "an event after an error");
    if (e->cycle < m->cycle) return stream_fault(m, e, err, "cycle %" PRIu64 " comes before it", m->cycle);
    if (e->kind >= MEMORY_ORDER_RETIRED) return 0;
    if (e->kind == MEMORY_ORDER_STORE_LOST) return 0;
    const unsigned size = has_access(e->kind) ? e->size : 1;
    if ((size == 1 || size == 2 || size == 4 || size == 8) && !(e->address % size) &&
        golden_inside(&m->memory, e->address, size))
        return 0;
    return stream_fault(m, e, err, "%u bytes at 0x%" PRIx64, size, e->address);
}

static void remember(struct memory_order *m, const struct memory_order_event *e) {
    const struct memory_order_step *s = e->kind == MEMORY_ORDER_RETIRED ? e->step : NULL;
    if (e->kind == MEMORY_ORDER_PASSED || (s && (!s->size || s->outside))) return;
    struct memory_order_event *slot = &m->history[m->events++ % HISTORY];
    *slot = *e;
    if (!s) return;
    slot->address = s->address;
    slot->size = s->size;
    slot->data = s->act == MEMORY_ORDER_STORES ? s->stored : s->loaded;
    slot->step = NULL;
}

int memory_order_put(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    int status = check_event(m, e, err);
    if (status) return status;
    remember(m, e);
    if (e->cycle != m->cycle) status = check_waits(m, e, err);
    if (status) return status;
    m->cycle = e->cycle;
    switch (e->kind) {
    case MEMORY_ORDER_LOAD_BOUND:
    case MEMORY_ORDER_AMO_BOUND:
    case MEMORY_ORDER_LR_BOUND: return put_bound(m, e, err);
    case MEMORY_ORDER_STORE_VISIBLE: return put_visible(m, e, err);
    case MEMORY_ORDER_STORE_LOST: return put_lost(m, e, err);
    case MEMORY_ORDER_WRITTEN: return put_written(m, e, err);
    case MEMORY_ORDER_HOST_READ: return put_host_read(m, e, err);
    case MEMORY_ORDER_HOST_WRITTEN: return put_host_written(m, e, err);
    case MEMORY_ORDER_LINE_SHARED:
    case MEMORY_ORDER_LINE_OWNED:
    case MEMORY_ORDER_LINE_LOST: return put_line(m, e, err);
    case MEMORY_ORDER_RETIRED: return put_retired(m, e, err);
    default: return 0;
    }
}
