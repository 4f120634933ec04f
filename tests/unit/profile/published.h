// Results as --stats shows them, for the tests of what publishes them.
#ifndef TIPOFF_TESTS_PUBLISHED_H
#define TIPOFF_TESTS_PUBLISHED_H

#include "profile/pair_table.h"
#include "profile/result_statistics.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// All that the results hold, which are freed.
static inline cJSON *published(struct results *r) {
    cJSON *statistics = cJSON_CreateObject();
    assert_true(result_statistics_add(statistics, r));
    results_destroy(r);
    return statistics;
}

static inline cJSON *published_pairs(const struct pair_table *t, unsigned number) {
    struct results *r = results_create();
    assert_true(r && pair_table_publish(t, r, number));
    return published(r);
}

#endif
