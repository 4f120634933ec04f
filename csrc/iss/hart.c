// A hart's life from reset, its single steps, and access to its registers.
#include "iss/hart.h"
#include "iss/accesses.h"
#include "iss/bodies.h"
#include "iss/iss_internal.h"
#include "machine/bootrom.h"
#include <string.h>

void iss_hart_reset(struct hart *h) {
    memset(h->x, 0, sizeof h->x);
    memset(h->f, 0, sizeof h->f);
    h->pc = BOOTROM_BASE;
    h->privilege = ISS_PRIVILEGE_M;
    h->steps = h->retired = h->mcycle_offset = h->minstret_offset = 0;
    h->reserved = h->waiting = false;
    iss_csr_reset(h);
}

void iss_hart_begin(struct hart *h, struct iss *machine, unsigned place) {
    h->machine = machine;
    h->place = h->id = place;
    h->fp = true;
    h->pmp_entries = 8;
    h->window = true;
    h->force_sc = -1;
    h->first_page = SIZE_MAX;
    iss_tlb_unknown(h);
    for (size_t i = 0; i < PAGE_ENTRIES + 2; i++)
        h->straddle.entries[i] = (struct entry){.op = OP_PAGE_END, .body = BODY_page_end};
    iss_hart_reset(h);
}

void hart_take_interrupt(struct hart *h, unsigned cause, struct iss_retire *out) {
    iss_interrupt_recorded(h, cause, out);
}

void hart_step(struct hart *h, struct iss_retire *out) {
    struct iss *iss = h->machine;
    const int cause = iss->autonomous && h->csr[CSR_MIE] ? iss_pending(h) : -1;
    if (cause >= 0) {
        iss_interrupt_recorded(h, (unsigned)cause, out);
    } else if (out) {
        iss_step_recorded(h, out);
    } else {
        iss_execute(h, 1);
    }
    if (iss->accesses) iss_accesses_hand_over(h);
    if (iss->host_acts) iss_serve(iss);
}

bool hart_waits(const struct hart *h) {
    return h->waiting;
}
uint64_t hart_steps(const struct hart *h) {
    return h->steps;
}
unsigned hart_number(const struct hart *h) {
    return h->place;
}
void hart_override(struct hart *h, unsigned rd, uint64_t value) {
    hart_set_x(h, rd, value);
}
void hart_set_sc(struct hart *h, int force) {
    h->force_sc = force;
}
bool hart_fetch_address(struct hart *h, uint64_t pc, uint64_t *physical) {
    unsigned cause;
    const struct page *page = iss_page(h, pc, &cause);
    if (page) *physical = page->physical + pc % PAGE_BYTES;
    return page != NULL;
}
bool hart_load_address(struct hart *h, uint64_t address, uint64_t *physical) {
    unsigned cause;
    return iss_translate(h, address, ISS_MMU_LOAD, h->privilege, physical, &cause);
}
bool hart_reaches(struct hart *h, uint64_t va, enum hart_access access, uint64_t *physical) {
    static const enum iss_mmu_access as[] = {ISS_MMU_FETCH, ISS_MMU_LOAD, ISS_MMU_STORE};
    const unsigned privilege = access == HART_FETCHES ? h->privilege : iss_data_privilege(h);
    const bool update = h->ad_update;
    unsigned cause;
    h->ad_update = false; // it is a question
    const bool reached = iss_translate(h, va, as[access], privilege, physical, &cause);
    h->ad_update = update;
    return reached;
}
void hart_forget(struct hart *h, uint64_t va) {
    iss_tlb_drop(h, va);
}
struct iss_registers hart_registers(const struct hart *h) {
    return (struct iss_registers){&h->pc, &h->csr[CSR_FFLAGS], &h->csr[CSR_MIP]};
}
uint64_t hart_pc(const struct hart *h) {
    return h->pc;
}
void hart_set_pc(struct hart *h, uint64_t pc) {
    h->pc = pc & ~UINT64_C(1);
}
uint64_t hart_fflags(const struct hart *h) {
    return h->csr[CSR_FFLAGS];
}
unsigned hart_privilege(const struct hart *h) {
    return h->privilege;
}
uint64_t hart_x(const struct hart *h, unsigned number) {
    return h->x[number & 31];
}
void hart_set_x(struct hart *h, unsigned number, uint64_t value) {
    if (number & 31) h->x[number & 31] = value;
}
uint64_t hart_f(const struct hart *h, unsigned number) {
    return h->f[number & 31];
}
void hart_set_f(struct hart *h, unsigned number, uint64_t value) {
    h->f[number & 31] = value;
}
