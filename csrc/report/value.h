// One value of a table, as people and as programs read it. Not for other libraries.
#ifndef TIPOFF_REPORT_VALUE_H
#define TIPOFF_REPORT_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cJSON;
enum value_kind {
    VALUE_NONE, // nothing is known: "-" in text, empty in CSV, null in JSON
    VALUE_TEXT,
    VALUE_WORD, // a text of our own, which no format has to quote
    VALUE_COUNT,
    VALUE_REAL,     // with that many decimals
    VALUE_WEIGHT,   // time in 1/U cycle; text: in cycles, rounded: 1,234
    VALUE_SHARE,    // files: 0 to 1; text: in per cent
    VALUE_NUMBER,   // files: exact; text: three decimals
    VALUE_CYCLES,   // likewise; text: rounded: 1,234
    VALUE_POINTS,   // ... of a share; text: in per cent, two decimals
    VALUE_ADDRESS,  // "0x80000000"
    VALUE_TRUTH,    // CSV: 1 or 0; JSON: true or false
    VALUE_INTERVAL, // text only: of a share, on either side of it, in per cent
    VALUE_STATES,   // time by commit state; text: a bar; CSV: a column a state, in cycles; JSON: an object
    VALUE_ITEM      // JSON only
};
struct value {
    enum value_kind kind;
    unsigned with; // REAL: decimals; WEIGHT, STATES: units of a cycle; INTERVAL: samples that show it; CYCLES, POINTS:
                   // +, too
    union {
        const char *text; // its owner's
        char *own;        // ... who may be a sheet
        uint64_t count;
        double real;
        struct {
            uint64_t part, whole;
        };
        struct {
            const uint64_t *states; // its owner's
            uint64_t full;          // the time of a whole bar
        };
        struct cJSON *item; // whoever asked for it owns it
    };
};

static inline struct value value_none(void) {
    return (struct value){.kind = VALUE_NONE};
}
static inline struct value value_text(const char *text) {
    return (struct value){.kind = VALUE_TEXT, .text = text};
}
static inline struct value value_word(const char *word) {
    return (struct value){.kind = VALUE_WORD, .text = word};
}
static inline struct value value_count(uint64_t count) {
    return (struct value){.kind = VALUE_COUNT, .count = count};
}
static inline double percent_of(uint64_t part, uint64_t whole) { // of nothing: 0
    return whole ? 100 * (double)part / (double)whole : 0;
}
struct value value_real(double value, int decimals);                       // NONE of what is not finite
struct value value_number(double value);                                   // likewise
static inline struct value value_cycles(uint64_t weight, uint32_t units) { // of time in 1/U cycle
    return (struct value){.kind = VALUE_CYCLES, .real = (double)weight / units};
}
static inline struct value value_weight(uint64_t weight, uint32_t units) {
    return (struct value){.kind = VALUE_WEIGHT, .with = units, .count = weight};
}
static inline struct value value_share(uint64_t part, uint64_t whole) { // of nothing: 0
    return (struct value){.kind = VALUE_SHARE, .part = part, .whole = whole};
}
static inline struct value value_states(const uint64_t *states, uint32_t units, uint64_t full) {
    return (struct value){.kind = VALUE_STATES, .with = units, .states = states, .full = full};
}
static inline struct value value_address(uint64_t address) {
    return (struct value){.kind = VALUE_ADDRESS, .count = address};
}
static inline struct value value_truth(bool truth) {
    return (struct value){.kind = VALUE_TRUTH, .count = truth};
}
static inline struct value value_item(struct cJSON *item) {
    return (struct value){.kind = VALUE_ITEM, .item = item};
}

enum { VALUE_LONGEST = 48 };                                              // of what is no text
const char *value_shown(const struct value *v, char text[VALUE_LONGEST]); // to people
const char *value_plain(const struct value *v,
                        char text[VALUE_LONGEST]); // to programs: exact, in the units of the file
struct cJSON *value_json(const struct value *v);
int value_letters(const char *text); // not bytes: symbols may be any UTF-8

#endif
