// The ISS made with one more row in tables/csrs.tsv: a program writes the CSR, reads it back, and changes bits of it.
#include "tests/unit/iss/hart.h"

enum { PLAIN = 0x7d0 };

static void test_program(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    assert_int_equal(csr_of(iss, PLAIN), 0x500);
    hart_set_x(iss_only(iss), A0, 0xabcdef);
    execute(iss, CSRRW(A1, PLAIN, A0));
    assert_int_equal(hart_x(iss_only(iss), A1), 0x500);
    execute(iss, CSRRSI(A2, PLAIN, 0x1f)); // bits that its mask has not
    assert_int_equal(hart_x(iss_only(iss), A2), 0xcd00);
    execute(iss, CSRRC(A3, PLAIN, A0));
    assert_int_equal(hart_x(iss_only(iss), A3), 0xcd00);
    assert_int_equal(csr_of(iss, PLAIN), 0);
    iss_destroy(iss);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
