// History is 128 positions, two for each taken transfer; of each table's newest ones three folds slide along with it:
//
//   fold' = fold turned left by 2  ^  the two positions that fall out  ^  the new transfer's mark, folded
#include "methods/gus/tage.h"
#include <stdlib.h>
#include <string.h>

enum { TAG_BITS = 10, FOLDS = 3, MARK_BITS = 16 };

struct entry {
    uint16_t tag;
    uint8_t counter; // 0 to 7: taken from 4 on
    bool useful;
};
struct fold {
    uint32_t value;
    uint8_t width, out; // out: where the position that falls out next but one stands
};
struct gus_tage {
    uint8_t *base; // two-bit counters, by row and slot
    struct entry *entries[GUS_TAGE_TABLES];
    struct fold folds[GUS_TAGE_TABLES][FOLDS]; // of the row's width, the tag's, the tag's less one
    uint8_t length[GUS_TAGE_TABLES];
    uint64_t history[2]; // the newest lowest
    uint32_t tables, rows, base_rows, slots, row_bits, slot_bits;
    uint8_t use_alternative, random;
};

static unsigned log2_of(uint32_t n) {
    return 31 - (unsigned)__builtin_clz(n | 1);
}

// fetch_pkg.sv, history_length.
static uint8_t positions(unsigned number, unsigned tables) {
    unsigned eighths = tables > 1 ? number * 32 / (tables - 1) : 16;
    return (uint8_t)((8u << (eighths / 8)) * (8 + eighths % 8) / 8);
}

struct gus_tage *gus_tage_create(uint32_t tables, uint32_t rows, uint32_t base_rows, uint32_t slots) {
    struct gus_tage *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->tables = tables < GUS_TAGE_TABLES ? tables : GUS_TAGE_TABLES;
    t->rows = rows;
    t->base_rows = base_rows;
    t->slots = slots < GUS_TAGE_SLOTS ? slots : GUS_TAGE_SLOTS;
    t->row_bits = log2_of(rows);
    t->slot_bits = log2_of(t->slots);
    t->use_alternative = 8;
    t->random = 1;
    t->base = malloc((size_t)base_rows * t->slots);
    bool good = t->base != NULL;
    if (good) memset(t->base, 1, (size_t)base_rows * t->slots);
    for (unsigned k = 0; good && k < t->tables; k++) {
        const uint8_t widths[FOLDS] = {(uint8_t)t->row_bits, TAG_BITS, TAG_BITS - 1};
        t->length[k] = positions(k, t->tables);
        for (unsigned f = 0; f < FOLDS; f++)
            t->folds[k][f] = (struct fold){0, widths[f], (uint8_t)(t->length[k] % widths[f])};
        t->entries[k] = calloc((size_t)rows * t->slots, sizeof *t->entries[k]);
        good = t->entries[k] != NULL;
    }
    if (good) return t;
    gus_tage_destroy(t);
    return NULL;
}

void gus_tage_destroy(struct gus_tage *t) {
    if (!t) return;
    for (unsigned k = 0; k < GUS_TAGE_TABLES; k++)
        free(t->entries[k]);
    free(t->base);
    free(t);
}

// ---- history ----
static uint32_t low(uint32_t x, unsigned bits) {
    return x & ((1u << bits) - 1);
}

static bool position(const struct gus_tage *t, unsigned at) {
    return t->history[at / 64] >> at % 64 & 1;
}

static uint32_t slid(const struct fold *f, uint32_t mark, bool last, bool last_but_one) {
    uint32_t value = low(f->value << 2 | f->value >> (f->width - 2), f->width);
    value ^= (uint32_t)last_but_one << f->out ^ (uint32_t)last << (f->out + 1u == f->width ? 0 : f->out + 1);
    for (; mark; mark >>= f->width)
        value ^= low(mark, f->width);
    return value;
}

void gus_tage_push(struct gus_tage *t, uint16_t from, uint16_t to) {
    const uint32_t mark = (uint16_t)(from ^ (to << 8 | to >> 8));
    for (unsigned k = 0; k < t->tables; k++) {
        const unsigned length = t->length[k];
        const bool last = position(t, length - 1), last_but_one = position(t, length - 2);
        for (unsigned f = 0; f < FOLDS; f++)
            t->folds[k][f].value =
                slid(&t->folds[k][f], length < MARK_BITS ? low(mark, length) : mark, last, last_but_one);
    }
    t->history[1] = t->history[1] << 2 | t->history[0] >> 62;
    t->history[0] = t->history[0] << 2 ^ mark;
}

// ---- prediction ----
void gus_tage_read(const struct gus_tage *t, struct gus_tage_packet *p, uint64_t block, bool blind) {
    const uint32_t key = (uint32_t)(block & 0xffffff);
    p->count = 0;
    p->blind = blind;
    p->base = key & (t->base_rows - 1);
    for (unsigned k = 0; k < t->tables; k++) {
        const struct fold *f = t->folds[k];
        const uint32_t other = f[2].value;
        p->place[k].row = low(key ^ key >> (t->row_bits - (k + 1) % 4) ^ f[0].value, t->row_bits);
        p->place[k].tag = (uint16_t)(low(key ^ key >> TAG_BITS, TAG_BITS) ^ f[1].value ^ other << 1);
        p->place[k].rotation = (uint8_t)low(key >> 2 ^ other ^ other >> (TAG_BITS - 1 - t->slot_bits), t->slot_bits);
    }
}

static struct entry *entry_of(const struct gus_tage *t, const struct gus_tage_packet *p, unsigned table,
                              unsigned slot) {
    return &t->entries[table][p->place[table].row * t->slots + (slot ^ p->place[table].rotation)];
}

static bool look(const struct gus_tage *t, const struct gus_tage_packet *p, unsigned slot, uint8_t *provider,
                 uint8_t *counter, uint8_t *useful, bool *alternative) {
    *provider = *counter = *useful = 0;
    *alternative = false;
    if (p->blind) return false;
    *counter = t->base[p->base * t->slots + slot];
    bool taken = *counter >= 2, fresh = false;
    *alternative = taken;
    for (unsigned k = 0; k < t->tables; k++) {
        const struct entry *e = entry_of(t, p, k, slot);
        *useful |= (uint8_t)(e->useful << k);
        if (e->tag != p->place[k].tag) continue;
        *alternative = taken;
        taken = e->counter >= 4;
        fresh = (e->counter == 3 || e->counter == 4) && !e->useful;
        *provider = (uint8_t)(k + 1);
        *counter = e->counter;
    }
    return fresh && t->use_alternative >= 8 ? *alternative : taken;
}

bool gus_tage_taken(const struct gus_tage *t, const struct gus_tage_packet *p, unsigned slot) {
    uint8_t provider, counter, useful;
    bool alternative;
    return look(t, p, slot, &provider, &counter, &useful, &alternative);
}

bool gus_tage_see(const struct gus_tage *t, struct gus_tage_packet *p, unsigned slot) {
    if (p->count == GUS_TAGE_SLOTS) return gus_tage_taken(t, p, slot);
    const unsigned n = p->count++;
    p->branch[n].slot = (uint8_t)slot;
    return look(t, p, slot, &p->branch[n].provider, &p->branch[n].counter, &p->branch[n].useful,
                &p->branch[n].alternative);
}

void gus_tage_forget(struct gus_tage_packet *p) {
    p->count = 0;
}

// ---- training ----
static uint8_t trained(uint8_t counter, uint8_t most, bool up) {
    if (up) return counter < most ? counter + 1 : most;
    return counter > 0 ? counter - 1 : 0;
}

// A wrong direction takes an entry that was of no use in a longer table; in one case of two it passes over the first
// such. None: they age, sometimes.
static void allocate(struct gus_tage *t, const struct gus_tage_packet *p, unsigned n, bool actual) {
    const unsigned slot = p->branch[n].slot;
    bool skip = t->random & 1;
    for (unsigned k = p->branch[n].provider; k < t->tables; k++) {
        if (p->branch[n].useful >> k & 1) continue;
        if (skip && k + 1 < t->tables) {
            skip = false;
            continue;
        }
        *entry_of(t, p, k, slot) = (struct entry){p->place[k].tag, actual ? 4 : 3, false};
        return;
    }
    if (t->random >> 1 & 3) return;
    for (unsigned k = p->branch[n].provider; k < t->tables; k++)
        entry_of(t, p, k, slot)->useful = false;
}

void gus_tage_train(struct gus_tage *t, const struct gus_tage_packet *p, unsigned taken, unsigned wrong,
                    bool clearing) {
    bool up = false, down = false;
    for (unsigned n = 0; n < p->count && !clearing; n++) {
        const unsigned slot = p->branch[n].slot, provider = p->branch[n].provider;
        const uint8_t old = p->branch[n].counter;
        const bool actual = slot == taken;
        bool fresh = false, own = old >= 2;
        if (provider == 0) {
            t->base[p->base * t->slots + slot] = trained(old, 3, actual);
        } else {
            struct entry *e = entry_of(t, p, provider - 1, slot);
            own = old >= 4;
            fresh = (old == 3 || old == 4) && !(p->branch[n].useful >> (provider - 1) & 1);
            e->tag = p->place[provider - 1].tag;
            e->counter = trained(old, 7, actual);
            if (own != p->branch[n].alternative) {
                e->useful = own == actual;
                up = fresh && own != actual;
                down = fresh && own == actual;
            }
        }
        if (slot == wrong && !(fresh && own == actual)) allocate(t, p, n, actual);
    }
    if (up && t->use_alternative < 15) t->use_alternative++;
    if (down && t->use_alternative > 0) t->use_alternative--;
    const uint8_t r = t->random;
    t->random = (uint8_t)(r << 1 | ((r >> 7 ^ r >> 5 ^ r >> 4 ^ r >> 3) & 1));
}
