// Reads one word of each of many pages, round after round: more pages than the TLBs have entries. FIXED: pages of 2 MiB
// in place of 4 KiB. Data accesses are translated (mstatus.MPRV), as they would be under an operating system.
#include "advice.h"

enum { PAGE = 4096, PAGES = 1200, ROUNDS = 4, SPREAD = 64 };
enum { FIRST = 4, TABLES = 16 };      // in pages of 2 MiB from 0x80000000 on
enum { LEAF = 0xcf, POINTER = 0x01 }; // D A - - - W R V; V
static uint8_t memory[PAGES][PAGE] __attribute__((aligned(1 << 21)));
static uint64_t root[512] __attribute__((aligned(PAGE))), middle[512] __attribute__((aligned(PAGE)));
#ifndef FIXED
static uint64_t last[TABLES][512] __attribute__((aligned(PAGE)));
#endif

// 32 MiB from the program on, each address as it is.
static void map(void) {
    const uint64_t base = 0x80000000;
    root[base >> 30] = (uint64_t)middle >> 2 | POINTER;
    for (uint64_t m = FIRST; m < FIRST + TABLES; m++) {
#ifdef FIXED
        middle[m] = (base + (m << 21)) >> 2 | LEAF;
#else
        middle[m] = (uint64_t)last[m - FIRST] >> 2 | POINTER;
        for (uint64_t p = 0; p < 512; p++)
            last[m - FIRST][p] = (base + (m << 21) + (p << 12)) >> 2 | LEAF;
#endif
    }
}

static __attribute__((noinline)) uint64_t add_up(void) {
    uint64_t sum = 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int p = 0; p < PAGES; p++)
            sum += *(volatile uint64_t *)&memory[p][p % SPREAD * 64]; // cause
    return sum;
}

int main(void) {
    for (int p = 0; p < PAGES; p += 16)
        memory[p][p % SPREAD * 64] = (uint8_t)p;
    map();
    __asm__ volatile("csrw pmpaddr0, %0; csrw pmpcfg0, %1; csrw satp, %2; sfence.vma" ::"r"(-1L), "r"(0x0fL),
                     "r"(8UL << 60 | (uint64_t)root >> 12)
                     : "memory");
    __asm__ volatile("csrc mstatus, %0; csrs mstatus, %1" ::"r"(0x1800L), "r"(0x20800L) : "memory"); // MPP = S, MPRV
    const uint64_t sum = add_up();
    __asm__ volatile("csrc mstatus, %0" ::"r"(0x20000L) : "memory");
    return result(sum);
}
