// The hot instructions, and the loop that runs them: bodies that jump to each other along decoded pages.
//
// The unit is the block: instructions that follow each other up to a jump or the page's end. Each entry says how many
// they are from it on, so the run's length is counted down once, where a block begins, wherever in it that is. A block
// that is longer than what is left goes by the table of single steps, whose one body looks after each instruction;
// counting goes by a table whose one body counts: what instructions do stands once. Watching the flow of control goes
// by two: in a block each body is its own, but those that end one go on by the other table, whose one body takes note
// of the block that begins. Watching accesses goes by tables in which loads and stores have bodies that note them, too.
//
// The loop ends when `left` does, and at events: whatever can raise an interrupt, change the privilege or end the
// program. The caller looks for interrupts between two calls.
#include "iss/accesses.h"
#include "iss/arith.h"
#include "iss/execute_statements.h"
#include <stddef.h>

// A body for each length.
#define BODY(name, ...)                                                                                                \
    static uint64_t name##_1(ARGUMENTS) {                                                                              \
        enum { STRIDE = 1 };                                                                                           \
        __VA_ARGS__;                                                                                                   \
    }                                                                                                                  \
    static uint64_t name##_2(ARGUMENTS) {                                                                              \
        enum { STRIDE = 2 };                                                                                           \
        __VA_ARGS__;                                                                                                   \
    }
#define NEXT_PC (PC + 2 * STRIDE)
// An operation, and the bodies that do it and go on.
#define OPERATION(name, ...)                                                                                           \
    static inline enum iss_done do_##name(OPERANDS) {                                                                  \
        __VA_ARGS__;                                                                                                   \
    }                                                                                                                  \
    BODY(name, DO(do_##name); NEXT)
#define COMPUTES(name, ...) OPERATION(name, __VA_ARGS__; return ISS_DONE)

COMPUTES(nop, (void)0)
COMPUTES(li, RD = IMM) // lui and addi of x0, too
COMPUTES(mv, RD = RS1)
COMPUTES(increment, RD += IMM)  // addi to the register that it reads
COMPUTES(accumulate, RD += RS2) // add, likewise
COMPUTES(auipc, RD = PC + IMM)

BODY(jal, RD = NEXT_PC; CALL; JUMP_NEAR)
BODY(jal_far, const uint64_t pc = PC; RD = pc + 2 * STRIDE; CALL; JUMP(pc + IMM))
BODY(j, JUMP_NEAR)
BODY(jalr, const uint64_t target = (RS1 + IMM) & ~UINT64_C(1); RD = NEXT_PC; CALL; JUMP_BY_PATH(target))
BODY(jr, JUMP_BY_PATH((RS1 + IMM) & ~UINT64_C(1)))
BODY(ret, RETURN(RS1 & ~UINT64_C(1)))
BODY(beqz, BRANCH(RS1 == 0))
BODY(bnez, BRANCH(RS1 != 0))
BODY(beq, BRANCH(RS1 == RS2))
BODY(bne, BRANCH(RS1 != RS2))
BODY(blt, BRANCH(SIGNED(RS1) < SIGNED(RS2)))
BODY(bge, BRANCH(SIGNED(RS1) >= SIGNED(RS2)))
BODY(bltu, BRANCH(RS1 < RS2))
BODY(bgeu, BRANCH(RS1 >= RS2))

COMPUTES(addi, RD = RS1 + IMM)
COMPUTES(slti, RD = SIGNED(RS1) < SIGNED(IMM))
COMPUTES(sltiu, RD = RS1 < IMM)
COMPUTES(xori, RD = RS1 ^ IMM)
COMPUTES(ori, RD = RS1 | IMM)
COMPUTES(andi, RD = RS1 & IMM)
COMPUTES(slli, RD = RS1 << (e->imm & 63))
COMPUTES(srli, RD = RS1 >> (e->imm & 63))
COMPUTES(srai, RD = (uint64_t)(SIGNED(RS1) >> (e->imm & 63)))
COMPUTES(add, RD = RS1 + RS2)
COMPUTES(sub, RD = RS1 - RS2)
COMPUTES(sll, RD = RS1 << (RS2 & 63))
COMPUTES(slt, RD = SIGNED(RS1) < SIGNED(RS2))
COMPUTES(sltu, RD = RS1 < RS2)
COMPUTES(xor, RD = RS1 ^ RS2)
COMPUTES(srl, RD = RS1 >> (RS2 & 63))
COMPUTES(sra, RD = (uint64_t)(SIGNED(RS1) >> (RS2 & 63)))
COMPUTES(or, RD = RS1 | RS2)
COMPUTES(and, RD = RS1 & RS2)
COMPUTES(addiw, RD = sext32(RS1 + IMM))
COMPUTES(slliw, RD = sext32(RS1 << (e->imm & 31)))
COMPUTES(srliw, RD = sext32((uint32_t)RS1 >> (e->imm & 31)))
COMPUTES(sraiw, RD = (uint64_t)((int32_t)RS1 >> (e->imm & 31)))
COMPUTES(addw, RD = sext32(RS1 + RS2))
COMPUTES(subw, RD = sext32(RS1 - RS2))
COMPUTES(sllw, RD = sext32(RS1 << (RS2 & 31)))
COMPUTES(srlw, RD = sext32((uint32_t)RS1 >> (RS2 & 31)))
COMPUTES(sraw, RD = (uint64_t)((int32_t)RS1 >> (RS2 & 31)))
COMPUTES(mul, RD = RS1 * RS2)
COMPUTES(mulh, RD = (uint64_t)((int128)SIGNED(RS1) * (int128)SIGNED(RS2) >> 64))
COMPUTES(mulhsu, RD = (uint64_t)((int128)SIGNED(RS1) * (int128)RS2 >> 64))
COMPUTES(mulhu, RD = (uint64_t)((uint128)RS1 * RS2 >> 64))
COMPUTES(div, RD = divide(SIGNED(RS1), SIGNED(RS2)))
COMPUTES(divu, RD = RS2 ? RS1 / RS2 : UINT64_MAX)
COMPUTES(rem, RD = remainder_of(SIGNED(RS1), SIGNED(RS2)))
COMPUTES(remu, RD = RS2 ? RS1 % RS2 : RS1)
COMPUTES(mulw, RD = sext32(RS1 * RS2))
COMPUTES(divw, RD = sext32(divide((int32_t)RS1, (int32_t)RS2)))
COMPUTES(divuw, RD = (uint32_t)RS2 ? sext32((uint32_t)RS1 / (uint32_t)RS2) : UINT64_MAX)
COMPUTES(remw, RD = sext32(remainder_of((int32_t)RS1, (int32_t)RS2)))
COMPUTES(remuw, RD = sext32((uint32_t)RS2 ? (uint32_t)RS1 % (uint32_t)RS2 : RS1))

// Bodies that note the access, too. Where it cannot be done here it is noted where it is.
#define NOTING(name, mode, type, store, physical)                                                                      \
    BODY(name##_##mode##_noting, const uint64_t address = RS1 + IMM; const uint64_t place = (physical);                \
         DO(do_##name##_##mode); *h->noted++ = iss_access_of(place, sizeof(type), store); e += STRIDE;                 \
         if (__builtin_expect(h->noted == h->noted_end, 0)) GO_TO(iss_noted_body); DISPATCH)
#define NOTINGS(name, type, store)                                                                                     \
    NOTING(name, bare, type, store, address)                                                                           \
    NOTING(name, translated, type, store,                                                                              \
           address + ((const struct iss_quick *)memory)[address / PAGE_BYTES % ISS_TLB_ENTRIES].physical)
#define LOAD(name, type, TO)                                                                                           \
    OPERATION(name##_bare, LOAD_BARE(type, TO))                                                                        \
    OPERATION(name##_translated, LOAD_TRANSLATED(type, TO)) NOTINGS(name, type, false)
#define STORE(name, type, source)                                                                                      \
    OPERATION(name##_bare, STORE_BARE(type, source))                                                                   \
    OPERATION(name##_translated, STORE_TRANSLATED(type, source)) NOTINGS(name, type, true)
#define TO_X RD = (uint64_t)(int64_t)value
LOAD(lb, int8_t, TO_X)
LOAD(lh, int16_t, TO_X)
LOAD(lw, int32_t, TO_X)
LOAD(ld, uint64_t, TO_X)
LOAD(lbu, uint8_t, TO_X)
LOAD(lhu, uint16_t, TO_X)
LOAD(lwu, uint32_t, TO_X)
STORE(sb, uint8_t, RS2)
STORE(sh, uint16_t, RS2)
STORE(sw, uint32_t, RS2)
STORE(sd, uint64_t, RS2)

#define WITH_FP                                                                                                        \
    if (__builtin_expect(!iss_fp_is_on(h), 0)) return ISS_LEFT_ILLEGAL
#define FP_LOAD(name, type, box)                                                                                       \
    OPERATION(name##_bare, WITH_FP; LOAD_BARE(type, (h->f[e->rd] = (box) | value, iss_fp_dirty(h))))                   \
    OPERATION(name##_translated, WITH_FP; LOAD_TRANSLATED(type, (h->f[e->rd] = (box) | value, iss_fp_dirty(h))))       \
    NOTINGS(name, type, false)
#define FP_STORE(name, type)                                                                                           \
    OPERATION(name##_bare, WITH_FP; STORE_BARE(type, h->f[e->rs2]))                                                    \
    OPERATION(name##_translated, WITH_FP; STORE_TRANSLATED(type, h->f[e->rs2])) NOTINGS(name, type, true)
FP_LOAD(flw, uint32_t, UINT64_C(0xffffffff00000000))
FP_LOAD(fld, uint64_t, UINT64_C(0))
FP_STORE(fsw, uint32_t)
FP_STORE(fsd, uint64_t)

// ---- the body of single steps, and the one that counts ----
static uint64_t step(ARGUMENTS) {
    if (left + e->count <= 0) {
        if (h->running == &iss_table_entering) iss_flow_pause(h, PC);
        return iss_stop(h, PC, 0);
    }
    GO_TO(h->singles->of[e->body]);
}

static uint64_t count(ARGUMENTS) {
    const uint64_t offset = PC - h->counted_page;
    if (__builtin_expect(offset >= PAGE_BYTES, 0)) GO_TO(iss_count_body);
    ++h->cells[offset / 2];
    GO_TO((h->data_limit ? &iss_table_bare_singles : &iss_table_translated_singles)->of[e->body]);
}

// ---- the bodies that watch the flow: where a block ends, and where one begins ----
static uint64_t end(ARGUMENTS) {
    table = &iss_table_entering;
    GO_TO(h->singles->of[e->body]);
}

// By the table that it would have gone by without a mark; its body's own index is not its entry's.
uint64_t iss_marked_on(ARGUMENTS) {
    const unsigned own = e->body - BODIES_MARKED;
    const struct iss_table *const plain = h->data_limit ? &iss_table_bare_singles : &iss_table_translated_singles;
    const struct iss_table *const single = h->running == &iss_table_counted ? plain : h->singles;
    if (h->running != &iss_table_entering || table == &iss_table_steps) GO_TO(single->of[own]);
    iss_handler *const body = h->within->of[own];
    if (body != end) GO_TO(body);
    table = &iss_table_entering;
    GO_TO(single->of[own]);
}

static uint64_t begin(ARGUMENTS) {
    const uint64_t offset = PC - h->counted_page;
    if (__builtin_expect(offset >= PAGE_BYTES, 0)) GO_TO(iss_flow_body);
    const uint64_t number = h->cells[offset / 2];
    if (__builtin_expect(number == 0, 0)) GO_TO(iss_flow_body);
    iss_flow_next(h, left + e->count, number);
    table = h->within;
    DISPATCH;
}

// ---- pairs: the first's operation, and on to the second's body without a look at where that is ----
#define BODY_C(mode, name, length) name##_##length
#define BODY_M(mode, name, length) name##_##mode##_##length
#define DO_C(mode, name) do_##name
#define DO_M(mode, name) do_##name##_##mode
#define PAIR(mode, kind, first, length, kind2, second, length2)                                                        \
    static uint64_t pair_##mode##_##first##_##length##_##second##_##length2(ARGUMENTS) {                               \
        DO(DO_##kind(mode, first));                                                                                    \
        e += (length);                                                                                                 \
        GO_TO(BODY_##kind2(mode, second, length2));                                                                    \
    }
#define PAIR_BARE(kind, first, length, kind2, second, length2) PAIR(bare, kind, first, length, kind2, second, length2)
// Without an access to memory, a pair is the same in both modes.
#define PAIR_CC(...)
#define PAIR_CM(...) PAIR(translated, __VA_ARGS__)
#define PAIR_MC(...) PAIR(translated, __VA_ARGS__)
#define PAIR_MM(...) PAIR(translated, __VA_ARGS__)
#define MODE_CC bare
#define MODE_CM translated
#define MODE_MC translated
#define MODE_MM translated
#define PAIR_TRANSLATED(kind, first, length, kind2, second, length2)                                                   \
    PAIR_##kind##kind2(kind, first, length, kind2, second, length2)
ISS_PAIRS(PAIR_BARE)
ISS_PAIRS(PAIR_TRANSLATED)

// ---- tables ----
#define SLOW(name) iss_body_##name, iss_body_##name,
#define FAST(name) name##_1, name##_2,
#define BARE(name) name##_bare_1, name##_bare_2,
#define TRANSLATED(name) name##_translated_1, name##_translated_2,
#define NOTING_BARE(name) name##_bare_noting_1, name##_bare_noting_2,
#define NOTING_TRANSLATED(name) name##_translated_noting_1, name##_translated_noting_2,
#define COUNT(name) count, count,
#define BEGIN(name) begin, begin,
#define END(name) end, end,
#define STEP(name) step, step,
#define BARE_PAIR(kind, first, length, kind2, second, length2) pair_bare_##first##_##length##_##second##_##length2,
#define BARE_FIRST(kind, first, length, kind2, second, length2) BODY_##kind(bare, first, length),
#define PAIR_NAME(mode, ...) PAIR_NAMED(mode, __VA_ARGS__)
#define PAIR_NAMED(mode, first, length, second, length2) pair_##mode##_##first##_##length##_##second##_##length2
#define TRANSLATED_PAIR(kind, first, length, kind2, second, length2)                                                   \
    PAIR_NAME(MODE_##kind##kind2, first, length, second, length2),
#define TRANSLATED_FIRST(kind, first, length, kind2, second, length2) BODY_##kind(translated, first, length),
#define MARKED(name) iss_marked, iss_marked,
#define OF_MARKED(X) ISS_BODIES(X, X, X, X, X, X)
#define NOTING_C(mode, name, length) name##_##length
#define NOTING_M(mode, name, length) name##_##mode##_noting_##length
#define NOTING_BARE_FIRST(kind, first, length, kind2, second, length2) NOTING_##kind(bare, first, length),
#define NOTING_TRANSLATED_FIRST(kind, first, length, kind2, second, length2) NOTING_##kind(translated, first, length),
#define COUNT_PAIR(kind, first, length, kind2, second, length2) count,
#define BEGIN_PAIR(kind, first, length, kind2, second, length2) begin,
#define STEP_PAIR(kind, first, length, kind2, second, length2) step,
const struct iss_table iss_table_bare = {
    {ISS_BODIES(SLOW, SLOW, SLOW, FAST, FAST, BARE) ISS_PAIRS(BARE_PAIR) OF_MARKED(MARKED)}};
const struct iss_table iss_table_bare_singles = {
    {ISS_BODIES(SLOW, SLOW, SLOW, FAST, FAST, BARE) ISS_PAIRS(BARE_FIRST) OF_MARKED(MARKED)}};
const struct iss_table iss_table_translated = {
    {ISS_BODIES(SLOW, SLOW, SLOW, FAST, FAST, TRANSLATED) ISS_PAIRS(TRANSLATED_PAIR) OF_MARKED(MARKED)}};
const struct iss_table iss_table_translated_singles = {
    {ISS_BODIES(SLOW, SLOW, SLOW, FAST, FAST, TRANSLATED) ISS_PAIRS(TRANSLATED_FIRST) OF_MARKED(MARKED)}};
const struct iss_table iss_table_counted = {
    {ISS_BODIES(SLOW, COUNT, COUNT, COUNT, COUNT, COUNT) ISS_PAIRS(COUNT_PAIR) OF_MARKED(COUNT)}};
const struct iss_table iss_table_flow_bare = {
    {ISS_BODIES(SLOW, SLOW, END, FAST, END, BARE) ISS_PAIRS(BARE_FIRST) OF_MARKED(MARKED)}};
const struct iss_table iss_table_flow_translated = {
    {ISS_BODIES(SLOW, SLOW, END, FAST, END, TRANSLATED) ISS_PAIRS(TRANSLATED_FIRST) OF_MARKED(MARKED)}};
const struct iss_table iss_table_noting_bare = {
    {ISS_BODIES(SLOW, SLOW, SLOW, FAST, FAST, NOTING_BARE) ISS_PAIRS(NOTING_BARE_FIRST) OF_MARKED(MARKED)}};
const struct iss_table iss_table_noting_translated = {
    {ISS_BODIES(SLOW, SLOW, SLOW, FAST, FAST, NOTING_TRANSLATED) ISS_PAIRS(NOTING_TRANSLATED_FIRST) OF_MARKED(MARKED)}};
const struct iss_table iss_table_flow_noting_bare = {
    {ISS_BODIES(SLOW, SLOW, END, FAST, END, NOTING_BARE) ISS_PAIRS(NOTING_BARE_FIRST) OF_MARKED(MARKED)}};
const struct iss_table iss_table_flow_noting_translated = {
    {ISS_BODIES(SLOW, SLOW, END, FAST, END, NOTING_TRANSLATED) ISS_PAIRS(NOTING_TRANSLATED_FIRST) OF_MARKED(MARKED)}};
const struct iss_table iss_table_entering = {
    {ISS_BODIES(SLOW, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN) ISS_PAIRS(BEGIN_PAIR) OF_MARKED(BEGIN)}};
const struct iss_table iss_table_steps = {
    {ISS_BODIES(STEP, STEP, STEP, STEP, STEP, STEP) ISS_PAIRS(STEP_PAIR) OF_MARKED(STEP)}};

// As iss_choose_tables, which most of the time has nothing to watch.
static inline void choose_tables(struct hart *h) {
    const struct iss *const iss = h->machine;
    if (iss->counts || iss->flow || iss->accesses) {
        iss_choose_tables(h);
        return;
    }
    h->running = h->within = h->data_limit ? &iss_table_bare : &iss_table_translated;
    h->singles = h->data_limit ? &iss_table_bare_singles : &iss_table_translated_singles;
}

uint64_t iss_execute_at(struct hart *h, uint64_t limit, struct page *page, struct entry *entry) {
    unsigned cause = CAUSE_FETCH_FAULT;
    if (limit > INT64_MAX) limit = INT64_MAX;
    h->asked = h->synced = h->flow.left = (int64_t)limit;
    if (!page) {
        page = iss_page_at(h, h->pc, &cause);
        if (!page) return iss_raise(h, h->pc, (int64_t)limit, cause, h->pc);
        entry = &page->entries[h->pc % PAGE_BYTES / 2];
    }
    h->bias = iss_bias(page, h->pc);
    h->tohost = h->machine->tohost / 8;
    choose_tables(h);
    if (h->running == &iss_table_counted) iss_count_page(h, h->pc);
    if (h->running == &iss_table_entering) iss_flow_resume(h);
    const int64_t left = (int64_t)limit - entry->count;
    const struct iss_table *table = left < 0 ? &iss_table_steps : entry->count ? h->within : h->running;
    return table->of[entry->body](entry, h, iss_memory_of(h), left, table);
}
