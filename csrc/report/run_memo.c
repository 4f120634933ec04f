// What is worked out once of a run: a short list, distinguished by its owners' keys.
#include "report/run_memo.h"
#include "base/array.h"
#include <stdlib.h>

struct run_memo {
    struct kept {
        const void *key;
        unsigned number;
        void *value;
        void (*destroy)(void *value);
    } * list;
    size_t count, capacity;
};

struct run_memo *run_memo_create(void) {
    return calloc(1, sizeof(struct run_memo));
}

void *run_kept(const struct run *d, const void *key, unsigned number) {
    for (size_t i = 0; i < d->memo->count; i++) {
        const struct kept *kept = &d->memo->list[i];
        if (kept->key == key && kept->number == number) return kept->value;
    }
    return NULL;
}

bool run_keep(const struct run *d, const void *key, unsigned number, void *value, void (*destroy)(void *value)) {
    struct run_memo *m = d->memo;
    if (!array_reserve(&m->list, &m->capacity, m->count, sizeof *m->list)) {
        destroy(value);
        return false;
    }
    m->list[m->count++] = (struct kept){key, number, value, destroy};
    return true;
}

// Backwards: what was made of others goes first.
void run_forget(const struct run *d) {
    struct run_memo *m = d->memo;
    while (m->count) {
        const struct kept *last = &m->list[--m->count];
        last->destroy(last->value);
    }
}

void run_memo_destroy(const struct run *d) {
    if (!d->memo) return;
    run_forget(d);
    free(d->memo->list);
    free(d->memo);
}
