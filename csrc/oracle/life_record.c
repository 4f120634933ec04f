// Latencies are differences of cycles; what the instruction is follows from its bits.
#include "oracle/life_record.h"
#include "events.h"
#include "instructions.h"
#include "isa/control.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

uint16_t life_saturated(uint64_t cycles) {
    return cycles < 4095 ? (uint16_t)cycles : 4095;
}

// Smpdis: bits 42 on of the header of a control transfer. Jumps that link elsewhere are recorded as jumps.
static uint16_t transfer(const struct life *life, bool returns) {
    const uint16_t bits = (uint16_t)(returns | (life->mispredicted ? 1 << 13 : 0));
    if (life->unit == UNIT_BRANCH) return life->resolved ? (uint16_t)(bits | (life->taken ? 1 << 2 : 1 << 1)) : bits;
    if (life->unit != UNIT_JAL && life->unit != UNIT_JALR) return bits;
    enum transfer_type type = control_transfer_type(life->insn);
    if (type == TRANSFER_OTHER_INDIRECT_JUMP) type = TRANSFER_INDIRECT_JUMP;
    if (type == TRANSFER_OTHER_DIRECT_JUMP) type = TRANSFER_DIRECT_JUMP;
    return (uint16_t)(bits | 1 << (type - TRANSFER_INDIRECT_CALL + 5));
}

static bool is_return(const struct life *life) {
    return !life->fault && control_kind_of(life->insn) == CONTROL_TRAP_RETURN;
}

static uint8_t kind_of(const struct life *life) {
    const bool jumps = life->unit == UNIT_BRANCH || life->unit == UNIT_JAL || life->unit == UNIT_JALR;
    if (life->mapped == LIFE_NEVER) return jumps ? 4 : 0; // decode has not seen it
    if (is_return(life)) return 4;
    if (!life->queued) return 0; // cannot be executed
    switch (life->unit) {
    case UNIT_LOAD: return 1;
    case UNIT_STORE: return 2;
    case UNIT_AMO: return 3;
    default: return jumps ? 4 : 0;
    }
}

static void expect_latencies(const struct life *life, struct instruction_sample *s) {
    const uint64_t mapped = life->mapped == LIFE_NEVER ? life->left : life->mapped;
    const uint64_t ready = life->ready != LIFE_NEVER && life->ready <= life->left ? life->ready : life->left;
    const uint64_t issued = life->issued != LIFE_NEVER ? life->issued : life->left;
    const uint64_t done = life->done != LIFE_NEVER ? life->done : life->left;
    s->dispatch = life_saturated(mapped - life->fetched);
    s->dispatched = life->mapped != LIFE_NEVER;
    s->stage = 1;
    if (!s->dispatched) {
        s->total = s->dispatch;
        return;
    }
    s->issued = life->issued != LIFE_NEVER;
    s->executed = life->done != LIFE_NEVER;
    s->stage = s->executed ? 5 : s->issued ? 4 : life->ready != LIFE_NEVER && life->ready <= life->left ? 3 : 2;
    s->operands = life_saturated(ready - mapped);
    s->contention = life_saturated(issued - ready);
    s->issue = life_saturated((uint64_t)s->operands + s->contention);
    s->execution = s->issued ? life_saturated(done - issued) : 0;
    s->retire_wait = s->executed ? life_saturated(life->left - done) : 0;
    s->total = life_saturated(life_saturated((uint64_t)s->dispatch + s->issue) +
                              (uint64_t)life_saturated((uint64_t)s->execution + s->retire_wait));
    s->oldest = life->headed == LIFE_NEVER ? 0 : life_saturated(life->left - life->headed + 1);
    s->was_oldest = life->headed != LIFE_NEVER;
}

struct instruction_sample life_record(const struct life *life, const struct instruction_sample *unit) {
    static const uint8_t flush[LIFE_OUTCOMES] = {0, 1, 2, 3, 3, 3, 3};
    struct instruction_sample s = {.kind = kind_of(life),
                                   .events = life->psv,
                                   .conflicts = life->conflicts,
                                   .addressed = life->addressed,
                                   .flushed = life->outcome != OUTCOME_RETIRED,
                                   .flush = flush[life->outcome],
                                   .pc = life->pc,
                                   .cycle = life->fetched,
                                   .address = life->addressed ? life->address : 0,
                                   .mode = life->mode,
                                   .outcome = life->outcome,
                                   .own = life->own,
                                   .resolved = life->resolved,
                                   .taken = life->taken,
                                   .mispredicted = life->mispredicted,
                                   .cause = life->cause,
                                   .space = life->space,
                                   .history = life->history,
                                   // of the registers, and of the pair: held to elsewhere
                                   .collisions = unit->collisions,
                                   .tag = unit->tag,
                                   .pair = unit->pair,
                                   .second = unit->second,
                                   .distance = unit->distance};
    s.itlb_miss = life->psv >> EVENT_DR_TLB & 1;
    s.icache_miss = life->psv >> EVENT_DR_L1 & 1;
    if (s.kind == 4) s.detail = transfer(life, is_return(life) && life->mapped != LIFE_NEVER);
    if (s.kind >= 1 && s.kind <= 3)
        s.detail = (uint16_t)((life->psv >> EVENT_ST_TLB & 1) | (life->psv >> EVENT_ST_L1 & 1) << 2 |
                              (life->psv >> EVENT_ST_LLC & 1) << 3);
    expect_latencies(life, &s);
    return s;
}

int life_record_differs(const struct instruction_sample *s, const struct instruction_sample *e, struct error *err) {
#define COMPARE(field, text)                                                                                           \
    if (s->field != e->field) {                                                                                        \
        error_set(err,                                                                                                 \
                  "ProfileMe: record of 0x%" PRIx64 ", fetched in cycle %" PRIu64 ": " #field " is %" PRIu64           \
                  ", expected %" PRIu64,                                                                               \
                  s->pc, s->cycle, (uint64_t)s->field, (uint64_t)e->field);                                            \
        return -EBADMSG;                                                                                               \
    }
    INSTRUCTION_SAMPLE_FIELDS(COMPARE)
#undef COMPARE
    return 0;
}
