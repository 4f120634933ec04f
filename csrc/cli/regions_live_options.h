// The options of tipoff regions live, as given and checked.
#ifndef TIPOFF_CLI_REGIONS_LIVE_OPTIONS_H
#define TIPOFF_CLI_REGIONS_LIVE_OPTIONS_H

#include "cli/iss_program.h"
#include "cli/regions_live_gus.h"
#include "methods/regions/pacsim_report.h"

enum live_on { LIVE_ON_GUS, LIVE_ON_RTL, LIVE_ONS };
extern const char *const live_on_names[LIVE_ONS], *const live_method_names[PACSIM_METHODS],
                                                      *const live_warmup_names[LIVE_WARMUPS];

struct live_options {
    struct iss_program program;
    enum live_on on;
    const char *config, *table, *output; // table, output: NULL: not given, as
    const char *reference;               // cycles, or a file that has them
    const char *warmup_text;
    struct pacsim_settings settings;
    uint64_t least, most; // of a region; of an interval, too
    uint64_t interval;    // 0: not given
    enum live_warmup warmup;
    bool accesses;  // on rtl: warm-up by the last accesses, and ...
    uint64_t ahead; // ... by the instructions before, that many
    unsigned jobs;
    bool full;
    enum pacsim_format format;
};
void live_options_begin(struct live_options *a); // the defaults
extern const struct argp live_options_argp;

#endif
