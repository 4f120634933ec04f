// The simulator that runs ahead of the core. Another ISS is the core: its devices answer otherwise than predicted,
// it is interrupted, and the host writes to its memory. Each rule of taking back has a program in which breaking it is
// a difference without a reason; random programs have them all.
#include "iss/ahead.h"
#include "iss/iss_internal.h"
#include "tests/unit/iss/hart.h"
#include <stdio.h>

#include "tests/unit/base/program_image.h"

#define UART UINT64_C(0x10000000)
#define ROOT (DRAM_BASE + 0x100000) // page tables of S-mode
#define WINDOW UINT64_C(0x40000000) // an address that they map to DRAM_BASE
enum { RA = 1, S0 = 8, S1, A5 = 15, S2 = 18, S3, T3 = 28, T4, T5 };
enum { WORDS = 1000, HANDLER_AT = 980, PATCHED_AT = 970, KNOWN = 4096 };

static uint64_t seed = 1;
static uint64_t random64(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}
static unsigned below(unsigned n) {
    return (unsigned)(random64() >> 11) % n;
}

// ---- programs ----
static uint32_t branch(unsigned funct3, unsigned rs1, unsigned rs2, int offset) {
    uint32_t o = (uint32_t)offset;
    return r_type(0x63 | funct3 << 12 | (o >> 11 & 1) << 7 | (o >> 1 & 15) << 8 | (o >> 5 & 63) << 25 | (o >> 12) << 31,
                  0, rs1, rs2);
}
static uint32_t jump(int offset) {
    uint32_t o = (uint32_t)offset;
    return 0x6f | (o & 0xff000) | (o >> 11 & 1) << 20 | (o >> 1 & 0x3ff) << 21 | (o >> 20 & 1) << 31;
}
#define ADD(rd, rs1, rs2) r_type(0x33, rd, rs1, rs2)
#define FMV_D_X(rd, rs1) r_type(0xf2000053, rd, rs1, 0)
#define FMV_X_D(rd, rs1) r_type(0xe2000053, rd, rs1, 0)
#define FADD_D(rd, rs1, rs2) r_type(0x02007053, rd, rs1, rs2)
#define FDIV_D(rd, rs1, rs2) r_type(0x1a007053, rd, rs1, rs2)
#define FLD(rd, rs1, imm) i_type(0x00003007, rd, rs1, imm)
#define FSD(rs2, rs1, imm) s_type(0x00003027, rs2, rs1, imm)
#define JALR(rd, rs1) i_type(0x67, rd, rs1, 0)
enum { SFENCE = 0x12000073 };

struct text {
    uint32_t word[WORDS];
    unsigned count;
};
static void put(struct text *t, uint32_t word) {
    assert_true(t->count < WORDS);
    t->word[t->count++] = word;
}
// Traps count themselves in t5; after an exception it goes on, after an interrupt where it was.
static void put_handler(struct text *t) {
    t->count = PATCHED_AT;
    put(t, ADDI(A4, A4, 1)); // the program changes the immediate
    put(t, JALR(0, RA));
    t->count = HANDLER_AT;
    put(t, CSRRS(T3, CSR_MCAUSE, 0));
    put(t, CSRRS(T4, CSR_MEPC, 0));
    put(t, ADDI(T5, T5, 1));
    put(t, branch(4, T3, 0, 12)); // blt
    put(t, ADDI(T4, T4, 4));
    put(t, CSRRW(0, CSR_MEPC, T4));
    put(t, MRET);
}

static void put_leaf(struct iss *iss, uint64_t table, unsigned index, uint64_t physical, unsigned bits) {
    uint64_t entry = physical >> 12 << 10 | bits;
    assert_true(iss_write(iss, table + 8 * index, &entry, sizeof entry));
}

static struct iss *loaded(const struct text *t, bool supervisor) {
    struct error err = {""};
    struct image *image = program_image(t->word, sizeof *t->word);
    struct iss *iss = iss_create(&err);
    assert_int_equal(iss_load(iss, image, &err), 0);
    image_destroy(image);
    assert_true(iss_write(iss, CODE, t->word, sizeof t->word));
    hart_set_pc(iss_only(iss), CODE);
    hart_set_csr(iss_only(iss), CSR_MTVEC, CODE + 4 * HANDLER_AT);
    hart_set_csr(iss_only(iss), CSR_STVEC, CODE + 4 * HANDLER_AT);
    hart_set_csr(iss_only(iss), CSR_PMPADDR0, UINT64_MAX);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, 0x1f);
    put_leaf(iss, ROOT, 0, 0, 0xc7); // devices, where they are
    put_leaf(iss, ROOT, 1, ROOT + 0x1000, 0x01);
    put_leaf(iss, ROOT + 0x1000, 0, DRAM_BASE, 0xc7); // the window: 2 MiB; elsewhere is nothing
    hart_set_csr(iss_only(iss), CSR_SATP, UINT64_C(8) << 60 | ROOT >> 12);
    hart_set_csr(iss_only(iss), CSR_MSTATUS, UINT64_C(1) << 13 | MSTATUS_MIE); // floating point: initial
    hart_set_csr(iss_only(iss), CSR_MIE, 1 << IRQ_SSI);                        // the core would take it, and does not
    hart_set_csr(iss_only(iss), CSR_MIP, 1 << IRQ_SSI);
    hart_set_x(iss_only(iss), S0, DATA);
    hart_set_x(iss_only(iss), S1, UART);
    hart_set_x(iss_only(iss), S2, CODE + 4 * PATCHED_AT);
    hart_set_x(iss_only(iss), S3, WINDOW + (DATA - DRAM_BASE));
    for (unsigned i = 0; i < 32; i++) {
        const uint64_t word = 1 + i * UINT64_C(0x0101010101010101);
        assert_true(iss_write(iss, DATA + 8 * i, &word, sizeof word));
    }
    hart_set_x(iss_only(iss), A0, MSTATUS_MPRV | UINT64_C(1) << 11);                    // loads and stores are S-mode's
    hart_set_x(iss_only(iss), A1, WINDOW + (ROOT - DRAM_BASE) + 0x1000);                // the window's entry
    hart_set_x(iss_only(iss), A3, (DRAM_BASE + UINT64_C(0x200000)) >> 12 << 10 | 0xc7); // another one
    if (supervisor) {
        hart_set_csr(iss_only(iss), CSR_SATP, 0);
        hart_set_csr(iss_only(iss), CSR_MEDELEG, UINT64_MAX);
        hart_set_csr(iss_only(iss), CSR_MEPC, CODE + 4);
        hart_set_csr(iss_only(iss), CSR_MSTATUS, UINT64_C(1) << 13 | UINT64_C(1) << 11);
    }
    return iss;
}

// ---- the core ----
struct world {
    struct iss *core;
    struct ahead *ahead;
    uint64_t device; // what its devices say: this, or what chance says
    bool chance;
    unsigned interrupts, host_writes; // in 1000 instructions, in 1000 cycles
    uint64_t interrupted, wrote, known;
    struct ahead_step predicted[KNOWN];
    bool said[KNOWN];
};

static uint64_t device_read(void *context, uint64_t address, unsigned bytes) {
    const struct world *w = context;
    (void)address;
    return (w->chance ? random64() : w->device) & (UINT64_MAX >> (64 - 8 * bytes));
}

static struct world *begin(const struct text *t, bool supervisor) {
    struct error err = {""};
    struct world *w = calloc(1, sizeof *w);
    w->core = loaded(t, supervisor);
    iss_set_autonomous(w->core, false);
    iss_set_device_read(w->core, device_read, w);
    w->ahead = ahead_create(loaded(t, supervisor), &err);
    assert_non_null(w->ahead);
    return w;
}
static void end(struct world *w) {
    ahead_destroy(w->ahead);
    iss_destroy(w->core);
    free(w);
}

static struct retired retired_of(const struct iss_retire *r) {
    return (struct retired){.pc = r->pc,
                            .insn = r->insn,
                            .rd_written = r->rd_written,
                            .rd_fp = r->rd_fp,
                            .rd = r->rd,
                            .rd_value = r->rd_value,
                            .stored = r->access == ISS_ACCESS_STORE,
                            .store_bytes = r->size,
                            .store_addr = r->address,
                            .store_data = r->data};
}

// The next `far` instructions, as they are predicted now. What was said before has to be said again, until the core
// does something that nobody can know.
static void ask(struct world *w, unsigned far) {
    uint64_t number = ahead_count(w->ahead);
    for (unsigned i = 0; i < far; i++, number++) {
        const struct ahead_step *s = ahead_at(w->ahead, number);
        if (!s) return;
        if (w->said[number % KNOWN])
            assert_memory_equal(&w->predicted[number % KNOWN], s, offsetof(struct ahead_step, trap_next));
        w->said[number % KNOWN] = true;
        w->predicted[number % KNOWN] = *s;
    }
}
static void forget(struct world *w) {
    memset(w->said, 0, sizeof w->said);
}

// Whether it was predicted: then rightly.
static bool compare(struct world *w, uint64_t number, const struct iss_retire *r) {
    if (!w->said[number % KNOWN]) return false;
    const struct ahead_step *s = &w->predicted[number % KNOWN];
    w->known++;
    w->said[number % KNOWN] = false;
    assert_int_equal(s->pc, r->pc);
    assert_int_equal(s->next_pc, r->next_pc);
    assert_int_equal(s->insn, r->insn);
    assert_int_equal(s->store, r->access == ISS_ACCESS_STORE && (r->insn & 0x7f) != 0x2f); // no AMO, no SC
    if (s->store) assert_int_equal(s->address, r->address);
    if (s->store) assert_int_equal(s->bytes, r->size);
    return true;
}

static void check_trap_predicted(struct world *w, uint64_t last) {
    ahead_at(w->ahead, last + 1);
    const struct ahead_step *s = ahead_at(w->ahead, last);
    assert_true(s && s->trap_next);
}

// At most `most` instructions leave.
static void cycle(struct world *w, unsigned most) {
    struct trace_left left = {.count = 0};
    const uint64_t number = ahead_count(w->ahead);
    if (below(1000) < w->host_writes) {
        left.host_write_count = 1;
        left.host_writes[0] = (struct host_write){.addr = DATA + below(32) * 8, .data = random64()};
        iss_host_write(w->core, left.host_writes[0].addr, left.host_writes[0].data);
        w->wrote++;
        forget(w);
    }
    for (bool predicted = false; left.count < most;) {
        struct iss_retire r;
        const bool interrupt = below(1000) < w->interrupts;
        if (interrupt) {
            hart_take_interrupt(iss_only(w->core), 7, &r);
            w->interrupted++;
            forget(w);
        } else {
            hart_step(iss_only(w->core), &r);
        }
        if (r.trap) {
            if (!interrupt && predicted) check_trap_predicted(w, number + left.count - 1);
            left.trap =
                (struct trapped){.valid = true, .interrupt = interrupt, .cause = r.cause, .tval = r.tval, .epc = r.epc};
            break;
        }
        predicted = compare(w, number + left.count, &r) && !r.reads_nondeterministic;
        if (r.reads_nondeterministic) forget(w);
        left.retired[left.count++] = retired_of(&r);
    }
    ahead_left(w->ahead, &left);
    assert_int_equal(ahead_count(w->ahead), number + left.count);
}

static void check_nothing_wrong(const struct world *w, const char *what) {
    if (!ahead_differed(w->ahead, AHEAD_WRONG)) return;
    struct ahead_wrong first = ahead_first_wrong(w->ahead);
    fail_msg("%s: wrong %llu times, first about instruction %llu: pc %llx, predicted %llx", what,
             (unsigned long long)ahead_differed(w->ahead, AHEAD_WRONG), (unsigned long long)first.number,
             (unsigned long long)first.pc, (unsigned long long)first.predicted);
}

// ---- a rule each ----
// The simulator ahead reads 0 from the device and does `ahead`, the core reads 1 and does not; `shows` would show what
// is left of it.
struct rule {
    const char *what;
    uint32_t first[2], ahead[4], shows[2];
    bool supervisor; // in S-mode, to which all is delegated
};

static void put_all(struct text *t, const uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count && words[i]; i++)
        put(t, words[i]);
}

static void test_rules(void **state) {
    (void)state;
    const struct rule rules[] = {
        {"registers", {0}, {ADDI(A0, A0, 1)}, {ADD(A1, A0, A0)}, false},
        {"FP registers", {FMV_D_X(1, A0)}, {FMV_D_X(1, A1)}, {FMV_X_D(A2, 1)}, false},
        {"fflags", {FMV_D_X(1, A0), FMV_D_X(2, S3)}, {FDIV_D(3, 1, 2)}, {CSRRS(A2, CSR_FFLAGS, 0)}, false},
        {"mstatus", {0}, {FMV_D_X(1, A0)}, {CSRRS(A2, CSR_MSTATUS, 0)}, false},
        {"mepc", {0}, {LOAD(DOUBLE, A2, 0, 24)}, {CSRRS(A2, CSR_MEPC, 0)}, false},
        {"mcause", {0}, {LOAD(DOUBLE, A2, 0, 24)}, {CSRRS(A2, CSR_MCAUSE, 0)}, false},
        {"mtval", {0}, {LOAD(DOUBLE, A2, 0, 24)}, {CSRRS(A2, CSR_MTVAL, 0)}, false},
        {"sepc", {0}, {LOAD(DOUBLE, A2, 0, 24)}, {CSRRS(A2, CSR_SEPC, 0)}, true},
        {"scause", {0}, {LOAD(DOUBLE, A2, 0, 24)}, {CSRRS(A2, CSR_SCAUSE, 0)}, true},
        {"stval", {0}, {LOAD(DOUBLE, A2, 0, 24)}, {CSRRS(A2, CSR_STVAL, 0)}, true},
        {"stores of bytes", {0}, {STORE(BYTE, A0, S0, 3), STORE(BYTE, A1, S0, 9)}, {LOAD(DOUBLE, A2, S0, 8)}, false},
        {"stores of 8 bytes", {0}, {STORE(DOUBLE, A0, S0, 8)}, {LOAD(DOUBLE, A2, S0, 8)}, false},
        {"two stores", {0}, {STORE(WORD, A1, S0, 0), STORE(DOUBLE, A3, S0, 0)}, {LOAD(DOUBLE, A2, S0, 0)}, false},
        {"FP stores", {FMV_D_X(1, A0)}, {FSD(1, S0, 16)}, {LOAD(DOUBLE, A2, S0, 16)}, false},
        {"AMOs", {0}, {AMOADD_D(A2, S0, A0)}, {LOAD(DOUBLE, A2, S0, 0)}, false},
        {"conditional stores", {LR_D(A2, S0)}, {SC_D(A2, S0, A0)}, {LOAD(DOUBLE, A2, S0, 0)}, false},
        {"reservations used up", {LR_D(A2, S0)}, {SC_D(A2, S0, A0)}, {SC_D(A2, S0, A0)}, false},
        {"reservations", {0}, {LR_D(A2, S0)}, {SC_D(A2, S0, A0)}, false},
        {"reserved lines", {LR_D(A2, S0)}, {LR_D(A2, S2)}, {SC_D(A2, S0, A0)}, false},
        {"CSRs", {0}, {CSRRW(0, CSR_MSCRATCH, A0)}, {CSRRS(A2, CSR_MSCRATCH, 0)}, false},
        {"two CSRs",
         {0},
         {CSRRW(0, CSR_MSCRATCH, A0), CSRRW(0, CSR_SSCRATCH, A0), CSRRW(0, CSR_MSCRATCH, A1)},
         {CSRRS(A2, CSR_MSCRATCH, 0), CSRRS(A2, CSR_SSCRATCH, 0)},
         false},
        {"minstret", {0}, {ADDI(0, 0, 0)}, {CSRRS(A2, CSR_MINSTRET, 0)}, false},
        {"mcycle", {0}, {ECALL}, {CSRRS(A2, CSR_MCYCLE, 0)}, false},
        {"writes of mcycle", {0}, {CSRRW(0, CSR_MCYCLE, A0)}, {CSRRS(A2, CSR_MCYCLE, 0)}, false},
        {"writes of minstret", {0}, {CSRRW(0, CSR_MINSTRET, A0)}, {CSRRS(A2, CSR_MINSTRET, 0)}, false},
        {"privilege", {0}, {MRET}, {CSRRS(A2, CSR_MSCRATCH, 0)}, false},
        {"code",
         {JALR(RA, S2)},
         {ADDI(A5, 0, 64), STORE(BYTE, A5, S2, 3), FENCE_I, JALR(RA, S2)},
         {JALR(RA, S2)},
         false},
        {"translations",
         {CSRRS(0, CSR_MSTATUS, A0), LOAD(DOUBLE, A2, S3, 0)},
         {STORE(DOUBLE, A3, A1, 0), SFENCE, LOAD(DOUBLE, A2, S3, 0)},
         {LOAD(DOUBLE, A2, S3, 0), STORE(WORD, A2, S3, 8)},
         false},
        {"modes", {CSRRS(0, CSR_MSTATUS, A0)}, {CSRRC(0, CSR_MSTATUS, A0)}, {LOAD(DOUBLE, A2, S0, 0)}, false},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        struct text t = {.count = 0};
        unsigned length = 0;
        while (length < 4 && rule->ahead[length])
            length++;
        put(&t, rule->supervisor ? MRET : NOP);
        put_all(&t, rule->first, 2);
        put(&t, LOAD(BYTE_U, A5, S1, 0));
        put(&t, branch(1, A5, 0, 4 + 4 * (int)length));
        put_all(&t, rule->ahead, 4);
        put_all(&t, rule->shows, 2);
        put(&t, jump(0));
        put_handler(&t);
        struct world *w = begin(&t, rule->supervisor);
        w->device = 1;
        ask(w, 200);
        for (unsigned n = 0; n < 40; n++) {
            cycle(w, 1);
            ask(w, 5);
        }
        check_nothing_wrong(w, rule->what);
        // The device, and nothing else that only the core would know.
        if (ahead_differed(w->ahead, AHEAD_UNKNOWABLE) != 1)
            fail_msg("%s: %llu values", rule->what, (unsigned long long)ahead_differed(w->ahead, AHEAD_UNKNOWABLE));
        assert_true(w->known >= 20);
        end(w);
    }
}

// ---- chance ----
static unsigned any(void) {
    return A0 + below(5);
}

static void put_any(struct text *t) {
    static const uint16_t quiet[] = {CSR_MSCRATCH, CSR_SSCRATCH, CSR_MCOUNTEREN, CSR_FRM, CSR_PMPADDR1, CSR_SEPC};
    static const uint16_t loud[] = {CSR_MCYCLE, CSR_MIP, CSR_MHPMCOUNTER3};
    const int offset = (int)below(32) * 8;
    switch (below(20)) {
    case 0:
    case 1: put(t, ADD(any(), any(), any())); break;
    case 2: put(t, ADDI(any(), any(), (int)below(4096) - 2048)); break;
    case 3: put(t, STORE(below(4), any(), S0, offset)); break;
    case 4: put(t, LOAD(below(7), any(), S0, offset)); break;
    case 5: put(t, branch(below(2), any(), any(), 4 * (2 + (int)below(3)))); break;
    case 6: put(t, branch(4, any(), any(), 4 * (2 + (int)below(3)))); break;
    case 7: put(t, CSRRW(any(), quiet[below(6)], any())); break;
    case 8: put(t, CSRRS(any(), loud[below(3)], 0)); break;
    case 9: put(t, below(3) ? LOAD(BYTE_U, any(), S1, 0) : FLD(below(32), S1, 0)); break;
    case 10: put(t, STORE(BYTE, any(), S1, 0)); break;
    case 11: put(t, LR_D(any(), S0)); break;
    case 12: put(t, SC_D(any(), S0, any())); break;
    case 13: put(t, AMOADD_D(any(), S0, any())); break;
    case 14: put(t, ECALL); break;
    case 15: put(t, LOAD(DOUBLE, any(), 0, 0)); break; // a fault
    case 16: put(t, below(2) ? FMV_D_X(below(32), any()) : FMV_X_D(any(), below(32))); break;
    case 17: put(t, FADD_D(below(32), below(32), below(32))); break;
    case 18: put(t, FSD(below(32), S0, offset)); break;
    default: put(t, CSRRW(any(), CSR_FFLAGS, any())); break;
    }
}

static void put_program(struct text *t) {
    *t = (struct text){.count = 0};
    while (t->count < 300) {
        put_any(t);
        if (below(30)) continue;
        put(t, branch(1, any(), 0, 16));
        put(t, ADDI(A5, 0, (int)below(256)));
        put(t, STORE(BYTE, A5, S2, 3));
        put(t, FENCE_I);
        put(t, JALR(RA, S2));
    }
    put(t, jump(-4 * (int)t->count));
    put_handler(t);
}

static void test_random(void **state) {
    (void)state;
    uint64_t known = 0, unknowable = 0;
    for (unsigned n = 0; n < 40; n++) {
        char what[32];
        struct text t;
        seed = 77 + n;
        snprintf(what, sizeof what, "seed %u", 77 + n);
        put_program(&t);
        struct world *w = begin(&t, false);
        w->chance = true;
        w->interrupts = n % 4 ? 10 : 0;
        w->host_writes = n % 3 ? 10 : 0;
        for (unsigned i = 0; i < 2000; i++) {
            if (below(2)) ask(w, below(100));
            cycle(w, 1 + below(MAX_LANES));
        }
        check_nothing_wrong(w, what);
        assert_int_equal(ahead_differed(w->ahead, AHEAD_INTERRUPT), w->interrupted);
        assert_int_equal(ahead_differed(w->ahead, AHEAD_HOST), w->wrote);
        known += w->known;
        unknowable += ahead_differed(w->ahead, AHEAD_UNKNOWABLE);
        end(w);
    }
    assert_true(known > 200000 && unknowable > 2000);
}

// ---- how far ----
static void test_far(void **state) {
    (void)state;
    struct text t = {.count = 0};
    while (t.count < 900)
        put(&t, NOP);
    put(&t, jump(-4 * 900));
    struct world *w = begin(&t, false);
    for (unsigned n = 0; n < 3000; n++)
        cycle(w, 4);
    const uint64_t count = ahead_count(w->ahead);
    assert_null(ahead_at(w->ahead, count - 1));
    assert_non_null(ahead_at(w->ahead, count));
    assert_non_null(ahead_at(w->ahead, count + 2047));
    assert_null(ahead_at(w->ahead, count + 2048));
    ask(w, 2048);
    for (unsigned n = 0; n < 512; n++)
        cycle(w, 4);
    assert_int_equal(w->known, 2048);
    end(w);
}

// No further than 64 instructions that write CSRs, of those that have not left.
static void test_many_csrs(void **state) {
    (void)state;
    struct text t = {.count = 0};
    while (t.count < 400)
        put(&t, t.count % 2 ? CSRRW(A0, CSR_MSCRATCH, A0) : ADDI(A0, A0, 1));
    put(&t, jump(0));
    put_handler(&t);
    struct world *w = begin(&t, false);
    for (unsigned n = 0; n < 200; n += 10) {
        const uint64_t count = ahead_count(w->ahead);
        assert_non_null(ahead_at(w->ahead, count + 128));
        assert_null(ahead_at(w->ahead, count + 129));
        for (unsigned i = 0; i < 10; i++)
            cycle(w, 1);
    }
    w->interrupts = 1000;
    cycle(w, 1);
    w->interrupts = 0;
    ask(w, 60);
    for (unsigned i = 0; i < 60; i++)
        cycle(w, 1);
    check_nothing_wrong(w, "many CSRs");
    end(w);
}

// ---- what is wrong is reported, and followed ----
static void leave_as(struct world *w, const struct retired *retired, const struct trapped *trap) {
    struct trace_left left = {.count = retired ? 1 : 0};
    if (retired) left.retired[0] = *retired;
    if (trap) left.trap = *trap;
    ahead_left(w->ahead, &left);
}

static void test_wrong(void **state) {
    (void)state;
    struct text t = {.count = 0};
    put(&t, ADDI(A0, 0, 1));
    put(&t, STORE(DOUBLE, A0, S0, 0));
    put(&t, STORE(DOUBLE, A0, S0, 0));
    put(&t, ADDI(A1, A0, 0));
    put(&t, NOP);
    put(&t, ECALL);
    put(&t, NOP);
    put(&t, NOP);
    put_handler(&t);
    struct world *w = begin(&t, false);
    ask(w, 5);
    struct retired value = {.pc = CODE, .insn = t.word[0], .rd_written = true, .rd = A0, .rd_value = 9};
    leave_as(w, &value, NULL);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 1);
    struct retired store = {
        .pc = CODE + 4, .insn = t.word[1], .stored = true, .store_bytes = 8, .store_addr = DATA + 8};
    leave_as(w, &store, NULL);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 2);
    store = (struct retired){.pc = CODE + 8, .insn = t.word[2], .stored = true, .store_bytes = 4, .store_addr = DATA};
    leave_as(w, &store, NULL);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 3);
    value = (struct retired){.pc = CODE + 12, .insn = t.word[3], .rd_written = true, .rd = A1, .rd_value = 9};
    leave_as(w, &value, NULL); // it has followed
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 3);
    assert_int_equal(ahead_at(w->ahead, 4)->pc, CODE + 16);
    value = (struct retired){.pc = CODE + 24, .insn = NOP};
    leave_as(w, &value, NULL); // elsewhere
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 4);
    assert_int_equal(ahead_first_wrong(w->ahead).number, 0);
    assert_int_equal(ahead_first_wrong(w->ahead).pc, CODE);
    assert_int_equal(ahead_at(w->ahead, 5)->pc, CODE + 28);
    value = (struct retired){.pc = CODE + 16, .insn = NOP};
    leave_as(w, &value, NULL);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 5);
    assert_true(ahead_at(w->ahead, 6) && ahead_differed(w->ahead, AHEAD_UNKNOWABLE) == 0);
    struct trapped trap = {.valid = true, .cause = CAUSE_BREAKPOINT, .epc = CODE + 20}; // an ecall it is
    leave_as(w, NULL, &trap);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 6);
    assert_int_equal(ahead_at(w->ahead, 6)->pc, CODE + 4 * HANDLER_AT);
    value = (struct retired){
        .pc = CODE + 4 * HANDLER_AT, .insn = t.word[HANDLER_AT], .rd_written = true, .rd = T3, .rd_value = trap.cause};
    leave_as(w, &value, NULL);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 6);
    end(w);

    w = begin(&t, false); // each on its own
    value = (struct retired){.pc = CODE, .insn = ADDI(A0, 0, 2), .rd_written = true, .rd = A0, .rd_value = 1};
    leave_as(w, &value, NULL);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 1);
    for (unsigned i = 1; i < 5; i++) {
        const struct retired as_predicted = {
            .pc = CODE + 4 * i, .insn = t.word[i], .stored = i < 3, .store_bytes = 8, .store_addr = DATA};
        leave_as(w, &as_predicted, NULL);
    }
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 1);
    value = (struct retired){.pc = CODE + 20, .insn = ECALL}; // it traps
    leave_as(w, &value, NULL);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 2);
    assert_int_equal(ahead_at(w->ahead, 6)->pc, CODE + 4 * HANDLER_AT);
    end(w);
}

static void test_wrong_traps(void **state) {
    (void)state;
    const struct trapped right = {.valid = true, .cause = CAUSE_ECALL_M, .epc = CODE};
    for (unsigned n = 0; n < 4; n++) {
        struct text t = {.count = 0};
        put(&t, n == 3 ? CSRRS(A0, CSR_MCYCLE, 0) : ECALL);
        put_handler(&t);
        struct world *w = begin(&t, false);
        struct trapped trap = right;
        if (n == 1) trap.epc += 4;
        if (n == 2) trap.tval = 1;
        leave_as(w, NULL, &trap);
        assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), n > 0);
        assert_int_equal(ahead_at(w->ahead, 0)->pc, CODE + 4 * HANDLER_AT);
        end(w);
    }
    struct text t = {.count = 0}; // a counter is predicted, but the core is elsewhere
    put(&t, CSRRS(A0, CSR_MCYCLE, 0));
    put_handler(&t);
    struct world *w = begin(&t, false);
    const struct retired elsewhere = {.pc = CODE + 400, .insn = 0};
    leave_as(w, &elsewhere, NULL);
    assert_int_equal(ahead_differed(w->ahead, AHEAD_WRONG), 1);
    end(w);
}

// A handler that traps: no instruction leaves any more.
static void test_traps_without_end(void **state) {
    (void)state;
    struct text t = {.count = 0};
    put(&t, NOP);
    put(&t, LOAD(DOUBLE, A0, 0, 0));
    put_handler(&t);
    t.word[HANDLER_AT] = LOAD(DOUBLE, A0, 0, 0);
    struct world *w = begin(&t, false);
    assert_non_null(ahead_at(w->ahead, 0));
    assert_null(ahead_at(w->ahead, 1));
    for (unsigned n = 0; n < 10000; n++)
        cycle(w, 4);
    assert_null(ahead_at(w->ahead, 1));
    check_nothing_wrong(w, "traps without end");
    end(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_many_csrs),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_wrong_traps),
        cmocka_unit_test(test_traps_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
