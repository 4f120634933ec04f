// Pac-Sim's decisions: what is simulated in detail, who stands for what is not, and projections, worked out by hand.
#include "methods/regions/pacsim.h"
#include "methods/regions/pacsim_vector.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void near(double got, double expected, double within) {
    if (!(fabs(got - expected) <= within)) fail_msg("%.12g, not %.12g", got, expected);
}

// ---- decisions and donors ----
struct given { // a region as the test has it: its vector is (x, 0, ...) at x, unless it is 0
    uint64_t marker;
    double x;
    uint64_t most;
    unsigned active, state;
    bool cut;      // and not in detail
    double cycles; // if it is in detail
};

static struct pacsim_answer go(struct pacsim *p, const struct given *g) {
    double vector[PACSIM_DIMS] = {g->x};
    const struct pacsim_answer answer = pacsim_ask(p, g->marker, g->state, false);
    const struct pacsim_region region = {.marker = g->marker,
                                         .state = g->state,
                                         .cut = g->cut,
                                         .instructions = g->most,
                                         .most = g->most,
                                         .active = g->active,
                                         .detailed = answer.detailed && !g->cut,
                                         .cycles = g->cycles};
    assert_true(pacsim_end(p, &region, &answer, vector, NULL));
    return answer;
}

static void check_donor(const struct pacsim *p, size_t region, enum pacsim_rule rule, size_t donor, double cycles) {
    assert_int_equal(p->regions[region].rule, rule);
    assert_int_equal(p->regions[region].donor, donor);
    near(p->regions[region].cycles, cycles, 1e-9);
}

static void test_donors(void **unused) {
    (void)unused;
    const struct pacsim_settings s = PACSIM_SETTINGS;
    const struct given given[] = {
        {1, 1.0, 100, 1, 0, false, 200}, // 0: cluster 0, in detail: nothing is known
        {1, 1.0, 100, 1, 0, false, 210}, // 1: no history had this begin: in detail
        {1, 1.0, 200, 1, 0, false, 0},   // 2: predicted 0: of region 1, at the same begin
        {2, 1.0, 100, 1, 0, false, 150}, // 3: a new begin: in detail, cluster 0
        {1, 1.0, 50, 1, 0, false, 0},    // 4: of region 1: the latest of the cluster at this begin
        {1, 3.0, 100, 1, 0, false, 0},   // 5: predicted 0, is another, founds cluster 1; no vector is within 1: average
        {1, 1.5, 100, 1, 0, false, 0},   // 6: after 1 no region began here ... in detail: cycles below
        {3, 1.0, 10, 2, 0, false, 90},   // 7: a new begin, two harts: in detail
        {1, 1.0, 10, 1, 0, true, 0},     // 8: too short: of the closest, 7
    };
    struct pacsim p;
    assert_true(pacsim_begin(&p, &s, 1, NULL));
    assert_true(go(&p, &given[0]).detailed);
    assert_true(go(&p, &given[1]).detailed);
    struct pacsim_answer a = go(&p, &given[2]);
    assert_false(a.detailed);
    assert_int_equal(a.predicted, 0);
    assert_int_equal(a.matched, 1); // 0, and not 0, 0: only 0 lay before region 1
    assert_true(go(&p, &given[3]).detailed);
    assert_false(go(&p, &given[4]).detailed);
    assert_false(go(&p, &given[5]).detailed);
    assert_int_equal(p.regions[5].cluster, 1);
    assert_true(go(&p, &given[6]).detailed);
    assert_true(go(&p, &given[7]).detailed);
    p.regions[6].cycles = 400;
    go(&p, &given[8]);
    pacsim_estimate(&p);
    check_donor(&p, 0, PACSIM_MEASURED, PACSIM_NONE, 200);
    check_donor(&p, 2, PACSIM_SAME_BEGIN, 1, 420);                       // 210 x 200 / 100
    check_donor(&p, 4, PACSIM_SAME_BEGIN, 1, 105);                       // 210 x 50 / 100
    check_donor(&p, 5, PACSIM_AVERAGE, PACSIM_NONE, 100 * (560. / 300)); // 200 + 210 + 150
    const struct pacsim_totals t = pacsim_sums(&p);
    check_donor(&p, 8, PACSIM_CLOSEST, 7, 90);
    assert_int_equal(t.predicted, 3); // 2, 4, 5; the short one belongs to no cluster
    assert_int_equal(t.right, 2);
    pacsim_free(&p);
}

static void test_nearest_and_clusters(void **unused) {
    (void)unused;
    const struct pacsim_settings s = PACSIM_SETTINGS;
    const struct given given[] = {
        {1, 1.00, 100, 1, 0, false, 100}, // 0: cluster 0
        {1, 1.00, 100, 1, 0, false, 200}, // 1
        {2, 1.90, 100, 1, 0, false, 300}, // 2: a new begin: in detail, cluster 1
        {1, 1.00, 100, 1, 0, false, 400}, // 3: after a 1 none began here: in detail
        {1, 1.60, 100, 1, 0, false, 0},   // 4: predicted 0; new cluster 2; the nearest is 2, 0.3 away
        {1, 1.00, 100, 1, 0, false, 500}, // 5: after a 2 none
        {1, 1.60, 100, 1, 0, false, 600}, // 6: after a 0 came 2, the last time; none of it is in detail
        {1, 1.90, 100, 1, 0, false, 0},   // 7: after 2, 0 came 0: cluster 1 at another begin
        {1, 1.00, 100, 1, 1, false, 700}, // 8: another state: in detail
    };
    struct pacsim p;
    assert_true(pacsim_begin(&p, &s, 1, NULL));
    for (unsigned i = 0; i < 9; i++) {
        const struct pacsim_answer a = go(&p, &given[i]);
        if (a.detailed != (given[i].cycles > 0)) fail_msg("region %u is %sin detail", i, a.detailed ? "" : "not ");
    }
    pacsim_estimate(&p);
    check_donor(&p, 4, PACSIM_NEAREST, 2, 300);
    check_donor(&p, 7, PACSIM_SAME_CLUSTER, 2, 300);
    pacsim_free(&p);
}

// With a threshold of 0 no history returns: all is in detail.
static void test_all_in_detail(void **unused) {
    (void)unused;
    struct pacsim_settings s = PACSIM_SETTINGS;
    s.threshold = 0;
    struct pacsim p;
    assert_true(pacsim_begin(&p, &s, 1, NULL));
    for (unsigned i = 0; i < 50; i++)
        assert_true(go(&p, &(struct given){1, 1.0, 100, 1, 0, false, 3}).detailed);
    pacsim_estimate(&p);
    near(pacsim_sums(&p).cycles, 150, 0);
    pacsim_free(&p);
}

// One in detail, two not: of the one before them, or of the average.
static void test_baselines(void **unused) {
    (void)unused;
    for (int smarts = 0; smarts < 2; smarts++) {
        const struct pacsim_settings s = {
            .method = smarts ? PACSIM_SMARTS : PACSIM_TIME_BASED, .threshold = 0.05, .depth = 16, .skip = 2};
        struct pacsim p;
        assert_true(pacsim_begin(&p, &s, 1, NULL));
        for (unsigned i = 0; i < 7; i++)
            assert_int_equal(go(&p, &(struct given){i, 1.0, 100, 1, 0, false, 100 + i}).detailed, i % 3 == 0);
        pacsim_estimate(&p);
        for (unsigned i = 0; i < 7; i++) // 100, 103, 106: 103 on average
            near(p.regions[i].cycles, i % 3 == 0 ? 100 + i : smarts ? 103 : 100 + i / 3 * 3, 1e-9);
        pacsim_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_donors),
        cmocka_unit_test(test_nearest_and_clusters),
        cmocka_unit_test(test_all_in_detail),
        cmocka_unit_test(test_baselines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
