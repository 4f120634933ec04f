// Waveforms are written to a file beside the one that they become.
#include "harness/waveforms.h"
#include "base/unnamed.h"
#include "trace/region.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct waveforms {
    const char *path;
    struct trace_region region;
    char beside[PATH_MAX]; // what they are written to until they are whole; "": to their own file
    bool on;
};

struct waveforms *waveforms_create(const struct waveforms_options *o, const struct image *image, struct error *err) {
    struct waveforms *w = error_calloc(sizeof *w, "waveforms", err);
    if (!w) return NULL;
    w->path = o->path;
    bool good = trace_region_parse(&w->region, "fst", o->from, o->to, POSITIONS_SEEN, image, err) == 0;
    if (good && trace_region_needs_samples(&w->region) && !o->samples) {
        error_set(err, "--fst-from and --fst-to: name a sample, but the run takes none: also give --period");
        good = false;
    }
    if (good) return w;
    free(w);
    return NULL;
}

void waveforms_destroy(struct waveforms *w) {
    free(w);
}

bool waveforms_watch(const struct waveforms *w) {
    return trace_region_needs_commits(&w->region);
}

static unsigned open_edges(const struct trace_region *r) {
    return (r->from.kind != POSITION_CYCLE) + (r->to.kind != POSITION_CYCLE);
}

bool waveforms_cycle(struct waveforms *w, uint64_t cycle, const struct commit_bundle *b) {
    const unsigned before = open_edges(&w->region);
    trace_region_bundle(&w->region, cycle, b);
    return open_edges(&w->region) < before;
}

bool waveforms_sample(struct waveforms *w, uint64_t cycle) {
    if (!trace_region_needs_samples(&w->region)) return false;
    trace_region_sample(&w->region, cycle);
    return true;
}

uint64_t waveforms_next(const struct waveforms *w, uint64_t now, uint64_t until) {
    const struct position *from = &w->region.from, *to = &w->region.to;
    if (!w->path) return until;
    if (from->kind == POSITION_CYCLE && now < from->value && from->value < until) until = from->value;
    if (to->kind == POSITION_CYCLE && now <= to->value && to->value < until) until = to->value + 1;
    return until;
}

static bool written(const struct waveforms *w, int fault, struct error *err) {
    if (fault == 0) return true;
    error_set(err, "%s: cannot write waveforms: %s: choose another file, or free some space", w->path,
              fault == -EINVAL ? "not a regular file" : strerror(-fault));
    return false;
}

static int begin(struct waveforms *w, const struct model_api *api, struct model *model) {
    struct stat there;
    char target[PATH_MAX];
    if (stat(w->path, &there) == 0 && !S_ISREG(there.st_mode)) return -EINVAL;
    const bool fits = unnamed_beside(realpath(w->path, target) ? target : w->path, w->beside, sizeof w->beside);
    int result = fits ? api->dump_open(model, w->beside) : -ENAMETOOLONG;
    if (result != -EACCES && result != -EROFS) return result;
    w->beside[0] = '\0'; // a folder that takes no new file, but may have this one
    return api->dump_open(model, w->path);
}

static int end(struct waveforms *w, const struct model_api *api, struct model *model) {
    char target[PATH_MAX];
    int result = api->dump_close(model);
    if (result == 0 && w->beside[0] && rename(w->beside, realpath(w->path, target) ? target : w->path) < 0) {
        result = -errno;
        unlink(w->beside);
    }
    return result;
}

bool waveforms_turn(struct waveforms *w, const struct model_api *api, struct model *model, uint64_t now,
                    struct error *err) {
    const bool wanted = w->path && trace_region_holds(&w->region, now);
    if (wanted == w->on) return true;
    w->on = wanted;
    return written(w, wanted ? begin(w, api, model) : end(w, api, model), err);
}

bool waveforms_look(struct waveforms *w, const struct model_api *api, struct model *model, struct error *err) {
    return !w->on || written(w, api->dump_fault(model), err);
}

bool waveforms_finish(struct waveforms *w, const struct model_api *api, struct model *model, struct error *err) {
    if (!w->on) return true;
    w->on = false;
    return written(w, end(w, api, model), err);
}
