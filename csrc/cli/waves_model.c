// Finds the model with waveforms, or has it built: waves_model.h.
#include "cli/waves_model.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct waves_model {
    char path[PATH_MAX], plain[PATH_MAX], root[PATH_MAX], target[NAME_MAX + 32], log[PATH_MAX];
};

static bool named(struct waves_model *m, const char *folder, const char *config) {
    return snprintf(m->path, sizeof m->path, "%s/%s/model-fst.so", folder, config) < (int)sizeof m->path &&
           snprintf(m->plain, sizeof m->plain, "%s/%s/model.so", folder, config) < (int)sizeof m->plain &&
           snprintf(m->root, sizeof m->root, "%s/..", folder) < (int)sizeof m->root &&
           snprintf(m->log, sizeof m->log, "%s/%s/model-fst.log", folder, config) < (int)sizeof m->log &&
           snprintf(m->target, sizeof m->target, "build/%s/model-fst.so", config) < (int)sizeof m->target;
}

// The tree that the folder was built in, and a configuration of its tables: make knows how.
static bool in_tree(const struct waves_model *m, const char *folder, const char *config) {
    char path[2 * PATH_MAX], last[PATH_MAX];
    if (strchr(config, '/')) return false;
    snprintf(last, sizeof last, "%s", folder);
    if (strcmp(basename(last), "build") != 0) return false;
    snprintf(path, sizeof path, "%s/Makefile", m->root);
    if (access(path, R_OK) != 0) return false;
    snprintf(path, sizeof path, "%s/tables/config/%s.toml", m->root, config);
    return access(path, R_OK) == 0;
}

static bool there(const struct waves_model *m) {
    return access(m->path, R_OK) == 0;
}

// Exists, and is not older than the model without waveforms: then it was built from the same sources.
static bool current(const struct waves_model *m) {
    struct stat own, plain;
    if (!there(m) || stat(m->path, &own) < 0) return false;
    if (stat(m->plain, &plain) < 0) return true;
    return own.st_mtim.tv_sec != plain.st_mtim.tv_sec ? own.st_mtim.tv_sec > plain.st_mtim.tv_sec
                                                      : own.st_mtim.tv_nsec >= plain.st_mtim.tv_nsec;
}

// Exit status of make with this option, its output in the log; -1: it did not run, or a signal has ended it.
static int make(const struct waves_model *m, const char *option) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int log = open(m->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), null = open("/dev/null", O_RDONLY);
        // Started by make itself, it would look for that one's job server.
        unsetenv("MAKEFLAGS");
        unsetenv("MFLAGS");
        unsetenv("MAKELEVEL");
        if (log < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
            dup2(log, STDERR_FILENO) < 0)
            _exit(127);
        execlp("make", "make", option, "-C", m->root, m->target, NULL);
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool build(const struct waves_model *m, struct error *err) {
    if (!there(m) || make(m, "-q") != 0) {
        fprintf(stderr, "tipoff: building the model with waveforms: make %s (some minutes, once)\n", m->target);
        if (make(m, "-s") != 0 || !there(m)) {
            error_set(err, "%s: cannot be built: see %s; then run: make %s", m->path, m->log, m->target);
            return false;
        }
    }
    if (!current(m)) utimensat(AT_FDCWD, m->path, NULL, 0); // make has found it so: not to be asked again
    return true;
}

bool waves_model_find(const char *folder, const char *config, char *out, size_t size, struct error *err) {
    struct waves_model m;
    if (!named(&m, folder, config) || snprintf(out, size, "%s", m.path) >= (int)size) {
        error_set(err, "%s: the path of its model is too long: move the source tree", config);
        return false;
    }
    if (!in_tree(&m, folder, config)) {
        if (!there(&m))
            error_set(err, "%s: no model with waveforms: build it (in the source tree: make %s), or omit --fst", m.path,
                      m.target);
        return there(&m);
    }
    if (current(&m)) return true;
    char lock_path[sizeof m.path + 8];
    snprintf(lock_path, sizeof lock_path, "%s.lock", m.path);
    int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666); // two runs build it once
    if (lock >= 0) flock(lock, LOCK_EX);
    const bool good = current(&m) || build(&m, err);
    if (lock >= 0) close(lock);
    return good;
}
