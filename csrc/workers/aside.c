// The lock guards `given` and `ending`; what the job works with belongs to whoever `given` says has it.
#include "workers/aside.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct aside {
    aside_job *job;
    void *context;
    bool thread_runs;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; // `given` or `ending`
    bool given;             // to the thread, which clears it when it is through
    bool ending;
};

static void *run_thread(void *context) {
    struct aside *a = context;
    pthread_mutex_lock(&a->lock);
    while (a->given || !a->ending) {
        if (!a->given) {
            pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        pthread_mutex_unlock(&a->lock);
        a->job(a->context);
        pthread_mutex_lock(&a->lock);
        a->given = false;
        pthread_cond_signal(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

// Signals are the business of the thread that runs the model.
static bool start_thread(struct aside *a) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&a->thread, NULL, run_thread, a) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

struct aside *aside_create(aside_job *job, void *context, bool thread, struct error *err) {
    struct aside *a = error_calloc(sizeof *a, "workers", err);
    if (!a) return NULL;
    a->job = job;
    a->context = context;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    a->thread_runs = thread && start_thread(a);
    return a;
}

void aside_give(struct aside *a) {
    if (!a->thread_runs) {
        a->job(a->context);
        return;
    }
    pthread_mutex_lock(&a->lock);
    a->given = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

void aside_wait(struct aside *a) {
    if (!a->thread_runs) return;
    pthread_mutex_lock(&a->lock);
    while (a->given)
        pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
}

void aside_end(struct aside *a) {
    if (!a->thread_runs) return;
    pthread_mutex_lock(&a->lock);
    a->ending = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    a->thread_runs = false;
}

void aside_destroy(struct aside *a) {
    if (!a) return;
    aside_end(a);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}
