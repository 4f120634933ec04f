// What a run says of how far it is, by a clock of the test's own: the length of a long run once, a line that renews
// itself on a terminal, else one a minute. Times by hand: 1,000 instructions in the first second of 60,000 are 60 s.
#include "harness/progress.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

struct length {
    uint64_t count;
    bool more;
    int asked;
};

static uint64_t length(void *context, bool *more) {
    struct length *l = context;
    l->asked++;
    *more = l->more;
    return l->count;
}

// What has been said, and how much of it was looked at.
struct said {
    char *text;
    size_t size, seen;
    FILE *out;
};
static struct said *listen(void) {
    struct said *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->out = open_memstream(&s->text, &s->size);
    assert_non_null(s->out);
    return s;
}
static void expect(struct said *s, const char *text) {
    fflush(s->out);
    assert_string_equal(s->text + s->seen, text);
    s->seen = s->size;
}
static void forget(struct said *s) {
    fclose(s->out);
    free(s->text);
    free(s);
}

static void one_line_a_minute(void **unused) {
    (void)unused;
    struct said *s = listen();
    struct length l = {.count = 180000};
    struct progress p = {.out = s->out, .max_cycles = UINT64_MAX, .length = length, .context = &l};
    progress_look(&p, 0.9, 1800, 900);
    assert_int_equal(l.asked, 0);
    expect(s, "");
    progress_look(&p, 9, 18000, 9000);
    assert_int_equal(l.asked, 0);
    progress_look(&p, 10, 20000, 10000);
    expect(s, "0.2 M instructions, about 3 min\n");
    for (int second = 11; second < 60; second++)
        progress_look(&p, second, second * 2000, second * 1000);
    expect(s, "");
    progress_look(&p, 60, 120000, 60000);
    expect(s, "after 1 min: 120,000 cycles, 2.0 kHz, IPC 0.500, 60,000 of about 0.2 M instructions, 2 min left\n");
    progress_look(&p, 119, 238000, 119000);
    expect(s, "");
    progress_look(&p, 120, 240000, 120000);
    expect(s, "after 2 min: 240,000 cycles, 2.0 kHz, IPC 0.500, 120,000 of about 0.2 M instructions, 60 s left\n");
    progress_clear(&p);
    expect(s, "");
    assert_int_equal(l.asked, 1);
    forget(s);
}

static void a_line_that_renews_itself(void **unused) {
    (void)unused;
    struct said *s = listen();
    struct length l = {.count = 60000};
    struct progress p = {.out = s->out, .terminal = true, .max_cycles = UINT64_MAX, .length = length, .context = &l};
    progress_look(&p, 0.4, 800, 400);
    expect(s, "");
    progress_look(&p, 0.6, 1200, 600);
    expect(s, "\r\033[K1,200 cycles, 2.0 kHz, IPC 0.500, 600 instructions");
    progress_look(&p, 1.2, 2400, 1200);
    expect(s, "\r\033[K60,000 instructions, about 60 s\n"
              "\r\033[K2,400 cycles, 2.0 kHz, IPC 0.500, 1,200 of about 60,000 instructions, 59 s left");
    progress_look(&p, 1.3, 2600, 1300);
    expect(s, "");
    progress_look(&p, 61, 122000, 61000); // longer than it was thought to be
    expect(s, "\r\033[K122,000 cycles, 2.0 kHz, IPC 0.500, 61,000 of about 60,000 instructions");
    progress_clear(&p);
    expect(s, "\r\033[K");
    forget(s);
}

// Nobody knows how long; it is over soon; it is to end at a cycle; nobody listens.
static void other_lengths(void **unused) {
    (void)unused;
    struct said *s = listen();
    struct length endless = {.count = 200000000, .more = true}, soon = {.count = 50000}, none = {0};
    struct progress p = {.out = s->out, .max_cycles = UINT64_MAX, .length = length, .context = &endless};
    progress_look(&p, 10, 20000, 200000);
    expect(s, "more than 200.0 M instructions, more than 2.8 h\n");
    progress_look(&p, 60, 120000, 1200000);
    expect(s, "after 1 min: 120,000 cycles, 2.0 kHz, IPC 10.000, 1,200,000 of more than 200.0 M instructions\n");
    p = (struct progress){.out = s->out, .max_cycles = UINT64_MAX, .length = length, .context = &soon};
    progress_look(&p, 10, 20000, 10000); // 50 s: less than a minute
    assert_int_equal(soon.asked, 1);
    expect(s, "");
    p = (struct progress){.out = s->out, .max_cycles = 200000, .length = length, .context = &none};
    progress_look(&p, 10, 20000, 10000);
    expect(s, "");
    progress_look(&p, 61, 122000, 61000);
    expect(s, "after 1 min: 122,000 cycles, 2.0 kHz, IPC 0.500, 61,000 instructions, 39 s left\n");
    p = (struct progress){.out = s->out, .max_cycles = UINT64_MAX};
    progress_look(&p, 1, 0, 0);
    progress_look(&p, 60, 0, 0);
    expect(s, "after 1 min: 0 cycles, 0.0 kHz, IPC 0.000, 0 instructions\n");
    struct progress quiet = {.max_cycles = UINT64_MAX, .length = length, .context = &none};
    progress_look(&quiet, 100, 1, 1);
    progress_clear(&quiet);
    assert_int_equal(none.asked, 1);
    forget(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_a_minute),
        cmocka_unit_test(a_line_that_renews_itself),
        cmocka_unit_test(other_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
