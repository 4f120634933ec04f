// Frames and calls of frames.S, listed by hand.
#include "cli/frames.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/test_frames_XXXXXX";
static struct program *program;

static int set_up(void **state) {
    (void)state;
    char command[1024];
    struct error err;
    int fd = mkstemp(path);
    if (fd < 0) return -1;
    close(fd);
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -static -Wl,-n,-Ttext=0x80000000 -o '%s' "
             "'%s/tests/unit/cli/frames.S'",
             path, TIPOFF_ROOT);
    if (system(command) != 0) return -1;
    program = program_load(path, &err);
    if (!program) fprintf(stderr, "%s\n", err.text);
    return program ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    program_destroy(program);
    return unlink(path);
}

static const struct program_function *function(const char *name) {
    size_t count;
    const struct program_function *f = program_functions(program, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(f[i].symbol, name) == 0) return &f[i];
    }
    fail_msg("%s: not there", name);
    return NULL;
}

static void test_frames(void **state) {
    (void)state;
    static const struct {
        const char *function;
        size_t at; // its instruction
        struct frame frame;
    } frames[] = {
        {"main", 0, {0, 0, false}},         {"main", 1, {16, 0, false}},      {"main", 2, {16, -8, true}},
        {"twice", 2, {32, 0, false}},       {"twice", 3, {32, -8, true}},     {"twice", 4, {96, -8, true}},
        {"ends", 2, {48, 0, false}},        {"leaf", 1, {0, 0, false}},       {"large", 4, {4080, 2040 - 4080, true}},
        {"add_first", 3, {4000, 0, false}}, {"add_second", 3, {0, 0, false}}, {"unknown", 3, {0, 0, false}},
    };
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        const struct frame got = frames_at(program, function(frames[i].function)->first + frames[i].at);
        const struct frame *want = &frames[i].frame;
        if (got.bytes != want->bytes || got.keeps != want->keeps || got.ra != want->ra)
            fail_msg("%s, %zu: %lld bytes, ra at %lld", frames[i].function, frames[i].at, (long long)got.bytes,
                     (long long)got.ra);
    }
}

static void test_calls(void **state) {
    (void)state;
    size_t count;
    const struct program_instruction *i = program_instructions(program, &count);
    const size_t start = function("_start")->first, body = function("main")->first;
    assert_int_equal(frames_call_before(program, UINT64_C(0x80000004)), start);
    assert_int_equal(i[body + 2].bytes, 2);
    assert_int_equal(frames_call_before(program, i[body + 3].pc), body + 2);
    assert_true(frames_call_before(program, i[body + 2].pc) == PROGRAM_NONE); // after a store
    assert_true(frames_call_before(program, UINT64_C(0x80000002)) == PROGRAM_NONE);
    assert_true(frames_call_before(program, 0) == PROGRAM_NONE);
    assert_true(frames_in_main(program, body + 3) && !frames_in_main(program, start));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_calls)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
