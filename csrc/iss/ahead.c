// Steps ahead of the core and back: ahead.h.
//
// Every step keeps what it may have overwritten: registers, the CSRs that instructions and traps write beside their
// work, and a word of memory. A CSR or system instruction keeps all CSRs; where WHOLE of those are under way, it goes
// no further.
#include "iss/ahead.h"
#include "iss/iss_internal.h"
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4096, WHOLE = 64, CSRS = 4096 }; // kept: steps, and of them those that keep all CSRs; powers of two
enum { FENCE_I = 0x100f };

static const uint16_t written_beside[] = {CSR_FFLAGS, CSR_MSTATUS, CSR_MEPC,   CSR_MCAUSE,
                                          CSR_MTVAL,  CSR_SEPC,    CSR_SCAUSE, CSR_STVAL};
enum { BESIDE = sizeof written_beside / sizeof *written_beside };

struct before {
    uint64_t x[32], f[32], csr[BESIDE];
    uint64_t pc, steps, retired, mcycle_offset, minstret_offset, reserved_line;
    uint64_t word_address, word; // of memory; address 0: none
    uint32_t whole;              // 1 + place in ahead.whole; 0: none
    uint8_t privilege;
    bool reserved;
};
struct step {
    struct ahead_step did;
    uint64_t rd_value;  // that it wrote
    uint64_t epc, tval; // of a trap
    bool rd_written, rd_fp, trap;
    bool unknowable; // rd is the core's to say
    uint8_t rd, cause;
    struct before before;
};

struct ahead {
    struct iss *iss;
    struct hart *hart;    // its only one
    uint64_t first, next; // steps: the oldest one that has not left, and the next one to be done
    uint64_t count;       // instructions that have left
    uint64_t reached;     // and those that were stepped
    uint64_t whole_first, whole_next;
    uint64_t differed[AHEAD_REASONS];
    struct ahead_wrong wrong;
    struct step steps[STEPS];
    uint64_t step_of[STEPS]; // of an instruction's number
    uint64_t whole[WHOLE][CSRS];
};

static uint64_t device_read(void *context, uint64_t address, unsigned bytes) {
    (void)context;
    (void)address;
    (void)bytes;
    return 0; // only the core knows
}

struct ahead *ahead_create(struct iss *iss, struct error *err) {
    struct ahead *a = calloc(1, sizeof *a);
    if (!a) {
        error_nomem(err, "ideal parts");
        iss_destroy(iss);
        return NULL;
    }
    a->iss = iss;
    a->hart = iss_only(iss);
    iss_set_autonomous(iss, false);
    iss_set_device_read(iss, device_read, NULL);
    return a;
}

void ahead_destroy(struct ahead *a) {
    if (!a) return;
    iss_destroy(a->iss);
    free(a);
}

uint64_t ahead_count(const struct ahead *a) {
    return a->count;
}
uint64_t ahead_differed(const struct ahead *a, enum ahead_reason reason) {
    return a->differed[reason];
}
struct ahead_wrong ahead_first_wrong(const struct ahead *a) {
    return a->wrong;
}

static struct step *step_at(struct ahead *a, uint64_t i) {
    return &a->steps[i % STEPS];
}

// ---- forward ----
static const struct insn_info rows[] = {INSN_INFO_ROWS};

// The word of memory that a store, an AMO or an SC may write; 0: none.
static uint64_t written_word(struct hart *h, const struct entry *entry) {
    enum insn_unit unit = entry && entry->op < INSN_COUNT ? rows[entry->op].unit : UNIT_NONE;
    if (unit != UNIT_STORE && unit != UNIT_AMO) return 0;
    uint64_t physical, va = h->x[entry->rs1] + (uint64_t)(int64_t)entry->imm;
    unsigned cause;
    if (!iss_translate(h, va, ISS_MMU_STORE, iss_data_privilege(h), &physical, &cause)) return 0;
    physical &= ~UINT64_C(7);
    return iss_memory(h->machine, physical, sizeof(uint64_t), true) ? physical : 0;
}

static void keep(struct ahead *a, const struct entry *entry, struct before *b) {
    struct hart *h = a->hart;
    memcpy(b->x, h->x, sizeof b->x);
    memcpy(b->f, h->f, sizeof b->f);
    for (size_t i = 0; i < BESIDE; i++)
        b->csr[i] = h->csr[written_beside[i]];
    b->pc = h->pc;
    b->steps = h->steps;
    b->retired = h->retired;
    b->mcycle_offset = h->mcycle_offset;
    b->minstret_offset = h->minstret_offset;
    b->reserved = h->reserved;
    b->reserved_line = h->reserved_line;
    b->privilege = (uint8_t)h->privilege;
    b->word_address = written_word(h, entry);
    if (b->word_address) memcpy(&b->word, iss_memory(a->iss, b->word_address, sizeof b->word, true), sizeof b->word);
    b->whole = 0;
}

// One step more; false: there is no room.
static bool step_on(struct ahead *a) {
    if (a->next - a->first >= STEPS) return false;
    struct hart *h = a->hart;
    struct page *page;
    const struct entry *entry = iss_entry_at(h, h->pc, &page);
    enum insn_unit unit = entry && entry->op < INSN_COUNT ? rows[entry->op].unit : UNIT_NONE;
    bool all = unit == UNIT_CSR || unit == UNIT_SYS;
    if (all && a->whole_next - a->whole_first >= WHOLE) return false;
    struct step *s = step_at(a, a->next);
    keep(a, entry, &s->before);
    if (all) {
        memcpy(a->whole[a->whole_next % WHOLE], h->csr, sizeof h->csr);
        s->before.whole = 1 + (uint32_t)(a->whole_next++ % WHOLE);
    }
    struct iss_retire did;
    hart_step(a->hart, &did);
    s->trap = did.trap;
    s->cause = did.cause;
    s->epc = did.epc;
    s->tval = did.tval;
    s->unknowable = did.reads_nondeterministic;
    s->rd_written = did.rd_written;
    s->rd_fp = did.rd_fp;
    s->rd = did.rd;
    s->rd_value = did.rd_value;
    bool store = !did.trap && did.access == ISS_ACCESS_STORE && unit == UNIT_STORE;
    s->did = (struct ahead_step){.pc = did.pc,
                                 .next_pc = did.next_pc,
                                 .insn = did.insn,
                                 .store = store,
                                 .bytes = did.size,
                                 .address = did.address};
    if (did.trap && a->next > a->first) step_at(a, a->next - 1)->did.trap_next = true;
    if (!did.trap) a->step_of[a->reached++ % STEPS] = a->next;
    a->next++;
    return true;
}

// ---- back ----
static bool take_back_step(struct ahead *a) {
    struct hart *h = a->hart;
    const struct step *s = step_at(a, --a->next);
    const struct before *b = &s->before;
    if (!s->trap) a->reached--;
    memcpy(h->x, b->x, sizeof b->x);
    memcpy(h->f, b->f, sizeof b->f);
    if (b->whole) {
        memcpy(h->csr, a->whole[b->whole - 1], sizeof h->csr);
        a->whole_next--;
    }
    for (size_t i = 0; i < BESIDE; i++)
        h->csr[written_beside[i]] = b->csr[i];
    h->pc = b->pc;
    h->steps = b->steps;
    h->retired = b->retired;
    h->mcycle_offset = b->mcycle_offset;
    h->minstret_offset = b->minstret_offset;
    h->reserved = b->reserved;
    h->reserved_line = b->reserved_line;
    h->privilege = b->privilege;
    if (b->word_address) memcpy(iss_memory(a->iss, b->word_address, sizeof b->word, true), &b->word, sizeof b->word);
    return (s->did.insn & 0x707f) == FENCE_I;
}

// All that has not left.
static void take_back(struct ahead *a) {
    struct hart *h = a->hart;
    bool code = false;
    if (a->next == a->first) return;
    while (a->next > a->first)
        code |= take_back_step(a);
    iss_tlb_flush(h);
    iss_mode_changed(h);
    if (code) iss_drop_decoded(h);
}

// ---- what the core does ----
static void leave(struct ahead *a) {
    if (step_at(a, a->first)->before.whole) a->whole_first++;
    a->first++;
}

static void differs(struct ahead *a, enum ahead_reason reason, uint64_t pc) {
    if (reason == AHEAD_WRONG && !a->differed[AHEAD_WRONG])
        a->wrong = (struct ahead_wrong){.number = a->count, .pc = pc, .predicted = step_at(a, a->first)->did.pc};
    a->differed[reason]++;
}

static bool same_store(const struct step *s, const struct retired *core) {
    return !s->did.store || (core->stored && s->did.address == core->store_addr && s->did.bytes == core->store_bytes);
}

static void retire(struct ahead *a, const struct retired *core) {
    if (a->first == a->next) step_on(a);
    struct step *s = step_at(a, a->first);
    bool here = s->did.pc == core->pc && s->did.insn == core->insn && !s->trap && same_store(s, core);
    bool same = here && (!core->rd_written || (s->rd_written && s->rd_value == core->rd_value));
    if (!same) {
        differs(a, here && s->unknowable ? AHEAD_UNKNOWABLE : AHEAD_WRONG, core->pc);
        take_back(a);
        hart_set_pc(a->hart, core->pc);
        step_on(a);
        s = step_at(a, a->first);
        if (core->rd_written && core->rd_fp) hart_set_f(a->hart, core->rd, core->rd_value);
        if (core->rd_written && !core->rd_fp) hart_set_x(a->hart, core->rd, core->rd_value);
        if (s->trap) a->step_of[a->reached++ % STEPS] = a->first;
    }
    leave(a);
    a->count++;
}

static void trap(struct ahead *a, const struct trapped *core) {
    if (!core->interrupt) {
        if (a->first == a->next) step_on(a);
        const struct step *s = step_at(a, a->first);
        if (s->trap && s->cause == core->cause && s->epc == core->epc && s->tval == core->tval) {
            leave(a);
            return;
        }
        differs(a, AHEAD_WRONG, core->epc);
    } else {
        differs(a, AHEAD_INTERRUPT, core->epc);
    }
    take_back(a);
    if (core->interrupt) {
        hart_take_interrupt(a->hart, core->cause, NULL);
    } else {
        iss_trap(a->hart, core->epc, core->cause, false, core->tval);
    }
}

void ahead_left(struct ahead *a, const struct trace_left *left) {
    if (left->host_write_count) {
        differs(a, AHEAD_HOST, 0);
        take_back(a);
    }
    for (unsigned i = 0; i < left->host_write_count; i++)
        iss_host_write(a->iss, left->host_writes[i].addr, left->host_writes[i].data);
    for (unsigned i = 0; i < left->count; i++)
        retire(a, &left->retired[i]);
    if (left->trap.valid) trap(a, &left->trap);
}

const struct ahead_step *ahead_at(struct ahead *a, uint64_t number) {
    if (number - a->count >= STEPS / 2) return NULL; // likewise one that has left
    while (a->reached <= number)
        if (!step_on(a)) return NULL;
    const struct step *s = step_at(a, a->step_of[number % STEPS]);
    return s->trap ? NULL : &s->did;
}
