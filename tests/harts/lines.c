// Harts that take lines from each other, each at an instruction with a name: a load, an AMO, a fence after a store,
// stores that fill the store queue. The last to be done ends the run.
#include "harts.h"

#ifndef ROUNDS
#define ROUNDS 40
#endif
enum { WORDS = 8, FILLED = 4 }; // of a line; lines
void (*volatile trap_function)(uint64_t cause);
#define LINE __attribute__((aligned(64)))
LINE volatile uint64_t loaded[WORDS], added[WORDS], fenced[WORDS], filled[FILLED * WORDS];
LINE volatile uint64_t done;

#define NAMED(name, text) ".globl " #name "\n.type " #name ", @function\n" #name ": " text "\n"

__attribute__((noinline)) static void load(uint64_t hart) {
    uint64_t value;
    asm volatile(NAMED(load_it, "ld %0, 0(%1)") "add %0, %0, %0" : "=r"(value) : "r"(loaded) : "memory");
    loaded[1 + hart] = 1; // a word of the line that the other one does not read
}
__attribute__((noinline)) static void add(void) {
    uint64_t value;
    asm volatile("fence\n" NAMED(add_it, "amoadd.d %0, zero, (%1)") "add %0, %0, %0"
                 : "=r"(value)
                 : "r"(added)
                 : "memory");
}
__attribute__((noinline)) static void fence(uint64_t hart) {
    asm volatile("fence\nsd zero, 0(%0)\n" NAMED(fence_it, "fence") : : "r"(&fenced[hart]) : "memory");
}
__attribute__((noinline)) static void fill(uint64_t hart) {
    asm volatile(NAMED(fill_it, "nop") : : : "memory");
    for (unsigned i = 0; i < 24; i++)
        filled[i % FILLED * WORDS + hart] = i;
    asm volatile("fence" : : : "memory");
}

void hart_main(uint64_t hart, const void *tree) {
    (void)tree;
    for (unsigned round = 0; round < ROUNDS; round++) {
        load(hart);
        add();
        fence(hart);
        fill(hart);
    }
    if (__atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST) == HARTS) FINISHER = 0x5555;
}
