// Names of C++ without what templates and long lists of parameters have between their brackets.
#include "report/short_name.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct {
    const char *name, *shown; // NULL: stays as it is
} names[] = {
    {"main", NULL},
    {"std::vector<int>::push_back(int const&)", "std::vector<...>::push_back(int const&)"},
    {"std::_Rb_tree<std::string, std::pair<std::string const, int>, std::less<std::string> >::find(std::string const&)",
     "std::_Rb_tree<...>::find(std::string const&)"},
    {"void sort<std::vector<int>::iterator, bool (*)(int, int)>(std::vector<int>::iterator, bool (*)(int, int))",
     "void sort<...>(std::vector<...>::iterator, bool (*)(int, int))"}, // lists within lists stay
    {"a_function_with_a_rather_long_name_in_C_plus_plus(std::vector<int>, std::map<int, int>)",
     "a_function_with_a_rather_long_name_in_C_plus_plus(...)"},
    {"std::ostream& operator<< <char>(std::ostream&, char)", "std::ostream& operator<< <...>(...)"},
    {"bool operator<(A const&, B const&)", NULL},
    {"S<int>::operator->() const", "S<...>::operator->() const"},
    {"(anonymous namespace)::Table<Key, Value>::find_or_insert_a_new_one(Key const&)",
     "(anonymous namespace)::Table<...>::find_or_insert_a_new_one(...)"},
    {"f<&g->h>(int)", "f<...>(int)"},
    {"broken<int", NULL},
    {"a > b", NULL},
    {"<main+0x90>", NULL},
    {"", NULL},
};

static void each(void **state) {
    (void)state;
    char out[1024];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const bool is_short = short_name(names[i].name, out, sizeof out);
        if (is_short != (names[i].shown != NULL)) fail_msg("%s: %s", names[i].name, is_short ? out : "stays");
        if (is_short) assert_string_equal(out, names[i].shown);
    }
}

// Nothing is written where the room is too small for the longest that it could become.
static void too_small(void **state) {
    (void)state;
    char out[16] = "untouched";
    assert_false(short_name("f<g>()", out, sizeof out));
    assert_string_equal(out, "untouched");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each), cmocka_unit_test(too_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
