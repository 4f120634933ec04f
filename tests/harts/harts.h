// What programs of several harts need: registers of the machine (QEMU's virt has them at the same places), and the few
// things that harts wait for each other with.
#ifndef TIPOFF_TESTS_HARTS_H
#define TIPOFF_TESTS_HARTS_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_HARTS = 16 };
#define MSIP(hart) (*(volatile uint32_t *)(0x2000000 + 4 * (uint64_t)(hart)))
#define MTIMECMP(hart) (*(volatile uint64_t *)(0x2004000 + 8 * (uint64_t)(hart)))
#define MTIME (*(volatile uint64_t *)0x200bff8)
#define UART(offset) (*(volatile uint8_t *)(0x10000000 + (offset)))
#define PLIC(offset) (*(volatile uint32_t *)(uint64_t)(0xc000000 + (offset)))
#define FINISHER (*(volatile uint32_t *)0x100000)

#define CSR_READ(name)                                                                                                 \
    ({                                                                                                                 \
        uint64_t value_;                                                                                               \
        asm volatile("csrr %0, " #name : "=r"(value_)::"memory");                                                      \
        value_;                                                                                                        \
    })
#define CSR_WRITE(name, value) asm volatile("csrw " #name ", %0" ::"r"((uint64_t)(value)) : "memory")
#define CSR_SET(name, value) asm volatile("csrs " #name ", %0" ::"r"((uint64_t)(value)) : "memory")
#define CSR_CLEAR(name, value) asm volatile("csrc " #name ", %0" ::"r"((uint64_t)(value)) : "memory")
enum { MIE = 1 << 3, MSIE = 1 << 3, MTIE = 1 << 7, MEIE = 1 << 11 }; // of mstatus; of mie
enum { CAUSE_MSI = 3, CAUSE_MTI = 7, CAUSE_MEI = 11 };

extern void (*volatile trap_function)(uint64_t cause);

static inline void wait_until(volatile uint64_t *word, uint64_t value) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
        ;
}

static inline void say(const char *text) {
    for (; *text; text++)
        UART(0) = (uint8_t)*text;
}
static inline void say_number(const char *before, uint64_t value) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    say(before);
    say(at);
}

#endif
