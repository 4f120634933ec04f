// Waveforms of several models in one process (model_waves.h): each hears of its own full disk, in whatever thread it
// runs, and a fault of memory that is no write of waveforms stays the program's.
#include "harness/model.h"
#include "trace/dpi.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

// A writer that has failed cannot be closed, for it would write: what it holds stays.
const char *__asan_default_options(void);  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
const char *__asan_default_options(void) { // NOLINT(bugprone-reserved-identifier)
    return "detect_leaks=0";
}

static char folder[] = "/tmp/test_waves_XXXXXX";
static const struct model_api *api;
static volatile int *empty_page; // of a file that has none: a fault
static sigjmp_buf mine;
static const volatile int never;

static void on_fault(int number) {
    (void)number;
    siglongjmp(mine, 1);
}

static void handle(void) { // in each test: cmocka has its own handler
    struct sigaction action = {.sa_handler = on_fault};
    sigaction(SIGBUS, &action, NULL);
}

static bool faults_to_me(void) {
    if (sigsetjmp(mine, 1)) return true;
    (void)*empty_page;
    return false;
}

static int prepare(void **state) {
    (void)state;
    FILE *empty = tmpfile();
    void *library = dlopen(TIPOFF_ROOT "/build/small2/model-fst.so", RTLD_NOW | RTLD_LOCAL);
    const struct model_api *(*entry)(void) =
        library ? (const struct model_api *(*)(void))dlsym(library, "tipoff_model") : NULL;
    if (!entry || !empty || !mkdtemp(folder)) return -1;
    signal(SIGXFSZ, SIG_IGN); // the writer hears of it by its calls
    api = entry();
    empty_page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(empty), 0);
    return api->version == MODEL_VERSION && empty_page != MAP_FAILED ? 0 : -1;
}

// A core out of reset that gets no answer from memory, with waveforms.
static struct dpi_client silent;
struct traced {
    struct dpi *dpi;
    struct model *model;
    char path[64];
    int fault;
};

static uint32_t tick(void *context, uint64_t *mtime) {
    (void)context;
    (void)mtime;
    return 0;
}
static void line_read(void *context, int port, unsigned id, uint64_t addr) {
    (void)context;
    (void)port;
    (void)id;
    (void)addr;
}
static void show(void *context, const struct trace_cycle *cycle) {
    (void)context;
    (void)cycle;
}
static void show_quiet(void *context, const struct trace_cycle *cycle, uint64_t count) {
    (void)context;
    (void)cycle;
    (void)count;
}

static void begin(struct traced *t, const char *name) {
    struct error err;
    silent = (struct dpi_client){.tick = tick, .line_read = line_read, .cycle = show, .quiet = show_quiet};
    snprintf(t->path, sizeof t->path, "%s/%s.fst", folder, name);
    assert_non_null(t->dpi = dpi_create(&silent, &err));
    dpi_enter(t->dpi);
    assert_non_null(t->model = api->create(true, 1));
    assert_int_equal(api->dump_open(t->model, t->path), 0);
}

static void run(struct traced *t, uint64_t cycles) {
    dpi_enter(t->dpi);
    api->run(t->model, cycles, &never);
    t->fault = api->dump_fault(t->model);
}

static void finish(struct traced *t, int fault) {
    dpi_enter(t->dpi);
    assert_int_equal(api->dump_close(t->model), fault);
    assert_int_equal(access(t->path, F_OK), fault ? -1 : 0);
    api->destroy(t->model);
    dpi_enter(NULL);
    dpi_destroy(t->dpi);
    unlink(t->path);
}

static void test_turns(void **state) {
    (void)state;
    handle();
    for (int last = 0; last < 2; last++) { // ends first, or last
        struct traced t[2];
        begin(&t[0], "a");
        begin(&t[1], "b");
        for (int i = 0; i < 4; i++)
            run(&t[i % 2], 50);
        assert_true(faults_to_me());
        finish(&t[last], 0);
        assert_true(faults_to_me());
        run(&t[!last], 50);
        finish(&t[!last], 0);
        assert_true(faults_to_me());
    }
}

static void *run_in_thread(void *traced) {
    run(traced, 20000);
    return NULL;
}

// Files of a number of bytes at most: both meet that while the other writes, too.
static void test_full(void **state) {
    (void)state;
    struct traced t[2];
    struct rlimit before, few;
    pthread_t threads[2];
    handle();
    getrlimit(RLIMIT_FSIZE, &before);
    few = before;
    few.rlim_cur = 40 << 10;
    begin(&t[0], "a");
    begin(&t[1], "b");
    setrlimit(RLIMIT_FSIZE, &few);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, &t[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        finish(&t[i], -ENOSPC);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(faults_to_me());
}

static int clean(void **state) {
    (void)state;
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turns), cmocka_unit_test(test_full)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
