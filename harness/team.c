// Jobs are numbered: a part belongs to whoever first writes the job's number to it. The caller waits until as many
// parts are done as there are.
#include "harness/team.h"
#include "base/cpus.h"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    LINE = 64,  // bytes that two threads are not to share
    LOOKS = 600 // at a word before sleeping: about as long as a turn of a hart takes
};

// A word that some change and others wait for.
struct awaited {
    _Alignas(LINE) atomic_uint value;
    atomic_bool asleep; // somebody may be, in the kernel
};
_Static_assert(sizeof(atomic_uint) == sizeof(uint32_t), "the kernel waits for words of 32 bits");

struct place {                        // of a part
    _Alignas(LINE) atomic_uint begun; // the number of the last job whose part somebody has begun
};
struct member {
    struct team *team;
    unsigned number; // 0 is the caller
    pthread_t thread;
};
struct team {
    struct awaited job;  // its number
    struct awaited left; // parts that are not done
    atomic_bool ending;
    unsigned threads, looks;
    team_part *part;
    void *context;
    size_t count;
    struct member *members;
    struct place places[];
};

// ---- waiting ----
static void pause_briefly(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

// Until it is another than `seen`.
static unsigned await(struct awaited *w, unsigned seen, unsigned looks) {
    unsigned value;
    for (unsigned i = 0; (value = atomic_load(&w->value)) == seen && i < looks; i++)
        pause_briefly();
    while (value == seen) {
        atomic_store(&w->asleep, true); // before the kernel looks: who changes it after that wakes
        syscall(SYS_futex, &w->value, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
        value = atomic_load(&w->value);
    }
    return value;
}

static void wake(struct awaited *w) {
    if (atomic_load(&w->asleep) && atomic_exchange(&w->asleep, false))
        syscall(SYS_futex, &w->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

// ---- the job ----
static void do_part(struct team *t, size_t i, unsigned job) {
    unsigned before = job - 1;
    if (!atomic_compare_exchange_strong(&t->places[i].begun, &before, job)) return;
    t->part(t->context, i);
    if (atomic_fetch_sub(&t->left.value, 1) == 1) wake(&t->left);
}

static void do_parts(struct team *t, unsigned number, unsigned job) {
    for (size_t i = number; i < t->count; i += t->threads)
        do_part(t, i, job);
    for (size_t i = 0; i < t->count; i++)
        do_part(t, i, job);
}

static void *run_thread(void *context) {
    const struct member *m = context;
    struct team *t = m->team;
    for (unsigned job = 0;;) {
        job = await(&t->job, job, t->looks);
        if (atomic_load(&t->ending)) return NULL;
        do_parts(t, m->number, job);
    }
}

static void do_alone(struct team *t) {
    for (size_t i = 0; i < t->count; i++)
        t->part(t->context, i);
}

void team_do(struct team *t) {
    if (t->threads == 1) {
        do_alone(t);
        return;
    }
    atomic_store(&t->left.value, (unsigned)t->count);
    const unsigned job = atomic_fetch_add(&t->job.value, 1) + 1;
    wake(&t->job);
    do_parts(t, 0, job);
    for (unsigned left; (left = atomic_load(&t->left.value)) != 0;)
        await(&t->left, left, t->looks);
}

// ---- set-up ----
// Signals are the business of the caller, but for what a thread's own access does (harness/model_waves.h).
static void start_threads(struct team *t, unsigned threads) {
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (t->threads = 1; t->threads < threads; t->threads++) {
        struct member *m = &t->members[t->threads];
        *m = (struct member){.team = t, .number = t->threads};
        if (pthread_create(&m->thread, NULL, run_thread, m) != 0) break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct team *team_create(unsigned threads, team_part *part, void *context, size_t count, struct error *err) {
    struct team *t = aligned_alloc(LINE, sizeof *t + count * sizeof *t->places);
    struct member *members = calloc(threads, sizeof *members);
    if (!t || !members) {
        error_nomem(err, "threads");
        free(t);
        free(members);
        return NULL;
    }
    *t = (struct team){.looks = cpus_available() < threads ? 0 : LOOKS,
                       .part = part,
                       .context = context,
                       .count = count,
                       .members = members};
    for (size_t i = 0; i < count; i++)
        t->places[i] = (struct place){0};
    start_threads(t, threads);
    return t;
}

void team_destroy(struct team *t) {
    if (!t) return;
    atomic_store(&t->ending, true);
    atomic_fetch_add(&t->job.value, 1);
    wake(&t->job);
    for (unsigned i = 1; i < t->threads; i++)
        pthread_join(t->members[i].thread, NULL);
    free(t->members);
    free(t);
}
