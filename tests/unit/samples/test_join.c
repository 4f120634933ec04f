// The files of several harts as one: order, stacks, contexts, units; and files that do not belong together.
#include "results.h"
#include "samples/samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FILES = 3, MOST = 16 };
static char paths[FILES][32];
static struct error err;

static int set_up(void **state) {
    (void)state;
    err.text[0] = '\0';
    for (unsigned i = 0; i < FILES; i++) {
        strcpy(paths[i], "/tmp/test_join_XXXXXX");
        const int fd = mkstemp(paths[i]);
        if (fd < 0) return -1;
        close(fd);
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    for (unsigned i = 0; i < FILES; i++)
        unlink(paths[i]);
    return 0;
}

struct made { // of a file
    unsigned hart, width;
    uint64_t first, step, cycles; // of its samples: cycles of the first, from one to the next, and of each
    unsigned count;
    const char *command;
    uint32_t stack; // of all its samples and rows
    bool mixed;     // the last sample is another hart's
};

static void make(unsigned file, struct made m) {
    struct samples_header h = {.width = m.width,
                               .units = m.width == 4 ? 12 : 2,
                               .clock_mhz = 1,
                               .sampling.period = 10,
                               .contexts = true,
                               .digest = "0123"};
    snprintf(h.config, sizeof h.config, "core%u", m.width);
    snprintf(h.command, sizeof h.command, "%s", m.command ? m.command : "run");
    struct samples_writer *w = samples_create(paths[file], &h, &err);
    assert_non_null(w);
    const struct stack_node nodes[] = {{STACK_UNKNOWN, STACK_ROOT, 0, 0x80000000, 3},
                                       {STACK_LOST + 1, STACK_CALL, 0x80000004, 0x80000100 + m.hart, 3}};
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(samples_add_stack(w, &nodes[i], &err), 0);
    for (unsigned i = 0; i < m.count; i++) {
        const struct sample_record r = {
            .cycle = m.first + i * m.step,
            .cycles = m.cycles,
            .hart = (uint8_t)(m.hart + (m.mixed && i + 1 == m.count)),
            .stack = {m.stack},
            .sample = {
                .state = STATE_STALLED, .valid = 1, .addr = {0x80000100}, .priv = MODE_MACHINE, .space = 0x81234}};
        assert_int_equal(samples_add(w, &r, &err), 0);
    }
    const struct profile_row rows[] = {{0x80000100, STATE_STALLED, 0, 24, place_context(3, 0x81234), m.stack},
                                       {PROFILE_PC_END, STATE_DRAINED, 0, 6, 0, 0}};
    assert_int_equal(samples_add_profile(w, "Oracle", 0, rows, 2, &err), 0);
    if (m.hart == 0) assert_int_equal(samples_add_profile(w, "NCI", 0, rows, 2, &err), 0);
    struct results *results = results_create();
    assert_true(results && results_add_lost_triggers(results, &(struct lost_triggers){5 + m.hart}));
    assert_int_equal(samples_add_results(w, results, m.hart, &err), 0);
    results_destroy(results);
    assert_int_equal(samples_close(w, &err), 0);
}

static struct sample_record taken[MOST];
static unsigned count;

static bool take(void *context, const struct samples_header *header, const struct sample_record *r) {
    (void)context;
    assert_int_equal(header->units, 12);
    assert_true(count < MOST);
    taken[count++] = *r;
    return true;
}

static struct samples *join(unsigned files) {
    const char *list[FILES];
    for (unsigned i = 0; i < files; i++)
        list[i] = paths[i];
    count = 0;
    return samples_read_harts(list, files, take, NULL, &err);
}

static void test_order(void **state) {
    (void)state;
    make(0, (struct made){.hart = 5, .width = 2, .first = 10, .step = 10, .cycles = 10, .count = 3, .stack = 3});
    make(1, (struct made){.hart = 0, .width = 4, .first = 15, .step = 5, .cycles = 5, .count = 4, .stack = 2});
    struct samples *s = join(2);
    assert_string_equal(err.text, "");
    assert_non_null(s);
    assert_int_equal(samples_harts(s), 2);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    assert_string_equal(samples_header(s)->config, "core2, core4");
    assert_int_equal(samples_header(s)->width, 4);
    static const struct {
        uint64_t cycle;
        unsigned hart;
    } expected[] = {{10, 5}, {15, 0}, {20, 5}, {20, 0}, {25, 0}, {30, 5}, {30, 0}};
    assert_int_equal(count, 7);
    assert_int_equal(samples_count(s), 7);
    assert_int_equal(samples_last_cycle(s), 30);
    uint32_t stacks;
    const struct stack_node *nodes = samples_stacks(s, &stacks);
    assert_int_equal(stacks, STACK_LOST + 1 + 4);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(taken[i].cycle, expected[i].cycle);
        assert_int_equal(taken[i].hart, expected[i].hart);
        const uint64_t context = place_context(taken[i].sample.priv, taken[i].sample.space);
        assert_int_equal(place_hart(context), expected[i].hart);
        assert_int_equal(place_space(context), 0x81234);
        assert_int_equal(place_mode(context), MODE_MACHINE);
        const uint32_t stack = taken[i].stack[0];
        assert_int_equal(stack, expected[i].hart ? 3 : 4);
        assert_int_equal(place_hart(nodes[stack].context), expected[i].hart);
    }
    assert_int_equal(nodes[3].parent, 2);
    assert_int_equal(nodes[5].parent, 4);
    assert_int_equal(nodes[5].entry, 0x80000100);

    assert_int_equal(samples_profile_count(s), 1); // the other file has no NCI
    const struct samples_profile *oracle = samples_find_profile(s, "Oracle");
    assert_int_equal(oracle->count, 4);
    assert_int_equal(place_hart(oracle->rows[0].context), 0);
    assert_int_equal(oracle->rows[0].weight, 24);
    assert_int_equal(oracle->rows[0].stack, 4);
    assert_int_equal(place_hart(oracle->rows[1].context), 5);
    assert_int_equal(oracle->rows[1].weight, 24 * 6); // in 1/12 of a cycle, too
    assert_int_equal(oracle->rows[1].stack, 3);
    assert_int_equal(oracle->rows[2].context, 0); // the end is nobody's

    assert_int_equal(results_lost_triggers(samples_results(s))->collisions, 15);
    assert_int_equal(results_lost_triggers(samples_hart_results(s, 5))->collisions, 10);
    assert_null(samples_hart_results(s, 1));
    samples_destroy(s);
}

static void refused(unsigned files, const char *words) {
    assert_null(join(files));
    if (!strstr(err.text, words)) fail_msg("'%s' lacks '%s'", err.text, words);
    assert_null(strchr(err.text, '\n'));
}

static void test_refused(void **state) {
    (void)state;
    const struct made good = {.hart = 0, .width = 2, .first = 10, .step = 10, .cycles = 10, .count = 2};
    struct made other = good;
    make(0, good);
    make(1, good);
    refused(2, "of hart 0, as a file before it: name one of each hart");
    other.hart = 1;
    other.command = "another";
    make(1, other);
    refused(2, "of another run than");
    other.command = NULL;
    other.mixed = true;
    make(1, other);
    refused(2, "has samples of hart 1 and of others");
    other.mixed = false;
    other.cycles = UINT64_MAX / 2 / 3; // of each file the sum fits
    make(0, (struct made){.hart = 0, .width = 2, .first = 10, .cycles = UINT64_MAX / 3, .count = 1});
    make(1, other);
    refused(2, "its time does not add up with that of");
    unlink(paths[1]);
    refused(2, paths[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
