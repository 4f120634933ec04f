// Viper's lengths as options of a command, and what it reports of the markers of a run.
#ifndef TIPOFF_CLI_REGIONS_VIPER_H
#define TIPOFF_CLI_REGIONS_VIPER_H

#include "methods/regions/viper.h"
#include <argp.h>

struct regions_viper {
    struct viper viper; // its lengths are complete once the options are parsed
    uint64_t size;      // 0: not given
    bool given;         // one of the options was
};
// --thin, --min, --max, --size: a child of a command's parser. Its keys are REGIONS_VIPER_KEYS and more.
enum { REGIONS_VIPER_KEYS = 0x1200 };
extern const struct argp regions_viper_argp;

// On stderr, after a run: how many of its markers each class has: of all, after thinning, as boundaries.
void regions_viper_report(const struct viper *v);

#endif
