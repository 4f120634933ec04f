// Who simulates regions, and how: regions_work.h.
#include "cli/configurations.h"
#include "cli/regions_work.h"
#include <inttypes.h>
#include <stdlib.h>

// ---- the core ----
static bool rtl_digest(const struct regions_work *w, uint64_t *digest) {
    static const char *const files[] = {"gen/config.json", "model.so"};
    if (configurations_check(w->folder, w->m->config, w->err) < 0) return false;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s/%s/%s", w->folder, w->m->config, files[i]);
        if (!regions_digest_file(digest, path, w->err)) return false;
    }
    return true;
}

// The program from its beginning, or the region's checkpoint.
static void name_program(const struct regions_work *w, const struct regions_region *r, struct child *c) {
    const struct regions_file *const f = &w->m->file;
    const bool alone = regions_begins_alone(w, r);
    if (!alone) child_word(c, "--restore=%s", r->checkpoint);
    if (alone && f->harts > 1) child_word(c, "--harts=%u", f->harts);
    if (f->digest[0]) child_word(c, "%s", f->program);
    if (!alone || !f->arguments) return;
    child_word(c, "--");
    for (char **argument = f->arguments; *argument; argument++)
        child_word(c, "%s", *argument);
}

// Of several harts: from one execution to another, from the checkpoint on. Both edges lie as far behind theirs.
static void name_edges(const struct regions_region *r, const struct regions_before *before, struct child *c) {
    if (r->start.pc) child_word(c, "--sample-from=0x%" PRIx64 ":%" PRIu64, r->start.pc, r->start.count - before->start);
    if (r->end.pc) child_word(c, "--sample-to=0x%" PRIx64 ":%" PRIu64, r->end.pc, r->end.count - before->end);
}

static void rtl_command(const struct regions_work *w, size_t region, const char *part, struct child *c) {
    const struct regions_measure *const m = w->m;
    const struct regions_file *const f = &m->file;
    const struct regions_region *const r = &f->regions[region];
    const uint64_t warmup = regions_warmup(f, r);
    child_word(c, "tipoff");
    child_word(c, "run");
    child_word(c, "--quiet");
    child_word(c, "--threads=1");
    child_word(c, "--config=%s", m->config);
    for (unsigned i = 0; i < m->sets; i++)
        child_word(c, "--set=%s", m->set[i]);
    if (m->count) child_word(c, "--count=%s", m->count);
    if (m->period) {
        child_word(c, "--period=%" PRIu64, m->period);
        child_word(c, "--samples=%s.tips", part);
    }
    if (f->input) child_word(c, "--input=%s", f->input);
    if (regions_by_markers(f)) {
        name_edges(r, &w->before[region], c);
    } else {
        if (warmup) child_word(c, "--warmup=%" PRIu64, warmup);
        child_word(c, "--max-insns=%" PRIu64, r->instructions);
    }
    child_word(c, "--stats=%s", part);
    if (m->accesses && !regions_begins_alone(w, r)) child_word(c, "--warm=all");
    name_program(w, r, c);
}

// ---- the fast model, of one hart and of several ----
static bool gus_digest(const struct regions_work *w, uint64_t *digest) {
    char path[2 * PATH_MAX];
    if (w->m->accesses) {
        error_set(w->err, "--warmup mtr: fills the caches of --on rtl alone: use --warmup N");
        return false;
    }
    if (configurations_check(w->folder, w->m->config, w->err) < 0) return false;
    snprintf(path, sizeof path, "%s/%s/gen/gus.tsv", w->folder, w->m->config);
    return regions_digest_file(digest, path, w->err) && regions_digest_file(digest, "/proc/self/exe", w->err);
}

static void gus_command(const struct regions_work *w, size_t region, const char *part, struct child *c) {
    const struct regions_measure *const m = w->m;
    const struct regions_file *const f = &m->file;
    const struct regions_region *const r = &f->regions[region];
    child_word(c, "tipoff");
    child_word(c, "gus");
    child_word(c, "--config=%s", m->config);
    child_word(c, "--format=json");
    child_word(c, "--output=%s", part);
    if (f->input) child_word(c, "--input=%s", f->input);
    if (r->warmup) child_word(c, "--warmup=%" PRIu64, r->warmup);
    if (!regions_by_markers(f))
        child_word(c, "--max-insns=%" PRIu64, r->steps);
    else if (r->end.pc)
        child_word(c, "--to=0x%" PRIx64 ":%" PRIu64, r->end.pc, r->end.count - w->before[region].end);
    name_program(w, r, c);
}

const struct regions_backend regions_backends[REGIONS_BACKENDS] = {
    {.name = "rtl", .command = rtl_command, .digest = rtl_digest, .counts = true, .samples = true},
    {.name = "gus", .command = gus_command, .digest = gus_digest, .steps = true},
};
