// The samples of a file, pooled (analysis/pool.h): they are read once more, for their commits.
#include "report/contexts.h"
#include "report/errors.h"
#include "report/facts.h"
#include "report/run.h"
#include <errno.h>

const char *const report_pool_names[POOL_KINDS] = {
    [POOL_NONE] = "TIP", [POOL_BLOCKS] = "TIP (blocks)", [POOL_COUNTS] = "TIP (counts)"};

static bool take(void *context, const struct samples_header *header, const struct sample_record *record) {
    const struct sample_record known = run_booked(header, record);
    return pool_add(context, header, &known);
}

static uint64_t executions(void *context, const struct program *program, uint64_t pc) {
    const struct code_place at = {.program = program, .pc = pc};
    uint64_t count;
    facts_executions(context, &at, &count);
    return count;
}

struct profile_table *report_pool(const struct run *d, enum pool_kind kind, struct error *err) {
    if (!d->readable) {
        error_set(err, "%s: its program cannot be read: name it with --program, or omit --pool", d->path);
        return NULL;
    }
    if (kind == POOL_COUNTS && !facts_executions_known(d->facts)) {
        error_set(
            err,
            "%s: has no counts of executions: run again with the worker exec-counts and to the end, or use --pool "
            "blocks",
            d->path);
        return NULL;
    }
    struct pool *pool = pool_create(kind);
    struct samples *again = pool ? samples_read(d->path, take, pool, err) : NULL;
    struct profile_table *pooled =
        again ? pool_rows(pool, d->sampled, d->sampled_count, d->images, executions, d->facts) : NULL;
    if (!pool || (again && !pooled)) report_out_of_memory(d->path, err);
    samples_destroy(again);
    pool_destroy(pool);
    return pooled;
}

bool report_use_pool(struct run *d, enum pool_kind kind, struct error *err) {
    d->pooled = report_pool(d, kind, err);
    if (!d->pooled) return false;
    d->profiler = report_pool_names[kind];
    d->by_samples = false;
    d->rows = profile_table_rows(d->pooled, &d->row_count);
    report_count_contexts(d);
    return true;
}
