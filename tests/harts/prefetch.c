// Prefetches of two harts: prefetch.w fetches a line that may be written at once; the prefetcher of the next line,
// where the core has one, leaves another hart's line alone, and a load that meets its refused request gets the line all
// the same; nor does it follow who has a line and has only to own it. Hart 0 prints cycles, and ends the run.
#include "harts.h"

enum { LINE = 64, PAIRS = 24, WAIT = 200, SET = 4096, WAYS = 16, OWNED = 8 };
void (*volatile trap_function)(uint64_t cause);

static volatile uint64_t step __attribute__((aligned(LINE))), shared[8][LINE / 8] __attribute__((aligned(LINE)));
static struct {
    volatile uint64_t mine, rest[LINE / 8 - 1];   // hart 0's
    volatile uint64_t theirs, more[LINE / 8 - 1]; // of hart 1, padded: a line of its own, the next one
} pairs[PAIRS] __attribute__((aligned(4096)));
// Two lines of hart 1's, and after them two of nobody's.
static struct {
    volatile uint64_t first, rest[LINE / 8 - 1], next, more[LINE / 8 - 1], nobody[2 * LINE / 8];
} met[PAIRS] __attribute__((aligned(4096)));
static volatile uint8_t apart[WAYS][SET] __attribute__((aligned(SET)));
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

// Cycles of a load of each of two lines that hart 1 has modified, the second one some cycles later. In order: the first
// one's miss has asked for the next line before, and is refused.
static __attribute__((noinline)) uint64_t meet(unsigned i, bool in_order, uint64_t *sum) {
    volatile uint64_t *one = in_order ? &met[i].first : &met[i].next, *two = in_order ? &met[i].next : &met[i].first;
    uint64_t late = 0;
    asm volatile("fence" ::: "memory");
    const uint64_t began = CSR_READ(mcycle), first = *one;
    asm volatile("mul %0, %0, %0\n mul %0, %0, %0" : "+r"(late));
    const uint64_t got = first + two[late];
    asm volatile("fence" ::"r"(got) : "memory");
    *sum += got;
    return CSR_READ(mcycle) - began;
}

// Hart 1: hart 0 keeps its copies of the first lines, shared, and has none of the next ones, nor has anybody.
static void leave(void) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < 2 * OWNED; i++) {
        sum += met[i].first;
        met[i].next++;
    }
    asm volatile("fence" ::"r"(sum) : "memory");
    for (unsigned i = 0; i < 2 * OWNED; i++)
        for (unsigned way = 0; way < WAYS; way++)
            sum += apart[way][((uint64_t)&met[i].next) % SET];
    asm volatile("fence" ::"r"(sum) : "memory");
}

// Cycles of a load of the next line.
static __attribute__((noinline)) uint64_t follow(unsigned from) {
    uint64_t took = 0;
    for (unsigned i = from; i < from + OWNED; i++) {
        const uint64_t began = CSR_READ(mcycle), got = met[i].next;
        asm volatile("fence" ::"r"(got) : "memory");
        took += CSR_READ(mcycle) - began;
    }
    return took / OWNED;
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
        for (unsigned i = 0; i < PAIRS; i++)
            met[i].first = met[i].next = i + 1;
        reach(3);
        wait_until(&step, 4);
        leave();
        reach(5);
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
    uint64_t joined = 0, alone = 0, values = 0;
    for (unsigned i = 0; i < PAIRS; i += 2) {
        joined += meet(i, true, &values);
        alone += meet(i + 1, false, &values);
    }
    reach(4);
    wait_until(&step, 5);
    for (unsigned i = 0; i < OWNED; i++)
        met[i].first = 0;
    wait();
    const uint64_t after_owned = follow(0), other = follow(OWNED);
    say_number("shared ", plain);
    say_number(" prefetched ", prefetched);
    say_number(" before ", before);
    say_number(" after ", after);
    say_number(" sum ", sum);
    say_number(" joined ", joined / (PAIRS / 2));
    say_number(" alone ", alone / (PAIRS / 2));
    say_number(" values ", values);
    say_number(" owned ", after_owned);
    say_number(" not ", other);
    say("\n");
    FINISHER = 0x5555;
}
