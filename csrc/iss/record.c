// One instruction, trap or interrupt with its record: what lockstep, traces and checks are given.
#include "isa/rvc.h"
#include "iss/iss_internal.h"
#include <string.h>

static const struct insn_info rows[] = {INSN_INFO_ROWS};

static struct entry *look_up(struct hart *h, uint64_t pc, struct page **page) {
    unsigned cause;
    *page = iss_page_at(h, pc, &cause);
    if (!*page) return NULL;
    struct entry *entry = &(*page)->entries[pc % PAGE_BYTES / 2];
    uint64_t physical = (*page)->physical + pc % PAGE_BYTES;
    if (__builtin_expect(entry->op == OP_UNDECODED, 0)) iss_decode(h, *page, pc % PAGE_BYTES / 2);
    if (__builtin_expect(entry->op != OP_STRADDLE, 1)) return entry;
    *page = NULL;
    return iss_decode_straddle(h, pc, physical);
}

// Most are already decoded.
static inline struct entry *entry_at(struct hart *h, uint64_t pc, struct page **page) {
    struct page *known = iss_known_page(h, pc);
    if (!known) return look_up(h, pc, page);
    struct entry *entry = &known->entries[pc % PAGE_BYTES / 2];
    if (entry->op == OP_UNDECODED || entry->op == OP_STRADDLE) return look_up(h, pc, page);
    *page = known;
    return entry;
}

struct entry *iss_entry_at(struct hart *h, uint64_t pc, struct page **page) {
    return entry_at(h, pc, page);
}

static void record_memory(struct hart *h, const struct entry *entry, struct iss_retire *out) {
    enum insn_unit unit = rows[entry->op].unit;
    if (unit == UNIT_STORE) {
        out->access = ISS_ACCESS_STORE;
    } else if (entry->op == INSN_LR_W || entry->op == INSN_LR_D) {
        out->access = ISS_ACCESS_LOAD;
    } else if (unit == UNIT_AMO && !(out->is_sc && !out->sc_success)) {
        out->access = ISS_ACCESS_STORE;
        memcpy(&out->data, h->machine->dram + (out->address - DRAM_BASE), out->size);
    }
    if (out->access == ISS_ACCESS_LOAD) out->data = h->x[entry->rd];
}

// The two words that the host writes while the program runs.
static bool host_writes(const struct hart *h, uint64_t physical) {
    uint64_t word = physical & ~UINT64_C(7);
    return word && (word == h->machine->htif.tohost || word == h->machine->htif.fromhost);
}

// What it loaded came from a device or from the host.
static bool reads_others(const struct hart *h, const struct iss_retire *out) {
    return h->from_device || (out->access == ISS_ACCESS_LOAD && host_writes(h, out->address));
}

// before: the entry as it was (fence.i clears it), the address and the data as they were. By value: in registers.
__attribute__((noinline)) static void record_more(struct hart *h, struct entry before, struct iss_retire *out) {
    enum insn_unit unit = rows[before.op].unit;
    if (unit == UNIT_STORE || unit == UNIT_AMO) {
        out->is_sc = before.op == INSN_SC_W || before.op == INSN_SC_D;
        out->sc_success = out->is_sc && h->x[before.rd] == 0;
        record_memory(h, &before, out);
        out->reads_nondeterministic = reads_others(h, out);
    } else if (unit == UNIT_CSR) {
        out->csr_accessed = true;
        out->csr_written = h->csr_written;
        out->csr = (uint16_t)before.imm;
        out->reads_nondeterministic = iss_csr_nondeterministic(out->csr);
        hart_csr(h, out->csr, &out->csr_value);
    }
}

static void record(struct hart *h, const struct entry *before, struct iss_retire *out) {
    const struct insn_info *row = &rows[before->op];
    out->rd_fp = row->fp_operands & 1;
    const uint64_t value = (out->rd_fp ? h->f : h->x)[before->rd % X_SINK];
    if (before->rd != X_SINK) {
        out->rd_written = true;
        out->rd = before->rd;
        out->rd_value = value;
    }
    switch (row->unit) {
    case UNIT_LOAD:
        out->access = ISS_ACCESS_LOAD;
        out->data = before->rd != X_SINK ? value : h->x[X_SINK];
        out->reads_nondeterministic = reads_others(h, out);
        out->plain = !out->reads_nondeterministic;
        break;
    case UNIT_STORE:
    case UNIT_AMO:
    case UNIT_CSR: record_more(h, *before, out); break;
    case UNIT_FENCE:
    case UNIT_SYS: break;
    default: out->plain = true; break;
    }
}

static void record_trap(const struct hart *h, bool interrupt, struct iss_retire *out) {
    out->trap = true;
    out->interrupt = interrupt;
    out->cause = h->trap_cause;
    out->epc = h->trap_epc;
    out->tval = h->trap_tval;
    out->next_pc = h->pc;
}

// Of the physical address: accesses to pages that are known leave h->physical as it is.
static uint64_t known_offset(const struct hart *h, uint64_t address, bool store) {
    const struct iss_quick *quick = &h->quick_data[address / PAGE_BYTES % ISS_TLB_ENTRIES];
    const uint64_t page = address & ~(uint64_t)(PAGE_BYTES - 1);
    return !h->data_limit && (store ? quick->store : quick->load) == page ? quick->physical : 0;
}

void iss_step_recorded(struct hart *h, struct iss_retire *out) {
    *out = (struct iss_retire){.pc = h->pc, .privilege = (uint8_t)h->privilege};
    struct entry before = {.op = OP_FETCH_FAULT, .rd = X_SINK};
    struct page *page;
    struct entry *entry = entry_at(h, h->pc, &page);
    if (entry) before = *entry;
    out->insn = before.insn;
    enum insn_unit unit = before.op < INSN_COUNT ? rows[before.op].unit : UNIT_NONE;
    uint64_t address = 0, data = 0, offset = 0;
    unsigned bytes = 0;
    if (h->privilege != ISS_PRIVILEGE_M || h->csr[CSR_MSTATUS] & MSTATUS_MPRV) {
        out->translated = !iss_is_bare(h, h->privilege);
        out->data_translated = !iss_is_bare(h, iss_data_privilege(h));
    }
    if (unit == UNIT_LOAD || unit == UNIT_STORE || unit == UNIT_AMO) {
        address = h->x[before.rs1] + (uint64_t)(int64_t)before.imm;
        bytes = insn_access_bytes(before.insn);
        offset = known_offset(h, address, unit == UNIT_STORE);
        if (unit == UNIT_STORE) {
            data = rows[before.op].fp ? h->f[before.rs2] : h->x[before.rs2];
            data &= ~UINT64_C(0) >> (64 - 8 * bytes);
        }
    }
    h->trapped = h->csr_written = h->from_device = false;
    h->physical = address + offset;
    iss_execute_at(h, 1, page, entry);
    out->fflags = (uint8_t)h->csr[CSR_FFLAGS];
    if (h->trapped) {
        record_trap(h, false, out);
        return;
    }
    out->next_pc = h->pc;
    out->virtual_address = address;
    out->address = h->physical;
    out->size = (uint8_t)bytes;
    out->data = data;
    if (before.op < INSN_COUNT) record(h, &before, out);
}

void iss_interrupt_recorded(struct hart *h, unsigned cause, struct iss_retire *out) {
    struct iss_retire unused;
    if (!out) out = &unused;
    *out = (struct iss_retire){
        .pc = h->pc, .privilege = (uint8_t)h->privilege, .translated = !iss_is_bare(h, h->privilege)};
    iss_trap(h, h->pc, cause, true, 0);
    out->fflags = (uint8_t)h->csr[CSR_FFLAGS];
    record_trap(h, true, out);
}
