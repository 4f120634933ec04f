// Instructions by address and bits: one row of the table each.
#include "methods/gus/decoder.h"
#include "base/array.h"
#include "isa/rvc.h"
#include "methods/gus/branches.h"
#include "methods/gus/gus.h"
#include <stdlib.h>

enum { RA = 1, T0 = 5 };

static const struct insn_info rows[] = {INSN_INFO_ROWS};

// ---- life ----
static bool find_kinds(struct gus_decoder *d, const struct gus_table *table, struct error *err) {
    static const char *const units[] = {UNIT_NAMES};
    for (size_t op = 0; op < INSN_COUNT; op++) {
        const char *unit = op == INSN_ILLEGAL ? "sys" : units[rows[op].unit];
        int kind = gus_table_kind(table, rows[op].name);
        if (kind < 0) kind = gus_table_kind(table, unit);
        if (kind < 0) {
            error_set(err, "no row `kind` for %s, nor for its unit %s: add one to tables/gus.tsv, and run make gen",
                      rows[op].name, unit);
            return false;
        }
        d->kinds[op] = (uint16_t)kind;
    }
    return true;
}

struct gus_decoder *gus_decoder_create(const struct gus_table *table, struct error *err) {
    struct gus_decoder *d = error_calloc(sizeof *d, "gus", err);
    if (!d) return NULL;
    d->serial = gus_table_size(table, "serial", 1) != 0;
    if (find_kinds(d, table, err)) return d;
    gus_decoder_destroy(d);
    return NULL;
}

void gus_decoder_destroy(struct gus_decoder *d) {
    if (!d) return;
    free(d->places);
    hash_index_free(&d->index);
    free(d);
}

// ---- one instruction ----
static bool links(unsigned r) {
    return r == RA || r == T0;
}

// The hints of the unprivileged manual, "Return-address stack prediction hints".
static uint8_t transfer_of(unsigned unit, const struct operands *o) {
    if (unit == UNIT_BRANCH) return GUS_CONDITIONAL;
    if (unit == UNIT_JAL) return links(o->rd) ? GUS_CALL : GUS_JUMP;
    if (unit != UNIT_JALR) return GUS_NO_TRANSFER;
    if (links(o->rd)) return links(o->rs[0]) && o->rs[0] != o->rd ? GUS_SWAP : GUS_INDIRECT_CALL;
    return links(o->rs[0]) ? GUS_RETURN : GUS_INDIRECT;
}

static struct gus_decoded decode(const struct gus_decoder *d, uint64_t pc, uint32_t insn) {
    const uint32_t word = insn_word(insn);
    const enum insn_op op = insn_decode(word);
    struct gus_decoded found = {.pc = pc,
                                .insn = insn,
                                .place = (uint32_t)d->count,
                                .kind = d->kinds[op],
                                .op = (uint8_t)op,
                                .unit = rows[op].unit,
                                .operands = operands_of(insn)};
    found.length = (insn & 3) == 3 ? 4 : 2;
    if (d->serial) found.flags = (rows[op].serial ? GUS_SERIAL : 0) | (rows[op].flush ? GUS_FLUSH : 0);
    found.rare = found.unit == UNIT_CSR || found.unit == UNIT_FENCE || found.unit == UNIT_AMO;
    found.transfer = transfer_of(found.unit, &found.operands);
    return found;
}

// ---- all of them ----
struct key {
    uint64_t pc;
    uint32_t insn;
};

static uint64_t hash(uint64_t pc, uint32_t insn) {
    return (pc >> 1) + insn;
}
static uint64_t hash_of(const void *decoder, uint32_t place) {
    const struct gus_decoded *found = &((const struct gus_decoder *)decoder)->places[place];
    return hash(found->pc, found->insn);
}
static bool is_it(const void *decoder, uint32_t place, const void *key) {
    const struct gus_decoded *found = &((const struct gus_decoder *)decoder)->places[place];
    const struct key *k = key;
    return found->pc == k->pc && found->insn == k->insn;
}

const struct gus_decoded *gus_decoder_search(struct gus_decoder *d, uint64_t pc, uint32_t insn) {
    const struct key key = {pc, insn};
    uint32_t place = hash_index_find(&d->index, hash(pc, insn), is_it, d, &key);
    if (place == HASH_INDEX_NONE) {
        if (!hash_index_reserve(&d->index, 0, (uint32_t)d->count, hash_of, d) ||
            !array_reserve(&d->places, &d->capacity, d->count, sizeof *d->places))
            return NULL;
        place = (uint32_t)d->count;
        d->places[place] = decode(d, pc, insn);
        hash_index_put(&d->index, hash(pc, insn), place);
        d->count++;
    }
    d->near[pc / 2 % GUS_NEAR] = place;
    return &d->places[place];
}
