// The fuzzer's inputs of the reader of sample files (fuzz_samples.h) that are kept: each ended it once, or shows a part
// of it that few do. None ends it any more. Says something under the sanitizers (unit-san) above all.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/samples/fuzz_samples.h"

static void run_file(const char *name, bool raw) {
    static uint8_t data[1 << 16];
    FILE *file = fopen(name, "rbe");
    assert_non_null(file);
    data[0] = 0; // the bytes of the file as they are
    const size_t bytes = fread(data + raw, 1, sizeof data - 1, file) + raw;
    fclose(file);
    assert_true(bytes > 1 && bytes < sizeof data);
    fuzz_samples(data, bytes);
}

static void test_found(void **state) {
    (void)state;
    DIR *folder = opendir(TIPOFF_ROOT "/tests/unit/samples/found");
    unsigned count = 0;
    char name[4096];
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/tests/unit/samples/found/%s", TIPOFF_ROOT, entry->d_name);
        run_file(name, false);
        count++;
    }
    closedir(folder);
    assert_true(count > 0);
}

// Whole files of each version are read in whole.
static void test_versions(void **state) {
    (void)state;
    static const char *const names[] = {"version1", "version3", "version4"};
    char name[4096];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/tests/unit/samples/%s.tips", TIPOFF_ROOT, names[i]);
        run_file(name, true);
        struct error err = {""};
        struct samples *s = samples_open(name, &err);
        assert_non_null(s);
        assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
        samples_destroy(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found), cmocka_unit_test(test_versions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
