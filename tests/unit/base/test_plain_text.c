// Text from outside made plain: what stays, what is escaped, that two stay two, and cuts.
#include "base/error.h"
#include "base/plain_json.h"
#include "base/plain_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void is_made(const char *text, const char *want) {
    char *plain = plain_text(text), *again = plain_text(plain), put[64];
    assert_non_null(plain);
    assert_string_equal(plain, want);
    assert_string_equal(again, want); // of what is plain nothing changes
    assert_true(plain_is(plain));
    assert_int_equal(plain_is(text), strcmp(text, want) == 0);
    plain_put(put, sizeof put, text);
    assert_string_equal(put, want);
    free(plain);
    free(again);
}

static void test_escapes(void **state) {
    (void)state;
    is_made("", "");
    is_made("operator<", "operator<");
    is_made("a\tb \"c\" \\d \\x41", "a\tb \"c\" \\d \\x41");
    is_made("gr\xc3\xbcn \xe2\x82\xac \xf0\x9f\x98\x80", "gr\xc3\xbcn \xe2\x82\xac \xf0\x9f\x98\x80");
    is_made("gr\xfcn", "gr\\xfcn");
    is_made("\x1b[31m\x1b]0;t\x07\r\n", "\\x1b[31m\\x1b]0;t\\x07\\x0d\\x0a");
    is_made("\x7f", "\\x7f");
    is_made("\xc2\x9b"
            "31m",
            "\\xc2\\x9b31m"); // CSI in one character
    is_made("\xe2\x80\xae"
            "fdp.exe\xe2\x81\xa6",
            "\\xe2\\x80\\xaefdp.exe\\xe2\\x81\\xa6"); // bidi
    is_made("\xe2\x80\xa8", "\\xe2\\x80\\xa8");       // line separator
    is_made("\xc3", "\\xc3");                         // cut short
    is_made("\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80",
            "\\xc0\\x80 \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80"); // overlong, surrogate, beyond
}

// A name with the letters of an escape in it is another one than a name with that byte.
static void test_two_stay_two(void **state) {
    (void)state;
    char *byte = plain_name("f\x1b"), *letters = plain_name("f\\x1b"), *again = plain_text(letters);
    assert_string_equal(byte, "f\\x1b");
    assert_string_equal(letters, "f\\x5cx1b");
    assert_string_equal(again, letters);
    free(byte);
    free(letters);
    free(again);
}

static void test_cuts(void **state) {
    (void)state;
    char small[8], fitted[2][64], name[2][200];
    plain_put(small, sizeof small, "abcde\x1b"); // no half of an escape
    assert_string_equal(small, "abcde");
    plain_put(small, sizeof small, "abcdef\xc3\xbc"); // nor of a character
    assert_string_equal(small, "abcdef");
    plain_fit(small, sizeof small, "abc", "+0x4");
    assert_string_equal(small, "abc+0x4");
    for (size_t at = 0; at < sizeof name[0] - 1; at++) { // names that differ anywhere, of letters of two bytes
        for (int i = 0; i < 2; i++) {
            for (size_t k = 0; k < sizeof name[i] - 1; k++)
                name[i][k] = k % 2 ? '\xbc' : '\xc3';
            name[i][sizeof name[i] - 1] = '\0';
            name[i][sizeof name[i] - 2] = 'e';
            if (i && at % 2) name[i][at] = '\xbd';
            plain_fit(fitted[i], sizeof fitted[i], name[i], "+0x14");
            assert_true(strlen(fitted[i]) < sizeof fitted[i]);
            assert_true(plain_is(fitted[i]));
            assert_string_equal(fitted[i] + strlen(fitted[i]) - 5, "+0x14");
        }
        assert_int_equal(strcmp(fitted[0], fitted[1]) == 0, strcmp(name[0], name[1]) == 0);
    }
}

static void test_json(void **state) {
    (void)state;
    cJSON *root = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(root, "list");
    cJSON_AddStringToObject(root, "name", "gr\xfcn");
    cJSON_AddItemToArray(array, cJSON_CreateString("a\x1b"));
    cJSON_AddItemToArray(array, cJSON_CreateString("a"));
    plain_json(root);
    char *text = cJSON_PrintUnformatted(root);
    assert_string_equal(text, "{\"list\":[\"a\\u001b\",\"a\"],\"name\":\"gr\\\\xfcn\"}");
    cJSON_free(text);
    cJSON_Delete(root);
}

// A message is one line, whatever the name of the file in it.
static void test_errors(void **state) {
    (void)state;
    struct error err;
    error_set(&err, "%s: no such file", "a\nb\x1b[2J");
    assert_string_equal(err.text, "a\\x0ab\\x1b[2J: no such file");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_escapes), cmocka_unit_test(test_two_stay_two),
                                       cmocka_unit_test(test_cuts), cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
