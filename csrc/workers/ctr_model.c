// The model of control transfer records: the extension's rules of types, modes and filters; see ctr_model.h.
#include "workers/ctr_model.h"
#include "isa/rvc.h"
#include <string.h>

enum { USER, SUPERVISOR, MACHINE = 3 };
enum type {
    NONE,
    EXCEPTION,
    INTERRUPT,
    TRAP_RETURN,
    NOT_TAKEN,
    TAKEN,
    INDIRECT_CALL = 8,
    DIRECT_CALL,
    INDIRECT_JUMP,
    DIRECT_JUMP,
    SWAP,
    RETURN,
    OTHER_INDIRECT,
    OTHER_DIRECT
};
// Bits of mctrctl.
enum { RASEMU = 7, STE, MTE, BPFRZ = 11, LCOFIFRZ };
static const uint8_t filter[16] = {
    [EXCEPTION] = 33,     [INTERRUPT] = 34,      [TRAP_RETURN] = 35,   [NOT_TAKEN] = 36,   [TAKEN] = 37,
    [INDIRECT_CALL] = 40, [DIRECT_CALL] = 41,    [INDIRECT_JUMP] = 42, [DIRECT_JUMP] = 43, [SWAP] = 44,
    [RETURN] = 45,        [OTHER_INDIRECT] = 46, [OTHER_DIRECT] = 47};
static const uint8_t mode_bit[4] = {[USER] = 0, [SUPERVISOR] = 1, [MACHINE] = 2};
enum {
    CAUSE_BREAKPOINT = 3,
    CAUSE_LCOFI = 13,
    INSN_MRET = 0x30200073,
    INSN_SRET = 0x10200073,
    INSN_SCTRCLR = 0x10400073
};
enum { COUNTER_BITS = 27, COUNTED = 1 << 15 };

static bool is_set(const struct ctr_model *m, unsigned bit) {
    return m->control >> bit & 1;
}

static bool is_enabled(const struct ctr_model *m, unsigned mode) {
    return is_set(m, mode_bit[mode]);
}

// ---- what an instruction is ----
static bool is_link(unsigned reg) {
    return reg == 1 || reg == 5;
}

static enum type jump_to_register(unsigned rd, unsigned rs) {
    if (is_link(rd) && is_link(rs) && rd != rs) return SWAP;
    if (is_link(rd)) return INDIRECT_CALL;
    if (is_link(rs)) return RETURN;
    return rd ? OTHER_INDIRECT : INDIRECT_JUMP;
}

static enum type type_of(const struct ctr_step *s) {
    if (s->trap) return s->interrupt ? INTERRUPT : EXCEPTION;
    const bool compressed = (s->insn & 3) != 3;
    const uint32_t insn = insn_word(s->insn);
    const unsigned rd = insn >> 7 & 31, rs = insn >> 15 & 31;
    switch (insn & 0x7f) {
    case 0x63: return s->next_pc == s->pc + (compressed ? 2 : 4) ? NOT_TAKEN : TAKEN;
    case 0x67: return jump_to_register(rd, rs);
    case 0x6f:
        if (is_link(rd)) return DIRECT_CALL;
        return rd ? OTHER_DIRECT : DIRECT_JUMP;
    default: return insn == INSN_MRET || insn == INSN_SRET ? TRAP_RETURN : NONE;
    }
}

// ---- cycles ----
static uint64_t saturated(uint64_t cycles) {
    const uint64_t most = (1 << COUNTER_BITS) - 1;
    return cycles < most ? cycles : most;
}

// Those before this one.
static void count_to(struct ctr_model *m, uint64_t cycle) {
    if (!m->frozen && is_enabled(m, m->mode)) m->cycles = saturated(m->cycles + (cycle - m->from));
    m->from = cycle;
}

// (2^12 + CCM) << (CCE - 1), where that many do not fit into twelve bits.
static uint64_t encoded(uint64_t cycles) {
    uint64_t exponent = cycles >= 1 << 12;
    for (; cycles >= 2 << 12; cycles >>= 1)
        exponent++;
    return exponent << 12 | (cycles & 0xfff);
}

// ---- records ----
static unsigned before(const struct ctr_model *m, unsigned entry, unsigned by) {
    return (entry - by) & (m->depth - 1);
}

static void record(struct ctr_model *m, unsigned at, const struct ctr_step *s, enum type type, bool source,
                   bool target) {
    struct ctr_entry *e = &m->entry[at];
    e->source = (source ? s->pc & ~UINT64_C(1) : 0) | 1;
    e->target = (target ? s->next_pc & ~UINT64_C(1) : 0) | s->mispredict;
    e->data = type;
    m->recorded++;
}

// Call-stack mode: no cycles are recorded.
static void keep_stack(struct ctr_model *m, const struct ctr_step *s, enum type type) {
    if (!is_enabled(m, s->mode)) return;
    const unsigned youngest = before(m, m->write, 1);
    if (type == RETURN) {
        m->entry[youngest].source &= ~UINT64_C(1);
        m->write = youngest;
    } else if (type == SWAP) {
        record(m, youngest, s, type, true, true);
    } else if (type == INDIRECT_CALL || type == DIRECT_CALL) {
        record(m, m->write, s, type, true, true);
        m->write = before(m, m->write, UINT32_MAX);
    }
}

// A trap from a mode that is recorded to one that is not.
static bool leaves_recorded(const struct ctr_model *m, const struct ctr_step *s) {
    if (s->next_mode == SUPERVISOR) return is_set(m, STE);
    return is_set(m, MTE) && (s->mode == SUPERVISOR || is_set(m, STE));
}

static bool is_recorded(const struct ctr_model *m, const struct ctr_step *s, enum type type) {
    const bool from = is_enabled(m, s->mode), to = is_enabled(m, s->next_mode), bit = is_set(m, filter[type]);
    switch (type) {
    case EXCEPTION:
    case INTERRUPT: return to ? !bit : from && leaves_recorded(m, s);
    case NOT_TAKEN: return from && bit;
    default: return from && !bit;
    }
}

static void keep(struct ctr_model *m, const struct ctr_step *s, enum type type) {
    if (!is_recorded(m, s, type)) return;
    record(m, m->write, s, type, is_enabled(m, s->mode), is_enabled(m, s->next_mode));
    if (m->counted) m->entry[m->write].data |= COUNTED | encoded(m->cycles) << 16;
    m->counted = true;
    m->cycles = 0;
    m->write = before(m, m->write, UINT32_MAX);
}

// The trap that freezes is not recorded itself.
static bool is_freezing(const struct ctr_model *m, const struct ctr_step *s) {
    if (!s->trap) return false;
    return s->interrupt ? s->cause == CAUSE_LCOFI && is_set(m, LCOFIFRZ)
                        : s->cause == CAUSE_BREAKPOINT && is_set(m, BPFRZ);
}

void ctr_model_reset(struct ctr_model *m) {
    memset(m, 0, sizeof *m);
    m->depth = 16;
    m->mode = MACHINE;
}

// Its cycle counts as it was in it; what the instruction changes holds from the next one on.
static void end_cycle(struct ctr_model *m, const struct ctr_step *s) {
    count_to(m, s->cycle + 1);
    m->mode = s->next_mode;
}

void ctr_model_step(struct ctr_model *m, const struct ctr_step *s) {
    if (s->cycle >= m->from) count_to(m, s->cycle);
    if (!s->trap && s->insn == INSN_SCTRCLR) {
        memset(m->entry, 0, sizeof m->entry);
        m->counted = false;
        m->cycles = 0;
        return;
    }
    const enum type type = type_of(s);
    if (type != NONE) {
        m->transferred++;
        const bool freezes = is_freezing(m, s);
        if (!m->frozen && !freezes) {
            if (is_set(m, RASEMU)) {
                keep_stack(m, s, type);
            } else {
                keep(m, s, type);
            }
        }
        if (s->trap || type == TRAP_RETURN) end_cycle(m, s);
        m->frozen |= freezes;
    }
}

// ---- software ----
void ctr_model_write_control(struct ctr_model *m, uint64_t cycle, uint64_t control) {
    m->from = cycle + 1; // none of those up to here counts
    m->control = control;
    m->counted = false;
    m->cycles = 0;
}

void ctr_model_write_status(struct ctr_model *m, uint64_t cycle, uint64_t status) {
    count_to(m, cycle + 1);
    m->write = (unsigned)status & (m->depth - 1);
    m->frozen = status >> 31 & 1;
}

void ctr_model_write_depth(struct ctr_model *m, unsigned depth) {
    m->depth = 16u << depth;
    m->write &= m->depth - 1;
}

static unsigned place(const struct ctr_model *m, unsigned select) {
    return before(m, m->write, select - CTR_FIRST + 1);
}

void ctr_model_write_entry(struct ctr_model *m, unsigned select, unsigned number, uint64_t value) {
    if (select - CTR_FIRST >= m->depth) return;
    struct ctr_entry *e = &m->entry[place(m, select)];
    if (number == CTR_SOURCE) e->source = value;
    if (number == CTR_TARGET) e->target = value;
    if (number == CTR_DATA) e->data = value & 0xffff800f;
}

uint64_t ctr_model_read_entry(const struct ctr_model *m, unsigned select, unsigned number) {
    if (select - CTR_FIRST >= m->depth) return 0;
    const struct ctr_entry *e = &m->entry[place(m, select)];
    switch (number) {
    case CTR_SOURCE: return e->source;
    case CTR_TARGET: return e->target;
    case CTR_DATA: return e->data;
    default: return 0;
    }
}

uint64_t ctr_model_read_status(const struct ctr_model *m) {
    return (uint64_t)m->frozen << 31 | m->write;
}
