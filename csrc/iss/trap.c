// Traps and the return from them (privileged manual, sections 3.1.6 to 3.1.9, 3.3.2, 3.3.3 and chapter 4).
#include "iss/iss_internal.h"

// S-mode takes what is delegated to it, unless it comes from M-mode.
void iss_trap(struct iss *s, uint64_t epc, unsigned cause, bool interrupt, uint64_t tval) {
    uint64_t mstatus = s->csr[CSR_MSTATUS], delegated = s->csr[interrupt ? CSR_MIDELEG : CSR_MEDELEG], tvec;
    if (s->privilege != ISS_PRIVILEGE_M && delegated >> cause & 1) {
        uint64_t spie = mstatus & MSTATUS_SIE ? MSTATUS_SPIE : 0, spp = s->privilege ? MSTATUS_SPP : 0;
        s->csr[CSR_MSTATUS] = (mstatus & ~(MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP)) | spie | spp;
        s->csr[CSR_SEPC] = epc;
        s->csr[CSR_SCAUSE] = (uint64_t)interrupt << 63 | cause;
        s->csr[CSR_STVAL] = tval;
        tvec = s->csr[CSR_STVEC];
        s->privilege = ISS_PRIVILEGE_S;
    } else {
        uint64_t mpie = mstatus & MSTATUS_MIE ? MSTATUS_MPIE : 0;
        s->csr[CSR_MSTATUS] =
            (mstatus & ~(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP)) | mpie | (uint64_t)s->privilege << 11;
        s->csr[CSR_MEPC] = epc;
        s->csr[CSR_MCAUSE] = (uint64_t)interrupt << 63 | cause;
        s->csr[CSR_MTVAL] = tval;
        tvec = s->csr[CSR_MTVEC];
        s->privilege = ISS_PRIVILEGE_M;
    }
    s->pc = (tvec & ~UINT64_C(3)) + (interrupt && (tvec & 3) == 1 ? 4 * cause : 0);
    iss_mode_changed(s);
    s->steps++;
    s->trapped = true;
    s->trap_cause = (uint8_t)cause;
    s->trap_epc = epc;
    s->trap_tval = tval;
}

bool iss_mret(struct iss *s) {
    if (s->privilege != ISS_PRIVILEGE_M) return false;
    uint64_t mstatus = s->csr[CSR_MSTATUS];
    s->privilege = (mstatus & MSTATUS_MPP) >> 11;
    uint64_t mie = mstatus & MSTATUS_MPIE ? MSTATUS_MIE : 0;
    mstatus &= ~(MSTATUS_MIE | MSTATUS_MPP);
    if (s->privilege != ISS_PRIVILEGE_M) mstatus &= ~MSTATUS_MPRV;
    s->csr[CSR_MSTATUS] = mstatus | mie | MSTATUS_MPIE;
    iss_mode_changed(s);
    return true;
}

bool iss_sret(struct iss *s) {
    uint64_t mstatus = s->csr[CSR_MSTATUS];
    if (s->privilege == ISS_PRIVILEGE_U || (s->privilege == ISS_PRIVILEGE_S && mstatus & MSTATUS_TSR)) return false;
    s->privilege = mstatus & MSTATUS_SPP ? ISS_PRIVILEGE_S : ISS_PRIVILEGE_U;
    uint64_t sie = mstatus & MSTATUS_SPIE ? MSTATUS_SIE : 0;
    s->csr[CSR_MSTATUS] = (mstatus & ~(MSTATUS_SIE | MSTATUS_SPP | MSTATUS_MPRV)) | sie | MSTATUS_SPIE;
    iss_mode_changed(s);
    return true;
}

bool iss_wfi(struct iss *s) {
    if (s->privilege == ISS_PRIVILEGE_U) return false;
    if (s->privilege == ISS_PRIVILEGE_S && s->csr[CSR_MSTATUS] & MSTATUS_TW) return false;
    bool waits = s->autonomous && !(iss_mip(s) & s->csr[CSR_MIE]);
    if (waits && s->csr[CSR_MIE] >> IRQ_MTI & 1 && s->mtimecmp != UINT64_MAX) {
        s->mtime_offset += s->mtimecmp - iss_mtime(s);
    }
    return true;
}

uint64_t iss_software_interrupts(const struct iss *s) {
    return s->csr[CSR_MIP];
}

int iss_pending(const struct iss *s) {
    return s->csr[CSR_MIE] ? iss_interrupt_due(s, iss_mip(s)) : -1;
}

int iss_interrupt_due(const struct iss *s, uint64_t pending) {
    static const int order[] = {IRQ_MEI, IRQ_MSI, IRQ_MTI, IRQ_SEI, IRQ_SSI, IRQ_STI, IRQ_LCOFI};
    uint64_t to_s = s->csr[CSR_MIDELEG], taken = 0;
    pending &= s->csr[CSR_MIE];
    bool m = s->privilege != ISS_PRIVILEGE_M || s->csr[CSR_MSTATUS] & MSTATUS_MIE;
    bool supervisor =
        s->privilege == ISS_PRIVILEGE_U || (s->privilege == ISS_PRIVILEGE_S && s->csr[CSR_MSTATUS] & MSTATUS_SIE);
    if (m) taken = pending & ~to_s;
    if (!taken && supervisor) taken = pending & to_s;
    for (size_t i = 0; taken && i < sizeof order / sizeof *order; i++) {
        if (taken >> order[i] & 1) return order[i];
    }
    return -1;
}
