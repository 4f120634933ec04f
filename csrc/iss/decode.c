// Fetch and decode: what the table of instructions and the manual's immediate formats say, once for each parcel.
#include "isa/immediate.h"
#include "isa/rvc.h"
#include "iss/bodies.h"
#include "iss/fp.h"
#include "iss/iss_internal.h"
#include <stdlib.h>
#include <string.h>

enum { RM_DYNAMIC = 7, X_RA = 1, X_T0 = 5 };
static const struct insn_info rows[] = {INSN_INFO_ROWS};

static bool writes_rd(enum insn_format format) {
    return format != FORMAT_S && format != FORMAT_FS && format != FORMAT_B && format != FORMAT_FENCE &&
           format != FORMAT_N && format != FORMAT_RR;
}

static bool parcel(struct hart *h, uint64_t pc, uint32_t *value) {
    uint8_t *memory = iss_memory(h->machine, pc, 2, false);
    if (memory) *value = (uint32_t)(memory[0] | memory[1] << 8);
    return memory != NULL;
}

// ---- which body an instruction goes to ----
#define OF(OP, name) [INSN_##OP] = BODY_##name
static const uint16_t bodies[OP_COUNT] = {
    [OP_ILLEGAL] = BODY_illegal,
    [OP_FETCH_FAULT] = BODY_fetch_fault,
    [OP_STRADDLE] = BODY_straddle,
    [OP_MARKER] = BODY_marker,
    // clang-format off
    OF(LUI, li), OF(AUIPC, auipc), OF(JAL, jal_far), OF(JALR, jalr),
    [INSN_BEQ... INSN_BGEU] = BODY_branch_far,
    OF(LB, lb), OF(LH, lh), OF(LW, lw), OF(LD, ld), OF(LBU, lbu), OF(LHU, lhu), OF(LWU, lwu),
    OF(SB, sb), OF(SH, sh), OF(SW, sw), OF(SD, sd),
    OF(ADDI, addi), OF(SLTI, slti), OF(SLTIU, sltiu), OF(XORI, xori), OF(ORI, ori), OF(ANDI, andi),
    OF(SLLI, slli), OF(SRLI, srli), OF(SRAI, srai),
    OF(ADD, add), OF(SUB, sub), OF(SLL, sll), OF(SLT, slt), OF(SLTU, sltu), OF(XOR, xor), OF(SRL, srl), OF(SRA, sra),
    OF(OR, or), OF(AND, and),
    OF(ADDIW, addiw), OF(SLLIW, slliw), OF(SRLIW, srliw), OF(SRAIW, sraiw),
    OF(ADDW, addw), OF(SUBW, subw), OF(SLLW, sllw), OF(SRLW, srlw), OF(SRAW, sraw),
    OF(FENCE, nop), // one hart's accesses are in order: nothing to wait for
    OF(FENCE_I, fence_i), OF(ECALL, ecall), OF(EBREAK, ebreak), OF(MRET, mret), OF(SRET, sret), OF(WFI, wfi),
    OF(SFENCE_VMA, sfence_vma), OF(SCTRCLR, sctrclr), [INSN_CSRRW... INSN_CSRRCI] = BODY_csr,
    OF(MUL, mul), OF(MULH, mulh), OF(MULHSU, mulhsu), OF(MULHU, mulhu), OF(DIV, div), OF(DIVU, divu), OF(REM, rem),
    OF(REMU, remu), OF(MULW, mulw), OF(DIVW, divw), OF(DIVUW, divuw), OF(REMW, remw), OF(REMUW, remuw),
    [INSN_LR_W... INSN_AMOMAXU_D] = BODY_amo,
    OF(FLW, flw), OF(FSW, fsw), OF(FLD, fld), OF(FSD, fsd), [INSN_FMADD_S... INSN_FCVT_D_S] = BODY_fp,
};
// Of those that the host may do (execute_fp.c); others are 0.
static const uint16_t by_host[INSN_COUNT] = {
    OF(FADD_S, fadd_s), OF(FSUB_S, fsub_s), OF(FMUL_S, fmul_s), OF(FDIV_S, fdiv_s),
    OF(FADD_D, fadd_d), OF(FSUB_D, fsub_d), OF(FMUL_D, fmul_d), OF(FDIV_D, fdiv_d),
    OF(FMADD_S, fmadd_s), OF(FMSUB_S, fmsub_s), OF(FNMSUB_S, fnmsub_s), OF(FNMADD_S, fnmadd_s),
    OF(FMADD_D, fmadd_d), OF(FMSUB_D, fmsub_d), OF(FNMSUB_D, fnmsub_d), OF(FNMADD_D, fnmadd_d),
    OF(FSGNJ_S, fsgnj_s), OF(FSGNJN_S, fsgnjn_s), OF(FSGNJX_S, fsgnjx_s),
    OF(FSGNJ_D, fsgnj_d), OF(FSGNJN_D, fsgnjn_d), OF(FSGNJX_D, fsgnjx_d),
    OF(FEQ_S, feq_s), OF(FLT_S, flt_s), OF(FLE_S, fle_s), OF(FEQ_D, feq_d), OF(FLT_D, flt_d), OF(FLE_D, fle_d),
    OF(FMV_X_W, fmv_x_w), OF(FMV_X_D, fmv_x_d), OF(FMV_W_X, fmv_w_x), OF(FMV_D_X, fmv_d_x),
    OF(FCVT_D_W, fcvt_d_w), OF(FCVT_D_L, fcvt_d_l), OF(FCVT_S_W, fcvt_s_w), OF(FCVT_S_L, fcvt_s_l),
    OF(FCVT_W_D, fcvt_w_d), OF(FCVT_L_D, fcvt_l_d), OF(FCVT_S_D, fcvt_s_d), OF(FCVT_D_S, fcvt_d_s),
    // clang-format on
};
static const uint16_t near_branches[] = {BODY_beq, BODY_bne, BODY_blt, BODY_bge, BODY_bltu, BODY_bgeu}; // from beq

static bool is_branch(unsigned op) {
    return op >= INSN_BEQ && op <= INSN_BGEU;
}

// A simpler one, of an instruction that does less than its kind can.
static unsigned body_of(const struct entry *e) {
    const bool adds_to_rd = e->rd == e->rs1;
    switch (e->op) {
    case INSN_ADDI:
        if (e->rd == X_SINK) return BODY_nop;
        if (e->rs1 == 0) return BODY_li;
        if (e->imm == 0) return BODY_mv;
        return adds_to_rd ? BODY_increment : BODY_addi;
    case INSN_ADD: return e->rs1 == 0 ? BODY_mv : adds_to_rd ? BODY_accumulate : BODY_add;
    case INSN_JALR:
        if (e->rd != X_SINK) return BODY_jalr;
        return (e->rs1 == X_RA || e->rs1 == X_T0) && e->imm == 0 ? BODY_ret : BODY_jr;
    default: break;
    }
    if (e->op >= INSN_COUNT || !by_host[e->op]) return bodies[e->op];
    // To an integer the host rounds as C does, toward zero; else as is usual, or frm says, at which the body looks.
    const unsigned rounding = e->insn >> 12 & 7;
    const bool to_integer = e->op == INSN_FCVT_W_D || e->op == INSN_FCVT_L_D;
    const bool may = to_integer ? rounding == FP_RTZ : rounding == FP_RNE || rounding == RM_DYNAMIC;
    return may || !rows[e->op].rounds ? by_host[e->op] : BODY_fp;
}

// Jumps to an entry of the page that this one is in, `place` entries from its first, go there straight.
static void keep_near(struct entry *e, size_t place) {
    const int64_t target = (int64_t)place + e->imm / 2;
    if ((!is_branch(e->op) && e->op != INSN_JAL) || target < 0 || target >= PAGE_ENTRIES) return;
    if (e->op == INSN_JAL) {
        e->body = e->rd == X_SINK ? BODY_j : BODY_jal;
    } else if (e->rs2 == 0 && e->op <= INSN_BNE) {
        e->body = e->op == INSN_BEQ ? BODY_beqz : BODY_bnez;
    } else {
        e->body = near_branches[e->op - INSN_BEQ];
    }
    e->imm *= ENTRY_BYTES_A_BYTE;
    e->body += iss_halfwords(e) - 1;
}

// ---- decoding ----
static void decode_word(struct hart *h, uint32_t low, uint32_t high, struct entry *entry) {
    bool compressed = (low & 3) != 3;
    *entry = (struct entry){.rd = X_SINK};
    entry->insn = high << 16 | low;
    uint32_t insn = compressed ? rvc_expand((uint16_t)low) : entry->insn;
    enum insn_op op = insn_decode(insn);
    entry->count = 1;
    entry->op = OP_ILLEGAL;
    entry->body = BODY_illegal;
    if (op == INSN_ILLEGAL || (rows[op].fp && !h->fp)) return;
    enum insn_format format = rows[op].format;
    entry->op = (uint8_t)op;
    entry->imm = immediate_of(insn, format);
    entry->rs1 = (uint8_t)insn_field(insn, 19, 15);
    entry->rs2 = (uint8_t)insn_field(insn, 24, 20);
    bool rd_is_fp = rows[op].fp_operands & 1;
    if (writes_rd(format) && (rd_is_fp || insn_field(insn, 11, 7) != 0)) entry->rd = (uint8_t)insn_field(insn, 11, 7);
    if (op == INSN_SLTI && entry->rd == X_SINK && entry->rs1 == 0 && entry->imm > 0 && h->machine->markers)
        entry->op = OP_MARKER;
    entry->body = (uint16_t)(body_of(entry) + (compressed ? 0 : 1));
    if (op == INSN_ADD && entry->rs1 == 0) entry->rs1 = entry->rs2; // mv
}

static void decode(struct hart *h, uint64_t physical, struct entry *entry) {
    uint32_t low, high = 0;
    *entry = (struct entry){
        .op = OP_FETCH_FAULT, .body = BODY_fetch_fault, .count = 1, .rd = X_SINK, .rs1 = CAUSE_FETCH_FAULT};
    if (!parcel(h, physical, &low)) return;
    if ((low & 3) == 3 && physical % PAGE_BYTES == PAGE_BYTES - 2) {
        *entry = (struct entry){.op = OP_STRADDLE, .body = BODY_straddle, .rd = X_SINK};
        return;
    }
    if ((low & 3) == 3 && !parcel(h, physical + 2, &high)) {
        entry->imm = 2;
        return;
    }
    decode_word(h, low, high, entry);
}

// What follows it, in its block: that of most.
static bool goes_on(const struct entry *entry) {
    if (entry->op >= INSN_COUNT || is_branch(entry->op)) return false;
    return entry->op != INSN_JAL && entry->op != INSN_JALR && rows[entry->op].unit != UNIT_SYS &&
           entry->op != INSN_FENCE_I;
}

// ---- pairs ----
#define FIRST_OF(PAIR, kind, name, length) [BODY_##name + (length)-1] = FIRST_##name##_##length,
#define SECOND_OF(kind, name, length, kind2, second, length2)                                                          \
    [BODY_##second + (length2)-1] = SECOND_##second##_##length2,
static const uint8_t first_of[BODY_COUNT] = {ISS_FIRSTS(FIRST_OF, )};
static const uint8_t second_of[BODY_COUNT] = {ISS_SECONDS(SECOND_OF, , , )};

// The body for the two, or the first's.
static unsigned pair_of(unsigned body, unsigned next) {
    const unsigned first = first_of[body], second = second_of[next];
    return first && second ? BODY_COUNT + (first - 1) * SECOND_COUNT + second - 1 : body;
}

void iss_decode(struct hart *h, struct page *page, size_t first) {
    const bool marks = iss_flow_marks(h);
    uint16_t places[PAGE_ENTRIES];
    size_t count = 0, place = first;
    bool more = true;
    while (more && page->entries[place].op == OP_UNDECODED) {
        struct entry *entry = &page->entries[place];
        decode(h, page->physical + 2 * place, entry);
        keep_near(entry, place);
        places[count++] = (uint16_t)place;
        more = goes_on(entry);
        place += iss_halfwords(entry);
    }
    unsigned behind = more ? page->entries[place].count : 0, next = BODY_undecoded;
    while (count > 0) {
        struct entry *entry = &page->entries[places[--count]];
        if (entry->count) entry->count = (uint16_t)(1 + behind);
        behind = entry->count;
        const unsigned own = entry->body;
        const bool marked = marks && entry->count && entry->op != OP_FETCH_FAULT &&
                            iss_flow_may_mark(h, page->physical + 2 * (size_t)places[count]);
        entry->body = (uint16_t)(marked ? own + BODIES_MARKED : pair_of(own, next));
        next = marked ? BODY_undecoded : own; // goes by the table
    }
}

struct entry *iss_decode_straddle(struct hart *h, uint64_t pc, uint64_t physical) {
    struct entry *entry = &h->straddle.entries[0];
    uint32_t low = 0, high = 0;
    uint64_t second;
    unsigned cause;
    *entry = (struct entry){.op = OP_FETCH_FAULT, .body = BODY_fetch_fault, .count = 1, .rd = X_SINK, .imm = 2};
    bool good = iss_translate(h, pc + 2, ISS_MMU_FETCH, h->privilege, &second, &cause);
    if (good && parcel(h, physical, &low) && parcel(h, second, &high)) {
        decode_word(h, low, high, entry);
        if (iss_flow_marks(h) && iss_flow_may_mark(h, pc)) entry->body += BODIES_MARKED;
    } else {
        entry->rs1 = (uint8_t)(good ? CAUSE_FETCH_FAULT : cause);
    }
    return entry;
}

static struct page *page_create(void) {
    struct page *page = calloc(1, sizeof *page);
    if (!page) abort(); // 33 KB: nothing sensible can go on
    page->entries[PAGE_ENTRIES] = (struct entry){.op = OP_PAGE_END, .body = BODY_page_end};
    page->entries[PAGE_ENTRIES + 1] = page->entries[PAGE_ENTRIES];
    return page;
}

struct page *iss_page(struct hart *h, uint64_t pc, unsigned *cause) {
    struct page **slot;
    const uint64_t va = pc;
    if (!h->fetch_limit && !iss_translate(h, pc, ISS_MMU_FETCH, h->privilege, &pc, cause)) return NULL;
    *cause = CAUSE_FETCH_FAULT;
    if (iss_is_dram(h->machine, pc)) {
        size_t index = (pc - DRAM_BASE) / PAGE_BYTES;
        slot = &h->dram_pages[index];
        if (index < h->first_page) h->first_page = index;
        if (index > h->last_page) h->last_page = index;
    } else if (pc - BOOTROM_BASE < BOOTROM_BYTES) {
        slot = &h->bootrom_page;
    } else if (pc - RESUME_BASE < RESUME_BYTES) {
        slot = &h->resume_pages[(pc - RESUME_BASE) / PAGE_BYTES];
    } else {
        return NULL;
    }
    if (!*slot) {
        *slot = page_create();
        (*slot)->physical = pc & ~(uint64_t)(PAGE_BYTES - 1);
    } else if ((*slot)->era != h->era) {
        memset((*slot)->entries, 0, PAGE_ENTRIES * sizeof *(*slot)->entries);
    }
    (*slot)->era = h->era;
    iss_quick_code(h, va, *slot);
    return *slot;
}

// Each page is cleared when it is next executed: few are, of the thousands that a kernel has.
void iss_drop_decoded(struct hart *h) {
    h->era++;
    iss_quick_flush(h);
}
