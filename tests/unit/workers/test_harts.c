// Several harts in lockstep (workers/harts.h): a toy machine's cycles through feeds, the merge, the checker and an ISS
// of each hart. What it does is accepted, in whatever turns the harts' cycles come; with one of its rules taken out, or
// what it emits changed, the axiom is named that does not hold.
#include "tests/unit/workers/toy_harts.h"
#include "workers/feed.h"
#include "workers/harts.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

extern const struct worker_ops worker_lockstep, worker_memory, worker_memory_order, worker_replay_checkpoint;
static const struct worker_ops *const rows[] = {&worker_lockstep, &worker_memory, &worker_memory_order,
                                                &worker_replay_checkpoint, NULL};
static const struct worker_ops *const unproved[] = {&worker_lockstep, NULL};

enum { AHEAD = 4, KEPT = 8, CYCLES = 40000 }; // cycles: that a hart may run ahead; of the machine that are kept

static struct harts *all;
static struct image *images[TOY_HARTS];
static struct workers *workers[TOY_HARTS];
static struct feed *feeds[TOY_HARTS];
static struct trace_cycle *made; // KEPT of each hart
static uint64_t fed[TOY_HARTS], turns;
static struct error why;
static unsigned faulty; // the hart whose feed reports the difference
static bool threaded;   // all are checked in a thread of their own

static void begin(void) { // toys have
    memset(fed, 0, sizeof fed);
    why.text[0] = '\0';
    all = harts_create(harts, threaded, &why);
    made = calloc(TOY_HARTS * KEPT, sizeof *made);
    assert_true(all && made);
    for (unsigned i = 0; i < harts; i++) {
        const struct workers_options options = {.run = {.width = WIDTH,
                                                        .load_queue = LOADS,
                                                        .store_queue = STORES,
                                                        .core = {.fp = true, .pmp_entries = 8, .hart_id = i},
                                                        .image = images[i],
                                                        .harts = all,
                                                        .hart = i},
                                                .name = i ? "core 1: " : "core 0: ",
                                                .command = "tipoff run again",
                                                .lockstep = true,
                                                .rows = rows};
        workers[i] = workers_create(&options, &why);
        feeds[i] = workers[i] ? feed_of_harts(workers[i], all, i, &why) : NULL;
        if (!feeds[i]) fail_msg("%s", why.text);
    }
}

static void start(unsigned count, enum bug which, uint64_t from) {
    toy_start(count, which, from, images);
    begin();
}

static void end(void) {
    for (unsigned i = 0; i < harts; i++) {
        feed_destroy(feeds[i]);
        workers_destroy(workers[i]);
        image_destroy(images[i]);
    }
    harts_destroy(all);
    free(made);
    toy_end();
}

static unsigned turn(void) { // its own random numbers: the machine does the same in all turns
    turns = turns * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(turns >> 33) % harts;
}

static uint64_t furthest_behind(void) {
    uint64_t least = fed[0];
    for (unsigned i = 1; i < harts; i++)
        if (fed[i] < least) least = fed[i];
    return least;
}

static int feed_one(unsigned i) {
    if (fed[i] == now_cycle) {
        toy_cycle();
        for (unsigned k = 0; k < harts; k++)
            made[k * KEPT + (now_cycle - 1) % KEPT] = toys[k].now;
    }
    const struct trace_cycle *c = &made[i * KEPT + fed[i] % KEPT];
    const bool quiet = fed[i] && !c->left.count && !c->accesses.count;
    int status = quiet ? feed_quiet(feeds[i], fed[i], 1, &why) : feed_cycle(feeds[i], c, &why);
    fed[i]++;
    if (!status) status = feed_passed(feeds[i], fed[i], &why);
    if (status) faulty = i;
    return status;
}

static int run(uint64_t cycles) {
    int status = 0;
    while (!status && furthest_behind() < cycles) {
        const unsigned i = turn();
        if (fed[i] < furthest_behind() + AHEAD && fed[i] < cycles) status = feed_one(i);
    }
    for (unsigned i = 0; i < harts && !status; i++) {
        status = feed_sample(feeds[i], fed[i] - 1, false, &why); // after the last cycle
        if (!status) status = feed_finish(feeds[i], &why);
    }
    return status;
}

// What is printed on stderr meanwhile goes to this file.
static int stderr_to(int to) {
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    dup2(to, STDERR_FILENO);
    return before;
}
static char printed[1 << 14];
static int quietly(int (*what)(uint64_t), uint64_t of) {
    char path[] = "/tmp/test_harts_XXXXXX";
    const int file = mkstemp(path), before = stderr_to(file);
    const int status = what(of);
    close(stderr_to(before));
    close(before);
    const ssize_t bytes = pread(file, printed, sizeof printed - 1, 0);
    printed[bytes > 0 ? bytes : 0] = '\0';
    close(file);
    unlink(path);
    return status;
}

static int run_quietly(uint64_t cycles) {
    return quietly(run, cycles);
}

// The number that the text begins with, in groups of three digits.
static unsigned long grouped_number(const char *text) {
    unsigned long number = 0;
    for (; *text == ',' || (*text >= '0' && *text <= '9'); text++)
        if (*text != ',') number = 10 * number + (unsigned long)(*text - '0');
    return number;
}

static void test_sound(void **state) {
    (void)state;
    for (unsigned count = 1; count <= TOY_HARTS; count++) {
        threaded = count % 2 == 0;
        start(count, SOUND, count);
        if (run(CYCLES)) fail_msg("%u harts: %s", count, why.text);
        for (unsigned i = 0; i < count; i++) {
            char text[256] = "";
            FILE *out = fmemopen(text, sizeof text, "w");
            workers_print_checked(workers[i], out);
            fclose(out);
            if (grouped_number(text) < 800) fail_msg("%u harts: hart %u: %s", count, i, text);
        }
        end();
    }
}

#define AXIOM(a) (1u << (a))
enum { VALUE = AXIOM(MEMORY_ORDER_LOAD_VALUE), ATOMIC = AXIOM(MEMORY_ORDER_ATOMICITY) };
static const uint32_t axioms[BUGS] = {
    // what the rule keeps; more than one where it depends on what comes first
    [NO_REPLAY] = AXIOM(2),
    [FENCE_IGNORED] = AXIOM(4),
    [FENCE_TOO_SOON] = AXIOM(4),
    [OUT_OF_ORDER] = AXIOM(1) | AXIOM(4),
    [NO_FORWARD] = VALUE,
    [SC_ALWAYS] = ATOMIC,
    [AMO_NOT_AGAIN] = ATOMIC,
    [WRITES_SHARED] = AXIOM(MEMORY_ORDER_ONE_WRITER),
    [KEEPS_COPY] = AXIOM(MEMORY_ORDER_ONE_WRITER),
    [WRONG_VALUE] = VALUE,
    [STORE_LATE] = VALUE | AXIOM(4) | AXIOM(6),
    [STORE_EARLY] = VALUE,
    [LOAD_LATE] = VALUE,
};

static bool names_one(uint32_t of) {
    for (unsigned a = 0; a < 32; a++)
        if (of >> a & 1 && strstr(why.text, memory_order_axiom_name((enum memory_order_axiom)a))) return true;
    return false;
}

static void test_bugs(void **state) {
    (void)state;
    for (enum bug b = SOUND + 1; b < BUGS; b++) {
        for (unsigned from = 0; from < 3; from++) {
            start(2 + from, b, from);
            const int status = run_quietly(CYCLES);
            if (status != -EBADMSG || !names_one(axioms[b]))
                fail_msg("bug %d, %u: %d: %s", (int)b, from, status, why.text);
            struct error none = {""};
            for (unsigned i = 0; i < harts; i++)
                assert_int_equal(feed_finish(feeds[i], &none), i == faulty ? -EBADMSG : -ECANCELED);
            if (!strstr(why.text, "hart ") || !strstr(printed, "The last events of line 0x80010000:") ||
                !strstr(printed, "tipoff run again"))
                fail_msg("bug %d: %s\n%s", (int)b, why.text, printed);
            end();
        }
    }
}

// Neither turns nor a thread change what is found, whose it is, or when.
static void test_turns(void **state) {
    (void)state;
    char first[sizeof why.text], events[sizeof printed];
    unsigned hart = 0;
    for (unsigned i = 0; i < 4; i++) {
        turns = i;
        threaded = i % 2;
        start(3, AMO_NOT_AGAIN, 9);
        assert_int_equal(run_quietly(CYCLES), -EBADMSG);
        if (!i) {
            memcpy(first, why.text, sizeof first);
            memcpy(events, printed, sizeof events);
            hart = faulty;
        }
        assert_string_equal(why.text, first);
        assert_string_equal(printed, events);
        assert_int_equal(faulty, hart);
        end();
    }
}

// Those that know one hart's stores alone leave themselves out; lockstep needs the one that proves what it loads.
static void test_workers(void **state) {
    (void)state;
    start(2, SOUND, 1);
    assert_true(workers_have(workers[0], "lockstep") && workers_have(workers[1], "memory-order"));
    assert_false(workers_have(workers[0], "memory") || workers_have(workers[0], "replay-checkpoint"));
    const struct workers_options options = {.run.harts = all, .lockstep = true, .rows = unproved};
    assert_int_equal(workers_check(&options, &why), -EINVAL);
    assert_non_null(strstr(why.text, "lockstep of several harts needs worker memory-order"));
    end();
}

// ---- code that another hart stores ----
enum { CODE = 0x40, LI_A0_7 = 0x00700513, NOP = 0x13 };
static const uint32_t writer[CODE / 4 + 2] = {0x00000317, // auipc t1, 0
                                              0x04432283, // lw t0, 68(t1)
                                              0x04532023, // sw t0, 64(t1)
                                              [CODE / 4] = NOP, LI_A0_7};
static const uint32_t runner[CODE / 4 + 2] = {0x00000317, // auipc t1, 0
                                              0x04032383, // lw t2, 64(t1)
                                              0x0000100f, // fence.i
                                              0x0340006f, // j 64
                                              [CODE / 4] = NOP, LI_A0_7};

static int pass_cycle(void) {
    int status = 0;
    for (unsigned i = 0; i < harts && !status; i++) {
        toys[i].now.cycle = now_cycle;
        status = feed_cycle(feeds[i], &toys[i].now, &why);
        toys[i].now.left.count = 0;
        toys[i].now.accesses.count = 0;
    }
    now_cycle++;
    for (unsigned i = 0; i < harts && !status; i++)
        status = feed_passed(feeds[i], now_cycle, &why);
    return status;
}

static int retires(uint64_t hart) { // one instruction, as its toy's ISS has it
    execute(&toys[hart], -1);
    return pass_cycle();
}

static int happens(unsigned hart, enum access_kind kind, unsigned id, uint64_t data) {
    const struct slot at = {.address = ELF_ADDRESS + (kind == ACCESS_LOAD && hart == 0 ? CODE + 4 : CODE), .size = 4};
    emit(&toys[hart], kind, &at, id, data);
    return pass_cycle();
}

// The last cycles are shown as the run ends.
static int last_retires(uint64_t hart) {
    struct error none = {""};
    const int status = retires(hart);
    if (!status) (void)feed_finish(feeds[1 - hart], &none);
    return status ? status : feed_finish(feeds[hart], &why);
}

// seen: hart 1 loads the new word before its fence.i. runs: what it then executes.
static int other_code(bool seen, uint32_t runs) {
    struct image *both[] = {program_image(writer, sizeof writer), program_image(runner, sizeof runner)};
    uint32_t word = seen ? LI_A0_7 : NOP;
    int status = 0;
    toy_begin(2, SOUND, 1, both);
    memcpy(images, both, sizeof both);
    begin();
    for (unsigned i = 0; i < 2 * 5 && !status; i++) // the boot ROM
        status = retires(i / 5);
    assert_int_equal(status, 0);
    assert_int_equal(retires(0) | happens(0, ACCESS_LOAD, 1, 0) | retires(0) | retires(0) | retires(1), 0);
    if (!seen) assert_int_equal(happens(1, ACCESS_LOAD, 1, 0), 0);
    assert_int_equal(happens(0, ACCESS_STORE, 0, LI_A0_7), 0);
    if (seen) assert_int_equal(happens(1, ACCESS_LOAD, 1, 0), 0);
    iss_show(toys[1].iss, ELF_ADDRESS + CODE, 4, word);
    assert_int_equal(retires(1) | retires(1) | retires(1), 0);
    iss_write(toys[1].iss, ELF_ADDRESS + CODE, &runs, sizeof runs);
    status = quietly(last_retires, 1);
    end();
    return status;
}

static void test_code(void **state) {
    (void)state;
    assert_int_equal(other_code(true, LI_A0_7), 0);
    assert_int_equal(other_code(true, NOP), -EBADMSG); // its fence.i came after it had seen the new word
    assert_non_null(strstr(why.text, "instruction word: expected 0x700513, got 0x13"));
    assert_int_equal(other_code(false, LI_A0_7), 0);
    assert_int_equal(other_code(false, NOP), 0);
}

// One that ends before the others have come so far cannot be checked.
static void test_ends_apart(void **state) {
    (void)state;
    start(2, SOUND, 1);
    for (unsigned i = 0; i < AHEAD; i++)
        assert_int_equal(feed_one(0), 0);
    assert_int_equal(feed_finish(feeds[0], &why), -EINVAL);
    assert_non_null(strstr(why.text, "hart 0 ends before the others"));
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sound), cmocka_unit_test(test_bugs),
                                       cmocka_unit_test(test_turns), cmocka_unit_test(test_workers),
                                       cmocka_unit_test(test_code),  cmocka_unit_test(test_ends_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
