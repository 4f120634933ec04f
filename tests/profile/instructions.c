// The program samples its own instructions by ProfileMe: registers of docs/reference/profileme.md, a handler of LCOFI
// that reads each record and acknowledges it. Arguments: interval, pairs (0 or 1), records that wait before the
// interrupt. Prints how many records there were, interrupts, those that retired, and what is wrong with one. Test:
// test_profileme.py, which also has every record checked as it is read.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define READ(csr)                                                                                                      \
    ({                                                                                                                 \
        uint64_t value;                                                                                                \
        __asm__ volatile("csrr %0, " #csr : "=r"(value));                                                              \
        value;                                                                                                         \
    })
#define WRITE(csr, value) __asm__ volatile("csrw " #csr ", %0" ::"r"((uint64_t)(value)))
#define SET(csr, value) __asm__ volatile("csrs " #csr ", %0" ::"r"((uint64_t)(value)))
#define CLEAR(csr, value) __asm__ volatile("csrc " #csr ", %0" ::"r"((uint64_t)(value)))
// siselect 0x150, sireg to sireg6 0x151, 2, 3, 5, 6, 7; mpdisctl 0x7c3, spdiscounter 0x5c2.
enum { RECORD = 0x60, MORE = 0x61, COUNTS = 0x62, LCOFI = 1 << 13 };

static volatile uint64_t records, interrupts, retired, seconds, wrong, collisions;

// Latencies add up, and what has not come to a stage has no latency of it.
static int plausible(uint64_t header, uint64_t latencies, uint64_t more, uint64_t context) {
    const uint64_t total = latencies & 0xfff, dispatch = latencies >> 12 & 0xfff, issue = latencies >> 24 & 0xfff,
                   execution = latencies >> 36 & 0xfff, operands = more & 0xfff, contention = more >> 12 & 0xfff,
                   wait = more >> 24 & 0xfff, outcome = context >> 9 & 7;
    if (total < 4095 && total != dispatch + issue + execution + wait) return 0;
    if (issue < 4095 && issue != operands + contention) return 0;
    if ((outcome != 0) != (header >> 34 & 1)) return 0;
    return outcome != 0 || (dispatch >= 2 && execution >= 1 && wait >= 1);
}

__attribute__((interrupt("machine"), aligned(4))) static void handler(void) {
    interrupts++;
    const uint64_t selected = READ(0x150);
    for (;;) {
        WRITE(0x150, COUNTS);
        if (READ(0x155) == 0) break; // none waits
        WRITE(0x150, MORE);
        const uint64_t more = READ(0x151), context = READ(0x152), space = READ(0x153), history = READ(0x155);
        WRITE(0x150, RECORD);
        const uint64_t header = READ(0x151), pc = READ(0x152), cycle = READ(0x153), latencies = READ(0x155),
                       address = READ(0x156), lost = READ(0x157);
        WRITE(0x151, 0); // read: the next one
        records++;
        retired += (context >> 9 & 7) == 0;
        seconds += context >> 5 & 1;
        collisions = lost;
        wrong += !plausible(header, latencies, more, context) || (space | history >> 16) != 0 || pc < 0x80000000u ||
                 cycle == 0;
        (void)address;
    }
    CLEAR(0x7c3, UINT64_C(1) << 63); // mpdisctl.OF: further ones interrupt again
    CLEAR(mip, LCOFI);
    WRITE(0x150, selected);
}

static unsigned collatz(unsigned n) {
    unsigned steps = 0;
    for (; n != 1; steps++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}

static uint32_t table[4096];

int main(int argc, char **argv) {
    const uint64_t interval = argc > 1 ? strtoul(argv[1], NULL, 0) : 0, pairs = argc > 2 && argv[2][0] == '1',
                   threshold = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
    if (interval) {
        WRITE(mtvec, (uintptr_t)handler);
        SET(mie, LCOFI);
        WRITE(0x5c2, interval << 32 | interval);
        WRITE(0x7c3, 1 | pairs << 2 | 3 << 4 | 5 << 12 | threshold << 16);
        SET(mstatus, 8);
    }
    unsigned sum = 0;
    for (unsigned n = 1; n < 600; n++) {
        sum += collatz(n);
        table[n * 331 % 4096] += sum;
        sum ^= table[n * 57 % 4096];
    }
    CLEAR(mstatus, 8);
    if (interval) WRITE(0x7c3, 0);
    printf("sum %u records %lu interrupts %lu retired %lu seconds %lu collisions %lu wrong %lu\n", sum,
           (unsigned long)records, (unsigned long)interrupts, (unsigned long)retired, (unsigned long)seconds,
           (unsigned long)collisions, (unsigned long)wrong);
    return wrong != 0;
}
