// A program of all kinds of calls, each on many ways: recursion, tail calls, calls by pointer, frames of variable size,
// longjmp over several of them, traps and interrupts in the middle, two stacks that change by a function. What the
// compiler says of its frames (.debug_frame) is what test_calls.py finds the callers by.
#include <setjmp.h>
#include <stdint.h>

#define NOINLINE __attribute__((noinline))

volatile uint64_t sum;

NOINLINE void leaf(uint64_t x) {
    sum = sum * 31 + x;
}

// ---- recursion, with itself and by turns ----
NOINLINE uint64_t fib(unsigned n) {
    if (n < 2) {
        leaf(n);
        return n;
    }
    return fib(n - 1) + fib(n - 2);
}

NOINLINE int is_odd(unsigned n);
NOINLINE int is_even(unsigned n) {
    leaf(n);
    int even = n == 0 ? 1 : is_odd(n - 1);
    sum += (unsigned)even;
    return even;
}
NOINLINE int is_odd(unsigned n) {
    int odd = n == 0 ? 0 : is_even(n - 1);
    sum += (unsigned)odd;
    return odd;
}

// ---- tail calls ----
NOINLINE void tail_three(uint64_t x) {
    leaf(x);
    leaf(x + 1);
}
NOINLINE void tail_two(uint64_t x) {
    leaf(x + 2);
    tail_three(x ^ 5);
}
NOINLINE void tail_one(uint64_t x) {
    tail_two(x * 3);
}

// ---- calls by pointer ----
typedef void visit(uint64_t x);
static visit *volatile visitors[] = {leaf, tail_one, tail_two};

NOINLINE void each(const uint64_t *list, unsigned count, visit *f) {
    for (unsigned i = 0; i < count; i++)
        f(list[i]);
    sum++;
}

// ---- frames of variable size, whose CFA is in s0 ----
NOINLINE void variable(unsigned n) {
    uint64_t list[n];
    for (unsigned i = 0; i < n; i++)
        list[i] = sum + i;
    each(list, n, visitors[n % 3]);
    leaf(list[n - 1]);
}

// ---- longjmp ----
static jmp_buf back;

NOINLINE void dig(unsigned depth) {
    leaf(depth);
    if (depth == 0) longjmp(back, 1);
    dig(depth - 1);
    sum++;
}

NOINLINE void jumps(unsigned depth) {
    volatile unsigned times = 0;
    if (setjmp(back)) leaf(times);
    if (times++ < 3) dig(depth + times);
    leaf(depth);
}

// ---- traps: an environment call, and an interrupt that software makes pending ----
enum { SSIP = 2 };

NOINLINE void serve(uint64_t cause) {
    if (cause >> 63) {
        __asm__ volatile("csrc mip, %0" ::"r"(SSIP));
        leaf(cause);
    } else {
        uint64_t epc;
        __asm__ volatile("csrr %0, mepc" : "=r"(epc));
        __asm__ volatile("csrw mepc, %0" ::"r"(epc + 4));
        tail_one(cause);
    }
}

__attribute__((interrupt, aligned(4))) void on_trap(void) {
    uint64_t cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    serve(cause);
}

NOINLINE uint64_t trapping(unsigned n) {
    uint64_t result = n;
    __asm__ volatile(".option push\n.option norvc\necall\n.option pop");
    leaf(n);
    __asm__ volatile("csrs mip, %0\nnop\nnop" ::"r"(SSIP));
    if (n) result += trapping(n - 1);
    return result;
}

// ---- two stacks ----
struct context {
    uint64_t sp;
};
// Registers that a call keeps, on the stack that is left; from the one that goes on.
void change(struct context *from, const struct context *to);
__asm__(
    ".text\n.globl change\n.type change, @function\n"
    "change:\n .cfi_startproc\n"
    " addi sp, sp, -112\n .cfi_def_cfa_offset 112\n"
    " sd ra, 104(sp)\n .cfi_offset ra, -8\n"
    " sd s0, 96(sp)\n sd s1, 88(sp)\n sd s2, 80(sp)\n sd s3, 72(sp)\n sd s4, 64(sp)\n sd s5, 56(sp)\n"
    " .cfi_offset s0, -16\n .cfi_offset s1, -24\n .cfi_offset s2, -32\n .cfi_offset s3, -40\n"
    " .cfi_offset s4, -48\n .cfi_offset s5, -56\n"
    " sd s6, 48(sp)\n sd s7, 40(sp)\n sd s8, 32(sp)\n sd s9, 24(sp)\n sd s10, 16(sp)\n sd s11, 8(sp)\n"
    " sd sp, 0(a0)\n ld sp, 0(a1)\n"
    " ld ra, 104(sp)\n ld s0, 96(sp)\n ld s1, 88(sp)\n ld s2, 80(sp)\n ld s3, 72(sp)\n ld s4, 64(sp)\n ld s5, 56(sp)\n"
    " ld s6, 48(sp)\n ld s7, 40(sp)\n ld s8, 32(sp)\n ld s9, 24(sp)\n ld s10, 16(sp)\n ld s11, 8(sp)\n"
    " addi sp, sp, 112\n .cfi_def_cfa_offset 0\n ret\n .cfi_endproc\n.size change, . - change\n");

static struct context main_context, other_context;
static uint64_t other_stack[1024] __attribute__((aligned(16)));

NOINLINE void yield_from(unsigned depth) {
    if (depth) {
        yield_from(depth - 1);
    } else {
        change(&other_context, &main_context);
    }
    leaf(depth);
}

void other(void) {
    for (unsigned i = 0;; i++) {
        yield_from(i % 4);
        variable(i % 3 + 1);
    }
}

NOINLINE void resume(unsigned depth) {
    if (depth) resume(depth - 1);
    change(&main_context, &other_context);
    leaf(depth);
}

int main(void) {
    __asm__ volatile("csrw mtvec, %0" ::"r"(on_trap));
    __asm__ volatile("csrw mie, %0\ncsrsi mstatus, 8" ::"r"(SSIP));
    other_stack[1024 - 14 + 13] = (uint64_t)other; // what change takes ra from
    other_context.sp = (uint64_t)&other_stack[1024 - 14];
    fib(9);
    is_even(15);
    for (unsigned i = 0; i < 3; i++)
        visitors[i](i);
    for (unsigned i = 1; i < 7; i++)
        variable(i);
    jumps(4);
    trapping(5);
    for (unsigned i = 0; i < 6; i++)
        resume(i % 3);
    return 0;
}
