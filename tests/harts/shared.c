// What a program of several harts needs coherent caches for, by the least of each: the sums are right only if no store
// and no atomic access is lost, and no old value is read. Hart 0 prints them, and ends the run.
#include "harts.h"

#ifndef ROUNDS
#define ROUNDS 24
#endif
enum { LINE = 64, SETS_APART = 4096 };
void (*volatile trap_function)(uint64_t cause);

static volatile uint64_t added __attribute__((aligned(LINE)));
static volatile uint64_t reserved __attribute__((aligned(LINE)));
static struct {
    volatile uint32_t next, now;
    volatile uint64_t inside;
} ticket __attribute__((aligned(LINE)));
static volatile uint8_t side_by_side[LINE] __attribute__((aligned(LINE)));
static struct { volatile uint64_t full, value; } mailbox __attribute__((aligned(LINE)));
static volatile uint64_t far[3][SETS_APART / 8] __attribute__((aligned(SETS_APART)));
static volatile uint64_t come, received, harts __attribute__((aligned(LINE)));

static void barrier(uint64_t number) {
    __atomic_fetch_add(&come, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) < number * harts)
        ;
}

static void add_by_reservation(volatile uint64_t *word) {
    uint64_t old, fails;
    do
        asm volatile("lr.d %0, (%2)\n addi %0, %0, 1\n sc.d %1, %0, (%2)"
                     : "=&r"(old), "=&r"(fails)
                     : "r"(word)
                     : "memory");
    while (fails);
}

static void add_by_ticket(void) {
    const uint32_t mine = __atomic_fetch_add(&ticket.next, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&ticket.now, __ATOMIC_ACQUIRE) != mine)
        ;
    ticket.inside = ticket.inside + 1;
    __atomic_store_n(&ticket.now, mine + 1, __ATOMIC_RELEASE);
}

// Hart 1 sends, hart 0 receives.
static void mail(uint64_t hart) {
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        while (__atomic_load_n(&mailbox.full, __ATOMIC_ACQUIRE) != (hart == 0))
            ;
        if (hart == 0) {
            received += mailbox.value;
        } else {
            mailbox.value = i;
        }
        __atomic_store_n(&mailbox.full, hart == 1, __ATOMIC_RELEASE);
    }
}

static uint64_t sum_of_sides(void) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < LINE; i++)
        sum += side_by_side[i];
    return sum;
}

void hart_main(uint64_t hart) {
    harts = HARTS;
    for (unsigned i = 0; i < ROUNDS; i++) {
        __atomic_fetch_add(&added, hart + 1, __ATOMIC_RELAXED);
        add_by_reservation(&reserved);
        add_by_ticket();
        side_by_side[hart] = (uint8_t)(side_by_side[hart] + 1); // each its own byte of one line
        far[i % 3][hart] = far[i % 3][hart] + 1;                // lines of one set
    }
    barrier(1);
    if (hart < 2) mail(hart);
    barrier(2);
    while (hart)
        asm volatile("wfi");
    uint64_t apart = 0;
    for (unsigned i = 0; i < 3 * HARTS; i++)
        apart += far[i % 3][i / 3];
    say_number("added ", added);
    say_number(" reserved ", reserved);
    say_number(" tickets ", ticket.inside);
    say_number(" sides ", sum_of_sides());
    say_number(" apart ", apart);
    say_number(" mail ", received);
    say("\n");
    FINISHER = 0x5555;
}
