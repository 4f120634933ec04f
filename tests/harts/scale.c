// Scaling: the same work by one hart, by two, and by four: a kernel that stays in registers and a small table, and one
// that streams through what the last-level cache holds. Hart 0 prints the cycles of each, and ends the run.
#include "harts.h"

enum { LINE = 64, ROUNDS = 6000, WORDS = 16384, TABLE = 64 };
void (*volatile trap_function)(uint64_t cause);

static volatile uint64_t come __attribute__((aligned(LINE)));
static volatile uint64_t stream[WORDS] __attribute__((aligned(4096)));
static struct {
    uint64_t table[TABLE];
    volatile uint64_t sum;
} own[HARTS] __attribute__((aligned(4096)));

static void barrier(void) {
    static volatile uint64_t number[HARTS][LINE / 8] __attribute__((aligned(LINE)));
    const uint64_t hart = CSR_READ(mhartid), until = ++number[hart][0] * HARTS;
    __atomic_fetch_add(&come, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) < until)
        ;
}

static __attribute__((noinline)) void compute(uint64_t hart, unsigned rounds) {
    uint64_t *const table = own[hart].table;
    uint64_t x = hart + 1, sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        table[i % TABLE] += x;
        sum += table[(i + 5) % TABLE] * 3;
    }
    own[hart].sum = sum + x;
}

static __attribute__((noinline)) void walk(uint64_t hart, unsigned from, unsigned to) {
    uint64_t sum = 0;
    for (unsigned i = from; i < to; i++)
        sum += stream[i];
    own[hart].sum = sum;
}

void hart_main(uint64_t hart) {
    if (hart == 0) walk(0, 0, WORDS); // the last-level cache has it now
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned n = 1; n <= HARTS; n *= 2) {
            barrier();
            const uint64_t from = CSR_READ(mcycle);
            if (hart < n && kind == 0) compute(hart, ROUNDS / n);
            if (hart < n && kind == 1) walk(hart, WORDS / n * hart, WORDS / n * (hart + 1));
            barrier();
            if (hart) continue;
            say_number(kind ? "stream " : "compute ", n);
            say_number(" ", CSR_READ(mcycle) - from);
            say("\n");
        }
    }
    while (hart)
        asm volatile("wfi");
    FINISHER = 0x5555;
}
