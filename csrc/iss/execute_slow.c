// The instructions that are rare or cost much anyway, and what the hot ones of execute.c leave: pages that are not
// decoded, accesses that are not plain, traps, the end of a run. These call functions as they like.
#include "isa/rvc.h"
#include "iss/accesses.h"
#include "iss/execute_statements.h"

#define AFTER(e) (left + (e)->count - 1) // left of the run after this instruction

// ---- the end of a run ----
static void sync(struct hart *h, int64_t left) {
    h->steps += (uint64_t)(h->synced - left);
    h->retired += (uint64_t)(h->synced - left);
    h->synced = left;
    if (h->running == &iss_table_entering) iss_flow_account(h, left);
}
// Hands the instructions before this one to the counters.
#define SYNC sync(h, left + e->count)

uint64_t iss_stop(struct hart *h, uint64_t pc, int64_t left) {
    sync(h, left);
    h->pc = pc;
    return (uint64_t)(h->asked - left);
}

uint64_t iss_raise(struct hart *h, uint64_t pc, int64_t left, unsigned cause, uint64_t tval) {
    sync(h, left);
    iss_trap(h, pc, cause, false, tval);
    return (uint64_t)(h->asked - left) + 1;
}

// An instruction that traps was not executed, but for an ecall.
static uint64_t trap(struct entry *e, struct hart *h, int64_t left, unsigned cause, uint64_t tval) {
    const uint64_t pc = PC;
    if (h->running == &iss_table_counted && (cause < CAUSE_ECALL_U || cause > CAUSE_ECALL_M))
        --h->cells[pc % PAGE_BYTES / 2];
    return iss_raise(h, pc, left + e->count, cause, tval);
}
#define TRAP(cause_, tval_) return trap(e, h, left, (cause_), (tval_))
#define ILLEGAL TRAP(CAUSE_ILLEGAL, e->insn)
#define STRIDE iss_halfwords(e)
#define NEXT_PC (PC + 2 * (uint64_t)STRIDE)
#define EVENT return iss_stop(h, NEXT_PC, AFTER(e))

void iss_choose_tables(struct hart *h) {
    // By what is watched: the flow of control, accesses; and by the mode.
    static const struct iss_table *const tables[2][2][2] = {
        {{&iss_table_translated, &iss_table_bare}, {&iss_table_noting_translated, &iss_table_noting_bare}},
        {{&iss_table_flow_translated, &iss_table_flow_bare},
         {&iss_table_flow_noting_translated, &iss_table_flow_noting_bare}}};
    static const struct iss_table *const singles[2][2] = {{&iss_table_translated_singles, &iss_table_bare_singles},
                                                          {&iss_table_noting_translated, &iss_table_noting_bare}};
    const bool counts = h->machine->counts, flow = h->machine->flow, bare = h->data_limit, notes = h->machine->accesses;
    h->within = counts ? &iss_table_counted : tables[flow][notes][bare];
    h->running = flow && !counts ? &iss_table_entering : h->within;
    h->singles = counts ? &iss_table_counted : singles[notes][bare];
}

void iss_count_page(struct hart *h, uint64_t pc) {
    h->cells = iss_counts_at(h, pc);
    h->counted_page = pc & ~(uint64_t)(PAGE_BYTES - 1);
}

uint64_t iss_count_body(ARGUMENTS) {
    iss_count_page(h, PC);
    GO_TO(iss_table_counted.of[e->body]);
}

uint64_t iss_flow_body(ARGUMENTS) {
    iss_flow_begin(h, PC, left + e->count);
    table = h->within;
    DISPATCH;
}

// Reported, unless it was before the run ended here (iss_flow_met).
uint64_t iss_marked(ARGUMENTS) {
    const uint64_t pc = PC;
    const int64_t before = left + e->count;
    if (h->running == &iss_table_entering && iss_flow_met(h, pc, before)) return iss_stop(h, pc, before);
    GO_TO(iss_marked_on);
}

uint64_t iss_noted_body(ARGUMENTS) {
    iss_accesses_hand_over(h);
    DISPATCH;
}

// ---- where blocks begin ----
uint64_t iss_short(ARGUMENTS) {
    table = &iss_table_steps;
    if (h->running == &iss_table_entering && e->count) iss_flow_begin(h, PC, left + e->count);
    DISPATCH;
}

// As BLOCK, where the table may be another from here on.
#define BLOCK_ANEW                                                                                                     \
    do {                                                                                                               \
        left -= e->count;                                                                                              \
        if (left < 0) GO_TO(iss_short);                                                                                \
        table = h->running;                                                                                            \
        DISPATCH;                                                                                                      \
    } while (0)

uint64_t iss_enter_page(ARGUMENTS) {
    unsigned cause = CAUSE_FETCH_FAULT;
    if (left == 0) return iss_stop(h, h->pc, 0);
    struct page *page = iss_page(h, h->pc, &cause);
    if (!page) return iss_raise(h, h->pc, left, cause, h->pc);
    h->bias = iss_bias(page, h->pc);
    e = &page->entries[h->pc % PAGE_BYTES / 2];
    BLOCK_ANEW;
}

uint64_t iss_body_undecoded(ARGUMENTS) {
    const size_t place = PC % PAGE_BYTES / 2;
    iss_decode(h, iss_page_of(e - place), place);
    BLOCK_ANEW;
}

// A page of its own: its first entry is the instruction, all others lead out of it. It is the page's last.
uint64_t iss_body_straddle(ARGUMENTS) {
    const uint64_t pc = PC;
    if (left == 0) return iss_stop(h, pc, 0);
    e = iss_decode_straddle(h, pc, iss_page_of(e - (PAGE_ENTRIES - 1))->physical + pc % PAGE_BYTES);
    h->bias = iss_entry_bias(e, pc);
    BLOCK_ANEW;
}

uint64_t iss_body_page_end(ARGUMENTS) {
    if (table == h->within) table = h->running;
    JUMP(PC);
}

uint64_t iss_body_branch_far(ARGUMENTS) {
    bool taken = false;
    switch (e->op) {
    case INSN_BEQ: taken = RS1 == RS2; break;
    case INSN_BNE: taken = RS1 != RS2; break;
    case INSN_BLT: taken = SIGNED(RS1) < SIGNED(RS2); break;
    case INSN_BGE: taken = SIGNED(RS1) >= SIGNED(RS2); break;
    case INSN_BLTU: taken = RS1 < RS2; break;
    default: taken = RS1 >= RS2; break;
    }
    if (taken) JUMP(PC + IMM);
    e += STRIDE;
    BLOCK;
}

// ---- memory ----
static uint64_t low(uint64_t value, unsigned bytes) {
    return value & UINT64_MAX >> (64 - 8 * bytes);
}

// As a register holds it. raw: what lies above the access means nothing.
static uint64_t extended(const struct entry *e, uint64_t raw) {
    switch (e->op) {
    case INSN_LB: return (uint64_t)(int64_t)(int8_t)raw;
    case INSN_LH: return (uint64_t)(int64_t)(int16_t)raw;
    case INSN_LW: return (uint64_t)(int64_t)(int32_t)raw;
    case INSN_FLW: return UINT64_C(0xffffffff00000000) | raw;
    default: return low(raw, insn_access_bytes(e->insn));
    }
}

uint64_t iss_load_any(ARGUMENTS) {
    const uint64_t address = RS1 + IMM;
    uint64_t raw;
    unsigned cause;
    SYNC;
    if (!iss_load_slow(h, address, insn_access_bytes(e->insn), &raw, &cause)) TRAP(cause, address);
    iss_note_access(h, insn_access_bytes(e->insn), false);
    const uint64_t value = extended(e, raw);
    if (e->op == INSN_FLW || e->op == INSN_FLD) {
        h->f[e->rd] = value;
        iss_fp_dirty(h);
    } else {
        RD = value;
    }
    if (!iss_is_dram(h->machine, h->physical)) EVENT;
    NEXT;
}

uint64_t iss_store_any(ARGUMENTS) {
    const uint64_t address = RS1 + IMM;
    const unsigned bytes = insn_access_bytes(e->insn);
    const uint64_t value = low(e->op == INSN_FSW || e->op == INSN_FSD ? h->f[e->rs2] : RS2, bytes);
    unsigned cause;
    SYNC;
    if (!iss_store_slow(h, address, bytes, value, &cause)) TRAP(cause, address);
    iss_note_access(h, bytes, true);
    if (!iss_is_dram(h->machine, h->physical) || h->machine->host_acts) EVENT;
    NEXT;
}

uint64_t iss_body_amo(ARGUMENTS) {
    unsigned cause;
    SYNC;
    if (!iss_amo(h, e, &cause)) TRAP(cause, RS1);
    if (__builtin_expect(h->machine->host_acts, 0)) EVENT;
    NEXT;
}

// ---- system instructions ----
uint64_t iss_body_fetch_fault(ARGUMENTS) {
    TRAP(e->rs1, PC + IMM);
}
uint64_t iss_body_illegal(ARGUMENTS) {
    ILLEGAL;
}
uint64_t iss_body_marker(ARGUMENTS) {
    h->machine->marker = (unsigned)e->imm;
    EVENT;
}
uint64_t iss_body_ecall(ARGUMENTS) {
    TRAP(CAUSE_ECALL_U + h->privilege, 0);
}
uint64_t iss_body_ebreak(ARGUMENTS) {
    TRAP(CAUSE_BREAKPOINT, PC);
}
uint64_t iss_body_mret(ARGUMENTS) {
    if (!iss_mret(h)) ILLEGAL;
    return iss_stop(h, h->csr[CSR_MEPC], AFTER(e));
}
uint64_t iss_body_sret(ARGUMENTS) {
    if (!iss_sret(h)) ILLEGAL;
    return iss_stop(h, h->csr[CSR_SEPC], AFTER(e));
}
uint64_t iss_body_wfi(ARGUMENTS) {
    SYNC;
    if (!iss_wfi(h)) ILLEGAL;
    EVENT;
}
uint64_t iss_body_sfence_vma(ARGUMENTS) {
    if (h->privilege == ISS_PRIVILEGE_U || (h->privilege == ISS_PRIVILEGE_S && h->csr[CSR_MSTATUS] & MSTATUS_TVM))
        ILLEGAL;
    iss_tlb_flush(h);
    EVENT;
}
uint64_t iss_body_fence_i(ARGUMENTS) {
    iss_drop_decoded(h);
    EVENT;
}
uint64_t iss_body_sctrclr(ARGUMENTS) { // the records are the core's
    if (h->privilege == ISS_PRIVILEGE_U || h->ctr_depth == 0) ILLEGAL;
    EVENT; // it ends its block, as all system instructions do
}
uint64_t iss_body_csr(ARGUMENTS) {
    SYNC;
    h->csr_written = false;
    if (!iss_csr_execute(h, e)) ILLEGAL;
    if (!h->csr_written) NEXT;
    if (iss_csr_is_event(h, (unsigned)e->imm)) EVENT;
    iss_choose_tables(h); // of the mode, which may be another now
    memory = iss_memory_of(h);
    if (table != &iss_table_steps) table = h->within;
    if (h->running == &iss_table_entering) iss_flow_begin(h, NEXT_PC, AFTER(e));
    NEXT;
}
uint64_t iss_body_fp(ARGUMENTS) {
    if (!iss_fp_execute(h, e)) ILLEGAL;
    NEXT;
}
