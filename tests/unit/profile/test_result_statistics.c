// Shapes of --stats: what a result becomes, in the order of tables/results.tsv, whatever was published first.
#include "records.h"
#include "tests/unit/profile/published.h"
#include <string.h>

static void expect(struct results *r, const char *expected) {
    cJSON *statistics = published(r);
    char *text = cJSON_PrintUnformatted(statistics);
    assert_string_equal(text, expected);
    cJSON_free(text);
    cJSON_Delete(statistics);
}

// Members of several results in one object; the one that is published last comes first in the table.
static void test_shared_object(void **state) {
    (void)state;
    struct results *r = results_create();
    assert_true(results_add_oracle_checked(r, &(struct oracle_checked){7}));
    assert_true(results_add_lockstep_checked(r, &(struct lockstep_checked){5, 1}));
    assert_true(results_add_lockstep_checked(r, &(struct lockstep_checked){6, 2})); // in the place of the first
    expect(r, "{\"checks\":{\"instructions\":6,\"traps\":2,\"cycles\":7}}");
}

static void test_inner_objects(void **state) {
    (void)state;
    struct results *r = results_create();
    const struct slot_uses uses = {
        .slots = 8, .bad_speculation_slots = -1, .bad_speculation_clears = 0.25, .dispatched = 3};
    assert_true(results_add_slot_uses(r, &uses));
    expect(r,
           "{\"topdown\":{\"slots\":8,\"retiring\":0,\"bad_speculation\":{\"slots\":-1,\"mispredictions\":0,\"clears\":"
           "0.25},\"frontend\":{\"slots\":0,\"latency\":0,\"bandwidth\":0},\"backend\":{\"slots\":0,\"memory\":0,"
           "\"core\":0},\"by_counters\":{\"latency\":0,\"bandwidth\":0,\"memory\":0,\"core\":0},\"empty\":{"
           "\"queue_full\":0,\"stalled\":0,\"both\":0},\"dispatched\":3,\"recovery\":{\"branches\":0,\"clears\":0},"
           "\"redirects\":{\"branches\":0,\"clears\":0}}}");
}

// By the name of the key's value, or by a text; one number, or an object of several.
static void test_names(void **state) {
    (void)state;
    struct results *r = results_create();
    assert_true(results_add_state_cycles(r, &(struct state_cycles){STATE_STALLED, 1.5}));
    assert_true(results_add_rival_unit(r, &(struct rival_unit){"NCI-TEA", 2, 30}));
    assert_true(results_add_rival_unit(r, &(struct rival_unit){"IBS", 1, 4}));
    expect(r,
           "{\"state_cycles\":{\"Stalled\":1.5},\"rival_units\":{\"NCI-TEA\":{\"samples\":2,\"triggers\":30},\"IBS\":{"
           "\"samples\":1,\"triggers\":4}}}");
}

// An object inside another's, and places of rows.
static void test_objects(void **state) {
    (void)state;
    struct results *r = results_create();
    results_keep(r, RESULT_EVENT_MET);
    assert_true(results_add_base_stalls(r, &(struct base_stalls){3, 40}));
    assert_true(results_add_stall_length(r, &(struct stall_length){20, 2}));
    assert_true(results_add_long_stall(r, &(struct long_stall){{0x80000004, place_context(MODE_USER, 9)}, 2, 40, 20}));
    expect(
        r,
        "{\"base_stalls\":{\"count\":3,\"cycles\":40,\"lengths\":[[20,2]],\"long\":[{\"pc\":\"0x80000004\",\"mode\":0,"
        "\"space\":9,\"count\":2,\"cycles\":40,\"longest\":20}]},\"met\":[]}");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_object), cmocka_unit_test(test_inner_objects),
                                       cmocka_unit_test(test_names), cmocka_unit_test(test_objects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
