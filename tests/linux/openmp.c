// What OpenMP's threads work out together, against what one hart does alone: a reduction, a critical section, tasks
// that wait for each other, a lock. Prints the same for any number of harts but its first line, which has how many it
// sees.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 20000, ROUNDS = 50 };

static unsigned long serial_sum(void) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < N; i++)
        sum += i * i ^ i;
    return sum;
}

static unsigned long fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned long fibonacci_of_tasks(unsigned n) {
    unsigned long a, b;
    if (n < 6) return fibonacci(n);
#pragma omp task shared(a)
    a = fibonacci_of_tasks(n - 1);
#pragma omp task shared(b)
    b = fibonacci_of_tasks(n - 2);
#pragma omp taskwait
    return a + b;
}

static bool same(const char *what, unsigned long together, unsigned long alone) {
    printf("%s %lu%s\n", what, together, together == alone ? "" : ": WRONG");
    return together == alone;
}

int main(void) {
    cpu_set_t harts;
    const int threads = omp_get_max_threads();
    unsigned long sum = 0, entered = 0, tasks = 0, locked = 0;
    unsigned team = 0, ran_on[CPU_SETSIZE] = {0};
    omp_lock_t lock;
    omp_init_lock(&lock);
    if (sched_getaffinity(0, sizeof harts, &harts) != 0) return 2;
    printf("%d harts, %ld online, %d of OpenMP, %d threads\n", CPU_COUNT(&harts), sysconf(_SC_NPROCESSORS_ONLN),
           omp_get_num_procs(), threads);
#pragma omp parallel reduction(+ : team)
    {
        team += 1;
#pragma omp barrier
        const unsigned hart = (unsigned)sched_getcpu();
#pragma omp atomic
        ran_on[hart]++;
    }
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (unsigned long i = 0; i < N; i++)
        sum += i * i ^ i;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < ROUNDS * 4; i++) {
#pragma omp critical
        entered++;
        omp_set_lock(&lock);
        locked += (unsigned long)i;
        omp_unset_lock(&lock);
    }
#pragma omp parallel
#pragma omp single
    tasks = fibonacci_of_tasks(16);
    int used = 0;
    for (int i = 0; i < CPU_SETSIZE; i++)
        used += ran_on[i] > 0;
    bool good = same("sum", sum, serial_sum());
    good &= same("entered", entered, ROUNDS * 4);
    good &= same("locked", locked, ROUNDS * 4 * (ROUNDS * 4 - 1) / 2);
    good &= same("tasks", tasks, fibonacci(16));
    if (team != (unsigned)threads) good = printf("a team of %u: WRONG\n", team) < 0;
    fprintf(stderr, "on %d harts\n", used);
    return good ? 0 : 1;
}
