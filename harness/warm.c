// Last accesses, replayed: L1 caches as rtl/lsu/dcache_victim.sv and rtl/fetch/icache.sv replace their lines, and what
// they ask of the levels after them.
#include "harness/warm.h"
#include <stdlib.h>

struct line {
    bool valid, dirty;
    uint64_t number, used; // used: when it was last
};
struct l1 {
    struct l1_config config;
    bool by_age;        // replaces the oldest line; else one not used since all were
    struct line *lines; // way by way of each set
    uint32_t *used;     // of each set: a bit for each such way
};
struct warm {
    struct l1 insn, data;
    bool l1;
    uint64_t now;
    size_t next; // line to be taken, those of the data cache first
    unsigned left;
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

struct warm *warm_create(const struct machine_config *config, bool l1, struct error *err) {
    struct warm *w = calloc(1, sizeof *w);
    if (w) w->l1 = l1;
    if (w && l1_begin(&w->insn, &config->l1i, true) && l1_begin(&w->data, &config->l1d, false)) return w;
    error_nomem(err, "caches to be filled");
    warm_destroy(w);
    return NULL;
}

void warm_destroy(struct warm *w) {
    if (!w) return;
    free(w->insn.lines);
    free(w->insn.used);
    free(w->data.lines);
    free(w->data.used);
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

static bool access_l1(struct warm *w, const struct l1 *l1, const struct last_access *a, struct memory *memory) {
    const uint64_t set = a->line % l1->config.sets;
    struct line *lines = &l1->lines[set * l1->config.ways];
    unsigned way = 0;
    bool good = true;
    while (way < l1->config.ways && !(lines[way].valid && lines[way].number == a->line))
        way++;
    if (way == l1->config.ways) {
        way = victim(l1, set);
        good = memory_warm(memory, a->line, false);
        if (lines[way].dirty) good = good && memory_warm(memory, lines[way].number, true);
        lines[way] = (struct line){.valid = true, .number = a->line};
    }
    use(l1, set, way);
    lines[way].used = ++w->now;
    lines[way].dirty |= a->kind == LAST_WRITE;
    return good;
}

// ---- all of them ----
static unsigned count(const struct l1 *l1) {
    unsigned valid = 0;
    for (size_t i = 0; i < lines_of(l1); i++)
        valid += l1->lines[i].valid;
    return valid;
}

bool warm_replay(struct warm *w, const struct last_accesses *accesses, unsigned hart, struct memory *memory,
                 struct error *err) {
    for (size_t i = 0; i < accesses->count; i++) {
        const struct last_access *a = &accesses->list[i];
        if (a->hart != hart) continue;
        if (!access_l1(w, a->kind == LAST_FETCH ? &w->insn : &w->data, a, memory)) {
            error_set(err, "caches can only be filled before the first request: use --warm with --restore alone");
            return false;
        }
    }
    w->left = w->l1 ? count(&w->insn) + count(&w->data) : 0;
    return true;
}

unsigned warm_left(const struct warm *w) {
    return w->left;
}

uint32_t warm_take(struct warm *w, uint64_t *number) {
    for (; w->left; w->next++) {
        const bool data = w->next < lines_of(&w->data);
        const struct l1 *l1 = data ? &w->data : &w->insn;
        const size_t at = data ? w->next : w->next - lines_of(&w->data);
        const struct line *line = &l1->lines[at];
        if (!line->valid) continue;
        w->next++;
        w->left--;
        *number = line->number;
        return (uint32_t)(at % l1->config.ways) | (line->dirty ? WARM_DIRTY : 0) | (data ? 0 : WARM_INSN) |
               l1->used[at / l1->config.ways] << WARM_USED;
    }
    return 0;
}
