// All harts print and allocate at once, till the first that is done ends the run as the program's first argument says:
// by main's return, by traps of the others, or by an exit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 40 };
static volatile unsigned long harts; // 0: main has not begun
static volatile unsigned done;
static volatile char way;

static void work(unsigned long hart) {
    for (unsigned i = 0; i < LINES; i++) {
        const size_t size = 100 + 10 * i + hart;
        char *mine = malloc(size);
        FILE *file = fopen("text", "r");
        memset(mine, (int)hart + 1, size);
        printf("hart %lu line %u, of some length %g and more\n", hart, i, 1.5 * i);
        if (!file || getc(file) != 't') puts("not read");
        for (size_t k = 0; k < size; k++)
            if (mine[k] != (char)(hart + 1)) puts("another hart's memory");
        if (file) fclose(file);
        free(mine);
    }
    __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
}

void tipoff_hart_main(unsigned long hart) {
    while (!harts)
        ;
    work(hart);
    while (way == 't' && done != harts)
        ;
    if (way == 't' && hart % 2) __asm__ volatile(".word 0"); // all at the same time, in two ways
    if (way == 't') __asm__ volatile("sd zero, 8(zero)");
    if (way == 'e') exit(7);
}

int main(int argc, char **argv) {
    way = argv[1][0];
    harts = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    work(0);
    while (way != 'r' || done != harts)
        ;
    return 3;
}
