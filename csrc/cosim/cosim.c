// Lockstep: steps the ISS with every instruction and trap of the core, compares, and says what differs.
#include "cosim/cosim.h"
#include "cosim/cosim_checks.h"
#include "cosim/stores.h"
#include "csrs.h"
#include "isa/disasm.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY = 32, FENCE_I = 0x100f, SFENCE_VMA_ALL = 0x12000073 };

struct past {
    uint64_t cycle;
    bool trap, interrupt;
    uint8_t cause;
    struct retired core; // of a trap: pc and insn alone, the ISS's
};

struct cosim {
    struct iss *iss;
    struct hart *hart; // in lockstep
    struct golden golden;
    uint64_t instructions, traps;
    struct past past[HISTORY];
    uint64_t past_count;
    struct stores stores;
    struct cosim_shared shared; // after NULL: the memory is this hart's alone
    uint64_t satp_written;      // cycle of the last write of satp since the last sfence.vma of all pages; 0: none
};

struct cosim *cosim_create(const struct image *image, const struct cosim_core *core, struct error *err) {
    struct cosim *c = error_calloc(sizeof *c, "lockstep", err);
    if (!c) return NULL;
    c->iss = iss_create_harts(core->harts ? core->harts : 1, err);
    if (c->iss) {
        iss_set_fp(c->iss, core->fp);
        iss_set_pmp_entries(c->iss, core->pmp_entries);
        iss_set_window(c->iss, core->window);
        iss_set_ctr_depth(c->iss, core->ctr_depth);
        iss_set_profileme(c->iss, core->profileme);
        iss_set_triggers(c->iss, core->triggers);
        iss_set_ad_update(c->iss, core->ad_update);
        iss_set_hart_id(c->iss, core->hart_id - core->hart);
    }
    if (c->iss && iss_set_memory(c->iss, core->memory, err) == 0 && iss_load(c->iss, image, err) == 0) {
        iss_set_autonomous(c->iss, false);
        c->golden.iss = c->iss;
        c->hart = iss_hart(c->iss, core->hart);
        c->golden.hart = c->hart;
        c->golden.now = hart_registers(c->hart);
        return c;
    }
    cosim_destroy(c);
    return NULL;
}

void cosim_destroy(struct cosim *c) {
    if (!c) return;
    iss_destroy(c->iss);
    free(c);
}

void cosim_share(struct cosim *c, const struct cosim_shared *shared) {
    c->shared = *shared;
}

const struct golden *cosim_golden(const struct cosim *c) {
    return &c->golden;
}
void cosim_begin(struct cosim *c) {
    c->instructions = c->traps = 0;
}

uint64_t cosim_instructions(const struct cosim *c) {
    return c->instructions;
}
uint64_t cosim_traps(const struct cosim *c) {
    return c->traps;
}

static struct past *next_past(struct cosim *c, uint64_t cycle) {
    struct past *p = &c->past[c->past_count++ % HISTORY];
    p->cycle = cycle;
    return p;
}

static void remember(struct cosim *c, uint64_t cycle, const struct retired *core) {
    struct past *p = next_past(c, cycle);
    p->trap = false;
    p->core = *core;
}

static void remember_trap(struct cosim *c, uint64_t cycle, const struct trapped *trap, const struct iss_retire *iss) {
    struct past *p = next_past(c, cycle);
    p->trap = true;
    p->interrupt = trap->interrupt;
    p->cause = trap->cause;
    p->core = (struct retired){.pc = iss->pc, .insn = iss->insn};
}

static void disassemble(uint64_t pc, uint32_t insn, char *text, size_t size) {
    struct error err;
    struct disasm *d = disasm_create(&err);
    text[0] = '\0';
    if (d) disasm_text(d, pc, insn, text, size);
    disasm_destroy(d);
}

// What to say of an instruction that the program may have rewritten: without fence.i, the old and the new one are both
// right, and ISS and core need not agree. False: it has not.
static bool remark_code(const struct cosim *c, uint64_t pc, char *text, size_t size) {
    uint64_t physical;
    if (!hart_fetch_address(c->hart, pc, &physical)) return false;
    const struct store *store = stores_find(&c->stores, STORES_FENCE_I, physical, 4);
    if (!store) return false;
    snprintf(text, size, "; the program stored to this word at cycle %llu, and has had no fence.i since",
             (unsigned long long)store->cycle);
    return true;
}

// Likewise of an address whose page table has changed: without sfence.vma the old and the new translation are both
// right (privileged manual, "Supervisor Memory-Management Fence Instruction"; a write of satp implies no fence). Fences
// of one page or one address space are not taken into account.
static bool remark_table(const struct cosim *c, uint64_t va, char *text, size_t size) {
    uint64_t entries[3];
    if (c->satp_written) {
        snprintf(
            text, size,
            "; satp was written at cycle %llu, and there was no sfence.vma since: a stale translation is legal, too",
            (unsigned long long)c->satp_written);
        return true;
    }
    for (unsigned i = 0, count = hart_table_entries(c->hart, va, entries); i < count; i++) {
        const struct store *store = stores_find(&c->stores, STORES_SFENCE_VMA, entries[i], sizeof entries[i]);
        if (!store) continue;
        snprintf(text, size,
                 "; the program stored to the page-table entry at 0x%llx at cycle %llu, and there was no sfence.vma "
                 "since: a stale translation is legal, too",
                 (unsigned long long)entries[i], (unsigned long long)store->cycle);
        return true;
    }
    return false;
}

static bool is_page_fault(const struct iss_retire *iss) {
    enum { FETCH_PAGE = 12, LOAD_PAGE = 13, STORE_PAGE = 15 };
    return iss->trap && !iss->interrupt &&
           (iss->cause == FETCH_PAGE || iss->cause == LOAD_PAGE || iss->cause == STORE_PAGE);
}

// Why a difference need not be the core's fault. "": nothing is known.
static void remark(const struct cosim *c, const struct iss_retire *iss, uint64_t pc, char *text, size_t size) {
    text[0] = '\0';
    if (remark_code(c, pc, text, size)) return;
    if (iss->translated && remark_table(c, pc, text, size)) return;
    if (is_page_fault(iss) && remark_table(c, iss->tval, text, size)) return;
    if (iss->access != ISS_ACCESS_NONE && iss->data_translated) (void)remark_table(c, iss->virtual_address, text, size);
}

static int report(const struct cosim *c, const struct cosim_step *s, uint64_t cycle, const struct cosim_difference *d,
                  struct error *err) {
    char text[96], more[192];
    uint64_t pc = s->core ? s->core->pc : s->trap->epc;
    uint32_t insn = s->core ? s->core->insn : s->iss->insn;
    disassemble(pc, insn, text, sizeof text);
    char lane[16] = "trap";
    if (s->core) snprintf(lane, sizeof lane, "lane %u", s->core->lane);
    remark(c, s->iss, pc, more, sizeof more);
    error_set(err, "lockstep: cycle %llu, %s, pc 0x%llx (%s): %s: expected 0x%llx, got 0x%llx%s",
              (unsigned long long)cycle, lane, (unsigned long long)pc, text, d->what, (unsigned long long)d->expected,
              (unsigned long long)d->got, more);
    return -EBADMSG;
}

static void take_over_rd(struct hart *hart, const struct iss_retire *retire, uint64_t value) {
    if (retire->rd_fp) {
        hart_set_f(hart, retire->rd, value);
    } else {
        hart_override(hart, retire->rd, value);
    }
}

// One instruction (trap NULL) or one trap (core NULL) of the core, and what the ISS did with it.
__attribute__((noinline)) static int compare(struct cosim *c, uint64_t cycle, uint8_t privilege,
                                             const struct retired *core, const struct trapped *trap,
                                             const struct iss_retire *iss, struct error *err) {
    struct cosim_step s = {
        .core = core,
        .trap = trap,
        .core_privilege = privilege,
        .iss = iss,
        .rd_taken_over = core && cosim_takes_over_rd(iss),
        .csr_taken_over = iss->csr_written && cosim_takes_over_csr(iss->csr),
    };
    struct cosim_difference difference;
    if (cosim_compare(&s, &difference)) return report(c, &s, cycle, &difference, err);
    if (iss->access == ISS_ACCESS_STORE) stores_add(&c->stores, iss->address, iss->size, cycle);
    if ((iss->insn & 0x707f) == FENCE_I) stores_fence(&c->stores, STORES_FENCE_I);
    if (iss->csr_written && iss->csr == CSR_SATP) c->satp_written = cycle;
    if (iss->insn == SFENCE_VMA_ALL && !iss->trap) {
        stores_fence(&c->stores, STORES_SFENCE_VMA);
        c->satp_written = 0;
    }
    if (core && s.rd_taken_over && iss->rd_written) take_over_rd(c->hart, iss, core->rd_value);
    return 0;
}

// Whether a plain step is the core's, in all that such a one does. Nearly all are: without a branch in between.
static bool is_same(const struct iss_retire *iss, const struct retired *core, uint8_t privilege) {
    uint64_t differs = (iss->pc ^ core->pc) | (iss->insn ^ core->insn) | (iss->privilege ^ privilege) |
                       (uint64_t)(iss->rd_written ^ core->rd_written) | core->stored | core->csr_written;
    if (iss->rd_written)
        differs |= (iss->rd_value ^ core->rd_value) | (uint64_t)(iss->rd ^ core->rd) | (iss->rd_fp ^ core->rd_fp);
    return differs == 0;
}

static int trap(struct cosim *c, uint64_t cycle, uint8_t privilege, const struct trapped *trap, struct error *err) {
    struct iss_retire *iss = &c->golden.step[c->golden.count++];
    c->golden.plain = false;
    if (trap->interrupt) {
        hart_take_interrupt(c->hart, trap->cause, iss);
    } else {
        if (c->shared.before_trap) c->shared.before_trap(c->shared.context, trap, c->iss, c->hart);
        hart_step(c->hart, iss);
    }
    remember_trap(c, cycle, trap, iss);
    int result = compare(c, cycle, privilege, NULL, trap, iss, err);
    if (result == 0) c->traps++;
    return result;
}

// ---- memory that other harts store to ----
static bool is_sc(uint32_t insn) {
    return (insn & 0xf800007f) == 0x1800002f;
}

// What it loaded is compared with what is proved of it before all else: a difference then has the axiom's name.
static int prove(struct cosim *c, uint64_t cycle, const struct retired *core, const struct iss_retire *iss,
                 struct error *err) {
    struct iss_retire done = *iss;
    if (iss->trap || iss->pc != core->pc || iss->insn != core->insn) return 0; // to be reported as it is
    if (iss->rd_written && core->rd_written) done.rd_value = core->rd_value;
    if (iss->access == ISS_ACCESS_LOAD) done.data = iss->rd_written ? done.rd_value : iss->data;
    return c->shared.after(c->shared.context, cycle, &done, err);
}

static int retire_shared(struct cosim *c, uint64_t cycle, uint8_t privilege, const struct retired *core,
                         struct error *err) {
    struct iss_retire *iss = &c->golden.step[c->golden.count++];
    c->shared.before(c->shared.context, core, c->iss, c->hart);
    hart_set_sc(c->hart, is_sc(core->insn) && !core->stored ? 0 : -1);
    hart_step(c->hart, iss);
    remember(c, cycle, core);
    c->golden.plain &= iss->plain;
    const int result = prove(c, cycle, core, iss, err);
    if (result < 0) return result;
    return iss->plain && is_same(iss, core, privilege) ? 0 : compare(c, cycle, privilege, core, NULL, iss, err);
}

int cosim_cycle(struct cosim *c, uint64_t cycle, uint8_t privilege, const struct trace_left *left, struct error *err) {
    c->golden.count = 0;
    c->golden.cycle = cycle;
    c->golden.plain = true;
    for (unsigned i = 0; i < left->host_write_count; i++)
        iss_host_write(c->iss, left->host_writes[i].addr, left->host_writes[i].data);
    for (unsigned i = 0; c->shared.after && i < left->count; i++, c->instructions++) {
        const int result = retire_shared(c, cycle, privilege, &left->retired[i], err);
        if (result < 0) return result;
    }
    if (c->shared.after) return left->trap.valid ? trap(c, cycle, privilege, &left->trap, err) : 0;
    for (const struct retired *core = left->retired, *end = core + left->count; core < end; core++) {
        struct iss_retire *iss = &c->golden.step[c->golden.count++];
        hart_step(c->hart, iss);
        remember(c, cycle, core);
        c->golden.plain &= iss->plain;
        int result =
            iss->plain && is_same(iss, core, privilege) ? 0 : compare(c, cycle, privilege, core, NULL, iss, err);
        if (result < 0) return result;
        c->instructions++;
    }
    return left->trap.valid ? trap(c, cycle, privilege, &left->trap, err) : 0;
}

void cosim_print_history(const struct cosim *c, FILE *out) {
    uint64_t first = c->past_count > HISTORY ? c->past_count - HISTORY : 0;
    for (uint64_t i = first; i < c->past_count; i++) {
        const struct past *p = &c->past[i % HISTORY];
        const struct retired *core = &p->core;
        char text[96];
        disassemble(core->pc, core->insn, text, sizeof text);
        fprintf(out, "  cycle %-10llu 0x%016llx  %08x  %-36s", (unsigned long long)p->cycle,
                (unsigned long long)core->pc, core->insn, text);
        if (core->rd_written)
            fprintf(out, " %c%u = 0x%llx", core->rd_fp ? 'f' : 'x', core->rd, (unsigned long long)core->rd_value);
        if (p->trap) fprintf(out, " %s, cause %u", p->interrupt ? "interrupt" : "exception", p->cause);
        fputc('\n', out);
    }
}
