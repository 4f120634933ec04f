// How often each instruction was executed: a cell for each parcel of a page, by virtual page, mode and address space.
//
// A run that counts (execute.c) asks for a page's cells when it comes to the page, and adds one an instruction. Mode
// and address space do not change while it goes on: whatever changes them ends it.
#include "base/array.h"
#include "base/hash_index.h"
#include "iss/iss_internal.h"
#include "profile/place.h"
#include <stdlib.h>

enum { RECENT = 256 };
struct counted_page {
    uint64_t pc, context; // of the page; what gives its addresses their meaning
    uint64_t cells[PAGE_ENTRIES];
};
struct iss_counts {
    struct counted_page **pages;
    size_t count, capacity;
    struct hash_index index; // of pages
    struct counted_page *recent[RECENT];
    struct counted_page sink; // where there is no memory for more
    bool partial;
};

struct iss_counts *iss_counts_create(void) {
    return calloc(1, sizeof(struct iss_counts));
}

bool iss_count(struct iss *iss, struct error *err) {
    struct iss_counts *counts = iss->counts ? iss->counts : iss_counts_create();
    if (!counts) {
        error_nomem(err, "counts of executions");
        return false;
    }
    iss->counts = counts;
    return true;
}

void iss_counts_destroy(struct iss_counts *counts) {
    if (!counts) return;
    for (size_t i = 0; i < counts->count; i++)
        free(counts->pages[i]);
    free(counts->pages);
    hash_index_free(&counts->index);
    free(counts);
}

static uint64_t hash(uint64_t pc, uint64_t context) {
    const uint64_t h = (pc / PAGE_BYTES + context * 31) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

static uint64_t hash_of(const void *counts, uint32_t number) {
    const struct counted_page *page = ((const struct iss_counts *)counts)->pages[number];
    return hash(page->pc, page->context);
}
static bool is_page(const void *counts, uint32_t number, const void *key) {
    const struct counted_page *page = ((const struct iss_counts *)counts)->pages[number];
    const struct place *k = key;
    return page->pc == k->pc && page->context == k->context;
}

static struct counted_page *add(struct iss_counts *c, uint64_t pc, uint64_t context) {
    if (!hash_index_reserve(&c->index, 0, (uint32_t)c->count, hash_of, c) ||
        !array_reserve(&c->pages, &c->capacity, c->count, sizeof(struct counted_page *)))
        return NULL;
    struct counted_page *page = calloc(1, sizeof *page);
    if (!page) return NULL;
    page->pc = pc;
    page->context = context;
    c->pages[c->count] = page;
    hash_index_put(&c->index, hash(pc, context), (uint32_t)c->count++);
    return page;
}

static struct counted_page *find(struct iss_counts *c, uint64_t pc, uint64_t context) {
    const struct place key = {pc, context};
    const uint32_t number = hash_index_find(&c->index, hash(pc, context), is_page, c, &key);
    struct counted_page *page = number == HASH_INDEX_NONE ? add(c, pc, context) : c->pages[number];
    if (page) return page;
    c->partial = true;
    return &c->sink;
}

uint64_t iss_context(const struct hart *h) {
    const uint64_t satp = h->csr[CSR_SATP], root = satp >> 60 == SATP_SV39 ? satp & ((UINT64_C(1) << 44) - 1) : 0;
    return place_context((uint8_t)h->privilege, root);
}

uint64_t *iss_cells_at(struct iss_counts *c, uint64_t pc, uint64_t context) {
    const uint64_t page_pc = pc & ~(uint64_t)(PAGE_BYTES - 1);
    struct counted_page **recent = &c->recent[hash(page_pc, context) % RECENT];
    if (!*recent || (*recent)->pc != page_pc || (*recent)->context != context) *recent = find(c, page_pc, context);
    return (*recent)->cells;
}

uint64_t *iss_counts_at(struct hart *h, uint64_t pc) {
    return iss_cells_at(h->machine->counts, pc, iss_context(h));
}

bool iss_cells_whole(const struct iss_counts *c) {
    return !c->partial;
}

bool iss_counts_whole(const struct iss *iss) {
    return !iss->counts || iss_cells_whole(iss->counts);
}

void iss_each_count(const struct iss *iss, iss_counted *counted, void *context) {
    const struct iss_counts *c = iss->counts;
    for (size_t i = 0; c && i < c->count; i++) {
        const struct counted_page *page = c->pages[i];
        for (size_t k = 0; k < PAGE_ENTRIES; k++) {
            if (page->cells[k])
                counted(context, page->pc + 2 * k, (uint8_t)place_mode(page->context), place_space(page->context),
                        page->cells[k]);
        }
    }
}
