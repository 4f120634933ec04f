// Counts of coherence that follow from how the program is made: two harts hand a line to and fro, and hart 1 reads
// lines that hart 0 has written, one after the other. Each hart counts its own; hart 0 prints them, and ends the run.
#include "events.h"
#include "harts.h"

enum { LINE = 64, TIMES = 50, NODES = 16, SOON = 400, LATER = 1500, MEETINGS = 6 };
enum { EVENTS = 9 }; // from SNOOPS on
void (*volatile trap_function)(uint64_t cause);

static struct {
    volatile uint64_t value, rest[LINE / 8 - 1], nobody[3 * LINE / 8]; // whose prefetch finds nothing
} ball __attribute__((aligned(4096))), come[MEETINGS] __attribute__((aligned(4096)));
static struct node {
    struct node *volatile next;
    uint64_t rest[LINE / 8 - 1], nobody[3 * LINE / 8];
} list[NODES] __attribute__((aligned(4096)));
static volatile uint64_t counted[2][2][2 * LINE / 8] __attribute__((aligned(LINE))); // by part and hart

#define EACH(what) what(3, 0) what(4, 1) what(5, 2) what(6, 3) what(7, 4) what(8, 5) what(9, 6) what(10, 7) what(11, 8)
#define SELECT(counter, event)                                                                                         \
    CSR_WRITE(mhpmevent##counter, PMU_EVENT_SNOOPS + event);                                                           \
    CSR_WRITE(mhpmcounter##counter, 0);
#define KEEP(counter, event) to[event] = CSR_READ(mhpmcounter##counter);

// Each time in a line of its own, which a hart that still counts has not looked at.
static void meet(unsigned number) {
    __atomic_fetch_add(&come[number].value, 1, __ATOMIC_SEQ_CST);
    wait_until(&come[number].value, 2);
}

// Until what the other hart does has come here.
static void settle(unsigned times) {
    asm volatile("fence" ::: "memory");
    for (unsigned i = 0; i < times; i++)
        asm volatile("");
}

static void begin(void) {
    CSR_WRITE(mcountinhibit, -1);
    EACH(SELECT)
    asm volatile("fence" ::: "memory");
    CSR_WRITE(mcountinhibit, 0);
}

static void end(volatile uint64_t *to) {
    CSR_WRITE(mcountinhibit, -1);
    EACH(KEEP)
}

// Both have a copy before; each store asks for the only one.
static __attribute__((noinline)) void exchange(uint64_t hart, uint64_t from) {
    for (uint64_t k = from; k < from + 2 * TIMES; k += 2) {
        wait_until(&ball.value, k + hart);
        ball.value = k + hart + 1;
    }
    wait_until(&ball.value, from + 2 * TIMES);
}

static __attribute__((noinline)) void chase(void) {
    for (struct node *at = list[0].next; at != list; at = at->next)
        ;
}

static __attribute__((noinline)) void link(void) {
    for (unsigned i = 0; i < NODES; i++)
        list[i].next = &list[(i + 7) % NODES];
}

static void print(const char *part, unsigned number) {
    for (unsigned hart = 0; hart < 2; hart++) {
        say(part);
        for (unsigned i = 0; i < EVENTS; i++)
            say_number(" ", counted[number][hart][i]);
        say("\n");
    }
}

void hart_main(uint64_t hart) {
    if (hart > 1) return;
    exchange(hart, 0); // the code is here now
    meet(1);
    begin();
    exchange(hart, 2 * TIMES);
    settle(SOON);
    end(counted[0][hart]);
    if (hart == 0) link();
    meet(2);
    if (hart == 1) chase();
    meet(3);
    if (hart == 0) link();
    meet(4);
    begin();
    if (hart == 1) chase();
    settle(hart == 1 ? SOON : LATER);
    end(counted[1][hart]);
    meet(5);
    if (hart == 1) return;
    print("exchange", 0);
    print("chase", 1);
    FINISHER = 0x5555;
}
