// The golden vectors through the profilers: sampled in every cycle, each must book what was worked out by hand.
#include "../../profile/vectors/vector_bundle.h"
#include "profilers/profilers.h"
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct vector vector;
static unsigned profiles_checked;

static void expect_rows(struct profilers *p, size_t profiler) {
    size_t count, expected = 0;
    const char *name = profilers_name(profiler);
    const char *rows_of = strcmp(name, "TEA") == 0 ? "Oracle" : name; // TEA sampled in every cycle is the Oracle
    const struct profile_row *rows = profilers_rows(p, profiler, &count);
    for (unsigned i = 0; i < vector.row_count; i++) {
        const struct vector_row *e = &vector.rows[i];
        if (strcmp(e->profiler, rows_of) != 0) continue;
        expected++;
        size_t k = 0;
        while (k < count && !(rows[k].pc == e->pc && rows[k].state == e->state && rows[k].psv == e->psv))
            k++;
        if (k == count) fail_msg("%s: %s: row %u is missing", vector.path, name, i + 1);
        if (rows[k].weight != e->units) {
            fail_msg("%s: %s: row %u: expected %llu/%u cycles, booked %llu", vector.path, name, i + 1,
                     (unsigned long long)e->units, vector.units, (unsigned long long)rows[k].weight);
        }
    }
    if (expected == 0) return;
    if (count != expected) fail_msg("%s: %s: %zu rows, expected %zu", vector.path, name, count, expected);
    profiles_checked++;
}

enum { VECTOR_ROB = 1 << 15 }; // entries: indices of vectors never wrap

// Cycle 0 is an empty one before the vector; the samples of cycles 1.. weigh a cycle each. Quiet cycles are stepped one
// by one, or emitted as the monitor emits them: the first of a line at once, the others later, after their samples.
static void play(const char *path, bool late) {
    struct error err;
    const struct commit_bundle reset = {.rob_empty = true};
    vector_read(&vector, path);
    struct profilers *p = profilers_create(vector.width, VECTOR_ROB, PROFILERS_TAGS, &err);
    assert_non_null(p);
    profilers_step(p, &reset, 1);
    uint64_t last = 0;
    for (unsigned i = 0; i < vector.cycle_count; i++) {
        const struct vector_cycle *c = &vector.cycles[i];
        struct commit_bundle b = vector_bundle(c);
        last = c->last;
        for (uint64_t cycle = c->first; cycle <= last; cycle++) {
            if (!late || cycle == c->first) profilers_step(p, &b, 1);
            profilers_sample(p, &b, cycle);
        }
        if (late && c->last > c->first) profilers_step(p, &b, c->last - c->first);
    }
    if (profilers_finish(p, last + 1, &err) < 0) fail_msg("%s: %s", path, err.text);
    for (size_t i = 0; i < profilers_count(); i++)
        expect_rows(p, i);
    profilers_destroy(p);
}

static void test_all(bool late) {
    glob_t files;
    profiles_checked = 0;
    assert_int_equal(glob(TIPOFF_ROOT "/tests/profile/vectors/*.txt", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        play(files.gl_pathv[i], late);
    globfree(&files);
    assert_true(profiles_checked >= 80);
}

static void test_single_cycles(void **state) {
    (void)state;
    test_all(false);
}

static void test_told_later(void **state) {
    (void)state;
    test_all(true);
}

// Every profiler that the vectors name exists: a misspelt one would never be compared.
static void test_names(void **state) {
    (void)state;
    static const char *const names[] = {"TIP",   "TIP-ILP", "NCI", "NCI+ILP", "LCI",     "Dispatch", "Software",
                                        "Fetch", "IBS",     "SPE", "RIS",     "NCI-TEA", "TEA"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t k = 0;
        while (k < profilers_count() && strcmp(profilers_name(k), names[i]) != 0)
            k++;
        if (k == profilers_count()) fail_msg("no profiler %s", names[i]);
    }
    glob_t files;
    assert_int_equal(glob(TIPOFF_ROOT "/tests/profile/vectors/*.txt", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        vector_read(&vector, files.gl_pathv[f]);
        for (unsigned i = 0; i < vector.row_count; i++) {
            bool known = strcmp(vector.rows[i].profiler, "Oracle") == 0;
            for (size_t k = 0; k < profilers_count(); k++)
                known = known || strcmp(vector.rows[i].profiler, profilers_name(k)) == 0;
            if (!known) fail_msg("%s: no profiler %s", vector.path, vector.rows[i].profiler);
        }
    }
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_single_cycles), cmocka_unit_test(test_told_later),
                                       cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
