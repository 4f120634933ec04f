// Address translation and protection as the privileged manual has them, for the bench of the load/store unit.
//
// A list of leaf pages stands for the page tables, and an array of regions for the PMP registers.
//
// The list only grows until vm_new_space() empties it, so that wrong paths find their pages, too.
#ifndef TIPOFF_VM_MODEL_H
#define TIPOFF_VM_MODEL_H

#include "bench.h"

enum { PRIV_U = 0, PRIV_S = 1, PRIV_M = 3 };
enum { PERM_R = 1, PERM_W = 2, PERM_X = 4, PERM_U = 8, PERM_A = 16, PERM_D = 32 };
enum { VM_PAGES = 64, VM_REGIONS = 16, VM_CROWDED = 1 << 16 };

struct vm_page {
    uint64_t vpn, ppn; // of its first 4 KiB page
    unsigned level, perms;
    bool page_fault, access_fault; // how a walk ends
    bool answered;                 // a walk of it has ended since the last flush
    uint64_t answered_at;
};

struct vm_region {
    bool on, locked;
    unsigned rwx;
    uint64_t base, limit; // pages
};

static struct {
    bool sv39, sum, mxr;
    unsigned priv;
    struct vm_page pages[VM_PAGES];
    unsigned page_count;
    uint64_t former[VM_PAGES]; // pages of the space before
    unsigned former_count;
    struct vm_region regions[VM_REGIONS];
    unsigned region_count;
    unsigned fills; // of the TLB since the last flush, or VM_CROWDED: others' pages are in it
} vm;

static inline bool vm_translates(void) {
    return vm.sv39 && vm.priv != PRIV_M;
}

// The 27 bits that translation uses, of an address that it can translate.
static inline uint64_t vm_vpn(uint64_t va) {
    return va >> 12 & 0x7ffffff;
}

static inline bool vm_canonical(uint64_t va) {
    return (uint64_t)((int64_t)(va << 25) >> 25) == va;
}

static inline uint64_t vm_address(uint64_t vpn, uint64_t offset) {
    return (uint64_t)((int64_t)(vpn << 37) >> 25) | offset;
}

static inline struct vm_page *vm_find(uint64_t vpn) {
    for (unsigned i = 0; i < vm.page_count; i++)
        if (vpn >> 9 * vm.pages[i].level == vm.pages[i].vpn >> 9 * vm.pages[i].level) return &vm.pages[i];
    return NULL;
}

// The page as Sv39's leaf entry sees the access; 0: allowed, 1: page fault.
static inline bool vm_leaf_faults(const struct vm_page *page, bool reads) {
    bool user = page->perms & PERM_U;
    if (!(page->perms & PERM_A)) return true;
    if (vm.priv == PRIV_U ? !user : user && !vm.sum) return true;
    if (reads) return !(page->perms & PERM_R) && !(vm.mxr && (page->perms & PERM_X));
    return !(page->perms & PERM_W) || !(page->perms & PERM_D);
}

static inline bool vm_protected(uint64_t pa, bool reads) {
    if (vm.region_count == 0) return false;
    for (unsigned i = 0; i < vm.region_count; i++) {
        const struct vm_region *r = &vm.regions[i];
        if (!r->on || pa >> 12 < r->base || pa >> 12 >= r->limit) continue;
        if (vm.priv == PRIV_M && !r->locked) return false;
        return !(r->rwx & (reads ? 1 : 2));
    }
    return vm.priv != PRIV_M;
}

// Whether a region of protection begins or ends within a large page: then the TLB has it in parts of 4 KiB, each by a
// walk of its own.
static inline bool vm_cut(const struct vm_page *page) {
    uint64_t size = 1ull << 9 * page->level;
    for (unsigned i = 0; i < vm.region_count; i++) {
        const struct vm_region *r = &vm.regions[i];
        if (r->on && ((r->base - page->ppn - 1 < size - 1) || (r->limit - page->ppn - 1 < size - 1))) return true;
    }
    return false;
}

// A page that maps physical address pa, and the address there; good: with permissions that most accesses like. False
// when the list is full.
static bool vm_add(uint64_t pa, bool good, uint64_t *va) {
    if (vm.page_count == VM_PAGES) return false;
    struct vm_page page = {};
    page.level = bench_below(4) ? 0 : 1 + bench_below(2);
    uint64_t mask = (1ull << 9 * page.level) - 1;
    page.vpn = bench_random() & 0x7ffffff;
    if (bench_below(2)) page.vpn = (page.vpn & ~0x3ffull) | bench_below(8) << 7; // some share their upper levels
    if (vm.former_count && bench_below(3) == 0) page.vpn = vm.former[bench_below(vm.former_count)];
    page.vpn &= ~mask;
    page.ppn = pa >> 12 & ~mask;
    page.perms = PERM_R | PERM_W | PERM_A | PERM_D | (bench_below(2) ? PERM_X : 0);
    if (vm.priv == PRIV_U || (vm.sum && bench_below(2))) page.perms |= PERM_U;
    if (!good) {
        page.perms = (unsigned)bench_random() & 63;
        if (page.perms & PERM_W) page.perms |= PERM_R;
        if (!(page.perms & (PERM_R | PERM_X))) page.perms |= PERM_X;
        page.page_fault = bench_below(4) == 0;
        page.access_fault = !page.page_fault && bench_below(4) == 0;
        if (bench_below(4) == 0) page.ppn = bench_random() & 0xfffffffffff & ~mask;
        if (page.page_fault || page.access_fault) page.level = 0;
    }
    for (unsigned i = 0; i < vm.page_count; i++) { // one page for one address
        unsigned shift = 9 * (page.level > vm.pages[i].level ? page.level : vm.pages[i].level);
        if (vm.pages[i].vpn >> shift == page.vpn >> shift) return false;
    }
    *va = vm_address(page.vpn + (pa >> 12 & (page.level == 0 ? 0 : mask)), pa & 0xfff);
    vm.pages[vm.page_count++] = page;
    return true;
}

// A virtual address of pa, by a page that is good for the access or, if `any`, by whatever page. 0: none available.
static uint64_t vm_alias(uint64_t pa, bool reads, bool any) {
    uint64_t va = 0;
    if (bench_below(8) == 0 && vm_add(pa, bench_below(4) != 0, &va) && any) return va;
    for (unsigned n = 0, i = bench_below(VM_PAGES); n < VM_PAGES; n++, i = (i + 1) % VM_PAGES) {
        if (i >= vm.page_count) continue;
        const struct vm_page *page = &vm.pages[i];
        uint64_t offset = (pa >> 12) - page->ppn;
        if (offset >> 9 * page->level) continue;
        if (!any && (page->page_fault || page->access_fault || vm_leaf_faults(page, reads))) continue;
        return vm_address(page->vpn + offset, pa & 0xfff);
    }
    for (unsigned n = 0; n < 4; n++)
        if (vm_add(pa, true, &va)) return va;
    return 0;
}

// Physical address of va, where its page has one.
static uint64_t vm_physical(uint64_t va) {
    if (!vm_translates()) return va;
    const struct vm_page *page = vm_canonical(va) ? vm_find(vm_vpn(va)) : NULL;
    return page ? (page->ppn + (vm_vpn(va) - page->vpn)) << 12 | (va & 0xfff) : 0;
}

// 0: none, else the cause that translation and protection raise; *pa: where the access goes to.
static unsigned vm_exception(uint64_t va, bool reads, uint64_t *pa) {
    *pa = vm_physical(va);
    if (vm_translates()) {
        const struct vm_page *page = vm_canonical(va) ? vm_find(vm_vpn(va)) : NULL;
        if (!page || page->page_fault) return reads ? 13 : 15;
        if (page->access_fault) return reads ? 5 : 7;
        if (vm_leaf_faults(page, reads)) return reads ? 13 : 15;
    }
    return vm_protected(*pa, reads) ? (reads ? 5 : 7) : 0;
}

static void vm_forget(void) { // a flush of the TLB
    for (unsigned i = 0; i < vm.page_count; i++)
        vm.pages[i].answered = false;
    vm.fills = 0;
}

static void vm_new_space(void) {
    for (unsigned i = 0; i < vm.page_count; i++)
        vm.former[i] = vm.pages[i].vpn;
    vm.former_count = vm.page_count;
    vm.page_count = 0;
    vm.fills = 0;
}

#endif
