// Decodes each instruction of the program once (a hash table by address and bits), then looks up its addresses in the
// caches and its transfers in the predictors.
#include "methods/gus/stream.h"
#include "base/array.h"
#include "base/operands.h"
#include "csrs.h"
#include "instructions.h"
#include "iss/rvc.h"
#include "memory_map.h"
#include "methods/gus/branches.h"
#include "methods/gus/caches.h"
#include "methods/gus/engine.h"
#include "methods/gus/translation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RA = 1,
    T0 = 5,
    WAIT_BITS = 256,
    WAIT_CLEAR = 17,
    DOUBLE_BITS = 53,
    SINGLE_BITS = 24,
    DOUBLE_STEPS = 28,
    SINGLE_STEPS = 13,
    LONGEST = 32 // steps of a division
};
#define LATEST (UINT64_MAX / 2) // cycle

struct decoded {
    uint64_t pc;
    uint32_t insn;
    uint16_t kind;
    uint8_t length, flags, unit, op;
    uint8_t transfer; // enum gus_transfer
    bool rare;        // changes more than registers and memory
    struct operands operands;
    uint32_t next; // place of what followed last
};
struct gus_stream {
    struct gus_caches *caches;
    struct gus_branches *branches;
    struct gus_translation *translation;
    struct decoded *places;
    size_t count, capacity;
    uint32_t newest; // place of the instruction before
    uint32_t *slots; // place + 1, by hash; a power of two of them
    size_t slot_count;
    uint64_t registers[OPERAND_REGISTERS]; // before the next instruction: divisions take as long as their operands say
    uint32_t waits[WAIT_BITS / 32];        // rtl/issue/wait_table.sv
    uint64_t waits_since;                  // number of times that it was cleared
    uint64_t expected;                     // address behind the last instruction
    uint64_t block;                        // being fetched
    uint32_t block_bits;                   // log2 of its bytes
    bool late_training, translates, ordered, early, devices, split, serial, bytes; // rows of type option
    bool late, ended; // how the packet before ended: its successor's address was late, it was a transfer's
    uint8_t csr_flushes[(1 << 12) / 8]; // a bit a CSR: writing it flushes
    const struct gus *clock;            // who says when; NULL: no time passes
    uint64_t page, page_to;             // of the packet fetched last: virtual / 4096, physical
    bool page_known;
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

static void find_options(struct gus_stream *s, const struct gus_table *table) {
    s->late_training = gus_table_size(table, "late_training", 1) != 0;
    s->translates = gus_table_size(table, "translation", 1) != 0;
    s->ordered = gus_table_size(table, "memory_order", 1) != 0;
    s->early = gus_table_size(table, "early_division", 1) != 0;
    s->devices = gus_table_size(table, "devices", 1) != 0;
    s->split = gus_table_size(table, "split_stores", 0) != 0;
    s->serial = gus_table_size(table, "serial", 1) != 0;
    s->bytes = gus_table_size(table, "bytes", 1) != 0;
}

static void find_flushes(struct gus_stream *s, bool fcsr) {
    static const struct csr_info csrs[] = {CSR_INFO_ROWS};
    for (size_t i = 0; i < CSR_COUNT; i++) {
        const uint16_t a = csrs[i].address;
        if (csrs[i].flush && (!csrs[i].fp || fcsr)) s->csr_flushes[a / 8] |= (uint8_t)(1u << a % 8);
    }
}

struct gus_stream *gus_stream_create(const struct gus_table *table, struct error *err) {
    struct gus_stream *s = calloc(1, sizeof *s);
    if (!s) {
        error_set(err, "gus: out of memory: free some and run again");
        return NULL;
    }
    s->block_bits = 31 - (unsigned)__builtin_clz(gus_table_size(table, "fetch_bytes", 16) | 1);
    s->caches = gus_caches_create(table, err);
    s->branches = s->caches ? gus_branches_create(table, err) : NULL;
    s->translation = s->branches ? gus_translation_create(table, err) : NULL;
    find_options(s, table);
    find_flushes(s, gus_table_size(table, "fcsr_flush", 0) != 0);
    if (s->translation && find_kinds(s, table, err)) return s;
    gus_stream_destroy(s);
    return NULL;
}

void gus_stream_destroy(struct gus_stream *s) {
    if (!s) return;
    gus_caches_destroy(s->caches);
    gus_branches_destroy(s->branches);
    gus_translation_destroy(s->translation);
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
static uint8_t transfer_of(unsigned unit, const struct operands *o) {
    if (unit == UNIT_BRANCH) return GUS_CONDITIONAL;
    if (unit == UNIT_JAL) return links(o->rd) ? GUS_CALL : GUS_JUMP;
    if (unit != UNIT_JALR) return GUS_NO_TRANSFER;
    if (links(o->rd)) return links(o->rs[0]) && o->rs[0] != o->rd ? GUS_SWAP : GUS_INDIRECT_CALL;
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
    if (s->serial) d.flags = (rows[op].serial ? GUS_SERIAL : 0) | (rows[op].flush ? GUS_FLUSH : 0);
    d.rare = d.unit == UNIT_CSR || d.unit == UNIT_FENCE || d.unit == UNIT_AMO;
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

// The place; false: no memory.
static bool look_up(struct gus_stream *s, uint64_t pc, uint32_t insn, uint32_t *place) {
    if (2 * s->count >= s->slot_count && !grow(s)) return false;
    size_t at = hash(pc, insn) & (s->slot_count - 1);
    for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1)) {
        const struct decoded *d = &s->places[s->slots[at] - 1];
        *place = s->slots[at] - 1;
        if (d->pc == pc && d->insn == insn) return true;
    }
    if (!array_reserve(&s->places, &s->capacity, s->count, sizeof *s->places)) return false;
    *place = (uint32_t)s->count;
    s->places[s->count] = decode(s, pc, insn);
    s->slots[at] = (uint32_t)++s->count;
    return true;
}

// Most follow what they followed the last time.
static const struct decoded *find(struct gus_stream *s, uint64_t pc, uint32_t insn) {
    if (s->count) {
        const uint32_t next = s->places[s->newest].next;
        const struct decoded *d = &s->places[next];
        if (d->pc == pc && d->insn == insn) {
            s->newest = next;
            return d;
        }
    }
    uint32_t place;
    const bool first = s->count == 0;
    if (!look_up(s, pc, insn, &place)) return NULL;
    if (!first) s->places[s->newest].next = place;
    s->newest = place;
    return &s->places[place];
}

// ---- one execution ----
// rtl/execute/div.sv: two bits of the quotient a cycle, from the operands' leading zeros.
static int16_t division_steps(const struct gus_stream *s, const struct decoded *d) {
    const char *name = rows[d->op].name;
    const bool word = strchr(name, 'w') != NULL, is_unsigned = strchr(name, 'u') != NULL;
    uint64_t a = s->registers[d->operands.rs[0]], b = s->registers[d->operands.rs[1]];
    if (word) {
        a = is_unsigned ? (uint32_t)a : (uint64_t)(int32_t)a;
        b = is_unsigned ? (uint32_t)b : (uint64_t)(int32_t)b;
    }
    if (!is_unsigned) {
        a = (int64_t)a < 0 ? -a : a;
        b = (int64_t)b < 0 ? -b : b;
    }
    if (!s->early) return word ? LONGEST / 2 : LONGEST;
    if (b == 0 || a == 0) return 0;
    int zeros_a = __builtin_clzll(a), zeros_b = __builtin_clzll(b);
    return zeros_b >= zeros_a ? (int16_t)((zeros_b - zeros_a + 2) / 2) : 0;
}

// Whether a quotient or a root needs no rounding.
static bool exact(const struct gus_stream *s, const struct decoded *d, uint64_t result, bool is_double, bool root) {
    const uint64_t a = s->registers[d->operands.rs[0]], b = root ? result : s->registers[d->operands.rs[1]];
    if (is_double) {
        double x, y, z;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        memcpy(&z, &result, sizeof z);
        return fma(z, y, -x) == 0;
    }
    float x, y, z;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    memcpy(&z, &result, sizeof z);
    return (double)z * y == x;
}

// Zero, infinite, or no number, as a single one unless it is boxed.
static bool special(uint64_t x, bool is_double) {
    if (is_double) return x << 1 == 0 || (x >> 52 & 0x7ff) == 0x7ff;
    return x >> 32 != UINT32_MAX || (uint32_t)x << 1 == 0 || (x >> 23 & 0xff) == 0xff;
}

// rtl/execute/fp_divsqrt.sv: two bits of the result a cycle, until the remainder is zero: how many cycles that saves.
static int16_t fp_steps_less(const struct gus_stream *s, const struct decoded *d, uint64_t result) {
    const bool is_double = d->op == INSN_FDIV_D || d->op == INSN_FSQRT_D;
    const bool root = d->op == INSN_FSQRT_D || d->op == INSN_FSQRT_S;
    if (!is_double && !root && d->op != INSN_FDIV_S) return 0;
    const int bits = is_double ? DOUBLE_BITS : SINGLE_BITS, steps = is_double ? DOUBLE_STEPS : SINGLE_STEPS;
    const uint64_t a = s->registers[d->operands.rs[0]], b = root ? a : s->registers[d->operands.rs[1]];
    const bool negative = root && a >> (is_double ? 63 : 31) & 1;
    if (s->early && (special(a, is_double) || special(b, is_double) || negative)) return (int16_t)-steps;
    const uint64_t fraction = result & ((UINT64_C(1) << (bits - 1)) - 1);
    const int used = fraction ? bits - __builtin_ctzll(fraction) : 1;
    if (!s->early || used == bits || !exact(s, d, result, is_double, root)) return 0;
    return (int16_t)((used + 1) / 2 - steps);
}

// The physical address of a fetch; it was made a moment ago, so that the tables are as they were.
static bool page_of(struct gus_stream *s, struct iss *iss, uint64_t pc, uint64_t *physical) {
    if (!s->page_known || pc >> 12 != s->page) {
        uint64_t to;
        if (!gus_translation_address(s->translation, iss, pc, &to)) return false;
        s->page = pc >> 12;
        s->page_to = to & ~(uint64_t)4095;
        s->page_known = true;
    }
    *physical = s->page_to | (pc & 4095);
    return true;
}

// A packet ends behind a transfer that is taken or mispredicted, and at the end of its block. An instruction that goes
// on in the next block belongs to that one: entered by a transfer, its first half costs a fetch of its own.
static void fetch(struct gus_stream *s, struct iss *iss, const struct decoded *d, const struct iss_retire *retire,
                  struct gus_event *e) {
    const uint64_t last = d->pc + d->length - 2, block = last >> s->block_bits;
    const bool entered = s->ended || d->pc != s->expected;
    if (!entered && block == s->block) return;
    const bool straddles = d->pc >> s->block_bits != block;
    const uint64_t cycle = !s->late_training ? LATEST : s->clock ? gus_next_fetch(s->clock) / GUS_CYCLE : 0;
    e->flags |= GUS_PACKET;
    e->bubbles = s->late;
    e->bubbles += straddles && entered;
    e->bubbles += gus_branches_packet(s->branches, straddles ? last : d->pc, cycle);
    s->late = s->ended = false;
    s->block = block;
    if (retire->translated && s->translates) gus_translation_see(s->translation, iss, s->caches, true, d->pc, e);
    uint64_t physical = d->pc;
    if (retire->translated && (!iss || !page_of(s, iss, d->pc, &physical))) return; // the fetch faults
    gus_caches_fetch(s->caches, physical / 64, e);
}

static void transfer(struct gus_stream *s, const struct decoded *d, uint64_t target, struct gus_event *event) {
    struct gus_foresight f =
        gus_branches_see(s->branches, (enum gus_transfer)d->transfer, s->expected - 2, s->expected, target);
    if (f.mispredicted) event->flags |= GUS_MISPREDICTED;
    s->late = f.late;
    s->ended = f.ends;
}

// A load that went ahead of a store of its bytes is fetched again, and waits for the addresses of stores from then on,
// until the table is cleared (rtl/issue/wait_table.sv, hash).
static void order(struct gus_stream *s, const struct decoded *d, struct gus_event *e) {
    if (!s->clock || !s->ordered) return;
    const uint64_t period = gus_time(s->clock) / GUS_CYCLE >> WAIT_CLEAR;
    const unsigned at = (unsigned)(d->pc >> 1 ^ d->pc >> 9) % WAIT_BITS;
    if (period != s->waits_since) memset(s->waits, 0, sizeof s->waits);
    s->waits_since = period;
    if (s->waits[at / 32] >> at % 32 & 1) {
        e->flags |= GUS_WAITS;
    } else if (gus_goes_ahead(s->clock, e->word, e->mask, e->sources[0])) {
        e->flags |= GUS_REPLAYED;
        s->waits[at / 32] |= 1u << at % 32;
    }
}

// What an access is to the memory system.
static void access(struct gus_stream *s, struct iss *iss, const struct decoded *d, const struct iss_retire *retire,
                   struct gus_event *e) {
    const bool store = retire->access == ISS_ACCESS_STORE, device = retire->address < DRAM_BASE;
    e->flags |= !store || d->unit == UNIT_AMO ? GUS_LOAD : 0;
    e->flags |= store ? GUS_STORE : 0;
    e->word = retire->address / 8;
    e->mask = s->bytes ? (uint8_t)(((1u << retire->size) - 1) << (retire->address & 7)) : 0xff;
    if (retire->data_translated && s->translates) {
        e->page = (uint32_t)(retire->virtual_address >> 12) | 1u << 31;
        gus_translation_see(s->translation, iss, s->caches, false, retire->virtual_address, e);
        if (s->clock && gus_page_pending(s->clock, e->page)) e->flags |= GUS_PAGE_AGAIN;
    }
    if (s->split && d->unit == UNIT_STORE && s->clock && gus_later(s->clock, e->sources[1], e->sources[0]))
        e->flags |= GUS_SPLIT;
    if (!device) {
        const uint64_t line = retire->address / 64;
        if (d->unit == UNIT_LOAD) order(s, d, e);
        const bool pending = s->clock && gus_line_pending(s->clock, line);
        gus_caches_data(s->caches, line, store, pending, e);
        if (pending) e->flags |= GUS_AGAIN;
        return;
    }
    if (s->devices) e->flags |= GUS_DEVICE | (store ? 0 : GUS_OLDEST);
}

// What changes the address space, or drops what is known of it.
static void change(struct gus_stream *s, const struct decoded *d, const struct iss_retire *retire,
                   struct gus_event *e) {
    if (retire->csr_written) {
        const uint16_t a = retire->csr;
        if (s->serial && s->csr_flushes[a / 8] >> a % 8 & 1) e->flags |= GUS_FLUSH;
        if (a == CSR_SATP) gus_translation_space(s->translation, retire->csr_value);
        if (a >= CSR_PMPCFG0 && a <= CSR_PMPADDR0 + 63) gus_translation_flush(s->translation, false, 0, false, 0);
        s->page_known = false;
    }
    if (d->op == INSN_FENCE_I) e->extra = (int16_t)gus_caches_clean(s->caches, e);
    if (d->op == INSN_SFENCE_VMA) {
        const uint8_t *rs = d->operands.rs;
        gus_translation_flush(s->translation, rs[0] != 0, s->registers[rs[0]], rs[1] != 0, s->registers[rs[1]]);
        s->page_known = false;
    }
    if (s->serial && (d->unit == UNIT_FENCE || d->unit == UNIT_AMO)) e->flags |= GUS_OLDEST;
}

bool gus_stream_next(struct gus_stream *s, struct iss *iss, const struct iss_retire *retire, struct gus_event *event) {
    const struct decoded *d = find(s, retire->pc, retire->insn);
    if (!d) return false;
    *event = (struct gus_event){.place = (uint32_t)(d - s->places), .kind = d->kind, .flags = d->flags};
    fetch(s, iss, d, retire, event);
    s->expected = d->pc + d->length;
    if (d->rare) change(s, d, retire, event);
    if (retire->trap || (event->flags & GUS_FLUSH)) {
        gus_branches_cut(s->branches);
        s->ended = true;
        s->page_known = false;
    }
    if (retire->trap) {
        event->flags |= GUS_FLUSH;
        return true;
    }
    event->target = d->operands.rd;
    memcpy(event->sources, d->operands.rs, sizeof event->sources);
    if (d->unit == UNIT_DIV) event->extra = division_steps(s, d);
    if (d->unit == UNIT_FP && retire->rd_written) event->extra = fp_steps_less(s, d, retire->rd_value);
    if (retire->access != ISS_ACCESS_NONE) access(s, iss, d, retire, event);
    if (d->transfer != GUS_NO_TRANSFER) transfer(s, d, retire->next_pc, event);
    if (retire->rd_written) s->registers[retire->rd + (retire->rd_fp ? OPERAND_F0 : 0)] = retire->rd_value;
    return true;
}

void gus_stream_left(struct gus_stream *s, uint64_t time) {
    gus_branches_left(s->branches, s->late_training ? time / GUS_CYCLE : LATEST / 2);
}

void gus_stream_set_clock(struct gus_stream *s, const struct gus *clock) {
    s->clock = clock;
}
