// Reads pairs, and makes one of those of the same two instructions.
#include "report/pairs.h"
#include "report/json.h"
#include <stdlib.h>
#include <string.h>

struct code_place code_place_of(const struct run *d, struct place place) {
    struct image_hit hit;
    if (!images_find(d->images, place, &hit)) return (struct code_place){NULL, place.pc, place};
    return (struct code_place){hit.program, place.pc - hit.bias, place};
}

int code_place_order(const struct code_place *a, const struct code_place *b) {
    if (a->program != b->program) return (uintptr_t)a->program < (uintptr_t)b->program ? -1 : 1;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

static int by_from(const void *x, const void *y) {
    const struct code_pair *a = x, *b = y;
    const int order = code_place_order(&a->from, &b->from);
    return order ? order : code_place_order(&a->to, &b->to);
}

static uint64_t context_of(const cJSON *group, const char *mode, const char *space) {
    return place_context((uint8_t)(json_u64(cJSON_GetObjectItemCaseSensitive(group, mode)) & 3),
                         json_u64(cJSON_GetObjectItemCaseSensitive(group, space)));
}

static void add_group(struct pairs *p, const struct run *d, const cJSON *group) {
    const uint64_t from = context_of(group, "from_mode", "from_space"), to = context_of(group, "to_mode", "to_space");
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(group, "pairs")) {
        char *text = cJSON_IsString(item) ? item->valuestring : "", *rest;
        struct code_pair *pair = &p->list[p->count];
        pair->from = code_place_of(d, (struct place){strtoull(text, &rest, 16), from});
        if (rest == text) continue;
        pair->to = code_place_of(d, (struct place){strtoull(text = rest, &rest, 16), to});
        if (rest == text) continue;
        for (unsigned c = 0; c < PAIR_COUNTS; c++)
            pair->counts[c] = strtoull(rest, &rest, 10);
        p->count++;
    }
}

bool pairs_read(struct pairs *p, const struct run *d, const cJSON *statistics, const char *name) {
    const cJSON *groups = cJSON_GetObjectItemCaseSensitive(statistics, name), *group;
    size_t most = 0, used = 0;
    cJSON_ArrayForEach(group, groups) {
        most += (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(group, "pairs"));
    }
    *p = (struct pairs){.known = cJSON_IsArray(groups), .list = calloc(most + 1, sizeof *p->list)};
    if (!p->list) return false;
    cJSON_ArrayForEach(group, groups) {
        add_group(p, d, group);
    }
    if (p->count) qsort(p->list, p->count, sizeof *p->list, by_from);
    for (size_t i = 0; i < p->count; i++) {
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
    size_t low = 0, high = p->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (code_place_order(&p->list[middle].from, &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *count = 0;
    while (low + *count < p->count && code_place_order(&p->list[low + *count].from, &wanted) == 0)
        (*count)++;
    return p->list + low;
}
