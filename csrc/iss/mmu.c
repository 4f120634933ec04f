// Address translation and protection: Sv39 page tables and physical memory protection (privileged manual, "Virtual
// Address Translation Process" and "Physical Memory Protection").
//
// An access that needs an accessed or dirty bit that is 0 faults (Svade), or sets it if the hart does so (ad_update:
// Svadu, always on): only when nothing else keeps the access from being done. Leaves that walks have found are
// kept, so translations may be stale until sfence.vma or a write of satp or of a PMP register: each of them drops all,
// of all address spaces, which is more than it must and legal. What an access may do is decided at each access, or was
// for this page in this mode (struct iss_quick). With
// ad_update a page fault is only believed after another walk.
#include "iss/iss_internal.h"
#include <string.h>

enum { PTE_V = 1 << 0, PTE_R = 1 << 1, PTE_W = 1 << 2, PTE_X = 1 << 3, PTE_U = 1 << 4, PTE_A = 1 << 6, PTE_D = 1 << 7 };
enum { LEVELS = 3, INDEX_BITS = 9, PAGE_SHIFT = 12 };
#define PTE_PPN(pte) ((pte) >> 10 & ((UINT64_C(1) << 44) - 1))
#define PTE_RESERVED (UINT64_C(0x3ff) << 54)
#define SATP_PPN ((UINT64_C(1) << 44) - 1)

// ---- what is known of a page without looking at its leaf again ----
static const struct iss_quick nothing = {ISS_QUICK_EMPTY, ISS_QUICK_EMPTY, 0, 0};

static void touch(struct hart *h, uint64_t va) {
    const size_t index = va / PAGE_BYTES % ISS_TLB_ENTRIES;
    h->touched[index / 64] |= UINT64_C(1) << index % 64;
}

void iss_tlb_unknown(struct hart *h) {
    memset(h->touched, 0xff, sizeof h->touched);
}

static void quick_drop(struct hart *h, size_t index) {
    for (size_t i = 0; i < ISS_QUICK_TABLES; i++)
        h->quick[i][index] = nothing;
    for (size_t i = 0; i < ISS_QUICK_CODE_M; i++) // M-mode's do not come by the TLB
        h->quick_codes[i][index].fetch = ISS_QUICK_EMPTY;
}

// Between two flushes a few pages are accessed: they are gone through, and not the tables.
static void flush(struct hart *h, bool tlb) {
    for (size_t word = 0; word < sizeof h->touched / sizeof *h->touched; word++) {
        for (uint64_t bits = h->touched[word]; bits; bits &= bits - 1) {
            const size_t index = 64 * word + (size_t)__builtin_ctzll(bits);
            quick_drop(h, index);
            h->quick_codes[ISS_QUICK_CODE_M][index].fetch = ISS_QUICK_EMPTY;
            if (tlb) h->tlb[index] = (struct iss_tlb){0, 0};
        }
        if (tlb) h->touched[word] = 0;
    }
}

void iss_quick_flush(struct hart *h) {
    flush(h, false);
}

// All that the entry for va says already has the same offset: with translation it is about this page only, since it
// went with the TLB's entry for another one; without, every offset is 0.
void iss_quick_data(struct hart *h, uint64_t va, uint64_t pa, bool store) {
    if (h->quick_data == h->quick[ISS_QUICK_NONE]) return;
    // The word tohost asks for a look at each store.
    if (store && (pa - DRAM_BASE) / PAGE_BYTES == h->machine->tohost / PAGE_BYTES) return;
    struct iss_quick *entry = &h->quick_data[va / PAGE_BYTES % ISS_TLB_ENTRIES];
    touch(h, va);
    entry->physical = pa - va;
    entry->host = (uintptr_t)h->machine->dram + (pa - DRAM_BASE) - va;
    *(store ? &entry->store : &entry->load) = va & ~(uint64_t)(PAGE_BYTES - 1);
}

void iss_quick_code(struct hart *h, uint64_t va, struct page *code) {
    touch(h, va);
    h->quick_code[va / PAGE_BYTES % ISS_TLB_ENTRIES] =
        (struct iss_quick_code){va & ~(uint64_t)(PAGE_BYTES - 1), iss_bias(code, va)};
}

void iss_tlb_flush(struct hart *h) {
    flush(h, true);
}

void iss_tlb_drop(struct hart *h, uint64_t va) {
    const size_t index = va / PAGE_BYTES % ISS_TLB_ENTRIES;
    h->tlb[index] = (struct iss_tlb){0, 0};
    quick_drop(h, index);
}

// Without translation, and with nothing that protection forbids: M-mode without a lock, or all memory open by region 0.
static bool is_plain(const struct hart *h, unsigned privilege) {
    if (!iss_is_bare(h, privilege)) return false;
    if (h->pmp_entries == 0) return true;
    if (privilege == ISS_PRIVILEGE_M)
        return !((h->csr[CSR_PMPCFG0] | h->csr[CSR_PMPCFG2]) & UINT64_C(0x8080808080808080));
    return (h->csr[CSR_PMPCFG0] & 0x1f) == 0x1f && h->csr[CSR_PMPADDR0] == (UINT64_C(1) << 54) - 1;
}

void iss_quick_choose(struct hart *h) {
    static const unsigned codes[] = {ISS_QUICK_CODE_U, ISS_QUICK_CODE_S, ISS_QUICK_CODE_S, ISS_QUICK_CODE_M};
    // With MXR and MPRV firmware looks at a few words: not worth tables of their own. M-mode has plain access, or
    // a locked region is in its way.
    unsigned data = h->privilege == ISS_PRIVILEGE_U ? ISS_QUICK_U : ISS_QUICK_S;
    if (data == ISS_QUICK_S && h->csr[CSR_MSTATUS] & MSTATUS_SUM) data = ISS_QUICK_SUM;
    if (h->privilege == ISS_PRIVILEGE_M) data = h->data_limit ? ISS_QUICK_NONE : ISS_QUICK_M;
    if (h->csr[CSR_MSTATUS] & (MSTATUS_MXR | MSTATUS_MPRV)) data = ISS_QUICK_NONE;
    h->quick_code = h->quick_codes[codes[h->privilege & 3]];
    h->quick_data = h->quick[data];
}

void iss_mode_changed(struct hart *h) {
    const uint64_t all = h->machine->dram_bytes;
    h->data_limit = is_plain(h, iss_data_privilege(h)) ? all : 0;
    for (unsigned i = 0; i < sizeof h->data_limits / sizeof *h->data_limits; i++)
        h->data_limits[i] = h->data_limit >> i;
    h->fetch_limit = is_plain(h, h->privilege) ? all : 0;
    iss_quick_choose(h);
}

// ---- protection: the lowest-numbered region that holds the page decides ----
enum { PMP_R = 1, PMP_W = 2, PMP_X = 4, PMP_TOR = 1, PMP_NAPOT = 3, PMP_LOCKED = 0x80 };

static bool pmp_holds(const struct hart *h, unsigned region, uint64_t page) {
    uint64_t address = h->csr[CSR_PMPADDR0 + region] >> 10; // in pages
    switch (iss_pmp_config(h, region) >> 3 & 3) {
    case PMP_TOR: {
        uint64_t low = region ? h->csr[CSR_PMPADDR0 + region - 1] >> 10 : 0;
        return page >= low && page < address;
    }
    case PMP_NAPOT: {
        // Bits 8:0 count as ones (the grain is a page), so the ones to look at begin at bit 9.
        uint64_t ones = h->csr[CSR_PMPADDR0 + region] | 0x1ff;
        uint64_t mask = (ones ^ (ones + 1)) >> 10; // pages of the region, less one
        return (page & ~mask) == (address & ~mask);
    }
    default: return false;
    }
}

bool iss_pmp_allows(const struct hart *h, uint64_t physical, enum iss_mmu_access access, unsigned privilege) {
    static const unsigned needs[] = {[ISS_MMU_FETCH] = PMP_X, [ISS_MMU_LOAD] = PMP_R, [ISS_MMU_STORE] = PMP_W};
    for (unsigned region = 0; region < h->pmp_entries; region++) {
        if (!pmp_holds(h, region, physical >> PAGE_SHIFT)) continue;
        unsigned config = iss_pmp_config(h, region);
        if (privilege == ISS_PRIVILEGE_M && !(config & PMP_LOCKED)) return true;
        return config & needs[access];
    }
    return privilege == ISS_PRIVILEGE_M || h->pmp_entries == 0;
}

// ---- translation ----
static const unsigned page_fault[] = {
    [ISS_MMU_FETCH] = CAUSE_FETCH_PAGE, [ISS_MMU_LOAD] = CAUSE_LOAD_PAGE, [ISS_MMU_STORE] = CAUSE_STORE_PAGE};
static const unsigned access_fault[] = {
    [ISS_MMU_FETCH] = CAUSE_FETCH_FAULT, [ISS_MMU_LOAD] = CAUSE_LOAD_FAULT, [ISS_MMU_STORE] = CAUSE_STORE_FAULT};

// The leaf for a page: 0 and *leaf, or the kind of fault. Its PPN is that of the 4 KiB page. *entry: where it is.
enum fault { FAULT_NONE, FAULT_PAGE, FAULT_ACCESS };
static enum fault walk(struct hart *h, uint64_t va, uint64_t *leaf, uint64_t *entry) {
    if ((uint64_t)((int64_t)(va << 25) >> 25) != va) return FAULT_PAGE;
    uint64_t table = h->csr[CSR_SATP] & SATP_PPN;
    for (int level = LEVELS - 1; level >= 0; level--) {
        unsigned index = va >> (PAGE_SHIFT + INDEX_BITS * level) & ((1 << INDEX_BITS) - 1);
        uint64_t at = table << PAGE_SHIFT | index * sizeof(uint64_t), pte;
        const uint8_t *memory = iss_memory(h->machine, at, sizeof pte, false);
        if (!memory || !iss_pmp_allows(h, at, ISS_MMU_LOAD, ISS_PRIVILEGE_S)) return FAULT_ACCESS;
        memcpy(&pte, memory, sizeof pte);
        if (!(pte & PTE_V) || pte & PTE_RESERVED || (pte & PTE_W && !(pte & PTE_R))) return FAULT_PAGE;
        if (pte & (PTE_R | PTE_X)) {
            uint64_t inside = (UINT64_C(1) << (INDEX_BITS * level)) - 1; // pages of a superpage, less one
            if (PTE_PPN(pte) & inside) return FAULT_PAGE;
            *leaf = pte | (va >> PAGE_SHIFT & inside) << 10;
            *entry = at;
            return FAULT_NONE;
        }
        if (pte & (PTE_A | PTE_D | PTE_U)) return FAULT_PAGE;
        table = PTE_PPN(pte);
    }
    return FAULT_PAGE;
}

bool hart_translates(const struct hart *h) {
    return h->csr[CSR_SATP] >> 60 != 0;
}

unsigned hart_table_entries(const struct hart *h, uint64_t va, uint64_t entries[3]) {
    uint64_t table = h->csr[CSR_SATP] & SATP_PPN, pte = 0;
    unsigned count = 0;
    if (!hart_translates(h)) return 0;
    for (int level = LEVELS - 1; level >= 0; level--) {
        unsigned index = va >> (PAGE_SHIFT + INDEX_BITS * level) & ((1 << INDEX_BITS) - 1);
        uint64_t at = table << PAGE_SHIFT | index * sizeof pte;
        entries[count++] = at;
        if (!iss_read(h->machine, at, &pte, sizeof pte) || !(pte & PTE_V) || pte & (PTE_R | PTE_X)) break;
        table = PTE_PPN(pte);
    }
    return count;
}

// What the leaf says besides A and D.
static bool leaf_permits(const struct hart *h, uint64_t leaf, enum iss_mmu_access access, unsigned privilege) {
    uint64_t mstatus = h->csr[CSR_MSTATUS];
    bool allowed = leaf & PTE_W;
    if (access == ISS_MMU_FETCH) allowed = leaf & PTE_X;
    if (access == ISS_MMU_LOAD) allowed = leaf & PTE_R || (mstatus & MSTATUS_MXR && leaf & PTE_X);
    if (privilege == ISS_PRIVILEGE_U) {
        allowed = allowed && leaf & PTE_U;
    } else if (leaf & PTE_U) {
        allowed = allowed && mstatus & MSTATUS_SUM && access != ISS_MMU_FETCH;
    }
    return allowed;
}

static uint64_t needed_bits(enum iss_mmu_access access) {
    return access == ISS_MMU_STORE ? PTE_A | PTE_D : PTE_A;
}

static uint64_t leaf_address(uint64_t leaf, uint64_t va) {
    return PTE_PPN(leaf) << PAGE_SHIFT | (va & ((1 << PAGE_SHIFT) - 1));
}

// Memory or a device backs the address.
static bool is_backed(struct hart *h, uint64_t physical, enum iss_mmu_access access, bool atomic) {
    if (iss_memory(h->machine, physical, 1, access == ISS_MMU_STORE)) return true;
    if (physical - FAULTY_BASE < FAULTY_BYTES) return true; // the bus says otherwise when it is asked
    return access != ISS_MMU_FETCH && !atomic && iss_is_device(physical);
}

// After a page fault: walks again and sets what the access needs, if the access can be done then.
static enum fault update(struct hart *h, uint64_t va, enum iss_mmu_access access, bool atomic, unsigned privilege,
                         uint64_t *leaf) {
    uint64_t at = 0, needed = needed_bits(access);
    enum fault fault = walk(h, va, leaf, &at);
    if (fault != FAULT_NONE) return fault;
    if (!leaf_permits(h, *leaf, access, privilege)) return FAULT_PAGE;
    uint64_t physical = leaf_address(*leaf, va);
    if (!iss_pmp_allows(h, physical, access, privilege) || !is_backed(h, physical, access, atomic)) return FAULT_ACCESS;
    if ((*leaf & needed) == needed) return FAULT_NONE;
    uint8_t *memory = iss_memory(h->machine, at, sizeof *leaf, true);
    if (!memory || !iss_pmp_allows(h, at, ISS_MMU_STORE, ISS_PRIVILEGE_S)) return FAULT_ACCESS;
    *memory |= (uint8_t)needed;
    *leaf |= needed;
    return FAULT_NONE;
}

bool iss_translate(struct hart *h, uint64_t va, enum iss_mmu_access access, unsigned privilege, uint64_t *pa,
                   unsigned *cause) {
    bool atomic = access == ISS_MMU_LR || access == ISS_MMU_AMO;
    if (atomic) access = access == ISS_MMU_LR ? ISS_MMU_LOAD : ISS_MMU_STORE;
    *pa = va;
    if (!iss_is_bare(h, privilege)) {
        struct iss_tlb *entry = &h->tlb[va >> PAGE_SHIFT & (ISS_TLB_ENTRIES - 1)];
        uint64_t tag = va >> PAGE_SHIFT | UINT64_C(1) << 63;
        uint64_t leaf = entry->leaf, at, needed = needed_bits(access);
        enum fault fault = FAULT_NONE;
        if (entry->tag != tag) {
            fault = walk(h, va, &leaf, &at);
            if (fault == FAULT_NONE) {
                *entry = (struct iss_tlb){tag, leaf};
                touch(h, va);
                quick_drop(h, va >> PAGE_SHIFT & (ISS_TLB_ENTRIES - 1));
            }
        }
        if (fault == FAULT_NONE && (!leaf_permits(h, leaf, access, privilege) || (leaf & needed) != needed))
            fault = FAULT_PAGE;
        if (fault == FAULT_PAGE && h->ad_update) {
            fault = update(h, va, access, atomic, privilege, &leaf);
            if (fault == FAULT_NONE) {
                iss_tlb_flush(h);
                *entry = (struct iss_tlb){tag, leaf};
                touch(h, va);
            }
        }
        if (fault != FAULT_NONE) {
            *cause = fault == FAULT_PAGE ? page_fault[access] : access_fault[access];
            return false;
        }
        *pa = leaf_address(leaf, va);
    }
    *cause = access_fault[access];
    return iss_pmp_allows(h, *pa, access, privilege);
}
