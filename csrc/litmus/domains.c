// What is written, and from it, for each place that is loaded: the initial value, and each with each write's bytes in
// it.
#include "litmus/domains.h"
#include "base/array.h"
#include <stdlib.h>

enum { MOST_WRITES = 256, MOST_VALUES = 256 };

struct written {
    uint64_t address, value;
    unsigned bytes;
};
struct domain {
    uint64_t address, values[MOST_VALUES];
    unsigned bytes, count;
};
struct domains {
    struct written writes[MOST_WRITES];
    unsigned write_count, known; // known: of them, at the last renewal
    bool renewed;
    struct domain *list;
    size_t count, capacity;
};

struct domains *domains_create(void) {
    return calloc(1, sizeof(struct domains));
}

void domains_destroy(struct domains *d) {
    if (d) free(d->list);
    free(d);
}

bool domains_add(struct domains *d, uint64_t address, unsigned bytes, uint64_t value) {
    for (unsigned i = 0; i < d->write_count; i++)
        if (d->writes[i].address == address && d->writes[i].bytes == bytes && d->writes[i].value == value) return true;
    if (d->write_count == MOST_WRITES) return false;
    d->writes[d->write_count++] = (struct written){address, value, bytes};
    return true;
}

bool domains_renew(struct domains *d) {
    const bool grown = !d->renewed || d->write_count > d->known;
    d->renewed = true;
    d->known = d->write_count;
    if (grown) d->count = 0;
    return grown;
}

static uint64_t overlay(const struct domain *d, uint64_t value, const struct written *w) {
    for (unsigned b = 0; b < d->bytes; b++) {
        const uint64_t at = d->address + b - w->address;
        if (at >= w->bytes) continue;
        value = (value & ~(UINT64_C(0xff) << 8 * b)) | (w->value >> 8 * at & 0xff) << 8 * b;
    }
    return value;
}

static bool add_value(struct domain *d, uint64_t value) {
    for (unsigned i = 0; i < d->count; i++)
        if (d->values[i] == value) return true;
    if (d->count == MOST_VALUES) return false;
    d->values[d->count++] = value;
    return true;
}

const uint64_t *domains_of(struct domains *d, const struct litmus_test *t, uint64_t address, unsigned bytes,
                           unsigned *count) {
    struct domain *found = NULL;
    for (size_t i = 0; i < d->count && !found; i++)
        if (d->list[i].address == address && d->list[i].bytes == bytes) found = &d->list[i];
    if (!found) {
        if (!array_reserve(&d->list, &d->capacity, d->count, sizeof *d->list)) return NULL;
        found = &d->list[d->count++];
        *found = (struct domain){.address = address, .bytes = bytes, .count = 1};
        litmus_initial(t, address, bytes, &found->values[0]);
        for (unsigned i = 0; i < found->count; i++)
            for (unsigned w = 0; w < d->known; w++)
                if (!add_value(found, overlay(found, found->values[i], &d->writes[w]))) return NULL;
    }
    *count = found->count;
    return found->values;
}
