// Inside of the supervisor: processes, paging, and the privileged registers.
#ifndef WORKLOAD_KERNEL_H
#define WORKLOAD_KERNEL_H

#include "supervisor.h"

// Bits of a page-table entry. An entry without PTE_V is 0 (never touched, or dropped while it was clean) or holds the
// number of a swap page plus one from PTE_PPN_SHIFT up.
enum {
    PTE_V = 1 << 0,
    PTE_R = 1 << 1,
    PTE_W = 1 << 2,
    PTE_X = 1 << 3,
    PTE_U = 1 << 4,
    PTE_G = 1 << 5,
    PTE_A = 1 << 6,
    PTE_D = 1 << 7,
    PTE_PPN_SHIFT = 10,
};
enum access { ACCESS_FETCH, ACCESS_LOAD, ACCESS_STORE };

struct process {
    struct trap_frame frame; // first: boot.S knows a process by its frame
    uint64_t fp[33];         // f0..f31 and fcsr while another process runs
    uint64_t *root, asid;
    bool alive;
};

// ---- paging.c ----
extern uint64_t counts[COUNTS];
void paging_start(uint64_t frames);    // turns translation on, with the kernel's pages only
void paging_create(struct process *p); // an address space in which no user page is present yet
void paging_switch(const struct process *p);
// Makes the page of `address` present and fit for the access; false if the program may not do it.
bool paging_admit(struct process *p, uint64_t address, enum access access);

// ---- kernel.c, called from boot.S ----
struct trap_frame *kernel_main(void);
struct trap_frame *kernel_trap(struct trap_frame *frame, uint64_t cause, uint64_t value);
_Noreturn void kernel_fault(uint64_t cause, uint64_t value, uint64_t pc);
_Noreturn void kernel_die(const char *what, uint64_t a, uint64_t b, uint64_t pc);

// ---- boot.S ----
void fp_save(uint64_t fp[33]);
void fp_restore(const uint64_t fp[33]);

#define csr_read(csr)                                                                                                  \
    ({                                                                                                                 \
        uint64_t csr_value;                                                                                            \
        __asm__ volatile("csrr %0, " #csr : "=r"(csr_value) : : "memory");                                             \
        csr_value;                                                                                                     \
    })
#define csr_write(csr, value) __asm__ volatile("csrw " #csr ", %0" : : "rK"((uint64_t)(value)) : "memory")
#define csr_set(csr, bits) __asm__ volatile("csrs " #csr ", %0" : : "rK"((uint64_t)(bits)) : "memory")
#define csr_clear(csr, bits) __asm__ volatile("csrc " #csr ", %0" : : "rK"((uint64_t)(bits)) : "memory")

#define SSTATUS_SPP (1ul << 8)
#define SSTATUS_FS (3ul << 13)
#define SSTATUS_FS_CLEAN (2ul << 13)
#define SSTATUS_SUM (1ul << 18)

#endif
