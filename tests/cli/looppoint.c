// Several harts: each has more to do than the one before it, and they wait for each other, in the runtime's barrier and
// in a loop of the program's own that goes round as often as time allows.
#include <stdio.h>
#include <tipoff_harts.h>

enum { ROUNDS = 12, WORDS = 256, MOST = 16 };
static tipoff_barrier barrier;
static tipoff_lock lock;
static unsigned long table[WORDS], sums[MOST], total;
static unsigned flag;

__attribute__((noinline)) static void inner(unsigned long hart) {
    unsigned long sum = sums[hart];
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 40 * (hart + 1); k++)
            sum += table[(i * 7 + k) % WORDS] * k;
    sums[hart] = sum;
}

__attribute__((noinline)) static void waits(unsigned round) {
    while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) < round)
        ;
}

__attribute__((noinline)) static void rounds(unsigned long hart, unsigned harts) {
    for (unsigned round = 1; round <= ROUNDS; round++) {
        inner(hart);
        tipoff_barrier_wait(&barrier, harts);
        if (hart == 0)
            __atomic_store_n(&flag, round, __ATOMIC_RELEASE);
        else
            waits(round);
        tipoff_lock_take(&lock);
        total += sums[hart];
        tipoff_lock_give(&lock);
        tipoff_barrier_wait(&barrier, harts);
    }
}

void tipoff_hart_main(unsigned long hart) {
    rounds(hart, tipoff_harts());
    for (;;)
        __asm__ volatile("wfi");
}

int main(void) {
    for (unsigned i = 0; i < WORDS; i++)
        table[i] = i;
    rounds(0, tipoff_harts());
    printf("%lu\n", total);
    return 0;
}
