// The head, fflags, mcycle: what agrees with an ISS put there by hand, and each made wrong.
#include "csrs.h"
#include "tests/unit/workers/views.h"
#include <errno.h>

extern const struct worker_ops worker_rob_head, worker_fflags, worker_counters, worker_oracle;

static void test_head(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_rob_head);
    hart_set_pc(iss_only(s.iss), AT);
    s.bundle = (struct commit_bundle){.rob_empty = true, .pc = {AT + 8, AT + 8}};
    assert_int_equal(scene_cycle(&s, 1), 0); // empty: there is no head
    s.bundle = (struct commit_bundle){.valid = 3, .oldest = 1, .pc = {AT + 2, AT}};
    assert_int_equal(scene_cycle(&s, 2), 0);
    s.bundle.oldest = 0;
    differs(&s, 3, -EBADMSG, "rob-head: cycle 3: pc of the oldest: expected 0x80000000, got 0x80000002");
    scene_end(&s);
}

static void test_fflags(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_fflags);
    assert_int_equal(scene_cycle(&s, 1), 0);
    hart_set_csr(iss_only(s.iss), CSR_FFLAGS, 5);
    s.left.fflags = 5;
    assert_int_equal(scene_cycle(&s, 2), 0);
    s.left.fflags = 4;
    differs(&s, 3, -EBADMSG, "fflags: cycle 3: expected 0x5, got 0x4");
    scene_end(&s);
}

// ---- the Oracle's cross-check ----
// The state is named, and the file that makes what is wrong.
static void test_crosscheck(void **unused) {
    struct scene s;
    struct sample select = {0};
    struct oir oir = {0};
    (void)unused;
    scene_start(&s, &worker_oracle);
    s.view.select = &select;
    s.view.oir = &oir;
    s.bundle = (struct commit_bundle){.valid = 1, .pc = {AT}};
    select = (struct sample){.state = STATE_STALLED, .valid = 1, .addr = {AT}};
    assert_int_equal(scene_cycle(&s, 1), 0);
    select.state = STATE_DRAINED;
    differs(&s, 2, -EBADMSG,
            "cross-check: cycle 2: state, which rtl/profile/sample_select.sv makes: expected Stalled, got Drained");
    select.state = STATE_STALLED;
    oir.pc = 0x10;
    differs(&s, 3, -EBADMSG,
            "cross-check: cycle 3: oir.pc, which rtl/profile/oir_update.sv makes: expected 0x0, got 0x10");
    scene_end(&s);
}

// ---- mcycle ----
enum { CSRR_MCYCLE = 0xb0002573, CSRW_MCYCLE = 0xb0051073 }; // csrr a0, mcycle; csrw mcycle, a0

static int reads(struct scene *s, uint64_t cycle, unsigned csr, uint64_t value) {
    scene_commits(s, (struct iss_retire){.insn = CSRR_MCYCLE, .csr_accessed = true, .csr = (uint16_t)csr});
    s->left.retired[0] = (struct retired){.rd_written = true, .rd = 10, .rd_value = value};
    return scene_cycle(s, cycle);
}

static void writes(struct scene *s, uint64_t cycle, unsigned csr, uint64_t value) {
    scene_commits(
        s,
        (struct iss_retire){
            .insn = CSRW_MCYCLE, .csr_accessed = true, .csr_written = true, .csr = (uint16_t)csr, .csr_value = value});
    s->left.retired[0] = (struct retired){.csr_written = true};
    assert_int_equal(scene_cycle(s, cycle), 0);
}

static void test_mcycle(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_counters);
    s.bundle.priv = MODE_MACHINE;
    assert_int_equal(reads(&s, 100, CSR_MCYCLE, 99), 0); // read in the cycle before
    assert_int_equal(reads(&s, 200, CSR_CYCLE, 199), 0);
    writes(&s, 300, CSR_MCYCLE, 5000); // cycle 301 shows 5000
    assert_int_equal(reads(&s, 311, CSR_MCYCLE, 5009), 0);
    writes(&s, 400, CSR_MCOUNTINHIBIT, 1); // cycle 400 still counts
    assert_int_equal(reads(&s, 450, CSR_MCYCLE, 5100), 0);
    writes(&s, 500, CSR_MCOUNTINHIBIT, 4);
    assert_int_equal(reads(&s, 511, CSR_MCYCLE, 5109), 0);
    assert_int_equal(reads(&s, 600, CSR_MCYCLE, 5199), -EBADMSG);
    assert_non_null(strstr(s.err.text, "mcycle: expected 5198, got 5199"));
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_head), cmocka_unit_test(test_fflags),
                                       cmocka_unit_test(test_crosscheck), cmocka_unit_test(test_mcycle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
