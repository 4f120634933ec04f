// Control and status registers, after tables/csrs.tsv. Most are plain storage with a write mask; the counters, time and
// mip are computed.
#include "iss/iss_internal.h"
#include <errno.h>
#include <string.h>

static const struct csr_info rows[] = {CSR_INFO_ROWS};

enum { INHIBIT_CYCLE = 1 << 0, INHIBIT_INSTRET = 1 << 2 };

static bool inhibited(const struct iss *s, unsigned bit) {
    return s->csr[CSR_MCOUNTINHIBIT] & bit;
}

// A counter that runs is its base and an offset; one that is inhibited is the offset.
static uint64_t counter(const struct iss *s, unsigned inhibit, uint64_t base, uint64_t offset) {
    return inhibited(s, inhibit) ? offset : base + offset;
}

// OF of all counters; S-mode sees what mcounteren lets it see.
static uint64_t overflows(const struct iss *s) {
    uint64_t bits = 0;
    for (unsigned i = 3; i < 32; i++)
        bits |= (s->csr[CSR_MHPMEVENT3 + i - 3] >> 63) << i;
    return s->privilege == ISS_PRIVILEGE_S ? bits & s->csr[CSR_MCOUNTEREN] : bits;
}

#define SSTATUS_VIEW                                                                                                   \
    (MSTATUS_SD | UINT64_C(3) << 32 | MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_FS | MSTATUS_SUM | MSTATUS_MXR)

// ---- protection registers: grain of a page, locks ----
static uint64_t pmp_address(const struct iss *s, unsigned region) {
    uint64_t address = s->csr[CSR_PMPADDR0 + region];
    return (iss_pmp_config(s, region) & 0x18) == 0x18 ? address | 0x1ff : address & ~UINT64_C(0x3ff);
}

static uint64_t pmp_config_written(const struct iss *s, unsigned first, uint64_t value) {
    uint64_t result = 0;
    for (unsigned i = 0; i < 8; i++) {
        unsigned old = iss_pmp_config(s, first + i), byte = value >> (8 * i) & 0x9f;
        if ((byte & 0x18) == 0x10) byte &= ~0x18u;
        if ((byte & 3) == 2) byte &= ~3u;
        if (old & 0x80) byte = old;
        if (first + i < s->pmp_entries) result |= (uint64_t)byte << (8 * i);
    }
    return result;
}

static bool pmp_address_locked(const struct iss *s, unsigned region) {
    unsigned next = region < 15 ? iss_pmp_config(s, region + 1) : 0;
    return region >= s->pmp_entries || iss_pmp_config(s, region) & 0x80 || (next & 0x98) == 0x88;
}

static uint64_t csr_read(const struct iss *s, unsigned address) {
    switch (address) {
    case CSR_CYCLE:
    case CSR_MCYCLE: return counter(s, INHIBIT_CYCLE, s->steps, s->mcycle_offset);
    case CSR_INSTRET:
    case CSR_MINSTRET: return counter(s, INHIBIT_INSTRET, s->retired, s->minstret_offset);
    case CSR_TIME: return iss_mtime(s);
    case CSR_MIP: return iss_mip(s);
    case CSR_MSTATUS: {
        bool dirty = (s->csr[CSR_MSTATUS] & MSTATUS_FS) == MSTATUS_FS;
        return s->csr[CSR_MSTATUS] | (dirty ? MSTATUS_SD : 0);
    }
    case CSR_SSTATUS: return csr_read(s, CSR_MSTATUS) & SSTATUS_VIEW;
    case CSR_SIE: return s->csr[CSR_MIE] & s->csr[CSR_MIDELEG];
    case CSR_SIP: return iss_mip(s) & s->csr[CSR_MIDELEG];
    case CSR_FCSR: return s->csr[CSR_FRM] << 5 | s->csr[CSR_FFLAGS];
    case CSR_SCOUNTOVF: return overflows(s);
    default: break;
    }
    if (address >= CSR_PMPADDR0 && address <= CSR_PMPADDR15) return pmp_address(s, address - CSR_PMPADDR0);
    if (address >= CSR_HPMCOUNTER3 && address <= CSR_HPMCOUNTER31) {
        return s->csr[address - CSR_HPMCOUNTER3 + CSR_MHPMCOUNTER3];
    }
    return s->csr[address];
}

// step: 1 if an instruction writes, which itself is not counted by what it writes; 0 from outside.
static void csr_write(struct iss *s, unsigned address, uint64_t value, unsigned step) {
    const struct csr_info *row = &rows[s->csr_row[address]];
    uint64_t mask = s->fp ? row->mask : row->mask_no_fp, mode = value >> 60;
    const uint64_t raw = value;
    value = (csr_read(s, address) & ~mask) | (value & mask);
    switch (address) {
    case CSR_MSTATUS:
        if ((value & MSTATUS_MPP) >> 11 == 2) value &= ~MSTATUS_MPP;
        value &= ~MSTATUS_SD;
        break;
    case CSR_SSTATUS: csr_write(s, CSR_MSTATUS, (csr_read(s, CSR_MSTATUS) & ~mask) | (value & mask), step); return;
    case CSR_SIE: s->csr[CSR_MIE] = (s->csr[CSR_MIE] & ~s->csr[CSR_MIDELEG]) | (value & s->csr[CSR_MIDELEG]); return;
    case CSR_SIP: {
        uint64_t own = mask & s->csr[CSR_MIDELEG];
        s->csr[CSR_MIP] = (s->csr[CSR_MIP] & ~own) | (value & own);
        return;
    }
    case CSR_SATP:
        if (mode != 0 && mode != SATP_SV39) return;
        iss_tlb_flush(s);
        break;
    case CSR_PMPCFG0: value = pmp_config_written(s, 0, value); break;
    case CSR_PMPCFG2: value = pmp_config_written(s, 8, value); break;
    case CSR_FCSR:
        s->csr[CSR_FRM] = value >> 5;
        s->csr[CSR_FFLAGS] = value & 0x1f;
        return;
    case CSR_MCYCLE: s->mcycle_offset = value - (inhibited(s, INHIBIT_CYCLE) ? 0 : s->steps + step); return;
    case CSR_MINSTRET: s->minstret_offset = value - (inhibited(s, INHIBIT_INSTRET) ? 0 : s->retired + step); return;
    case CSR_MCOUNTINHIBIT: {
        uint64_t change = value ^ s->csr[address];
        if (change & INHIBIT_CYCLE) s->mcycle_offset += (value & INHIBIT_CYCLE ? 1 : -1) * (s->steps + step);
        if (change & INHIBIT_INSTRET) s->minstret_offset += (value & INHIBIT_INSTRET ? 1 : -1) * (s->retired + step);
        break;
    }
    case CSR_MIP: value &= mask; break; // the devices' bits are theirs
    default:
        if (address >= CSR_PMPADDR0 && address <= CSR_PMPADDR15) {
            if (pmp_address_locked(s, address - CSR_PMPADDR0)) return;
            value = raw & mask;
        }
        break;
    }
    // The walker's reads are protected, too.
    if (address >= CSR_PMPCFG0 && address <= CSR_PMPADDR15) iss_tlb_flush(s);
    s->csr[address] = value;
    iss_mode_changed(s);
}

static bool may_access(const struct iss *s, unsigned address, bool write) {
    if (s->csr_row[address] < 0 || (address >> 8 & 3) > s->privilege) return false;
    if (write && (address >> 10) == 3) return false;
    if (rows[s->csr_row[address]].fp && !iss_fp_is_on(s)) return false;
    bool counter_alias = address >= CSR_CYCLE && address <= CSR_HPMCOUNTER31;
    uint64_t open = ~UINT64_C(0);
    if (counter_alias && s->privilege != ISS_PRIVILEGE_M) open = s->csr[CSR_MCOUNTEREN];
    if (counter_alias && s->privilege == ISS_PRIVILEGE_U) open &= s->csr[CSR_SCOUNTEREN];
    if (address == CSR_SATP && s->privilege == ISS_PRIVILEGE_S && s->csr[CSR_MSTATUS] & MSTATUS_TVM) return false;
    return !counter_alias || open >> (address & 31) & 1;
}

bool iss_csr_execute(struct iss *s, const struct entry *entry) {
    unsigned address = (unsigned)entry->imm;
    bool immediate = entry->op >= INSN_CSRRWI;
    bool write = entry->op == INSN_CSRRW || entry->op == INSN_CSRRWI || entry->rs1 != 0;
    if (!may_access(s, address, write)) return false;
    uint64_t operand = immediate ? entry->rs1 : s->x[entry->rs1];
    uint64_t old = csr_read(s, address);
    // Of mip.SEIP, set and clear change what software wrote, not what the line says (section 3.1.9).
    uint64_t base = address == CSR_MIP ? s->csr[CSR_MIP] : old;
    if (write) {
        switch (entry->op) {
        case INSN_CSRRS:
        case INSN_CSRRSI: csr_write(s, address, base | operand, 1); break;
        case INSN_CSRRC:
        case INSN_CSRRCI: csr_write(s, address, base & ~operand, 1); break;
        default: csr_write(s, address, operand, 1); break;
        }
        if (rows[s->csr_row[address]].fp) iss_fp_dirty(s);
        s->csr_written = true;
    }
    s->x[entry->rd] = old;
    return true;
}

uint64_t iss_mip(const struct iss *s) {
    uint64_t mtip = iss_steps_to_timer(s) == 0;
    uint64_t meip = plic_asks(&s->peripherals.plic, PLIC_CONTEXT_M);
    uint64_t seip = plic_asks(&s->peripherals.plic, PLIC_CONTEXT_S);
    return s->csr[CSR_MIP] | seip << IRQ_SEI | (uint64_t)s->msip << IRQ_MSI | mtip << IRQ_MTI | meip << IRQ_MEI;
}

bool iss_csr_nondeterministic(unsigned address) {
    return (address >= CSR_CYCLE && address <= CSR_HPMCOUNTER31) ||
           (address >= CSR_MCYCLE && address <= CSR_MHPMCOUNTER31) ||
           (address >= CSR_MHPMEVENT3 && address <= CSR_MHPMEVENT31) || address == CSR_MCOUNTINHIBIT ||
           address == CSR_SCOUNTOVF || address == CSR_MIP || address == CSR_SIP || address == CSR_TIPOFF_COLLISIONS ||
           (address >= CSR_SHPMSPC && address <= CSR_TIPOFF_SPACE);
}

void iss_csr_rows(struct iss *s) {
    memset(s->csr_row, -1, sizeof s->csr_row);
    for (size_t i = 0; i < CSR_COUNT; i++) {
        if (!rows[i].fp || s->fp) s->csr_row[rows[i].address] = (int16_t)i;
    }
}

void iss_csr_reset(struct iss *s) {
    memset(s->csr, 0, sizeof s->csr);
    iss_csr_rows(s);
    for (size_t i = 0; i < CSR_COUNT; i++) {
        if (rows[i].fp && !s->fp) continue;
        s->csr[rows[i].address] = s->fp ? rows[i].reset : rows[i].reset_no_fp;
    }
    iss_tlb_flush(s);
    iss_mode_changed(s);
}

int iss_csr(const struct iss *iss, unsigned address, uint64_t *value) {
    if (address > 0xfff || iss->csr_row[address] < 0) return -EINVAL;
    *value = csr_read(iss, address);
    return 0;
}

int iss_set_csr(struct iss *iss, unsigned address, uint64_t value) {
    if (address > 0xfff || iss->csr_row[address] < 0) return -EINVAL;
    csr_write(iss, address, value, 0);
    return 0;
}
