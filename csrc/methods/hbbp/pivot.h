// A mix as a pivot table: executions by one or more keys, by method, or by the values of one more key.
#ifndef TIPOFF_METHODS_HBBP_PIVOT_H
#define TIPOFF_METHODS_HBBP_PIVOT_H

#include "methods/hbbp/attributes.h"
#include "methods/hbbp/mix.h"

enum { PIVOT_KEYS = 4, PIVOT_FILTERS = 16 };
struct pivot_filter {
    enum mix_key key;
    const char *pattern; // of its value, as of a shell
};
struct pivot_options {
    enum mix_key keys[PIVOT_KEYS];
    unsigned key_count;
    struct pivot_filter filters[PIVOT_FILTERS];
    unsigned filter_count;
    const struct taxonomy *taxonomy;
};
struct pivot_row {
    char *values[PIVOT_KEYS];
    double counts[MIX_METHODS];
};
struct pivot {
    struct pivot_row *rows; // by executions, most first: of the first method that is known, HBBP before the others
    size_t count, capacity;
    enum mix_method by;
    double totals[MIX_METHODS]; // of the rows
};

bool pivot_make(struct pivot *p, const struct mix *m, const struct pivot_options *options, struct error *err);
void pivot_free(struct pivot *p);
// The average weighted error of a method over the rows, against exact counts (hbbp_error).
double pivot_error(const struct pivot *p, enum mix_method method);

#endif
