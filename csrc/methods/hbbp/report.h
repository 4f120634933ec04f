// An instruction mix as text, CSV or JSON.
#ifndef TIPOFF_METHODS_HBBP_REPORT_H
#define TIPOFF_METHODS_HBBP_REPORT_H

#include "methods/hbbp/pivot.h"
#include <stdio.h>

enum mix_format { MIX_TEXT_FORM, MIX_CSV, MIX_JSON, MIX_FORMATS };
#define MIX_FORMAT_NAMES "text", "csv", "json"

struct mix_report {
    const char *program, *source; // source: one line on where the counts are from
    const struct mix *mix;
    const struct pivot *pivot;
    const struct pivot_options *keys;
    unsigned methods; // shown: bits of enum mix_method; at least one
    bool across;      // the last key goes across: a column for each of its values, of the first method shown
    bool errors;      // exact counts are known beside estimates
    const char *rule; // that HBBP chose by; NULL: it is not shown
    size_t limit;     // rows in the text; 0: all
};

bool mix_report_write(const struct mix_report *r, enum mix_format format, FILE *out, struct error *err);
// A row a block: its features, both estimates, and the exact executions: what scripts/hbbp/train.py learns from.
bool mix_blocks_write(const struct mix *m, FILE *out, struct error *err);

#endif
