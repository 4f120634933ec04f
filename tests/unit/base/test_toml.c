// TOML as far as it is read: values in their order, tables on one line, and what is refused with its line.
#include "base/toml.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool list(void *context, const struct toml_value *v, struct error *err) {
    char *const said = context, one[128];
    if (strcmp(v->key, "refused") == 0) return error_set(err, "no"), false;
    snprintf(one, sizeof one, "%s.%s%s%s=", v->table, v->key, v->member ? "." : "", v->member ? v->member : "");
    strcat(said, one);
    if (v->kind == TOML_NUMBER) snprintf(one, sizeof one, "%lld;", (long long)v->number);
    if (v->kind == TOML_TEXT) snprintf(one, sizeof one, "'%s';", v->text);
    if (v->kind == TOML_TRUTH) snprintf(one, sizeof one, "%s;", v->truth ? "true" : "false");
    strcat(said, one);
    return true;
}

// What is read of the text, or the error without the file's name.
static void expect(const char *text, const char *wanted) {
    char path[] = "/tmp/test_toml_XXXXXX", said[1024] = "";
    struct error err = {""};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    const bool good = toml_read(path, list, said, &err);
    unlink(path);
    if (good) {
        assert_string_equal(said, wanted);
        return;
    }
    assert_memory_equal(err.text, path, strlen(path));
    assert_memory_equal(err.text + strlen(path), wanted, strlen(wanted));
}

static void values(void **state) {
    (void)state;
    expect("", "");
    expect("# nothing\n\n", "");
    expect("a = 1\n[one]\nb = -2 # two\n  c=0x10\n[two]\nd = \"x # y\"\ne = true\nf = false\n",
           ".a=1;one.b=-2;one.c=16;two.d='x # y';two.e=true;two.f=false;");
    expect("[t]\nk = {offset = 3, name = \"n\"} # of a record\n", "t.k.offset=3;t.k.name='n';");
}

static void refused(void **state) {
    (void)state;
    expect("[a]\nb = 1\nc\n", ": line 3: of TOML this reads");
    expect("a = 1.5\n", ": line 1: of TOML this reads");
    expect("a = 1_000\n", ": line 1: of TOML this reads");
    expect("a = [1, 2]\n", ": line 1: of TOML this reads");
    expect("a = \"x\n", ": line 1: of TOML this reads");
    expect("a = {b = 1\n", ": line 1: of TOML this reads");
    expect("a = 99999999999999999999\n", ": line 1: of TOML this reads");
    expect("a = 1 2\n", ": line 1: of TOML this reads");
    expect("[a\n", ": line 1: of TOML this reads");
    expect("\nrefused = 1\n", ": line 2: no");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
