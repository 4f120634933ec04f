// A run may stop anywhere: after every count from 1 to ENDS the machine is the one that as many single steps make,
// with all its registers, its TLB, its devices and its memory. The code is random: it traps, lies and jumps across
// pages and into the middle of instructions, rewrites itself, asks for the time, wakes the host, and is interrupted by
// the timer; in machine mode, and translated in supervisor mode.
#include "iss/accesses.h"
#include "iss/flow.h"
#include "iss/iss_internal.h"
#include "tests/unit/iss/hart.h"

enum { PAGE = 4096, CODE_PAGES = 3, CODE_SIZE = CODE_PAGES * PAGE, STOPS = 5000, SEEDS = 3, CHUNKED = 120 };
#if __has_feature(address_sanitizer) // many times as slow: the later half is tried without (make test-all)
enum { ENDS = STOPS / 2 };
#else
enum { ENDS = STOPS };
#endif
enum { RA = 1, T0 = 5, T1, T2, S0 = 8, S1, S2 = 18, S3, S4, S5, S6, S7 };
#define VA UINT64_C(0x40000000)      // of the code, translated: its pages in another order
#define VA_DATA (VA + CODE_SIZE)     // and of the page of data after it
#define TABLES (DRAM_BASE + 0x30000) // of pages, one a level
#define TOHOST (DATA + 0x100)
#define SD(rs2, rs1, imm) STORE(DOUBLE, rs2, rs1, imm)
#define LD(rd, rs1, imm) LOAD(DOUBLE, rd, rs1, imm)
#define ADD(rd, rs1, rs2) r_type(0x00000033, rd, rs1, rs2)
#define OR(rd, rs1, rs2) r_type(0x00006033, rd, rs1, rs2)
#define MUL(rd, rs1, rs2) r_type(0x02000033, rd, rs1, rs2)
#define SLLI(rd, rs1, by) i_type(0x00001013, rd, rs1, by)
#define SRLI(rd, rs1, by) i_type(0x00005013, rd, rs1, by)
#define JALR(rd, rs1, imm) i_type(0x00000067, rd, rs1, imm)
#define FLD(rd, rs1, imm) i_type(0x00003007, rd, rs1, imm)
#define FADD_D(rd, rs1, rs2) r_type(0x02007053, rd, rs1, rs2)
#define FMADD_D(rd, rs1, rs2, rs3) (r_type(0x02007043, rd, rs1, rs2) | (uint32_t)(rs3) << 27)
enum {
    C_NOP = 0x0001,
    C_ADDI_A0_1 = 0x0505,
    C_J_4 = 0xa011,
    C_BEQZ_A0_4 = 0xc111,
    C_MV_A1_A0 = 0x85aa,
    C_JR_RA = 0x8082
};
enum { ILLEGAL = 0x0000006b, SFENCE_VMA = 0x12000073, SCTRCLR = 0x10400073, MARKER = 0x00302013 };

static uint32_t jal(unsigned rd, int offset) {
    const uint32_t o = (uint32_t)offset;
    return (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}
static uint32_t branch(unsigned kind, unsigned rs1, unsigned rs2, int offset) {
    const uint32_t o = (uint32_t)offset;
    return (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | kind << 12 | (o >> 1 & 0xf) << 8 |
           (o >> 11 & 1) << 7 | 0x63;
}
enum { EQ, NE, LT = 4, GE, LTU, GEU };

// All go on at a random halfword of the code; the timer rings again in the next tick but one.
static void put_handler(struct iss *iss) {
    const uint32_t words[] = {
        CSRRS(T2, CSR_MCAUSE, 0), branch(GE, T2, 0, 16),  LD(T2, S1, 0),
        ADDI(T2, T2, 2),          SD(T2, S2, 0),          MUL(T0, T0, T1),
        ADDI(T0, T0, 77),         SRLI(T2, T0, 51),       SLLI(T2, T2, 1), // below 2^14: some are after the code
        SRLI(A4, T0, 63),         MUL(A4, A4, S7),        OR(T2, T2, A4),  // every other one: near a page's end
        ADD(T2, T2, S0),          CSRRW(0, CSR_MEPC, T2), MRET};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put_word(iss, HANDLER + 4 * i, words[i]);
}

static void put_code(struct iss *iss, unsigned seed) {
    const uint32_t words[] = {NOP,
                              C_NOP,
                              C_ADDI_A0_1,
                              C_MV_A1_A0,
                              C_J_4,
                              C_BEQZ_A0_4,
                              C_JR_RA,
                              ADDI(A0, A0, -3),
                              ADDI(A2, 0, 5),
                              ADD(A0, A0, A1),
                              branch(EQ, A0, 0, 12),
                              branch(NE, A1, A2, -10),
                              branch(LT, A0, A1, 6),
                              branch(GEU, A1, A0, PAGE / 2 + 2),
                              jal(RA, 10),
                              jal(0, 6),
                              jal(RA, PAGE),
                              jal(0, -PAGE - 6),
                              JALR(RA, RA, 2),
                              LD(A1, S3, 8),
                              LOAD(WORD, A2, S3, 12),
                              LOAD(HALF_U, A2, S3, 2),
                              LOAD(BYTE, A2, S3, 3),
                              LOAD(WORD, A2, S3, 2), // misaligned
                              LD(A2, S1, 0),         // the time; translated, a page fault
                              SD(A0, S3, 16),
                              STORE(WORD, A1, S3, 20),
                              STORE(HALF, A1, S3, 22),
                              STORE(BYTE, A1, S3, 25),
                              STORE(HALF, A1, S3, 1), // misaligned
                              SD(S5, S3, 0x100),      // tohost
                              STORE(WORD, S4, S6, 16),
                              FENCE_I,
                              AMOADD_D(A2, S3, A0),
                              LR_D(A2, S3),
                              SC_D(A2, S3, A0),
                              FLD(1, S3, 8),
                              FADD_D(2, 1, 2),
                              FMADD_D(3, 1, 2, 3),
                              CSRRS(A2, CSR_TIME, 0),
                              CSRRS(A2, CSR_INSTRET, 0),
                              CSRRS(A2, CSR_CYCLE, 0),
                              MUL(A1, A1, A0),
                              SFENCE_VMA,
                              SCTRCLR,
                              MARKER,
                              ECALL,
                              EBREAK,
                              ILLEGAL};
    // A third of them end a block, more than in any program: every fourth is one that does not, whatever is drawn.
    for (uint64_t at = 0; at < CODE_SIZE;) {
        const unsigned drawn = (unsigned)rand_r(&seed);
        const uint32_t word = drawn % 4 ? words[drawn / 4 % (sizeof words / sizeof *words)] : C_ADDI_A0_1;
        assert_true(iss_write(iss, CODE + at, &word, (word & 3) == 3 ? 4 : 2));
        at += (word & 3) == 3 ? 4 : 2;
    }
    for (unsigned page = 1; page <= CODE_PAGES; page++) { // to whose end leads a straight line, most in an instruction
        for (unsigned at = 16; at > 2; at -= 2)
            assert_true(iss_write(iss, CODE + page * PAGE - at, &(uint16_t){C_ADDI_A0_1}, 2));
        put_word(iss, CODE + page * PAGE - 2, words[(unsigned)rand_r(&seed) % 40 + 7]);
    }
}

static void put_tables(struct iss *iss) {
    enum { V = 1, R = 2, W = 4, X = 8, A = 64, D = 128 };
    static const unsigned order[CODE_PAGES] = {1, 0, 2};
    uint64_t leaf;
    const uint64_t level1 = (TABLES + PAGE) >> 12 << 10 | V, level0 = (TABLES + 2 * PAGE) >> 12 << 10 | V;
    assert_true(iss_write(iss, TABLES + 8 * (VA >> 30), &level1, 8) && iss_write(iss, TABLES + PAGE, &level0, 8));
    for (unsigned i = 0; i <= CODE_PAGES; i++) {
        leaf =
            (i < CODE_PAGES ? CODE + order[i] * PAGE : DATA) >> 12 << 10 | V | R | W | A | D | (i < CODE_PAGES ? X : 0);
        assert_true(iss_write(iss, TABLES + 2 * PAGE + 8 * i, &leaf, 8));
    }
}

static struct iss *machine(unsigned seed, bool translated) {
    struct iss *iss = hart_create();
    struct hart *h = iss_only(iss);
    put_handler(iss);
    put_code(iss, seed);
    put_tables(iss);
    iss->tohost = TOHOST - DRAM_BASE;
    htif_reset(&iss->htif, TOHOST, TOHOST + 8, NULL, NULL);
    iss_watch_markers(iss, true);
    h->ctr_depth = 16; // for sctrclr
    const uint64_t code = translated ? VA : CODE;
    const struct {
        unsigned x;
        uint64_t value;
    } values[] = {{T0, seed},
                  {T1, UINT64_C(0x5851f42d4c957f2d)},
                  {S0, code},
                  {S1, CLINT_BASE + 0xbff8},
                  {S2, CLINT_BASE + 0x4000},
                  {S3, translated ? VA_DATA : DATA},
                  {S4, ADDI(A3, A3, 1)},
                  {S5, UINT64_C(0x0101) << 48 | 'x'},
                  {S6, code + 64 * seed},
                  {RA, code + 512},
                  {S7, PAGE - 16}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        hart_set_x(h, values[i].x, values[i].value);
    hart_set_csr(h, CSR_MIE, 1 << IRQ_MTI);
    h->mtimecmp = 5;
    const uint64_t status = UINT64_C(1) << 13 | MSTATUS_MIE | MSTATUS_MPIE; // FS: initial
    hart_set_csr(h, CSR_MSTATUS, status | UINT64_C(3) << 11);
    if (!translated) return iss;
    hart_set_csr(h, CSR_SATP, UINT64_C(8) << 60 | TABLES >> 12);
    hart_set_csr(h, CSR_MCOUNTEREN, UINT32_MAX);
    hart_set_csr(h, CSR_MSTATUS, status | UINT64_C(1) << 11);
    hart_set_csr(h, CSR_MEPC, VA);
    put_word(iss, HANDLER + PAGE, MRET);
    hart_set_pc(h, HANDLER + PAGE);
    return iss;
}

// ---- the whole of a machine, and what two of them differ in ----
#define IN_HART(type, name, dimension, range) {#name, offsetof(struct hart, name), sizeof((struct hart *)NULL)->name},
#define IN_MACHINE(type, name, dimension, range) {#name, offsetof(struct iss, name), sizeof((struct iss *)NULL)->name},
struct member {
    const char *name;
    size_t offset, bytes;
};
static const struct member of_hart[] = {HART_STATE(IN_HART)}, of_machine[] = {MACHINE_STATE(IN_MACHINE)};
enum { OF_HART = sizeof of_hart / sizeof *of_hart, OF_MACHINE = sizeof of_machine / sizeof *of_machine };
static const struct {
    uint64_t address;
    size_t bytes;
} memory[] = {{CODE, CODE_SIZE + PAGE}, {DATA, PAGE}, {TABLES, 3 * PAGE}};
enum { MEMORY = sizeof memory / sizeof *memory };

static void compare(const void *a, const void *b, const struct member *m, unsigned count, unsigned seed, unsigned at) {
    for (unsigned i = 0; i < count; i++)
        if (memcmp((const uint8_t *)a + m[i].offset, (const uint8_t *)b + m[i].offset, m[i].bytes) != 0)
            fail_msg("seed %u: after %u steps, %s differs", seed, at, m[i].name);
}

static void compare_machines(struct iss *a, struct iss *b, unsigned seed, unsigned at) {
    compare(iss_only(a), iss_only(b), of_hart, OF_HART, seed, at);
    compare(a, b, of_machine, OF_MACHINE, seed, at);
    for (unsigned i = 0; i < MEMORY; i++)
        if (memcmp(iss_memory(a, memory[i].address, 1, false), iss_memory(b, memory[i].address, 1, false),
                   memory[i].bytes) != 0)
            fail_msg("seed %u: after %u steps, memory differs", seed, at);
}

// All of `to` that decides what it does is that of `from`.
static void copy(struct iss *to, struct iss *from) {
    struct hart *h = iss_only(to);
    for (unsigned i = 0; i < OF_HART; i++)
        memcpy((uint8_t *)h + of_hart[i].offset, (const uint8_t *)iss_only(from) + of_hart[i].offset, of_hart[i].bytes);
    for (unsigned i = 0; i < OF_MACHINE; i++)
        memcpy((uint8_t *)to + of_machine[i].offset, (const uint8_t *)from + of_machine[i].offset, of_machine[i].bytes);
    for (unsigned i = 0; i < MEMORY; i++)
        memcpy(iss_memory(to, memory[i].address, 1, true), iss_memory(from, memory[i].address, 1, true),
               memory[i].bytes);
    iss_tlb_unknown(h);
    iss_drop_decoded(h);
    iss_mode_changed(h);
}

static unsigned markers;
static void run(struct iss *iss, uint64_t count) {
    for (uint64_t done = 0; done < count; markers += iss_take_marker(iss) != 0)
        done += iss_run(iss, count - done);
}

struct seen {
    unsigned interrupts, exceptions, stores, across;
};
static void step(struct iss *iss, struct seen *seen) {
    struct iss_retire r;
    hart_step(iss_only(iss), &r);
    iss_take_marker(iss);
    seen->interrupts += r.interrupt;
    seen->exceptions += r.trap && !r.interrupt;
    seen->stores += r.access == ISS_ACCESS_STORE && r.address == TOHOST;
    seen->across += !r.trap && r.pc % PAGE == PAGE - 2 && (r.insn & 3) == 3;
}

static void test_every_stop(void **state) {
    (void)state;
    struct seen seen = {0};
    for (unsigned i = 0; i < 2 * SEEDS; i++) {
        const unsigned seed = 1 + i / 2;
        struct iss *start = machine(seed, i % 2), *steps = machine(seed, i % 2), *other = machine(seed, i % 2);
        for (unsigned stop = 1; stop <= ENDS; stop++) {
            step(steps, &seen);
            copy(other, start);
            run(other, stop);
            compare_machines(other, steps, seed, stop);
        }
        iss_destroy(start);
        iss_destroy(steps);
        iss_destroy(other);
    }
    assert_true(seen.interrupts > 30 && seen.exceptions > 100 && seen.across > 5 && markers > 100);
}

// More programs; a run goes on from where it was stopped, with records or without, counting or not.
static void test_stop_and_go(void **state) {
    (void)state;
    struct seen seen = {0};
    for (unsigned seed = 10; seed < 10 + CHUNKED; seed++) {
        struct iss *steps = machine(seed, seed % 2), *runs = machine(seed, seed % 2);
        unsigned at = 0, random = seed;
        if (seed % 3 == 0) assert_true(iss_count(runs, NULL));
        if (seed % 3 == 1) assert_true(iss_watch_flow(runs, NULL));
        while (at < STOPS) {
            const unsigned length = 1 + (unsigned)rand_r(&random) % (at % 2 ? 7 : 300);
            run(runs, length);
            for (unsigned i = 0; i < length; i++)
                step(steps, &seen);
            at += length;
            compare_machines(runs, steps, seed, at);
        }
        iss_destroy(steps);
        iss_destroy(runs);
    }
    assert_true(seen.stores > 100);
}

// ---- the flow of control ----
enum { BLOCKS = 4 * CODE_SIZE };
struct flow {
    struct iss *iss;
    uint64_t of[BLOCKS], all; // by where in the code a block begins, and at CODE_SIZE and more elsewhere; by mode
};
static uint64_t *of_block(struct flow *f, uint64_t pc, bool machine_mode) {
    const uint64_t offset = pc - (pc >= DRAM_BASE ? CODE : VA);
    return &f->of[(machine_mode ? 2 * CODE_SIZE : 0) + (offset < CODE_SIZE ? 0 : CODE_SIZE) + offset % CODE_SIZE];
}
static void add_block(void *context, size_t number, uint64_t instructions) {
    struct flow *f = context;
    const struct place place = iss_flow_place(f->iss, number);
    *of_block(f, place.pc, place_mode(place.context) == MODE_MACHINE) += instructions;
    f->all += instructions;
}

// The same blocks, with as many instructions each, however the run is cut; all instructions are in one.
static void test_flow(void **state) {
    (void)state;
    for (unsigned seed = 10; seed < 10 + CHUNKED; seed++) {
        static struct flow runs, steps;
        runs = (struct flow){.iss = machine(seed, seed % 2)};
        steps = (struct flow){.iss = machine(seed, seed % 2)};
        assert_true(iss_watch_flow(runs.iss, NULL) && iss_watch_flow(steps.iss, NULL));
        unsigned at = 0, random = seed;
        struct seen seen = {0};
        while (at < STOPS) {
            const unsigned length = 1 + (unsigned)rand_r(&random) % (at % 2 ? 7 : 300);
            run(runs.iss, length);
            for (unsigned i = 0; i < length; i++)
                step(steps.iss, &seen);
            at += length;
            iss_flow_take(runs.iss, add_block, &runs);
        }
        iss_flow_take(steps.iss, add_block, &steps);
        assert_int_equal(runs.all, at - seen.interrupts - seen.exceptions);
        for (unsigned i = 0; i < BLOCKS; i++)
            if (runs.of[i] != steps.of[i])
                fail_msg("seed %u: block %x: %u instructions, not %u", seed, i, (unsigned)runs.of[i],
                         (unsigned)steps.of[i]);
        iss_destroy(runs.iss);
        iss_destroy(steps.iss);
    }
}

// ---- marks ----
enum { REPORTS = 1 << 14, EVERY = 5 };
struct reports {
    uint64_t steps[REPORTS];
    size_t mark[REPORTS], count, stops;
};
static bool report_mark(void *context, struct hart *hart, size_t mark) {
    struct reports *t = context;
    t->steps[t->count] = iss_flow_steps(hart);
    t->mark[t->count++] = mark;
    return t->count % EVERY == 0; // ends the run
}

// Every execution is reported once and before it, however a run is cut, and where it ends a run the run goes on as if
// it had not: by records of single steps, which know nothing of marks. All instructions are in one block still.
static void test_marks(void **state) {
    (void)state;
    uint64_t reported_in_all = 0, across = 0;
    for (unsigned seed = 10; seed < 10 + CHUNKED; seed++) {
        static struct reports reported;
        static struct flow runs;
        uint64_t marks[CODE_SIZE / 2];
        size_t count = 0, expected = 0;
        unsigned at = 0, random = seed;
        struct seen seen = {0};
        struct iss *steps = machine(seed, seed % 2);
        runs = (struct flow){.iss = machine(seed, seed % 2)};
        reported.count = reported.stops = 0;
        for (uint64_t place = 0; place < CODE_SIZE; place += 2 + 2 * ((unsigned)rand_r(&random) % 12))
            marks[count++] = (seed % 2 ? VA : CODE) + place;
        assert_true(iss_watch_flow(runs.iss, NULL) &&
                    iss_flow_mark(runs.iss, marks, count, report_mark, &reported, NULL));
        while (at < STOPS) {
            const unsigned length = 1 + (unsigned)rand_r(&random) % (at % 2 ? 7 : 300);
            run(runs.iss, length);
            for (unsigned i = 0; i < length; i++) {
                struct iss_retire r;
                const uint64_t before = hart_steps(iss_only(steps));
                hart_step(iss_only(steps), &r);
                iss_take_marker(steps);
                seen.exceptions += r.trap;
                if (r.interrupt || (r.trap && (r.cause == CAUSE_FETCH_FAULT || r.cause == CAUSE_FETCH_PAGE))) continue;
                for (size_t m = 0; m < count; m++) {
                    if (marks[m] != r.pc) continue;
                    if (expected >= reported.count || reported.mark[expected] != m ||
                        reported.steps[expected] != before)
                        fail_msg("seed %u: mark %zu after %u steps was not reported", seed, m, (unsigned)before);
                    expected++;
                    across += r.pc % PAGE == PAGE - 2 && (r.insn & 3) == 3;
                }
            }
            at += length;
            compare_machines(runs.iss, steps, seed, at);
            assert_int_equal(reported.count, expected);
        }
        iss_flow_take(runs.iss, add_block, &runs);
        assert_int_equal(runs.all, at - seen.exceptions);
        assert_int_equal(iss_flow_counted(runs.iss), runs.all);
        reported_in_all += expected;
        iss_destroy(runs.iss);
        iss_destroy(steps);
    }
    assert_true(reported_in_all > 3000 && across > 5);
}

// ---- edges ----
struct edges {
    struct iss *iss;
    uint64_t in[BLOCKS], out[BLOCKS], all;
};
static void add_edge(void *context, size_t from, size_t to, bool event, uint64_t times) {
    (void)event;
    struct edges *e = context;
    e->out[from] += times;
    e->in[to] += times;
    e->all += times;
}

// What comes to a block leaves it, but in the first and the last of a run; they are the same however it is cut.
static void test_edges(void **state) {
    (void)state;
    for (unsigned seed = 10; seed < 10 + CHUNKED; seed++) {
        static struct edges one, other;
        unsigned at = 0, random = seed;
        one = (struct edges){.iss = machine(seed, seed % 2)};
        other = (struct edges){.iss = machine(seed, seed % 2)};
        assert_true(iss_watch_flow(one.iss, NULL) && iss_flow_watch_edges(one.iss, NULL));
        assert_true(iss_watch_flow(other.iss, NULL) && iss_flow_watch_edges(other.iss, NULL));
        for (unsigned length; at < STOPS; at += length) {
            length = 1 + (unsigned)rand_r(&random) % (at % 2 ? 7 : 300);
            run(one.iss, length);
        }
        run(other.iss, at);
        iss_flow_each_edge(one.iss, add_edge, &one);
        iss_flow_each_edge(other.iss, add_edge, &other);
        assert_int_equal(iss_flow_count(one.iss), iss_flow_count(other.iss));
        unsigned ends = 0;
        for (size_t i = 0; i <= iss_flow_count(one.iss); i++) {

            ends += one.in[i] != one.out[i];
            if (one.in[i] != other.in[i] || one.out[i] != other.out[i]) fail_msg("seed %u: block %zu", seed, i);
            if (one.in[i] > one.out[i] + 1 || one.out[i] > one.in[i] + 1)
                fail_msg("seed %u: block %zu: %u in, %u out", seed, i, (unsigned)one.in[i], (unsigned)one.out[i]);
        }
        assert_true(ends <= 2 && one.all > 500);
        iss_destroy(one.iss);
        iss_destroy(other.iss);
    }
}

// ---- accesses ----
struct accesses {
    size_t count, stores, narrow;
    iss_data_access of[STOPS];
};
static void add_accesses(void *context, unsigned hart, const iss_data_access *accesses, size_t count) {
    struct accesses *a = context;
    assert_int_equal(hart, 0);
    for (size_t i = 0; i < count; i++) {
        assert_true(a->count < STOPS);
        a->of[a->count++] = accesses[i];
    }
}

// The stream is what the records of single steps say, however the run is cut, with the flow watched, too, or
// not, and marks.
static void test_accesses(void **state) {
    (void)state;
    size_t stores = 0, loads = 0, narrow = 0;
    for (unsigned seed = 10; seed < 10 + CHUNKED; seed++) {
        static struct accesses seen, stepped;
        seen.count = stepped.count = 0;
        struct iss *steps = machine(seed, seed % 2), *runs = machine(seed, seed % 2);
        if (seed % 3 == 0) assert_true(iss_watch_flow(runs, NULL));
        static struct reports reported;
        uint64_t marks[32];
        for (unsigned i = 0; i < 32; i++)
            marks[i] = (seed % 2 ? VA : CODE) + 22 * i;
        reported.count = 0;
        if (seed % 3 == 0) assert_true(iss_flow_mark(runs, marks, 32, report_mark, &reported, NULL));
        assert_true(iss_watch_accesses(runs, add_accesses, &seen, NULL));
        unsigned random = seed;
        for (unsigned at = 0; at < STOPS;) {
            const unsigned length = 1 + (unsigned)rand_r(&random) % (at % 2 ? 7 : 300);
            run(runs, length);
            for (unsigned i = 0; i < length; i++, at++) {
                struct iss_retire r;
                hart_step(iss_only(steps), &r);
                iss_take_marker(steps);
                if (r.trap || !r.access || !iss_is_dram(steps, r.address)) continue;
                const iss_data_access one = iss_access_of(r.address, r.size, r.access == ISS_ACCESS_STORE);
                add_accesses(&stepped, 0, &one, 1);
                stores += iss_access_stores(one);
                loads += !iss_access_stores(one);
                narrow += iss_access_bytes(one) < 8 && iss_access_address(one) == r.address;
            }
            if (seen.count != stepped.count || memcmp(seen.of, stepped.of, seen.count * sizeof *seen.of) != 0)
                fail_msg("seed %u: after %u steps, other accesses", seed, at);
        }
        iss_destroy(steps);
        iss_destroy(runs);
    }
    assert_true(stores > 1000 && loads > 1000 && narrow > 1000);
}

// More than is handed over at once; nothing after it is no longer watched.
static void test_many_accesses(void **state) {
    (void)state;
    enum { ROUNDS = 4900 };
    static struct accesses seen;
    seen.count = 0;
    struct iss *iss = hart_create();
    put_word(iss, CODE, SD(A0, S0, 8));
    put_word(iss, CODE + 4, ADDI(A0, A0, 1));
    put_word(iss, CODE + 8, jal(0, -8));
    hart_set_x(iss_only(iss), S0, DATA);
    assert_true(iss_watch_accesses(iss, add_accesses, &seen, NULL));
    assert_int_equal(iss_run(iss, 3 * ROUNDS), 3 * ROUNDS);
    assert_int_equal(seen.count, ROUNDS);
    for (size_t i = 0; i < ROUNDS; i++)
        assert_int_equal(seen.of[i], iss_access_of(DATA + 8, 8, true));
    assert_true(iss_watch_accesses(iss, NULL, NULL, NULL));
    assert_int_equal(iss_run(iss, 300), 300);
    assert_int_equal(seen.count, ROUNDS);
    iss_destroy(iss);
}

// A block as long as a page, and a straight line of 70,000 instructions through many.
static void test_straight(void **state) {
    (void)state;
    enum { LENGTH = 70000 };
    struct iss *iss = hart_create();
    uint16_t *code = malloc(2 * LENGTH);
    for (size_t i = 0; code && i < LENGTH; i++)
        code[i] = C_ADDI_A0_1;
    assert_true(code && iss_write(iss, CODE + 0x100000, code, 2 * LENGTH));
    free(code);
    for (unsigned start = 0; start < 3; start++) {
        hart_set_x(iss_only(iss), A0, 0);
        hart_set_pc(iss_only(iss), CODE + 0x100000 + 2 * start);
        assert_int_equal(iss_run(iss, LENGTH - 100), LENGTH - 100);
        assert_int_equal(hart_x(iss_only(iss), A0), LENGTH - 100);
        assert_int_equal(hart_pc(iss_only(iss)), CODE + 0x100000 + 2 * (start + LENGTH - 100));
    }
    iss_destroy(iss);
}

// The flow through it: a block for each page, as long as the page is, and the rest.
static void test_straight_flow(void **state) {
    (void)state;
    enum { LENGTH = 3 * PAGE / 2 + 100 };
    for (unsigned piece = 1; piece <= LENGTH; piece = piece == 1 ? 700 : piece == 700 ? LENGTH : LENGTH + 1) {
        static struct flow f;
        f = (struct flow){.iss = hart_create()};
        for (size_t i = 0; i < LENGTH; i++)
            assert_true(iss_write(f.iss, CODE + 2 * i, &(uint16_t){C_ADDI_A0_1}, 2));
        assert_true(iss_watch_flow(f.iss, NULL));
        for (unsigned round = 0; round < 2; round++) { // the second time all pages are decoded and known
            hart_set_pc(iss_only(f.iss), CODE);
            for (uint64_t done = 0; done < LENGTH;)
                done += iss_run(f.iss, LENGTH - done < piece ? LENGTH - done : piece);
        }
        iss_flow_take(f.iss, add_block, &f);
        for (unsigned page = 0; page < 4; page++)
            assert_int_equal(*of_block(&f, CODE + page * PAGE, true), 2 * (page < 3 ? PAGE / 2 : 100));
        assert_int_equal(f.all, 2 * LENGTH);
        iss_destroy(f.iss);
    }
}

// The program ends with its store to tohost, and with no instruction after it.
static void test_tohost(void **state) {
    (void)state;
    enum { AMOSWAP_D = 0x0800302f };
    const uint32_t stores[] = {SD(A1, A0, 0), STORE(WORD, A1, A0, 0), r_type(AMOSWAP_D, 0, A0, A1)};
    for (unsigned i = 0; i < 2 * sizeof stores / sizeof *stores; i++) {
        struct iss *iss = machine(1, i % 2);
        const uint64_t place = CODE + PAGE; // the first page, translated
        uint64_t code = 0;
        put_word(iss, place, ADDI(A2, A2, 1));
        put_word(iss, place + 4, stores[i / 2]);
        for (unsigned k = 2; k < 6; k++)
            put_word(iss, place + 4 * k, ADDI(A2, A2, 1));
        put_word(iss, place + 24, jal(0, 0));
        hart_set_csr(iss_only(iss), CSR_MIE, 0);
        if (i % 2) iss_run(iss, 1); // mret
        hart_set_pc(iss_only(iss), i % 2 ? VA : place);
        hart_set_x(iss_only(iss), A0, hart_x(iss_only(iss), S3) + 0x100);
        hart_set_x(iss_only(iss), A1, 7);
        const uint64_t done = iss_run(iss, 2);
        if (i / 2 == 1) iss_run(iss, HTIF_PATIENCE); // half a word: the host waits for the other
        assert_int_equal(done, 2);
        assert_true(iss_exited(iss, &code));
        assert_int_equal(code, 3);
        if (i / 2 != 1) assert_int_equal(hart_x(iss_only(iss), A2), 1);
        if (i / 2 != 1) assert_int_equal(iss_run(iss, 100), 0);
        iss_destroy(iss);
    }
}

// A CSR instruction may change what the loads after it in its block reach: in machine mode whether they are
// translated, in supervisor mode whether they may go to a user's page.
static void test_mode_within_block(void **state) {
    (void)state;
    for (unsigned translated = 0; translated < 2; translated++) {
        struct iss *iss = machine(1, translated);
        struct hart *h = iss_only(iss);
        const unsigned csr = translated ? CSR_SSTATUS : CSR_MSTATUS;
        const uint32_t words[] = {LD(A2, A1, 8), LD(A3, A1, 8), CSRRC(0, csr, A0), LD(A2, A1, 0)};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            put_word(iss, CODE + (translated ? PAGE : 0) + 4 * i, words[i]);
        iss_host_write(iss, DATA + 8, 17);
        if (translated) iss_host_write(iss, TABLES + 2 * PAGE + 8 * CODE_PAGES, DATA >> 12 << 10 | 0xd7);
        if (translated) iss_run(iss, 1); // mret
        hart_set_csr(h, CSR_SATP, UINT64_C(8) << 60 | TABLES >> 12);
        hart_set_csr(h, CSR_MIE, 0);
        const uint64_t may = translated ? MSTATUS_SUM : MSTATUS_MPRV;
        hart_set_csr(h, CSR_MSTATUS, may | UINT64_C(1) << 11); // MPP: supervisor
        hart_set_x(h, A0, may);
        hart_set_x(h, A1, VA_DATA); // nothing, where it is not translated
        const uint64_t pc = hart_pc(h);
        assert_int_equal(iss_run(iss, 4), 4);
        assert_int_equal(hart_x(h, A2), 17);
        assert_int_equal(hart_x(h, A3), 17);
        assert_int_equal(csr_of(iss, CSR_MCAUSE), translated ? 13 : 5);
        assert_int_equal(csr_of(iss, CSR_MEPC), pc + 12);
        iss_destroy(iss);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_stop),
                                       cmocka_unit_test(test_stop_and_go),
                                       cmocka_unit_test(test_flow),
                                       cmocka_unit_test(test_marks),
                                       cmocka_unit_test(test_edges),
                                       cmocka_unit_test(test_straight),
                                       cmocka_unit_test(test_straight_flow),
                                       cmocka_unit_test(test_tohost),
                                       cmocka_unit_test(test_mode_within_block),
                                       cmocka_unit_test(test_accesses),
                                       cmocka_unit_test(test_many_accesses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
