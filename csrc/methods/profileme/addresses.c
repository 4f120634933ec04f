// Accesses in the order of block and instruction, summed up.
#include "methods/profileme/addresses.h"
#include "events.h"
#include <stdlib.h>

struct access {
    uint64_t space, block;
    struct place place;
    const struct instruction_sample *record;
};

static int compare(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int by_block(const void *x, const void *y) {
    const struct access *a = x, *b = y;
    if (a->space != b->space) return compare(a->space, b->space);
    if (a->block != b->block) return compare(a->block, b->block);
    if (a->place.context != b->place.context) return compare(a->place.context, b->place.context);
    return compare(a->place.pc, b->place.pc);
}

static int by_misses(const void *x, const void *y) {
    const struct profileme_block *a = x, *b = y;
    if (a->misses != b->misses) return compare(b->misses, a->misses);
    if (a->accesses != b->accesses) return compare(b->accesses, a->accesses);
    if (a->space != b->space) return compare(a->space, b->space);
    return compare(a->address, b->address);
}

static bool missed(const struct instruction_sample *s, unsigned event) {
    return s->events >> event & 1;
}

// Of equal instructions of one block, from i on: how many misses; *next comes after them.
static uint64_t misses_of_one(const struct access *list, size_t count, size_t i, size_t *next) {
    uint64_t misses = 0;
    for (*next = i; *next < count && by_block(&list[i], &list[*next]) == 0; (*next)++)
        misses += missed(list[*next].record, EVENT_ST_L1);
    return misses;
}

static void add(struct profileme_block *b, const struct instruction_sample *s) {
    b->accesses++;
    b->misses += missed(s, EVENT_ST_L1);
    b->last_level += missed(s, EVENT_ST_LLC);
    b->tlb += missed(s, EVENT_ST_TLB);
    if (missed(s, EVENT_ST_L1)) b->cycles += s->execution;
}

static size_t sum_up(const struct access *list, size_t n, unsigned bits, struct profileme_block *blocks) {
    size_t count = 0;
    for (size_t i = 0, next; i < n; i = next) {
        const uint64_t misses = misses_of_one(list, n, i, &next);
        if (i == 0 || list[i].space != list[i - 1].space || list[i].block != list[i - 1].block)
            blocks[count++] = (struct profileme_block){
                .space = list[i].space, .address = list[i].block << bits, .worst = list[i].place};
        struct profileme_block *b = &blocks[count - 1];
        if (misses > b->worst_misses) {
            b->worst = list[i].place;
            b->worst_misses = misses;
        }
        for (size_t k = i; k < next; k++)
            add(b, list[k].record);
    }
    return count;
}

struct profileme_block *profileme_blocks(const struct instruction_sample *records, size_t record_count, unsigned bits,
                                         size_t *count) {
    struct access *list = calloc(record_count + 1, sizeof *list);
    struct profileme_block *blocks = calloc(record_count + 1, sizeof *blocks);
    size_t n = 0;
    for (size_t i = 0; list && blocks && i < record_count; i++) {
        const struct instruction_sample *s = &records[i];
        if (s->opportunity || !s->addressed || s->kind < 1 || s->kind > 3) continue;
        list[n++] = (struct access){s->space, s->address >> bits, {s->pc, place_context(s->mode, s->space)}, s};
    }
    *count = !list || !blocks;
    if (n) {
        qsort(list, n, sizeof *list, by_block);
        *count = sum_up(list, n, bits, blocks);
        qsort(blocks, *count, sizeof *blocks, by_misses);
    }
    free(list);
    if (n) return blocks;
    free(blocks);
    return NULL;
}
