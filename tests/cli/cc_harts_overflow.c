// The hart that the program's argument names goes deeper than its stack is.
#include <stdlib.h>

#ifndef FRAME // bytes
#define FRAME 1000
#endif

static unsigned long who = ~0ul;

__attribute__((noinline)) static int deep(int n) {
    volatile char here[FRAME];
    here[n % 1000] = 1;
    return n < 1000000 ? deep(n + 1) + here[n % 1000] : 0;
}

void tipoff_hart_main(unsigned long hart) {
    while (__atomic_load_n(&who, __ATOMIC_ACQUIRE) != hart)
        ;
    deep(0);
}

int main(int argc, char **argv) {
    __atomic_store_n(&who, argc > 1 ? strtoul(argv[1], NULL, 10) : 0, __ATOMIC_RELEASE);
    if (who == 0) deep(0);
    for (;;)
        ;
}
