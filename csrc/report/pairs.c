// Reads pairs, and makes one of those of the same two instructions.
#include "report/pairs.h"
#include "base/bisect.h"
#include <stdlib.h>
#include <string.h>

struct code_place code_place_of(const struct images *images, struct place place) {
    struct image_hit hit;
    if (place.pc == PROFILE_PC_END || !images_find(images, place, &hit))
        return (struct code_place){NULL, place.pc, place};
    return (struct code_place){hit.program, place.pc - hit.bias, place};
}

int code_place_order(const struct code_place *a, const struct code_place *b) {
    if (a->program != b->program) return (uintptr_t)a->program < (uintptr_t)b->program ? -1 : 1;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

static bool place_before(const void *entry, const void *at) {
    return code_place_order(entry, at) < 0;
}

size_t code_place_first(const void *list, size_t count, size_t bytes, const struct code_place *at) {
    return bisect(list, count, bytes, place_before, at);
}

static int by_from(const void *x, const void *y) {
    const struct code_pair *a = x, *b = y;
    const int order = code_place_order(&a->from, &b->from);
    return order ? order : code_place_order(&a->to, &b->to);
}

bool pairs_read(struct pairs *p, const struct images *images, const struct results *results, unsigned number) {
    const struct result_info *info = result_info(number);
    size_t count, used = 0;
    const char *rows = results_rows(results, number, &count);
    *p = (struct pairs){.known = results_known(results, number), .list = calloc(count + 1, sizeof *p->list)};
    if (!p->list) return false;
    for (size_t i = 0; i < count; i++) {
        const char *row = rows + i * info->bytes;
        struct code_pair *pair = &p->list[i];
        pair->from = code_place_of(images, result_place(&info->fields[0], row));
        pair->to = code_place_of(images, result_place(&info->fields[1], row));
        for (unsigned c = 0; c < PAIR_COUNTS && c + 2 < info->field_count; c++)
            pair->counts[c] = result_number(&info->fields[c + 2], row);
    }
    if (count) qsort(p->list, count, sizeof *p->list, by_from);
    for (size_t i = 0; i < count; i++) {
        if (used && by_from(&p->list[used - 1], &p->list[i]) == 0) {
            for (unsigned c = 0; c < PAIR_COUNTS; c++)
                p->list[used - 1].counts[c] += p->list[i].counts[c];
        } else {
            p->list[used++] = p->list[i];
        }
    }
    p->count = used;
    return true;
}

void pairs_free(struct pairs *p) {
    free(p->list);
    *p = (struct pairs){0};
}

const struct code_pair *pairs_from(const struct pairs *p, const struct program *program, uint64_t pc, size_t *count) {
    const struct code_place wanted = {.program = program, .pc = pc};
    const size_t first = code_place_first(p->list, p->count, sizeof *p->list, &wanted);
    *count = 0;
    while (first + *count < p->count && code_place_order(&p->list[first + *count].from, &wanted) == 0)
        (*count)++;
    return p->list + first;
}
