// Opens what a report needs: the samples, their programs, and one profile.
#include "report/run.h"
#include "report/contexts.h"
#include "report/facts.h"
#include "report/json.h"
#include "report/run_images.h"
#include "report/run_memo.h"
#include "report/words.h"
#include "results.h"
#include "tables_digest.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int report_out_of_memory(const char *path, struct error *err) {
    return error_nomem(err, path);
}

// The reader has made sure that such sums do not wrap.
static uint64_t rows_total(const struct profile_row *rows, size_t count) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += rows[i].weight;
    return total;
}

// Cycles and instructions of the run, from the best source there is.
static void take_totals(struct run *d) {
    const struct run_totals *totals = results_run_totals(samples_results(d->samples));
    const struct samples_profile *oracle = samples_find_profile(d->samples, "Oracle");
    d->cycles = totals ? totals->cycles : 0;
    d->instructions = totals ? totals->instructions : 0;
    if (!d->cycles && oracle) d->cycles = rows_total(oracle->rows, oracle->count) / d->header->units;
    if (!d->cycles) d->cycles = samples_last_cycle(d->samples);
}

static void use_samples(struct run *d, const char *name) {
    d->profiler = name;
    d->by_samples = true;
    d->rows = d->sampled;
    d->row_count = d->sampled_count;
}

// What a profile of the file is called: the hardware's samples are "TIP" (and "TEA"), so that models which the run kept
// beside them have to be distinguished.
const char *report_profile_label(const struct run *d, const struct samples_profile *profile) {
    if (!d->sample_count) return profile->profiler;
    if (strcmp(profile->profiler, "TIP") == 0) return "TIP (model)";
    if (strcmp(profile->profiler, "TEA") == 0 && d->header->vectors == SAMPLES_VECTORS_COMMIT) return "TEA (model)";
    return profile->profiler;
}

static bool use_profile(struct run *d, const char *name, struct error *err) {
    char names[256] = "";
    if (d->sample_count)
        words_append(names, sizeof names, "TIP%s", d->header->vectors == SAMPLES_VECTORS_COMMIT ? ", TEA" : "");
    for (size_t i = 0; i < samples_profile_count(d->samples); i++) {
        const struct samples_profile *profile = samples_profile(d->samples, i);
        const char *label = report_profile_label(d, profile);
        words_append(names, sizeof names, "%s%s", *names ? ", " : "", label);
        if (strcasecmp(label, name) != 0) continue;
        d->profiler = label;
        d->rows = profile->rows;
        d->row_count = profile->count;
        return true;
    }
    error_set(err, "%s: has no profile '%s': name one of %s", d->path, name, names);
    return false;
}

static bool choose_profile(struct run *d, const struct report_options *o, struct error *err) {
    const char *wanted = o->profiler;
    bool tea = d->header->vectors == SAMPLES_VECTORS_COMMIT;
    const bool exact = !wanted && results_imported(samples_results(d->samples)); // a trace has every cycle
    if (d->sample_count && !exact && (!wanted || strcasecmp(wanted, "TIP") == 0)) {
        use_samples(d, "TIP");
    } else if (d->sample_count && tea && wanted && strcasecmp(wanted, "TEA") == 0) {
        use_samples(d, "TEA");
    } else if (wanted) {
        return use_profile(d, wanted, err);
    } else if (samples_find_profile(d->samples, "Oracle")) {
        return use_profile(d, "Oracle", err);
    } else if (results_imported(samples_results(d->samples)) && samples_profile_count(d->samples)) {
        return use_profile(d, samples_profile(d->samples, 0)->profiler, err); // of samples of a real machine
    } else if (!o->no_profile) {
        error_set(err, "%s: holds no samples and no profile: run again, longer or with a shorter --period", d->path);
        return false;
    }
    return true;
}

// Whether the numbers in the file mean what they mean to this program.
static bool same_tables(const struct samples_header *h, const char *path, struct error *err) {
    static const char *const names[] = {EVENT_NAMES};
    bool same = h->event_count >= EVENT_COUNT_ALONE && h->event_count <= EVENT_COUNT;
    same = same && (!h->tables[0] || strcmp(h->tables, EVENTS_DIGEST) == 0);
    for (unsigned i = 0; same && i < h->event_count; i++)
        same = strcmp(h->events[i], names[i]) == 0;
    if (!same)
        error_set(
            err,
            "%s: written with other tables of events (digest %s) than this program has (%s): use the tipoff that wrote "
            "it, or run again",
            path, h->tables[0] ? h->tables : "none", EVENTS_DIGEST);
    return same;
}

static bool keep(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct sample_record known = *record;
    if (!header->contexts) known.sample.priv = 0, known.sample.space = 0; // as in the file's profiles
    return sample_store_add(context, &known);
}

static int uneven(const struct run *d, struct error *err) {
    error_set(err, "%s: a sample has more lanes than U = %u divides by: run again", d->path, d->header->units);
    return false;
}

// Samples of a kind are booked at once: integers add up to the same.
static bool book_samples(struct run *d, struct error *err) {
    for (uint32_t i = 0; i < sample_store_kinds(d->store); i++) {
        const struct sample_kind *kind = sample_store_kind(d->store, i);
        struct sample_record record;
        sample_store_common(d->store, i, &record);
        const unsigned lanes = (unsigned)__builtin_popcount(record.sample.valid);
        if (lanes && d->header->units % lanes != 0) return uneven(d, err);
        if (record.partial) d->partial += kind->count;
        record.cycles = kind->cycles;
        record.stalled_cycles = kind->stalled_cycles;
        if (!booking_add_sample(d->booked, &record, d->header->units)) return report_out_of_memory(d->path, err) == 0;
    }
    d->sampled = profile_table_rows(d->booked, &d->sampled_count);
    return d->sampled || !profile_table_total(d->booked) || report_out_of_memory(d->path, err) == 0;
}

// True: it is another hart's. False: an error, or read.
static bool read_hart(struct run *d, const char *path, uint32_t hart, struct error *err) {
    d->samples = samples_read(path, keep, d->store, err);
    if (!d->samples) return false;
    d->path = path;
    if (samples_hart(d->samples) == hart) return false;
    samples_destroy(d->samples);
    d->samples = NULL;
    sample_store_destroy(d->store);
    d->store = sample_store_create();
    return d->store || report_out_of_memory(path, err) == 0;
}

// Of several files that of the hart which is asked for, or all as one.
static bool read_files(struct run *d, const struct report_options *o, struct error *err) {
    const size_t count = 1 + o->more_count;
    const char **paths = malloc(count * sizeof *paths);
    if (!paths) return report_out_of_memory(d->path, err) == 0;
    paths[0] = d->path;
    for (size_t i = 1; i < count; i++)
        paths[i] = o->more[i - 1];
    d->samples = !o->one_hart && count > 1 ? samples_read_harts(paths, count, keep, d->store, err) : NULL;
    bool missing = o->one_hart;
    for (size_t i = 0; missing && i < count; i++)
        missing = read_hart(d, paths[i], o->hart, err);
    if (!o->one_hart && count == 1) d->samples = samples_read(d->path, keep, d->store, err);
    free(paths);
    if (missing) error_set(err, "%s: no samples of hart %u: name that hart's file", d->path, o->hart);
    return d->samples != NULL;
}

static bool read_samples(struct run *d, const struct report_options *o, struct error *err) {
    d->booked = profile_table_create();
    d->store = sample_store_create();
    if (!d->booked || !d->store) return report_out_of_memory(d->path, err) == 0;
    if (!read_files(d, o, err)) return false;
    d->header = samples_header(d->samples);
    d->harts = samples_harts(d->samples);
    d->sample_count = sample_store_count(d->store);
    return book_samples(d, err) && same_tables(d->header, d->path, err);
}

static bool read_hart_facts(struct run *d) {
    if (d->harts == 1) return true;
    d->hart_facts = calloc(1, sizeof *d->hart_facts);
    for (uint32_t hart = 0; d->hart_facts && hart < SAMPLES_HARTS; hart++) {
        const struct results *results = samples_hart_results(d->samples, hart);
        if (results && !(d->hart_facts->of[hart] = facts_read(d->images, results))) return false;
    }
    return d->hart_facts != NULL;
}

struct run run_of(const struct run *d, struct place place) {
    struct run own = *d;
    const unsigned hart = place_hart(place.context);
    if (d->hart_facts && hart < SAMPLES_HARTS && d->hart_facts->of[hart]) own.facts = d->hart_facts->of[hart];
    return own;
}

bool run_open(struct run *d, const char *path, const struct report_options *options, struct error *err) {
    memset(d, 0, sizeof *d);
    d->path = path;
    d->notices = options->notices;
    if (!(d->memo = run_memo_create())) return report_out_of_memory(path, err) == 0;
    if (!read_samples(d, options, err)) return false;
    samples_warn(d->samples, d->notices);
    take_totals(d);
    if (!choose_profile(d, options, err)) return false;
    d->total = rows_total(d->rows, d->row_count);
    report_count_contexts(d);
    if (!run_open_images(d, options, err)) return false;
    if (!filter_apply(d, &options->filter, err)) return false;
    d->facts = facts_read(d->images, samples_results(d->samples));
    return (d->facts && read_hart_facts(d)) || report_out_of_memory(path, err) == 0;
}

void run_close(struct run *d) {
    run_memo_destroy(d);
    facts_free(d->facts);
    free(d->shown);
    for (size_t hart = 0; d->hart_facts && hart < SAMPLES_HARTS; hart++)
        facts_free(d->hart_facts->of[hart]);
    free(d->hart_facts);
    disasm_destroy(d->disasm);
    images_destroy(d->images);
    profile_table_destroy(d->booked);
    profile_table_destroy(d->pooled);
    sample_store_destroy(d->store);
    samples_destroy(d->samples);
}
