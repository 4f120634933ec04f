// Page tables and code that hart 0 changes, as the others meet them: a new entry without a fence, which either faults
// once or is found; an entry that is gone, and code that raises exceptions, both with the fence that they need.
#include "harts.h"

enum { ROUNDS = 24, PAGE_WORDS = 512 };
enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_A = 0x40, PTE_D = 0x80, FAULT_LOAD = 13, ECALL_M = 11 };
#define MPRV_S (UINT64_C(1) << 17 | UINT64_C(1) << 11)

void (*volatile trap_function)(uint64_t cause);
static volatile uint64_t arrived, generation, round_open;
static volatile uint64_t faults[MOST_HARTS], calls[MOST_HARTS], sums[MOST_HARTS];
static volatile uint64_t root[PAGE_WORDS] __attribute__((aligned(4096)));
static volatile uint64_t middle[PAGE_WORDS] __attribute__((aligned(4096)));
static volatile uint64_t leaves[PAGE_WORDS] __attribute__((aligned(4096)));
static volatile uint64_t pages[ROUNDS][PAGE_WORDS] __attribute__((aligned(4096)));
static volatile uint32_t code[ROUNDS + 1] __attribute__((aligned(64)));

static void meet(void) {
    const uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == HARTS) {
        arrived = 0;
        __atomic_store_n(&generation, now + 1, __ATOMIC_RELEASE);
    } else {
        wait_until(&generation, now + 1);
    }
}

static void on_trap(uint64_t cause) {
    const uint64_t hart = CSR_READ(mhartid);
    if (cause == FAULT_LOAD) faults[hart] = faults[hart] + 1;
    if (cause == ECALL_M) calls[hart] = calls[hart] + 1;
    CSR_CLEAR(mstatus, UINT64_C(1) << 17);
    CSR_WRITE(mepc, CSR_READ(mepc) + 4);
}

// In S-mode's space; 0 where it faults.
static uint64_t load(uint64_t address) {
    uint64_t value = 0;
    asm volatile("csrs mstatus, %1\n ld %0, 0(%2)\n csrc mstatus, %1"
                 : "+&r"(value)
                 : "r"(MPRV_S), "r"(address)
                 : "memory");
    return value;
}

static uint64_t leaf(unsigned i) {
    return (uint64_t)pages[i] >> 12 << 10 | PTE_V | PTE_R | PTE_W | PTE_A | PTE_D;
}

// A new entry: found at once, or after a fence.
static void mapped(unsigned hart) {
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t value;
        if (hart == 0) {
            leaves[i] = leaf(i);
            __atomic_store_n(&round_open, i + 1, __ATOMIC_RELEASE);
        } else {
            wait_until(&round_open, i + 1);
        }
        asm volatile("fence" ::: "memory");
        while (!(value = load(4096 * (uint64_t)i)))
            asm volatile("sfence.vma" ::: "memory");
        sums[hart] = sums[hart] + value;
        meet();
    }
}

// One that is gone faults, each time.
static void unmapped(unsigned hart) {
    const uint64_t before = faults[hart];
    for (unsigned i = 0; i < ROUNDS; i++) {
        if (hart == 0) leaves[i] = 0;
        meet();
        asm volatile("sfence.vma" ::: "memory");
        sums[hart] = sums[hart] + load(4096 * (uint64_t)i);
    }
    faults[hart] = faults[hart] - before;
}

// Another page at an address: for all but the hart that stores it, the old one or the new until a fence of that
// address; fences of others do not count.
static void remapped(unsigned hart) {
    for (unsigned i = 1; i < ROUNDS; i++) {
        if (hart == 0) leaves[0] = leaf(i - 1);
        meet();
        asm volatile("sfence.vma %0" ::"r"(0) : "memory");
        const uint64_t old = load(0);
        meet();
        if (hart == 0) leaves[0] = leaf(i);
        meet();
        asm volatile("sfence.vma %0" ::"r"(hart == 0 ? 0 : 4096 * (uint64_t)i) : "memory");
        const uint64_t either = load(0);
        if (old == i && (either == i || either == i + 1)) sums[hart] = sums[hart] + 1;
        asm volatile("sfence.vma %0, %1" ::"r"(0), "r"(0) : "memory");
        if (load(0) == i + 1) sums[hart] = sums[hart] + 1;
        meet();
    }
}

// Code that has one more ecall each time.
static void exceptions(unsigned hart) {
    enum { NOP = 0x13, ECALL = 0x73, RET = 0x8067 };
    for (unsigned i = 0; hart == 0 && i <= ROUNDS; i++)
        code[i] = i < ROUNDS ? NOP : RET;
    for (unsigned i = 0; i < ROUNDS; i++) {
        meet();
        if (hart == 0) code[i] = ECALL;
        meet();
        asm volatile("fence.i" ::: "memory");
        ((void (*)(void))code)();
    }
}

void hart_main(unsigned hart) {
    if (hart == 0) {
        trap_function = on_trap;
        root[0] = (uint64_t)middle >> 12 << 10 | PTE_V;
        middle[0] = (uint64_t)leaves >> 12 << 10 | PTE_V;
        for (unsigned i = 0; i < ROUNDS; i++)
            pages[i][0] = i + 1;
    }
    CSR_WRITE(pmpaddr0, UINT64_MAX);
    CSR_WRITE(pmpcfg0, 0x1f);
    CSR_CLEAR(mstatus, UINT64_C(3) << 11);
    meet();
    CSR_WRITE(satp, UINT64_C(8) << 60 | (uint64_t)root >> 12);
    asm volatile("sfence.vma" ::: "memory");
    mapped(hart);
    unmapped(hart);
    remapped(hart);
    CSR_WRITE(satp, 0);
    exceptions(hart);
    meet();
    if (hart != 0) return;
    uint64_t totals[3] = {0};
    for (unsigned i = 0; i < HARTS; i++) {
        totals[0] += sums[i];
        totals[1] += faults[i];
        totals[2] += calls[i];
    }
    say_number("mapped ", totals[0]);
    say_number(" unmapped ", totals[1]);
    say_number(" calls ", totals[2]);
    say("\n");
    FINISHER = 0x5555;
}
