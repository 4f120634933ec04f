// What a line costs by where it is: pointers from line to line, each load waiting for the one before. Hart 1 owns
// lines, or shares them; hart 0 measures, prints cycles of one load or AMO, and ends the run.
#include "harts.h"

enum { LINE = 64, NODES = 16, WORDS = 16384 };
void (*volatile trap_function)(uint64_t cause);

// The next line is the chaser's before it begins, so that a prefetcher of the next line finds it here; what that
// fetched beside it is nobody's.
struct node {
    struct node *next;
    volatile uint64_t value;
    uint8_t rest[LINE - 16];
    volatile uint64_t spacer[3 * LINE / 8];
} __attribute__((aligned(4 * LINE)));

// Where a step goes on: all nodes once, in no order that can be predicted.
#define CHAIN(name)                                                                                                    \
    {                                                                                                                  \
        {.next = &name[9]}, {.next = &name[12]}, {.next = &name[7]}, {.next = &name[14]}, {.next = &name[2]},          \
            {.next = &name[8]}, {.next = &name[1]}, {.next = &name[15]}, {.next = &name[3]}, {.next = &name[4]},       \
            {.next = &name[6]}, {.next = &name[0]}, {.next = &name[10]}, {.next = &name[5]}, {.next = &name[11]},      \
            {.next = &name[13]},                                                                                       \
    }
static struct node list[NODES] = CHAIN(list), fresh[NODES] = CHAIN(fresh), atomic[NODES] = CHAIN(atomic);
static volatile uint64_t others[WORDS] __attribute__((aligned(4096)));
static volatile uint64_t asked __attribute__((aligned(LINE))), answered __attribute__((aligned(LINE)));
static volatile uint64_t ball __attribute__((aligned(LINE)));

static uint64_t chase(const struct node *at) {
    const struct node *const first = at;
    asm volatile("fence" ::: "memory");
    const uint64_t from = CSR_READ(mcycle);
    do
        at = at->next;
    while (at != first);
    const uint64_t took = CSR_READ(mcycle) - from;
    return (took + NODES / 2) / NODES;
}

static uint64_t chase_owning(struct node *at) {
    struct node *const first = at;
    const uint64_t from = CSR_READ(mcycle);
    do
        at = (struct node *)__atomic_fetch_or((uint64_t *)&at->next, 0, __ATOMIC_RELAXED);
    while (at != first);
    const uint64_t took = CSR_READ(mcycle) - from;
    return (took + NODES / 2) / NODES;
}

static void touch_spacers(struct node *nodes) {
    for (unsigned i = 0; i < NODES; i++)
        nodes[i].spacer[0]++;
}

// Drives everything else out of this hart's cache: twice as much as it holds, at the least.
static void evict(void) {
    static volatile uint64_t sum;
    for (unsigned i = 0; i < WORDS; i += LINE / 8)
        sum += others[i];
}

enum { WRITE = 1, READ, WRITE_ATOMIC, EVICT, PLAY, STOP };
enum { TURNS = 16 };

static uint64_t times; // asked so far

static void begin(uint64_t what) {
    times++;
    asked = times << 8 | what;
}

static void ask(uint64_t what) {
    begin(what);
    while (answered != times)
        ;
}

static void write_all(struct node *nodes) {
    for (unsigned i = 0; i < NODES; i++)
        nodes[i].value++;
}

static void serve(void) {
    uint64_t done = 0, sum = 0;
    for (;;) {
        while (asked >> 8 == done)
            ;
        const uint64_t what = asked & 255;
        switch (what) {
        case WRITE: write_all(list); break;
        case WRITE_ATOMIC: write_all(atomic); break;
        case READ:
            for (unsigned i = 0; i < NODES; i++)
                sum += list[i].value;
            break;
        case EVICT: evict(); break;
        case PLAY:
            for (uint64_t i = 1; i < 2 * TURNS; i += 2) {
                while (ball != i)
                    ;
                ball = i + 1;
            }
            break;
        default: break;
        }
        asm volatile("fence" ::: "memory");
        answered = ++done;
    }
}

static void say_cycles(const char *name, uint64_t cycles) {
    say_number(name, cycles);
    say("\n");
}

void hart_main(uint64_t hart) {
    if (hart > 1) return;
    if (hart == 1) serve();
    touch_spacers(fresh);
    chase(atomic); // the code is here now
    chase_owning(atomic);
    say_cycles("atomic own ", chase_owning(atomic));
    say_cycles("memory ", chase(fresh));
    say_cycles("own ", chase(fresh));
    chase(list);
    ask(EVICT);
    evict();
    touch_spacers(list);
    say_cycles("llc ", chase(list));
    touch_spacers(list);
    ask(WRITE);
    say_cycles("modified elsewhere ", chase(list));
    evict();
    ask(EVICT);
    touch_spacers(list);
    ask(READ);
    say_cycles("exclusive elsewhere ", chase(list));
    ask(EVICT);
    evict();
    touch_spacers(atomic);
    say_cycles("atomic llc ", chase_owning(atomic));
    ask(WRITE_ATOMIC);
    say_cycles("atomic modified elsewhere ", chase_owning(atomic));
    begin(PLAY);
    const uint64_t from = CSR_READ(mcycle);
    for (uint64_t i = 0; i < 2 * TURNS; i += 2) {
        ball = i + 1;
        while (ball != i + 2)
            ;
    }
    say_cycles("one way ", (CSR_READ(mcycle) - from) / (2 * TURNS));
    FINISHER = 0x5555;
}
