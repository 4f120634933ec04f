// The harness's own control transfer records, on a model of full2, against a model fed with what retires.
//
// The programs switch, clear and freeze records of their own, which must not matter. After every few cycles each
// register of each record is compared with workers/ctr_model.h.
#include "csrs.h"
#include "harness/branch_records.h"
#include "harness/simulation.h"
#include "workers/ctr_model.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEPTH = 32, DEPTH_CODE = 1 };

static struct {
    uint64_t filter;
    struct model_api real;
    struct dpi_client client;
    struct ctr_model model;
    struct ctr_step last; // waits for what follows
    bool waits, begun;
    unsigned compared, most;
    uint64_t random;
} run;

static void next_is(uint64_t pc, unsigned mode) {
    if (!run.waits) return;
    run.last.next_pc = pc;
    run.last.next_mode = (uint8_t)mode;
    ctr_model_step(&run.model, &run.last);
}

static void on_cycle(void *context, const struct trace_cycle *c) {
    run.client.cycle(context, c);
    for (unsigned i = 0; i < c->left.count; i++) {
        const struct retired *r = &c->left.retired[i];
        next_is(r->pc, c->bundle.priv);
        run.waits = run.begun;
        run.last = (struct ctr_step){.cycle = c->cycle,
                                     .pc = r->pc,
                                     .insn = r->insn,
                                     .mispredict = c->bundle.mispredict >> r->lane & 1,
                                     .mode = (uint8_t)c->bundle.priv};
        if (run.last.insn == 0x10400073) run.last.insn = 0x13; // sctrclr: the program's own records
    }
    const struct trapped *t = &c->left.trap;
    if (!t->valid) return;
    next_is(t->epc, c->bundle.priv);
    run.waits = run.begun;
    run.last = (struct ctr_step){.cycle = c->cycle,
                                 .pc = t->epc,
                                 .trap = true,
                                 .interrupt = t->interrupt,
                                 .cause = t->cause,
                                 .mode = (uint8_t)c->bundle.priv};
}

// It transfers nothing, so that what has retired is all that may be recorded.
static bool is_plain(const struct ctr_step *s) {
    static const uint8_t opcodes[] = {0x03, 0x13, 0x17, 0x1b, 0x23, 0x33, 0x37, 0x3b};
    return !s->trap && memchr(opcodes, s->insn & 0x7f, sizeof opcodes);
}

static void compare(struct model *model) {
    struct branch_record records[BRANCH_RECORDS_MOST];
    if (!run.waits || !is_plain(&run.last)) return;
    if (run.last.cycle + 1 >= run.real.cycles(model))
        return; // what comes before one that retired in the last cycle may be on its way
    unsigned valid = 0;
    const unsigned count = branch_records_read(&run.real, model, records);
    for (unsigned i = DEPTH; i-- > 0;) {
        uint64_t got[4], want[4];
        for (int number = 1; number <= 3; number++) {
            assert_int_equal(run.real.window_read(model, (int)(CTR_FIRST + i), number, &got[number]), 0);
            want[number] = ctr_model_read_entry(&run.model, CTR_FIRST + i, (unsigned)number);
            if (number == 1 && !(want[1] & 1)) break; // a return's: what else it holds is nobody's
            assert_true(got[number] == want[number]);
        }
        assert_int_equal(got[1] & 1, want[1] & 1);
        if (!(want[1] & 1)) continue;
        assert_true(valid < count);
        const struct branch_record *r = &records[valid++];
        assert_true(r->source == (want[1] & ~UINT64_C(1)) && r->target == (want[2] & ~UINT64_C(1)));
        assert_int_equal(r->mispredicted, want[2] & 1);
        assert_int_equal(r->type, want[3] & 15);
        assert_int_equal(r->counted, want[3] >> 15 & 1);
        if (r->counted && want[3] >> 28 == 0) assert_int_equal(r->cycles, want[3] >> 16);
        if (r->counted && want[3] >> 28 != 0)
            assert_true(r->cycles >> ((want[3] >> 28) - 1) == ((want[3] >> 16 & 0xfff) | 0x1000));
    }
    assert_int_equal(valid, count);
    run.compared++;
    if (count > run.most) run.most = count;
}

static uint64_t in_steps(struct model *model, uint64_t cycles, const volatile int *stop) {
    struct error err;
    if (!run.begun) {
        assert_int_equal(branch_records_begin(&run.real, model, 24, run.filter, &err), -EINVAL);
        assert_int_equal(branch_records_begin(&run.real, model, 64, run.filter, &err), -EINVAL); // full2 has 32
        assert_int_equal(branch_records_begin(&run.real, model, DEPTH, run.filter, &err), 0);
        ctr_model_write_depth(&run.model, DEPTH_CODE);
        ctr_model_write_control(&run.model, run.real.cycles(model) - 1, run.filter);
        run.begun = true;
    }
    uint64_t done = 0;
    while (done < cycles && !*stop) {
        run.random = run.random * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint64_t n = 1 + (run.random >> 60), did;
        if (n > cycles - done) n = cycles - done;
        done += did = run.real.run(model, n, stop);
        if (did == 0) break;
        compare(model);
    }
    return done;
}

static void connect(void *context, uint32_t mhz, struct model_api *api, struct dpi_client *client) {
    (void)context;
    (void)mhz;
    run.real = *api;
    run.client = *client;
    api->run = in_steps;
    client->cycle = on_cycle;
    client->options |= DPI_BUNDLE | DPI_RETIRE;
}

static void follow(const char *program, uint64_t filter, unsigned least) {
    struct error err;
    char *argv[] = {(char *)program, NULL};
    struct worker_requests *requests = worker_requests_create();
    const struct simulation_platform platform = {.connect = connect};
    const struct simulation_options options = {.config_path = TIPOFF_ROOT "/build/full2/gen/config.json",
                                               .model_path = TIPOFF_ROOT "/build/full2/model.so",
                                               .program = program,
                                               .argv = argv,
                                               .workers = requests,
                                               .command = "test",
                                               .max_cycles = 200000,
                                               .max_insns = UINT64_MAX,
                                               .quiet = true,
                                               .threads = 1,
                                               .platform = &platform};
    memset(&run, 0, sizeof run);
    ctr_model_reset(&run.model);
    run.filter = filter;
    int status = simulation_run(&options, &err);
    worker_requests_destroy(requests);
    if (status != 0) print_message("%s: %s\n", program, err.text);
    assert_int_equal(status, 0);
    assert_true(run.compared > 500);
    assert_true(run.most >= least);
}

static void test_all(void **state) {
    (void)state;
    follow(TIPOFF_ROOT "/build/tests/isa/ctr.elf", BRANCH_RECORDS_ALL, DEPTH);
}
static void test_filters(void **state) {
    (void)state;
    follow(TIPOFF_ROOT "/build/tests/isa/ctr.elf",
           BRANCH_RECORDS_ALL | BRANCH_RECORDS_NO_TRAPS | BRANCH_RECORDS_NOT_TAKEN |
               BRANCH_RECORDS_WITHOUT(TRANSFER_BRANCH) | BRANCH_RECORDS_WITHOUT(TRANSFER_DIRECT_JUMP),
           DEPTH);
}
static void test_user_mode(void **state) {
    (void)state;
    follow(TIPOFF_ROOT "/build/tests/fuzz/ctrvm-9.elf", 1, 4);
}
static void test_call_stack(void **state) {
    (void)state;
    follow(TIPOFF_ROOT "/build/tests/isa/ctr.elf", BRANCH_RECORDS_ALL | BRANCH_RECORDS_CALL_STACK, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_filters),
                                       cmocka_unit_test(test_user_mode), cmocka_unit_test(test_call_stack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
