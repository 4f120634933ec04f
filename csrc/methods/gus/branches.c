// Packets in flight are a ring: predicted when they are fetched, trained in order once they have left, one a cycle.
//
//   packet --read--> guess of the next one --see--> record --left--> train (tables, buffer)
//
// After reset the core clears its tables, a row a cycle; until then it predicts no taken branch and learns nothing.
#include "methods/gus/branches.h"
#include "methods/gus/tage.h"
#include <stdlib.h>
#include <string.h>

enum { IN_FLIGHT = 256, BTB_WAYS = 2, BTB_TAG = 14, RELEASE = 2 };

struct target {
    uint64_t to;
    uint16_t tag;
    uint8_t slot, transfer; // GUS_NO_TRANSFER: never written
};
struct packet {
    uint64_t block, to, due; // due: cycle from which what it taught can be read
    struct gus_tage_packet directions;
    uint8_t last, transfer, known[BTB_WAYS]; // known: slots of the buffer's entries, or NO_SLOT
    bool taken, mispredicted;
};
struct gus_branches {
    struct gus_tage *tage;
    struct target *btb;
    uint64_t *returns, top;
    struct packet ring[IN_FLIGHT];
    uint64_t head, tail, next;            // oldest that has not trained, one after the newest, oldest that has not left
    uint64_t guess_to, cleared, released; // the last two: cycles
    uint32_t slots, slot_shift, btb_sets, return_size, depth;
    uint8_t guess_slot;
    bool perfect, guess_taken, open, victim;
};
enum { NO_SLOT = 0xff };

static unsigned log2_of(uint32_t n) {
    return 31 - (unsigned)__builtin_clz(n | 1);
}

struct gus_branches *gus_branches_create(const struct gus_table *table, struct error *err) {
    struct gus_branches *b = calloc(1, sizeof *b);
    bool good = b != NULL;
    if (good) {
        uint32_t rows = gus_table_size(table, "base_rows", 0), tagged = gus_table_size(table, "tage_rows", 1);
        b->perfect = rows == 0;
        b->slots = gus_table_size(table, "fetch_bytes", 16) / 2;
        b->slot_shift = log2_of(b->slots) + 1;
        b->btb_sets = gus_table_size(table, "btb_entries", BTB_WAYS) / BTB_WAYS;
        b->return_size = gus_table_size(table, "ras_entries", 1);
        b->cleared = rows > tagged ? rows : tagged;
        b->tage = gus_tage_create(gus_table_size(table, "tage_tables", 0), tagged, rows ? rows : 1, b->slots);
        b->btb = calloc((size_t)b->btb_sets * BTB_WAYS, sizeof *b->btb);
        b->returns = calloc(b->return_size, sizeof *b->returns);
        good = b->tage && b->btb && b->returns;
    }
    if (good) return b;
    error_nomem(err, "gus");
    gus_branches_destroy(b);
    return NULL;
}

void gus_branches_destroy(struct gus_branches *b) {
    if (!b) return;
    gus_tage_destroy(b->tage);
    free(b->btb);
    free(b->returns);
    free(b);
}

// ---- training ----
static uint16_t tag_of(const struct gus_branches *b, uint64_t block) {
    uint64_t above = block >> log2_of(b->btb_sets);
    return (uint16_t)((above ^ above >> BTB_TAG) & ((1u << BTB_TAG) - 1));
}

static struct target *set_of(const struct gus_branches *b, uint64_t block) {
    return &b->btb[(block & (b->btb_sets - 1)) * BTB_WAYS];
}

static void train_target(struct gus_branches *b, const struct packet *p) {
    unsigned way = p->known[0] == p->last ? 0 : p->known[1] == p->last ? 1 : b->victim;
    if (p->known[0] != p->last && p->known[1] != p->last) b->victim = !b->victim;
    set_of(b, p->block)[way] = (struct target){p->to, tag_of(b, p->block), p->last, p->transfer};
}

static void train(struct gus_branches *b, const struct packet *p) {
    const bool clear = p->due <= b->cleared;
    gus_tage_train(b->tage, &p->directions, p->taken ? p->last : NO_SLOT, p->mispredicted ? p->last : NO_SLOT, clear);
    if (p->taken && p->due > b->btb_sets) train_target(b, p);
}

static void train_until(struct gus_branches *b, uint64_t cycle) {
    for (; b->head != b->next && b->ring[b->head % IN_FLIGHT].due <= cycle; b->head++)
        train(b, &b->ring[b->head % IN_FLIGHT]);
}

void gus_branches_left(struct gus_branches *b, uint64_t cycle) {
    uint64_t due = cycle + RELEASE;
    for (; b->next + 1 < b->tail; b->next++) {
        b->released = due > b->released + 1 ? due : b->released + 1; // one packet a cycle
        b->ring[b->next % IN_FLIGHT].due = b->released;
    }
}

// ---- prediction ----
// The earlier of two taken transfers that the buffer knows ends the packet.
static void guess(struct gus_branches *b, struct packet *p, unsigned from, bool clearing) {
    const struct target *set = set_of(b, p->block);
    const uint16_t tag = tag_of(b, p->block);
    b->guess_taken = false;
    b->guess_slot = NO_SLOT;
    for (unsigned way = 0; way < BTB_WAYS; way++) {
        const struct target *t = &set[way];
        bool known = !clearing && t->transfer != GUS_NO_TRANSFER && t->tag == tag;
        p->known[way] = known ? t->slot : NO_SLOT;
        if (!known || t->slot < from || t->slot >= b->guess_slot) continue;
        if (t->transfer == GUS_CONDITIONAL && !gus_tage_taken(b->tage, &p->directions, t->slot)) continue;
        b->guess_taken = true;
        b->guess_slot = t->slot;
        b->guess_to = t->transfer == GUS_RETURN || t->transfer == GUS_SWAP ? b->top : t->to;
    }
}

bool gus_branches_packet(struct gus_branches *b, uint64_t address, uint64_t cycle) {
    if (b->perfect) return false;
    const bool late = b->open && b->guess_taken; // nothing was taken
    if (b->tail - b->head == IN_FLIGHT) {        // nothing was reported to have left
        b->ring[b->head % IN_FLIGHT].due = cycle;
        b->next += b->next == b->head;
        train(b, &b->ring[b->head++ % IN_FLIGHT]);
    }
    train_until(b, cycle);
    struct packet *p = &b->ring[b->tail++ % IN_FLIGHT];
    p->block = address >> b->slot_shift;
    p->last = (uint8_t)(b->slots - 1);
    p->transfer = GUS_NO_TRANSFER;
    p->taken = p->mispredicted = false;
    p->due = UINT64_MAX;
    gus_tage_read(&p->directions, p->block, cycle < b->cleared);
    guess(b, p, (unsigned)(address / 2 & (b->slots - 1)), cycle < b->btb_sets);
    b->open = true;
    return late;
}

static void push(struct gus_branches *b, uint64_t link) {
    b->returns[b->depth & (b->return_size - 1)] = b->top;
    b->depth++;
    b->top = link;
}

static void pop(struct gus_branches *b) {
    b->depth--;
    b->top = b->returns[b->depth & (b->return_size - 1)];
}

static struct gus_foresight end(struct gus_branches *b, struct packet *p, enum gus_transfer transfer, uint8_t slot,
                                uint64_t predicted, uint64_t behind, uint64_t target) {
    struct gus_foresight f = {.ends = true, .mispredicted = predicted != target};
    f.late = !f.mispredicted && !(b->guess_taken && b->guess_slot == slot && b->guess_to == target);
    if (transfer == GUS_CALL || transfer == GUS_INDIRECT_CALL) push(b, behind);
    if (transfer == GUS_RETURN) pop(b);
    if (transfer == GUS_SWAP) b->top = behind;
    p->last = slot;
    p->transfer = (uint8_t)transfer;
    p->taken = true;
    p->to = target;
    gus_tage_push(b->tage, (uint16_t)(p->block << (b->slot_shift - 1) | slot), (uint16_t)(target >> 1));
    b->open = false;
    return f;
}

struct gus_foresight gus_branches_see(struct gus_branches *b, enum gus_transfer transfer, uint64_t last,
                                      uint64_t behind, uint64_t target) {
    if (b->perfect) return (struct gus_foresight){.ends = target != behind};
    struct packet *p = &b->ring[(b->tail - 1) % IN_FLIGHT];
    const uint8_t slot = (uint8_t)(last / 2 & (b->slots - 1));
    if (transfer == GUS_CONDITIONAL) {
        bool predicted = gus_tage_see(b->tage, &p->directions, slot), taken = target != behind;
        if (predicted == taken && !taken) return (struct gus_foresight){false, false, false};
        if (predicted == taken) return end(b, p, transfer, slot, target, behind, target);
        p->mispredicted = true;
        p->last = slot;
        if (taken) return end(b, p, transfer, slot, behind, behind, target);
        b->open = false;
        return (struct gus_foresight){.mispredicted = true, .ends = true};
    }
    uint64_t predicted = target;
    if (transfer == GUS_RETURN || transfer == GUS_SWAP) predicted = b->top;
    if (transfer == GUS_INDIRECT || transfer == GUS_INDIRECT_CALL)
        predicted = b->guess_taken && b->guess_slot == slot ? b->guess_to : behind;
    return end(b, p, transfer, slot, predicted, behind, target);
}

void gus_branches_cut(struct gus_branches *b) {
    if (b->perfect) return;
    gus_tage_forget(&b->ring[(b->tail - 1) % IN_FLIGHT].directions);
    b->ring[(b->tail - 1) % IN_FLIGHT].taken = false;
    b->open = false;
}
