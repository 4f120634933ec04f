// Which bytes of a section are whose: functions may lie in one another, and say that they are longer than they are.
// The function that begins last before a byte and says that it reaches it has the byte.
#include "analysis/program_internal.h"
#include "base/array.h"
#include "base/bisect.h"
#include <stdlib.h>

struct open { // a function that has begun
    const struct code_symbol *symbol;
    uint64_t end;
    bool sized; // its symbol says where it ends
};
struct state {
    struct function_extents *out;
    struct open *open; // the innermost last
    size_t depth, capacity;
    uint64_t done; // bytes before it are somebody's
};

static bool add(struct state *s, uint64_t end, const struct code_symbol *symbol) {
    struct function_extents *out = s->out;
    if (!array_reserve(&out->list, &out->capacity, out->count, sizeof *out->list)) return false;
    out->list[out->count++] = (struct function_extent){s->done, end, symbol};
    s->done = end;
    return true;
}

static void close_ended(struct state *s) {
    while (s->depth && s->open[s->depth - 1].end <= s->done)
        s->depth--;
}

// What has begun has the bytes up to the address, and nobody those that it says it does not reach.
static bool extend(struct state *s, uint64_t to) {
    while (s->done < to) {
        close_ended(s);
        const struct open *inner = s->depth ? &s->open[s->depth - 1] : NULL;
        if (!add(s, inner && inner->end < to ? inner->end : to, inner ? inner->symbol : NULL)) return false;
    }
    close_ended(s);
    return true;
}

// A function without a size ends where the next one begins, at the latest with the one around it. One that says that
// it reaches beyond its section has said nothing.
static bool begin(struct state *s, const struct code_symbol *symbol, uint64_t limit) {
    if (!array_reserve(&s->open, &s->capacity, s->depth, sizeof *s->open)) return false;
    if (s->depth && !s->open[s->depth - 1].sized) s->depth--;
    const bool sized = symbol->bytes && symbol->bytes <= limit - symbol->start;
    const uint64_t around = s->depth ? s->open[s->depth - 1].end : limit;
    s->open[s->depth++] = (struct open){symbol, sized ? symbol->start + symbol->bytes : around, sized};
    return true;
}

static bool starts_before(const void *entry, const void *address) {
    return ((const struct code_symbol *)entry)->start < *(const uint64_t *)address;
}
// The first symbol at or after the address.
static size_t first_from(const struct code_symbols *symbols, uint64_t address) {
    return bisect(symbols->list, symbols->count, sizeof *symbols->list, starts_before, &address);
}

bool function_extents_find(struct function_extents *e, const struct code_symbols *symbols, uint64_t base,
                           uint64_t limit) {
    struct state s = {.out = e, .done = base};
    bool good = true;
    *e = (struct function_extents){0};
    for (size_t i = first_from(symbols, base); good && i < symbols->count; i++) {
        const struct code_symbol *symbol = &symbols->list[i];
        if (symbol->start >= limit) break;
        good = extend(&s, symbol->start);
        const bool inside = s.depth && s.open[s.depth - 1].sized;
        if (good && !(symbol->label && inside)) good = begin(&s, symbol, limit);
    }
    good = good && extend(&s, limit);
    free(s.open);
    return good;
}
