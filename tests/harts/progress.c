// Progress: harts that contend for a line, for two lines of one set, and for a lock. Each counts how often it has its
// way until all together have done a number of rounds. Then a hart works inside a critical section, others spin for
// its lock, and what they take from it by speculation is counted. Hart 0 prints, and ends the run.
#include "harts.h"

#ifndef TOTAL
#define TOTAL 240
#endif
enum { LINE = 64, SETS_APART = 4096, INSIDE = 64, LONG = 24 };
void (*volatile trap_function)(uint64_t cause);

struct line {
    volatile uint64_t word;
    uint8_t rest[LINE - 8];
} __attribute__((aligned(LINE)));

static struct line come, reserved, added, next, now, inside, lock, section;
static struct line far[3][SETS_APART / LINE] __attribute__((aligned(SETS_APART)));
static struct line private[HARTS][2][SETS_APART / LINE] __attribute__((aligned(SETS_APART)));
static struct line own[4][HARTS], tries[HARTS];

static void barrier(uint64_t number) {
    __atomic_fetch_add(&come.word, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&come.word, __ATOMIC_ACQUIRE) < number * HARTS)
        ;
}

static uint64_t by_reservation(void) {
    uint64_t old, fails, mine = 0;
    for (;;) {
        asm volatile("lr.d %0, (%1)" : "=r"(old) : "r"(&reserved.word) : "memory");
        if (old >= TOTAL) return mine;
        asm volatile("sc.d %0, %1, (%2)" : "=r"(fails) : "r"(old + 1), "r"(&reserved.word) : "memory");
        mine += !fails;
    }
}

static uint64_t by_amo(void) {
    uint64_t mine = 0;
    while (__atomic_fetch_add(&added.word, 1, __ATOMIC_RELAXED) < TOTAL)
        mine++;
    return mine;
}

static uint64_t by_ticket(void) {
    for (uint64_t mine = 0;; mine++) {
        const uint64_t ticket = __atomic_fetch_add(&next.word, 1, __ATOMIC_RELAXED);
        while (__atomic_load_n(&now.word, __ATOMIC_ACQUIRE) != ticket)
            ;
        const bool over = inside.word == TOTAL;
        if (!over) inside.word = inside.word + 1;
        __atomic_store_n(&now.word, ticket + 1, __ATOMIC_RELEASE);
        if (over) return mine;
    }
}

// Two shared lines of one set, and two of this hart's, so that a set of few ways has no room for all.
static uint64_t by_set(uint64_t hart) {
    for (uint64_t mine = 0;; mine++) {
        private[hart][0][0].word++;
        if (__atomic_fetch_add(&far[0][0].word, 1, __ATOMIC_RELAXED) >= TOTAL) return mine;
        private[hart][1][0].word++;
        ((volatile uint64_t *)&far[1][0])[hart % 8]++;
    }
}

// Inside: stores to a line, one after the other, and how many of them take long, for the line has gone.
static uint64_t work(void) {
    uint64_t lost = 0;
    for (unsigned i = 0; i < INSIDE; i++) {
        const uint64_t from = CSR_READ(mcycle);
        section.word = section.word + 1;
        asm volatile("fence" ::: "memory");
        lost += CSR_READ(mcycle) - from > LONG;
    }
    return lost;
}

// The lock is free as seldom as a try succeeds: what runs ahead of a failed one is the section's work.
static void spin(uint64_t hart) {
    uint64_t times = 1;
    while (__atomic_exchange_n(&lock.word, 1, __ATOMIC_ACQUIRE))
        times++;
    section.word = section.word + 1;
    __atomic_store_n(&lock.word, 0, __ATOMIC_RELEASE);
    tries[hart].word = times;
}

static void say_shares(const char *name, unsigned which) {
    say(name);
    for (unsigned i = 0; i < HARTS; i++)
        say_number(" ", own[which][i].word);
    say("\n");
}

void hart_main(uint64_t hart) {
    uint64_t (*const parts[3])(void) = {by_reservation, by_amo, by_ticket}, lost = 0, all = 0;
    for (unsigned i = 0; i < 4; i++) {
        barrier(i + 1);
        own[i][hart].word = i < 3 ? parts[i]() : by_set(hart);
    }
    if (hart == 0) lock.word = 1;
    barrier(5);
    if (hart == 0) {
        work(); // alone or not, its code is here now
        lost = work();
        __atomic_store_n(&lock.word, 0, __ATOMIC_RELEASE);
    } else {
        spin(hart);
    }
    barrier(6);
    while (hart)
        asm volatile("wfi");
    say_shares("reserved", 0);
    say_shares("added", 1);
    say_shares("tickets", 2);
    say_shares("lines", 3);
    for (unsigned i = 1; i < HARTS; i++)
        all += tries[i].word;
    say_number("section ", section.word);
    say_number(" lost ", lost);
    say_number(" tries ", all);
    say("\n");
    FINISHER = 0x5555;
}
