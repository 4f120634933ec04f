// Threads and processes that map, write, protect, unmap and fork at the same time: page tables that other harts use
// change, and so do pages that two processes share until one of them writes.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16, ROUNDS = 6, PAGES = 3, PAGE = 4096 };

static unsigned threads;
static volatile unsigned long shared[MOST * 8];
static pthread_barrier_t barrier;
static volatile unsigned char *volatile area;

static void *work(void *context) {
    const unsigned me = (unsigned)(size_t)context;
    unsigned long sum = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        if (me == i % threads) area = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        pthread_barrier_wait(&barrier);
        for (unsigned page = 0; page < PAGES; page++) // each thread's byte of each page
            area[page * PAGE + me] = (unsigned char)(i + me);
        pthread_barrier_wait(&barrier);
        for (unsigned page = 0; page < PAGES; page++)
            for (unsigned other = 0; other < threads; other++)
                sum += area[page * PAGE + other];
        pthread_barrier_wait(&barrier);
        if (me == (i + 1) % threads) {
            mprotect((void *)area, PAGES * PAGE, PROT_READ);
            sum += area[me];
            munmap((void *)area, PAGES * PAGE);
        }
        shared[8 * me] = sum;
    }
    return NULL;
}

// A child and its parent write to the same pages: each gets its own.
static unsigned long forks(void) {
    unsigned long sum = 0;
    unsigned char *data = malloc(8 * PAGE);
    memset(data, 1, 8 * PAGE);
    for (unsigned i = 0; i < 3; i++) {
        const pid_t child = fork();
        if (child == 0) {
            unsigned seen = 0;
            for (unsigned page = 0; page < 8; page++) {
                data[page * PAGE] += 1;
                seen += data[page * PAGE];
            }
            _exit((int)seen);
        }
        for (unsigned page = 0; page < 8; page++)
            data[page * PAGE] += 2;
        int status;
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 0;
        sum = 100 * sum + (unsigned long)WEXITSTATUS(status);
    }
    return sum + data[0];
}

int main(int count, char **arguments) {
    pthread_t thread[MOST];
    threads = count > 1 ? (unsigned)atoi(arguments[1]) : 2;
    if (threads < 1 || threads > MOST || pthread_barrier_init(&barrier, NULL, threads) != 0) return 2;
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)(size_t)i) != 0) return 3;
    unsigned long sum = 0, want = 0;
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < threads; i++)
        sum += shared[8 * i];
    for (unsigned i = 0; i < ROUNDS; i++) {
        for (unsigned me = 0; me < threads; me++)
            want += (unsigned long)threads * PAGES * (unsigned char)(i + me);
        want += i + (i + 1) % threads;
    }
    const unsigned long forked = forks();
    printf("%lu, %lu expected; forks %lu\n", sum, want, forked);
    return sum == want ? 0 : 1;
}
