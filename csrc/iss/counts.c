// How often each instruction was executed: a cell for each parcel of a page, by virtual page, mode and address space.
//
// A run that counts (execute.c) asks for a page's cells when it comes to the page, and adds one an instruction. Mode
// and address space do not change while it goes on: whatever changes them ends it.
#include "iss/iss_internal.h"
#include "profile/place.h"
#include <stdlib.h>

enum { RECENT = 256, FIRST_SIZE = 256 };
struct counted_page {
    uint64_t pc, context; // of the page; what gives its addresses their meaning
    uint64_t cells[PAGE_ENTRIES];
};
struct slot {
    struct counted_page *page; // NULL: free
};
struct iss_counts {
    struct slot *slots; // open addressing
    size_t used, size;  // size: a power of two
    struct counted_page *recent[RECENT];
    struct counted_page sink; // where there is no memory for more
    bool partial;
};

bool iss_count(struct iss *iss, struct error *err) {
    struct iss_counts *counts = iss->counts ? iss->counts : calloc(1, sizeof *counts);
    if (counts && !counts->slots) counts->slots = calloc(FIRST_SIZE, sizeof *counts->slots);
    if (!counts || !counts->slots) {
        free(counts);
        error_nomem(err, "counts of executions");
        return false;
    }
    if (!counts->size) counts->size = FIRST_SIZE;
    iss->counts = counts;
    return true;
}

void iss_counts_destroy(struct iss_counts *counts) {
    for (size_t i = 0; counts && i < counts->size; i++)
        free(counts->slots[i].page);
    if (counts) free(counts->slots);
    free(counts);
}

static uint64_t hash(uint64_t pc, uint64_t context) {
    const uint64_t h = (pc / PAGE_BYTES + context * 31) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

static struct slot *slot_of(struct iss_counts *c, uint64_t pc, uint64_t context) {
    size_t i = hash(pc, context) & (c->size - 1);
    while (c->slots[i].page && (c->slots[i].page->pc != pc || c->slots[i].page->context != context))
        i = (i + 1) & (c->size - 1);
    return &c->slots[i];
}

static bool grow(struct iss_counts *c) {
    struct slot *old = c->slots, *slots = calloc(2 * c->size, sizeof *slots);
    if (!slots) return false;
    const size_t size = c->size;
    c->slots = slots;
    c->size = 2 * size;
    for (size_t i = 0; i < size; i++)
        if (old[i].page) *slot_of(c, old[i].page->pc, old[i].page->context) = old[i];
    free(old);
    return true;
}

static struct counted_page *find(struct iss_counts *c, uint64_t pc, uint64_t context) {
    struct slot *slot = slot_of(c, pc, context);
    if (slot->page) return slot->page;
    if (2 * (c->used + 1) > c->size && grow(c)) slot = slot_of(c, pc, context);
    struct counted_page *page = c->used + 1 < c->size ? calloc(1, sizeof *page) : NULL;
    if (!page) {
        c->partial = true;
        return &c->sink;
    }
    page->pc = pc;
    page->context = context;
    c->used++;
    return slot->page = page;
}

uint64_t *iss_counts_at(struct hart *h, uint64_t pc) {
    struct iss_counts *c = h->machine->counts;
    const uint64_t page_pc = pc & ~(uint64_t)(PAGE_BYTES - 1);
    const uint64_t satp = h->csr[CSR_SATP], root = satp >> 60 == SATP_SV39 ? satp & ((UINT64_C(1) << 44) - 1) : 0;
    const uint64_t context = place_context((uint8_t)h->privilege, root);
    struct counted_page **recent = &c->recent[hash(page_pc, context) % RECENT];
    if (!*recent || (*recent)->pc != page_pc || (*recent)->context != context) *recent = find(c, page_pc, context);
    return (*recent)->cells;
}

bool iss_counts_whole(const struct iss *iss) {
    return !iss->counts || !iss->counts->partial;
}

void iss_each_count(const struct iss *iss, iss_counted *counted, void *context) {
    const struct iss_counts *c = iss->counts;
    for (size_t i = 0; c && i < c->size; i++) {
        const struct counted_page *page = c->slots[i].page;
        for (size_t k = 0; page && k < PAGE_ENTRIES; k++) {
            if (page->cells[k])
                counted(context, page->pc + 2 * k, (uint8_t)place_mode(page->context), place_space(page->context),
                        page->cells[k]);
        }
    }
}
