// Queens: places n queens by recursion with three tables of attacked lines, and counts the solutions.
// Checked against the known numbers of solutions (OEIS A000170).
#include "runtime.h"

enum { LARGEST = 12 };
static const uint32_t solutions[LARGEST + 1] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};

static bool column[LARGEST], rising[2 * LARGEST], falling[2 * LARGEST];

static uint32_t place(int row, int n) {
    if (row == n) return 1;
    uint32_t count = 0;
    for (int x = 0; x < n; x++) {
        if (column[x] || rising[row + x] || falling[row - x + n]) continue;
        column[x] = rising[row + x] = falling[row - x + n] = true;
        count += place(row + 1, n);
        column[x] = rising[row + x] = falling[row - x + n] = false;
    }
    return count;
}

int main(void) {
    const int largest = SIZED(7, 9, 10);
    uint64_t result = 0;
    bool ok = true;
    for (int n = 1; n <= largest; n++) {
        uint32_t count = place(0, n);
        ok &= count == solutions[n];
        result += count;
    }
    return workload_result(result, ok);
}
