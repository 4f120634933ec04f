// Prefetches of two harts: prefetch.w fetches a line that may be written at once; the prefetcher of the next line,
// where the core has one, leaves another hart's line alone, and a load that meets its refused request gets the line all
// the same. Hart 0 prints cycles, and ends the run.
#include "harts.h"

enum { LINE = 64, PAIRS = 24, WAIT = 200 };
void (*volatile trap_function)(uint64_t cause);

static volatile uint64_t step __attribute__((aligned(LINE))), shared[8][LINE / 8] __attribute__((aligned(LINE)));
static struct {
    volatile uint64_t mine, rest[LINE / 8 - 1];   // hart 0's
    volatile uint64_t theirs, more[LINE / 8 - 1]; // of hart 1, padded: a line of its own, the next one
} pairs[PAIRS] __attribute__((aligned(4096)));
static volatile uint64_t before, after __attribute__((aligned(LINE)));

static void reach(uint64_t number) {
    asm volatile("fence" ::: "memory");
    step = number;
}

static void wait(void) {
    for (volatile unsigned i = 0; i < WAIT; i++)
        ;
}

// Cycles of an AMO on each of some lines.
static __attribute__((noinline)) uint64_t own(unsigned from, unsigned to) {
    asm volatile("fence" ::: "memory");
    const uint64_t began = CSR_READ(mcycle);
    for (unsigned i = from; i < to; i++)
        __atomic_fetch_add(&shared[i][0], 1, __ATOMIC_RELAXED);
    return (CSR_READ(mcycle) - began) / (to - from);
}

// Cycles of a store to each of hart 1's lines.
static __attribute__((noinline)) uint64_t count(void) {
    asm volatile("fence" ::: "memory");
    const uint64_t began = CSR_READ(mcycle);
    for (unsigned i = 0; i < PAIRS; i++)
        pairs[i].theirs++;
    asm volatile("fence" ::: "memory");
    return (CSR_READ(mcycle) - began) / PAIRS;
}

static void share(void) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < 8; i++)
        sum += shared[i][0];
    (void)sum;
}

void hart_main(uint64_t hart) {
    uint64_t sum = 0;
    if (hart > 1) return;
    if (hart == 1) {
        share();
        count();
        before = count();
        reach(1);
        wait_until(&step, 2);
        after = count();
        reach(3);
        return;
    }
    own(0, 1); // the code is here now
    wait_until(&step, 1);
    share();
    wait(); // a prefetch of a line that is on its way does nothing
    for (unsigned i = 4; i < 8; i++)
        asm volatile(".insn i 0x13, 6, x0, %0, 3" ::"r"(&shared[i][0])); // prefetch.w
    wait();
    const uint64_t plain = own(1, 4), prefetched = own(4, 8);
    for (unsigned i = 0; i < PAIRS; i++)
        sum += pairs[i].mine; // misses, each: the next line is hart 1's
    wait();
    reach(2);
    wait_until(&step, 3);
    for (unsigned i = 0; i < PAIRS; i++)
        sum += pairs[i].theirs;
    say_number("shared ", plain);
    say_number(" prefetched ", prefetched);
    say_number(" before ", before);
    say_number(" after ", after);
    say_number(" sum ", sum);
    say("\n");
    FINISHER = 0x5555;
}
