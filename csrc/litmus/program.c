// Rows and locations of the program, laid out behind its code (program_code.c) one after the other.
#include "litmus/program_internal.h"
#include "machine/harts.h"
#include "memory_map.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, SET = 4096, LONGEST_DELAY = 128 };

const uint64_t litmus_program_base = DRAM_BASE;

// Each one a line of its own, or all in one where they fit, or all in one set of a cache; in any order.
static uint64_t place(const struct litmus_test *t, const uint64_t extents[LITMUS_LOCATIONS],
                      struct litmus_random *random, uint64_t from, uint64_t *places) {
    const unsigned kind = (unsigned)litmus_below(random, 3), first = (unsigned)litmus_below(random, t->location_count);
    uint64_t together = 0;
    for (unsigned i = 0; i < t->location_count; i++)
        together += (extents[i] + 7) & ~UINT64_C(7);
    for (unsigned i = 0; i < t->location_count; i++) {
        const unsigned location = (first + i) % t->location_count;
        const uint64_t bytes = (extents[location] + 7) & ~UINT64_C(7);
        places[location] = from;
        from += bytes;
        if (kind == 0 || together > LINE) from = (from + LINE - 1) & ~(uint64_t)(LINE - 1);
        if (kind == 2) from = places[location] + ((bytes + SET - 1) & ~(uint64_t)(SET - 1));
    }
    return (from + LINE - 1) & ~(uint64_t)(LINE - 1);
}

static uint64_t actual(const struct litmus_value *v, const uint64_t *places) {
    return v->location < 0 ? v->number : places[v->location] + v->number;
}

static void put(const struct litmus_program *p, uint64_t address, uint64_t value, unsigned bytes) {
    memcpy(p->memory + (address - litmus_program_base), &value, bytes);
}

static uint64_t get(const struct litmus_program *p, uint64_t address, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, p->memory + (address - litmus_program_base), bytes);
    return value;
}

// Which caches hold the location as the threads meet: none, that of one thread for writing or for reading, or all.
static void prime(const struct litmus_program *p, const struct litmus_test *t, unsigned iteration, unsigned location,
                  struct litmus_random *random) {
    const uint64_t address = p->places[(size_t)iteration * t->location_count + location] & ~UINT64_C(7);
    const unsigned kind = (unsigned)litmus_below(random, 4), one = (unsigned)litmus_below(random, t->thread_count);
    for (unsigned i = 0; i < t->thread_count; i++) {
        const uint64_t row = litmus_program_base + litmus_row_offset(p, i, iteration);
        if (kind == 1 && i == one) put(p, row + 8 * (ROW_OWNS + location), address, 8);
        if (kind == 3 || (kind == 2 && i == one)) put(p, row + 8 * (ROW_READS + location), address, 8);
    }
}

static void fill(const struct litmus_program *p, const struct litmus_test *t, unsigned iteration,
                 struct litmus_random *random) {
    const uint64_t *places = &p->places[(size_t)iteration * t->location_count];
    for (unsigned i = 0; i < t->location_count; i++) {
        const struct litmus_location *l = &t->locations[i];
        for (unsigned e = 0; e < l->elements; e++)
            put(p, places[i] + (uint64_t)e * l->bytes, actual(&t->elements[l->first + e], places), l->bytes);
    }
    for (unsigned i = 0; i < t->thread_count; i++) {
        const uint64_t row = litmus_program_base + litmus_row_offset(p, i, iteration);
        for (unsigned x = 0; x < LITMUS_REGISTERS; x++)
            put(p, row + 8 * x, actual(&t->threads[i].x[x], places), 8);
        if (iteration + 1 < p->iterations) put(p, row + 8 * ROW_NEXT, row + 8 * ROW_WORDS, 8);
        put(p, row + 8 * ROW_BARRIER, (uint64_t)t->thread_count * (iteration + 1), 8);
        put(p, row + 8 * ROW_DELAY, litmus_below(random, LONGEST_DELAY), 8);
        for (unsigned k = 0; k < 2 * ROW_PRIMES; k++)
            put(p, row + 8 * (ROW_READS + k), row + 8 * ROW_IDLE, 8);
    }
    for (unsigned i = 0; i < t->location_count && i < ROW_PRIMES; i++)
        prime(p, t, iteration, i, random);
}

bool litmus_program_make(struct litmus_program *p, const struct litmus_test *t, unsigned harts, unsigned iterations,
                         const uint64_t extents[LITMUS_LOCATIONS], struct litmus_random *random, const char *path,
                         struct error *err) {
    unsigned hart[MACHINE_MOST_HARTS] = {0};
    *p = (struct litmus_program){.iterations = iterations};
    p->places = error_calloc(((size_t)iterations * t->location_count + 1) * sizeof *p->places, path, err);
    if (!p->places) return false;
    uint64_t end = litmus_program_base + litmus_row_offset(p, t->thread_count, 0);
    for (unsigned i = 0; i < iterations && t->location_count; i++)
        end = place(t, extents, random, end, &p->places[(size_t)i * t->location_count]);
    p->bytes = (size_t)(end - litmus_program_base);
    p->memory = error_calloc(p->bytes, path, err);
    if (!p->memory) return false;
    for (unsigned i = 0; i < t->thread_count; i++) {
        if (!litmus_program_full(t, i)) continue;
        error_set(err, "%s: thread %u uses all registers: leave one of them for the program around it", path, i);
        return false;
    }
    for (unsigned i = 0; i < harts; i++) { // a random order (Fisher and Yates)
        const unsigned k = (unsigned)litmus_below(random, i + 1);
        hart[i] = hart[k];
        hart[k] = i;
    }
    litmus_program_code(p, t, hart);
    for (unsigned i = 0; i < iterations; i++)
        fill(p, t, i, random);
    p->most = (uint64_t)iterations * harts * 4096 + 100000;
    return true;
}

void litmus_program_free(struct litmus_program *p) {
    free(p->places);
    free(p->memory);
    *p = (struct litmus_program){0};
}

// ---- what came of it ----
// The address of a location, as the enumerator has it.
static uint64_t canonical(const struct litmus_test *t, const uint64_t *places, uint64_t value) {
    for (unsigned i = 0; i < t->location_count; i++) {
        const uint64_t bytes = (uint64_t)t->locations[i].bytes * t->locations[i].elements;
        if (value - places[i] < bytes) return litmus_address(i) + (value - places[i]);
    }
    return value;
}

void litmus_program_state(const struct litmus_program *p, const struct litmus_test *t, unsigned iteration,
                          uint64_t values[LITMUS_ITEMS]) {
    const uint64_t *places = &p->places[(size_t)iteration * t->location_count];
    for (unsigned i = 0; i < t->item_count; i++) {
        const struct litmus_item *item = &t->items[i];
        const uint64_t row = litmus_program_base + litmus_row_offset(p, item->thread, iteration);
        const struct litmus_location *l = item->is_register ? NULL : &t->locations[item->location];
        const unsigned bytes = l ? l->bytes : 8;
        const uint64_t address =
            l ? places[item->location] + (uint64_t)l->bytes * item->element : row + 8 * (ROW_AFTER + item->x);
        uint64_t value = get(p, address, bytes);
        if (l && l->is_signed && bytes < 8)
            value = (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
        values[i] = bytes == 8 ? canonical(t, places, value) : value;
    }
}
