// Address translation by what the TLBs hold, without time: the first-level TLBs (rtl/mmu/tlb.sv: any page size, not
// recently used), the second level (l2_tlb.sv: 4 KiB pages, direct mapped), and the reads of the walks (ptw.sv).
#ifndef TIPOFF_METHODS_GUS_TRANSLATION_H
#define TIPOFF_METHODS_GUS_TRANSLATION_H

#include "iss/iss.h"
#include "methods/gus/caches.h"

struct gus_translation;
// By the sizes itlb_entries, dtlb_entries, l2_tlb_entries of the table; without the first two no walk takes time. NULL
// with err: no memory.
struct gus_translation *gus_translation_create(const struct gus_table *table, struct error *err);
void gus_translation_destroy(struct gus_translation *t); // NULL is fine

// A translated access: what its walk meets goes to the event (walk, or fetch_walk for a fetch). iss: whose memory has
// the tables, before the access or after.
void gus_translation_see(struct gus_translation *t, const struct iss *iss, struct gus_caches *caches, bool fetch,
                         uint64_t address, struct gus_event *event);
// The physical address of a virtual one, by the tables. False: there is none.
bool gus_translation_address(const struct gus_translation *t, const struct iss *iss, uint64_t address,
                             uint64_t *physical);
void gus_translation_space(struct gus_translation *t, uint64_t satp); // satp is written
// sfence.vma; has_address, has_space: of those only.
void gus_translation_flush(struct gus_translation *t, bool has_address, uint64_t address, bool has_space,
                           uint64_t space);

#endif
