// Sample files of parts of a program, weighted and joined: samples_project.h.
#include "samples/samples_project.h"
#include "profile/result_merge.h"
#include "results.h"
#include "samples/samples.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STACKS = 1 << 24 };

struct part {
    struct samples *samples;
    double multiplier;
    uint32_t *stacks; // number there -> number here
    uint32_t stack_count;
};
struct join {
    const struct samples_projection *p;
    struct part *parts;
    struct stack_table *stacks;
    struct samples_writer *writer;
    struct results *results;
    double exact; // cycles of samples so far
    uint64_t cycle;
    struct error *err;
};

// ---- the parts ----
static bool fits(struct join *j, size_t i) {
    const struct samples *const first = j->parts[0].samples, *const s = j->parts[i].samples;
    const struct samples_header *const a = samples_header(first), *const b = samples_header(s);
    const char *const path = j->p->parts[i].path;
    if (samples_state(s) != SAMPLES_COMPLETE) {
        error_set(j->err, "%s", samples_fault(s));
    } else if (!samples_same_builds(a, b) || a->sampling.period != b->sampling.period || a->units != b->units ||
               strcmp(a->config, b->config) != 0 || strcmp(a->tables, b->tables) != 0) {
        error_set(j->err, "%s: of another run than %s: run again", path, j->p->parts[0].path);
    } else {
        return true;
    }
    return false;
}

static bool open_parts(struct join *j) {
    for (size_t i = 0; i < j->p->count; i++) {
        j->parts[i].multiplier = j->p->parts[i].multiplier;
        j->parts[i].samples = samples_open(j->p->parts[i].path, j->err);
        if (!j->parts[i].samples || !fits(j, i)) return false;
    }
    return true;
}

static bool no_memory(struct join *j) {
    error_nomem(j->err, j->p->parts[0].path);
    return false;
}

// ---- call stacks ----
static uint32_t stack_of(const struct part *part, uint32_t stack) {
    return stack < part->stack_count ? part->stacks[stack] : STACK_UNKNOWN;
}

static bool join_stacks(struct join *j) {
    for (size_t i = 0; i < j->p->count; i++) {
        struct part *const part = &j->parts[i];
        const struct stack_node *const nodes = samples_stacks(part->samples, &part->stack_count);
        part->stacks = calloc((size_t)part->stack_count + 1, sizeof *part->stacks);
        if (!part->stacks) return no_memory(j);
        for (uint32_t k = 0; k < part->stack_count; k++) {
            struct stack_node node = nodes[k];
            node.parent = node.parent < k ? part->stacks[node.parent] : STACK_UNKNOWN;
            part->stacks[k] = k <= STACK_LOST ? k : stack_table_find(j->stacks, &node);
        }
    }
    uint32_t count;
    const struct stack_node *const nodes = stack_table_nodes(j->stacks, &count);
    for (uint32_t k = STACK_LOST + 1; k < count; k++)
        if (samples_add_stack(j->writer, &nodes[k], j->err) < 0) return false;
    return true;
}

// ---- samples ----
// Their times are those of the whole: no rounding adds up.
static bool add_sample(struct join *j, const struct part *part, const struct sample_record *record) {
    struct sample_record r = *record;
    j->exact += (double)record->cycles * part->multiplier;
    const uint64_t end = (uint64_t)llround(j->exact);
    r.cycles = end - j->cycle;
    r.stalled_cycles =
        record->cycles ? (uint64_t)llround((double)r.cycles * (double)record->stalled_cycles / (double)record->cycles)
                       : 0;
    r.cycle = j->cycle = end;
    for (unsigned lane = 0; lane < MAX_LANES; lane++)
        r.stack[lane] = stack_of(part, r.stack[lane]);
    return samples_add(j->writer, &r, j->err) == 0;
}

static bool join_samples(struct join *j) {
    for (size_t i = 0; i < j->p->count; i++) {
        size_t count;
        const struct sample_record *const records = samples_records(j->parts[i].samples, &count);
        for (size_t k = 0; k < count; k++)
            if (!add_sample(j, &j->parts[i], &records[k])) return false;
    }
    return true;
}

// ---- profiles ----
static bool add_rows(struct profile_table *t, const struct part *part, const struct samples_profile *profile) {
    for (size_t i = 0; i < profile->count; i++) {
        const struct profile_row *const r = &profile->rows[i];
        const uint64_t weight = (uint64_t)llround((double)r->weight * part->multiplier);
        if (!profile_table_add_stack(t, row_place(r), stack_of(part, r->stack), r->state, r->psv, weight)) return false;
    }
    return true;
}

// Of the profilers that all have.
static bool join_profile(struct join *j, const struct samples_profile *first) {
    struct profile_table *const t = profile_table_create();
    bool good = t != NULL, all = true;
    for (size_t i = 0; good && all && i < j->p->count; i++) {
        const struct samples_profile *const own = samples_find_profile(j->parts[i].samples, first->profiler);
        all = own != NULL;
        if (own) good = add_rows(t, &j->parts[i], own);
    }
    size_t count = 0;
    struct profile_row *const rows = good && all ? profile_table_take(t, &count) : NULL;
    if (!rows && t && !(good && all)) profile_table_destroy(t);
    if (!good) no_memory(j);
    if (good && rows) good = samples_add_profile(j->writer, first->profiler, first->events, rows, count, j->err) == 0;
    free(rows);
    return good;
}

static bool join_profiles(struct join *j) {
    const struct samples *const first = j->parts[0].samples;
    for (size_t i = 0; i < samples_profile_count(first); i++)
        if (!join_profile(j, samples_profile(first, i))) return false;
    return true;
}

// ---- results ----
// Of what was done once a part, and is not of the program: as often as it was done.
static bool is_once(const char *name) {
    static const char *const names[] = {"samples_taken", "partial_samples", "repeated_triggers", "lost_triggers",
                                        "sample_triggers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static bool adds_up(const struct result_info *info) {
    const size_t length = strlen(info->name);
    if (info->kind == RESULT_LIST || (length > 8 && strcmp(info->name + length - 8, "_checked") == 0)) return false;
    for (unsigned i = 0; i < info->field_count; i++) {
        const struct result_field *const f = &info->fields[i];
        if (!f->key && (f->merge != RESULT_MERGE_SUM || (f->type != RESULT_NUMBER && f->type != RESULT_REAL)))
            return false;
    }
    return true;
}

static void scale(const struct result_field *f, void *row, double times) {
    if (f->key) return;
    const double value = result_real(f, row) * times;
    if (f->type == RESULT_REAL) {
        memcpy((char *)row + f->offset, &value, sizeof value);
        return;
    }
    uint64_t whole = value < 0x1p63 ? (uint64_t)llround(value) : UINT64_MAX;
    if (whole < f->least) whole = f->least;
    if (f->most && whole > f->most) whole = f->most;
    result_set_number(f, row, whole);
}

static bool add_result(struct join *j, const struct part *part, unsigned number) {
    const struct result_info *const info = result_info(number);
    size_t count;
    const char *const rows = results_rows(samples_results(part->samples), number, &count);
    struct results *const own = results_create();
    bool good = own != NULL;
    for (size_t i = 0; good && i < count; i++) {
        union {
            char bytes[RESULT_ROW_MOST];
            uint64_t aligned;
        } row;
        memcpy(row.bytes, rows + i * info->bytes, info->bytes);
        for (unsigned k = 0; k < info->field_count; k++)
            scale(&info->fields[k], row.bytes, is_once(info->name) ? 1 : part->multiplier);
        good = results_add(own, number, row.bytes);
    }
    if (!good) no_memory(j);
    good = good && results_merge(j->results, own, j->err);
    results_destroy(own);
    return good;
}

static bool join_results(struct join *j) {
    double cycles = 0;
    for (size_t i = 0; i < j->p->count; i++) {
        const struct results *const own = samples_results(j->parts[i].samples);
        const struct run_totals *const totals = results_run_totals(own);
        if (totals) cycles += (double)totals->cycles * j->parts[i].multiplier;
        for (unsigned k = 0; k < RESULT_COUNT; k++)
            if (adds_up(result_info(k)) && results_known(own, k) && !add_result(j, &j->parts[i], k)) return false;
    }
    const struct run_totals whole = {(uint64_t)llround(cycles), j->p->instructions, 0, 0};
    if (!results_add_run_outcome(j->results, &(struct run_outcome){0, true}) ||
        !results_add_run_totals(j->results, &whole))
        return no_memory(j);
    return samples_add_results(j->writer, j->results, samples_hart(j->parts[0].samples), j->err) == 0;
}

// ---- the file ----
static bool write_all(struct join *j, const char *out) {
    struct samples_header header = *samples_header(j->parts[0].samples);
    snprintf(header.region, sizeof header.region, "%s", j->p->region);
    snprintf(header.command, sizeof header.command, "%s", j->p->command);
    j->writer = samples_create(out, &header, j->err);
    if (!j->writer) return false;
    if (join_stacks(j) && join_samples(j) && join_profiles(j) && join_results(j))
        return samples_close(j->writer, j->err) == 0;
    samples_abandon(j->writer);
    return false;
}

bool samples_project(const struct samples_projection *p, const char *out, struct error *err) {
    struct join j = {.p = p,
                     .parts = calloc(p->count, sizeof *j.parts),
                     .stacks = stack_table_create(MOST_STACKS),
                     .results = results_create(),
                     .err = err};
    const bool memory = j.parts && j.stacks && j.results;
    const bool good = memory ? open_parts(&j) && write_all(&j, out) : no_memory(&j);
    for (size_t i = 0; j.parts && i < p->count; i++) {
        samples_destroy(j.parts[i].samples);
        free(j.parts[i].stacks);
    }
    free(j.parts);
    stack_table_destroy(j.stacks);
    results_destroy(j.results);
    return good;
}
