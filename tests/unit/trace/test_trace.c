// The model's DPI calls put together to cycles, and the tracers that write them.
#include "base/container.h"
#include "trace/dpi.h"
#include "trace/tracer.h"
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// ---- DPI ----
struct log {
    struct {
        uint64_t cycle, count, pc0, pc1;
        bool quiet;
        uint8_t commit;
        unsigned retired;
    } emitted[16];
    unsigned n;
    struct retired first;
};

static void on_cycle(void *context, const struct trace_cycle *c) {
    struct log *l = context;
    l->emitted[l->n].cycle = c->cycle, l->emitted[l->n].count = 1;
    l->emitted[l->n].pc0 = c->bundle.pc[0], l->emitted[l->n].pc1 = c->bundle.pc[1];
    l->emitted[l->n].commit = c->bundle.commit, l->emitted[l->n].retired = c->left.count;
    if (c->left.count) l->first = c->left.retired[0];
    l->n++;
}
static void on_quiet(void *context, const struct trace_cycle *c, uint64_t count) {
    struct log *l = context;
    l->emitted[l->n].cycle = c->cycle, l->emitted[l->n].count = count, l->emitted[l->n].quiet = true;
    l->emitted[l->n].pc0 = c->bundle.pc[0], l->emitted[l->n].pc1 = c->bundle.pc[1];
    l->n++;
}

static void lane(unsigned i, uint64_t pc, uint32_t insn) {
    tipoff_current_cycle()->bundle.pc[i] = pc;
    tipoff_current_cycle()->bundle.insn[i] = insn;
}

static void commit(uint64_t cycle, uint8_t valid, uint8_t commits) {
    struct commit_bundle *b = &tipoff_current_cycle()->bundle;
    b->valid = valid;
    b->commit = commits;
    b->rob_empty = !valid;
    tipoff_commit(cycle);
}

static void test_dpi(void **state) {
    (void)state;
    struct log l = {0};
    struct dpi_client client = {.context = &l, .cycle = on_cycle, .quiet = on_quiet};
    struct error err;
    struct dpi *dpi = dpi_create(&client, &err);
    assert_non_null(dpi);
    dpi_enter(dpi);
    lane(0, 0x100, 0x13);
    lane(1, 0x104, 0x13);
    commit(0, 3, 0); // both wait
    tipoff_quiet(5); // cycles 1..4 were as cycle 0
    tipoff_retire(0, 1, 5, 77);
    tipoff_retire_store(0x1000, 0xffffffffffffffff, 1);
    lane(1, 0x204, 0x13); // the bundle comes after what retired; lane 0 is as it was
    commit(5, 3, 1);
    commit(6, 3, 0);
    assert_true(dpi_finish(dpi, 9));
    dpi_destroy(dpi);

    assert_int_equal(l.n, 5);
    assert_true(!l.emitted[0].quiet && l.emitted[0].cycle == 0 && l.emitted[0].pc1 == 0x104);
    assert_true(l.emitted[1].quiet && l.emitted[1].cycle == 1 && l.emitted[1].count == 4);
    assert_int_equal(l.emitted[1].pc1, 0x104); // the next bundle came later
    assert_true(!l.emitted[2].quiet && l.emitted[2].cycle == 5 && l.emitted[2].commit == 1 &&
                l.emitted[2].retired == 1);
    assert_true(l.emitted[2].pc0 == 0x100 && l.emitted[2].pc1 == 0x204);
    assert_int_equal(l.emitted[3].retired, 0);
    assert_true(l.emitted[4].quiet && l.emitted[4].cycle == 7 && l.emitted[4].count == 2);
    assert_true(l.first.rd_written && l.first.rd == 5 && l.first.rd_value == 77 && !l.first.rd_fp);
    assert_true(l.first.stored && l.first.store_bytes == 2 && l.first.store_data == 0xffff); // masked to its size
    assert_true(l.first.pc == 0x100 && l.first.insn == 0x13);
}

static void test_gap(void **state) { // a cycle without a call after one in which something committed
    (void)state;
    struct log l = {0};
    struct dpi_client client = {.context = &l, .cycle = on_cycle, .quiet = on_quiet};
    struct error err;
    struct dpi *dpi = dpi_create(&client, &err);
    dpi_enter(dpi);
    commit(0, 1, 1);
    tipoff_quiet(2);
    commit(2, 1, 0);
    assert_false(dpi_finish(dpi, 3));
    dpi_destroy(dpi);
    dpi = dpi_create(&client, &err);
    dpi_enter(dpi);
    commit(0, 1, 0);
    commit(2, 1, 0); // cycle 1 is neither emitted nor counted
    assert_false(dpi_finish(dpi, 3));
    dpi_destroy(dpi);
}

// Two models whose calls interleave: each client gets the cycles of its own, in threads of their own, too.
static void *commit_in_thread(void *context) {
    dpi_enter(context);
    commit(1, 1, 0);
    return NULL;
}

static void test_two_models(void **state) {
    (void)state;
    struct log logs[2] = {0};
    struct error err;
    const struct dpi_client clients[2] = {{.context = &logs[0], .cycle = on_cycle, .quiet = on_quiet, .options = 1},
                                          {.context = &logs[1], .cycle = on_cycle, .quiet = on_quiet, .options = 2}};
    struct dpi *dpi[2] = {dpi_create(&clients[0], &err), dpi_create(&clients[1], &err)};
    for (unsigned i = 0; i < 2; i++) {
        dpi_enter(dpi[i]);
        assert_int_equal(tipoff_options(), i + 1);
        lane(0, 0x100 * (i + 1), 0x13);
        tipoff_retire(0, 1, 5, i); // of the cycle that is closed after the other one's
    }
    for (unsigned i = 2; i-- > 0;) {
        dpi_enter(dpi[i]);
        commit(0, 1, 1);
    }
    commit(1, 1, 0); // of the first one still
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, commit_in_thread, dpi[1]), 0);
    pthread_join(thread, NULL);
    assert_int_equal(tipoff_options(), 1); // what another thread enters changes nothing here
    assert_true(dpi_finish(dpi[1], 5) && dpi_finish(dpi[0], 2));
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(logs[i].n, 2 + i); // the second one has quiet cycles behind
        assert_true(logs[i].emitted[0].pc0 == 0x100 * (i + 1) && logs[i].emitted[0].retired == 1);
        assert_int_equal(logs[i].first.rd_value, i);
        assert_true(logs[i].emitted[1].cycle == 1 && logs[i].emitted[1].retired == 0);
    }
    assert_true(logs[1].emitted[2].quiet && logs[1].emitted[2].count == 3);
    dpi_destroy(dpi[0]);
    dpi_destroy(dpi[1]);
}

// ---- tracers ----
static const struct trace_cycle sample = {
    .cycle = 41,
    .bundle = {.valid = 3,
               .commit = 1,
               .mispredict = 1,
               .flush = 0,
               .pc = {0x80000000, 0x80000004},
               .psv = {8, 64},
               .oldest = 0,
               .dispatch_valid = 1,
               .dispatch_pc = {0x80000100, 0x80000104}},
};

static void trace(const char *format, const char *path) {
    struct error err = {""};
    const struct tracer_format *f = tracer_find(format, &err);
    assert_non_null(f);
    struct tracer *t = f->create(path, 2, "", &err);
    assert_non_null(t);
    struct trace_cycle quiet = {.cycle = 42, .bundle = {.rob_empty = true}};
    assert_int_equal(f->cycle(t, sample.cycle, 1, &sample.bundle, &err), 0);
    assert_int_equal(f->cycle(t, 42, 3, &quiet.bundle, &err), 0);
    assert_int_equal(f->close(t, &err), 0);
}

static void test_csv(void **state) {
    (void)state;
    static const char *const lines[] = {
        "cycle,rob_empty,oldest,exception,exception_pc,valid0,commit0,pc0,mispredict0,flush0,psv0,valid1,commit1,pc1,"
        "mispredict1,"
        "flush1,psv1,dispatch_valid0,dispatch_pc0,dispatch_valid1,dispatch_pc1\n",
        "41,0,0,0,0x0,1,1,0x80000000,1,0,8,1,0,0x80000004,0,0,64,1,0x80000100,0,0x80000104\n",
        "42,1,0,0,0x0,0,0,0x0,0,0,0,0,0,0x0,0,0,0,0,0x0,0,0x0\n",
        "43,1,0,0,0x0,0,0,0x0,0,0,0,0,0,0x0,0,0,0,0,0x0,0,0x0\n",
        "44,1,0,0,0x0,0,0,0x0,0,0,0,0,0,0x0,0,0,0,0,0x0,0,0x0\n",
    };
    char path[] = "/tmp/test_trace_XXXXXX", line[1024];
    close(mkstemp(path));
    trace("csv", path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line, lines[i]);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    unlink(path);
}

static void test_bin(void **state) { // a complete container with a header and something in it
    (void)state;
    char path[] = "/tmp/test_trace_XXXXXX";
    close(mkstemp(path));
    trace("bin", path);
    struct error err = {""};
    struct container_reader *r = container_open(path, "trace", 1, 1, &err);
    assert_non_null(r);
    uint32_t type;
    const uint8_t *data;
    size_t bytes, blocks = 0;
    enum container_result result;
    while ((result = container_next(r, &type, &data, &bytes, &err)) == CONTAINER_BLOCK)
        blocks++;
    assert_int_equal(result, CONTAINER_COMPLETE);
    assert_true(blocks >= 2);
    container_destroy(r);
    unlink(path);
}

static void test_refusals(void **state) {
    (void)state;
    struct error err = {""};
    assert_null(tracer_find("xml", &err));
    assert_non_null(strstr(err.text, "'xml'"));
    assert_non_null(strstr(err.text, "csv"));
    assert_null(tracer_csv.create("/nonexistent/x.csv", 2, "", &err));
    assert_non_null(strstr(err.text, "/nonexistent/x.csv"));
    struct tracer *t =
        tracer_csv.create("/dev/full", 2, "", &err); // what does not fit is reported at the latest when it is closed
    assert_non_null(t);
    int result = tracer_csv.cycle(t, sample.cycle, 1, &sample.bundle, &err);
    int closed = tracer_csv.close(t, &err);
    assert_true(result < 0 || closed < 0);
    assert_non_null(strstr(err.text, "/dev/full"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dpi), cmocka_unit_test(test_gap), cmocka_unit_test(test_two_models),
        cmocka_unit_test(test_csv), cmocka_unit_test(test_bin), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
