// Lines, lives, their order, their fates, bundles; then the Oracle and the profilers, and samples as TIP takes them.
#include "import/imported.h"
#include "base/elf.h"
#include "base/output.h"
#include "import/bundles.h"
#include "import/order.h"
#include "oracle/oracle.h"
#include "profile/units.h"
#include "profilers/profilers.h"
#include "results.h"
#include "samples/samples.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct importing {
    const struct import_options *o;
    struct lines *lines;
    const struct import_format *format;
    struct order *order;
    struct fates *fates;
    struct bundles *bundles;
    struct oracle *oracle;
    struct profilers *profilers;
    struct output *output;
    struct samples_writer *writer;
    uint64_t trigger, last; // the next one's cycle; the cycle after the last sample's
    uint64_t random;
    struct sample_record waits; // Drained: its instruction has not come yet
    bool waiting;
    uint64_t samples, triggers;
};

// ---- samples ----
static uint64_t draw(struct importing *i) { // xorshift64* (Vigna, 2014)
    i->random ^= i->random >> 12;
    i->random ^= i->random << 25;
    i->random ^= i->random >> 27;
    return i->random * 0x2545f4914f6cdd1dULL >> 32;
}

static void next_trigger(struct importing *i) {
    const struct sampling_settings *s = &i->o->sampling;
    const uint64_t span = s->jitter_bits ? UINT64_C(1) << s->jitter_bits : 1;
    i->trigger += s->period - span / 2 + draw(i) % span;
}

static bool put(struct importing *i, const struct sample_record *r, struct error *err) {
    i->samples++;
    return samples_add(i->writer, r, err) == 0;
}

// The first in the ROB is what a Drained sample waits for.
static bool name(struct importing *i, const struct commit_bundle *b, struct error *err) {
    if (!i->waiting || b->rob_empty) return true;
    i->waiting = false;
    i->waits.sample.valid = 1;
    i->waits.sample.addr[0] = b->pc[b->oldest];
    return put(i, &i->waits, err);
}

static bool sample(struct importing *i, const struct commit_bundle *b, struct error *err) {
    struct sample_record r = {.cycle = i->trigger, .cycles = i->trigger + 1 - i->last};
    oracle_expect(i->oracle, b, &r.sample);
    i->last = i->trigger + 1;
    i->triggers++;
    if (i->waiting) {
        i->waits.repeats++;
        i->waits.cycles += r.cycles;
        return true;
    }
    if (r.sample.state != STATE_DRAINED) return put(i, &r, err);
    i->waits = r;
    i->waiting = true;
    return true;
}

// ---- cycles ----
static bool step(struct importing *i, const struct commit_bundle *b, uint64_t count, struct error *err) {
    if (oracle_step(i->oracle, b, count) < 0) return error_nomem(err, i->o->file), false;
    if (i->profilers) profilers_step(i->profilers, b, count);
    return true;
}

static bool show(void *context, const struct commit_bundle *b, uint64_t cycle, uint64_t count, struct error *err) {
    struct importing *i = context;
    if (!name(i, b, err)) return false;
    while (i->profilers && i->trigger < cycle + count) {
        const uint64_t part = i->trigger + 1 - cycle;
        if (!sample(i, b, err) || !step(i, b, part, err)) return false;
        profilers_sample(i->profilers, b, i->trigger);
        next_trigger(i);
        cycle += part;
        count -= part;
        if (!count) return true;
    }
    return step(i, b, count, err);
}

static bool take_fate(void *context, const struct fate *fate, struct error *err) {
    return bundles_add(((struct importing *)context)->bundles, fate, err);
}
static bool take_ordered(void *context, const struct import_life *life, struct error *err) {
    return fates_add(((struct importing *)context)->fates, life, err);
}
static bool take_life(void *context, const struct import_life *life, struct error *err) {
    return order_add(((struct importing *)context)->order, life, err);
}

// ---- what it begins with ----
static bool name_program(struct samples_header *h, const char *program, struct error *err) {
    if (!program) return true;
    struct image *image = image_load_symbols(program, err);
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
                               .width = i->o->width,
                               .units = units_per_cycle(i->o->width),
                               .sampling = i->o->sampling,
                               .vectors = SAMPLES_VECTORS_NONE,
                               .contexts = true};
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

static bool create(struct importing *i, struct error *err) {
    const char *file = i->o->file;
    i->lines = lines_open(file, err);
    if (!i->lines || !choose_format(i, err)) return false;
    i->order = order_create(file, i->format->cycles ? 1 : i->o->clock, take_ordered, i, err);
    i->fates = i->order ? fates_create(file, take_fate, i, err) : NULL;
    i->bundles = i->fates ? bundles_create(file, i->o->width, show, i, err) : NULL;
    i->oracle = i->bundles ? oracle_create(i->o->width, err) : NULL;
    if (!i->oracle) return false;
    if (i->o->sampling.period) {
        i->profilers = profilers_create(i->o->width, BUNDLES_ROB, PROFILERS_TAGS, err);
        if (!i->profilers) return false;
        i->random = i->o->sampling.seed * 0x9e3779b97f4a7c15ULL + 1;
        next_trigger(i);
    }
    return create_writer(i, err);
}

// ---- what it leaves ----
// Those that need what the format does not show are left out.
static bool known(const struct importing *i, const char *profiler) {
    static const char *const fetch[] = {"Fetch", "RIS"}, *const dispatch[] = {"Dispatch", "IBS", "SPE"};
    for (size_t k = 0; k < sizeof fetch / sizeof *fetch; k++)
        if (strcmp(profiler, fetch[k]) == 0) return i->format->shows & IMPORT_FETCH;
    for (size_t k = 0; k < sizeof dispatch / sizeof *dispatch; k++)
        if (strcmp(profiler, dispatch[k]) == 0) return i->format->shows & IMPORT_DISPATCH;
    return true;
}

static bool add_profiles(struct importing *i, struct error *err) {
    size_t count;
    const struct profile_row *rows = oracle_rows(i->oracle, &count);
    bool good = samples_add_profile(i->writer, "Oracle", 0, rows, count, err) == 0;
    for (size_t p = 0; good && i->profilers && p < profilers_count(); p++) {
        if (!known(i, profilers_name(p)) || profilers_events(p)) continue;
        rows = profilers_rows(i->profilers, p, &count);
        good = samples_add_profile(i->writer, profilers_name(p), 0, rows, count, err) == 0;
    }
    return good;
}

// What no table of the file can have.
static struct imported not_shown(const struct import_format *format) {
    struct imported n = {.format = ""};
    snprintf(n.format, sizeof n.format, "%s", format->name);
    snprintf(n.missing, sizeof n.missing, "events%s%s", format->shows & IMPORT_FLUSHED ? "" : ", Flushed",
             format->shows & IMPORT_DRAINED ? "" : ", Drained");
    return n;
}

static bool publish(const struct importing *i, struct results *r) {
    const struct imported missing = not_shown(i->format);
    const uint64_t cycles = bundles_cycles(i->bundles), retired = fates_counts(i->fates)->retired;
    const double units = units_per_cycle(i->o->width);
    bool good = results_add_imported(r, &missing) && results_add_run_outcome(r, &(struct run_outcome){0, false}) &&
                results_add_run_totals(r, &(struct run_totals){cycles, retired, 0, 0}) &&
                results_add_samples_taken(r, &(struct samples_taken){i->samples}) &&
                results_add_lost_triggers(r, &(struct lost_triggers){0}) &&
                results_add_sample_triggers(r, &(struct sample_triggers){i->triggers, (double)i->triggers});
    for (unsigned s = 0; good && s < STATE_COUNT; s++)
        good = results_add_state_cycles(
            r, &(struct state_cycles){(uint8_t)s, (double)oracle_state_units(i->oracle, s) / units});
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

static void sum_up(const struct importing *i, struct import_summary *s) {
    const struct fate_counts *c = fates_counts(i->fates);
    const double all = (double)bundles_cycles(i->bundles) * units_per_cycle(i->o->width);
    *s = (struct import_summary){.format = i->format,
                                 .cycles = bundles_cycles(i->bundles),
                                 .clock = order_clock(i->order),
                                 .folded = order_folded(i->order),
                                 .samples = i->samples,
                                 .retired = c->retired,
                                 .squashed = c->squashed,
                                 .mispredictions = c->mispredictions,
                                 .traps = c->traps,
                                 .replays = c->replays,
                                 .flushes = c->flushes};
    for (unsigned k = 0; k < STATE_COUNT; k++)
        s->share[k] = all > 0 ? (double)oracle_state_units(i->oracle, k) / all : 0;
}

static int read_all(struct importing *i, struct error *err) {
    const int rc = i->format->read(i->lines, i->o->dispatch, take_life, i, err);
    if (rc) return rc;
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
    const uint64_t cycles = bundles_cycles(i->bundles);
    int rc = oracle_finish(i->oracle, cycles, err);
    if (!rc && i->profilers) rc = profilers_finish(i->profilers, cycles, err);
    if (!rc && !(add_profiles(i, err) && add_results(i, err))) rc = -EIO;
    return rc;
}

static void release(struct importing *i) {
    profilers_destroy(i->profilers);
    oracle_destroy(i->oracle);
    bundles_destroy(i->bundles);
    fates_destroy(i->fates);
    order_destroy(i->order);
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
    struct importing i = {.o = options};
    int rc = create(&i, err) ? read_all(&i, err) : i.lines && i.format && !i.writer && i.output ? -EIO : -EINVAL;
    if (!rc) rc = finish(&i, err);
    if (!rc) sum_up(&i, summary);
    rc = close_output(&i, rc, err);
    release(&i);
    return rc;
}
