// TAGE (Seznec and Michaud, JILP 2006) with the core's sizes and history lengths (rtl/fetch/tage.sv), on the path of
// taken transfers: of each table a hash of its newest ones that slides along with them.
#include "methods/gus/branches.h"
#include <stdlib.h>

enum { TABLES = 8, PATH = 512, BTB_WAYS = 2, TURN = 5 };

struct entry {
    uint16_t tag;
    uint8_t counter, useful; // counter 0 to 7: taken from 4 on
};
struct target {
    uint64_t pc, to;
};
struct gus_branches {
    uint8_t *base; // two-bit counters
    struct entry *tables[TABLES];
    struct target *btb;
    uint64_t *returns;
    uint64_t hash[TABLES];
    uint64_t path[PATH];     // ring of marks
    uint32_t length[TABLES]; // transfers
    uint32_t base_size, rows, table_count, btb_sets, return_size, newest, depth, alternative, random;
};

static uint64_t turned(uint64_t x, unsigned by) {
    by &= 63;
    return by ? x << by | x >> (64 - by) : x;
}

// fetch_pkg.sv, history_length: positions, two for each taken transfer.
static uint32_t transfers(unsigned number, unsigned tables) {
    unsigned eighths = tables > 1 ? number * 32 / (tables - 1) : 16;
    return (8u << (eighths / 8)) * (8 + eighths % 8) / 8 / 2;
}

struct gus_branches *gus_branches_create(const struct gus_table *table, struct error *err) {
    struct gus_branches *b = calloc(1, sizeof *b);
    bool good = b != NULL;
    if (good) {
        b->base_size = gus_table_size(table, "base_rows", 0);
        b->rows = gus_table_size(table, "tage_rows", 1);
        b->table_count = gus_table_size(table, "tage_tables", 0);
        if (b->table_count > TABLES) b->table_count = TABLES;
        b->btb_sets = gus_table_size(table, "btb_entries", BTB_WAYS) / BTB_WAYS;
        b->return_size = gus_table_size(table, "ras_entries", 1);
        b->alternative = 8;
        b->random = 1;
        b->base = calloc(b->base_size + 1, 1);
        b->btb = calloc((size_t)b->btb_sets * BTB_WAYS, sizeof *b->btb);
        b->returns = calloc(b->return_size, sizeof *b->returns);
        good = b->base && b->btb && b->returns;
        for (uint32_t i = 0; good && i < b->base_size; i++)
            b->base[i] = 1;
    }
    for (unsigned t = 0; good && t < b->table_count; t++) {
        b->length[t] = transfers(t, b->table_count);
        b->tables[t] = calloc(b->rows, sizeof **b->tables);
        good = b->tables[t] != NULL;
    }
    if (good) return b;
    error_set(err, "gus: out of memory: free some and run again");
    gus_branches_destroy(b);
    return NULL;
}

void gus_branches_destroy(struct gus_branches *b) {
    if (!b) return;
    for (unsigned t = 0; t < TABLES; t++)
        free(b->tables[t]);
    free(b->base);
    free(b->btb);
    free(b->returns);
    free(b);
}

static void push(struct gus_branches *b, uint64_t pc, uint64_t target) {
    uint64_t mark = (pc >> 1 ^ target >> 3) * UINT64_C(0x9e3779b97f4a7c15);
    b->newest = (b->newest + 1) % PATH;
    b->path[b->newest] = mark;
    for (unsigned t = 0; t < b->table_count; t++) {
        uint64_t old = b->path[(b->newest + PATH - b->length[t]) % PATH];
        b->hash[t] = turned(b->hash[t], TURN) ^ mark ^ turned(old, TURN * b->length[t]);
    }
}

static struct entry *entry_of(const struct gus_branches *b, unsigned t, uint64_t pc, uint16_t *tag) {
    uint64_t key = (b->hash[t] ^ (pc >> 1) * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0xc4ceb9fe1a85ec53);
    *tag = (uint16_t)((key >> 20 & 0x3ff) + 1); // 0: never written
    return &b->tables[t][(key >> 40) % b->rows];
}

static void train(uint8_t *counter, uint8_t most, bool up) {
    if (up && *counter < most) ++*counter;
    if (!up && *counter > 0) --*counter;
}

static uint32_t chance(struct gus_branches *b) {
    b->random = b->random * 1664525u + 1013904223u;
    return b->random >> 16;
}

// A wrong direction takes an entry that was of no use in a table of longer history; none: they age.
static void allocate(struct gus_branches *b, unsigned from, struct entry *const found[TABLES],
                     const uint16_t tags[TABLES], bool taken) {
    bool skip = chance(b) & 1;
    for (unsigned t = from; t < b->table_count; t++) {
        if (found[t]->useful) continue;
        if (skip && t + 1 < b->table_count) {
            skip = false;
            continue;
        }
        *found[t] = (struct entry){tags[t], taken ? 4 : 3, 0};
        return;
    }
    if (chance(b) & 3) return;
    for (unsigned t = from; t < b->table_count; t++)
        found[t]->useful = 0;
}

static bool foresees_direction(struct gus_branches *b, uint64_t pc, bool taken) {
    struct entry *found[TABLES], *provider = NULL;
    uint16_t tags[TABLES];
    uint8_t *base = &b->base[(pc >> 1) % b->base_size];
    bool predicted = *base >= 2, other = predicted;
    unsigned from = 0;
    for (unsigned t = 0; t < b->table_count; t++) {
        found[t] = entry_of(b, t, pc, &tags[t]);
        if (found[t]->tag != tags[t]) continue;
        other = predicted;
        provider = found[t];
        predicted = provider->counter >= 4;
        from = t + 1;
    }
    bool own = predicted, fresh = provider && (provider->counter == 3 || provider->counter == 4) && !provider->useful;
    if (fresh && b->alternative >= 8) predicted = other;
    if (provider) {
        train(&provider->counter, 7, taken);
        if (own != other) {
            provider->useful = own == taken;
            if (fresh && own != taken && b->alternative < 15) b->alternative++;
            if (fresh && own == taken && b->alternative > 0) b->alternative--;
        }
    } else {
        train(base, 3, taken);
    }
    if (predicted != taken && !(fresh && own == taken)) allocate(b, from, found, tags, taken);
    return predicted == taken;
}

// Whether the buffer knew the target; it does now.
static bool foresees_target(struct gus_branches *b, uint64_t pc, uint64_t target) {
    struct target *set = &b->btb[(pc >> 1) % b->btb_sets * BTB_WAYS];
    const struct target now = {pc, target};
    for (unsigned way = 0; way < BTB_WAYS; way++) {
        if (set[way].pc != pc) continue;
        bool right = set[way].to == target;
        set[way] = set[0];
        set[0] = now;
        return right;
    }
    set[1] = set[0];
    set[0] = now;
    return false;
}

static bool foresees_return(struct gus_branches *b, uint64_t target) {
    bool right = b->returns[b->depth % b->return_size] == target;
    b->depth += b->return_size - 1;
    return right;
}

struct gus_foresight gus_branches_see(struct gus_branches *b, enum gus_transfer transfer, uint64_t pc, uint64_t behind,
                                      uint64_t target) {
    struct gus_foresight f = {false, false};
    if (b->base_size == 0) return f;
    const bool taken = transfer != GUS_CONDITIONAL || target != behind;
    if (transfer == GUS_CONDITIONAL) f.mispredicted = !foresees_direction(b, pc, taken);
    if (transfer == GUS_RETURN) {
        f.mispredicted = !foresees_return(b, target);
    } else if (taken) {
        bool known = foresees_target(b, pc, target);
        if (transfer == GUS_INDIRECT || transfer == GUS_INDIRECT_CALL) f.mispredicted = !known;
        f.late = !known && !f.mispredicted;
    }
    if (transfer == GUS_CALL || transfer == GUS_INDIRECT_CALL) b->returns[++b->depth % b->return_size] = behind;
    if (taken) push(b, pc, target);
    return f;
}
