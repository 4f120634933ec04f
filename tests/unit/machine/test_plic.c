// The interrupt controller, register by register as its specification has them: gateways, priorities, thresholds,
// claims.
#include "machine/plic.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PENDING = 0x1000, ENABLE_M = 0x2000, ENABLE_S = 0x2080, THRESHOLD_M = 0x200000, CLAIM_S = 0x201004 };
#define CLAIM_M (THRESHOLD_M + 4)

static void test_one_source(void **state) {
    (void)state;
    struct plic p = {0};
    plic_write(&p, 4 * 10, 1);
    plic_write(&p, ENABLE_M, 1 << 10);
    assert_false(plic_asks(&p, PLIC_CONTEXT_M));
    plic_line(&p, 10, true);
    assert_int_equal(plic_read(&p, PENDING), 1 << 10);
    assert_true(plic_asks(&p, PLIC_CONTEXT_M));
    assert_false(plic_asks(&p, PLIC_CONTEXT_S)); // not enabled there
    assert_int_equal(plic_read(&p, CLAIM_M), 10);
    assert_false(plic_asks(&p, PLIC_CONTEXT_M)); // claimed, though its line is still up
    assert_int_equal(plic_read(&p, PENDING), 0);
    assert_int_equal(plic_read(&p, CLAIM_M), 0);
    plic_write(&p, CLAIM_M, 11); // the completion of another one has no effect
    assert_false(plic_asks(&p, PLIC_CONTEXT_M));
    plic_write(&p, CLAIM_M, 10);
    assert_true(plic_asks(&p, PLIC_CONTEXT_M)); // the line asks again
    plic_line(&p, 10, false);
    assert_true(plic_asks(&p, PLIC_CONTEXT_M)); // a forwarded request is not withdrawn with its line
    assert_int_equal(plic_read(&p, PENDING), 1 << 10);
    assert_int_equal(plic_read(&p, CLAIM_M), 10);
    plic_write(&p, CLAIM_M, 10);
    assert_false(plic_asks(&p, PLIC_CONTEXT_M)); // the line is low by now
    assert_int_equal(plic_read(&p, PENDING), 0);
}

static void test_priorities(void **state) {
    (void)state;
    struct plic p = {0};
    plic_write(&p, 4 * 3, 5);
    plic_write(&p, 4 * 7, 5);
    plic_write(&p, 4 * 9, 6);
    plic_write(&p, 4 * 12, 0); // never
    plic_write(&p, ENABLE_S, 0xffffffff);
    assert_int_equal(plic_read(&p, ENABLE_S), 0xfffffffe); // there is no source 0
    for (unsigned source = 3; source <= 12; source++)
        plic_line(&p, source, source == 3 || source == 7 || source == 9 || source == 12);
    plic_write(&p, 0x201000, 6);
    assert_false(plic_asks(&p, PLIC_CONTEXT_S)); // none is above 6
    plic_write(&p, 0x201000, 5);
    assert_true(plic_asks(&p, PLIC_CONTEXT_S));
    assert_int_equal(plic_read(&p, CLAIM_S), 9);
    assert_false(plic_asks(&p, PLIC_CONTEXT_S));
    assert_int_equal(plic_read(&p, CLAIM_S), 3); // claims ask nothing of the threshold; the lowest of equals first
    assert_int_equal(plic_read(&p, CLAIM_S), 7);
    assert_int_equal(plic_read(&p, CLAIM_S), 0);
}

static void test_source_0(void **state) {
    (void)state;
    struct plic p = {0};
    plic_line(&p, 0, true);
    plic_write(&p, 0, 7);
    plic_write(&p, ENABLE_M, 1);
    assert_false(plic_asks(&p, PLIC_CONTEXT_M));
    assert_int_equal(plic_read(&p, 0) | plic_read(&p, PENDING) | plic_read(&p, CLAIM_M), 0);
    assert_int_equal(plic_read(&p, 0x3fffffc), 0); // beyond all registers
}

// ---- random accesses beside a model by the specification's words, a state a gateway ----
enum gateway { IDLE, PENDING_REQUEST, IN_SERVICE };
struct model {
    enum gateway gateway[PLIC_SOURCES];
    bool line[PLIC_SOURCES], enabled[PLIC_CONTEXTS][PLIC_SOURCES];
    unsigned priority[PLIC_SOURCES], threshold[PLIC_CONTEXTS];
};

// "Converts ... into an interrupt request to the PLIC core ... will not forward another until completion."
static void model_line(struct model *m, unsigned source, bool level) {
    m->line[source] = level;
    if (level && m->gateway[source] == IDLE) m->gateway[source] = PENDING_REQUEST;
}

// Highest priority above that, lowest number of equals; 0: none.
static unsigned model_best(const struct model *m, unsigned context, unsigned above) {
    unsigned found = 0;
    for (unsigned priority = 7; priority > above && !found; priority--)
        for (unsigned source = 1; source < PLIC_SOURCES && !found; source++)
            if (m->gateway[source] == PENDING_REQUEST && m->enabled[context][source] && m->priority[source] == priority)
                found = source;
    return found;
}

static unsigned model_claim(struct model *m, unsigned context) {
    const unsigned source = model_best(m, context, 0);
    if (source) m->gateway[source] = IN_SERVICE;
    return source;
}

// "If the completion ID does not match an interrupt source that is currently enabled for the target, the completion is
// silently ignored."
static void model_complete(struct model *m, unsigned context, unsigned source) {
    if (source == 0 || source >= PLIC_SOURCES || !m->enabled[context][source] || m->gateway[source] != IN_SERVICE)
        return;
    m->gateway[source] = IDLE;
    model_line(m, source, m->line[source]);
}

static void check_state(const struct model *m, struct plic *p, unsigned step) {
    uint32_t pending = 0;
    for (unsigned source = 1; source < PLIC_SOURCES; source++)
        pending |= (uint32_t)(m->gateway[source] == PENDING_REQUEST) << source;
    if (plic_read(p, PENDING) != pending)
        fail_msg("step %u: pending is 0x%x, should be 0x%x", step, plic_read(p, PENDING), pending);
    for (unsigned context = 0; context < PLIC_CONTEXTS; context++)
        if (plic_asks(p, context) != (model_best(m, context, m->threshold[context]) != 0))
            fail_msg("step %u: context %u asks: %d", step, context, plic_asks(p, context));
}

static void random_step(struct model *m, struct plic *p, unsigned step) {
    const unsigned context = (unsigned)rand() % PLIC_CONTEXTS, source = 1 + (unsigned)rand() % (PLIC_SOURCES - 1);
    unsigned served = source;
    for (unsigned s = 1; s < PLIC_SOURCES && rand() % 8 != 0; s++)
        if (m->gateway[s] == IN_SERVICE) served = s;
    const uint64_t threshold = THRESHOLD_M + 0x1000 * context, claim = threshold + 4;
    const unsigned small = (unsigned)rand() % PLIC_PRIORITIES;
    switch (rand() % 8) {
    case 0:
    case 1: {
        const bool level = rand() % 2;
        model_line(m, source, level);
        plic_line(p, source, level);
        break;
    }
    case 2:
        m->priority[source] = small;
        plic_write(p, 4 * source, small);
        break;
    case 3:
        m->threshold[context] = small & 3;
        plic_write(p, threshold, small & 3);
        break;
    case 4: {
        uint32_t word = 0;
        for (unsigned s = 1; s < PLIC_SOURCES; s++)
            word |= (uint32_t)(m->enabled[context][s] = rand() % 4 != 0) << s;
        plic_write(p, context ? ENABLE_S : ENABLE_M, word);
        break;
    }
    case 5: {
        const unsigned expected = model_claim(m, context), got = plic_read(p, claim);
        if (got != expected) fail_msg("step %u: context %u claims %u, should claim %u", step, context, got, expected);
        break;
    }
    default: // mostly of one in service
        model_complete(m, context, served);
        plic_write(p, claim, served);
        break;
    }
}

static void test_random(void **state) {
    (void)state;
    struct model m = {0};
    struct plic p = {0};
    srand(7);
    for (unsigned step = 0; step < 200000; step++) {
        random_step(&m, &p, step);
        check_state(&m, &p, step);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_source),
        cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_source_0),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
