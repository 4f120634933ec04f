// A run that nothing is asked of: its sample file, and the line that it ends with.
#include "cli/run_default.h"
#include "base/container.h"
#include "cli/command_line.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whoever asks for a file, a count, a worker or fewer checks knows what the run is for.
static bool asks_for_more(const struct run_options *a) {
    const struct simulation_options *o = &a->run;
    return sampling_settings_any(&o->sampling) || a->unsampled || o->samples || o->stats || o->profile || o->fst ||
           o->count || o->profileme || o->dumps || a->around[0] || a->trace || a->kanata || o->failure_asked ||
           o->skip || !o->cosim || !o->oracle || worker_requests_count(a->workers);
}

static bool is_limited(const struct simulation_options *o) {
    return o->max_cycles != UINT64_MAX || o->max_insns != UINT64_MAX || o->sample_to;
}

static void name_file(const struct run_default *d, unsigned hart, char path[PATH_MAX], char old[PATH_MAX + 8]) {
    if (d->harts > 1) {
        run_harts_file(path, PATH_MAX, d->path, hart);
    } else {
        snprintf(path, PATH_MAX, "%s", d->path);
    }
    snprintf(old, PATH_MAX + 8, "%s.old", path);
}

static unsigned files(const struct run_default *d) {
    return d->harts > 1 ? d->harts : 1;
}

// What is there is a sample file, as an earlier run has left it.
static bool may_replace(const char *path, struct error *err) {
    struct stat status;
    if (lstat(path, &status) != 0 || (S_ISREG(status.st_mode) && container_is(path, "samples"))) return true;
    error_set(err,
              "%s: exists, and is no sample file, so it is not replaced: --samples FILE names another, --period none "
              "takes no samples",
              path);
    return false;
}

static bool choose_name(struct run_default *d, const char *program) {
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".elf") == 0) length -= 4;
    return length && (size_t)snprintf(d->path, sizeof d->path, "%.*s.tips", (int)length, name) < 200;
}

static void make_room(void *context) {
    struct run_default *d = context;
    d->began = true;
    for (unsigned i = 0; i < files(d); i++) {
        char path[PATH_MAX], old[PATH_MAX + 8];
        name_file(d, i, path, old);
        if (access(path, F_OK) == 0 && rename(path, old) == 0) d->moved |= 1u << i;
    }
}

bool run_default_choose(struct run_default *d, struct run_options *a, const char *program, struct error *err) {
    *d = (struct run_default){.harts = a->harts};
    if (a->run.quiet || !program || asks_for_more(a)) return true;
    d->hint = is_limited(&a->run) || !choose_name(d, program) || access(".", W_OK | X_OK) != 0;
    if (d->hint) return true;
    for (unsigned i = 0; i < files(d); i++) {
        char path[PATH_MAX], old[PATH_MAX + 8];
        name_file(d, i, path, old);
        if (!may_replace(path, err)) return false;
    }
    d->on = true;
    a->run.samples = d->path;
    a->run.sampling.period = SAMPLING_DEFAULT;
    a->run.sampling.jitter_bits = sampling_settings_jitter(SAMPLING_DEFAULT);
    a->run.samples_unasked = true;
    a->run.taken = &d->taken;
    a->run.writes = make_room;
    a->run.writes_context = d;
    return true;
}

// A file without a sample is none.
static void settle_files(const struct run_default *d) {
    for (unsigned i = 0; i < files(d); i++) {
        char path[PATH_MAX], old[PATH_MAX + 8];
        name_file(d, i, path, old);
        if (!d->taken) unlink(path);
        if (d->moved & 1u << i && access(path, F_OK) != 0) rename(old, path);
    }
}

static void print_report_line(const struct run_default *d) {
    fputs("report: tipoff report", stderr);
    for (unsigned i = 0; i < files(d); i++) {
        char path[PATH_MAX], old[PATH_MAX + 8];
        name_file(d, i, path, old);
        command_line_word(stderr, path);
    }
    fputc('\n', stderr);
}

void run_default_end(const struct run_default *d, bool good) {
    if (d->began) settle_files(d);
    if (!good) return;
    if (d->on && d->taken) {
        print_report_line(d);
    } else if (d->on) {
        fprintf(stderr, "not sampled: the run is shorter than %d cycles; --period 16 takes more samples\n",
                SAMPLING_DEFAULT);
    } else if (d->hint) {
        fprintf(stderr, "not sampled: --period %d samples and prints the report, --samples FILE keeps them\n",
                SAMPLING_DEFAULT);
    }
}
