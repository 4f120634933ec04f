// What of two loads a hart may see in another order: hart 0 stores n = 1, 2, 3 ... to both halves of a doubleword at
// once, then to another line; hart 1 loads twice, the older load waiting for its address. Prints how often the younger
// had the older value: of the other line, of the other half. Of the same bytes, loads of any sizes, it never may: the
// run ends with status 1.
#include "harts.h"

enum { LINE = 64, ROUNDS = 24 };
void (*volatile trap_function)(uint64_t cause);
static volatile uint64_t both __attribute__((aligned(LINE))), then __attribute__((aligned(LINE)));

// An instruction each, the older with an address that comes late.
#define TWO_LOADS(older, from, younger, with)                                                                          \
    ({                                                                                                                 \
        uint64_t old_, young_, late_ = INT64_MAX;                                                                      \
        asm volatile("div %2, %2, %4\n div %2, %2, %4\n div %2, %2, %4\n div %2, %2, %4\n"                             \
                     "andi %2, %2, 0\n add %2, %2, %3\n " older "\n " younger                                          \
                     : "=&r"(old_), "=&r"(young_), "+&r"(late_)                                                        \
                     : "r"(from), "r"(3), "r"(with)                                                                    \
                     : "memory");                                                                                      \
        (struct pair){old_, young_};                                                                                   \
    })
struct pair {
    uint64_t old, young;
};

static bool passed(struct pair p, unsigned bits) {
    uint64_t mask = (1ull << bits) - 1;
    return (p.young & mask) < (p.old & mask);
}

static void loads(void) {
    uint64_t line = 0, half = 0;
    bool same = false;
    while (!both)
        ;
    for (unsigned i = 0; i < ROUNDS; i++) {
        line += passed(TWO_LOADS("ld %0, (%2)", &then, "ld %1, (%5)", &both), 32);
        half += passed(TWO_LOADS("lwu %0, 4(%2)", &both, "lwu %1, (%5)", &both), 32);
        same |= passed(TWO_LOADS("ld %0, (%2)", &both, "lwu %1, (%5)", &both), 32);
        same |= passed(TWO_LOADS("lhu %0, (%2)", &both, "ld %1, (%5)", &both), 16);
        same |= passed(TWO_LOADS("lwu %0, 4(%2)", &both, "lhu %1, 4(%5)", &both), 16);
    }
    say_number("line ", line);
    say_number(" half ", half);
    say("\n");
    FINISHER = same ? 0x13333 : 0x5555;
}

void hart_main(uint64_t hart) {
    if (hart == 1) loads();
    for (uint64_t n = 1; hart == 0; n++) {
        both = n << 32 | n;
        then = n;
        for (unsigned i = 0; i < n % 32; i++)
            asm volatile("");
    }
}
