// Several cores in one process (simulation_run_cores): two models of small2, each with memory, lockstep, Oracle, trace
// and samples of its own, are to the byte what each is alone; and what befalls one of them does not touch the other.
#include "harness/core.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/base/elf_file.h"
#include "tests/unit/harness/run_files.h"

static char folder[] = "/tmp/test_cores_XXXXXX";
static const char *const programs[] = {TIPOFF_ROOT "/build/workloads/sort.small.elf",
                                       TIPOFF_ROOT "/build/workloads/dgemm.small.elf"};
static const int statuses[] = {EXIT_CYCLES, 0}; // a limit ends the first one, to save time

// A core's options, and what they point to. Its files: FOLDER/NAME.json, .tips, .csv, .bin.
struct setting {
    struct simulation_options options;
    char stats[128], samples[128], profile[128], trace[128];
    char *argv[2];
    struct worker_requests *requests;
};

static void set(struct setting *s, unsigned program, const char *name, unsigned threads) {
    struct error err;
    snprintf(s->stats, sizeof s->stats, "%s/%s.json", folder, name);
    snprintf(s->samples, sizeof s->samples, "%s/%s.tips", folder, name);
    snprintf(s->profile, sizeof s->profile, "%s/%s.csv", folder, name);
    snprintf(s->trace, sizeof s->trace, "%s/%s.bin", folder, name);
    s->argv[0] = (char *)programs[program];
    s->argv[1] = NULL;
    s->requests = worker_requests_create();
    assert_int_equal(worker_requests_add(s->requests, "bin", s->trace, NULL, NULL, &err), 0);
    s->options = (struct simulation_options){
        .config_path = TIPOFF_ROOT "/build/small2/gen/config.json",
        .model_path = TIPOFF_ROOT "/build/small2/model.so",
        .program = programs[program],
        .argv = s->argv,
        .workers = s->requests,
        .command = "test",
        .max_cycles = program ? 1000000 : 25000,
        .max_insns = UINT64_MAX,
        .sampling = {.period = 97 + 10 * program, .jitter_bits = 4, .seed = 1 + program}, // each its own
        .cosim = true,
        .oracle = true,
        .quiet = true,
        .threads = threads,
        .stats = s->stats,
        .samples = s->samples,
        .profile = s->profile};
}

static void equal_counts(const struct setting *a, const struct setting *b) {
    equal_files(a->profile, b->profile);
    equal_statistics(a->stats, b->stats);
    equal_samples(a->samples, b->samples);
}

static void equal(const struct setting *a, const struct setting *b) {
    equal_files(a->trace, b->trace); // every cycle
    equal_counts(a, b);
}

static struct setting alone[2];

static int run_alone(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    for (unsigned i = 0; i < 2; i++) {
        char name[16];
        struct error err = {""};
        snprintf(name, sizeof name, "alone%u", i);
        set(&alone[i], i, name, 1);
        if (simulation_run(&alone[i].options, &err) != statuses[i]) return -1;
    }
    return 0;
}

// Both at once, each changed before by `change`, where there is one.
static void run_both(struct setting *both, unsigned threads, void (*change)(struct setting *both), uint64_t latency,
                     struct simulation_end *ends) {
    set(&both[0], 0, "core0", threads);
    set(&both[1], 1, "core1", threads);
    if (change) change(both);
    const struct simulation_options options[] = {both[0].options, both[1].options};
    simulation_run_cores(options, 2, latency, ends);
}

static void clean(struct setting *s, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        unlink(s[i].stats);
        unlink(s[i].samples);
        unlink(s[i].profile);
        unlink(s[i].trace);
        worker_requests_destroy(s[i].requests);
    }
}

static void test_as_alone(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct setting both[2];
        struct simulation_end ends[2];
        run_both(both, threads, NULL, SCHEDULE_NO_LINKS, ends);
        for (unsigned i = 0; i < 2; i++) {
            assert_string_equal(ends[i].err.text, "");
            assert_int_equal(ends[i].status, statuses[i]);
            equal(&alone[i], &both[i]);
        }
        clean(both, 2);
    }
}

// Links, over which nothing is sent yet: by turns of a few cycles, each up to what the other may send.
static void test_links(void **state) {
    (void)state;
    struct setting both[2];
    struct simulation_end ends[2];
    run_both(both, 1, NULL, 4, ends);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(ends[i].status, statuses[i]);
        equal_counts(&alone[i], &both[i]); // a trace emits idle cycles by turns
    }
    clean(both, 2);
}

// The first one ends long before the other, by its limit.
static void shorten(struct setting *both) {
    both[0].options.max_cycles = 8000;
}

static void test_ends_early(void **state) {
    (void)state;
    struct setting both[2], shorter;
    struct simulation_end ends[2];
    struct error err = {""};
    set(&shorter, 0, "shorter", 1);
    shorter.options.max_cycles = 8000;
    assert_int_equal(simulation_run(&shorter.options, &err), EXIT_CYCLES);
    run_both(both, 1, shorten, SCHEDULE_NO_LINKS, ends);
    assert_int_equal(ends[0].status, EXIT_CYCLES);
    assert_int_equal(ends[1].status, 0);
    equal(&shorter, &both[0]);
    equal(&alone[1], &both[1]);
    clean(both, 2);
    clean(&shorter, 1);
}

// A wrong value of a register, emitted by one of them.
static struct dpi_client unspoilt;
static void emit_wrong(void *context, const struct trace_cycle *cycle) {
    struct trace_cycle wrong = *cycle;
    if (cycle->cycle > 5000 && wrong.left.count && wrong.left.retired[0].rd_written)
        wrong.left.retired[0].rd_value ^= 1;
    unspoilt.cycle(context, &wrong);
}
static void connect(void *context, uint32_t mhz, struct model_api *api, struct dpi_client *client) {
    (void)context;
    (void)mhz;
    (void)api;
    unspoilt = *client;
    client->cycle = emit_wrong;
}
static const struct simulation_platform lying = {.connect = connect};
static void spoil(struct setting *both) {
    both[1].options.platform = &lying;
}

// Between the two, stderr goes to a file; `text` is what it holds.
static FILE *listen(int *before) {
    FILE *said = tmpfile();
    assert_non_null(said);
    fflush(stderr);
    *before = dup(STDERR_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    return said;
}

static void heard(FILE *said, int before, char *text, size_t size) {
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(said);
    text[fread(text, 1, size - 1, said)] = '\0';
    fclose(said);
}

static void test_difference(void **state) {
    (void)state;
    struct setting both[2];
    struct simulation_end ends[2];
    char text[1 << 14];
    int before;
    FILE *said = listen(&before);
    run_both(both, 1, spoil, SCHEDULE_NO_LINKS, ends);
    heard(said, before, text, sizeof text);
    assert_ptr_equal(strstr(text, "core 1: The last instructions, as the core committed them:\n"), text);
    assert_non_null(strstr(text, "\ncore 1: Waveforms around it: test --fst"));
    assert_int_equal(ends[1].status, EXIT_DIFFERENCE);
    assert_ptr_equal(strstr(ends[1].err.text, "core 1: "), ends[1].err.text);
    assert_int_equal(ends[0].status, statuses[0]);
    assert_string_equal(ends[0].err.text, "");
    equal(&alone[0], &both[0]);
    clean(both, 2);
}

// What cannot be set up keeps the others from running, and is reported for that core.
static void mistype(struct setting *both) {
    both[1].options.program = "/nonexistent/program.elf";
}

static void test_refused(void **state) {
    (void)state;
    struct setting both[2];
    struct simulation_end ends[2];
    run_both(both, 1, mistype, SCHEDULE_NO_LINKS, ends);
    assert_int_equal(ends[1].status, EXIT_USAGE);
    assert_non_null(strstr(ends[1].err.text, "core 1: /nonexistent/program.elf: "));
    assert_int_equal(ends[0].status, EXIT_USAGE);
    assert_string_equal(ends[0].err.text, "");
    assert_int_equal(access(both[0].samples, F_OK), -1);
    clean(both, 2);
}

// A program that opens a file outside of the folders, by one call of its host; then it waits.
static void write_asking(const char *path) {
    static const uint32_t code[] = {
        0x00000297, // auipc t0, 0
        0x00001337, // lui t1, 1
        0x00530333, // add t1, t1, t0       tohost
        0x04028293, // addi t0, t0, 64      the call's words
        0x00533023, // sd t0, 0(t1)
        0x0000006f, // j .
    };
    enum { OPENAT = 56, WORDS = 64, TEXT = 128, FROMHOST_NAME = 19 };
    static const char text[] = "/etc/passwd";
    const uint64_t words[] = {OPENAT, 0, ELF_ADDRESS + TEXT, sizeof text, 0};
    uint8_t bytes[ELF_CODE_MAX] = {0};
    struct elf_file elf;
    memcpy(bytes, code, sizeof code);
    memcpy(bytes + WORDS, words, sizeof words);
    memcpy(bytes + TEXT, text, sizeof text);
    elf_make(&elf, bytes, sizeof bytes);
    strcpy(elf.strings + FROMHOST_NAME, "fromhost");
    elf.symbols[1].st_name = FROMHOST_NAME;
    elf.symbols[1].st_value = ELF_TOHOST + 8;
    FILE *file = fopen(path, "wb");
    assert_true(file && fwrite(&elf, sizeof elf, 1, file) == 1 && fclose(file) == 0);
}

static char asking[128];
static unsigned warnings;
static char warned[1024];
static void keep_warning(void *context, const char *line) {
    (void)context;
    warnings++;
    snprintf(warned, sizeof warned, "%s", line);
}
static const struct notices notices = {.show = keep_warning};
static void ask(struct setting *both) {
    for (unsigned i = 0; i < 2; i++) {
        both[i].options.max_cycles = 3000;
        both[i].options.notices = &notices;
    }
    both[1].options.program = asking;
}

static void test_warning(void **state) {
    (void)state;
    struct setting both[2];
    struct simulation_end ends[2];
    char text[1024];
    int before;
    warnings = 0;
    snprintf(asking, sizeof asking, "%s/asking.elf", folder);
    write_asking(asking);
    FILE *said = listen(&before);
    run_both(both, 1, ask, SCHEDULE_NO_LINKS, ends);
    heard(said, before, text, sizeof text);
    assert_string_equal(text, ""); // it is for the caller to show
    assert_int_equal(warnings, 1);
    assert_ptr_equal(strstr(warned, "warning: core 1: the program may not read /etc/passwd: "), warned);
    assert_int_equal(ends[1].status, EXIT_CYCLES);
    unlink(asking);
    clean(both, 2);
}

// ---- cores by themselves ----
static struct error faults[2];

static void make(struct setting *s, struct core **cores) {
    for (unsigned i = 0; i < 2; i++) {
        set(&s[i], i, i ? "core1" : "core0", 1);
        const struct core_place place = {.number = i, .count = 2};
        cores[i] = core_create(&s[i].options, &place, &faults[i]);
        assert_true(core_load(cores[i]) && core_outputs_creatable(cores[i]) && core_set_up(cores[i]));
    }
}

static void finish(struct setting *s, struct core **cores) {
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(core_finish(cores[i], 1), statuses[i]);
        core_destroy(cores[i]);
        equal_counts(&alone[i], &s[i]); // a trace emits idle cycles by turns
    }
    clean(s, 2);
}

// Turns of any length, as links between cores will ask for, give the same cycles; nothing is quiet today.
static void test_turns(void **state) {
    (void)state;
    struct setting s[2];
    struct core *cores[2];
    uint64_t until = 0;
    make(s, cores);
    for (bool runs = true; runs; until += 37) {
        runs = false;
        for (unsigned i = 0; i < 2; i++) {
            while (core_runs(cores[i]) && core_cycles(cores[i]) < until) {
                assert_true(core_quiet_until(cores[i]) == core_cycles(cores[i]));
                core_turn(cores[i], until);
            }
            runs |= core_runs(cores[i]);
        }
    }
    finish(s, cores);
}

// Each in a thread of its own, at the same time.
static void *run_in_thread(void *core) {
    while (core_runs(core))
        core_turn(core, UINT64_MAX);
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    struct setting s[2];
    struct core *cores[2];
    pthread_t threads[2];
    make(s, cores);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, cores[i]), 0);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    finish(s, cores);
}

static int remove_all(void **state) {
    (void)state;
    clean(alone, 2);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_alone),   cmocka_unit_test(test_links),
                                       cmocka_unit_test(test_ends_early), cmocka_unit_test(test_difference),
                                       cmocka_unit_test(test_refused),    cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_threads),    cmocka_unit_test(test_warning)};
    return cmocka_run_group_tests(tests, run_alone, remove_all);
}
