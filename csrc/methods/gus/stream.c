// Decodes each instruction of the program once (a hash table by address and bits), then looks up its addresses in the
// caches and its transfers in the predictors.
#include "methods/gus/stream.h"
#include "base/array.h"
#include "base/operands.h"
#include "instructions.h"
#include "iss/rvc.h"
#include "methods/gus/branches.h"
#include "methods/gus/caches.h"
#include <stdlib.h>
#include <string.h>

enum { NOT_A_TRANSFER = -1, RA = 1, T0 = 5, RS1_SHIFT = 15, RS2_SHIFT = 20 };

struct decoded {
    uint64_t pc;
    uint32_t insn;
    uint16_t kind;
    uint8_t length, flags, unit, op;
    int8_t transfer; // enum gus_transfer
    struct operands operands;
};
struct gus_stream {
    struct gus_caches *caches;
    struct gus_branches *branches;
    struct decoded *places;
    size_t count, capacity;
    uint32_t *slots; // place + 1, by hash; a power of two of them
    size_t slot_count;
    uint64_t x[32]; // registers as they are before the next instruction: divisions take as long as their operands say
    uint64_t expected; // address behind the last instruction
    uint64_t block;    // being fetched
    uint32_t block_bytes;
    bool late;
    uint16_t kinds[INSN_COUNT];
};

static const struct insn_info rows[] = {INSN_INFO_ROWS};

static bool find_kinds(struct gus_stream *s, const struct gus_table *table, struct error *err) {
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
        s->kinds[op] = (uint16_t)kind;
    }
    return true;
}

struct gus_stream *gus_stream_create(const struct gus_table *table, struct error *err) {
    struct gus_stream *s = calloc(1, sizeof *s);
    if (!s) {
        error_set(err, "gus: out of memory: free some and run again");
        return NULL;
    }
    s->block_bytes = gus_table_size(table, "fetch_bytes", 16);
    s->caches = gus_caches_create(table, err);
    s->branches = s->caches ? gus_branches_create(table, err) : NULL;
    if (s->branches && find_kinds(s, table, err)) return s;
    gus_stream_destroy(s);
    return NULL;
}

void gus_stream_destroy(struct gus_stream *s) {
    if (!s) return;
    gus_caches_destroy(s->caches);
    gus_branches_destroy(s->branches);
    free(s->places);
    free(s->slots);
    free(s);
}

size_t gus_stream_places(const struct gus_stream *s) {
    return s->count;
}

uint64_t gus_stream_pc(const struct gus_stream *s, size_t place) {
    return s->places[place].pc;
}

uint32_t gus_stream_insn(const struct gus_stream *s, size_t place) {
    return s->places[place].insn;
}

// ---- instructions of the program ----
static bool links(unsigned r) {
    return r == RA || r == T0;
}

// The hints of the unprivileged manual, "Return-address stack prediction hints".
static int8_t transfer_of(unsigned unit, const struct operands *o) {
    if (unit == UNIT_BRANCH) return GUS_CONDITIONAL;
    if (unit == UNIT_JAL) return links(o->rd) ? GUS_CALL : GUS_JUMP;
    if (unit != UNIT_JALR) return NOT_A_TRANSFER;
    if (links(o->rd)) return GUS_INDIRECT_CALL;
    return links(o->rs[0]) ? GUS_RETURN : GUS_INDIRECT;
}

static struct decoded decode(const struct gus_stream *s, uint64_t pc, uint32_t insn) {
    const uint32_t word = (insn & 3) == 3 ? insn : rvc_expand((uint16_t)insn);
    const enum insn_op op = insn_decode(word);
    struct decoded d = {.pc = pc,
                        .insn = insn,
                        .kind = s->kinds[op],
                        .op = (uint8_t)op,
                        .unit = rows[op].unit,
                        .operands = operands_of(insn)};
    d.length = (insn & 3) == 3 ? 4 : 2;
    d.flags = (rows[op].serial ? GUS_SERIAL : 0) | (rows[op].flush ? GUS_FLUSH : 0);
    d.transfer = transfer_of(d.unit, &d.operands);
    return d;
}

static uint64_t hash(uint64_t pc, uint32_t insn) {
    return ((pc >> 1) + insn) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

static bool grow(struct gus_stream *s) {
    size_t more = s->slot_count ? 4 * s->slot_count : 1 << 14;
    uint32_t *slots = calloc(more, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < s->count; i++) {
        size_t at = hash(s->places[i].pc, s->places[i].insn) & (more - 1);
        while (slots[at])
            at = (at + 1) & (more - 1);
        slots[at] = (uint32_t)i + 1;
    }
    free(s->slots);
    s->slots = slots;
    s->slot_count = more;
    return true;
}

static const struct decoded *find(struct gus_stream *s, uint64_t pc, uint32_t insn) {
    if (2 * s->count >= s->slot_count && !grow(s)) return NULL;
    size_t at = hash(pc, insn) & (s->slot_count - 1);
    for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1)) {
        const struct decoded *d = &s->places[s->slots[at] - 1];
        if (d->pc == pc && d->insn == insn) return d;
    }
    if (!array_reserve(&s->places, &s->capacity, s->count, sizeof *s->places)) return NULL;
    s->places[s->count] = decode(s, pc, insn);
    s->slots[at] = (uint32_t)++s->count;
    return &s->places[s->count - 1];
}

// ---- one execution ----
// rtl/execute/div.sv: two bits of the quotient a cycle, from the operands' leading zeros.
static uint16_t division_steps(const struct gus_stream *s, const struct decoded *d) {
    const char *name = rows[d->op].name;
    const bool word = strchr(name, 'w') != NULL, is_unsigned = strchr(name, 'u') != NULL;
    uint64_t a = s->x[d->operands.rs[0]], b = s->x[d->operands.rs[1]];
    if (word) {
        a = is_unsigned ? (uint32_t)a : (uint64_t)(int32_t)a;
        b = is_unsigned ? (uint32_t)b : (uint64_t)(int32_t)b;
    }
    if (!is_unsigned) {
        a = (int64_t)a < 0 ? -a : a;
        b = (int64_t)b < 0 ? -b : b;
    }
    if (b == 0 || a == 0) return 0;
    int zeros_a = __builtin_clzll(a), zeros_b = __builtin_clzll(b);
    return zeros_b >= zeros_a ? (uint16_t)((zeros_b - zeros_a + 2) / 2) : 0;
}

// A packet ends behind a transfer that is taken, and at the end of its block.
static void fetch(struct gus_stream *s, const struct decoded *d, struct gus_event *e) {
    uint64_t block = (d->pc + d->length - 2) / s->block_bytes;
    if (d->pc == s->expected && block == s->block) return;
    e->flags |= GUS_PACKET;
    if (s->late) e->flags |= GUS_BUBBLE;
    s->late = false;
    s->block = block;
    gus_caches_fetch(s->caches, d->pc / 64, e);
}

bool gus_stream_next(struct gus_stream *s, const struct iss_retire *retire, struct gus_event *event) {
    const struct decoded *d = find(s, retire->pc, retire->insn);
    if (!d) return false;
    *event = (struct gus_event){.place = (uint32_t)(d - s->places), .kind = d->kind, .flags = d->flags};
    fetch(s, d, event);
    s->expected = d->pc + d->length;
    if (retire->trap) {
        event->flags |= GUS_FLUSH;
        return true;
    }
    event->target = d->operands.rd;
    memcpy(event->sources, d->operands.rs, sizeof event->sources);
    if (d->unit == UNIT_DIV) event->extra = division_steps(s, d);
    if (retire->access != ISS_ACCESS_NONE) {
        event->flags |= retire->access == ISS_ACCESS_LOAD || d->unit == UNIT_AMO ? GUS_LOAD : 0;
        event->flags |= retire->access == ISS_ACCESS_STORE ? GUS_STORE : 0;
        event->word = retire->address / 8;
        gus_caches_data(s->caches, retire->address / 64, event);
    }
    if (d->transfer != NOT_A_TRANSFER) {
        struct gus_foresight f =
            gus_branches_see(s->branches, (enum gus_transfer)d->transfer, d->pc, s->expected, retire->next_pc);
        if (f.mispredicted) event->flags |= GUS_MISPREDICTED;
        s->late = f.late;
        if (retire->next_pc != s->expected) s->expected = 0, s->block = UINT64_MAX;
    }
    if (retire->rd_written && !retire->rd_fp) s->x[retire->rd] = retire->rd_value;
    return true;
}
