// A litmus test as it was read: the instructions of each thread, what registers and memory hold before, and a condition
// on what they hold after. Plain data, for the other files of this folder.
#ifndef TIPOFF_LITMUS_TEST_H
#define TIPOFF_LITMUS_TEST_H

#include "instructions.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LITMUS_THREADS = 8,
    LITMUS_CODE = 64,      // instructions of a thread
    LITMUS_LOCATIONS = 32, // variables and arrays
    LITMUS_NAME = 64,      // bytes of a name, its end among them
    LITMUS_ITEMS = 64,     // registers and locations that the condition and `locations` name
    LITMUS_TERMS = 4096,   // of a proposition
    LITMUS_REGISTERS = 32
};

// A number, or an address: that of a location, and number bytes after it.
struct litmus_value {
    uint64_t number;
    int location; // -1: a number
};

struct litmus_instruction {
    uint8_t op; // enum insn_op
    uint8_t rd, rs1, rs2;
    bool acquire, release; // .aq, .rl; also of loads and stores, which RV64GC has not
    int32_t imm;           // as in the encoding; of a branch or jump: the number of the instruction it goes to
    unsigned line;         // of the file
};

struct litmus_thread {
    struct litmus_instruction code[LITMUS_CODE];
    unsigned count;
    struct litmus_value x[LITMUS_REGISTERS];
};

struct litmus_location {
    char name[LITMUS_NAME];
    unsigned bytes;    // of an element: 1, 2, 4, 8
    bool is_signed;    // how its values are shown
    unsigned elements; // 1, unless it is an array
    unsigned first;    // its first element in litmus_test.elements
};

// A part of a state: a register, or an element of a location.
struct litmus_item {
    bool is_register;
    uint8_t thread, x;
    uint8_t location;
    bool shown; // the condition or `locations` names it, not `filter` alone
    unsigned element;
};

enum litmus_term_kind { TERM_TRUE, TERM_FALSE, TERM_EQUAL, TERM_AND, TERM_OR, TERM_NOT };
struct litmus_term {
    enum litmus_term_kind kind;
    int left, right;           // of AND, OR; NOT has left alone
    unsigned item;             // of EQUAL
    struct litmus_value value; // likewise
};
struct litmus_proposition { // the last term is the whole; none: true
    struct litmus_term terms[LITMUS_TERMS];
    int count;
};

enum litmus_quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL };
enum { LITMUS_ELEMENTS = 256 }; // of all locations

struct litmus_test {
    char name[LITMUS_NAME * 2];
    struct litmus_thread threads[LITMUS_THREADS];
    unsigned thread_count;
    struct litmus_location locations[LITMUS_LOCATIONS];
    unsigned location_count;
    struct litmus_value elements[LITMUS_ELEMENTS]; // what they hold before
    unsigned element_count;
    struct litmus_item items[LITMUS_ITEMS]; // what is shown, registers by thread and number, locations by name
    unsigned item_count;
    enum litmus_quantifier quantifier;
    struct litmus_proposition condition, filter;
    char *condition_text; // as it was written, blanks as one
};

// Where a location stands for the enumerator: far apart, so that no sum or difference of them is a small number.
#define LITMUS_BASE UINT64_C(0x4c69746d00000000)
#define LITMUS_SPACING UINT64_C(0x1000)
static inline uint64_t litmus_address(unsigned location) {
    return LITMUS_BASE + LITMUS_SPACING * location;
}
static inline uint64_t litmus_number(const struct litmus_value *v) {
    return v->location < 0 ? v->number : litmus_address((unsigned)v->location) + v->number;
}
// Bytes that belong to it: a 64-bit access to an int that stands alone is in order, as the next one is far.
static inline uint64_t litmus_extent(const struct litmus_location *l) {
    const uint64_t bytes = (uint64_t)l->bytes * l->elements;
    return bytes < 64 ? 64 : bytes;
}

// Whether it holds where the items have these values.
bool litmus_holds(const struct litmus_test *t, const struct litmus_proposition *p, const uint64_t *values);

extern const struct insn_info litmus_instructions[]; // by enum insn_op

#endif
