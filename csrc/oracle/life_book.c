// A ring of the last that left, found by fetch and address, and in another one how many issued in each cycle.
#include "oracle/life_book.h"
#include <stdlib.h>

enum { LEFT = 1 << 16, CYCLES = 1 << 16, LONGEST = CYCLES / 2 };

struct life_book {
    struct life left[LEFT];              // those that left last
    uint32_t previous[LEFT], last[LEFT]; // plus 1; by hash of fetch and address
    uint64_t left_count, totalled;       // of them; whose overlap has been counted
    uint64_t useful_cycle[CYCLES];       // of useful[], plus 1
    uint16_t useful[CYCLES];             // instructions that issued then and retired
    struct life_table *table;
    uint64_t begin;
};

struct life_book *life_book_create(struct error *err) {
    struct life_book *b = calloc(1, sizeof *b);
    if (b) b->table = life_table_create();
    if (b && b->table) return b;
    free(b);
    error_nomem(err, "inst-lifetimes");
    return NULL;
}

void life_book_destroy(struct life_book *b) {
    if (!b) return;
    life_table_destroy(b->table);
    free(b);
}

static uint32_t bucket(uint64_t fetched, uint64_t pc) {
    return (uint32_t)((fetched * 0x9e3779b97f4a7c15u ^ pc >> 1) % LEFT);
}

const struct life *life_book_find(const struct life_book *b, uint64_t fetched, uint64_t pc) {
    uint32_t place = b->last[bucket(fetched, pc)];
    for (unsigned n = 0; place && n < LEFT; n++, place = b->previous[place - 1]) {
        const struct life *life = &b->left[place - 1];
        if (life->fetched == fetched && life->pc == pc) return life;
        if (life->fetched < fetched && life->left < fetched) break; // older ones follow
    }
    return NULL;
}

static void add(struct lifetime *row, enum lifetime_total total, uint64_t amount) {
    row->total[total] += amount;
}

static struct lifetime *book(struct life_book *b, const struct life *life) {
    struct lifetime *row = life_table_row(b->table, (struct place){life->pc, place_context(life->mode, life->space)});
    if (!row) return NULL;
    add(row, TOTAL_FETCHED, 1);
    add(row, TOTAL_MAPPED, life->mapped != LIFE_NEVER);
    add(row, TOTAL_RETIRED + life->outcome, 1);
    add(row, TOTAL_OWN, life->own);
    for (unsigned e = 0; e < 16; e++)
        add(row, TOTAL_EVENT_DR_L1 + e, life->psv >> e & 1);
    for (unsigned c = 0; c < 9; c++)
        add(row, TOTAL_CONFLICT_ROB + c, life->conflicts >> c & 1);
    if (life->outcome != OUTCOME_RETIRED) return row;
    add(row, TOTAL_DISPATCH, life->mapped - life->fetched);
    add(row, TOTAL_OPERANDS, life->ready - life->mapped);
    add(row, TOTAL_CONTENTION, life->issued - life->ready);
    add(row, TOTAL_EXECUTION, life->done - life->issued);
    add(row, TOTAL_RETIRE_WAIT, life->left - life->done);
    add(row, TOTAL_OLDEST, life->headed == LIFE_NEVER ? 0 : life->left - life->headed + 1);
    add(row, TOTAL_TAKEN, life->resolved && life->taken);
    add(row, TOTAL_MISPREDICTED, life->mispredicted);
    return row;
}

static void issue_counts(struct life_book *b, const struct life *life) {
    if (life->outcome != OUTCOME_RETIRED) return;
    const uint64_t i = life->issued % CYCLES;
    if (b->useful_cycle[i] != life->issued + 1) b->useful[i] = 0;
    b->useful_cycle[i] = life->issued + 1;
    b->useful[i]++;
}

static uint64_t progress_end(const struct life *life) {
    return life->done != LIFE_NEVER ? life->done : life->left;
}

static void keep(struct life_book *b, const struct life *life) {
    const uint32_t place = (uint32_t)(b->left_count++ % LEFT), slot = bucket(life->fetched, life->pc);
    b->left[place] = *life;
    b->previous[place] = b->last[slot];
    b->last[slot] = place + 1;
}

bool life_book_add(struct life_book *b, const struct life *life, bool counts) {
    keep(b, life);
    issue_counts(b, life);
    return !counts || life->fetched < b->begin || book(b, life);
}

bool life_book_overlaps(struct life_book *b, uint64_t until) {
    for (; b->totalled < b->left_count; b->totalled++) {
        const struct life *life = &b->left[b->totalled % LEFT];
        const uint64_t end = progress_end(life);
        if (end > until) break;
        if (life->fetched < b->begin || end - life->fetched > LONGEST) continue;
        struct lifetime *row =
            life_table_row(b->table, (struct place){life->pc, place_context(life->mode, life->space)});
        if (!row) return false;
        uint64_t useful = 0;
        for (uint64_t cycle = life->fetched; cycle < end; cycle++)
            if (b->useful_cycle[cycle % CYCLES] == cycle + 1) useful += b->useful[cycle % CYCLES];
        if (life->outcome == OUTCOME_RETIRED && life->issued < end) useful--;
        add(row, TOTAL_PROGRESS, end - life->fetched);
        add(row, TOTAL_USEFUL, useful);
        add(row, TOTAL_OVERLAPPED, 1);
    }
    return true;
}

void life_book_begin(struct life_book *b, uint64_t cycle) {
    b->begin = cycle;
    b->totalled = b->left_count;
    life_table_empty(b->table);
}

uint64_t life_book_pending(const struct life_book *b) {
    return b->left_count - b->totalled;
}

const struct lifetime *life_book_totals(struct life_book *b, size_t *count) {
    return life_table_rows(b->table, count);
}
