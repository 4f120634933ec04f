// A guest program for tests/linux/test_report.py: parent and child do the same work at the same virtual address, the
// child three times as often; and the kernel is asked for time of its own.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DIVISIONS = 2000, MORE = 3, CALLS = 100 };

__attribute__((noinline)) uint64_t work(uint64_t x, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        __asm__ volatile("divu %0, %1, %0" : "+r"(x) : "r"(UINT64_MAX));
    return x;
}

int main(void) {
    uint64_t x = work(3, DIVISIONS);
    pid_t child = fork();
    if (child == 0) _exit(work(3, MORE * DIVISIONS) == 0);
    int status = 1;
    waitpid(child, &status, 0);
    for (int i = 0; i < CALLS; i++)
        x += (uint64_t)getppid();
    printf("%d\n", status || !x);
    return 7;
}
