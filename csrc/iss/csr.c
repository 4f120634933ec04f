// Control and status registers, after tables/csrs.tsv. Most are plain storage with a write mask; the counters, time and
// mip are computed.
#include "iss/iss_internal.h"
#include <errno.h>
#include <string.h>

static const struct csr_info rows[] = {CSR_INFO_ROWS};

enum { CSRS = 4096 };
enum { INHIBIT_CYCLE = 1 << 0, INHIBIT_INSTRET = 1 << 2 };

static bool inhibited(const struct hart *h, unsigned bit) {
    return h->csr[CSR_MCOUNTINHIBIT] & bit;
}

// A counter that runs is its base and an offset; one that is inhibited is the offset.
static uint64_t counter(const struct hart *h, unsigned inhibit, uint64_t base, uint64_t offset) {
    return inhibited(h, inhibit) ? offset : base + offset;
}

// OF of all counters; S-mode sees what mcounteren lets it see.
static uint64_t overflows(const struct hart *h) {
    uint64_t bits = 0;
    for (unsigned i = 3; i < 32; i++)
        bits |= (h->csr[CSR_MHPMEVENT3 + i - 3] >> 63) << i;
    return h->privilege == ISS_PRIVILEGE_S ? bits & h->csr[CSR_MCOUNTEREN] : bits;
}

#define SSTATUS_VIEW                                                                                                   \
    (MSTATUS_SD | UINT64_C(3) << 32 | MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_FS | MSTATUS_SUM | MSTATUS_MXR)

// ---- protection registers: grain of a page, locks ----
static uint64_t pmp_address(const struct hart *h, unsigned region) {
    uint64_t address = h->csr[CSR_PMPADDR0 + region];
    return (iss_pmp_config(h, region) & 0x18) == 0x18 ? address | 0x1ff : address & ~UINT64_C(0x3ff);
}

static uint64_t pmp_config_written(const struct hart *h, unsigned first, uint64_t value) {
    uint64_t result = 0;
    for (unsigned i = 0; i < 8; i++) {
        unsigned old = iss_pmp_config(h, first + i), byte = value >> (8 * i) & 0x9f;
        if ((byte & 0x18) == 0x10) byte &= ~0x18u;
        if ((byte & 3) == 2) byte &= ~3u;
        if (old & 0x80) byte = old;
        if (first + i < h->pmp_entries) result |= (uint64_t)byte << (8 * i);
    }
    return result;
}

static bool pmp_address_locked(const struct hart *h, unsigned region) {
    unsigned next = region < 15 ? iss_pmp_config(h, region + 1) : 0;
    return region >= h->pmp_entries || iss_pmp_config(h, region) & 0x80 || (next & 0x98) == 0x88;
}

// sireg, mireg and so on: their units are the core's. Here they read 0.
static bool is_behind_window(unsigned address) {
    return (address >= CSR_SIREG && address <= CSR_SIREG6) || (address >= CSR_MIREG && address <= CSR_MIREG6);
}

static uint64_t csr_read(const struct hart *h, unsigned address) {
    switch (address) {
    case CSR_CYCLE:
    case CSR_MCYCLE: return counter(h, INHIBIT_CYCLE, h->steps, h->mcycle_offset);
    case CSR_INSTRET:
    case CSR_MINSTRET: return counter(h, INHIBIT_INSTRET, h->retired, h->minstret_offset);
    case CSR_TIME: return iss_mtime(h->machine);
    case CSR_MIP: return iss_mip(h);
    case CSR_MSTATUS: {
        bool dirty = (h->csr[CSR_MSTATUS] & MSTATUS_FS) == MSTATUS_FS;
        return h->csr[CSR_MSTATUS] | (dirty ? MSTATUS_SD : 0);
    }
    case CSR_SSTATUS: return csr_read(h, CSR_MSTATUS) & SSTATUS_VIEW;
    case CSR_SIE: return h->csr[CSR_MIE] & h->csr[CSR_MIDELEG];
    case CSR_SIP: return iss_mip(h) & h->csr[CSR_MIDELEG];
    case CSR_FCSR: return h->csr[CSR_FRM] << 5 | h->csr[CSR_FFLAGS];
    case CSR_SCTRCTL: return h->csr[CSR_MCTRCTL] & rows[h->csr_row[CSR_SCTRCTL]].mask;
    case CSR_SCOUNTOVF: return overflows(h);
    default: break;
    }
    if (address >= CSR_PMPADDR0 && address <= CSR_PMPADDR15) return pmp_address(h, address - CSR_PMPADDR0);
    if (iss_is_trigger(address)) return iss_trigger_read(h, address);
    if (address >= CSR_HPMCOUNTER3 && address <= CSR_HPMCOUNTER31) {
        return h->csr[address - CSR_HPMCOUNTER3 + CSR_MHPMCOUNTER3];
    }
    return h->csr[address];
}

static bool is_protection(unsigned address) {
    return address >= CSR_PMPCFG0 && address <= CSR_PMPADDR15;
}

// step: 1 if an instruction writes, which itself is not counted by what it writes; 0 from outside.
static void csr_write(struct hart *h, unsigned address, uint64_t value, unsigned step) {
    const struct csr_info *row = &rows[h->csr_row[address]];
    uint64_t mask = h->fp ? row->mask : row->mask_no_fp, mode = value >> 60;
    const uint64_t raw = value;
    value = (csr_read(h, address) & ~mask) | (value & mask);
    switch (address) {
    case CSR_MSTATUS:
        if ((value & MSTATUS_MPP) >> 11 == 2) value &= ~MSTATUS_MPP;
        value &= ~MSTATUS_SD;
        break;
    case CSR_SSTATUS: csr_write(h, CSR_MSTATUS, (csr_read(h, CSR_MSTATUS) & ~mask) | (value & mask), step); return;
    case CSR_SIE: h->csr[CSR_MIE] = (h->csr[CSR_MIE] & ~h->csr[CSR_MIDELEG]) | (value & h->csr[CSR_MIDELEG]); return;
    case CSR_SIP: {
        uint64_t own = mask & h->csr[CSR_MIDELEG];
        h->csr[CSR_MIP] = (h->csr[CSR_MIP] & ~own) | (value & own);
        return;
    }
    case CSR_SATP:
        if (mode != 0 && mode != SATP_SV39) return;
        iss_tlb_flush(h);
        break;
    case CSR_SCTRCTL: csr_write(h, CSR_MCTRCTL, (csr_read(h, CSR_MCTRCTL) & ~mask) | (value & mask), step); return;
    case CSR_SCTRDEPTH:
        if (UINT64_C(16) << value > h->ctr_depth) return;
        break;
    case CSR_PMPCFG0: value = pmp_config_written(h, 0, value); break;
    case CSR_PMPCFG2: value = pmp_config_written(h, 8, value); break;
    case CSR_FCSR:
        h->csr[CSR_FRM] = value >> 5;
        h->csr[CSR_FFLAGS] = value & 0x1f;
        return;
    case CSR_MCYCLE: h->mcycle_offset = value - (inhibited(h, INHIBIT_CYCLE) ? 0 : h->steps + step); return;
    case CSR_MINSTRET: h->minstret_offset = value - (inhibited(h, INHIBIT_INSTRET) ? 0 : h->retired + step); return;
    case CSR_MCOUNTINHIBIT: {
        uint64_t change = value ^ h->csr[address];
        if (change & INHIBIT_CYCLE) h->mcycle_offset += (value & INHIBIT_CYCLE ? 1 : -1) * (h->steps + step);
        if (change & INHIBIT_INSTRET) h->minstret_offset += (value & INHIBIT_INSTRET ? 1 : -1) * (h->retired + step);
        break;
    }
    case CSR_MIP: value &= mask; break; // the devices' bits are theirs
    default:
        if (is_behind_window(address) || iss_trigger_write(h, address, value)) return;
        if (address >= CSR_PMPADDR0 && address <= CSR_PMPADDR15) {
            if (pmp_address_locked(h, address - CSR_PMPADDR0)) return;
            value = raw & mask;
        }
        break;
    }
    // The walker's reads are protected, too.
    if (is_protection(address)) iss_tlb_flush(h);
    h->csr[address] = value;
    if (is_protection(address) || address == CSR_MSTATUS || address == CSR_SATP) iss_mode_changed(h);
}

static bool may_access(const struct hart *h, unsigned address, bool write) {
    if (h->csr_row[address] < 0 || (address >> 8 & 3) > h->privilege) return false;
    if (write && (address >> 10) == 3) return false;
    if (rows[h->csr_row[address]].fp && !iss_fp_is_on(h)) return false;
    bool counter_alias = address >= CSR_CYCLE && address <= CSR_HPMCOUNTER31;
    uint64_t open = ~UINT64_C(0);
    if (counter_alias && h->privilege != ISS_PRIVILEGE_M) open = h->csr[CSR_MCOUNTEREN];
    if (counter_alias && h->privilege == ISS_PRIVILEGE_U) open &= h->csr[CSR_SCOUNTEREN];
    if (address == CSR_SATP && h->privilege == ISS_PRIVILEGE_S && h->csr[CSR_MSTATUS] & MSTATUS_TVM) return false;
    return !counter_alias || open >> (address & 31) & 1;
}

// Those that each trap's handler goes through, and that are nothing but what is stored.
static bool is_storage(unsigned address) {
    switch (address) {
    case CSR_SSCRATCH:
    case CSR_SEPC:
    case CSR_SCAUSE:
    case CSR_STVAL:
    case CSR_STVEC:
    case CSR_MSCRATCH:
    case CSR_MEPC:
    case CSR_MCAUSE:
    case CSR_MTVAL:
    case CSR_MTVEC: return true;
    default: return false;
    }
}

// The write of an instruction that sets, clears or replaces.
static uint64_t written(unsigned op, uint64_t base, uint64_t operand) {
    if (op == INSN_CSRRS || op == INSN_CSRRSI) return base | operand;
    return op == INSN_CSRRC || op == INSN_CSRRCI ? base & ~operand : operand;
}

bool iss_csr_execute(struct hart *h, const struct entry *entry) {
    unsigned address = (unsigned)entry->imm;
    bool immediate = entry->op >= INSN_CSRRWI;
    bool write = entry->op == INSN_CSRRW || entry->op == INSN_CSRRWI || entry->rs1 != 0;
    if (!may_access(h, address, write)) return false;
    uint64_t operand = immediate ? entry->rs1 : h->x[entry->rs1];
    const struct csr_info *row = &rows[h->csr_row[address]];
    const uint64_t mask = h->fp ? row->mask : row->mask_no_fp;
    const bool storage = is_storage(address);
    const uint64_t old = storage ? h->csr[address] : csr_read(h, address);
    // Of mip.SEIP, set and clear change what software wrote, not what the line says (section 3.1.9).
    const uint64_t value = written(entry->op, address == CSR_MIP ? h->csr[CSR_MIP] : old, operand);
    if (write && storage) h->csr[address] = (old & ~mask) | (value & mask);
    if (write && !storage) csr_write(h, address, value, 1);
    if (write && row->fp) iss_fp_dirty(h);
    if (write) h->csr_written = true;
    h->x[entry->rd] = old;
    return true;
}

// Code may be elsewhere now, or an interrupt be due: by these registers alone, for what else makes one due ends the
// run.
bool iss_csr_is_event(const struct hart *h, unsigned address) {
    switch (address) {
    case CSR_SATP: return true;
    case CSR_MSTATUS:
    case CSR_SSTATUS:
    case CSR_MIE:
    case CSR_SIE:
    case CSR_MIP:
    case CSR_SIP:
    case CSR_MIDELEG: return iss_pending(h) >= 0;
    default: return is_protection(address);
    }
}

uint64_t iss_mip(const struct hart *h) {
    const struct plic_harts plic = iss_plic(h->machine);
    uint64_t mtip = iss_mtime(h->machine) >= h->mtimecmp;
    uint64_t meip = plic_harts_ask(&plic, PLIC_CONTEXTS * h->place + PLIC_CONTEXT_M);
    uint64_t seip = plic_harts_ask(&plic, PLIC_CONTEXTS * h->place + PLIC_CONTEXT_S);
    return h->csr[CSR_MIP] | seip << IRQ_SEI | (uint64_t)h->msip << IRQ_MSI | mtip << IRQ_MTI | meip << IRQ_MEI;
}

bool iss_csr_nondeterministic(unsigned address) {
    return (address >= CSR_CYCLE && address <= CSR_HPMCOUNTER31) ||
           (address >= CSR_MCYCLE && address <= CSR_MHPMCOUNTER31) ||
           (address >= CSR_MHPMEVENT3 && address <= CSR_MHPMEVENT31) || address == CSR_MCOUNTINHIBIT ||
           address == CSR_SCOUNTOVF || address == CSR_MIP || address == CSR_SIP || address == CSR_TIPOFF_COLLISIONS ||
           (address >= CSR_SHPMSPC && address <= CSR_TIPOFF_SPACE) || is_behind_window(address) ||
           address == CSR_MPDISCTL || address == CSR_SPDISCOUNTER || address == CSR_SCTRSTATUS;
}

static bool is_there(const struct hart *h, const struct csr_info *row) {
    if (strcmp(row->where, "csr_window") == 0) return h->window;
    if (strcmp(row->where, "ctr") == 0) return h->ctr_depth != 0;
    if (strcmp(row->where, "profileme") == 0) return h->profileme;
    if (strcmp(row->where, "sdtrig") == 0) return h->triggers != 0;
    return !row->fp || h->fp;
}

void iss_csr_rows(struct hart *h) {
    memset(h->csr_row, -1, sizeof h->csr_row);
    for (size_t i = 0; i < CSR_COUNT; i++) {
        if (is_there(h, &rows[i])) h->csr_row[rows[i].address] = (int16_t)i;
    }
}

void iss_csr_reset(struct hart *h) {
    memset(h->csr, 0, sizeof h->csr);
    iss_csr_rows(h);
    for (size_t i = 0; i < CSR_COUNT; i++) {
        if (!is_there(h, &rows[i])) continue;
        h->csr[rows[i].address] = h->fp ? rows[i].reset : rows[i].reset_no_fp;
    }
    h->csr[CSR_MHARTID] = h->id;
    iss_triggers_reset(h);
    iss_tlb_flush(h);
    iss_mode_changed(h);
}

// What no write and no trap can make of it. A CSR that this hart lacks, and another had, may hold what it held there.
static bool is_possible(const struct hart *h, const struct csr_info *row) {
    uint64_t value = h->csr[row->address], mask = h->fp ? row->mask : row->mask_no_fp;
    switch (row->address) {
    case CSR_MHARTID: return value == h->id;
    case CSR_MSTATUS:
        if ((value & MSTATUS_MPP) >> 11 == 2) return false;
        break;
    case CSR_SATP:
        if (value >> 60 != 0 && value >> 60 != SATP_SV39) return false;
        break;
    default: break;
    }
    return value == 0 || ((value ^ (h->fp ? row->reset : row->reset_no_fp)) & ~mask) == 0;
}

bool iss_csrs_possible(const struct hart *h) {
    bool known[CSRS] = {false};
    for (size_t i = 0; i < CSR_COUNT; i++) {
        known[rows[i].address] = true;
        if (!is_possible(h, &rows[i])) return false;
    }
    for (size_t i = 0; i < CSRS; i++)
        if (!known[i] && h->csr[i]) return false;
    return true;
}

int hart_csr(const struct hart *h, unsigned address, uint64_t *value) {
    if (address > 0xfff || h->csr_row[address] < 0) return -EINVAL;
    *value = csr_read(h, address);
    return 0;
}

int hart_set_csr(struct hart *h, unsigned address, uint64_t value) {
    if (address > 0xfff || h->csr_row[address] < 0) return -EINVAL;
    csr_write(h, address, value, 0);
    return 0;
}
