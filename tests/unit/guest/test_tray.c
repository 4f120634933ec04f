// The tray that the guest's init unpacks, byte for byte as scripts/linux/tray.h says, up to the last one that fits; and
// which of the files handed in is a library.
#include "guest/guest.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_layout(void **state) {
    (void)state;
    static const char want[] = "tipfTRAY"
                               "\3\0\0\0\0\0\0\0" // records
                               "\2\0\0\0"         // an argument
                               "\3\0\0\0"         // bytes of its name
                               "\3\0\0\0\0\0\0\0" // bytes of its data
                               "ab\0xyz\0\0"
                               "\5\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0" // input, without a name, of no bytes
                               "\0\0\0\0\0\0\0\0"
                               "\1\0\0\0\4\0\0\0\4\0\0\0\0\0\0\0" // a program, of a file's bytes; no padding
                               "run\0ELF!";
    struct error err = {""};
    struct tray_pack *t = tray_create(&err);
    FILE *file = tmpfile();
    size_t bytes;
    assert_true(file && fputs("..ELF!", file) >= 0);
    assert_int_equal(fseek(file, 2, SEEK_SET), 0); // the rest of it
    assert_int_equal(tray_add(t, TRAY_ARGUMENT, "ab", "xyz", 3, &err), 0);
    assert_int_equal(tray_add(t, TRAY_INPUT, "", NULL, 0, &err), 0);
    assert_int_equal(tray_add_file(t, TRAY_PROGRAM, "run", file, "some/file", &err), 0);
    const void *data = tray_data(t, &bytes);
    assert_int_equal(bytes, sizeof want - 1);
    assert_memory_equal(data, want, bytes);
    fclose(file);
    tray_destroy(t);
}

// 64 MiB: a head of 16 bytes, and one record, whose own head, name and data are 16, 8 and the rest.
static void test_full(void **state) {
    (void)state;
    enum { REST = 0x4000000 - 16 - 16 - 8 };
    struct error err = {""};
    char *data = calloc(1, REST + 1);
    for (int more = 0; more < 2; more++) {
        struct tray_pack *t = tray_create(&err);
        size_t bytes;
        assert_int_equal(tray_add(t, TRAY_FILE, "1234567", data, REST + (size_t)more, &err), more ? -ENOSPC : 0);
        tray_data(t, &bytes);
        assert_int_equal(bytes, more ? 16 : 0x4000000);
        if (!more) assert_int_equal(tray_add(t, TRAY_FILE, "", NULL, 0, &err), -ENOSPC);
        tray_destroy(t);
    }
    assert_non_null(strstr(err.text, "1234567: program and files are larger than the 64 MiB"));
    struct tray_pack *t = tray_create(&err);
    assert_int_equal(tray_add(t, TRAY_FILE, "n", data, SIZE_MAX, &err), -ENOSPC); // no sum of it overflows
    tray_destroy(t);
    free(data);
}

static void test_libraries(void **state) {
    (void)state;
    static const struct guest_file files[] = {{"host/c.so", "/lib/libc.so.6"}, {"host/m.so", "/opt/libm.so.6"}};
    const struct guest_code code = {"program", files, 2};
    assert_ptr_equal(guest_find_library(&code, "/lib/libc.so.6"), &files[0]);
    assert_ptr_equal(guest_find_library(&code, "./lib/../opt/libm.so.6"), &files[1]);
    assert_ptr_equal(guest_find_library(&code, "libm.so.6"), &files[1]);
    assert_null(guest_find_library(&code, "libm.so"));
    assert_null(guest_find_library(&code, ""));
    assert_true(guest_is_library("/nonexistent/file")); // nothing that could be executed
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layout), cmocka_unit_test(test_full),
                                       cmocka_unit_test(test_libraries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
