// The CLINT's registers, of several harts, by accesses of all sizes; beside a model of its words.
#include "machine/clint.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { HARTS = 3, MSIP = 0, MTIMECMP = 0x4000, MTIME = 0xbff8 };

struct machine {
    bool msip[HARTS];
    uint64_t mtimecmp[HARTS], mtime;
    struct clint_hart harts[HARTS];
    struct clint clint;
};

static void start(struct machine *m) {
    memset(m, 0, sizeof *m);
    for (unsigned i = 0; i < HARTS; i++)
        m->harts[i] = (struct clint_hart){&m->msip[i], &m->mtimecmp[i]};
    m->clint = (struct clint){m->harts, HARTS};
    clint_reset(&m->clint);
}

static uint64_t load(struct machine *m, uint64_t offset, unsigned bytes) {
    return clint_load(&m->clint, m->mtime, offset, bytes);
}

static void store(struct machine *m, uint64_t offset, unsigned bytes, uint64_t value) {
    clint_store(&m->clint, &m->mtime, offset, bytes, value);
}

static void test_registers(void **state) {
    struct machine m;
    (void)state;
    start(&m);
    assert_true(m.mtimecmp[0] == UINT64_MAX && m.mtimecmp[2] == UINT64_MAX);
    store(&m, MSIP + 4, 4, 0xffffffff);
    assert_true(!m.msip[0] && m.msip[1] && !m.msip[2]);
    assert_int_equal(load(&m, MSIP + 4, 4), 1);
    assert_true(load(&m, MSIP, 8) == UINT64_C(1) << 32);
    store(&m, MSIP + 8, 8, UINT64_C(1) << 32 | 1); // hart 2, and one that does not exist
    assert_true(m.msip[2]);
    assert_int_equal(load(&m, MSIP + 8, 8), 1);
    store(&m, MSIP + 12, 4, 1);
    assert_int_equal(load(&m, MSIP + 12, 4), 0);
    store(&m, MSIP + 5, 1, 0xff); // not the bit
    store(&m, MSIP + 4, 1, 0);
    assert_false(m.msip[1]);
    store(&m, MTIMECMP + 8, 8, 0x1122334455667788);
    assert_int_equal(load(&m, MTIMECMP + 8 + 4, 4), 0x11223344);
    store(&m, MTIMECMP + 8 + 2, 2, 0xabcd);
    assert_true(m.mtimecmp[1] == 0x11223344abcd7788);
    store(&m, MTIMECMP + 8 * HARTS, 8, 5);
    assert_int_equal(load(&m, MTIMECMP + 8 * HARTS, 8), 0);
    m.mtime = 0xfffffffff;
    store(&m, MTIME + 4, 4, 0x12);
    assert_true(m.mtime == 0x12ffffffff);
    assert_int_equal(load(&m, MTIME + 4, 2), 0x12);
    assert_int_equal(load(&m, MTIME, 1), 0xff);
    store(&m, MTIME - 8, 8, 1);
    assert_int_equal(load(&m, MTIME - 8, 8), 0);
    assert_true(m.mtime == 0x12ffffffff);
}

// Of the register that a byte belongs to, and which of it: NULL for one that reads 0.
static uint8_t *byte_of(struct machine *m, uint64_t offset, bool *is_msip) {
    *is_msip = offset < 4 * HARTS;
    if (*is_msip) return offset % 4 == 0 ? (uint8_t *)&m->msip[offset / 4] : NULL;
    if (offset >= MTIMECMP && offset < MTIMECMP + 8 * HARTS)
        return (uint8_t *)&m->mtimecmp[(offset - MTIMECMP) / 8] + offset % 8;
    return offset >= MTIME && offset < MTIME + 8 ? (uint8_t *)&m->mtime + offset % 8 : NULL;
}

static void test_random(void **state) {
    struct machine m, model;
    static const uint64_t bases[] = {MSIP, MTIMECMP, MTIME, MTIME - 8, MTIMECMP - 8};
    (void)state;
    start(&m);
    start(&model);
    srand(3);
    for (unsigned step = 0; step < 100000; step++) {
        const unsigned bytes = 1u << rand() % 4;
        const uint64_t offset = bases[rand() % 5] + ((uint64_t)(rand() % 40) & ~(uint64_t)(bytes - 1));
        if (offset + bytes > MTIME + 8) continue;
        uint64_t value = (uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand(), expected = 0;
        bool is_msip;
        if (rand() % 2) {
            store(&m, offset, bytes, value);
            for (unsigned i = 0; i < bytes; i++) {
                uint8_t *byte = byte_of(&model, offset + i, &is_msip);
                if (byte) *byte = (uint8_t)(value >> 8 * i) & (is_msip ? 1 : 0xff);
            }
        }
        for (unsigned i = 0; i < bytes; i++) {
            const uint8_t *byte = byte_of(&model, offset + i, &is_msip);
            expected |= (uint64_t)(byte ? *byte : 0) << 8 * i;
        }
        if (load(&m, offset, bytes) != expected)
            fail_msg("step %u: 0x%llx of %u bytes: 0x%llx, should be 0x%llx", step, (unsigned long long)offset, bytes,
                     (unsigned long long)load(&m, offset, bytes), (unsigned long long)expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
