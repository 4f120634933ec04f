// With NX raised before, the floating-point arithmetic gives the same values as without, and all flags but NX; and
// mostly by the host's (fp_host.c), which this would not test otherwise. The integer arithmetic has a test of its own
// (test_fp.c).
#include "fp_operands.h"
#include "iss/fp_host.h"
#include "iss/iss_internal.h"
#include "tests/unit/iss/hart.h"
#include <stdio.h>

#if __has_feature(address_sanitizer) // a third of them
enum { CASES = 130000 };
#else
enum { CASES = 400000 };
#endif
enum operation { ADD, MUL, DIV, SQRT, FMA, CONVERT, FROM_INTEGER, TO_INTEGER, OPERATIONS };

struct given {
    enum fp_format format;
    uint64_t a, b, c;
    enum fp_integer integer;
};

static uint64_t compute(enum operation op, const struct given *g, struct fp_env *env) {
    enum fp_format other = g->format == FP_SINGLE ? FP_DOUBLE : FP_SINGLE;
    switch (op) {
    case ADD: return fp_add(g->format, g->a, g->b, env);
    case MUL: return fp_mul(g->format, g->a, g->b, env);
    case DIV: return fp_div(g->format, g->a, g->b, env);
    case SQRT: return fp_sqrt(g->format, g->a, env);
    case FMA: return fp_fma(g->format, g->a, g->b, g->c, env);
    case CONVERT: return fp_convert(other, g->format, g->a, env);
    case FROM_INTEGER: return fp_from_integer(g->format, g->integer, g->b, env);
    default: return fp_to_integer(g->format, g->integer, g->a, env);
    }
}

// Whether the host does it.
static bool shortcut(enum operation op, const struct given *g, struct fp_env *env) {
    uint64_t value;
    int64_t integer;
    static const enum fp_operation operations[] = {FP_ADD, FP_MUL, FP_DIV, FP_SQRT, FP_FMA};
    const uint64_t operands[] = {g->a, op == SQRT ? 0 : g->b, op == FMA ? g->c : 0};
    if (op <= FMA) return fp_host(operations[op], g->format, operands, env, &value);
    if (op == CONVERT)
        return fp_host_convert(g->format == FP_SINGLE ? FP_DOUBLE : FP_SINGLE, g->format, g->a, env, &value);
    if (op == FROM_INTEGER) return fp_host_from_integer(g->format, true, g->b, env, &value);
    return fp_host_to_integer(g->format, 64, g->a, env, &integer);
}

static void test_same(void **state) {
    (void)state;
    for (int op = 0; op < OPERATIONS; op++) {
        unsigned by_host = 0;
        for (unsigned i = 0; i < CASES; i++) {
            struct given g = {.format = random_below(2) ? FP_SINGLE : FP_DOUBLE, .integer = random_below(4)};
            g.a = any_operand(g.format);
            g.b = op == FROM_INTEGER ? random_bits() >> random_below(64) : second_operand(g.format, g.a);
            g.c = random_below(2) ? any_operand(g.format) : second_operand(g.format, g.b);
            enum fp_rounding rounding = random_below(8) ? (op == TO_INTEGER ? FP_RTZ : FP_RNE) : random_below(5);
            struct fp_env before = {rounding, 0, false}, after = {rounding, 0, true};
            uint64_t expected = compute((enum operation)op, &g, &before), got = compute((enum operation)op, &g, &after);
            if (got != expected || ((before.flags ^ after.flags) & (op == TO_INTEGER ? ~0u : ~(unsigned)FP_NX))) {
                fail_msg("operation %d, format %d, rounding %d of %#llx, %#llx, %#llx: %#llx with flags %#x, not %#llx "
                         "with %#x",
                         op, g.format, rounding, (unsigned long long)g.a, (unsigned long long)g.b,
                         (unsigned long long)g.c, (unsigned long long)got, after.flags, (unsigned long long)expected,
                         before.flags);
            }
            by_host += shortcut((enum operation)op, &g, &after);
        }
        // Less would be a test of nothing: corners and exponents near the limits are half of the operands.
        if (by_host < CASES / 10) fail_msg("operation %d: the host did %u of %u", op, by_host, CASES);
    }
}

// Nobody may take the host's way whose flags are asked for.
static void test_asked(void **state) {
    (void)state;
    const uint64_t one = UINT64_C(0x3ff0000000000000), three = UINT64_C(0x4008000000000000);
    const uint64_t operands[] = {one, three, 0};
    uint64_t value;
    struct fp_env env = {FP_RNE, 0, false};
    assert_false(fp_host(FP_DIV, FP_DOUBLE, operands, &env, &value));
    assert_int_equal(fp_div(FP_DOUBLE, one, three, &env), UINT64_C(0x3fd5555555555555));
    assert_int_equal(env.flags, FP_NX);
    env = (struct fp_env){FP_RUP, 0, true};
    assert_false(fp_host(FP_DIV, FP_DOUBLE, operands, &env, &value));
    assert_int_equal(fp_div(FP_DOUBLE, one, three, &env), UINT64_C(0x3fd5555555555556));
}

// In the hart: what the loop's bodies do by the host (execute_fp.c) is what iss_fp_execute does, to all registers,
// flags and mstatus.FS; operands are not always boxed, FS not always on, NX not always raised, nor is rounding always
// usual.
static const struct insn_info rows[] = {INSN_INFO_ROWS};
enum { OF_EACH = 3000 };

static uint64_t operand(enum fp_format format) {
    const uint64_t value = any_operand(format);
    return format == FP_DOUBLE || random_below(8) == 0 ? value : UINT64_C(0xffffffff00000000) | value;
}

static void set_operands(struct hart *h, enum fp_format format) {
    for (unsigned i = 1; i < 4; i++)
        h->f[i] = operand(format);
    h->f[4] = 0;
    hart_set_x(h, 1, random_bits() >> random_below(64));
    hart_set_x(h, 4, 0);
    const uint64_t fs = random_below(8) ? 1 + random_below(3) : 0;
    hart_set_csr(h, CSR_MSTATUS, UINT64_C(3) << 11 | fs << 13);
    h->csr[CSR_FFLAGS] = random_below(4) ? FP_NX : random_below(32);
    h->csr[CSR_FRM] = random_below(4) ? FP_RNE : random_below(8);
    h->pc = CODE;
}

static void test_bodies(void **state) {
    (void)state;
    struct iss *body = hart_create(), *whole = hart_create();
    struct hart *a = iss_only(body), *b = iss_only(whole);
    struct page *page;
    for (unsigned op = 1; op < INSN_COUNT; op++) {
        if (rows[op].unit != UNIT_FP) continue;
        for (unsigned rm = 0; rm < 8; rm++) {
            if (rows[op].mask & 0x7000 && rm > 0) continue;
            const uint32_t operands = 4 << 7 | 1 << 15 | 2 << 20 | 3u << 27 | rm << 12;
            const uint32_t word = rows[op].match | (operands & ~rows[op].mask);
            put_word(body, CODE, word);
            put_word(whole, CODE, word);
            for (unsigned i = 0; i < OF_EACH; i++) {
                const bool converts = op == INSN_FCVT_S_D || op == INSN_FCVT_D_S, d = word >> 25 & 1;
                set_operands(a, d != converts ? FP_DOUBLE : FP_SINGLE);
                memcpy(b->x, a->x, sizeof a->x);
                memcpy(b->f, a->f, sizeof a->f);
                memcpy(b->csr, a->csr, sizeof a->csr);
                b->privilege = a->privilege = ISS_PRIVILEGE_M;
                b->pc = CODE;
                assert_int_equal(iss_run(body, 1), 1);
                const bool legal = iss_fp_execute(b, iss_entry_at(b, CODE, &page));
                assert_int_equal(hart_pc(a), legal ? CODE + 4 : HANDLER);
                if (!legal) continue;
                if (memcmp(a->x, b->x, 32 * sizeof *a->x) != 0 || memcmp(a->f, b->f, sizeof a->f) != 0 ||
                    memcmp(a->csr, b->csr, sizeof a->csr) != 0)
                    fail_msg("%s, rm %u, of %#llx, %#llx, %#llx: not what iss_fp_execute does", rows[op].name, rm,
                             (unsigned long long)a->f[1], (unsigned long long)a->f[2], (unsigned long long)a->f[3]);
            }
        }
    }
    iss_destroy(body);
    iss_destroy(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_asked),
                                       cmocka_unit_test(test_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
