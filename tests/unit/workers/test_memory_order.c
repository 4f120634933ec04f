// The order of memory in a run of one core: queues' places, devices, the host, prefetches, AMOs; and stores of another
// hart, made up: in time they are of no harm, out of time the axiom is named.
#include "memory_map.h"
#include "tests/unit/workers/views.h"
#include <errno.h>

#include "tests/unit/base/program_image.h"

extern const struct worker_ops worker_memory_order;
#define DATA (DRAM_BASE + 0x10000)
enum { LD = 0x0005b503, SD = 0x00a5b023, PREFETCH_R = 0x0015e013, LOADS = 3, STORES = 2 }; // queues' entries
enum { LR = 0x1005b52f, SC = 0x18c5b52f, AMOADD = 0x00c5b52f, AMOADD_X0 = 0x00c5b02f, NOP = 0x13 };

static struct trace_accesses accesses;
static uint64_t now;

static void start(struct scene *s) {
    static const uint32_t code[] = {NOP};
    struct image *image = program_image(code, sizeof code);
    const struct worker_run run = {.width = WIDTH, .image = image, .load_queue = LOADS, .store_queue = STORES};
    memset(s, 0, sizeof *s);
    s->ops = &worker_memory_order;
    s->view = (struct worker_view){
        .count = 1, .bundle = &s->bundle, .left = &s->left, .golden = &s->golden, .accesses = &accesses};
    const struct worker_value values[WORKER_KEYS] = {{.number = 100000}}; // patience
    s->state = worker_memory_order.create(&run, values, &s->err);
    assert_non_null(s->state);
    image_destroy(image);
    accesses.count = 0;
    now = 100;
}

static void at_once(enum access_kind kind, unsigned id, uint64_t address, uint64_t data) {
    accesses.list[accesses.count++] = (struct access_event){(uint8_t)kind, 8, (uint16_t)id, address, data};
}

// A cycle with these accesses, in which nothing retires.
static int passes(struct scene *s) {
    s->golden.count = 0;
    const int result = scene_cycle(s, now++);
    accesses.count = 0;
    s->left.host_write_count = 0;
    return result;
}
static int retires(struct scene *s, struct iss_retire step) {
    step.pc = DRAM_BASE + 4 * now;
    if (step.access != ISS_ACCESS_NONE) step.size = 8;
    scene_commits(s, step);
    const int result = scene_cycle(s, now++);
    accesses.count = 0;
    return result;
}
static int loads(struct scene *s, uint64_t address, uint64_t value) {
    return retires(s, (struct iss_retire){.insn = LD, .access = ISS_ACCESS_LOAD, .address = address, .data = value});
}
static int stores(struct scene *s, uint64_t address, uint64_t value) {
    return retires(s, (struct iss_retire){.insn = SD, .access = ISS_ACCESS_STORE, .address = address, .data = value});
}

#define OK(result) assert_int_equal(result, 0)
#define SAYS(scene, result, words)                                                                                     \
    do {                                                                                                               \
        assert_int_equal(result, -EBADMSG);                                                                            \
        if (!strstr((scene)->err.text, words)) fail_msg("'%s' lacks '%s'", (scene)->err.text, words);                  \
        (scene)->ops->destroy((scene)->state);                                                                         \
        start(scene);                                                                                                  \
    } while (0)

// Places go round in both queues; a prefetch takes one of the loads', a device's store one of the stores'.
static void test_places(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    for (unsigned i = 0; i < 7; i++) {
        at_once(ACCESS_LOAD, i % LOADS, DATA, 0);
        OK(passes(&s));
        OK(loads(&s, DATA, 0));
    }
    OK(retires(&s, (struct iss_retire){.insn = PREFETCH_R})); // 7
    at_once(ACCESS_LOAD, 8 % LOADS, DATA, 0);
    OK(passes(&s));
    OK(loads(&s, DATA, 0));
    OK(stores(&s, UART_BASE, 'a')); // 0
    OK(stores(&s, DATA, 5));        // 1
    at_once(ACCESS_STORE, 1, DATA, 5);
    OK(passes(&s));
    OK(loads(&s, UART_BASE, 7));                 // 9
    at_once(ACCESS_LOAD, 10 % LOADS, 0x1000, 3); // of the boot ROM
    at_once(ACCESS_LOAD, 11 % LOADS, DATA, 0);
    OK(passes(&s));
    OK(loads(&s, 0x1000, 3));
    OK(loads(&s, DATA, 5));
    at_once(ACCESS_LOAD, 0, DATA, 0);
    OK(passes(&s));
    OK(loads(&s, DATA, 5));
    at_once(ACCESS_LOAD, 2, DATA, 0); // 1 is next
    OK(passes(&s));
    SAYS(&s, loads(&s, DATA, 5), "has not been bound");
    s.ops->destroy(s.state);
}

static void test_values(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    OK(stores(&s, DATA, 5));
    at_once(ACCESS_LOAD, 0, DATA, 0);
    at_once(ACCESS_STORE, 0, DATA, 5);
    OK(passes(&s));
    at_once(ACCESS_TABLE, 0, DATA + 8, 0xc0); // 8 bytes here
    OK(passes(&s));
    at_once(ACCESS_LOAD, 1, DATA + 8, 0);
    OK(passes(&s));
    OK(loads(&s, DATA, 5));
    OK(loads(&s, DATA + 8, 0xc0));
    // What only the core can know is not compared.
    at_once(ACCESS_LOAD, 2, DATA, 0);
    OK(passes(&s));
    OK(retires(&s,
               (struct iss_retire){
                   .insn = LD, .access = ISS_ACCESS_LOAD, .address = DATA, .data = 6, .reads_nondeterministic = true}));
    at_once(ACCESS_LOAD, 0, DATA, 0);
    OK(passes(&s));
    SAYS(&s, loads(&s, DATA, 6), "the load value axiom is broken");
    OK(stores(&s, DATA, 5));
    at_once(ACCESS_LOST, 0, DATA, 0);
    OK(passes(&s));
    at_once(ACCESS_LOAD, 0, DATA, 0);
    OK(passes(&s));
    SAYS(&s, loads(&s, DATA, 5), "expected 0x0, got 0x5");
    s.ops->destroy(s.state);
}

// The host's word counts from the cycle after its access on, though the cycle's record has it sooner.
static void test_host(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    s.left.host_write_count = 1;
    s.left.host_writes[0] = (struct host_write){DATA, 9};
    at_once(ACCESS_LOAD, 0, DATA, 0);
    OK(passes(&s));
    at_once(ACCESS_HOST, 0, 0, 0);
    at_once(ACCESS_LOAD, 1, DATA, 0);
    OK(passes(&s));
    OK(loads(&s, DATA, 0));
    OK(loads(&s, DATA, 9));
    at_once(ACCESS_HOST, 0, 0, 0); // nothing is left to write
    OK(passes(&s));
    s.ops->destroy(s.state);
}

static int amo(struct scene *s, uint32_t insn, uint64_t old, uint64_t new) {
    return retires(s, (struct iss_retire){.insn = insn,
                                          .access = ISS_ACCESS_STORE,
                                          .address = DATA,
                                          .rd_written = insn != AMOADD_X0,
                                          .rd_value = old,
                                          .data = new,
                                          .is_sc = insn == SC,
                                          .sc_success = insn == SC});
}

// ---- another hart ----
static void reads_and_writes(struct scene *s, enum access_kind reads, uint64_t other, uint64_t data) {
    at_once(reads, 0, DATA, 0);
    OK(passes(s));
    if (reads == ACCESS_LR)
        OK(retires(s, (struct iss_retire){.insn = LR, .access = ISS_ACCESS_LOAD, .address = DATA, .data = 0}));
    if (other) at_once(ACCESS_OTHER, 0, other, data);
    at_once(ACCESS_AMO_STORE, 0, DATA, 1);
    OK(passes(s));
}

static void test_atomic(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    reads_and_writes(&s, ACCESS_AMO, DATA + 8, 7); // other bytes
    OK(amo(&s, AMOADD, 0, 1));
    SAYS(&s, amo(&s, AMOADD, 0, 1), "has not been bound");
    reads_and_writes(&s, ACCESS_AMO, 0, 0);
    OK(amo(&s, AMOADD_X0, 77, 1)); // what it read is not known
    SAYS(&s, passes(&s) ? 0 : amo(&s, AMOADD, 0, 1), "has not been bound");
    reads_and_writes(&s, ACCESS_AMO, DATA, 0); // the same value: another store
    SAYS(&s, amo(&s, AMOADD, 0, 1), "the atomicity axiom is broken");
    reads_and_writes(&s, ACCESS_LR, DATA + 8, 7);
    OK(amo(&s, SC, 0, 1));
    s.ops->destroy(s.state);
    start(&s);
    reads_and_writes(&s, ACCESS_LR, DATA, 7);
    SAYS(&s, amo(&s, SC, 0, 1), "the atomicity axiom is broken");
    // An SC that fails stores nothing, and ends the pair.
    at_once(ACCESS_LR, 0, DATA, 0);
    OK(passes(&s));
    OK(retires(&s, (struct iss_retire){.insn = LR, .access = ISS_ACCESS_LOAD, .address = DATA}));
    OK(retires(&s, (struct iss_retire){.insn = SC, .is_sc = true}));
    at_once(ACCESS_AMO_STORE, 0, DATA, 1);
    OK(passes(&s));
    SAYS(&s, amo(&s, SC, 0, 1), "no LR is paired with it");
    s.ops->destroy(s.state);
}

// Today's core binds two loads of one address in any order: no rule forbids it while no other hart stores, and one
// does.
static void test_other_store(void **unused) {
    struct scene s;
    (void)unused;
    for (unsigned other = 0; other < 2; other++) {
        start(&s);
        at_once(ACCESS_LOAD, 1, DATA, 0);
        OK(passes(&s));
        if (other) at_once(ACCESS_OTHER, 0, DATA, 0); // the same value
        OK(passes(&s));
        at_once(ACCESS_LOAD, 0, DATA, 0);
        OK(passes(&s));
        OK(loads(&s, DATA, 0));
        if (!other) OK(loads(&s, DATA, 0));
        if (other) SAYS(&s, loads(&s, DATA, 0), "rule 2 of preserved program order is broken");
        s.ops->destroy(s.state);
    }
    // Before both and after both: the value that was in memory.
    start(&s);
    at_once(ACCESS_OTHER, 0, DATA, 4);
    OK(passes(&s));
    at_once(ACCESS_LOAD, 1, DATA, 0);
    at_once(ACCESS_LOAD, 0, DATA, 0);
    OK(passes(&s));
    at_once(ACCESS_OTHER, 0, DATA, 5);
    OK(passes(&s));
    OK(loads(&s, DATA, 4));
    OK(loads(&s, DATA, 4));
    at_once(ACCESS_LOAD, 2, DATA, 0);
    OK(passes(&s));
    SAYS(&s, loads(&s, DATA, 4), "expected 0x5, got 0x4");
    s.ops->destroy(s.state);
}

// A model that was made before there were such reports.
static void test_old_model(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    OK(stores(&s, DATA, 4));
    OK(loads(&s, UART_BASE, 4)); // no report belongs to it
    SAYS(&s, loads(&s, DATA, 4), "build it again");
    s.ops->destroy(s.state);
}

static void test_explain(void **unused) {
    struct scene s;
    char *text = NULL;
    size_t size = 0;
    (void)unused;
    start(&s);
    at_once(ACCESS_OTHER, 0, DATA, 5);
    at_once(ACCESS_KINDS, 0, DATA, 5); // none
    OK(passes(&s));
    at_once(ACCESS_LOAD, 0, DATA, 0);
    OK(passes(&s));
    assert_int_equal(loads(&s, DATA, 4), -EBADMSG);
    FILE *out = open_memstream(&text, &size);
    s.ops->explain(s.state, out);
    fclose(out);
    assert_non_null(strstr(text, "written from outside 8 bytes at 0x80010000: 0x5"));
    assert_non_null(strstr(text, "retired              8 bytes at 0x80010000: 0x4"));
    free(text);
    s.ops->destroy(s.state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places),      cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_host),        cmocka_unit_test(test_atomic),
                                       cmocka_unit_test(test_other_store), cmocka_unit_test(test_old_model),
                                       cmocka_unit_test(test_explain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
