// An interpreter whose operations all leave through one indirect jump. FIXED: each has a jump of its own, predicted by
// its own past.
#include "advice.h"

enum { CODE = 4, STEPS = 8000 };
enum { ADD, MULTIPLY, XOR, SHIFT };
static const uint8_t code[CODE] = {ADD, MULTIPLY, XOR, SHIFT};

// GCC would make one jump of all four again.
static __attribute__((noinline, optimize("no-gcse", "no-crossjumping"))) uint64_t interpret(void) {
    static const void *const labels[] = {&&add, &&multiply, &&xor, &&shift};
    uint64_t a = 1;
    unsigned pc = 0;
#ifdef FIXED
#define NEXT                                                                                                           \
    if (++steps > STEPS) return a;                                                                                     \
    pc = pc + 1 == CODE ? 0 : pc + 1;                                                                                  \
    __asm__ volatile("" : "+r"(pc));                                                                                   \
    goto *labels[code[pc]];
#else
#define NEXT goto next;
#endif
    int steps = 0;
    goto *labels[code[pc]];
add:
    a += 0x1234567;
    NEXT multiply : a *= 25214903917u;
    NEXT xor : a ^= a >> 17;
    NEXT shift : a = a << 5 | a >> 59;
    NEXT
#ifndef FIXED
        next : if (++steps > STEPS) return a;
    pc = pc + 1 == CODE ? 0 : pc + 1;
    goto *labels[code[pc]]; // cause
#endif
}

int main(void) {
    return result(interpret());
}
