// Answers to the sockets of ideal parts: ideal.h.
#include "harness/ideal.h"
#include "iss/ahead.h"
#include "memory_map.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

struct ideal {
    struct soc *soc;
    struct ahead *ahead; // NULL: no part asks for the future
    uint8_t *written;    // with an ideal data cache: a bit a line of DRAM; else NULL
};

uint32_t ideal_parts(const struct machine_config *config) {
    const struct ideal_config *c = &config->ideal;
    return (c->branches ? IDEAL_BRANCHES : 0) | (c->l1i ? IDEAL_L1I : 0) | (c->l1d ? IDEAL_L1D : 0) |
           (c->tlb ? IDEAL_TLB : 0) | (c->memory_order ? IDEAL_MEMORY_ORDER : 0);
}

int ideal_check(const struct machine_config *config, struct error *err) {
    if (config->ideal.sockets || !ideal_parts(config)) return 0;
    error_set(err,
              "ideal parts: the model of %s has no sockets for them: give its configuration ideal.sockets = 1 "
              "(`tipoff sensitivity` builds one)",
              config->name);
    return -EINVAL;
}

struct ideal *ideal_create(uint32_t parts, struct soc *soc, const struct image *image, const struct cosim_core *core,
                           struct error *err) {
    struct ideal *ideal = calloc(1, sizeof *ideal);
    if (ideal && parts & IDEAL_L1D) ideal->written = calloc(soc_memory_bytes(soc) / LINE / 8, 1);
    if (!ideal || (parts & IDEAL_L1D && !ideal->written)) {
        free(ideal);
        error_nomem(err, "ideal parts");
        return NULL;
    }
    ideal->soc = soc;
    if (!(parts & (IDEAL_BRANCHES | IDEAL_MEMORY_ORDER))) return ideal;
    struct iss *iss = iss_create(err);
    if (iss) {
        iss_set_fp(iss, core->fp);
        iss_set_pmp_entries(iss, core->pmp_entries);
        iss_set_window(iss, core->window);
        iss_set_ctr_depth(iss, core->ctr_depth);
        iss_set_profileme(iss, core->profileme);
        iss_set_triggers(iss, core->triggers);
        iss_set_ad_update(iss, core->ad_update);
        iss_set_hart_id(iss, core->hart_id);
        if (iss_set_memory(iss, core->memory, err) == 0 && iss_load(iss, image, err) == 0) {
            ideal->ahead = ahead_create(iss, err);
        } else {
            iss_destroy(iss);
        }
    }
    if (ideal->ahead) return ideal;
    ideal_destroy(ideal);
    return NULL;
}

void ideal_destroy(struct ideal *ideal) {
    if (!ideal) return;
    ahead_destroy(ideal->ahead);
    free(ideal->written);
    free(ideal);
}

bool ideal_predicts(const struct ideal *ideal) {
    return ideal->ahead != NULL;
}

void ideal_left(struct ideal *ideal, const struct trace_left *left) {
    ahead_left(ideal->ahead, left);
}

struct ideal_foresight ideal_foresight(const struct ideal *ideal) {
    return (struct ideal_foresight){.interrupts = ahead_differed(ideal->ahead, AHEAD_INTERRUPT),
                                    .unknowable = ahead_differed(ideal->ahead, AHEAD_UNKNOWABLE),
                                    .host_writes = ahead_differed(ideal->ahead, AHEAD_HOST)};
}

int ideal_finish(const struct ideal *ideal, struct error *err) {
    uint64_t times = ideal->ahead ? ahead_differed(ideal->ahead, AHEAD_WRONG) : 0;
    if (!times) return 0;
    struct ahead_wrong first = ahead_first_wrong(ideal->ahead);
    error_set(err,
              "ideal parts: the simulator that runs ahead of the core was wrong %llu times, first about instruction "
              "%llu: pc 0x%llx, predicted 0x%llx: parts were not ideal, the cycles mean nothing",
              (unsigned long long)times, (unsigned long long)first.number, (unsigned long long)first.pc,
              (unsigned long long)first.predicted);
    return -EBADMSG;
}

// ---- memory ----
static uint8_t *word_at(struct ideal *ideal, uint64_t address) {
    return soc_memory_at(ideal->soc, address & ~UINT64_C(7), sizeof(uint64_t));
}

uint64_t ideal_read(struct ideal *ideal, uint64_t address) {
    const uint8_t *memory = word_at(ideal, address);
    uint64_t word = 0;
    if (memory) memcpy(&word, memory, sizeof word);
    return word;
}

void ideal_write(struct ideal *ideal, uint64_t address, uint64_t word, unsigned mask) {
    uint8_t *memory = word_at(ideal, address);
    uint64_t line = (address - DRAM_BASE) / LINE;
    if (ideal->written && address - DRAM_BASE < soc_memory_bytes(ideal->soc))
        ideal->written[line / 8] |= (uint8_t)(1u << line % 8);
    for (unsigned i = 0; memory && i < sizeof word; i++)
        if (mask >> i & 1) memory[i] = (uint8_t)(word >> (8 * i));
}

void ideal_emit_written(struct ideal *ideal, void (*line)(void *context, uint64_t address, const uint64_t data[8]),
                        void *context) {
    uint64_t data[LINE / 8];
    for (uint64_t i = 0; ideal->written && i < soc_memory_bytes(ideal->soc) / LINE; i++) {
        if (!ideal->written[i / 8]) i |= 7; // none of these eight
        if (!(ideal->written[i / 8] >> i % 8 & 1)) continue;
        memcpy(data, soc_memory_at(ideal->soc, DRAM_BASE + i * LINE, LINE), LINE);
        line(context, DRAM_BASE + i * LINE, data);
    }
}

bool ideal_table(struct ideal *ideal, uint64_t address, uint64_t *pte) {
    const uint8_t *memory = word_at(ideal, address);
    if (memory) memcpy(pte, memory, sizeof *pte);
    return memory != NULL;
}

// ---- the future ----
// jal, jalr, a branch; and their 16-bit forms (c.j, c.jr, c.jalr, c.beqz, c.bnez).
enum transfer { TRANSFER_NONE, TRANSFER_BRANCH, TRANSFER_JUMP };
static enum transfer transfer_of(uint32_t insn) {
    unsigned funct3 = insn >> 13 & 7;
    if ((insn & 3) == 3) {
        unsigned opcode = insn & 0x7f;
        return opcode == 0x63 ? TRANSFER_BRANCH : opcode == 0x67 || opcode == 0x6f ? TRANSFER_JUMP : TRANSFER_NONE;
    }
    if ((insn & 3) == 1) return funct3 >= 6 ? TRANSFER_BRANCH : funct3 == 5 ? TRANSFER_JUMP : TRANSFER_NONE;
    bool register_jump = (insn & 3) == 2 && funct3 == 4 && !(insn & 0x7c) && (insn & 0xf80);
    return register_jump ? TRANSFER_JUMP : TRANSFER_NONE;
}

// Bit 0: known. Bit 1: taken. From bit 2 on: the parcel in which the transfer ends, in its block.
unsigned ideal_packet(struct ideal *ideal, uint64_t number, uint64_t pc, unsigned bytes, uint64_t *target) {
    const uint64_t block = pc & ~(uint64_t)(bytes - 1);
    const struct ahead_step *s = ahead_at(ideal->ahead, number);
    if (!s || (s->pc != pc && !(s->pc == pc - 2 && (s->insn & 3) == 3 && pc == block))) return 0;
    for (;;) {
        uint64_t after = s->pc + ((s->insn & 3) == 3 ? 4 : 2), last = after - 2;
        if ((last & ~(uint64_t)(bytes - 1)) != block) return 1; // it ends in the next one
        enum transfer kind = transfer_of(s->insn);
        if (kind == TRANSFER_JUMP || (kind == TRANSFER_BRANCH && s->next_pc != after)) {
            *target = s->next_pc;
            return 3 | (unsigned)((last - block) / 2) << 2;
        }
        if (s->trap_next || s->next_pc != after || !(s = ahead_at(ideal->ahead, ++number))) return 1;
    }
}

unsigned ideal_store(struct ideal *ideal, uint64_t number, uint64_t address, unsigned mask) {
    const uint64_t word = address & ~UINT64_C(7);
    unsigned stores = 0;
    for (uint64_t n = number; n > ahead_count(ideal->ahead);) {
        const struct ahead_step *s = ahead_at(ideal->ahead, --n);
        if (!s) return 0;
        if (!s->store) continue;
        stores++;
        unsigned written = ((1u << s->bytes) - 1) << (s->address & 7);
        if ((s->address & ~UINT64_C(7)) == word && (written & mask)) return stores;
    }
    return 0;
}
