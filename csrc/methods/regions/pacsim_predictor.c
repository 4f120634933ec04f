// The trie of histories: pacsim_predictor.h.
#include "methods/regions/pacsim_predictor.h"
#include "base/array.h"
#include <stdlib.h>

enum { ROOT = 0 };
struct node {
    uint64_t key;       // its marker, below the root; below others a cluster
    size_t child, next; // its first, and the next of its parent; 0: none
    size_t cluster;     // of the last region that came by
};
struct pacsim_predictor {
    struct node *nodes;
    size_t count, capacity;
    size_t *history; // all that was learnt
    size_t length, history_capacity;
    unsigned depth;
};

struct pacsim_predictor *pacsim_predictor_create(unsigned depth, struct error *err) {
    struct pacsim_predictor *p = error_calloc(sizeof *p, "predictor of regions", err);
    if (!p) return NULL;
    p->depth = depth;
    if (array_reserve(&p->nodes, &p->capacity, 0, sizeof *p->nodes)) {
        p->nodes[p->count++] = (struct node){.cluster = PACSIM_NONE};
        return p;
    }
    error_nomem(err, "predictor of regions");
    pacsim_predictor_destroy(p);
    return NULL;
}

void pacsim_predictor_destroy(struct pacsim_predictor *p) {
    if (!p) return;
    free(p->nodes);
    free(p->history);
    free(p);
}

size_t pacsim_predictor_nodes(const struct pacsim_predictor *p) {
    return p->count - 1;
}

// How many clusters the present history has, and the one that lies `back` before the latest.
static unsigned known(const struct pacsim_predictor *p) {
    return p->length < p->depth ? (unsigned)p->length : p->depth;
}

static size_t before(const struct pacsim_predictor *p, unsigned back) {
    return p->history[p->length - 1 - back];
}

static size_t find(const struct pacsim_predictor *p, size_t parent, uint64_t key) {
    size_t at = p->nodes[parent].child;
    while (at && p->nodes[at].key != key)
        at = p->nodes[at].next;
    return at;
}

static size_t find_or_add(struct pacsim_predictor *p, size_t parent, uint64_t key) {
    const size_t found = find(p, parent, key);
    if (found || !array_reserve(&p->nodes, &p->capacity, p->count, sizeof *p->nodes)) return found;
    p->nodes[p->count] = (struct node){.key = key, .next = p->nodes[parent].child, .cluster = PACSIM_NONE};
    p->nodes[parent].child = p->count;
    return p->count++;
}

size_t pacsim_predictor_ask(const struct pacsim_predictor *p, uint64_t marker, unsigned *matched) {
    size_t at = find(p, ROOT, marker), cluster = PACSIM_NONE;
    *matched = 0;
    for (unsigned back = 0; at && back < known(p); back++) {
        at = find(p, at, before(p, back));
        if (!at) break;
        cluster = p->nodes[at].cluster;
        *matched = back + 1;
    }
    return cluster;
}

bool pacsim_predictor_learn(struct pacsim_predictor *p, uint64_t marker, size_t cluster, struct error *err) {
    size_t at = find_or_add(p, ROOT, marker);
    for (unsigned back = 0; at && back < known(p); back++) {
        at = find_or_add(p, at, before(p, back));
        if (at) p->nodes[at].cluster = cluster;
    }
    if (!at || !array_reserve(&p->history, &p->history_capacity, p->length, sizeof *p->history)) {
        error_nomem(err, "predictor of regions");
        return false;
    }
    p->history[p->length++] = cluster;
    return true;
}
