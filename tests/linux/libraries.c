// Guest code for tests/linux/test_libraries.py: a program (without a macro) and the three libraries that it uses. Each
// has a function that takes time and is found by the others; the program prints where they are, and has them work in a
// child, too.
//
//   PART_HOT   libhot.so: crunch
//   PART_COLD  libcold.so: mix, and twice, which calls crunch; to be stripped
//   PART_OPEN  libopen.so: opened, which the program opens by itself
#include <stdint.h>

uint64_t crunch(uint64_t x, unsigned count);
uint64_t mix(uint64_t x);
uint64_t twice(uint64_t x);

#define WORK(name)                                                                                                     \
    __attribute__((noinline)) uint64_t name(uint64_t x, unsigned count) {                                              \
        for (unsigned i = 0; i < count; i++)                                                                           \
            __asm__ volatile("divu %0, %1, %0" : "+r"(x) : "r"(UINT64_MAX));                                           \
        return x;                                                                                                      \
    }

#ifdef PART_HOT
WORK(crunch)
#elif defined(PART_OPEN)
WORK(opened)
#elif defined(PART_COLD)
uint64_t twice(uint64_t x) {
    return crunch(x, 500) + crunch(x, 500);
}
uint64_t mix(uint64_t x) {
    for (unsigned i = 0; i < 4000; i++)
        x = (x ^ x >> 3) * 5 + i;
    return x;
}
#else
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NUMBERS = 400, BYTES = 4096 };
static long numbers[NUMBERS];
static char from[BYTES], to[BYTES];

static int order(const void *a, const void *b) {
    return (*(const long *)a > *(const long *)b) - (*(const long *)a < *(const long *)b);
}

static void where(const char *name, const void *function) {
    printf("%s %#" PRIxPTR "\n", name, (uintptr_t)function);
}

int main(void) {
    struct timespec now;
    void *library = dlopen("libopen.so", RTLD_NOW);
    uint64_t (*opened)(uint64_t, unsigned) = library ? (uint64_t(*)(uint64_t, unsigned))dlsym(library, "opened") : NULL;
    if (!opened) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    where("crunch", (void *)crunch);
    where("mix", (void *)mix);
    where("opened", (void *)opened);
    where("qsort_r", dlsym(RTLD_DEFAULT, "qsort_r"));
    where("memcpy", dlsym(RTLD_DEFAULT, "memcpy"));
    where("_dl_allocate_tls_init", dlsym(RTLD_DEFAULT, "_dl_allocate_tls_init"));
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = i * 7919 % 1009;
    qsort(numbers, NUMBERS, sizeof *numbers, order);
    for (int i = 0; i < 20; i++) {
        memcpy(to, from, sizeof to);
        clock_gettime(CLOCK_MONOTONIC, &now);
        from[i] = (char)(now.tv_nsec + to[i]);
    }
    uint64_t x = twice(3) + opened(3, 1000) + mix((uint64_t)numbers[3]);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(crunch(3, 3000) == 0);
    int status = 1;
    waitpid(child, &status, 0);
    return status || !x;
}
#endif
