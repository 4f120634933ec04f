// What a workload may use: console, memory and string functions, random numbers, traps, and its own verdict.
#ifndef WORKLOAD_RUNTIME_H
#define WORKLOAD_RUNTIME_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The value for the size that this program is compiled for: about 0.1, 1 and 10 million instructions.
#if SIZE == 0
#define SIZED(small, medium, large) (small)
#elif SIZE == 1
#define SIZED(small, medium, large) (medium)
#else
#define SIZED(small, medium, large) (large)
#endif

// Prints "name.size: result=0x... PASS" (or FAIL) and returns main's result: 0, or 1 where the check failed.
int workload_result(uint64_t result, bool ok);

void console_putc(char c);
// %d %u %x %c %s %% with l and a zero-padded or blank-padded width.
void console_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void runtime_exit(int status);

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
char *strcpy(char *restrict to, const char *restrict from);

// xorshift64 (Marsaglia 2003, shifts 13, 7, 17): state must not be 0.
static inline uint64_t random_next(uint64_t *state) {
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *state = x;
}

// ---- traps ----
struct trap_frame {
    uint64_t x[32]; // x[0] is not used
    uint64_t pc;    // resumes here
};
enum { SYS_EXIT, SYS_WRITE, SYS_WORKLOAD }; // a7; from SYS_WORKLOAD on: the workload's own

// A workload may define these. The default of either ends the run with status 125.
uint64_t workload_syscall(uint64_t number, struct trap_frame *frame); // result goes to a0
bool workload_trap(struct trap_frame *frame, uint64_t cause, uint64_t value);

_Noreturn void user_enter(int (*entry)(void)); // runs entry in user mode; its result is the exit status

static inline uint64_t syscall3(uint64_t number, uint64_t a, uint64_t b, uint64_t c) {
    register uint64_t a0 __asm__("a0") = a;
    register uint64_t a1 __asm__("a1") = b;
    register uint64_t a2 __asm__("a2") = c;
    register uint64_t a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

#endif
