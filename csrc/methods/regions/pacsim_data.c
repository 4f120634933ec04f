// Stack distances of a region's accesses: pacsim_data.h.
#include "methods/regions/pacsim_data.h"
#include "iss/accesses.h"
#include "machine/harts.h"
#include "methods/regions/pacsim_vector.h"
#include "methods/regions/stack_distance.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };
struct hart_data {
    struct stack_distance *stack;
    uint64_t buckets[STACK_DISTANCE_BUCKETS];
};
struct pacsim_data {
    struct iss *iss;
    struct hart_data harts[MACHINE_MOST_HARTS];
};

static void accessed(void *context, unsigned hart, const iss_data_access *accesses, size_t count) {
    struct hart_data *const h = &((struct pacsim_data *)context)->harts[hart];
    for (size_t i = 0; i < count; i++) {
        const uint64_t line = iss_access_address(accesses[i]) / LINE;
        h->buckets[stack_distance_bucket(stack_distance_access(h->stack, line))]++;
    }
}

struct pacsim_data *pacsim_data_create(struct iss *iss, struct error *err) {
    struct pacsim_data *d = error_calloc(sizeof *d, "regions", err);
    if (!d) return NULL;
    bool good = true;
    for (unsigned i = 0; i < iss_harts(iss); i++)
        good = (d->harts[i].stack = stack_distance_create()) != NULL && good;
    if (!good) error_nomem(err, "regions");
    if (good && iss_watch_accesses(iss, accessed, d, err)) {
        d->iss = iss;
        return d;
    }
    pacsim_data_destroy(d);
    return NULL;
}

void pacsim_data_destroy(struct pacsim_data *d) {
    if (!d) return;
    if (d->iss) iss_watch_accesses(d->iss, NULL, NULL, NULL);
    for (unsigned i = 0; i < MACHINE_MOST_HARTS; i++)
        stack_distance_destroy(d->harts[i].stack);
    free(d);
}

bool pacsim_data_take(struct pacsim_data *d, uint64_t *sums) {
    bool whole = true;
    for (unsigned i = 0; i < iss_harts(d->iss); i++, sums += PACSIM_DIMS) {
        struct hart_data *const h = &d->harts[i];
        for (size_t b = 0; b < STACK_DISTANCE_BUCKETS; b++)
            if (h->buckets[b]) pacsim_sum(sums, (struct place){.pc = b}, h->buckets[b]);
        memset(h->buckets, 0, sizeof h->buckets);
        whole = stack_distance_whole(h->stack) && whole;
    }
    return whole;
}
