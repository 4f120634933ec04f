// Two harts whose caches are not coherent, and that share words: what they load breaks an axiom of the memory model,
// and lockstep finds it. The command refuses such a run; here it shows that the checks of coherent harts can fail.
#include "harness/simulation.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/base/elf_file.h"

static void write_program(const char *path) {
    static const uint32_t code[] = {
        0xf1402473, // csrr s0, mhartid
        0x00100493, // li s1, 1
        0x01f49493, // slli s1, s1, 31
        0x000022b7, // lui t0, 2
        0x005484b3, // add s1, s1, t0
        0x06400913, // li s2, 100
        0x0124b423, // sd s2, 8(s1)
        0x0104b303, // ld t1, 16(s1)
        0x00830333, // add t1, t1, s0
        0x0064b823, // sd t1, 16(s1)
        0x0124b02f, // amoadd.d zero, s2, (s1)
        0x0ff0000f, // fence
        0xfff90913, // addi s2, s2, -1
        0xfe0912e3, // bnez s2, the first sd
        0x0000006f, // j .
    };
    struct elf_file elf;
    elf_make(&elf, (const uint8_t *)code, sizeof code);
    FILE *file = fopen(path, "wb");
    assert_true(file && fwrite(&elf, sizeof elf, 1, file) == 1 && fclose(file) == 0);
}

static void test_shared_words(void **state) {
    (void)state;
    char path[] = "/tmp/test_incoherent_XXXXXX", *argv[] = {path, NULL};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    write_program(path);
    struct worker_requests *requests = worker_requests_create();
    const struct simulation_options one = {.config_path = TIPOFF_ROOT "/build/small2/gen/config.json",
                                           .model_path = TIPOFF_ROOT "/build/small2/model.so",
                                           .program = path,
                                           .argv = argv,
                                           .workers = requests,
                                           .command = "test",
                                           .max_cycles = 20000,
                                           .max_insns = UINT64_MAX,
                                           .sampling.seed = 1,
                                           .quiet = true};
    struct simulation_options options[] = {one, one};
    struct simulation_end ends[2];
    simulation_run_harts(options, 2, ends); // nothing is compared
    assert_int_equal(ends[0].status, EXIT_CYCLES);
    assert_int_equal(ends[1].status, EXIT_CYCLES);
    options[0].cosim = options[1].cosim = true;
    simulation_run_harts(options, 2, ends);
    const unsigned which = ends[0].status == EXIT_DIFFERENCE ? 0 : 1;
    assert_int_equal(ends[which].status, EXIT_DIFFERENCE);
    assert_non_null(strstr(ends[which].err.text, "memory-order: cycle "));
    assert_non_null(strstr(ends[which].err.text, "axiom is broken"));
    worker_requests_destroy(requests);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
