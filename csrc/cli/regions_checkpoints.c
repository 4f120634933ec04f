// Where regions begin, as checkpoints: regions_checkpoints.h.
#include "cli/regions_checkpoints.h"
#include "base/signals.h"
#include "cli/cli.h"
#include <stdlib.h>

enum { PIECE = 1 << 20 }; // instructions between two looks at signals

struct pass {
    struct iss_program *program;
    struct ordered {
        struct regions_region *region;
    } * order; // by where they begin
    size_t count;
    const char *name;
    uint64_t warmup;
    struct access_record *accesses;
};

static int by_begin(const void *a, const void *b) {
    const uint64_t x = ((const struct ordered *)a)->region->begin, y = ((const struct ordered *)b)->region->begin;
    return (x > y) - (x < y);
}

// To `place` instructions and traps, as the run before did. False: it ends before, or a signal came.
static bool go_to(struct access_record *accesses, struct iss *iss, uint64_t *done, uint64_t place,
                  const volatile sig_atomic_t *came) {
    while (*done < place && !*came) {
        const uint64_t left = place - *done, now = access_record_run(accesses, iss, left < PIECE ? left : PIECE, left);
        if (now == 0) return false;
        *done += now;
    }
    return !*came;
}

static int save_one(const struct pass *p, struct iss *iss, struct regions_region *r, struct error *err) {
    char *path;
    if (asprintf(&path, "%s.%zu.ckpt", p->name, r->cluster) < 0) {
        error_nomem(err, "path of a checkpoint");
        return STATUS_BAD_INPUT;
    }
    if (checkpoint_write(iss, &p->program->origin, path, err) < 0) {
        free(path);
        return STATUS_OUTPUT;
    }
    free(r->checkpoint);
    r->checkpoint = path;
    return EXIT_SUCCESS;
}

static int save_all(const struct pass *p, struct iss *iss, struct error *err) {
    struct signals_before before;
    const volatile sig_atomic_t *const came = signals_note(&before);
    uint64_t done = 0;
    int status = EXIT_SUCCESS;
    for (size_t i = 0; !status && i < p->count; i++) {
        struct regions_region *const r = p->order[i].region;
        r->warmup = p->warmup < r->begin ? p->warmup : r->begin;
        if (go_to(p->accesses, iss, &done, r->begin - r->warmup, came)) {
            status = save_one(p, iss, r, err);
        } else if (!*came) {
            error_set(err, "%s: its second run ended before region %zu: give it its --input as a file",
                      iss_program_path(p->program), r->cluster);
            status = STATUS_BAD_INPUT;
        } else {
            break;
        }
    }
    signals_restore(&before);
    return !status && *came ? 128 + *came : status;
}

// Each with the last accesses before it.
static int save(void *context, struct iss *iss, struct error *err) {
    struct pass *const p = context;
    p->accesses = access_record_create(iss_memory_bytes(iss), iss_harts(iss), err);
    const bool good = p->accesses && access_record_watch(p->accesses, iss, err);
    p->program->origin.accesses = p->accesses;
    const int status = good ? save_all(p, iss, err) : STATUS_BAD_INPUT;
    p->program->origin.accesses = NULL;
    access_record_destroy(p->accesses);
    return status;
}

int regions_checkpoints(struct iss_program *program, struct regions_file *f, const char *name, uint64_t warmup,
                        struct error *err) {
    struct pass p = {program, calloc(f->region_count, sizeof *p.order), f->region_count, name, warmup, NULL};
    if (!p.order) {
        error_nomem(err, "checkpoints of regions");
        return STATUS_BAD_INPUT;
    }
    for (size_t i = 0; i < p.count; i++)
        p.order[i].region = &f->regions[i];
    qsort(p.order, p.count, sizeof *p.order, by_begin);
    const int status = iss_program_run(program, save, &p, err);
    free(p.order);
    return status;
}
