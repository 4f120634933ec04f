// Last accesses, replayed: L1 caches as rtl/lsu/dcache_victim.sv and rtl/fetch/icache.sv replace their lines, and what
// they ask of the levels after them.
#include "harness/warm.h"
#include <stdlib.h>

struct line {
    bool valid, dirty, owned;
    uint64_t number, used; // used: when it was last
};
struct l1 {
    struct l1_config config;
    bool by_age;        // replaces the oldest line; else one not used since all were
    struct line *lines; // way by way of each set
    uint32_t *used;     // of each set: a bit for each such way
};
struct caches {
    struct l1 insn, data;
    size_t next; // line to be taken, those of the data cache first
    unsigned left;
};
struct warm {
    bool l1;
    uint64_t now;
    unsigned harts;
    struct caches of[];
};

static size_t lines_of(const struct l1 *l1) {
    return (size_t)l1->config.sets * l1->config.ways;
}

static bool l1_begin(struct l1 *l1, const struct l1_config *config, bool by_age) {
    l1->config = *config;
    l1->by_age = by_age;
    l1->lines = calloc(lines_of(l1), sizeof *l1->lines);
    l1->used = calloc(config->sets, sizeof *l1->used);
    return l1->lines && l1->used;
}

struct warm *warm_create(const struct machine_config *config, unsigned harts, bool l1, struct error *err) {
    struct warm *w = calloc(1, sizeof *w + harts * sizeof *w->of);
    bool good = w != NULL;
    if (good) w->l1 = l1;
    if (good) w->harts = harts;
    for (unsigned i = 0; good && i < harts; i++)
        good = l1_begin(&w->of[i].insn, &config->l1i, true) && l1_begin(&w->of[i].data, &config->l1d, false);
    if (good) return w;
    error_nomem(err, "caches to be filled");
    warm_destroy(w);
    return NULL;
}

void warm_destroy(struct warm *w) {
    for (unsigned i = 0; w && i < w->harts; i++) {
        free(w->of[i].insn.lines);
        free(w->of[i].insn.used);
        free(w->of[i].data.lines);
        free(w->of[i].data.used);
    }
    free(w);
}

// ---- one L1 ----
// As use_way of dcache_victim.sv.
static void use(const struct l1 *l1, uint64_t set, unsigned way) {
    const uint32_t all = (1u << l1->config.ways) - 1, used = l1->used[set] | 1u << way;
    l1->used[set] = used == all ? 1u << way : used;
}

// A free way, else by age or by use.
static unsigned victim(const struct l1 *l1, uint64_t set) {
    const struct line *lines = &l1->lines[set * l1->config.ways];
    unsigned oldest = 0, unused = l1->config.ways;
    for (unsigned i = 0; i < l1->config.ways; i++) {
        if (!lines[i].valid) return i;
        if (lines[i].used < lines[oldest].used) oldest = i;
        if (unused == l1->config.ways && !(l1->used[set] >> i & 1)) unused = i;
    }
    return l1->by_age ? oldest : unused < l1->config.ways ? unused : 0;
}

static struct line *find(const struct l1 *l1, uint64_t number) {
    struct line *lines = &l1->lines[number % l1->config.sets * l1->config.ways];
    for (unsigned way = 0; way < l1->config.ways; way++)
        if (lines[way].valid && lines[way].number == number) return &lines[way];
    return NULL;
}

// A line comes, and another one makes room.
static struct line *fill(struct l1 *l1, uint64_t number, struct memory *memory, bool *good) {
    const uint64_t set = number % l1->config.sets;
    struct line *const line = &l1->lines[set * l1->config.ways + victim(l1, set)];
    *good &= memory_warm(memory, number, false);
    if (line->dirty) *good &= memory_warm(memory, line->number, true);
    *line = (struct line){.valid = true, .number = number};
    return line;
}

// Of the other harts: whether one keeps a copy. A dirty line that is shared from now on goes to memory, too; one that
// is handed over stays dirty.
static bool snoop(struct warm *w, unsigned hart, const struct last_access *a, struct memory *memory, bool *kept,
                  bool *dirty) {
    bool good = true;
    for (unsigned i = 0; i < w->harts; i++) {
        struct line *const line = i == hart ? NULL : find(&w->of[i].data, a->line);
        if (!line) continue;
        if (a->kind == LAST_WRITE) {
            *dirty |= line->dirty;
            *line = (struct line){.valid = false};
            continue;
        }
        if (line->dirty) good = good && memory_warm(memory, a->line, true);
        line->dirty = line->owned = false;
        *kept = true;
    }
    return good;
}

static bool access_l1(struct warm *w, const struct last_access *a, struct memory *memory) {
    struct caches *const own = &w->of[a->hart];
    const bool data = a->kind != LAST_FETCH;
    struct l1 *const l1 = data ? &own->data : &own->insn;
    const uint64_t set = a->line % l1->config.sets;
    struct line *line = find(l1, a->line);
    bool good = true, kept = false, dirty = false;
    if (data && (!line || (a->kind == LAST_WRITE && !line->owned))) good = snoop(w, a->hart, a, memory, &kept, &dirty);
    if (!line) {
        line = fill(l1, a->line, memory, &good);
        line->owned = data && !kept;
    }
    use(l1, set, (unsigned)(line - &l1->lines[set * l1->config.ways]));
    line->used = ++w->now;
    line->dirty |= dirty || a->kind == LAST_WRITE;
    line->owned |= a->kind == LAST_WRITE;
    return good;
}

// ---- all of them ----
static unsigned count(const struct l1 *l1) {
    unsigned valid = 0;
    for (size_t i = 0; i < lines_of(l1); i++)
        valid += l1->lines[i].valid;
    return valid;
}

bool warm_replay(struct warm *w, const struct last_accesses *accesses, struct memory *memory, struct error *err) {
    unsigned most = 0;
    for (size_t i = 0; i < accesses->count; i++) {
        const struct last_access *a = &accesses->list[i];
        if (a->hart < w->harts && !access_l1(w, a, memory)) {
            error_set(err, "caches can only be filled before the first request: use --warm with --restore alone");
            return false;
        }
    }
    for (unsigned i = 0; w->l1 && i < w->harts; i++) {
        const unsigned lines = count(&w->of[i].insn) + count(&w->of[i].data);
        if (lines > most) most = lines;
    }
    for (unsigned i = 0; i < w->harts; i++)
        w->of[i].left = most;
    return true;
}

unsigned warm_left(const struct warm *w, unsigned hart) {
    return w->of[hart].left;
}

uint32_t warm_take(struct warm *w, unsigned hart, uint64_t *number) {
    struct caches *const c = &w->of[hart];
    if (c->left) c->left--;
    for (; c->next < lines_of(&c->data) + lines_of(&c->insn); c->next++) {
        const bool data = c->next < lines_of(&c->data);
        const struct l1 *l1 = data ? &c->data : &c->insn;
        const size_t at = data ? c->next : c->next - lines_of(&c->data);
        const struct line *line = &l1->lines[at];
        if (!line->valid) continue;
        c->next++;
        *number = line->number;
        return (uint32_t)(at % l1->config.ways) | (line->dirty ? WARM_DIRTY : 0) | (line->owned ? WARM_OWNED : 0) |
               (data ? 0 : WARM_INSN) | l1->used[at / l1->config.ways] << WARM_USED;
    }
    *number = 0;
    return WARM_NONE;
}

size_t warm_places(const struct warm *w) {
    return w->l1 ? lines_of(&w->of[0].data) : 0;
}

bool warm_holds(const struct warm *w, unsigned hart, size_t at, uint64_t *number, bool *owned) {
    const struct line *const line = &w->of[hart].data.lines[at];
    *number = line->number;
    *owned = line->owned;
    return line->valid;
}
