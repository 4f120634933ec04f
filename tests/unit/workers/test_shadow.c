// The shadow ROB: random bundle streams of a toy core of any size are accepted; each field made wrong is found at once;
// and the rules that need the ISS, by hand.
#include "tests/unit/profilers/toy_core.h"
#include "tests/unit/workers/views.h"
#include <stdio.h>

enum { CYCLES = 20000, SOON = 2 }; // cycles until a fault is found

static const struct {
    unsigned width, rows;
} sizes[] = {{1, 1}, {1, 7}, {2, 3}, {3, 5}, {4, 16}, {5, 4}, {8, 8}, {7, 9}};

static struct shadow *make(unsigned width, unsigned entries) {
    struct error err;
    struct shadow *s = shadow_create(width, entries, true, &err);
    assert_non_null(s);
    return s;
}

// The toy dispatches in the cycle of an exception, what no rule of a bundle forbids; this core does not.
static void next(struct toy_core *toy, struct commit_bundle *b) {
    toy_cycle(toy, b);
    if (b->exception) b->dispatch_valid = 0;
}

static void test_random(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct toy_core toy;
        struct commit_bundle b;
        struct shadow_difference d = {"nothing", 0, 0};
        toy_create(&toy, sizes[i].width, sizes[i].rows, 1 + i);
        struct shadow *s = make(sizes[i].width, toy.size);
        for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
            next(&toy, &b);
            if (shadow_cycle(s, cycle, &b, NULL, &d))
                fail_msg("width %u, %u rows, seed %zu, cycle %u: %s: expected %u, got %u", sizes[i].width,
                         sizes[i].rows, 1 + i, (unsigned)cycle, d.what, (unsigned)d.expected, (unsigned)d.got);
        }
        shadow_destroy(s);
    }
}

// ---- one field wrong ----
enum field { EMPTY, VALID, OLDEST, HEAD_PC, YOUNGER_PC, MISPREDICT, FIRST, ROB_INDEX, EXCEPTION_PC, COMMIT, FIELDS };

// Makes it wrong where this bundle allows it.
static bool spoil(struct commit_bundle *b, enum field field, unsigned width) {
    if (width == 0) return false;
    unsigned younger = b->valid & ~(1u << b->oldest), youngest = 0;
    for (unsigned k = 0; k < width; k++) {
        if (b->commit >> (b->oldest + k) % width & 1) youngest = (b->oldest + k) % width;
    }
    switch (field) {
    case EMPTY: b->rob_empty = !b->rob_empty; return true;
    case VALID: b->valid ^= 1u << (width - 1); return true;
    case OLDEST: b->oldest = (uint8_t)((b->oldest + 1) % width); return !b->rob_empty && width > 1;
    case HEAD_PC: b->pc[b->oldest] ^= 2; return !b->rob_empty;
    case YOUNGER_PC:
        if (younger) b->pc[__builtin_ctz(younger)] += 2;
        return younger;
    case MISPREDICT: b->mispredict ^= (uint8_t)(1u << youngest); return b->commit;
    case FIRST: b->first &= (uint8_t)~b->commit; return b->commit;
    case ROB_INDEX: b->dispatch_rob ^= 1; return true;
    case EXCEPTION_PC: b->exception_pc += 4; return b->exception;
    default: b->commit |= (uint8_t)(b->valid & -b->valid); return b->rob_empty && b->valid;
    }
}

// Whether the shadow ROB finds it, in this cycle or the next two.
static bool found(unsigned size, uint64_t seed, enum field field, uint64_t when, bool *spoilt) {
    struct toy_core toy;
    struct commit_bundle b;
    struct shadow_difference d;
    bool differs = false;
    toy_create(&toy, sizes[size].width, sizes[size].rows, seed);
    struct shadow *s = make(sizes[size].width, toy.size);
    *spoilt = false;
    for (uint64_t cycle = 0; cycle <= when + SOON && !differs; cycle++) {
        next(&toy, &b);
        if (cycle == when && !(*spoilt = spoil(&b, field, sizes[size].width))) break;
        differs = shadow_cycle(s, cycle, &b, NULL, &d);
    }
    shadow_destroy(s);
    return differs;
}

static void test_spoilt(void **unused) {
    unsigned count[FIELDS] = {0};
    (void)unused;
    for (unsigned n = 0; n < 4000; n++) {
        bool spoilt;
        unsigned size = n % (sizeof sizes / sizeof *sizes), seed = 100 + n / 50;
        enum field field = (enum field)(n % FIELDS);
        uint64_t when = 20 + n % 97;
        bool seen = found(size, seed, field, when, &spoilt);
        if (!spoilt) continue;
        count[field]++;
        if (!seen) fail_msg("field %d, size %u, seed %u, cycle %u: not found", field, size, seed, (unsigned)when);
    }
    for (enum field field = 0; field < COMMIT; field++) {
        if (count[field] < 5) fail_msg("field %d was made wrong %u times only", field, count[field]);
    }
}

// ---- by hand: where the ISS goes on, and what flushes ----
struct script {
    struct shadow *shadow;
    uint64_t cycle;
    struct golden golden;
    struct shadow_difference d;
};

static bool show(struct script *s, struct commit_bundle b) {
    return shadow_cycle(s->shadow, s->cycle++, &b, &s->golden, &s->d);
}

// A branch at 0x100 and what was dispatched after it.
static void begin(struct script *s, uint64_t behind) {
    *s = (struct script){.shadow = make(WIDTH, ENTRIES)};
    assert_false(
        show(s, (struct commit_bundle){.rob_empty = true, .dispatch_valid = 3, .dispatch_pc = {0x100, behind}}));
    s->golden.step[0] = (struct iss_retire){.pc = 0x100, .insn = 0x63, .next_pc = 0x200};
}

static struct commit_bundle waiting(uint64_t behind) {
    return (struct commit_bundle){.valid = 3, .first = 3, .pc = {0x100, behind}, .dispatch_rob = 2};
}

static void test_predicted(void **unused) {
    struct script s;
    (void)unused;
    begin(&s, 0x200);
    struct commit_bundle b = waiting(0x200);
    b.commit = 1;
    assert_false(show(&s, b));
    assert_int_equal(shadow_view(s.shadow)->count, 1);
    b = (struct commit_bundle){.oldest = 1, .valid = 2, .first = 2, .pc = {0, 0x200}, .dispatch_rob = 2};
    assert_false(show(&s, b)); // nothing leaves: the view holds nothing of the cycle before
    assert_int_equal(shadow_view(s.shadow)->count, 0);
    assert_int_equal(shadow_view(s.shadow)->cycle, s.cycle - 1);
    shadow_destroy(s.shadow);

    begin(&s, 0x200); // the redirect and the flag of a branch that was predicted right
    b = waiting(0x200);
    b.redirect = true;
    b.commit = b.mispredict = 1;
    assert_true(show(&s, b));
    assert_string_equal(s.d.what, "mispredict (by where the ISS goes on)");
    shadow_destroy(s.shadow);
}

// Branches to the next instruction: mispredicted in direction, they lead to where fetch was going.
static void test_nowhere(void **unused) {
    static const struct {
        uint32_t insn;
        unsigned length;
        bool free;
    } rows[] = {{0x015b0263, 4, true},  {0x00001263, 4, true},  {0x00000463, 4, false}, {0x80000263, 4, false},
                {0x000000e3, 4, false}, {0x0000026f, 4, false}, {0xc009, 2, true},      {0xe389, 2, true},
                {0xc011, 2, false},     {0xd009, 2, false},     {0xa009, 2, false}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t behind = 0x100 + rows[i].length;
        struct script s;
        begin(&s, behind);
        s.golden.step[0] = (struct iss_retire){.pc = 0x100, .insn = rows[i].insn, .next_pc = behind};
        struct commit_bundle b = waiting(behind);
        b.redirect = true;
        b.commit = b.mispredict = 1;
        if (show(&s, b) == rows[i].free) fail_msg("row %zu", i);
        shadow_destroy(s.shadow);
    }
}

static void test_mispredicted(void **unused) {
    struct script s;
    (void)unused;
    for (int flagged = 0; flagged < 2; flagged++) {
        begin(&s, 0x104);
        struct commit_bundle b = waiting(0x104);
        b.redirect = true;
        assert_false(show(&s, b));
        assert_int_equal(shadow_view(s.shadow)->squashed, 1);
        b = (struct commit_bundle){
            .valid = 1, .first = 1, .pc = {0x100}, .dispatch_rob = 1, .commit = 1, .mispredict = (uint8_t)flagged};
        assert_int_equal(show(&s, b), !flagged);
        shadow_destroy(s.shadow);
    }
    begin(&s, 0x104); // no redirect, no flag: it goes on on the wrong path
    struct commit_bundle b = waiting(0x104);
    b.commit = 1;
    assert_true(show(&s, b));
    shadow_destroy(s.shadow);
}

static void test_flush(void **unused) {
    static const struct {
        struct iss_retire step;
        bool flushes;
    } rows[] = {
        {{.insn = 0x30200073}, true},                                                            // mret
        {{.insn = 0x13}, false},                                                                 // nop
        {{.insn = 0x0000100f}, true},                                                            // fence.i
        {{.insn = 0x34051073, .csr_accessed = true, .csr_written = true, .csr = 0x340}, false},  // mscratch
        {{.insn = 0x30051073, .csr_accessed = true, .csr_written = true, .csr = 0x300}, true},   // mstatus
        {{.insn = 0x30002573, .csr_accessed = true, .csr_written = false, .csr = 0x300}, false}, // read of it
        {{.insn = 0x00351073, .csr_accessed = true, .csr_written = true, .csr = 0x003}, true},   // fcsr
    };
    (void)unused;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        struct script s = {.shadow = make(WIDTH, ENTRIES)};
        bool shown = i % 2, flushes = rows[i / 2].flushes;
        s.golden.step[0] = rows[i / 2].step;
        assert_false(show(&s, (struct commit_bundle){.rob_empty = true, .dispatch_valid = 1, .dispatch_pc = {0x100}}));
        const struct commit_bundle b = {
            .valid = 1, .first = 1, .pc = {0x100}, .dispatch_rob = 1, .commit = 1, .flush = shown};
        if (show(&s, b) != (shown != flushes)) fail_msg("row %zu, flush shown as %d", i / 2, shown);
        if (shown && flushes) { // and the redirect must come
            assert_true(show(&s, (struct commit_bundle){.rob_empty = true, .dispatch_rob = 1}));
            assert_string_equal(s.d.what, "redirect after an exception or a flush");
        }
        shadow_destroy(s.shadow);
    }
}

// A redirect that nobody is to blame for.
static void test_orphan(void **unused) {
    struct script s = {.shadow = make(WIDTH, ENTRIES)};
    (void)unused;
    assert_false(show(&s, (struct commit_bundle){.rob_empty = true, .redirect = true}));
    assert_true(show(&s, (struct commit_bundle){.rob_empty = true}));
    assert_string_equal(s.d.what, "whether a mispredicted branch caused the redirect");
    shadow_destroy(s.shadow);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),       cmocka_unit_test(test_spoilt),
                                       cmocka_unit_test(test_predicted),    cmocka_unit_test(test_nowhere),
                                       cmocka_unit_test(test_mispredicted), cmocka_unit_test(test_flush),
                                       cmocka_unit_test(test_orphan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
