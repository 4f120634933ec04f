// Programs and checkpoints of regions, and the digests under which results are kept: regions_work.h.
#include "base/elf.h"
#include "base/fnv.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/regions_checkpoints.h"
#include "cli/regions_work.h"
#include "tables_digest.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool regions_digest_file(uint64_t *digest, const char *path, struct error *err) {
    unsigned char piece[1 << 16];
    FILE *const file = paths_open(path, err);
    size_t got;
    if (!file) return false;
    while ((got = fread(piece, 1, sizeof piece, file)) > 0)
        for (size_t i = 0; i < got; i++)
            *digest = fnv_byte(*digest, piece[i]);
    const bool good = !ferror(file);
    if (!good) error_set(err, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return good;
}

static uint64_t digest_number(uint64_t digest, uint64_t number) {
    for (unsigned i = 0; i < 8; i++)
        digest = fnv_byte(digest, (uint8_t)(number >> (8 * i)));
    return digest;
}

static uint64_t digest_word(uint64_t digest, const char *text) {
    return fnv_byte(fnv_text(digest, text ? text : ""), 0);
}

// The model, the console's input, and what else the command line says.
static bool digest_common(struct regions_work *w) {
    const struct regions_measure *const m = w->m;
    w->common = digest_word(digest_word(FNV_START, TABLES_DIGEST), m->backend->name);
    if (!m->backend->digest(w, &w->common)) return false;
    w->common = digest_word(w->common, m->count);
    for (unsigned i = 0; i < m->sets; i++)
        w->common = digest_word(w->common, m->set[i]);
    w->common = digest_number(w->common, m->period);
    if (m->accesses) w->common = digest_word(w->common, "mtr");
    return !m->file.input || regions_digest_file(&w->common, m->file.input, w->err);
}

bool regions_begins_alone(const struct regions_work *w, const struct regions_region *r) {
    return w->alone && r->begin == r->warmup;
}

static bool digest_region(struct regions_work *w, size_t i) {
    const struct regions_file *const f = &w->m->file;
    const struct regions_region *const r = &f->regions[i];
    uint64_t key = digest_number(digest_number(w->common, r->instructions), regions_warmup(f, r));
    if (regions_by_markers(f)) {
        const uint64_t places[] = {f->harts, r->start.pc, r->start.count, r->end.pc, r->end.count};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            key = digest_number(key, places[k]);
    }
    if (regions_begins_alone(w, r)) {
        key = digest_word(digest_word(key, f->program), f->digest);
        for (char **argument = f->arguments; argument && *argument; argument++)
            key = digest_word(key, *argument);
    } else if (!regions_digest_file(&key, r->checkpoint, w->err)) {
        char fault[sizeof w->err->text];
        snprintf(fault, sizeof fault, "%s", w->err->text);
        error_set(w->err, "%s: region %zu: %.300s: make it again with `tipoff regions find --checkpoints`", w->m->path,
                  r->cluster, fault);
        return false;
    }
    w->keys[i] = key;
    return true;
}

bool regions_make_keys(struct regions_work *w) {
    if (!digest_common(w)) return false;
    for (size_t i = 0; i < w->m->file.region_count; i++)
        if (!digest_region(w, i)) return false;
    return true;
}

// ---- the program and its checkpoints ----
bool regions_check_program(struct regions_work *w) {
    const struct regions_file *const f = &w->m->file;
    if (!f->digest[0]) return true; // from a checkpoint alone
    struct image *const image = image_load(f->program, w->err);
    if (!image) return false;
    const bool same = strcmp(image_digest(image), f->digest) == 0;
    if (!same)
        error_set(
            w->err,
            "%s: its regions belong to another program than %s is now: find them again with `tipoff regions find`",
            w->m->path, f->program);
    image_destroy(image);
    w->alone = same && !f->restore;
    return same;
}

static bool all_there(const struct regions_work *w) {
    const struct regions_file *const f = &w->m->file;
    for (size_t i = 0; i < f->region_count; i++)
        if (!regions_begins_alone(w, &f->regions[i]) && access(f->regions[i].checkpoint, R_OK) != 0) return false;
    return true;
}

static int run_program(struct regions_work *w, int (*run)(struct iss_program *p, void *context, struct error *err),
                       void *context) {
    struct regions_file *const f = &w->m->file;
    struct iss_program p;
    size_t arguments = 0;
    while (f->arguments && f->arguments[arguments])
        arguments++;
    char **const argv = error_calloc((arguments + 2) * sizeof(char *), "arguments", w->err);
    if (!argv) return STATUS_BAD_INPUT;
    argv[0] = f->program;
    for (size_t i = 0; i < arguments; i++)
        argv[i + 1] = f->arguments[i];
    iss_program_begin(&p);
    p.program = f->digest[0] ? f->program : NULL;
    p.argv = p.program ? argv : NULL;
    p.restore = f->restore;
    p.input = f->input;
    p.harts = f->harts;
    p.quantum = f->quantum;
    p.ends = true;
    const int status = run(&p, context, w->err);
    free(argv);
    return status;
}

struct with {
    iss_program_with *with;
    void *context;
};
static int call(struct iss_program *p, void *context, struct error *err) {
    const struct with *const w = context;
    return iss_program_run(p, w->with, w->context, err);
}

int regions_run_again(struct regions_work *w, iss_program_with *with, void *context) {
    return run_program(w, call, &(struct with){with, context});
}

struct saved {
    struct regions_file *file;
    const char *name;
    uint64_t warmup;
};
static int save(struct iss_program *p, void *context, struct error *err) {
    const struct saved *const s = context;
    return regions_checkpoints(p, s->file, s->name, s->warmup, err);
}

// In the folder of results, by another run of the program; those of an earlier command serve.
static bool make_checkpoints(struct regions_work *w, uint64_t warmup) {
    struct regions_file *const f = &w->m->file;
    char *name = NULL;
    uint64_t key = digest_number(FNV_START, warmup);
    if (!regions_digest_file(&key, w->m->path, w->err)) return false;
    if (asprintf(&name, "%s/%016" PRIx64, w->keep, key) < 0) {
        error_nomem(w->err, "checkpoints");
        return false;
    }
    for (size_t i = 0; i < f->region_count; i++) {
        struct regions_region *const r = &f->regions[i];
        free(r->checkpoint);
        r->warmup = warmup < r->begin ? warmup : r->begin;
        if (asprintf(&r->checkpoint, "%s.%zu.ckpt", name, r->cluster) >= 0) continue;
        r->checkpoint = NULL;
        free(name);
        error_nomem(w->err, "checkpoints");
        return false;
    }
    if (!all_there(w)) w->status = run_program(w, save, &(struct saved){f, name, warmup});
    free(name);
    return w->status == EXIT_SUCCESS;
}

bool regions_find_checkpoints(struct regions_work *w) {
    const struct regions_measure *const m = w->m;
    bool there = true;
    for (size_t i = 0; i < m->file.region_count; i++) {
        const struct regions_region *const r = &m->file.regions[i];
        const uint64_t wanted = m->warmup < r->begin ? m->warmup : r->begin;
        if ((!r->checkpoint && !(r->begin == 0 && w->alone)) || (m->has_warmup && r->warmup != wanted)) there = false;
    }
    return there || make_checkpoints(w, m->warmup);
}
