// Runs a kernel twice, on half of its data to warm up, then on all of it between kernel_begin and kernel_end (run.S),
// and compares the sum of its results with the one that reference.py found: exit status 1 where they differ.
#include "kernel.h"
#include "runtime.h"

const int kernel_steps = STEPS;
void kernel_run(int n);

int main(void) {
    kernel_init();
    kernel(N / 2);
    kernel_init();
    kernel_run(N);
    struct kernel_sum sum = {0, 0};
    kernel_sum(&sum);
    double difference = sum.value - EXPECTED;
    bool ok = sum.size > 0 && (difference < 0 ? -difference : difference) <= TOLERANCE * sum.size;
    uint64_t bits;
    __builtin_memcpy(&bits, &sum.value, sizeof bits);
    return workload_result(bits, ok);
}
