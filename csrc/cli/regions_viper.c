// Viper's options and its report: regions_viper.h.
#include "cli/regions_viper.h"
#include "cli/command_line.h"
#include <inttypes.h>
#include <stdio.h>

enum { OPT_THIN = REGIONS_VIPER_KEYS, OPT_MIN, OPT_MAX, OPT_SIZE };
enum { SIZE_BY_THIN = 10 };
#define MOST (UINT64_MAX / 1000)

static const struct argp_option options[] = {
    {"thin", OPT_THIN, "T", 0,
     "viper: of every T counted instructions the best marker may be a boundary (default: 5000; the thesis: 1000000)",
     0},
    {"min", OPT_MIN, "N", 0, "viper: counted instructions of a region at least (default: 10 T)", 0},
    {"max", OPT_MAX, "N", 0, "viper: ... and at most, where there are markers (default: 100 T)", 0},
    {"size", OPT_SIZE, "N", 0,
     "viper, instead of these: regions of N counted instructions, up to the next marker of one in every N / 10", 0},
    {0},
};

static void complete(struct regions_viper *r, struct argp_state *state) {
    struct viper *const v = &r->viper;
    if (r->size && (v->thin || v->least || v->most)) argp_error(state, "--size: omit --thin, --min and --max with it");
    if (r->size) {
        v->thin = r->size < SIZE_BY_THIN ? 1 : r->size / SIZE_BY_THIN;
        v->least = v->most = r->size;
    }
    if (!v->thin) v->thin = VIPER_THIN;
    if (!v->least) v->least = VIPER_LEAST_BY_THIN * v->thin;
    if (!v->most) v->most = VIPER_MOST_BY_THIN * v->thin;
    if (v->least > v->most)
        argp_error(state, "--min: %" PRIu64 " is above --max, %" PRIu64 ": give both", v->least, v->most);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct regions_viper *r = state->input;
    switch (key) {
    case OPT_THIN: r->viper.thin = option_number(arg, 1, MOST, "thin", state); break;
    case OPT_MIN: r->viper.least = option_number(arg, 1, MOST, "min", state); break;
    case OPT_MAX: r->viper.most = option_number(arg, 1, MOST, "max", state); break;
    case OPT_SIZE: r->size = option_number(arg, 1, MOST, "size", state); break;
    case ARGP_KEY_END: complete(r, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
    r->given = true;
    return 0;
}
const struct argp regions_viper_argp = {.options = options, .parser = parse};

static void report(const char *what, const uint64_t counts[MARKER_KINDS]) {
    static const char *const names[MARKER_KINDS] = {
        [MARKER_LOOP] = "loops", [MARKER_TASK_LOOP] = "task loops", [MARKER_BARRIER] = "barriers"};
    uint64_t all = 0;
    for (unsigned k = 0; k < MARKER_KINDS; k++)
        all += counts[k];
    fprintf(stderr, "tipoff: %s:", what);
    for (unsigned k = MARKER_KINDS; k-- > 0;)
        fprintf(stderr, " %" PRIu64 " %s (%.1f %%)%s", counts[k], names[k],
                all ? 100. * (double)counts[k] / (double)all : 0, k ? "," : "\n");
}

void regions_viper_report(const struct viper *v) {
    report("markers executed", v->met);
    report("after thinning", v->thinned);
    report("boundaries", v->chosen);
}
