// Processes with address spaces of their own hand a token round. All use the same virtual addresses, and the memory is
// too small for all of them: switches of satp, TLBs that all share, and pages that one takes from another.
// The balance stays in a floating-point register over the switch. Checked against tests/workloads/expected.py.
#include "supervisor.h"

#define PROCESSES SIZED(2, 3, 4)
#define ROUNDS SIZED(40u, 220u, 900u)
PROGRAM(.frames = SIZED(26, 36, 44), .processes = PROCESSES);
static const uint64_t expected = SIZED(0xccdd86511a331687u, 0xbb13d61de32a56e0u, 0x37f3745c29685a2fu);

enum { PAGES = 12, PAGE_WORDS = PAGE_BYTES / 8, TOUCHED = 6 };
static uint64_t state[PAGES][PAGE_WORDS] __attribute__((aligned(4096)));

int main(int process) {
    double balance = process;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t token = syscall3(SYS_MAIL, 0, 0, 0);
        for (uint32_t i = 0; i < TOUCHED; i++) {
            uint64_t *word = &state[(token >> 7) % PAGES][(token >> 20) % 4];
            *word += token ^ (uint64_t)process;
            token = (token + *word) * 0x100000001b3u + i;
            token ^= token >> 32;
        }
        balance = balance * 0.5 + (double)(token & 0xffff);
        syscall3(SYS_YIELD, token + (uint64_t)balance, 0, 0);
    }
    if (process != 0) return 0;
    // All have done their last round: only process 0 is past its loop, and the others are where they yielded.
    const uint64_t token = syscall3(SYS_MAIL, 0, 0, 0);
    const bool switched = syscall3(SYS_COUNT, COUNT_SWITCHES, 0, 0) == PROCESSES * ROUNDS;
    return workload_result(token, token == expected && switched);
}
