// Demand paging on Sv39: page tables, frames, a clock hand that evicts, and swap pages in memory.
//
// A page comes in at its first touch: copied from the program's image, or zero. When the frames are used up, the clock
// hand takes the first page whose A bit is clear, and clears A on its way. A page that was written (D) goes to a swap
// page that it keeps from then on; a clean one is dropped, as the image, the swap page or zero has it still. Each
// process has an address-space number (ASID) of its own, as long as satp holds one: a switch leaves the TLBs alone, and
// a changed entry costs a fence for its page. Works where the hardware sets A and D itself, and where it raises a page
// fault instead: a fault on a present page sets the bits.
#include "kernel.h"

extern uint8_t __user_image[], __user_text_end[], __user_rodata_end[], __user_file_end[], __user_end[];
extern uint8_t __kernel_text_end[];

#define DRAM_BASE 0x80000000ul
#define DRAM_BYTES 0x10000000ul
#define MEGAPAGE_BYTES 0x200000ul
#define SATP_SV39 (8ul << 60)
#define SATP_ASID (0xfful << 44) // as much of it as is of use here
enum { ENTRIES = 512, ROOT_DRAM = DRAM_BASE >> 30, ROOT_DEVICES = 3 };

// The kernel lies in the first megapage with its code and in those after it with its data (link.ld).
enum {
    KERNEL_CODE = PTE_V | PTE_R | PTE_X | PTE_G | PTE_A,
    KERNEL_DATA = PTE_V | PTE_R | PTE_W | PTE_G | PTE_A | PTE_D
};

struct frame {
    uint64_t *entry;        // the leaf that maps it
    uint64_t swap_page;     // plus one; 0: none
    uint64_t address, asid; // of the page
};
union page {
    uint64_t word[PAGE_BYTES / 8];
    uint8_t byte[PAGE_BYTES];
};

uint64_t counts[COUNTS];
static struct frame frame[FRAMES_MOST];
static uint64_t frames, frames_used, hand, swap_used, tables_used, asids_used;
static uint64_t asids; // the highest of them that satp holds
static union page memory[FRAMES_MOST] __attribute__((aligned(4096)));
static union page swap[SWAP_PAGES] __attribute__((aligned(4096)));
static uint64_t table[TABLES_MOST][ENTRIES] __attribute__((aligned(4096)));
static uint64_t *kernel_table; // of DRAM; all address spaces share it

static inline void fence_everything(void) {
    __asm__ volatile("sfence.vma" : : : "memory");
}
static inline void fence_space(uint64_t asid) {
    __asm__ volatile("sfence.vma x0, %0" : : "r"(asid) : "memory");
}
static inline void fence_page(uint64_t address, uint64_t asid) { // one leaf has changed
    __asm__ volatile("sfence.vma %0, %1" : : "r"(address), "r"(asid) : "memory");
}

static uint64_t entry_to(const void *target, uint64_t bits) {
    return (uint64_t)target >> 12 << PTE_PPN_SHIFT | bits;
}
static void *entry_target(uint64_t entry) {
    return (void *)(entry >> PTE_PPN_SHIFT << 12);
}

static uint64_t *new_table(void) {
    if (tables_used == TABLES_MOST) kernel_die("no page table left", tables_used, 0, 0);
    return table[tables_used++];
}

static uint64_t *new_root(void) {
    uint64_t *root = new_table();
    root[ROOT_DRAM] = entry_to(kernel_table, PTE_V);
    root[ROOT_DEVICES] = KERNEL_DATA; // the first GiB of physical addresses, for the UART
    return root;
}

void paging_start(uint64_t count) {
    if (count > FRAMES_MOST) kernel_die("too many frames", count, FRAMES_MOST, 0);
    frames = count;
    kernel_table = new_table();
    for (uint64_t i = 0; i < DRAM_BYTES / MEGAPAGE_BYTES; i++)
        kernel_table[i] = entry_to((void *)(DRAM_BASE + i * MEGAPAGE_BYTES), i ? KERNEL_DATA : KERNEL_CODE);
    const uint64_t kernel_space = SATP_SV39 | (uint64_t)new_root() >> 12;
    csr_write(satp, kernel_space | SATP_ASID);
    asids = (csr_read(satp) & SATP_ASID) >> 44;
    csr_write(satp, kernel_space);
    fence_everything();
}

// The kernel's root is number 0. With too few numbers all have that one.
void paging_create(struct process *p) {
    p->root = new_root();
    p->asid = asids >= PROCESSES_MOST ? ++asids_used : 0;
}

void paging_switch(const struct process *p) {
    csr_write(satp, SATP_SV39 | p->asid << 44 | (uint64_t)p->root >> 12);
    if (!p->asid) fence_everything();
}

// Leaf of a user address: the tables on the way are made.
static uint64_t *leaf(const struct process *p, uint64_t address) {
    uint64_t *at = p->root;
    for (int shift = 30; shift > 12; shift -= 9) {
        uint64_t *entry = &at[address >> shift & (ENTRIES - 1)];
        if (!*entry) {
            *entry = entry_to(new_table(), PTE_V);
            fence_space(p->asid);
        }
        at = entry_target(*entry);
    }
    return &at[address >> 12 & (ENTRIES - 1)];
}

// What a program may do at an address; 0: nothing.
static uint64_t rights(uint64_t address) {
    if (address >= USER_STACK_TOP - USER_STACK_BYTES && address < USER_STACK_TOP) return PTE_R | PTE_W;
    if (address < USER_BASE || address >= (uint64_t)__user_end) return 0;
    if (address < (uint64_t)__user_text_end) return PTE_R | PTE_X;
    return address < (uint64_t)__user_rodata_end ? PTE_R : PTE_R | PTE_W;
}

static void copy_page(union page *restrict to, const union page *restrict from) {
    for (unsigned i = 0; i < PAGE_BYTES / 8; i += 8) {
        const uint64_t *f = from->word + i;
        uint64_t a = f[0], b = f[1], c = f[2], d = f[3], e = f[4], g = f[5], h = f[6], k = f[7];
        uint64_t *t = to->word + i;
        t[0] = a, t[1] = b, t[2] = c, t[3] = d, t[4] = e, t[5] = g, t[6] = h, t[7] = k;
    }
}

static void zero_page(union page *page) {
    for (unsigned i = 0; i < PAGE_BYTES / 8; i += 8) {
        uint64_t *t = page->word + i;
        t[0] = t[1] = t[2] = t[3] = t[4] = t[5] = t[6] = t[7] = 0;
    }
}

static void evict(struct frame *f, const union page *content) {
    counts[COUNT_EVICTED]++;
    if (*f->entry & PTE_D) {
        if (!f->swap_page) {
            if (swap_used == SWAP_PAGES) kernel_die("no swap page left", swap_used, 0, 0);
            f->swap_page = ++swap_used;
        }
        copy_page(&swap[f->swap_page - 1], content);
        counts[COUNT_SWAPPED_OUT]++;
    }
    *f->entry = f->swap_page << PTE_PPN_SHIFT;
    fence_page(f->address, f->asid);
}

static uint64_t free_frame(void) {
    if (frames_used < frames) return frames_used++;
    while (*frame[hand].entry & PTE_A) {
        *frame[hand].entry &= ~(uint64_t)PTE_A;
        fence_page(frame[hand].address, frame[hand].asid);
        hand = (hand + 1) % frames;
    }
    uint64_t n = hand;
    hand = (hand + 1) % frames;
    evict(&frame[n], &memory[n]);
    return n;
}

// Fills a frame with the page of `address` and maps it.
static void bring_in(const struct process *p, uint64_t *entry, uint64_t address, uint64_t allowed) {
    const bool untouched = frames_used < frames; // memory is zero when the kernel starts
    const uint64_t n = free_frame(), swap_page = *entry >> PTE_PPN_SHIFT, page = address & -PAGE_BYTES;
    if (swap_page) {
        copy_page(&memory[n], &swap[swap_page - 1]);
        counts[COUNT_SWAPPED_IN]++;
    } else if (page < (uint64_t)__user_file_end) {
        copy_page(&memory[n], (const union page *)(__user_image + (page - USER_BASE)));
    } else if (!untouched) {
        zero_page(&memory[n]);
    }
    if (allowed & PTE_X) __asm__ volatile("fence.i" : : : "memory");
    frame[n] = (struct frame){entry, swap_page, page, p->asid};
    *entry = entry_to(&memory[n], allowed | PTE_U | PTE_V);
    counts[COUNT_MAPPED]++;
}

bool paging_admit(struct process *p, uint64_t address, enum access access) {
    static const uint64_t needed[] = {[ACCESS_FETCH] = PTE_X, [ACCESS_LOAD] = PTE_R, [ACCESS_STORE] = PTE_W};
    const uint64_t allowed = rights(address);
    if (!(allowed & needed[access])) return false;
    uint64_t *entry = leaf(p, address);
    if (!(*entry & PTE_V)) bring_in(p, entry, address, allowed);
    *entry |= access == ACCESS_STORE ? PTE_A | PTE_D : PTE_A;
    fence_page(address, p->asid);
    return true;
}
