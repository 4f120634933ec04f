// The instructions of a program, each decoded once: what of an event does not change from one execution to the next.
//
// The place of most is found by the low bits of their address; an index by address and bits has all.
#ifndef TIPOFF_METHODS_GUS_DECODER_H
#define TIPOFF_METHODS_GUS_DECODER_H

#include "base/hash_index.h"
#include "instructions.h"
#include "isa/operands.h"
#include "methods/gus/table.h"

struct gus_decoded {
    uint64_t pc;
    uint32_t insn;
    uint32_t place; // from 0 on, dense, by first execution
    uint16_t kind;  // row of the table's kinds
    uint8_t length; // bytes
    uint8_t flags;  // enum gus_flag: GUS_SERIAL, GUS_FLUSH
    uint8_t unit, op;
    uint8_t transfer; // enum gus_transfer
    bool rare;        // changes more than registers and memory
    struct operands operands;
};

enum { GUS_NEAR = 1 << 12 };
struct gus_decoder { // for the function below; others leave its members alone
    struct gus_decoded *places;
    uint32_t near[GUS_NEAR]; // by parcel: a place
    size_t count, capacity;
    struct hash_index index;
    bool serial; // row of type option
    uint16_t kinds[INSN_COUNT];
};

// NULL with err: no memory, or the table has no kind for some instruction: neither its own nor its unit's.
struct gus_decoder *gus_decoder_create(const struct gus_table *table, struct error *err);
void gus_decoder_destroy(struct gus_decoder *d); // NULL is fine

const struct gus_decoded *gus_decoder_search(struct gus_decoder *d, uint64_t pc, uint32_t insn);
// An instruction as fetched, 16-bit forms zero-extended, at its address. Valid until the next call; NULL: no memory.
static inline const struct gus_decoded *gus_decoder_find(struct gus_decoder *d, uint64_t pc, uint32_t insn) {
    const uint32_t place = d->near[pc / 2 % GUS_NEAR];
    if (place < d->count && d->places[place].pc == pc && d->places[place].insn == insn) return &d->places[place];
    return gus_decoder_search(d, pc, insn);
}

#endif
