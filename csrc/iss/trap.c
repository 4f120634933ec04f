// Traps and the return from them (privileged manual, sections 3.1.6 to 3.1.9, 3.3.2, 3.3.3 and chapter 4).
#include "iss/iss_internal.h"
#include <stdio.h>

// S-mode takes what is delegated to it, unless it comes from M-mode.
void iss_trap(struct hart *h, uint64_t epc, unsigned cause, bool interrupt, uint64_t tval) {
    uint64_t mstatus = h->csr[CSR_MSTATUS], delegated = h->csr[interrupt ? CSR_MIDELEG : CSR_MEDELEG], tvec;
    if (h->privilege != ISS_PRIVILEGE_M && delegated >> cause & 1) {
        uint64_t spie = mstatus & MSTATUS_SIE ? MSTATUS_SPIE : 0, spp = h->privilege ? MSTATUS_SPP : 0;
        h->csr[CSR_MSTATUS] = (mstatus & ~(MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP)) | spie | spp;
        h->csr[CSR_SEPC] = epc;
        h->csr[CSR_SCAUSE] = (uint64_t)interrupt << 63 | cause;
        h->csr[CSR_STVAL] = tval;
        tvec = h->csr[CSR_STVEC];
        h->privilege = ISS_PRIVILEGE_S;
    } else {
        uint64_t mpie = mstatus & MSTATUS_MIE ? MSTATUS_MPIE : 0;
        h->csr[CSR_MSTATUS] =
            (mstatus & ~(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP)) | mpie | (uint64_t)h->privilege << 11;
        h->csr[CSR_MEPC] = epc;
        h->csr[CSR_MCAUSE] = (uint64_t)interrupt << 63 | cause;
        h->csr[CSR_MTVAL] = tval;
        tvec = h->csr[CSR_MTVEC];
        h->privilege = ISS_PRIVILEGE_M;
    }
    h->pc = (tvec & ~UINT64_C(3)) + (interrupt && (tvec & 3) == 1 ? 4 * cause : 0);
    iss_mode_changed(h);
    h->steps++;
    h->trapped = true;
    h->trap_cause = (uint8_t)cause;
    h->trap_epc = epc;
    h->trap_tval = tval;
    h->trap_interrupt = interrupt;
    h->trap_steps = h->steps;
}

bool hart_last_trap(const struct hart *h, struct iss_last_trap *out) {
    *out =
        (struct iss_last_trap){h->trap_interrupt, h->trap_cause, h->trap_epc, h->trap_tval, h->steps - h->trap_steps};
    return h->trap_steps != 0;
}

void hart_last_trap_text(const struct hart *h, char *text, size_t size) {
    struct iss_last_trap trap;
    text[0] = '\0';
    if (!hart_last_trap(h, &trap)) return;
    snprintf(text, size, "; the last trap, %llu instructions ago: %s %u at 0x%llx, value 0x%llx",
             (unsigned long long)trap.ago, trap.interrupt ? "interrupt" : "exception", trap.cause,
             (unsigned long long)trap.epc, (unsigned long long)trap.tval);
}

bool iss_mret(struct hart *h) {
    if (h->privilege != ISS_PRIVILEGE_M) return false;
    uint64_t mstatus = h->csr[CSR_MSTATUS];
    h->privilege = (mstatus & MSTATUS_MPP) >> 11;
    uint64_t mie = mstatus & MSTATUS_MPIE ? MSTATUS_MIE : 0;
    mstatus &= ~(MSTATUS_MIE | MSTATUS_MPP);
    if (h->privilege != ISS_PRIVILEGE_M) mstatus &= ~MSTATUS_MPRV;
    h->csr[CSR_MSTATUS] = mstatus | mie | MSTATUS_MPIE;
    iss_mode_changed(h);
    return true;
}

bool iss_sret(struct hart *h) {
    uint64_t mstatus = h->csr[CSR_MSTATUS];
    if (h->privilege == ISS_PRIVILEGE_U || (h->privilege == ISS_PRIVILEGE_S && mstatus & MSTATUS_TSR)) return false;
    h->privilege = mstatus & MSTATUS_SPP ? ISS_PRIVILEGE_S : ISS_PRIVILEGE_U;
    uint64_t sie = mstatus & MSTATUS_SPIE ? MSTATUS_SIE : 0;
    h->csr[CSR_MSTATUS] = (mstatus & ~(MSTATUS_SIE | MSTATUS_SPP | MSTATUS_MPRV)) | sie | MSTATUS_SPIE;
    iss_mode_changed(h);
    return true;
}

bool iss_wfi(struct hart *h) {
    if (h->privilege == ISS_PRIVILEGE_U) return false;
    if (h->privilege == ISS_PRIVILEGE_S && h->csr[CSR_MSTATUS] & MSTATUS_TW) return false;
    bool waits = h->machine->autonomous && !(iss_mip(h) & h->csr[CSR_MIE]);
    if (h->machine->hart_count > 1) { // the others go on
        h->waiting = waits;
        return true;
    }
    if (waits && h->csr[CSR_MIE] >> IRQ_MTI & 1 && h->mtimecmp != UINT64_MAX) {
        h->machine->mtime_offset += h->mtimecmp - iss_mtime(h->machine);
    }
    return true;
}

uint64_t hart_software_interrupts(const struct hart *h) {
    return h->csr[CSR_MIP];
}

int hart_interrupt_due(const struct hart *h, uint64_t pending) {
    static const int order[] = {IRQ_MEI, IRQ_MSI, IRQ_MTI, IRQ_SEI, IRQ_SSI, IRQ_STI, IRQ_LCOFI};
    uint64_t to_s = h->csr[CSR_MIDELEG], taken = 0;
    pending &= h->csr[CSR_MIE];
    bool m = h->privilege != ISS_PRIVILEGE_M || h->csr[CSR_MSTATUS] & MSTATUS_MIE;
    bool supervisor =
        h->privilege == ISS_PRIVILEGE_U || (h->privilege == ISS_PRIVILEGE_S && h->csr[CSR_MSTATUS] & MSTATUS_SIE);
    if (m) taken = pending & ~to_s;
    if (!taken && supervisor) taken = pending & to_s;
    for (size_t i = 0; taken && i < sizeof order / sizeof *order; i++) {
        if (taken >> order[i] & 1) return order[i];
    }
    return -1;
}

int iss_pending(const struct hart *h) {
    // Most of the time none may be taken, whatever is pending.
    return hart_interrupt_due(h, UINT64_MAX) >= 0 ? hart_interrupt_due(h, iss_mip(h)) : -1;
}
