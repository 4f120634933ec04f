// One thread writes pages, protects and unprotects them, forks, and gives them back, while the others read them all the
// time: what they translate with is old or new at any moment, and each byte is the page's own or 0.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16, ROUNDS = 8, PAGES = 4, PAGE = 4096 };

static volatile int over;
static volatile unsigned char *area;
static unsigned long bad;

static void *work(void *context) {
    while (!over) {
        for (unsigned page = 0; page < PAGES; page++) {
            const unsigned byte = area[page * PAGE];
            if (byte && (byte & 15) != page + 1) __atomic_fetch_add(&bad, 1, __ATOMIC_RELAXED);
        }
    }
    return context;
}

static unsigned long read_all(void) {
    unsigned long sum = 0;
    for (unsigned page = 0; page < PAGES; page++)
        sum += area[page * PAGE];
    return sum;
}

// What the child finds in the second page, while the parent writes to the first one.
static unsigned long fork_once(void) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        area[0] = 1;
        _exit(area[PAGE]);
    }
    area[0] |= 0x80;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? (unsigned long)WEXITSTATUS(status) : 0;
}

int main(int count, char **arguments) {
    pthread_t thread[MOST];
    const unsigned threads = count > 1 ? (unsigned)atoi(arguments[1]) : 2;
    void *const pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned long sum = 0;
    if (threads < 1 || threads > MOST || pages == MAP_FAILED) return 2;
    area = pages;
    for (unsigned i = 1; i < threads; i++) {
        if (pthread_create(&thread[i], NULL, work, NULL) != 0) return 3;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        for (unsigned page = 0; page < PAGES; page++)
            area[page * PAGE] = (unsigned char)(i << 4 | (page + 1));
        if (mprotect(pages, PAGES * PAGE, PROT_READ) != 0) return 4;
        sum += read_all();
        if (mprotect(pages, PAGES * PAGE, PROT_READ | PROT_WRITE) != 0) return 4;
        if (i % 4 == 1) sum += fork_once();
        if (madvise(pages, PAGES * PAGE, MADV_DONTNEED) != 0) return 4;
        sum += read_all(); // zeros
    }
    over = 1;
    for (unsigned i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    printf("sum %lu, %lu bad\n", sum, bad);
    return bad != 0;
}
