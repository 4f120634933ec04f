// The feed: what is emitted reaches the workers whole and in order, with a thread and without; and a worker's error is
// reported with an entry that depends on its place and on the size of the batches alone.
#include "workers/feed.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { NEVER = -1, ALL = 700, NEEDS = DPI_BUNDLE | DPI_RETIRE | DPI_SELECT | DPI_STAGES | DPI_SIGNALS };

// ---- a worker that writes down all that is shown to it, and fails at an entry ----
struct record {
    unsigned char *bytes;
    size_t count, capacity;
    int entries, explained;
};
static struct record record;
static int fails_at, fails_with;

static void note(const void *from, size_t bytes) {
    if (record.count + bytes > record.capacity) {
        record.capacity = 2 * (record.count + bytes);
        record.bytes = realloc(record.bytes, record.capacity);
        assert_non_null(record.bytes);
    }
    memcpy(record.bytes + record.count, from, bytes);
    record.count += bytes;
}

static void note_left(const struct trace_left *left) {
    note(&left->count, sizeof left->count);
    note(left->retired, left->count * sizeof left->retired[0]);
    note(&left->fflags, sizeof left->fflags);
    note(&left->trap.valid, sizeof left->trap.valid);
    if (left->trap.valid) note(&left->trap, sizeof left->trap);
    note(&left->host_write_count, sizeof left->host_write_count);
    note(left->host_writes, left->host_write_count * sizeof left->host_writes[0]);
}

static int noted(struct error *err) {
    if (record.entries++ != fails_at) return 0;
    error_set(err, "entry %d", fails_at);
    return fails_with;
}

static int on_cycle(void *state, const struct worker_view *v, struct error *err) {
    (void)state;
    note(&v->cycle, sizeof v->cycle);
    note(&v->count, sizeof v->count);
    note(v->bundle, sizeof *v->bundle);
    note(v->select, sizeof *v->select);
    note(v->oir, sizeof *v->oir);
    note(&v->stages->count, sizeof v->stages->count);
    note(v->stages->list, v->stages->count * sizeof v->stages->list[0]);
    note(v->signals, sizeof *v->signals);
    note_left(v->left);
    return noted(err);
}

static int on_memory(void *state, const struct memory_event *event, struct error *err) {
    struct memory_event plain = *event;
    (void)state;
    plain.data = NULL;
    note(&plain.kind, sizeof plain.kind);
    note(&plain.tick, sizeof plain.tick);
    note(&plain.address, sizeof plain.address);
    note(&plain.timer, sizeof plain.timer);
    if (event->data) note(event->data, 64);
    return noted(err);
}

static int on_counter(void *state, const struct counter_event *event, struct error *err) {
    (void)state;
    note(&event->read, sizeof event->read);
    note(&event->number, sizeof event->number);
    note(&event->cycle, sizeof event->cycle);
    note(&event->value, sizeof event->value);
    return noted(err);
}

static void on_sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    (void)state;
    (void)taken;
    note(bundle, sizeof *bundle);
    note(&cycle, sizeof cycle);
    record.entries++;
}

static void explain(void *state, FILE *out) {
    (void)state;
    (void)out;
    record.explained++;
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    (void)err;
    return &record;
}
static uint32_t groups(void *state) {
    (void)state;
    return DPI_SIGNALS;
}
static void destroy(void *state) {
    (void)state;
}

static const struct worker_ops recorder = {.name = "recorder",
                                           .text = "",
                                           .needs = NEEDS | WORKER_MEMORY,
                                           .standard = WORKER_WITH_ORACLE,
                                           .create = create,
                                           .groups = groups,
                                           .cycle = on_cycle,
                                           .memory = on_memory,
                                           .counter = on_counter,
                                           .sample = on_sample,
                                           .explain = explain,
                                           .destroy = destroy};

static struct workers *make(int at, int with) {
    static const struct worker_ops *const rows[] = {&recorder, NULL};
    struct error err;
    fails_at = at;
    fails_with = with;
    free(record.bytes);
    record = (struct record){0};
    const struct workers_options options = {.run = {.width = 2}, .command = "tipoff", .oracle = true, .rows = rows};
    struct workers *w = workers_create(&options, &err);
    assert_non_null(w);
    return w;
}

// ---- a run: entries of all kinds, by a random number each ----
static uint64_t random_step(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void fill(void *to, size_t bytes, uint64_t *state) { // with 0 and 1: a bool is one of the two
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)to)[i] = random_step(state) & 1;
}

static void make_cycle(struct trace_cycle *c, uint64_t *state) {
    uint64_t cycle = c->cycle + 1;
    fill(c, sizeof *c, state);
    c->cycle = cycle;
    c->left.count = (unsigned)(random_step(state) % (MAX_LANES + 1));
    c->left.host_write_count = random_step(state) % 4 ? 0 : (unsigned)(random_step(state) % (MAX_HOST_WRITES + 1));
    c->stages.count = (unsigned)(random_step(state) % (MAX_STAGES + 1));
}

// Emits the i-th entry: to the feed, or to the workers themselves.
static int tell(struct feed *f, struct workers *w, struct trace_cycle *c, uint64_t *state, struct error *err) {
    uint64_t data[8], kind = random_step(state) % 8;
    if (kind == 0) {
        fill(data, sizeof data, state);
        const struct memory_event event = {.kind = MEMORY_WRITE,
                                           .tick = random_step(state),
                                           .address = 64,
                                           .data = random_step(state) & 1 ? data : NULL};
        int result = f ? feed_memory(f, &event, err) : workers_memory(w, &event, err);
        memset(data, 0xff, sizeof data); // it is the teller's again
        return result;
    }
    if (kind == 1) {
        if (f) return feed_sample(f, c->cycle, true, err);
        workers_sample(w, c->cycle, true);
        return 0;
    }
    if (kind == 2) {
        uint64_t count = 1 + random_step(state) % 1000;
        c->cycle++;
        c->left.count = c->left.host_write_count = c->stages.count = 0;
        c->left.trap.valid = false;
        int result = f ? feed_quiet(f, c->cycle, count, err) : workers_cycle(w, c, count, err);
        c->cycle += count - 1;
        return result;
    }
    if (kind == 3) {
        const struct counter_event event = {
            .read = random_step(state) & 1, .number = 5, .cycle = random_step(state), .value = random_step(state)};
        return f ? feed_counter(f, &event, err) : workers_counter(w, &event, err);
    }
    make_cycle(c, state);
    return f ? feed_cycle(f, c, err) : workers_cycle(w, c, 1, err);
}

static void begin(struct trace_cycle *c, uint64_t *state) {
    memset(c, 0, sizeof *c);
    *state = 12345;
}

// What the workers are shown without a feed.
static struct record expected(int at) {
    static struct trace_cycle c;
    struct error err;
    uint64_t state;
    struct workers *w = make(at, -EIO);
    begin(&c, &state);
    assert_int_equal(workers_cycle(w, &c, 1, &err), at == 0 ? -EIO : 0); // a sample belongs to a cycle
    for (int i = 1, result = 0; i < ALL && result == 0 && at != 0; i++)
        result = tell(NULL, w, &c, &state, &err);
    workers_destroy(w);
    struct record all = record;
    record = (struct record){0};
    return all;
}

// Emits all entries; the number of the one with which the error was reported: ALL for feed_finish, NEVER.
static int emit_all(struct workers *w, size_t entries, bool thread, int count, int error) {
    static struct trace_cycle c;
    struct error err = {""};
    uint64_t state;
    struct feed *f = feed_create(w, entries, thread, &err);
    assert_non_null(f);
    begin(&c, &state);
    int result = feed_cycle(f, &c, &err), at = 0;
    while (result == 0 && ++at < count)
        result = tell(f, w, &c, &state, &err);
    int finished = feed_finish(f, &err);
    if (result < 0) assert_int_equal(finished, result);
    if (result == 0) at = ALL;
    if (finished == 0) at = NEVER;
    if (finished < 0) {
        char text[32];
        snprintf(text, sizeof text, "entry %d", fails_at);
        assert_int_equal(finished, error);
        assert_string_equal(err.text, text);
    }
    feed_destroy(f);
    return at;
}

static const size_t sizes[] = {1, 2, 3, 16, 256, 5000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void test_order(void **unused) {
    struct record all = expected(NEVER);
    (void)unused;
    assert_int_equal(all.entries, ALL);
    for (unsigned i = 0; i < 2 * SIZES; i++) {
        struct workers *w = make(NEVER, 0);
        assert_int_equal(emit_all(w, sizes[i / 2], i & 1, ALL, 0), NEVER);
        assert_int_equal(record.entries, all.entries);
        assert_int_equal(record.count, all.count);
        assert_memory_equal(record.bytes, all.bytes, all.count);
        workers_destroy(w);
    }
    free(all.bytes);
}

static int without_stderr(int to) { // what workers_explain writes there
    fflush(stderr);
    int before = dup(STDERR_FILENO);
    dup2(to, STDERR_FILENO);
    return before;
}

// The batch after the one with the error is shown whole, and its last entry reports it; or feed_finish does.
static void test_error(void **unused) {
    static const int places[] = {0, 1, 2, 5, 15, 16, 255, 256, 257, 600, ALL - 2, ALL - 1};
    int null = open("/dev/null", O_WRONLY);
    (void)unused;
    for (unsigned i = 0; i < 2 * SIZES; i++) {
        const int size = (int)sizes[i / 2];
        for (unsigned k = 0; k < sizeof places / sizeof *places; k++) {
            struct record all = expected(places[k]);
            int failed = all.entries - 1; // a sample cannot fail: the next entry that can
            struct workers *w = make(places[k], k & 1 ? -EBADMSG : -ETIMEDOUT);
            int last = (failed / size + 2) * size - 1, before = without_stderr(null);
            int at = emit_all(w, sizes[i / 2], i & 1, ALL, fails_with);
            dup2(before, STDERR_FILENO);
            close(before);
            assert_int_equal(at, failed != places[k] ? NEVER : last < ALL ? last : ALL);
            if (failed == places[k]) assert_int_equal(record.explained, fails_with == -EBADMSG);
            assert_int_equal(record.count, all.count); // and nothing after it was shown
            assert_memory_equal(record.bytes, all.bytes, all.count);
            workers_destroy(w);
            free(all.bytes);
        }
    }
    close(null);
}

// What a core that hangs emits is little: handed over by the clock, it is shown in time.
static void test_hand_over(void **unused) {
    static struct trace_cycle c;
    struct error err;
    (void)unused;
    for (unsigned thread = 0; thread < 2; thread++) {
        struct workers *w = make(1, -EIO);
        struct feed *f = feed_create(w, 256, thread, &err);
        assert_int_equal(feed_cycle(f, &c, &err), 0);
        assert_int_equal(feed_hand_over(f, &err), 0);
        assert_int_equal(feed_quiet(f, 1, 16384, &err), 0);
        assert_int_equal(feed_hand_over(f, &err), 0);
        assert_int_equal(feed_hand_over(f, &err), -EIO);
        assert_int_equal(feed_finish(f, &err), -EIO);
        feed_destroy(f);
        workers_destroy(w);
    }
}

// A run that never came to feed_finish.
static void test_abandoned(void **unused) {
    static struct trace_cycle c;
    struct error err;
    (void)unused;
    struct workers *w = make(NEVER, 0);
    struct feed *f = feed_create(w, 2, true, &err);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(feed_cycle(f, &c, &err), 0);
    feed_destroy(f);
    assert_true(record.entries <= 4);
    workers_destroy(w);
    feed_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_error),
                                       cmocka_unit_test(test_hand_over), cmocka_unit_test(test_abandoned)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(record.bytes);
    return failed;
}
