// The loop that counts executions, against the records of single steps: random code in two pages, whose instructions
// lie across their border, trap, jump into the middle of others, and drop what is decoded.
#include "tests/unit/iss/hart.h"

enum { PAGE = 4096, BYTES = 2 * PAGE, SEEDS = 200, STEPS = 20000, T0 = 5, T1, T2, S0 = 8 };
#define MUL(rd, rs1, rs2) r_type(0x02000033, rd, rs1, rs2)
#define ADD(rd, rs1, rs2) r_type(0x00000033, rd, rs1, rs2)
#define SRLI(rd, rs1, by) i_type(0x00005013, rd, rs1, by)
#define SLLI(rd, rs1, by) i_type(0x00001013, rd, rs1, by)

static uint32_t jal(int offset) {
    const uint32_t o = (uint32_t)offset;
    return (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xff) << 12 | 0x6f;
}

// Any trap goes on at a random halfword of the code.
static void put_handler(struct iss *iss) {
    const uint32_t words[] = {MUL(T0, T0, T1),
                              ADDI(T0, T0, 77),
                              SRLI(T2, T0, 52),
                              SLLI(T2, T2, 1),
                              ADD(T2, T2, S0),
                              CSRRW(0, CSR_MEPC, T2),
                              MRET};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put_word(iss, HANDLER + 4 * i, words[i]);
}

static struct iss *machine(unsigned seed) {
    const unsigned kind = seed;
    struct iss *iss = hart_create();
    put_handler(iss);
    for (uint64_t at = 0; at < BYTES;) {
        const uint32_t words[] = {
            NOP, 0x0001 /* c.nop */,         0x0001,  ADDI(A0, A0, 1), LOAD(DOUBLE, A1, 0, 0), ECALL,   EBREAK,
            0,   CSRRS(A2, CSR_MSCRATCH, 0), FENCE_I, jal(-6),         jal(PAGE / 2),          jal(10), jal(-PAGE)};
        const uint32_t word = words[(unsigned)rand_r(&seed) % (sizeof words / sizeof *words)];
        const size_t bytes = (word & 3) == 3 || word == 0 ? 4 : 2;
        assert_true(iss_write(iss, CODE + at, &word, bytes));
        at += bytes;
    }
    const uint32_t border[] = {NOP, ECALL, 0x0000006b /* illegal */, LOAD(DOUBLE, A1, 0, 0), jal(-40), ADDI(A3, A3, 1)};
    put_word(iss, CODE + PAGE - 2, border[kind % (sizeof border / sizeof *border)]);
    hart_set_csr(iss_only(iss), CSR_MSTATUS, UINT64_C(3) << 11); // mret: to machine mode, always
    hart_set_x(iss_only(iss), T0, seed);
    hart_set_x(iss_only(iss), T1, UINT64_C(0x5851f42d4c957f2d));
    hart_set_x(iss_only(iss), S0, CODE);
    return iss;
}

struct cells {
    uint64_t code[2 * PAGE], handler[64], others;
};

static uint64_t *cell(struct cells *c, uint64_t pc) {
    if (pc - CODE < BYTES * 2) return &c->code[(pc - CODE) / 2];
    return pc - HANDLER < 128 ? &c->handler[(pc - HANDLER) / 2] : &c->others;
}

static void counted(void *context, uint64_t pc, uint8_t privilege, uint64_t space, uint64_t count) {
    assert_int_equal(privilege, ISS_PRIVILEGE_M);
    assert_int_equal(space, 0);
    *cell(context, pc) += count;
}

static void test_random(void **state) {
    (void)state;
    uint64_t across = 0, ecalls = 0, traps = 0;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct cells *steps = calloc(1, sizeof *steps), *loop = calloc(1, sizeof *loop);
        struct iss *a = machine(seed), *b = machine(seed);
        struct iss_retire r;
        assert_true(steps && loop && iss_count(b, NULL));
        for (unsigned i = 0; i < STEPS; i++) {
            hart_step(iss_only(a), &r);
            const bool ecall = r.trap && !r.interrupt && r.cause == 11;
            traps += r.trap;
            ecalls += ecall;
            if (r.trap && !ecall) continue;
            ++*cell(steps, r.pc);
            across += r.pc % PAGE == PAGE - 2 && (r.insn & 3) == 3;
        }
        for (unsigned done = 0; done < STEPS;)
            done += (unsigned)iss_run(b, done % 3 ? STEPS - done : 1);
        assert_int_equal(hart_pc(iss_only(a)), hart_pc(iss_only(b)));
        assert_true(iss_counts_whole(b));
        iss_each_count(b, counted, loop);
        for (size_t i = 0; i < sizeof *steps / sizeof(uint64_t); i++)
            if (((uint64_t *)loop)[i] != ((uint64_t *)steps)[i])
                fail_msg("seed %u: cell %zu: %llu, not %llu", seed, i, (unsigned long long)((uint64_t *)loop)[i],
                         (unsigned long long)((uint64_t *)steps)[i]);
        iss_destroy(a);
        iss_destroy(b);
        free(steps);
        free(loop);
    }
    assert_true(across > 0 && ecalls > 0 && traps > ecalls);
}

// A machine that counts does the same, also in single steps; one that does not has no counts.
static void test_steps(void **state) {
    (void)state;
    struct iss *a = machine(3), *b = machine(3);
    struct cells *loop = calloc(1, sizeof *loop);
    struct iss_retire x, y;
    iss_run(b, 1000);
    iss_each_count(b, counted, loop);
    for (size_t i = 0; i < sizeof *loop / sizeof(uint64_t); i++)
        assert_int_equal(((uint64_t *)loop)[i], 0);
    iss_run(a, 1000);
    assert_true(iss_count(b, NULL));
    for (unsigned i = 0; i < 10000; i++) {
        hart_step(iss_only(a), &x);
        hart_step(iss_only(b), &y);
        assert_memory_equal(&x, &y, sizeof x);
    }
    free(loop);
    iss_destroy(a);
    iss_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
