// Hashes of texts, and the index of a list by key: keys of one hash, growth, removal of all, new numbers after the list
// was sorted.
#include "base/fnv.h"
#include "base/hash_index.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct list {
    uint64_t keys[5000];
    uint64_t mask; // of the hash: 0: all keys meet
};

static uint64_t hash_of(const void *owner, uint32_t number) {
    const struct list *l = owner;
    return l->keys[number] & l->mask;
}
static bool is_key(const void *owner, uint32_t number, const void *key) {
    return ((const struct list *)owner)->keys[number] == *(const uint64_t *)key;
}
static uint32_t find(const struct hash_index *x, const struct list *l, uint64_t key) {
    return hash_index_find(x, key & l->mask, is_key, l, &key);
}

static void run(uint64_t mask, uint32_t count) {
    static struct list l;
    struct hash_index x = {0};
    l.mask = mask;
    assert_int_equal(find(&x, &l, 7), HASH_INDEX_NONE); // nothing was ever put into it
    hash_index_clear(&x);
    for (uint32_t i = 0; i < count; i++) {
        l.keys[i] = (uint64_t)i * 0x100001;
        assert_int_equal(find(&x, &l, l.keys[i]), HASH_INDEX_NONE);
        if (!hash_index_reserve(&x, 0, i, hash_of, &l)) abort();
        assert_true(2 * ((size_t)i + 1) <= hash_index_size(&x));
        hash_index_put(&x, hash_of(&l, i), i);
    }
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(find(&x, &l, l.keys[i]), i);
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint64_t other = l.keys[i];
        l.keys[i] = l.keys[count - 1 - i];
        l.keys[count - 1 - i] = other;
    }
    const uint64_t first = l.keys[0];
    hash_index_rebuild(&x, 1, count, hash_of, &l); // the first is not in it
    assert_int_equal(find(&x, &l, first), HASH_INDEX_NONE);
    for (uint32_t i = 1; i < count; i++)
        assert_int_equal(find(&x, &l, l.keys[i]), i);
    hash_index_clear(&x);
    assert_int_equal(find(&x, &l, l.keys[1]), HASH_INDEX_NONE);
    hash_index_free(&x);
    assert_null(x.slots);
}

static void test_keys_apart(void **state) {
    (void)state;
    run(UINT64_MAX, 5000);
}
static void test_all_of_one_hash(void **state) {
    (void)state;
    run(0, 700); // beyond the first size
}

// The authors' own test vectors.
static void test_fnv(void **state) {
    (void)state;
    assert_true(fnv_text(FNV_START, "") == UINT64_C(0xcbf29ce484222325));
    assert_true(fnv_text(FNV_START, "a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(fnv_text(fnv_byte(FNV_START, 'f'), "oobar") == UINT64_C(0x85944171f73967e8));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys_apart), cmocka_unit_test(test_all_of_one_hash),
                                       cmocka_unit_test(test_fnv)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
