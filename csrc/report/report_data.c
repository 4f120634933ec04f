// Opens what a report needs: the samples, the program they are of, and one profile.
#include "report/report_data.h"
#include "base/paths.h"
#include "report/facts.h"
#include "report/json.h"
#include "tables_digest.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int report_out_of_memory(const char *path, struct error *err) {
    error_set(err, "%s: out of memory: free some and try again", path);
    return -ENOMEM;
}

static uint64_t statistic(const cJSON *object, const char *key) {
    return json_u64(cJSON_GetObjectItemCaseSensitive(object, key));
}

// The reader has made sure that such sums do not wrap.
static uint64_t rows_total(const struct profile_row *rows, size_t count) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += rows[i].weight;
    return total;
}

// Cycles and instructions of the run, from the best source there is.
static void take_totals(struct report_data *d) {
    cJSON *statistics = samples_statistics(d->samples) ? cJSON_Parse(samples_statistics(d->samples)) : NULL;
    const struct samples_profile *oracle = samples_find_profile(d->samples, "Oracle");
    d->cycles = statistic(statistics, "cycles");
    d->instructions = statistic(statistics, "instructions");
    cJSON_Delete(statistics);
    if (!d->cycles && oracle) d->cycles = rows_total(oracle->rows, oracle->count) / d->header->units;
    if (!d->cycles) d->cycles = samples_last_cycle(d->samples);
}

static void use_samples(struct report_data *d, const char *name) {
    d->profiler = name;
    d->by_samples = true;
    d->rows = d->sampled;
    d->row_count = d->sampled_count;
}

// What a profile of the file is called: the hardware's samples are "TIP" (and "TEA"), so that models which the run kept
// beside them have to be distinguished.
const char *report_profile_label(const struct report_data *d, const struct samples_profile *profile) {
    if (!d->sample_count) return profile->profiler;
    if (strcmp(profile->profiler, "TIP") == 0) return "TIP (model)";
    if (strcmp(profile->profiler, "TEA") == 0 && d->header->vectors == SAMPLES_VECTORS_COMMIT) return "TEA (model)";
    return profile->profiler;
}

static bool use_profile(struct report_data *d, const char *name, struct error *err) {
    char names[256] = "";
    size_t n = 0;
    if (d->sample_count)
        n = (size_t)snprintf(names, sizeof names, "TIP, %s",
                             d->header->vectors == SAMPLES_VECTORS_COMMIT ? "TEA, " : "");
    for (size_t i = 0; i < samples_profile_count(d->samples); i++) {
        const struct samples_profile *profile = samples_profile(d->samples, i);
        if (n < sizeof names)
            n += (size_t)snprintf(names + n, sizeof names - n, "%s, ", report_profile_label(d, profile));
        if (strcasecmp(report_profile_label(d, profile), name) != 0) continue;
        d->profiler = report_profile_label(d, profile);
        d->rows = profile->rows;
        d->row_count = profile->count;
        return true;
    }
    names[n >= 2 && n < sizeof names ? n - 2 : 0] = '\0';
    error_set(err, "%s: has no profile '%s': name one of %s", d->path, name, names);
    return false;
}

static bool choose_profile(struct report_data *d, const struct report_options *o, struct error *err) {
    const char *wanted = o->profiler;
    bool tea = d->header->vectors == SAMPLES_VECTORS_COMMIT;
    if (d->sample_count && (!wanted || strcasecmp(wanted, "TIP") == 0)) {
        use_samples(d, "TIP");
    } else if (d->sample_count && tea && strcasecmp(wanted, "TEA") == 0) {
        use_samples(d, "TEA");
    } else if (wanted) {
        return use_profile(d, wanted, err);
    } else if (samples_find_profile(d->samples, "Oracle")) {
        return use_profile(d, "Oracle", err);
    } else if (!o->no_profile) {
        error_set(err, "%s: holds no samples and no profile: run again, longer or with a shorter --period", d->path);
        return false;
    }
    return true;
}

// From the root where that is known: a path as it was typed may mean another file elsewhere.
static const char *program_path(const struct samples_header *h) {
    return h->real_path[0] ? h->real_path : h->program;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// What an option names instead of the file that the run found, or NULL.
static const char *instead(const struct report_options *o, const struct guest_images *images, uint32_t i) {
    if (images->list[i].modes == 1u << MODE_MACHINE) return o->firmware;
    if (images->list[i].modes == 1u << MODE_SUPERVISOR) return o->kernel;
    return &images->list[i] == guest_images_program(images) ? o->program : NULL;
}

// By its build id; without one, by the digest of what it loads, if both are known.
static bool is_what_ran(const struct program *program, const struct guest_image *image, const char *path,
                        struct error *fault) {
    const char *option = image->modes == 1u << MODE_MACHINE      ? "--firmware"
                         : image->modes == 1u << MODE_SUPERVISOR ? "--kernel"
                                                                 : "--program";
    const char *id = program_build_id(program), *digest = program_digest(program);
    if (image->build_id[0] && strcmp(id, image->build_id) != 0) {
        error_set(fault, "%s: not the program that ran (build id %s, not %s): name it with %s", path,
                  id[0] ? id : "absent", image->build_id, option);
    } else if (!image->build_id[0] && image->digest[0] && digest[0] && strcmp(digest, image->digest) != 0) {
        error_set(fault,
                  "%s: not the program that ran: its code or data differ (digest %s, not %s): name the one that ran "
                  "with %s, or run again",
                  path, digest, image->digest, option);
    } else {
        return true;
    }
    return false;
}

// One image, read where it can be; else one line says why not.
static bool open_image(struct report_data *d, const struct guest_image *image, const char *named, bool guest,
                       const struct report_options *options, struct error *err) {
    const char *path = named ? named : image->path;
    struct error fault = {""};
    const struct path_use uses[] = {{"--output", options->output, true}, {"the program", path, false}};
    if (!paths_check(uses, 2, err)) return false;
    const struct program_kind kind = {guest, options->debug_dir};
    struct program *program = program_load_as(path, &kind, &fault);
    if (program && !is_what_ran(program, image, path, &fault)) {
        program_destroy(program);
        program = NULL;
    }
    if (!program)
        fprintf(stderr, "tipoff: warning: %s; the report has addresses only%s%s\n", fault.text, guest ? " for " : "",
                guest ? image->name : "");
    if (program && program_lack(program)) fprintf(stderr, "tipoff: warning: %s\n", program_lack(program));
    const struct image_extent extent = {image->modes, image->any_space, image->space, image->bias};
    return images_add(d->images, image->name, &extent, program) || report_out_of_memory(d->path, err) == 0;
}

// A program on the bare machine is one image, whatever the mode and address space.
static bool open_images(struct report_data *d, const struct report_options *options, struct error *err) {
    const struct samples_header *h = d->header;
    struct guest_image whole = {.modes = UINT32_MAX, .any_space = true};
    d->images = images_create();
    if (!d->images) return report_out_of_memory(d->path, err) == 0;
    snprintf(whole.name, sizeof whole.name, "%s", base_name(h->program));
    snprintf(whole.path, sizeof whole.path, "%s", program_path(h));
    snprintf(whole.build_id, sizeof whole.build_id, "%s", h->build_id);
    snprintf(whole.digest, sizeof whole.digest, "%s", h->digest);
    if (!h->images.count && !open_image(d, &whole, options->program, false, options, err)) return false;
    for (uint32_t i = 0; i < h->images.count; i++) {
        const struct guest_image *image = &h->images.list[i];
        const struct image_extent extent = {image->modes, image->any_space, image->space, image->bias};
        uint32_t same = 0;
        while (same < i && strcmp(h->images.list[same].path, image->path) != 0)
            same++;
        if (same < i && images_add_extent(d->images, same, &extent)) continue;
        if (!open_image(d, &h->images.list[i], instead(options, &h->images, i), true, options, err)) return false;
    }
    d->readable = images_any_program(d->images);
    return !d->readable || (d->disasm = disasm_create(err));
}

// Whether the numbers in the file mean what they mean to this program.
static bool same_tables(const struct samples_header *h, const char *path, struct error *err) {
    static const char *const names[] = {EVENT_NAMES};
    bool same = h->tables[0] ? strcmp(h->tables, EVENTS_DIGEST) == 0 : h->event_count == EVENT_COUNT;
    for (unsigned i = 0; same && i < EVENT_COUNT; i++)
        same = strcmp(h->events[i], names[i]) == 0;
    if (!same)
        error_set(
            err,
            "%s: written with other tables of events (digest %s) than this program has (%s): use the tipoff that wrote "
            "it, or run again",
            path, h->tables[0] ? h->tables : "none", EVENTS_DIGEST);
    return same;
}

struct booking {
    struct profile_table *table;
    size_t partial; // samples whose vectors may lack events
    bool uneven;    // a sample has more lanes than U divides by
};

struct sample_record report_booked(const struct samples_header *header, const struct sample_record *record) {
    struct sample_record known = *record;
    if (!header->contexts) known.sample.priv = 0, known.sample.space = 0; // as in the file's profiles
    return known;
}

static bool book(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct booking *booking = context;
    int lanes = __builtin_popcount(record->sample.valid);
    booking->partial += record->partial;
    booking->uneven = booking->uneven || (lanes && header->units % (unsigned)lanes != 0);
    const struct sample_record known = report_booked(header, record);
    return booking->uneven || booking_add_sample(booking->table, &known, header->units);
}

static bool read_samples(struct report_data *d, struct error *err) {
    struct booking booking = {.table = d->booked = profile_table_create()};
    if (!d->booked) return report_out_of_memory(d->path, err) == 0;
    d->samples = samples_read(d->path, book, &booking, err);
    if (!d->samples) return false;
    d->header = samples_header(d->samples);
    d->sample_count = samples_count(d->samples);
    d->partial = booking.partial;
    d->sampled = profile_table_rows(d->booked, &d->sampled_count);
    if (booking.uneven)
        error_set(err, "%s: a sample has more lanes than U = %u divides by: run again", d->path, d->header->units);
    return !booking.uneven && same_tables(d->header, d->path, err);
}

bool report_open(struct report_data *d, const char *path, const struct report_options *options, struct error *err) {
    memset(d, 0, sizeof *d);
    d->path = path;
    if (!read_samples(d, err)) return false;
    enum samples_state state = samples_state(d->samples);
    if (state != SAMPLES_COMPLETE) {
        fprintf(stderr, "tipoff: warning: %s; the %zu samples %s are good\n", samples_fault(d->samples),
                d->sample_count, state == SAMPLES_TRUNCATED ? "before it" : "in other blocks");
    }
    take_totals(d);
    if (!choose_profile(d, options, err)) return false;
    d->total = rows_total(d->rows, d->row_count);
    report_count_contexts(d);
    if (!open_images(d, options, err)) return false;
    d->facts = facts_read(d);
    return d->facts || report_out_of_memory(path, err) == 0;
}

void report_close(struct report_data *d) {
    facts_free(d->facts);
    disasm_destroy(d->disasm);
    images_destroy(d->images);
    profile_table_destroy(d->booked);
    profile_table_destroy(d->pooled);
    samples_destroy(d->samples);
}

void unit_add(struct unit_time *unit, const struct profile_row *row) {
    unit->weight += row->weight;
    unit->states[row->state] += row->weight;
    for (unsigned psv = row->psv; psv; psv &= psv - 1)
        unit->events[__builtin_ctz(psv)] += row->weight;
}

static int heavier(const void *x, const void *y) {
    const struct unit_time *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    if (a->place.pc != b->place.pc) return a->place.pc < b->place.pc ? -1 : 1;
    return a->place.context < b->place.context ? -1 : a->place.context > b->place.context;
}

struct unit_time report_all(const struct report_data *d) {
    struct unit_time all = {0};
    for (size_t i = 0; i < d->row_count; i++)
        unit_add(&all, &d->rows[i]);
    return all;
}

struct unit_time *report_units(const struct report_data *d, enum granularity g, size_t *count) {
    size_t row_count;
    struct profile_table *t = booking_aggregate(d->rows, d->row_count, d->images, g, UINT16_MAX);
    const struct profile_row *rows = t ? profile_table_rows(t, &row_count) : NULL;
    struct unit_time *units = rows ? calloc(row_count, sizeof *units) : NULL;
    *count = 0;
    for (size_t i = 0; units && i < row_count; i++) {
        const struct place place = row_place(&rows[i]);
        if (*count == 0 || !place_equal(units[*count - 1].place, place)) units[(*count)++].place = place;
        unit_add(&units[*count - 1], &rows[i]);
    }
    profile_table_destroy(t);
    if (units) qsort(units, *count, sizeof *units, heavier);
    return units;
}

// A core without the fields that a profiler reads (fetch, dispatch) gives it no instruction, ever. Of a few samples of
// a short run that may be chance.
static bool finds_nothing(const struct report_data *d, const struct profile_row *rows, size_t count) {
    enum { FEW = 16 };
    for (size_t i = 0; i < count; i++) {
        if (rows[i].pc != PROFILE_PC_END) return false;
    }
    return count > 0 && d->sample_count >= FEW;
}

static bool add_error(const struct report_data *d, const char *profiler, uint16_t mask, const struct profile_row *rows,
                      size_t count, struct report_error *e) {
    const struct samples_profile *oracle = samples_find_profile(d->samples, "Oracle");
    bool good = true;
    e->profiler = profiler;
    e->hidden = finds_nothing(d, rows, count);
    e->has_stacks = mask != 0 && d->header->vectors != SAMPLES_VECTORS_NONE;
    e->events = mask;
    for (int g = 0; g < GRANULARITY_COUNT; g++) {
        good = good &&
               error_compute(rows, count, oracle->rows, oracle->count, d->images, (enum granularity)g, 0, &e->by[g]);
        if (e->has_stacks)
            good = good && error_compute(rows, count, oracle->rows, oracle->count, d->images, (enum granularity)g, mask,
                                         &e->stacks[g]);
    }
    return good;
}

bool report_error_known(const struct report_data *d, enum granularity g) {
    return d->readable || g == BY_INSTRUCTION || g == BY_APPLICATION;
}

// The samples as the profile of the unit that took them.
static bool add_samples_errors(const struct report_data *d, struct report_error *errors, size_t *count) {
    bool good = add_error(d, "TIP", 0, d->sampled, d->sampled_count, &errors[(*count)++]);
    if (!good || d->header->vectors != SAMPLES_VECTORS_COMMIT) return good;
    return add_error(d, "TEA", EVENT_SET_ALL, d->sampled, d->sampled_count, &errors[(*count)++]);
}

bool report_pool_error(const struct report_data *d, enum pool_kind kind, struct report_error *e, struct error *err) {
    struct profile_table *pooled = report_pool(d, kind, err);
    size_t count;
    if (!pooled) return false;
    const struct profile_row *rows = profile_table_rows(pooled, &count);
    const bool good =
        add_error(d, report_pool_names[kind], 0, rows, count, e) || report_out_of_memory(d->path, err) == 0;
    profile_table_destroy(pooled);
    return good;
}

struct report_error *report_errors(const struct report_data *d, size_t *count) {
    const size_t profiles = samples_profile_count(d->samples);
    *count = 0;
    if (!samples_find_profile(d->samples, "Oracle")) return NULL;
    struct report_error *errors = calloc(profiles + 2, sizeof *errors);
    bool good = errors && (d->sample_count == 0 || add_samples_errors(d, errors, count));
    for (size_t i = 0; good && i < profiles; i++) {
        const struct samples_profile *p = samples_profile(d->samples, i);
        if (strcmp(p->profiler, "Oracle") == 0) continue;
        good = add_error(d, report_profile_label(d, p), p->events, p->rows, p->count, &errors[(*count)++]);
    }
    if (good && *count) return errors;
    free(errors);
    *count = !good;
    return NULL;
}
