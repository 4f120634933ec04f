// Looks up an instruction's addresses in the caches, and its transfers in the predictors.
#include "methods/gus/stream.h"
#include "csrs.h"
#include "memory_map.h"
#include "methods/gus/branches.h"
#include "methods/gus/caches.h"
#include "methods/gus/decoder.h"
#include "methods/gus/division.h"
#include "methods/gus/engine.h"
#include "methods/gus/translation.h"
#include <stdlib.h>
#include <string.h>

enum { WAIT_BITS = 256, WAIT_CLEAR = 17 };
#define LATEST (UINT64_MAX / 2) // cycle

struct gus_stream {
    struct gus_caches *caches;
    struct gus_branches *branches;
    struct gus_translation *translation;
    struct gus_decoder *decoder;
    bool borrowed;                         // the decoder is another stream's
    uint64_t registers[OPERAND_REGISTERS]; // before the next instruction: divisions take as long as their operands say
    uint32_t waits[WAIT_BITS / 32];        // rtl/issue/wait_table.sv
    uint64_t waits_since;                  // number of times that it was cleared
    uint64_t expected;                     // address after the last instruction
    uint64_t block;                        // being fetched
    uint32_t block_bits;                   // log2 of its bytes
    bool late_training, translates, ordered, early, devices, split, serial, bytes; // rows of type option
    bool late, ended; // how the packet before ended: its successor's address was late, it was a transfer's
    uint8_t csr_flushes[(1 << 12) / 8]; // a bit a CSR: writing it flushes
    const struct gus *clock;            // who says when; NULL: no time passes
    uint64_t page, page_to;             // of the packet fetched last: virtual / 4096, physical
    bool page_known;
};

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
    return gus_stream_create_in(table, NULL, NULL, err);
}

struct gus_stream *gus_stream_create_in(const struct gus_table *table, struct gus_hub *hub,
                                        const struct gus_stream *first, struct error *err) {
    struct gus_stream *s = error_calloc(sizeof *s, "gus", err);
    if (!s) return NULL;
    s->block_bits = 31 - (unsigned)__builtin_clz(gus_table_size(table, "fetch_bytes", 16) | 1);
    s->caches = gus_caches_create(table, hub, err);
    s->branches = s->caches ? gus_branches_create(table, err) : NULL;
    s->translation = s->branches ? gus_translation_create(table, err) : NULL;
    s->borrowed = first != NULL;
    s->decoder = first ? first->decoder : gus_decoder_create(table, err);
    find_options(s, table);
    find_flushes(s, gus_table_size(table, "fcsr_flush", 0) != 0);
    if (s->translation && s->decoder) return s;
    gus_stream_destroy(s);
    return NULL;
}

void gus_stream_destroy(struct gus_stream *s) {
    if (!s) return;
    gus_caches_destroy(s->caches);
    gus_branches_destroy(s->branches);
    gus_translation_destroy(s->translation);
    if (!s->borrowed) gus_decoder_destroy(s->decoder);
    free(s);
}

size_t gus_stream_places(const struct gus_stream *s) {
    return s->decoder->count;
}

uint64_t gus_stream_pc(const struct gus_stream *s, size_t place) {
    return s->decoder->places[place].pc;
}

uint32_t gus_stream_insn(const struct gus_stream *s, size_t place) {
    return s->decoder->places[place].insn;
}

// ---- one execution ----
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

// A packet ends after a transfer that is taken or mispredicted, and at the end of its block. An instruction that goes
// on in the next block belongs to that one: entered by a transfer, its first half costs a fetch of its own.
static void fetch(struct gus_stream *s, struct iss *iss, const struct gus_decoded *d, const struct iss_retire *retire,
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

static void transfer(struct gus_stream *s, const struct gus_decoded *d, uint64_t target, struct gus_event *event) {
    struct gus_foresight f =
        gus_branches_see(s->branches, (enum gus_transfer)d->transfer, s->expected - 2, s->expected, target);
    if (f.mispredicted) event->flags |= GUS_MISPREDICTED;
    s->late = f.late;
    s->ended = f.ends;
}

// A load that went ahead of a store of its bytes is fetched again, and waits for the addresses of stores from then on,
// until the table is cleared (rtl/issue/wait_table.sv, hash).
static void order(struct gus_stream *s, const struct gus_decoded *d, struct gus_event *e) {
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
static void access(struct gus_stream *s, struct iss *iss, const struct gus_decoded *d, const struct iss_retire *retire,
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
        gus_caches_data(s->caches, line, store, d->unit == UNIT_AMO, pending, e);
        if (pending) e->flags |= GUS_AGAIN;
        return;
    }
    if (s->devices) e->flags |= GUS_DEVICE | (store ? 0 : GUS_OLDEST);
}

// What changes the address space, or drops what is known of it.
static void change(struct gus_stream *s, const struct gus_decoded *d, const struct iss_retire *retire,
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

// Of divisions and roots.
static int16_t steps(const struct gus_stream *s, const struct gus_decoded *d, const struct iss_retire *retire) {
    const uint64_t a = s->registers[d->operands.rs[0]], b = s->registers[d->operands.rs[1]];
    if (d->unit == UNIT_DIV) return gus_division_steps(d->op, a, b, s->early);
    return retire->rd_written ? gus_fp_steps_less(d->op, a, b, retire->rd_value, s->early) : 0;
}

bool gus_stream_next(struct gus_stream *s, struct iss *iss, const struct iss_retire *retire, struct gus_event *event) {
    const struct gus_decoded *d = gus_decoder_find(s->decoder, retire->pc, retire->insn);
    if (!d) return false;
    *event = (struct gus_event){.place = d->place, .kind = d->kind, .flags = d->flags};
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
    if (d->unit == UNIT_DIV || d->unit == UNIT_FP) event->extra = steps(s, d, retire);
    if (retire->access != ISS_ACCESS_NONE) access(s, iss, d, retire, event);
    if (d->transfer != GUS_NO_TRANSFER) transfer(s, d, retire->next_pc, event);
    if (retire->rd_written) s->registers[retire->rd + (retire->rd_fp ? OPERAND_F0 : 0)] = retire->rd_value;
    return true;
}

void gus_stream_enter(struct gus_stream *s, const struct hart *hart) {
    uint64_t satp;
    for (unsigned i = 0; i < OPERAND_F0; i++)
        s->registers[i] = hart_x(hart, i);
    for (unsigned i = OPERAND_F0; i < OPERAND_REGISTERS; i++)
        s->registers[i] = hart_f(hart, i - OPERAND_F0);
    if (hart_csr(hart, CSR_SATP, &satp) == 0) gus_translation_space(s->translation, satp);
    s->ended = true;
    s->page_known = false;
}

void gus_stream_left(struct gus_stream *s, uint64_t time) {
    gus_branches_left(s->branches, s->late_training ? time / GUS_CYCLE : LATEST / 2);
}

void gus_stream_set_clock(struct gus_stream *s, const struct gus *clock) {
    s->clock = clock;
}
