// Names and writing of SimPoint's files: regions_simpoint.h.
#include "cli/regions_simpoint.h"
#include "base/output.h"
#include "methods/regions/simpoint_files.h"

enum { SIMPOINTS, WEIGHTS };
static const char *const endings[REGIONS_SIMPOINT_FILES] = {".simpoints", ".weights", ".labels"};

void regions_simpoint_argument(struct regions_simpoint *s, const char *name, struct argp_state *state) {
    s->given = true;
    for (unsigned i = 0; i < REGIONS_SIMPOINT_FILES; i++)
        if ((size_t)snprintf(s->files[i], sizeof s->files[i], "%s%s", name, endings[i]) >= sizeof s->files[i])
            argp_error(state, "--simpoint: a name of more than %d bytes", REGIONS_SIMPOINT_LONGEST - 16);
}

static bool write_one(const char *path, unsigned which, const struct choice *c, struct error *err) {
    struct output *const output = output_open(path, err);
    if (!output) return false;
    switch (which) {
    case SIMPOINTS: simpoints_write(output_file(output), &c->clustering); break;
    case WEIGHTS: weights_write(output_file(output), &c->clustering); break;
    default: labels_write(output_file(output), &c->clustering, c->points.count); break;
    }
    return output_close(output, true, err) == 0;
}

bool regions_simpoint_write(const struct regions_simpoint *s, const struct choice *c, struct error *err) {
    for (unsigned i = 0; s->given && i < REGIONS_SIMPOINT_FILES; i++)
        if (!write_one(s->files[i], i, c, err)) return false;
    return true;
}
