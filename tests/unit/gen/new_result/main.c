// Shows the worker three cycles, writes what it publishes into the sample file that is named, reads it from there, and
// prints both --stats and the rows that were read.
#include "profile/result_statistics.h"
#include "results.h"
#include "samples/samples.h"
#include "workers/workers.h"
#include <stdio.h>
#include <stdlib.h>

extern const struct worker_ops worker_first_commits;

static int fail(const struct error *err) {
    fprintf(stderr, "%s\n", err->text);
    return 1;
}

int main(int argc, char **argv) {
    static const struct samples_header header = {.width = 2, .units = 2, .sampling.period = 10, .clock_mhz = 1};
    static const struct worker_ops *const rows[] = {&worker_first_commits, NULL};
    static struct trace_cycle cycle = {.bundle = {.valid = 1, .commit = 1, .priv = 3}};
    const struct workers_options options = {
        .run = {.width = 2, .rob_entries = 8}, .command = "tipoff run x", .oracle = true, .rows = rows};
    struct error err = {""};
    struct workers *w = argc == 2 ? workers_create(&options, &err) : NULL;
    if (!w) return fail(&err);
    for (cycle.cycle = 0; cycle.cycle < 3; cycle.cycle++) {
        cycle.bundle.pc[0] = cycle.cycle == 1 ? 0x80000004 : 0x80000000;
        if (workers_cycle(w, &cycle, 1, &err) < 0) return fail(&err);
    }
    struct results *r = results_create();
    cJSON *statistics = cJSON_CreateObject();
    if (!r || !workers_publish(w, r) || !result_statistics_add(statistics, r)) return fail(&err);
    struct samples_writer *file = samples_create(argv[1], &header, &err);
    if (!file || samples_add_results(file, r, 0, &err) < 0 || samples_close(file, &err) < 0) return fail(&err);
    struct samples *s = samples_open(argv[1], &err);
    if (!s) return fail(&err);
    char *text = cJSON_PrintUnformatted(statistics);
    printf("%s\n", text);
    size_t count;
    const struct first_commit *list = results_first_commit(samples_results(s), &count);
    for (size_t i = 0; i < count; i++)
        printf("%llx %llu\n", (unsigned long long)list[i].instruction.pc, (unsigned long long)list[i].times);
    cJSON_free(text);
    cJSON_Delete(statistics);
    results_destroy(r);
    samples_destroy(s);
    workers_destroy(w);
    return 0;
}
