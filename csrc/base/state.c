// Goes through a member's numbers, and through those of the structs in it, without making any of them a struct.
#include "base/state.h"
#include "base/bytes.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FAULT_BYTES = 160 };

static uint64_t number_of(const struct state_member *m, const uint8_t *element) {
    uint64_t value = bytes_get(&element, (int)m->element);
    uint64_t sign = UINT64_C(1) << ((8 * m->element - 1) & 63);
    return m->range.least < 0 ? (value ^ sign) - sign : value;
}

static bool in_range(const struct state_range *range, uint64_t value) {
    if (value & range->zeros) return false;
    if (range->least < 0) return (int64_t)value >= range->least && (int64_t)value <= (int64_t)range->most;
    return value >= (uint64_t)range->least && value <= range->most;
}

static bool check_number(const struct state_member *m, const uint8_t *element, char *fault) {
    const struct state_range *range = &m->range;
    uint64_t value = number_of(m, element);
    if (in_range(range, value)) return true;
    if (range->zeros) {
        snprintf(fault, FAULT_BYTES, " is 0x%" PRIx64 ", with bits of 0x%" PRIx64, value, range->zeros);
    } else if (range->least < 0) {
        snprintf(fault, FAULT_BYTES, " is %" PRId64 ", not %" PRId64 " to %" PRIu64, (int64_t)value, range->least,
                 range->most);
    } else {
        snprintf(fault, FAULT_BYTES, " is %" PRIu64 ", not %" PRId64 " to %" PRIu64, value, range->least, range->most);
    }
    return false;
}

// fault: what comes after the member's name.
static bool check_element(const struct state_member *m, const uint8_t *element, char *fault) {
    char inside[FAULT_BYTES];
    switch (m->range.kind) {
    case STATE_NUMBER: return check_number(m, element, fault);
    case STATE_STRUCT:
        for (size_t i = 0; i < m->range.of->count; i++) {
            const struct state_member *inner = &m->range.of->members[i];
            if (state_check(inner, element + inner->offset, inside, sizeof inside)) continue;
            snprintf(fault, FAULT_BYTES, ".%s", inside);
            return false;
        }
        return true;
    default: return true;
    }
}

bool state_check(const struct state_member *member, const void *bytes, char *fault, size_t size) {
    const uint8_t *first = bytes;
    char inside[FAULT_BYTES] = "";
    if (member->range.kind == STATE_STRING) {
        if (memchr(first, 0, member->bytes)) return true;
        snprintf(fault, size, "%s does not end", member->name);
        return false;
    }
    for (size_t i = 0; i < member->bytes / member->element; i++) {
        if (check_element(member, first + i * member->element, inside)) continue;
        char index[24] = "";
        if (member->bytes > member->element) snprintf(index, sizeof index, "[%zu]", i);
        snprintf(fault, size, "%s%s%s", member->name, index, inside);
        return false;
    }
    return true;
}
