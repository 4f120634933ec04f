// Instructions of a program of another machine: those that a trace has, nothing decoded.
#include "analysis/program_internal.h"
#include "base/array.h"
#include "base/bisect.h"

enum { LONGEST = 15 }; // bytes, of x86

static bool before(const void *entry, const void *key) {
    return ((const struct program_listed *)entry)->pc < *(const uint64_t *)key;
}

bool listed_add(const struct listed_into *into, const struct program_kind *kind, uint64_t start, uint64_t end) {
    const struct program_listed *const all = kind->listed;
    for (size_t i = bisect(all, kind->listed_count, sizeof *all, before, &start);
         i < kind->listed_count && all[i].pc < end; i++) {
        const uint64_t next = i + 1 < kind->listed_count && all[i + 1].pc < end ? all[i + 1].pc : end;
        const uint64_t bytes = next - all[i].pc;
        if (!array_reserve(into->list, into->capacity, *into->count, sizeof **into->list)) return false;
        (*into->list)[(*into->count)++] =
            (struct program_instruction){.pc = all[i].pc,
                                         .function = into->function,
                                         .block = all[i].begins,
                                         .bytes = (uint8_t)(bytes < LONGEST ? bytes : LONGEST),
                                         .data = true};
    }
    return true;
}
