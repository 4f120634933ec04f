// Threads that contend for a mutex, wait for conditions and meet at barriers: all that ends in futexes. One has to wake
// another for each step of a ring, so that a lost wake-up is a run that does not end.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16, ROUNDS = 100, LAPS = 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static unsigned threads, turn, laps;
static unsigned long counted, order;

static void *work(void *context) {
    const unsigned me = (unsigned)(size_t)context;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        counted++;
        pthread_mutex_unlock(&mutex);
    }
    pthread_barrier_wait(&barrier);
    for (int lap = 0; lap < LAPS; lap++) {
        pthread_mutex_lock(&mutex);
        while (turn != me)
            pthread_cond_wait(&turned, &mutex);
        order = order * 31 + me;
        turn = (me + 1) % threads;
        laps += turn == 0;
        pthread_cond_broadcast(&turned);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static unsigned long order_alone(void) {
    unsigned long alone = 0;
    for (unsigned i = 0; i < LAPS * threads; i++)
        alone = alone * 31 + i % threads;
    return alone;
}

int main(int count, char **arguments) {
    pthread_t thread[MOST];
    threads = count > 1 ? (unsigned)atoi(arguments[1]) : 2;
    if (threads < 1 || threads > MOST || pthread_barrier_init(&barrier, NULL, threads) != 0) return 2;
    for (unsigned i = 0; i < threads; i++) {
        if (pthread_create(&thread[i], NULL, work, (void *)(size_t)i) != 0) return 3;
    }
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    printf("%lu times, %u laps, order %lx\n", counted, laps, order);
    return counted == threads * (unsigned long)ROUNDS && laps == LAPS && order == order_alone() ? 0 : 1;
}
