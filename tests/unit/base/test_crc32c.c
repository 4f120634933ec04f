// CRC-32C: published values, and every length and alignment against the definition, bit by bit.
#include "base/container.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

static uint32_t by_definition(const uint8_t *data, size_t bytes) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < 8 * bytes; i++) {
        bool bit = (crc ^ (uint32_t)(data[i / 8] >> i % 8)) & 1;
        crc = crc >> 1 ^ (bit ? 0x82f63b78u : 0);
    }
    return ~crc;
}

static void test_published(void **state) { // RFC 3720, appendix B.4
    (void)state;
    uint8_t data[32] = {0};
    assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
    assert_int_equal(crc32c(0, data, 32), 0x8a9136aa);
    for (unsigned i = 0; i < 32; i++)
        data[i] = (uint8_t)i;
    assert_int_equal(crc32c(0, data, 32), 0x46dd794e);
    assert_int_equal(crc32c(0, data, 0), 0);
}

static void test_lengths(void **state) {
    (void)state;
    uint8_t data[96];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 73 + 5);
    for (size_t first = 0; first < 16; first++) {
        for (size_t bytes = 0; bytes + first <= sizeof data; bytes++) {
            uint32_t want = by_definition(data + first, bytes);
            assert_int_equal(crc32c(0, data + first, bytes), want);
            size_t half = bytes / 3; // continued
            assert_int_equal(crc32c(crc32c(0, data + first, half), data + first + half, bytes - half), want);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_published), cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
