// The same page of address spaces with ASIDs that follow one another has entries of its own in the second level: see
// translation.h and docs/reference/pipeline.md, Translation.
#include "methods/gus/translation.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, LEVELS = 3, PAGE_BITS = 12, INDEX_BITS = 9, SPACE_BITS = 8, HASH = 3, LINE = 64 };
enum { V = 1, RWX = 0xe, G = 0x20 };

struct entry { // of a page of 4 KiB << 9 * level
    uint64_t page;
    uint16_t space;
    uint8_t level;
    bool valid, global;
};
struct tlb {
    struct entry entries[MOST];
    uint64_t used;
    uint32_t size, last; // last: the entry that hit last
};
struct gus_translation {
    struct tlb first[2]; // of data, of fetches
    struct entry *second;
    uint32_t second_size, index_bits;
    uint64_t root; // physical address
    uint16_t space;
};

struct gus_translation *gus_translation_create(const struct gus_table *table, struct error *err) {
    struct gus_translation *t = calloc(1, sizeof *t);
    bool good = t != NULL;
    if (good) {
        t->first[0].size = gus_table_size(table, "dtlb_entries", 0);
        t->first[1].size = gus_table_size(table, "itlb_entries", 0);
        for (unsigned i = 0; i < 2; i++)
            t->first[i].size = t->first[i].size < MOST ? t->first[i].size : MOST;
        t->second_size = gus_table_size(table, "l2_tlb_entries", 0);
        t->index_bits = t->second_size ? 31 - (unsigned)__builtin_clz(t->second_size) : 0;
        t->second = calloc((size_t)t->second_size + 1, sizeof *t->second);
        good = t->second != NULL;
    }
    if (good) return t;
    error_nomem(err, "gus");
    gus_translation_destroy(t);
    return NULL;
}

void gus_translation_destroy(struct gus_translation *t) {
    if (!t) return;
    free(t->second);
    free(t);
}

void gus_translation_space(struct gus_translation *t, uint64_t satp) {
    t->root = (satp & ((UINT64_C(1) << 44) - 1)) << PAGE_BITS;
    t->space = (uint16_t)(satp >> 44 & ((1u << SPACE_BITS) - 1));
}

// ---- first level ----
static bool covers(const struct entry *e, uint64_t page, uint16_t space) {
    return e->valid && (e->global || e->space == space) && (e->page ^ page) >> (INDEX_BITS * e->level) == 0;
}

static void touch(struct tlb *tlb, uint32_t i) {
    const uint64_t all = tlb->size < MOST ? (UINT64_C(1) << tlb->size) - 1 : UINT64_MAX;
    tlb->last = i;
    tlb->used |= UINT64_C(1) << i;
    if (tlb->used == all) tlb->used = UINT64_C(1) << i;
}

static bool hits(struct tlb *tlb, uint64_t page, uint16_t space) {
    uint32_t i = tlb->last;
    if (!covers(&tlb->entries[i], page, space))
        for (i = 0; i < tlb->size && !covers(&tlb->entries[i], page, space);)
            i++;
    if (i == tlb->size) return false;
    touch(tlb, i);
    return true;
}

static void fill(struct tlb *tlb, const struct entry *e) {
    uint32_t i = 0;
    while (i < tlb->size && tlb->entries[i].valid)
        i++;
    for (uint32_t k = 0; i == tlb->size && k < tlb->size; k++)
        if (!(tlb->used >> k & 1)) i = k;
    if (i == tlb->size) i = 0;
    tlb->entries[i] = *e;
    touch(tlb, i);
}

// ---- second level, and the tables ----
static struct entry *second_of(const struct gus_translation *t, uint64_t page, uint16_t space) {
    const uint32_t hash = t->index_bits >= 2 ? (uint32_t)(space & HASH) << (t->index_bits - 2) : 0;
    return &t->second[((uint32_t)page & (t->second_size - 1)) ^ hash];
}

static bool second_hits(const struct gus_translation *t, uint64_t page) {
    if (t->second_size == 0) return false;
    const struct entry *e = second_of(t, page, t->space);
    return e->valid && e->page == page && (e->global ? !((e->space ^ t->space) & HASH) : e->space == t->space);
}

// A walk, its reads by the caches if there are any; whether a leaf was found.
static bool walk(const struct gus_translation *t, const struct iss *iss, struct gus_caches *caches, struct entry *found,
                 uint64_t *physical, uint8_t *levels, struct gus_event *event) {
    uint64_t table = t->root;
    for (unsigned level = LEVELS; level-- > 0;) {
        uint64_t pte, address = table + 8 * (found->page >> (INDEX_BITS * level) & 511);
        if (!iss_read(iss, address, &pte, sizeof pte)) return false;
        if (caches) levels[LEVELS - 1 - level] = (uint8_t)(gus_caches_walk(caches, address / LINE, event) + 1);
        found->global |= (pte & G) != 0;
        found->level = (uint8_t)level;
        if (!(pte & V)) return false;
        table = (pte >> 10 & ((UINT64_C(1) << 44) - 1)) << PAGE_BITS;
        if (pte & RWX) {
            *physical = table | (found->page << PAGE_BITS & ((UINT64_C(1) << (PAGE_BITS + INDEX_BITS * level)) - 1));
            return true;
        }
    }
    return false;
}

void gus_translation_see(struct gus_translation *t, const struct iss *iss, struct gus_caches *caches, bool fetch,
                         uint64_t address, struct gus_event *event) {
    struct tlb *tlb = &t->first[fetch];
    struct entry e = {.page = address >> PAGE_BITS & 0x7ffffff, .space = t->space, .valid = true};
    if (tlb->size == 0 || !iss || hits(tlb, e.page, t->space)) return;
    uint8_t *levels = fetch ? event->fetch_walk : event->walk;
    const bool known = second_hits(t, e.page);
    levels[0] = GUS_SECOND_TLB;
    uint64_t physical;
    if (!walk(t, iss, known ? NULL : caches, &e, &physical, levels, event)) return;
    fill(tlb, &e);
    if (!known && t->second_size && e.level == 0) *second_of(t, e.page, t->space) = e;
}

bool gus_translation_address(const struct gus_translation *t, const struct iss *iss, uint64_t address,
                             uint64_t *physical) {
    struct entry e = {.page = address >> PAGE_BITS & 0x7ffffff};
    if (!walk(t, iss, NULL, &e, physical, NULL, NULL)) return false;
    *physical |= address & ((1u << PAGE_BITS) - 1);
    return true;
}

void gus_translation_flush(struct gus_translation *t, bool has_address, uint64_t address, bool has_space,
                           uint64_t space) {
    const uint64_t page = address >> PAGE_BITS & 0x7ffffff;
    const uint16_t of = (uint16_t)(space & ((1u << SPACE_BITS) - 1));
    for (unsigned k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < t->first[k].size; i++) {
            struct entry *e = &t->first[k].entries[i];
            bool space_meant = !has_space || (!e->global && e->space == of);
            if (space_meant && (!has_address || (e->page ^ page) >> (INDEX_BITS * e->level) == 0)) e->valid = false;
        }
    }
    for (uint32_t i = 0; i < t->second_size; i++) {
        struct entry *e = &t->second[i];
        const bool by_page = has_address && (((uint32_t)e->page ^ (uint32_t)page) & (t->second_size - 1)) == 0;
        // A space's entries go by a number that ASIDs with the same low four bits share (rtl/mmu/l2_tlb.sv).
        const bool by_space = !has_address && has_space && !e->global && ((e->space ^ of) & 15) == 0;
        if ((!has_address && !has_space) || by_page || by_space) e->valid = false;
    }
}
