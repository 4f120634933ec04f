// Memory accesses that are not plain aligned DRAM: faults, devices, boot ROM, atomics.
//
// Order of exceptions: misaligned before access fault. Atomics work on DRAM only; LR, which does not write, on the boot
// ROM too. Where the bus answers with an error (machine/bus_errors.h), all is an access fault but a store, which is
// lost, and SC, which has no reservation there and fails.
#include "iss/iss_internal.h"
#include <string.h>

static const struct region regions[REGION_COUNT] = {REGION_ROWS};

uint8_t *iss_memory(struct iss *iss, uint64_t address, size_t bytes, bool write) {
    uint64_t offset = address - DRAM_BASE;
    if (offset < iss->dram_bytes && bytes <= iss->dram_bytes - offset) return iss->dram + offset;
    offset = address - BOOTROM_BASE;
    if (!write && offset < BOOTROM_BYTES && bytes <= BOOTROM_BYTES - offset) return iss->bootrom + offset;
    offset = address - RESUME_BASE;
    if (!write && offset < RESUME_BYTES && bytes <= RESUME_BYTES - offset) return iss->resume + offset;
    return NULL;
}

bool iss_is_device(uint64_t address) {
    for (size_t i = 0; i < REGION_COUNT; i++) {
        if (address - regions[i].base < regions[i].bytes) return regions[i].device;
    }
    return false;
}

bool iss_load_slow(struct hart *h, uint64_t address, unsigned bytes, uint64_t *value, unsigned *cause) {
    *cause = CAUSE_LOAD_MISALIGNED;
    if (address & (bytes - 1)) return false;
    const uint64_t va = address;
    if (!iss_translate(h, address, ISS_MMU_LOAD, iss_data_privilege(h), &address, cause)) return false;
    h->physical = address;
    if (iss_is_dram(h->machine, address)) iss_quick_data(h, va, address, false);
    const uint8_t *memory = iss_memory(h->machine, address, bytes, false);
    *value = 0;
    if (memory) {
        memcpy(value, memory, bytes);
        return true;
    }
    *cause = CAUSE_LOAD_FAULT;
    if (!iss_is_device(address) || bus_errors_answers(address)) return false;
    h->from_device = true;
    const struct iss *m = h->machine;
    *value = m->device_read ? m->device_read(m->device_context, address, bytes)
                            : iss_device_load(h->machine, address, bytes);
    return true;
}

void iss_serve(struct iss *iss) {
    uint64_t address;
    htif_tick(&iss->htif, iss_clock(iss));
    iss->host_acts = htif_waits(&iss->htif);
    while (htif_wants(&iss->htif, &address)) {
        enum htif_step before = iss->htif.step;
        uint64_t word = 0;
        const uint8_t *readable = iss_memory(iss, address, sizeof word, false); // a ROM's words can be asked for, too
        uint8_t *memory = iss_memory(iss, address, sizeof word, true);
        if (readable) memcpy(&word, readable, sizeof word);
        bool write = htif_access(&iss->htif, &word);
        if (memory && write) memcpy(memory, &word, sizeof word);
        iss->host_acts = before == HTIF_ANSWER && !write; // the program has to read the last answer first
        if (iss->host_acts) return;
    }
}

void iss_tohost(struct hart *h, uint64_t address, unsigned bytes, uint64_t value) {
    struct iss *m = h->machine;
    if (!m->autonomous || (address & ~UINT64_C(7)) - DRAM_BASE != m->tohost) return;
    htif_store(&m->htif, address, bytes, value, iss_clock(m));
    m->caller = h->place;
    m->host_acts = true;
}

bool iss_store_slow(struct hart *h, uint64_t address, unsigned bytes, uint64_t value, unsigned *cause) {
    *cause = CAUSE_STORE_MISALIGNED;
    if (address & (bytes - 1)) return false;
    const uint64_t va = address;
    if (!iss_translate(h, address, ISS_MMU_STORE, iss_data_privilege(h), &address, cause)) return false;
    h->physical = address;
    if (iss_is_dram(h->machine, address)) iss_quick_data(h, va, address, true);
    *cause = CAUSE_STORE_FAULT;
    uint8_t *memory = iss_memory(h->machine, address, bytes, true);
    if (memory) {
        memcpy(memory, &value, bytes);
        iss_tohost(h, address, bytes, value);
        return true;
    }
    if (bus_errors_answers(address)) { // too late for an exception
        peripherals_lose(&h->machine->peripherals, address);
        return true;
    }
    if (!iss_is_device(address)) return false;
    if (address - FINISHER_BASE < FINISHER_BYTES) h->machine->caller = h->place;
    iss_device_store(h->machine, address, bytes, value);
    return true;
}

// ---- atomics ----
static uint64_t minimum(int64_t a, int64_t b) {
    return (uint64_t)(a < b ? a : b);
}
static uint64_t maximum(int64_t a, int64_t b) {
    return (uint64_t)(a > b ? a : b);
}

// old: sign-extended. For .w forms the low 32 bits of the result count.
static uint64_t combine(unsigned op, uint64_t old, uint64_t operand) {
    switch (op) {
    case INSN_AMOSWAP_W:
    case INSN_AMOSWAP_D: return operand;
    case INSN_AMOADD_W:
    case INSN_AMOADD_D: return old + operand;
    case INSN_AMOXOR_W:
    case INSN_AMOXOR_D: return old ^ operand;
    case INSN_AMOOR_W:
    case INSN_AMOOR_D: return old | operand;
    case INSN_AMOAND_W:
    case INSN_AMOAND_D: return old & operand;
    case INSN_AMOMIN_W: return minimum((int32_t)old, (int32_t)operand);
    case INSN_AMOMIN_D: return minimum((int64_t)old, (int64_t)operand);
    case INSN_AMOMAX_W: return maximum((int32_t)old, (int32_t)operand);
    case INSN_AMOMAX_D: return maximum((int64_t)old, (int64_t)operand);
    case INSN_AMOMINU_W: return (uint32_t)old < (uint32_t)operand ? old : operand;
    case INSN_AMOMINU_D: return old < operand ? old : operand;
    case INSN_AMOMAXU_W: return (uint32_t)old > (uint32_t)operand ? old : operand;
    default: return old > operand ? old : operand; // amomaxu.d
    }
}

bool iss_amo(struct hart *h, const struct entry *entry, unsigned *cause) {
    unsigned op = entry->op, bytes = entry->insn & 0x1000 ? 8 : 4;
    bool is_lr = op == INSN_LR_W || op == INSN_LR_D, is_sc = op == INSN_SC_W || op == INSN_SC_D;
    uint64_t address = h->x[entry->rs1], operand = h->x[entry->rs2];
    *cause = is_lr ? CAUSE_LOAD_MISALIGNED : CAUSE_STORE_MISALIGNED;
    if (address & (bytes - 1)) return false;
    enum iss_mmu_access access = is_lr ? ISS_MMU_LR : ISS_MMU_AMO;
    const struct iss_quick *quick = &h->quick_data[address / PAGE_BYTES % ISS_TLB_ENTRIES];
    if ((is_lr ? quick->load : quick->store) == (address & ~(uint64_t)(PAGE_BYTES - 1))) {
        address += quick->physical;
    } else {
        const uint64_t va = address;
        if (!iss_translate(h, address, access, iss_data_privilege(h), &address, cause)) return false;
        if (iss_is_dram(h->machine, address)) iss_quick_data(h, va, address, !is_lr);
    }
    h->physical = address;
    *cause = is_lr ? CAUSE_LOAD_FAULT : CAUSE_STORE_FAULT;
    uint8_t *memory = iss_memory(h->machine, address, bytes, !is_lr);
    if (is_sc && bus_errors_answers(address) &&
        !iss_is_device(address)) { // without a reservation: the bus is not asked
        h->reserved = false;
        h->x[entry->rd] = 1;
        return true;
    }
    if (!memory) return false;
    if (is_sc) {
        bool success = h->reserved && h->reserved_line == iss_line_of(address);
        if (h->force_sc >= 0) success = h->force_sc;
        h->reserved = false;
        if (success) {
            memcpy(memory, &operand, bytes);
            iss_note_access(h, bytes, true);
            iss_tohost(h, address, bytes, operand);
        }
        h->x[entry->rd] = !success;
        return true;
    }
    uint64_t old = 0;
    memcpy(&old, memory, bytes);
    iss_note_access(h, bytes, !is_lr);
    if (bytes == 4) old = (uint64_t)(int32_t)old;
    if (is_lr) {
        h->reserved = true;
        h->reserved_line = iss_line_of(address);
    } else {
        uint64_t result = combine(op, old, operand);
        memcpy(memory, &result, bytes);
        iss_tohost(h, address, bytes, result);
    }
    h->x[entry->rd] = old;
    return true;
}
