// Threads that do a job together: each part once a job, nothing of the job before it or after it, side by side, whether
// the others look for it, sleep, or share one processor. (Under the thread sanitizer, too.)
#include "harness/team.h"
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

enum { PARTS = 7, JOBS = 3000 };
struct part {
    uint64_t done, seen; // jobs; the sum of what was given with them
    pthread_t thread;    // of the last one
    bool signals;        // that one takes SIGINT
};
static struct part parts[PARTS];
static uint64_t given; // by the caller, before the job
static atomic_uint inside;

static void do_one(struct part *p) {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    p->signals = !sigismember(&blocked, SIGINT);
    p->thread = pthread_self();
    p->done++;
    p->seen += given;
}

static void work(void *context, size_t i) {
    for (volatile unsigned turn = 0; turn < (i + given) % PARTS * 20;) // some are late
        turn = turn + 1;
    do_one((struct part *)context + i);
}

// Goes on when all parts have begun: each has a thread of its own.
static void meet(void *context, size_t i) {
    struct part *all = context;
    atomic_fetch_add(&inside, 1);
    while (atomic_load(&inside) < given)
        sched_yield();
    do_one(&all[i]);
}

static struct team *begin(unsigned threads, team_part *part, unsigned count) {
    struct error err = {""};
    struct team *t = team_create(threads, part, parts, count, &err);
    assert_non_null(t);
    for (unsigned i = 0; i < PARTS; i++)
        parts[i] = (struct part){0};
    return t;
}

// asleep: for so long that the others sleep, each time.
static void jobs_of(unsigned threads, unsigned count, unsigned jobs, bool asleep) {
    struct team *t = begin(threads, work, count);
    uint64_t sum = 0;
    for (unsigned job = 1; job <= jobs; job++) {
        given = job;
        sum += given;
        if (asleep) nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        team_do(t);
        for (unsigned i = 0; i < PARTS; i++) {
            assert_int_equal(parts[i].done, i < count ? job : 0);
            assert_int_equal(parts[i].seen, i < count ? sum : 0);
        }
    }
    team_destroy(t);
}

static void test_jobs(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        jobs_of(threads, PARTS, JOBS, false);
        jobs_of(threads, 2, JOBS / 10, false);
        jobs_of(threads, PARTS, 5, true);
    }
}

// Signals are taken by the caller alone.
static void test_side_by_side(void **state) {
    (void)state;
    struct team *t = begin(4, meet, 4);
    given = 4;
    for (unsigned job = 1; job <= 20; job++) {
        atomic_store(&inside, 0);
        team_do(t);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(parts[i].done, job);
            assert_int_equal(parts[i].signals, pthread_equal(parts[i].thread, pthread_self()) != 0);
            for (unsigned other = 0; other < i; other++)
                assert_false(pthread_equal(parts[i].thread, parts[other].thread));
        }
    }
    team_destroy(t);
}

// All on one processor: who waits does not keep it from who works.
static void test_one_processor(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    unsigned first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    jobs_of(4, PARTS, JOBS, false);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void test_no_job(void **state) {
    (void)state;
    team_destroy(begin(3, work, PARTS));
    team_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jobs), cmocka_unit_test(test_side_by_side),
                                       cmocka_unit_test(test_one_processor), cmocka_unit_test(test_no_job)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
