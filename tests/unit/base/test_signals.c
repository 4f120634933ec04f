// The signals of a run's end: which one came is noted, once; one that was ignored stays so; what they did before comes
// back.
#include "base/signals.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int before;
static void handler(int number) {
    before = number;
}

static void test_note(void **unused) {
    (void)unused;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct signals_before actions;
        struct sigaction now;
        signal(numbers[i], handler);
        const volatile sig_atomic_t *came = signals_note(&actions);
        assert_int_equal(*came, 0); // whatever came to the run before
        raise(numbers[i]);
        assert_int_equal(*came, numbers[i]);
        sigaction(numbers[i], NULL, &now);
        assert_true(now.sa_handler == SIG_DFL); // the second one ends the process
        signals_restore(&actions);
        raise(numbers[i]);
        assert_int_equal(before, numbers[i]);
        signal(numbers[i], SIG_DFL);
    }
}

static void test_ignored(void **unused) {
    (void)unused;
    struct signals_before actions;
    signal(SIGHUP, SIG_IGN);
    const volatile sig_atomic_t *came = signals_note(&actions);
    raise(SIGHUP);
    assert_int_equal(*came, 0);
    signals_restore(&actions);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_note), cmocka_unit_test(test_ignored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
