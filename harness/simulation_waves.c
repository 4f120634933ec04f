// Waveforms of a run: written beside the file that they become, which is there when they are whole or not at all.
#include "base/unnamed.h"
#include "harness/simulation_internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void failed(struct simulation *s, int fault) {
    if (fault == 0 || s->failed) return;
    error_set(s->err, "%s: cannot write waveforms: %s: choose another file, or free some space", s->options->fst,
              fault == -EINVAL ? "not a regular file" : strerror(-fault));
    simulation_end(s, EXIT_OUTPUT);
}

void simulation_waves_open(struct simulation *s) {
    const char *path = s->options->fst;
    struct stat there;
    char target[PATH_MAX];
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        failed(s, -EINVAL);
        return;
    }
    const bool fits = unnamed_beside(realpath(path, target) ? target : path, s->waves, sizeof s->waves);
    int result = fits ? s->api->dump_open(s->model, s->waves) : -ENAMETOOLONG;
    if (result == -EACCES || result == -EROFS) { // a folder that takes no new file, but may have this one
        s->waves[0] = '\0';
        result = s->api->dump_open(s->model, path);
    }
    failed(s, result);
}

void simulation_waves_look(struct simulation *s) {
    failed(s, s->api->dump_fault(s->model));
}

void simulation_waves_close(struct simulation *s) {
    char target[PATH_MAX];
    const char *path = s->options->fst;
    int result = s->api->dump_close(s->model);
    if (result == 0 && s->waves[0] && rename(s->waves, realpath(path, target) ? target : path) < 0) {
        result = -errno;
        unlink(s->waves);
    }
    failed(s, result);
}
