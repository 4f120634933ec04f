// The CSRs of the core after the privileged manual: what they read, what a write leaves, traps, returns, interrupts.
// Reset values and plain masks are those of tables/csrs.tsv.
#ifndef TIPOFF_CSR_MODEL_H
#define TIPOFF_CSR_MODEL_H

#include "pmp_model.h"
#include "tables.h"
#include <map>
#include <string.h>

enum { U = 0, S = 1, M = 3 };
enum {
    SIE = 1,
    MIE = 3,
    SPIE = 5,
    MPIE = 7,
    SPP = 8,
    MPP = 11,
    FS = 13,
    MPRV = 17,
    SUM = 18,
    MXR = 19,
    TVM = 20,
    TW = 21,
    TSR = 22,
    UXL = 32,
    SD = 63
};                                                                          // mstatus
enum { SSI = 1, MSI = 3, STI = 5, MTI = 7, SEI = 9, MEI = 11, LCOFI = 13 }; // mip, mie

static const uint64_t SSTATUS_BITS =
    1ull << SIE | 1ull << SPIE | 1ull << SPP | 3ull << FS | 1ull << SUM | 1ull << MXR | 3ull << UXL | 1ull << SD;

static const std::vector<struct csr_info> csrs = table_csrs();
static const unsigned CSRS = (unsigned)csrs.size();

struct csr_model {
    std::map<unsigned, uint64_t> held; // by address; what is a view of another CSR is not here
    struct pmp_model pmp;
    unsigned priv;
    bool lcofi_before;
    // inputs of the cycle
    uint64_t devices, mtime, hart_id, elsewhere;
    bool lcofi;
};

static bool bit(uint64_t word, unsigned n) {
    return (word >> n) & 1;
}
static uint64_t replace(uint64_t word, unsigned n, bool value) {
    return (word & ~(1ull << n)) | (uint64_t)value << n;
}
static bool floating(const struct csr_info *csr) {
    return strcmp(csr->where, "fcsr") == 0;
}
static bool elsewhere(const struct csr_info *csr) {
    return strcmp(csr->where, "pmu") == 0 || strcmp(csr->where, "tip_csrs") == 0 ||
           strcmp(csr->where, "csr_window") == 0 || strcmp(csr->where, "ctr") == 0 ||
           strcmp(csr->where, "profileme") == 0 || strcmp(csr->where, "sdtrig") == 0;
}
static bool is_pmpaddr(unsigned address) {
    return address >= CSR_PMPADDR0 && address <= CSR_PMPADDR15;
}
static bool is_pmp(unsigned address) {
    return is_pmpaddr(address) || address == CSR_PMPCFG0 || address == CSR_PMPCFG2;
}
static unsigned fs(uint64_t status) {
    return status >> FS & 3;
}
static uint64_t summarize(uint64_t status) { // SD says that FS is Dirty
    return replace(status, SD, fs(status) == 3);
}
static uint64_t status(struct csr_model *m) {
    return summarize(m->held[CSR_MSTATUS]);
}
static uint64_t pending(struct csr_model *m) {
    return m->held[CSR_MIP] | m->devices;
}

static void model_reset(struct csr_model *m) {
    m->held.clear();
    for (const struct csr_info &csr : csrs)
        if (!elsewhere(&csr)) m->held[csr.address] = csr.reset;
    memset(&m->pmp, 0, sizeof m->pmp);
    m->pmp.entries = CONFIG_CORE_PMP_ENTRIES;
    m->priv = M;
    m->lcofi_before = false;
}

static uint64_t model_read(struct csr_model *m, const struct csr_info *csr) {
    // S-mode sees the overflow bits of the counters that it may read (Sscofpmf, "scountovf").
    if (csr->address == CSR_SCOUNTOVF && m->priv == S) return m->elsewhere & (uint32_t)m->held[CSR_MCOUNTEREN];
    if (csr->address == CSR_MCOUNTINHIBIT)
        return m->elsewhere | (m->held[CSR_MCOUNTINHIBIT] & 5); // each bit is with its counter
    if (elsewhere(csr)) return m->elsewhere;
    if (is_pmpaddr(csr->address)) return pmp_read_addr(&m->pmp, csr->address - CSR_PMPADDR0);
    switch (csr->address) {
    case CSR_CYCLE: return m->held[CSR_MCYCLE];
    case CSR_INSTRET: return m->held[CSR_MINSTRET];
    case CSR_TIME: return m->mtime;
    case CSR_MHARTID: return m->hart_id;
    case CSR_MIP: return pending(m);
    case CSR_SIP: return pending(m) & m->held[CSR_MIDELEG];
    case CSR_SIE: return m->held[CSR_MIE] & m->held[CSR_MIDELEG];
    case CSR_FFLAGS: return m->held[CSR_FCSR] & 31;
    case CSR_FRM: return m->held[CSR_FCSR] >> 5;
    case CSR_MSTATUS: return status(m);
    case CSR_SSTATUS: return status(m) & SSTATUS_BITS;
    case CSR_PMPCFG0: return pmp_read_cfg(&m->pmp, 0);
    case CSR_PMPCFG2: return pmp_read_cfg(&m->pmp, 8);
    default: return m->held[csr->address];
    }
}

// What csrrs and csrrc change: of mip.SEIP what software wrote, not the external line (section 3.1.9).
static uint64_t model_modify(struct csr_model *m, const struct csr_info *csr) {
    uint64_t value = model_read(m, csr);
    return csr->address == CSR_MIP ? replace(value, SEI, bit(m->held[CSR_MIP], SEI)) : value;
}

static bool model_denied(struct csr_model *m, const struct csr_info *csr) {
    unsigned lowest = csr->address >> 8 & 3;
    if (lowest > m->priv) return true;
    if (csr->address >= 0xc00 && csr->address <= 0xc1f) {
        unsigned n = csr->address & 31;
        if (m->priv != M && !bit(m->held[CSR_MCOUNTEREN], n)) return true;
        if (m->priv == U && !bit(m->held[CSR_SCOUNTEREN], n)) return true;
    }
    if (floating(csr) && fs(m->held[CSR_MSTATUS]) == 0) return true;
    return csr->address == CSR_SATP && m->priv == S && bit(m->held[CSR_MSTATUS], TVM);
}

// Writes a CSR that is held here. What it reads as afterwards is what the write must report.
static void model_write(struct csr_model *m, const struct csr_info *csr, uint64_t data) {
    uint64_t delegated = m->held[CSR_MIDELEG], reached;
    if (floating(csr)) m->held[CSR_MSTATUS] |= 3ull << FS;
    if (is_pmpaddr(csr->address)) {
        pmp_write_addr(&m->pmp, csr->address - CSR_PMPADDR0, data);
        return;
    }
    switch (csr->address) {
    case CSR_PMPCFG0: pmp_write_cfg(&m->pmp, 0, data); return;
    case CSR_PMPCFG2: pmp_write_cfg(&m->pmp, 8, data); return;
    case CSR_FFLAGS: m->held[CSR_FCSR] = (m->held[CSR_FCSR] & ~31ull) | (data & 31); return;
    case CSR_FRM: m->held[CSR_FCSR] = (m->held[CSR_FCSR] & 31) | (data & 7) << 5; return;
    case CSR_SSTATUS:
        reached = SSTATUS_BITS & ~(3ull << UXL | 1ull << SD);
        if (!CONFIG_CORE_FP) reached &= ~(3ull << FS);
        m->held[CSR_MSTATUS] = (m->held[CSR_MSTATUS] & ~reached) | (data & reached);
        return;
    case CSR_SIE: m->held[CSR_MIE] = (m->held[CSR_MIE] & ~delegated) | (data & delegated); return;
    case CSR_SIP:
    case CSR_MIP:
        reached = csr->address == CSR_SIP ? delegated & (1ull << SSI | 1ull << LCOFI)
                                          : 1ull << SSI | 1ull << STI | 1ull << SEI | 1ull << LCOFI;
        m->held[CSR_MIP] = (m->held[CSR_MIP] & ~reached) | (data & reached);
        // Set by a counter while the instruction was under way: not lost.
        if (m->lcofi || m->lcofi_before) m->held[CSR_MIP] |= 1ull << LCOFI;
        return;
    case CSR_SATP:
        if (data >> 60 == 0 || data >> 60 == 8)
            m->held[CSR_SATP] = data & (15ull << 60 | 0xffull << 44 | 0xfffffffffff); // ASIDLEN 8
        return;
    default: m->held[csr->address] = (m->held[csr->address] & ~csr->mask) | (data & csr->mask); break;
    }
    if (csr->address == CSR_MSTATUS && (data >> MPP & 3) == 2) m->held[CSR_MSTATUS] &= ~(3ull << MPP); // no such mode
}

// The interrupt that is due, or -1.
static int model_interrupt(struct csr_model *m) {
    static const unsigned order[] = {MEI, MSI, MTI, SEI, SSI, STI, LCOFI};
    uint64_t st = m->held[CSR_MSTATUS];
    bool m_open = m->priv < M || bit(st, MIE), s_open = m->priv < S || (m->priv == S && bit(st, SIE));
    for (int delegated = 0; delegated <= 1; delegated++)
        for (unsigned n : order)
            if (bit(pending(m) & m->held[CSR_MIE], n) && bit(m->held[CSR_MIDELEG], n) == delegated &&
                (delegated ? s_open : m_open))
                return (int)n;
    return -1;
}

static bool model_delegates(struct csr_model *m, bool interrupt, unsigned cause) {
    return m->priv != M && bit(m->held[interrupt ? CSR_MIDELEG : CSR_MEDELEG], cause);
}

// Returns where the trap goes.
static uint64_t model_trap(struct csr_model *m, bool interrupt, unsigned cause, uint64_t epc, uint64_t tval) {
    bool to_s = model_delegates(m, interrupt, cause);
    uint64_t vector = m->held[to_s ? CSR_STVEC : CSR_MTVEC], st = m->held[CSR_MSTATUS];
    m->held[to_s ? CSR_SEPC : CSR_MEPC] = epc;
    m->held[to_s ? CSR_SCAUSE : CSR_MCAUSE] = (uint64_t)interrupt << 63 | cause;
    m->held[to_s ? CSR_STVAL : CSR_MTVAL] = tval;
    if (to_s) {
        st = replace(st, SPIE, bit(st, SIE));
        st = replace(st, SIE, false);
        st = replace(st, SPP, m->priv == S);
    } else {
        st = replace(st, MPIE, bit(st, MIE));
        st = replace(st, MIE, false);
        st = (st & ~(3ull << MPP)) | (uint64_t)m->priv << MPP;
    }
    m->held[CSR_MSTATUS] = st;
    m->priv = to_s ? S : M;
    return (vector & ~3ull) + (bit(vector, 0) && interrupt ? 4 * cause : 0);
}

// Returns where mret or sret goes.
static uint64_t model_return(struct csr_model *m, bool sret) {
    uint64_t st = m->held[CSR_MSTATUS];
    if (sret) {
        m->priv = bit(st, SPP) ? S : U;
        st = replace(st, SIE, bit(st, SPIE));
        st = replace(st, SPIE, true);
        st = replace(st, SPP, false);
    } else {
        m->priv = st >> MPP & 3;
        st = replace(st, MIE, bit(st, MPIE));
        st = replace(st, MPIE, true);
        st &= ~(3ull << MPP);
    }
    if (m->priv != M) st = replace(st, MPRV, false);
    m->held[CSR_MSTATUS] = st;
    return m->held[sret ? CSR_SEPC : CSR_MEPC];
}

#endif
