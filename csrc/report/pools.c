// The samples of a file, pooled (analysis/pool.h), by their commits.
#include "report/contexts.h"
#include "report/errors.h"
#include "report/facts.h"
#include "report/run.h"
#include <errno.h>

const char *const report_pool_names[POOL_KINDS] = {
    [POOL_NONE] = "TIP", [POOL_BLOCKS] = "TIP (blocks)", [POOL_COUNTS] = "TIP (counts)"};

static bool add_all(struct pool *pool, const struct run *d) {
    for (uint32_t i = 0; i < sample_store_kinds(d->store); i++) {
        const struct sample_kind *kind = sample_store_kind(d->store, i);
        struct sample_record common;
        sample_store_common(d->store, i, &common);
        if (!pool_add(pool, d->header->units, &common.sample, kind->periods, kind->cycles)) return false;
    }
    return true;
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
    struct profile_table *pooled = pool && add_all(pool, d)
                                       ? pool_rows(pool, d->sampled, d->sampled_count, d->images, executions, d->facts)
                                       : NULL;
    if (!pooled) report_out_of_memory(d->path, err);
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
    run_forget(d);
    return true;
}
