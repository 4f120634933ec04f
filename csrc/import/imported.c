// Lines, lives, their order, their fates, bundles; or records, which are bundles; then those who watch (watch.h).
#include "import/imported.h"
#include "base/elf.h"
#include "base/output.h"
#include "import/bundles.h"
#include "import/fields.h"
#include "import/order.h"
#include "import/texts.h"
#include "import/watch.h"
#include "profile/units.h"
#include "results.h"
#include "samples/samples.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct importing {
    const struct import_options *o;
    struct lines *lines;
    const struct import_format *format;
    struct layout *layout; // of a format that has cycles; else NULL
    unsigned shows, width; // enum import_shows
    struct order *order;   // these three of a format that has lives
    struct fates *fates;
    struct bundles *bundles;
    struct texts *texts;
    struct watch *watch;
    struct output *output;
    struct samples_writer *writer;
    uint64_t bytes, begun; // read, as unpacked; when that began, in nanoseconds
};

static bool take_fate(void *context, const struct fate *fate, struct error *err) {
    struct importing *i = context;
    if (fate->kind == FATE_RETIRES) texts_retire(i->texts, &fate->life);
    return bundles_add(i->bundles, fate, err);
}
static bool take_ordered(void *context, const struct import_life *life, struct error *err) {
    return fates_add(((struct importing *)context)->fates, life, err);
}
static bool take_life(void *context, const struct import_life *life, struct error *err) {
    struct importing *i = context;
    if (life->text && life->pc != IMPORT_NEVER && !texts_add(i->texts, life->pc, life->text))
        return error_nomem(err, i->o->file), false;
    return order_add(i->order, life, err);
}

// ---- what it begins with ----
static bool name_program(struct samples_header *h, const char *program, struct error *err) {
    if (!program) return true;
    struct image *image = image_load_foreign(program, err);
    if (!image) return false;
    char real[PATH_MAX];
    snprintf(h->program, sizeof h->program, "%s", program);
    if (realpath(program, real)) snprintf(h->real_path, sizeof h->real_path, "%s", real);
    snprintf(h->build_id, sizeof h->build_id, "%s", image_build_id(image));
    snprintf(h->digest, sizeof h->digest, "%s", image_digest(image));
    image_destroy(image);
    return true;
}

static bool create_writer(struct importing *i, struct error *err) {
    struct samples_header h = {.clock_mhz = 1000,
                               .width = i->width,
                               .units = units_per_cycle(i->width),
                               .sampling = i->o->sampling,
                               .vectors = i->shows & IMPORT_EVENTS ? SAMPLES_VECTORS_SAMPLE : SAMPLES_VECTORS_NONE,
                               .without_contexts = !(i->shows & IMPORT_MODES)};
    snprintf(h.config, sizeof h.config, "%s", i->format->name);
    snprintf(h.command, sizeof h.command, "%s", i->o->command);
    static const char *const events[] = {EVENT_NAMES}; // a trace shows none of them
    h.event_count = EVENT_COUNT_ALONE;
    for (unsigned e = 0; e < h.event_count; e++)
        snprintf(h.events[e], sizeof h.events[e], "%s", events[e]);
    if (!name_program(&h, i->o->program, err)) return false;
    i->output = output_open(i->o->samples, err);
    if (!i->output) return false;
    char path[OUTPUT_PATH];
    output_path(i->output, path);
    i->writer = samples_create(path, &h, err);
    if (!i->writer) output_said(i->output, err);
    return i->writer;
}

static bool choose_format(struct importing *i, struct error *err) {
    const char *first = lines_next(i->lines);
    i->format = i->o->format ? i->o->format : first ? import_format_of(first) : NULL;
    if (first) lines_again(i->lines);
    if (i->format) return true;
    error_set(err, "%s: of no format that its first line shows: name it with --format", i->o->file);
    return false;
}

// What turns lives into cycles.
static bool create_order(struct importing *i, struct error *err) {
    const char *file = i->o->file;
    i->order = order_create(file, i->format->cycles ? 1 : i->o->clock, take_ordered, i, err);
    i->fates = i->order ? fates_create(file, take_fate, i, err) : NULL;
    i->bundles = i->fates ? bundles_create(file, i->width, watch_show, i->watch, err) : NULL;
    i->texts = i->bundles ? texts_create() : NULL;
    if (i->bundles && !i->texts) error_nomem(err, file);
    return i->texts;
}

static bool open_layout(struct importing *i, struct error *err) {
    if (!i->o->layout) {
        error_set(err, "--format %s: name the file that says where records have what: --layout FILE.toml",
                  i->format->name);
        return false;
    }
    i->layout = layout_open(i->o->layout, i->o->width, err);
    if (!i->layout) return false;
    i->shows = layout_shows(i->layout);
    i->width = layout_lanes(i->layout);
    return true;
}

static bool create(struct importing *i, struct error *err) {
    i->lines = lines_open(i->o->file, err);
    if (!i->lines || !choose_format(i, err)) return false;
    i->shows = i->format->shows;
    i->width = i->o->width ? i->o->width : MAX_LANES;
    if (!i->format->read && !open_layout(i, err)) return false;
    if (!create_writer(i, err)) return false;
    const struct watch_settings settings = {.path = i->o->file,
                                            .sampling = i->o->sampling,
                                            .width = i->width,
                                            .rob_entries = i->layout ? layout_rob(i->layout) : BUNDLES_ROB,
                                            .shows = i->shows,
                                            .writer = i->writer};
    i->watch = watch_create(&settings, err);
    return i->watch && (i->layout || create_order(i, err));
}

// ---- what it leaves ----
// What no table of the file can have.
static struct imported not_shown(const struct importing *i) {
    static const struct {
        unsigned shown;
        const char *name;
    } all[] = {
        {IMPORT_EVENTS, "events"}, {IMPORT_FLUSHED, "Flushed"}, {IMPORT_DRAINED, "Drained"}, {IMPORT_MODES, "modes"}};
    struct imported n = {.format = ""};
    snprintf(n.format, sizeof n.format, "%s", i->format->name);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const size_t used = strlen(n.missing);
        if (i->shows & all[k].shown) continue;
        snprintf(n.missing + used, sizeof n.missing - used, "%s%s", used ? ", " : "", all[k].name);
    }
    return n;
}

static bool publish(const struct importing *i, struct results *r) {
    const struct imported missing = not_shown(i);
    const struct watch_counts *c = watch_counts(i->watch);
    bool good = results_add_imported(r, &missing) && (!i->texts || texts_publish(i->texts, r)) &&
                results_add_run_outcome(r, &(struct run_outcome){0, false}) &&
                results_add_run_totals(r, &(struct run_totals){c->cycles, c->retired, 0, 0}) &&
                results_add_samples_taken(r, &(struct samples_taken){c->samples}) &&
                results_add_lost_triggers(r, &(struct lost_triggers){0}) &&
                results_add_sample_triggers(r, &(struct sample_triggers){c->triggers, (double)c->triggers});
    for (unsigned s = 0; good && s < STATE_COUNT; s++)
        good =
            results_add_state_cycles(r, &(struct state_cycles){(uint8_t)s, watch_state_cycles(i->watch, s, i->width)});
    return good;
}

static bool add_results(struct importing *i, struct error *err) {
    struct results *r = results_create();
    const bool made = r && publish(i, r);
    if (!made) error_nomem(err, i->o->file);
    const bool good = made && samples_add_results(i->writer, r, 0, err) == 0;
    results_destroy(r);
    return good;
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void sum_up(const struct importing *i, struct import_summary *s) {
    const struct watch_counts *c = watch_counts(i->watch);
    *s = (struct import_summary){.format = i->format,
                                 .shows = i->shows,
                                 .cycles = c->cycles,
                                 .clock = i->order ? order_clock(i->order) : 1,
                                 .folded = i->order ? order_folded(i->order) : 0,
                                 .samples = c->samples,
                                 .retired = c->retired,
                                 .squashed = i->fates ? fates_counts(i->fates)->squashed : 0,
                                 .mispredictions = c->mispredictions,
                                 .traps = c->traps,
                                 .replays = c->replays,
                                 .flushes = c->flushes,
                                 .bytes = i->bytes,
                                 .seconds = (double)(nanoseconds() - i->begun) / 1e9};
    for (unsigned k = 0; k < STATE_COUNT; k++)
        s->share[k] = c->cycles ? watch_state_cycles(i->watch, k, i->width) / (double)c->cycles : 0;
}

static int read_records(struct importing *i, struct error *err) {
    char fault[sizeof err->text];
    const int rc = fields_read(i->o->file, i->layout, i->watch, fault, &i->bytes, err);
    if (!rc && fault[0]) warning(i->o->notices, "%s; what came before is used", fault);
    return rc;
}

static int read_all(struct importing *i, struct error *err) {
    if (i->layout) return read_records(i, err);
    const int rc = i->format->read(i->lines, i->o->dispatch, take_life, i, err);
    if (rc) return rc;
    i->bytes = lines_bytes(i->lines);
    if (lines_fault(i->lines)[0])
        warning(i->o->notices, "%s: %s; what came before is used", i->o->file, lines_fault(i->lines));
    else if (lines_cut(i->lines))
        warning(i->o->notices, "%s: ends in the midst of a line; what came before is used", i->o->file);
    if (!order_finish(i->order, err) || !fates_finish(i->fates, err) || !bundles_finish(i->bundles, err))
        return -EBADMSG;
    if (fates_counts(i->fates)->retired) return 0;
    error_set(err, "%s: no instruction of it retires: is it a trace of format %s?", i->o->file, i->format->name);
    return -EBADMSG;
}

static int finish(struct importing *i, struct error *err) {
    const int rc = watch_finish(i->watch, err);
    return rc ? rc : watch_add_profiles(i->watch, err) && add_results(i, err) ? 0 : -EIO;
}

static void release(struct importing *i) {
    texts_destroy(i->texts);
    bundles_destroy(i->bundles);
    fates_destroy(i->fates);
    order_destroy(i->order);
    watch_destroy(i->watch);
    layout_close(i->layout);
    lines_close(i->lines);
}

// The file appears whole, or not at all.
static int close_output(struct importing *i, int rc, struct error *err) {
    if (i->writer && !rc)
        rc = samples_close(i->writer, err);
    else if (i->writer)
        samples_abandon(i->writer);
    if (rc == -EIO) output_said(i->output, err);
    const int closed = i->output ? output_close(i->output, !rc, err) : 0;
    return rc ? rc : closed ? -EIO : 0;
}

int import_file(const struct import_options *options, struct import_summary *summary, struct error *err) {
    struct importing i = {.o = options, .begun = nanoseconds()};
    int rc = create(&i, err) ? read_all(&i, err) : i.lines && i.format && !i.writer && i.output ? -EIO : -EINVAL;
    if (!rc) rc = finish(&i, err);
    if (!rc) sum_up(&i, summary);
    rc = close_output(&i, rc, err);
    release(&i);
    return rc;
}
