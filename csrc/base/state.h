// What the members of a struct may hold when its bytes come out of a file: a range beside each member, in one list that
// gives both the struct and the table to check by.
//
//   #define POINT_STATE(FIELD)                     \
//       FIELD(bool, on, , STATE_FLAG)              \
//       FIELD(uint8_t, level, [4], STATE_UP_TO(7))
//   struct point { POINT_STATE(STATE_MEMBER) };
//   static const struct state_member members[] = {POINT_STATE(STATE_ROW(struct point))};   (see STATE_TABLE)
//
// Bytes are checked before they become a struct: a bool of 2 cannot be looked at in C.
#ifndef TIPOFF_BASE_STATE_H
#define TIPOFF_BASE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum state_kind {
    STATE_NUMBER,  // an integer, of 1, 2, 4 or 8 bytes: least to most, and with none of the bits `zeros`
    STATE_STRING,  // text that ends inside the member
    STATE_STRUCT,  // of that table
    STATE_POINTER, // not the file's: whoever reads the file sets it
};
struct state_table;
struct state_range {
    enum state_kind kind;
    int64_t least; // below 0: the integer is signed
    uint64_t most, zeros;
    const struct state_table *of;
};
#define STATE_BETWEEN(low, high) ((struct state_range){STATE_NUMBER, low, high, 0, NULL})
#define STATE_ANY STATE_BETWEEN(0, UINT64_MAX)
#define STATE_UP_TO(high) STATE_BETWEEN(0, high)
#define STATE_FLAG STATE_UP_TO(1)
#define STATE_WITHOUT(bits) ((struct state_range){STATE_NUMBER, 0, UINT64_MAX, bits, NULL})
#define STATE_TEXT ((struct state_range){STATE_STRING, 0, 0, 0, NULL})
#define STATE_OF(table) ((struct state_range){STATE_STRUCT, 0, 0, 0, &(table)})
#define STATE_ELSEWHERE ((struct state_range){STATE_POINTER, 0, 0, 0, NULL})

struct state_member {
    const char *name;
    size_t offset, element, bytes; // in the struct; of one of the member's elements, and of all of them
    struct state_range range;
};
struct state_table {
    const struct state_member *members;
    size_t count;
};

#define STATE_MEMBER(type, name, dimension, range) type name dimension;
// A row of the table of struct `whole`, for its member; STATE_TABLE: the table of a list.
#define STATE_ROW(whole, type, name, range)                                                                            \
    { #name, offsetof(whole, name), sizeof(type), sizeof(((whole *)NULL)->name), range }
#define STATE_TABLE(rows)                                                                                              \
    { rows, sizeof(rows) / sizeof *(rows) }

// Whether these bytes, those of the member alone, may become it. Else `fault` says which number of it may not, in one
// line ("htif.block.count is 4096, not 0 to 1024").
bool state_check(const struct state_member *member, const void *bytes, char *fault, size_t size);

#endif
