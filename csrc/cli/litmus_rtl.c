// The RTL cores: each program is a run of several harts with every check of `tipoff run --harts`, so that an order that
// RVWMO does not allow ends it with the axiom's name, whether the test's condition sees it or not.
#include "cli/litmus_rtl.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "cli/run_harts.h"
#include "workers/requests.h"
#include <limits.h>
#include <stdio.h>

enum { CYCLES = 64 }; // of an instruction, at most: far more than it takes

static bool failed(int status, const struct litmus_job *job, struct error *err) {
    if (err->text[0]) return true;
    if (status == EXIT_CYCLES)
        error_set(err, "the harts have not come to an end in %llu cycles: report it",
                  (unsigned long long)job->most * CYCLES);
    else if (status)
        error_set(err, "the run ended with status %d: run it again", status);
    return status != 0;
}

static bool run(const struct litmus_job *job, struct error *err) {
    const char *config = job->config ? job->config : LITMUS_RTL_CONFIG;
    char folder[PATH_MAX], keys[PATH_MAX + 128], model[PATH_MAX + 128], program[32], start[32];
    struct memory_dumps dumps = {.list = {{.symbol = start, .copy = job->memory, .bytes = job->bytes}}, .count = 1};
    if (job->harts > RUN_HARTS_MOST) {
        error_set(err, "%u harts: cores run up to %d: give fewer --harts, or --on iss", job->harts, RUN_HARTS_MOST);
        return false;
    }
    if (!folder_find(folder, sizeof folder, err) || configurations_check(folder, config, err) < 0) return false;
    snprintf(keys, sizeof keys, "%s/%s/gen/config.json", folder, config);
    snprintf(model, sizeof model, "%s/%s/model.so", folder, config);
    snprintf(start, sizeof start, "0x%llx", (unsigned long long)job->address);
    snprintf(program, sizeof program, "/proc/self/fd/%d", job->file);
    struct worker_requests *workers = worker_requests_create();
    if (!workers) return error_nomem(err, job->path), false;
    const struct simulation_options options = {.config_path = keys,
                                               .model_path = model,
                                               .program = program,
                                               .command = "tipoff litmus",
                                               .max_cycles = job->most * CYCLES,
                                               .max_insns = UINT64_MAX,
                                               .sampling.seed = job->seed,
                                               .cosim = true,
                                               .oracle = true,
                                               .quiet = true,
                                               .workers = workers,
                                               .dumps = &dumps};
    const int status = run_harts(&options, job->harts, NULL, folder, err);
    worker_requests_destroy(workers);
    return !failed(status, job, err);
}

const struct litmus_machine litmus_machine_rtl = {"rtl", "RTL cores", run};
