// A perf.data file as a sample file: the maps of all processes, then the samples, then the files in them, moved into
// one address space in which each has its own range.
#include "base/paths.h"
#include "import/perf_import_internal.h"
#include "profile/event_unit.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- who ran what where ----
static bool take_map(void *context, const struct perf_map *map, struct error *err) {
    struct perf_import *i = context;
    return perf_maps_add(i->maps, map) || error_nomem(err, i->o->file) == 0;
}
static bool take_task(void *context, const struct perf_task *task, struct error *err) {
    struct perf_import *i = context;
    return perf_maps_add_task(i->maps, task) || error_nomem(err, i->o->file) == 0;
}
static bool take_build_id(void *context, const char *path, const uint8_t *id, unsigned bytes, struct error *err) {
    struct perf_import *i = context;
    return perf_maps_build_id(i->maps, path, id, bytes) || error_nomem(err, i->o->file) == 0;
}
static bool take_sample(void *context, const struct perf_sample *sample, struct error *err) {
    struct perf_import *i = context;
    return perf_samples_add(i->samples, sample) || error_nomem(err, i->o->file) == 0;
}

// The file that --program is in the recording: by its build id, else by its name, else what was executed first.
static bool find_program(struct perf_import *i, struct error *err) {
    const size_t count = perf_maps_objects(i->maps);
    char id[2 * PERF_BUILD_ID + 1];
    size_t named = SIZE_MAX, executed = SIZE_MAX;
    i->program = SIZE_MAX;
    if (!i->o->program) return true;
    FILE *file = paths_open(i->o->program, err);
    if (!file) return false;
    fclose(file);
    perf_build_id_of(i->o->program, id);
    for (size_t k = count; k-- > 0;) {
        const struct perf_object *o = perf_maps_object(i->maps, k);
        if (*id && strcmp(o->build_id, id) == 0) i->program = k;
        if (strcmp(paths_name(o->path), paths_name(i->o->program)) == 0) named = k;
        if (o->executed) executed = k;
    }
    if (i->program == SIZE_MAX) i->program = named != SIZE_MAX ? named : executed;
    if (i->program == SIZE_MAX) {
        error_set(err, "%s: nothing in the recording is %s: leave --program out", i->o->file, i->o->program);
        return false;
    }
    const struct perf_object *o = perf_maps_object(i->maps, i->program);
    if (!*o->build_id || !*id || strcmp(o->build_id, id) == 0) return true;
    error_set(err, "%s: not the program that was recorded (build id %s, not %s of %s): name that one", i->o->program,
              id, o->build_id, o->path);
    return false;
}

static bool read_maps(struct perf_import *i, struct error *err) {
    const struct perf_takes takes = {.context = i, .map = take_map, .task = take_task, .build_id = take_build_id};
    i->maps = perf_maps_create();
    if (!i->maps) return error_nomem(err, i->o->file) == 0;
    if (perf_data_read(i->data, &takes, err) < 0) return false;
    perf_maps_sort(i->maps);
    return find_program(i, err);
}

static bool read_samples(struct perf_import *i, struct error *err) {
    const struct perf_takes takes = {.context = i, .sample = take_sample};
    unsigned count;
    const struct perf_event_kind *events = perf_data_events(i->data, &count);
    i->samples = perf_samples_create(i->o->file, i->maps, i->program, i->o->program, events, err);
    i->maps = NULL;
    if (!i->samples || perf_data_read(i->data, &takes, err) < 0) return false;
    if (*perf_data_fault(i->data))
        warning(i->o->notices, "%s: %s; what came before is used", i->o->file, perf_data_fault(i->data));
    if (perf_data_lost(i->data))
        warning(i->o->notices, "%s: the machine lost %" PRIu64 " samples or records", i->o->file,
                perf_data_lost(i->data));
    if (i->samples->unwritten)
        warning(i->o->notices, "%s: %" PRIu64 " samples have periods too long to be added up: left out", i->o->file,
                i->samples->unwritten);
    if (i->samples->count) return true;
    error_set(err, "%s: no samples in it: record the program again, for longer", i->o->file);
    return false;
}

static void sum_up(const struct perf_import *i, struct perf_summary *s) {
    *s = (struct perf_summary){.samples = i->samples->count, .event_count = i->samples->profile_count};
    for (unsigned p = 0; p < s->event_count; p++) {
        snprintf(s->events[p].name, sizeof s->events[p].name, "%s", i->samples->profiles[p].name);
        s->events[p].weight = profile_table_total(i->samples->profiles[p].table);
    }
}

bool perf_import_is(const char *file) {
    char magic[8] = "";
    FILE *f = fopen(file, "rb");
    if (!f) return false;
    const bool is = fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "PERFILE2", sizeof magic) == 0;
    fclose(f);
    return is;
}

int perf_import(const struct import_options *options, struct perf_summary *summary, struct error *err) {
    struct perf_import *i = error_calloc(sizeof *i, options->file, err);
    if (!i) return -ENOMEM;
    i->o = options;
    i->data = perf_data_open(options->file, err);
    int rc = i->data && read_maps(i, err) && read_samples(i, err) && perf_add_images(i, err) ? 0 : -EBADMSG;
    if (!rc) rc = perf_write(i, err);
    if (!rc) sum_up(i, summary);
    perf_samples_destroy(i->samples);
    perf_maps_destroy(i->maps);
    perf_data_close(i->data);
    free(i->shown);
    free(i);
    return rc;
}
