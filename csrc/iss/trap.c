// Traps and the return from them (privileged manual, section 3.1.6 and 3.1.7 and 3.3.2).
#include "iss/iss_internal.h"

void iss_trap(struct iss *s, uint64_t epc, unsigned cause, bool interrupt, uint64_t tval) {
    uint64_t mstatus = s->csr[CSR_MSTATUS];
    uint64_t mie = mstatus & MSTATUS_MIE ? MSTATUS_MPIE : 0;
    mstatus &= ~(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP);
    s->csr[CSR_MSTATUS] = mstatus | mie | (uint64_t)s->privilege << 11;
    s->csr[CSR_MEPC] = epc;
    s->csr[CSR_MCAUSE] = (uint64_t)interrupt << 63 | cause;
    s->csr[CSR_MTVAL] = tval;
    uint64_t mtvec = s->csr[CSR_MTVEC];
    bool vectored = interrupt && (mtvec & 3) == 1;
    s->pc = (mtvec & ~UINT64_C(3)) + (vectored ? 4 * cause : 0);
    s->privilege = ISS_PRIVILEGE_M;
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
    return true;
}

int iss_pending(const struct iss *s) {
    static const int order[] = {IRQ_MEI, IRQ_MSI, IRQ_MTI, IRQ_LCOFI};
    if (s->privilege == ISS_PRIVILEGE_M && !(s->csr[CSR_MSTATUS] & MSTATUS_MIE)) return -1;
    uint64_t pending = s->csr[CSR_MIE] ? iss_mip(s) & s->csr[CSR_MIE] : 0;
    for (size_t i = 0; pending && i < sizeof order / sizeof *order; i++) {
        if (pending >> order[i] & 1) return order[i];
    }
    return -1;
}
