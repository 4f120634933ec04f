// What harts do with each other: locks, messages, barriers, interrupts, code and page tables that another one changes.
//
// Hart 0 prints a line after each part; all harts meet in between. Each line's number has a reason that does not depend
// on the order in which harts run, so that every machine prints the same. The last hart ends the run.
#include "harts.h"

enum { ROUNDS = 200, SLOW_ROUNDS = 20 }; // slow: where QEMU, on fewer cores than harts, waits for its threads

void (*volatile trap_function)(uint64_t cause);
static unsigned harts; // hart 0 sets it, before it lets the others go on
static volatile uint64_t known;

// ---- meeting ----
static volatile uint64_t arrived, generation;
static void meet(void) {
    const uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == harts) {
        arrived = 0;
        __atomic_store_n(&generation, now + 1, __ATOMIC_RELEASE);
    } else {
        while (__atomic_load_n(&generation, __ATOMIC_ACQUIRE) == now)
            ;
    }
}

// The word is read when all have come.
static void report(unsigned hart, const char *what, const volatile uint64_t *value) {
    meet();
    if (hart == 0) {
        say_number(what, *value);
        say("\n");
    }
    meet();
}

// Of one word a hart.
static void report_sum(unsigned hart, const char *what, const volatile uint64_t *values) {
    static volatile uint64_t sum;
    meet();
    for (unsigned i = 0; hart == 0 && i < harts; i++)
        sum = (i ? sum : 0) + values[i];
    report(hart, what, &sum);
}

// ---- locks: a counter that is not atomic comes out right ----
static volatile uint32_t amo_lock, lr_lock;
static volatile uint64_t count, lr_count, sums[MOST_HARTS];

static void lock_by_amo(void) {
    uint32_t old;
    do
        asm volatile("amoswap.w.aq %0, %1, (%2)" : "=r"(old) : "r"(1), "r"(&amo_lock) : "memory");
    while (old);
}
static void unlock_amo(void) {
    asm volatile("amoswap.w.rl zero, zero, (%0)" ::"r"(&amo_lock) : "memory");
}
static void lock_by_lr(void) {
    uint32_t old, failed;
    asm volatile("1: lr.w.aq %0, (%3)\n bnez %0, 1b\n sc.w %1, %2, (%3)\n bnez %1, 1b"
                 : "=&r"(old), "=&r"(failed)
                 : "r"(1), "r"(&lr_lock)
                 : "memory");
}
static void unlock_lr(void) {
    __atomic_store_n(&lr_lock, 0, __ATOMIC_RELEASE);
}

static void locks(unsigned hart) {
    for (unsigned i = 0; i < ROUNDS; i++) {
        lock_by_amo();
        count = count + 1;
        unlock_amo();
    }
    report(hart, "amo lock ", &count);
    for (unsigned i = 0; i < ROUNDS; i++) {
        lock_by_lr();
        count = count + 1;
        unlock_lr();
    }
    report(hart, "lr lock ", &count);
    for (unsigned i = 0; i < ROUNDS; i++) { // no lock: the addition itself is a pair of lr and sc
        uint64_t old, failed;
        asm volatile("1: lr.d %0, (%2)\n addi %0, %0, 3\n sc.d %1, %0, (%2)\n bnez %1, 1b"
                     : "=&r"(old), "=&r"(failed)
                     : "r"(&lr_count)
                     : "memory");
    }
    report(hart, "lr and sc ", &lr_count);
}

// ---- messages around a ring: data, a fence, a flag ----
static struct {
    volatile uint64_t data, flag;
    uint64_t padding[6];
} boxes[MOST_HARTS];

static void messages(unsigned hart) {
    const unsigned next = (hart + 1) % harts;
    uint64_t sum = 0;
    for (uint64_t i = 1; i <= SLOW_ROUNDS; i++) {
        if (hart != 0) wait_until(&boxes[hart].flag, i);
        const uint64_t got = hart == 0 ? i : boxes[hart].data;
        boxes[next].data = got + 1;
        asm volatile("fence rw, w" ::: "memory");
        boxes[next].flag = i;
        if (hart == 0) {
            wait_until(&boxes[0].flag, i);
            asm volatile("fence r, rw" ::: "memory");
            sum += boxes[0].data;
        }
    }
    if (hart == 0) sums[0] = sum;
    report(hart, "messages ", &sums[0]); // sum of i + harts
}

// ---- interrupts from hart to hart, each sleeps until it comes ----
static volatile uint64_t pings[MOST_HARTS];

static void on_ping(uint64_t cause) {
    const uint64_t hart = CSR_READ(mhartid);
    if ((cause & 0xff) != CAUSE_MSI) return;
    MSIP(hart) = 0;
    (void)MSIP(hart); // the line is down
    pings[hart] = pings[hart] + 1;
}

static void interrupts(unsigned hart) {
    if (hart == 0) trap_function = on_ping;
    meet();
    CSR_SET(mie, MSIE);
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        if (hart == 0) MSIP(1 % harts) = 1;
        while (pings[hart] != i) { // asleep with interrupts off: it wakes all the same, and none is lost between
            asm volatile("wfi");
            CSR_SET(mstatus, MIE);
            CSR_CLEAR(mstatus, MIE);
        }
        if (hart != 0) MSIP((hart + 1) % harts) = 1;
    }
    CSR_CLEAR(mie, MSIE);
    report_sum(hart, "interrupts ", pings);
}

// ---- timers: all harts sleep, and each wakes at its time, not before ----
static volatile uint64_t in_time;

static void on_timer(uint64_t cause) {
    if ((cause & 0xff) == CAUSE_MTI) MTIMECMP(CSR_READ(mhartid)) = UINT64_MAX;
}

static void timers(unsigned hart) {
    static volatile uint64_t begin;
    if (hart == 0) {
        trap_function = on_timer;
        begin = MTIME;
    }
    meet();
    const uint64_t due = begin + 500 + 200 * (uint64_t)(harts - hart);
    MTIMECMP(hart) = due;
    CSR_SET(mie, MTIE);
    asm volatile("wfi");
    if (MTIME >= due) __atomic_fetch_add(&in_time, 1, __ATOMIC_ACQ_REL);
    CSR_SET(mstatus, MIE);
    CSR_CLEAR(mstatus, MIE);
    CSR_CLEAR(mie, MTIE);
    report(hart, "timers ", &in_time);
}

// ---- code that another hart has written: stale until fence.i, new after it ----
static volatile uint32_t code[2] __attribute__((aligned(64)));

static void new_code(unsigned hart) {
    uint64_t (*const call)(void) = (uint64_t(*)(void))code;
    uint64_t sum = 0;
    for (uint32_t i = 1; i <= SLOW_ROUNDS; i++) {
        if (hart == 0) {
            code[0] = 0x513 | i << 20; // li a0, i
            code[1] = 0x8067;          // ret
        }
        meet();
        asm volatile("fence.i" ::: "memory");
        sum += call();
        meet();
    }
    sums[hart] = sum;
    report_sum(hart, "code ", sums);
}

// ---- a page table that hart 0 changes under all: each sees the old or the new page until its own sfence.vma ----
enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_A = 0x40, PTE_D = 0x80 };
static uint64_t root[512] __attribute__((aligned(4096))), middle[512] __attribute__((aligned(4096))),
    leaves[512] __attribute__((aligned(4096)));
static volatile uint64_t pages[2][512] __attribute__((aligned(4096)));
#define PTE(address, bits) ((uint64_t)(address) >> 12 << 10 | (bits))
#define MPRV_S (UINT64_C(1) << 17 | UINT64_C(1) << 11)

// A load in S-mode's space: VA 0 is the page.
static uint64_t load_there(void) {
    uint64_t value;
    asm volatile("csrs mstatus, %1\n ld %0, 0(zero)\n csrc mstatus, %1" : "=&r"(value) : "r"(MPRV_S) : "memory");
    return value;
}

static void translations(unsigned hart) {
    uint64_t sum = 0;
    if (hart == 0) {
        pages[0][0] = 10;
        pages[1][0] = 1000;
        root[0] = PTE(middle, PTE_V);
        middle[0] = PTE(leaves, PTE_V);
    }
    CSR_WRITE(pmpaddr0, UINT64_MAX);
    CSR_WRITE(pmpcfg0, 0x1f);
    CSR_CLEAR(mstatus, UINT64_C(3) << 11);
    meet();
    CSR_WRITE(satp, UINT64_C(8) << 60 | (uint64_t)root >> 12);
    for (unsigned i = 0; i < SLOW_ROUNDS; i++) {
        if (hart == 0) {
            volatile uint64_t *leaf = &leaves[0];
            *leaf = PTE(pages[i % 2], PTE_V | PTE_R | PTE_W | PTE_A | PTE_D);
        }
        meet();
        asm volatile("sfence.vma" ::: "memory");
        sum += load_there();
        meet();
    }
    CSR_WRITE(satp, 0);
    sums[hart] = sum;
    report_sum(hart, "translations ", sums);
}

// ---- a device's line: the controller gives it to the hart whose context enables it ----
static volatile uint64_t taken[MOST_HARTS];
enum { SOURCE = 10 };

static void on_line(uint64_t cause) {
    const uint64_t hart = CSR_READ(mhartid);
    if ((cause & 0xff) != CAUSE_MEI) return;
    const uint32_t source = PLIC(0x200004 + 0x2000 * hart);
    UART(1) = 0; // the UART asks no more
    PLIC(0x200004 + 0x2000 * hart) = source;
    taken[hart] = taken[hart] + source;
}

static void lines(unsigned hart) {
    if (hart == 0) {
        trap_function = on_line;
        PLIC(4 * SOURCE) = 1;
    }
    PLIC(0x200000 + 0x2000 * hart) = 0;
    for (unsigned to = 0; to < harts; to++) {
        PLIC(0x2000 + 0x100 * hart) = hart == to ? 1 << SOURCE : 0;
        CSR_SET(mie, MEIE);
        CSR_SET(mstatus, MIE);
        meet();
        if (hart == 0) UART(1) = 2; // it asks for more to print
        if (hart == to) wait_until(&taken[hart], SOURCE);
        meet();
        CSR_CLEAR(mstatus, MIE);
    }
    report_sum(hart, "lines ", taken);
}

// ---- the machine ----
static uint32_t big(const uint32_t *word) {
    const uint8_t *byte = (const uint8_t *)word;
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

// Nodes "cpu@..." of the flattened tree.
static unsigned count_harts(const uint32_t *tree) {
    enum { BEGIN = 1, PROPERTY = 3, NOP = 4, END_TREE = 9, NODE_END = 2 };
    unsigned found = 0;
    for (const uint32_t *at = tree + big(&tree[2]) / 4; big(at) != END_TREE;) {
        const uint32_t token = big(at++);
        if (token == BEGIN) {
            const char *name = (const char *)at;
            found += name[0] == 'c' && name[1] == 'p' && name[2] == 'u' && name[3] == '@';
            while (*name)
                name++;
            at += (name - (const char *)at) / 4 + 1;
        } else if (token == PROPERTY) {
            at += 2 + (big(at) + 3) / 4;
        }
    }
    return found;
}

void hart_main(unsigned hart, const uint32_t *tree) {
    if (hart == 0) {
        harts = count_harts(tree);
        __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
    }
    wait_until(&known, 1);
    static volatile uint64_t counted;
    if (hart == 0) counted = harts;
    report(hart, "harts ", &counted);
    locks(hart);
    messages(hart);
    interrupts(hart);
    timers(hart);
    new_code(hart);
    translations(hart);
    lines(hart);
    if (hart == harts - 1) FINISHER = 0x5555;
}
