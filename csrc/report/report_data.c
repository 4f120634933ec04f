// Opens what a report needs: the samples, the program they are of, and one profile.
#include "report/report_data.h"
#include "base/paths.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int report_out_of_memory(const char *path, struct error *err) {
    error_set(err, "%s: out of memory: free some and try again", path);
    return -ENOMEM;
}

static uint64_t statistic(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) && item->valuedouble > 0 ? (uint64_t)item->valuedouble : 0;
}

static uint64_t rows_total(const struct profile_row *rows, size_t count) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += rows[i].weight;
    return total;
}

// Cycles and instructions of the run, from the best source there is.
static void take_totals(struct report_data *d, const struct sample_record *records) {
    cJSON *statistics = samples_statistics(d->samples) ? cJSON_Parse(samples_statistics(d->samples)) : NULL;
    const struct samples_profile *oracle = samples_find_profile(d->samples, "Oracle");
    d->cycles = statistic(statistics, "cycles");
    d->instructions = statistic(statistics, "instructions");
    cJSON_Delete(statistics);
    if (!d->cycles && oracle) d->cycles = rows_total(oracle->rows, oracle->count) / d->header->units;
    if (!d->cycles && d->sample_count) d->cycles = records[d->sample_count - 1].cycle;
}

static bool use_samples(struct report_data *d, const char *name, const struct sample_record *records,
                        struct error *err) {
    d->profiler = name;
    d->booked = profile_table_create();
    if (!d->booked || !booking_add_samples(d->booked, records, d->sample_count, d->header->units)) {
        error_set(err, "%s: out of memory, or a sample of more lanes than U = %u divides by: run again", d->path,
                  d->header->units);
        return false;
    }
    d->rows = profile_table_rows(d->booked, &d->row_count);
    return true;
}

static bool use_profile(struct report_data *d, const char *name, struct error *err) {
    const struct samples_profile *profile = samples_find_profile(d->samples, name);
    if (!profile) {
        char names[256] = "";
        for (size_t i = 0, n = 0; i < samples_profile_count(d->samples) && n < sizeof names; i++)
            n += (size_t)snprintf(names + n, sizeof names - n, ", %s", samples_profile(d->samples, i)->profiler);
        error_set(err, "%s: has no profile '%s': name one of TIP%s", d->path, name, names);
        return false;
    }
    d->profiler = profile->profiler;
    d->rows = profile->rows;
    d->row_count = profile->count;
    return true;
}

static bool choose_profile(struct report_data *d, const char *wanted, const struct sample_record *records,
                           struct error *err) {
    if (wanted && strcmp(wanted, "TEA") == 0 && d->sample_count && d->header->vectors == SAMPLES_VECTORS_COMMIT)
        return use_samples(d, "TEA", records, err);
    if (wanted && strcmp(wanted, "TIP") != 0) return use_profile(d, wanted, err);
    if (d->sample_count || wanted) return use_samples(d, "TIP", records, err);
    if (samples_find_profile(d->samples, "Oracle")) return use_profile(d, "Oracle", err);
    error_set(err, "%s: holds no samples and no profile: run again, longer or with a shorter --period", d->path);
    return false;
}

static bool open_program(struct report_data *d, const struct report_options *options, struct error *err) {
    const char *path = options->program ? options->program : d->header->program;
    struct error fault = {""};
    const struct path_use uses[] = {{"--output", options->output, true}, {"the program", path, false}};
    if (!paths_check(uses, 2, err)) return false;
    d->program = program_load(path, &fault);
    if (d->program && d->header->build_id[0] && strcmp(program_build_id(d->program), d->header->build_id) != 0) {
        error_set(&fault, "%s: not the program that ran (build id %s, not %s): name it with --program", path,
                  program_build_id(d->program)[0] ? program_build_id(d->program) : "absent", d->header->build_id);
        program_destroy(d->program);
        d->program = NULL;
    }
    if (d->program && !(d->disasm = disasm_create(&fault))) {
        program_destroy(d->program);
        d->program = NULL;
    }
    if (!d->program) fprintf(stderr, "tipoff: warning: %s; the report has addresses only\n", fault.text);
    return true;
}

bool report_open(struct report_data *d, const char *path, const struct report_options *options, struct error *err) {
    memset(d, 0, sizeof *d);
    d->path = path;
    d->samples = samples_open(path, err);
    if (!d->samples) return false;
    if (samples_state(d->samples) == SAMPLES_CORRUPT) {
        error_set(err, "%s", samples_fault(d->samples));
        return false;
    }
    d->header = samples_header(d->samples);
    const struct sample_record *records = samples_records(d->samples, &d->sample_count);
    if (samples_state(d->samples) == SAMPLES_TRUNCATED) {
        fprintf(stderr, "tipoff: warning: %s; the %zu samples before it are good\n", samples_fault(d->samples),
                d->sample_count);
    }
    take_totals(d, records);
    if (!choose_profile(d, options->profiler, records, err)) return false;
    d->total = rows_total(d->rows, d->row_count);
    return open_program(d, options, err);
}

void report_close(struct report_data *d) {
    disasm_destroy(d->disasm);
    program_destroy(d->program);
    profile_table_destroy(d->booked);
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
    return a->address < b->address ? -1 : a->address > b->address;
}

struct unit_time *report_units(const struct report_data *d, enum granularity g, size_t *count) {
    size_t row_count;
    struct profile_table *t = booking_aggregate(d->rows, d->row_count, d->program, g, UINT16_MAX);
    const struct profile_row *rows = t ? profile_table_rows(t, &row_count) : NULL;
    struct unit_time *units = rows ? calloc(row_count, sizeof *units) : NULL;
    *count = 0;
    for (size_t i = 0; units && i < row_count; i++) {
        if (*count == 0 || units[*count - 1].address != rows[i].pc) units[(*count)++].address = rows[i].pc;
        unit_add(&units[*count - 1], &rows[i]);
    }
    profile_table_destroy(t);
    if (units) qsort(units, *count, sizeof *units, heavier);
    return units;
}

static bool add_error(const struct report_data *d, const char *profiler, uint16_t mask, const struct profile_row *rows,
                      size_t count, struct report_error *e) {
    const struct samples_profile *oracle = samples_find_profile(d->samples, "Oracle");
    bool good = true;
    e->profiler = profiler;
    e->has_stacks = mask != 0;
    e->events = mask;
    for (int g = 0; g < GRANULARITY_COUNT; g++) {
        good = good &&
               error_compute(rows, count, oracle->rows, oracle->count, d->program, (enum granularity)g, 0, &e->by[g]);
        if (mask)
            good = good && error_compute(rows, count, oracle->rows, oracle->count, d->program, (enum granularity)g,
                                         mask, &e->stacks[g]);
    }
    return good;
}

bool report_error_known(const struct report_data *d, enum granularity g) {
    return d->program || g == BY_INSTRUCTION || g == BY_APPLICATION;
}

struct report_error *report_errors(const struct report_data *d, size_t *count) {
    const size_t profiles = samples_profile_count(d->samples);
    *count = 0;
    if (!samples_find_profile(d->samples, "Oracle")) return NULL;
    struct report_error *errors = calloc(profiles + 2, sizeof *errors);
    struct profile_table *t = profile_table_create();
    size_t n, records_count;
    const struct sample_record *records = samples_records(d->samples, &records_count);
    bool good = errors && t && booking_add_samples(t, records, records_count, d->header->units);
    if (good && records_count) {
        const struct profile_row *rows = profile_table_rows(t, &n);
        good = add_error(d, "TIP", 0, rows, n, &errors[(*count)++]);
        if (d->header->vectors == SAMPLES_VECTORS_COMMIT)
            good = good && add_error(d, "TEA", error_event_mask("TEA"), rows, n, &errors[(*count)++]);
    }
    for (size_t i = 0; good && i < profiles; i++) {
        const struct samples_profile *p = samples_profile(d->samples, i);
        if (strcmp(p->profiler, "Oracle") == 0) continue;
        // The hardware's samples are "TIP" (and "TEA"); models that the run kept beside them have to be told apart.
        const char *name = p->profiler;
        if (strcmp(name, "TIP") == 0 && records_count) name = "TIP (model)";
        if (strcmp(name, "TEA") == 0 && records_count && d->header->vectors == SAMPLES_VECTORS_COMMIT)
            name = "TEA (model)";
        good = add_error(d, name, error_event_mask(p->profiler), p->rows, p->count, &errors[(*count)++]);
    }
    profile_table_destroy(t);
    if (good && *count) return errors;
    free(errors);
    *count = !good;
    return NULL;
}
