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
struct fold { // of all tables, side by side
    uint32_t value[GUS_TAGE_TABLES];
    uint32_t last[GUS_TAGE_TABLES], last_but_one[GUS_TAGE_TABLES]; // bit where the positions that fall out stand
    uint32_t width, pieces;                                        // pieces of that width in a mark
};
struct gus_tage {
    uint8_t *base; // two-bit counters, by row and slot
    struct entry *entries[GUS_TAGE_TABLES];
    struct fold folds[FOLDS];       // of the row's width, the tag's, the tag's less one
    uint32_t mark[GUS_TAGE_TABLES]; // what of a mark is in the history
    uint8_t length[GUS_TAGE_TABLES];
    uint64_t high[GUS_TAGE_TABLES],
        shift[GUS_TAGE_TABLES]; // of the history: where its oldest two positions are; high: ~0, in the second word
    uint64_t history[2];        // the newest lowest
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

static void set_up_folds(struct gus_tage *t) {
    const uint32_t widths[FOLDS] = {t->row_bits, TAG_BITS, TAG_BITS - 1};
    for (unsigned k = 0; k < GUS_TAGE_TABLES; k++) {
        const unsigned length = t->length[k] = k < t->tables ? positions(k, t->tables) : 2;
        t->high[k] = length - 2 < 64 ? 0 : UINT64_MAX; // lengths beyond 64 are even: both positions are in one word
        t->shift[k] = (length - 2) % 64;
        t->mark[k] = length < MARK_BITS ? (1u << length) - 1 : (1u << MARK_BITS) - 1;
        for (unsigned f = 0; f < FOLDS; f++) {
            struct fold *fold = &t->folds[f];
            fold->width = widths[f] ? widths[f] : 1;
            fold->pieces = (MARK_BITS + fold->width - 1) / fold->width;
            fold->last_but_one[k] = 1u << length % fold->width;
            fold->last[k] = 1u << (length + 1) % fold->width;
        }
    }
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
    set_up_folds(t);
    for (unsigned k = 0; good && k < t->tables; k++) {
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

// Of each table: marks, and all ones where the older and the newer of the two positions that fall out is set.
static void slide(struct fold *f, const uint32_t marks[GUS_TAGE_TABLES], const uint32_t older[GUS_TAGE_TABLES],
                  const uint32_t newer[GUS_TAGE_TABLES]) {
    const uint32_t width = f->width, most = (1u << width) - 1, turn = width > 2 ? width - 2 : 0;
    const uint32_t second = width < 31 ? width : 31,
                   third = 2 * width < 31 ? 2 * width : 31; // pieces; a mark is shorter
    for (unsigned k = 0; k < GUS_TAGE_TABLES; k++) {
        const uint32_t folded = marks[k] ^ marks[k] >> second ^ marks[k] >> third;
        const uint32_t turned = f->value[k] << 2 | f->value[k] >> turn;
        f->value[k] = ((turned ^ folded) & most) ^ (older[k] & f->last[k]) ^ (newer[k] & f->last_but_one[k]);
    }
    for (uint32_t piece = 3; piece < f->pieces; piece++)
        for (unsigned k = 0; k < GUS_TAGE_TABLES; k++)
            f->value[k] ^= marks[k] >> piece * width & most;
}

void gus_tage_push(struct gus_tage *t, uint16_t from, uint16_t to) {
    const uint32_t mark = (uint16_t)(from ^ (to << 8 | to >> 8));
    const uint64_t low_word = t->history[0], difference = low_word ^ t->history[1];
    uint32_t marks[GUS_TAGE_TABLES], older[GUS_TAGE_TABLES], newer[GUS_TAGE_TABLES];
    for (unsigned k = 0; k < GUS_TAGE_TABLES; k++) {
        const uint32_t gone = (uint32_t)((low_word ^ (difference & t->high[k])) >> t->shift[k]);
        marks[k] = mark & t->mark[k];
        older[k] = -(gone >> 1 & 1);
        newer[k] = -(gone & 1);
    }
    for (unsigned f = 0; f < FOLDS; f++)
        slide(&t->folds[f], marks, older, newer);
    t->history[1] = t->history[1] << 2 | t->history[0] >> 62;
    t->history[0] = t->history[0] << 2 ^ mark;
}

// ---- prediction ----
void gus_tage_read(struct gus_tage_packet *p, uint64_t block, bool blind) {
    p->key = (uint32_t)(block & 0xffffff);
    p->count = 0;
    p->guessed = p->placed = false;
    p->blind = blind;
}

// Where a packet's entries are. Of many packets nobody asks. All tables side by side: nothing that is written is read.
static void place(const struct gus_tage *t, struct gus_tage_packet *p) {
    const uint32_t key = p->key, tag = low(key ^ key >> TAG_BITS, TAG_BITS), row_bits = t->row_bits,
                   slot_bits = t->slot_bits;
    const uint32_t *const rows = t->folds[0].value, *const tags = t->folds[1].value, *const others = t->folds[2].value;
    uint32_t *restrict const first = p->first, *restrict const found = p->tag;
    p->placed = true;
    p->base = key & (t->base_rows - 1);
    for (unsigned k = 0; k < GUS_TAGE_TABLES; k++) {
        const uint32_t other = others[k], rotation = key >> 2 ^ other ^ other >> (TAG_BITS - 1 - slot_bits);
        const uint32_t row = low(key ^ key >> ((row_bits - (k + 1) % 4) & 31) ^ rows[k], row_bits);
        first[k] = row << slot_bits | low(rotation, slot_bits);
        found[k] = tag ^ tags[k] ^ (other << 1 & UINT16_MAX);
    }
}

static struct entry *entry_of(const struct gus_tage *t, const struct gus_tage_packet *p, unsigned table,
                              unsigned slot) {
    return &t->entries[table][p->first[table] ^ slot];
}

static struct gus_tage_branch look(const struct gus_tage *t, struct gus_tage_packet *p, unsigned slot) {
    struct gus_tage_branch b = {.slot = (uint8_t)slot};
    if (!p->placed) place(t, p);
    if (p->blind) return b;
    b.counter = t->base[p->base * t->slots + slot];
    bool taken = b.counter >= 2, fresh = false;
    b.alternative = taken;
    for (unsigned k = 0; k < t->tables; k++) {
        const struct entry *e = entry_of(t, p, k, slot);
        b.useful |= (uint8_t)(e->useful << k);
        if (e->tag != p->tag[k]) continue;
        b.alternative = taken;
        taken = e->counter >= 4;
        fresh = (e->counter == 3 || e->counter == 4) && !e->useful;
        b.provider = (uint8_t)(k + 1);
        b.counter = e->counter;
    }
    b.taken = fresh && t->use_alternative >= 8 ? b.alternative : taken;
    return b;
}

bool gus_tage_taken(const struct gus_tage *t, struct gus_tage_packet *p, unsigned slot) {
    p->guess = look(t, p, slot);
    p->guessed = true;
    return p->guess.taken;
}

bool gus_tage_see(const struct gus_tage *t, struct gus_tage_packet *p, unsigned slot) {
    const struct gus_tage_branch b = p->guessed && p->guess.slot == slot ? p->guess : look(t, p, slot);
    if (p->count < GUS_TAGE_SLOTS) p->branch[p->count++] = b;
    return b.taken;
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
        *entry_of(t, p, k, slot) = (struct entry){(uint16_t)p->tag[k], actual ? 4 : 3, false};
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
            e->tag = (uint16_t)p->tag[provider - 1];
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
