// tipoff run: simulate a program on a core model, check, sample, report.
#include "base/unnamed.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/configurations.h"
#include "cli/failure.h"
#include "cli/folder.h"
#include "cli/run_default.h"
#include "cli/run_harts.h"
#include "cli/run_length.h"
#include "cli/run_options.h"
#include "cli/scout.h"
#include "cli/waves_model.h"
#include "harness/simulation.h"
#include "report/report.h"
#include "workers/requests.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Samples that are to be reported, but not kept. "" where none can be made: then there is no report.
static void make_temporary(char *path, size_t size) {
    if (snprintf(path, size, "%s/tipoff-XXXXXX.tips", unnamed_folder()) >= (int)size) path[0] = '\0';
    int fd = path[0] ? mkstemps(path, (int)strlen(".tips")) : -1;
    if (fd >= 0) {
        close(fd);
    } else {
        path[0] = '\0';
    }
}

static int report(const struct simulation_options *o, struct error *err) {
    if (!o->samples || o->samples_unasked || o->quiet) return 0;
    return report_print(o->samples, stdout, o->notices, err);
}

// Of each hart.
static int report_all(const struct run_options *a, struct error *err) {
    if (a->harts < 2) return report(&a->run, err);
    int result = 0;
    for (unsigned i = 0; i < a->harts && a->run.samples && !a->run.samples_unasked && result == 0; i++) {
        char path[PATH_MAX];
        struct simulation_options one = a->run;
        run_harts_file(path, sizeof path, a->run.samples, i);
        one.samples = path;
        if (!one.quiet) printf("%shart %u:\n", i ? "\n" : "", i);
        result = report(&one, err);
    }
    return result;
}

static void remove_temporary(const char *path, unsigned harts) {
    for (unsigned i = 0; path[0] && harts > 1 && i < harts; i++) {
        char name[PATH_MAX];
        run_harts_file(name, sizeof name, path, i);
        unlink(name);
    }
    if (path[0]) unlink(path);
}

static const char run_text[] =
    "Simulate PROGRAM on a core model, check every cycle and instruction, sample, and report.\v"
    "Exit status: the program's (codes above 255: 255); 2 on bad usage or bad input; 3 when a check found a "
    "difference; 4 "
    "when an output could not be written; 5 when the program asked for a reset, or cannot go on; 124 when "
    "--max-cycles or --max-insns ran out, or after --sample-to or "
    "--around; 128 and the signal's "
    "number when a signal "
    "ended it.";
static const struct argp run_argp = {
    .options = run_option_table, .parser = run_options_parse, .args_doc = "[PROGRAM.elf [-- ARG...]]", .doc = run_text};

void run_check_words(const char *called, int argc, char **argv) {
    struct run_options a = {.trace_format = "bin", .harts = 1, .workers = worker_requests_create()};
    if (a.workers) parse_command(&run_argp, called, argc, argv, &a);
    worker_requests_destroy(a.workers);
}

int cmd_run(int argc, char **argv) {
    struct run_for own = {.samples = true};
    return run_as(argc, argv, &own);
}

int run_as(int argc, char **argv, struct run_for *other) {
    char folder[PATH_MAX], config_path[PATH_MAX + 128], model_path[PATH_MAX + 128], command[2048];
    char failure[PATH_MAX], replay[2 * PATH_MAX];
    struct error err = {""};
    struct run_options a = {.trace_format = "bin",
                            .workers = worker_requests_create(),
                            .run = {.set = a.set,
                                    .max_cycles = UINT64_MAX,
                                    .max_insns = UINT64_MAX,
                                    .sampling.seed = 1,
                                    .cosim = true,
                                    .oracle = true,
                                    .notices = &cli_notices,
                                    .command = command,
                                    .typed = other->typed}};
    command_line(argc, argv, command, sizeof command);
    if (!a.workers) {
        fputs("tipoff: out of memory\n", stderr);
        return STATUS_BAD_INPUT;
    }
    a.run.workers = a.workers;
    parse_command(&run_argp, "run", argc, argv, &a);
    if (other->machine) a.run.restore = other->machine;
    if (!folder_find(folder, sizeof folder, &err)) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        worker_requests_destroy(a.workers);
        return STATUS_BAD_INPUT;
    }
    if (!a.config) a.config = configurations_of(a.run.model_path);
    snprintf(config_path, sizeof config_path, "%s/%s/gen/config.json", folder, a.config);
    snprintf(model_path, sizeof model_path, "%s/%s/model.so", folder, a.config);
    a.run.config_path = config_path;
    a.run.model_named = a.run.model_path != NULL;
    if (!a.run.model_named) a.run.model_path = model_path;
    if (!a.run.failure_checkpoint) {
        unnamed_choose(failure, sizeof failure, "tipoff-failure", ".machine");
        if (failure[0]) a.run.failure_checkpoint = failure;
    }
    struct run_default unasked;
    const char *named = !other->samples ? NULL : other->program ? other->program : a.run.program;
    if (configurations_check(folder, a.config, &err) < 0 || !run_kinds_check(&a.kinds, folder, &err) ||
        !run_default_choose(&unasked, &a, named, &err) || !run_options_check_files(&a, &err) ||
        (a.run.fst && !a.run.model_named && !waves_model_find(folder, a.config, model_path, sizeof model_path, &err))) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        worker_requests_destroy(a.workers);
        return STATUS_BAD_INPUT;
    }
    failure_replay(&a.run, a.config, replay, sizeof replay);
    a.run.replay = replay;
    int scouted = scout(&a, folder, &err);
    if (scouted) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        worker_requests_destroy(a.workers);
        return scouted;
    }
    a.run.platform = other->platform;
    a.run.note = &other->note;
    char temporary[PATH_MAX] = "";
    if (sampling_settings_any(&a.run.sampling) && !a.run.samples && !a.run.quiet)
        make_temporary(temporary, sizeof temporary);
    a.run.samples_temporary = temporary[0] != '\0';
    if (temporary[0]) a.run.samples = temporary;
    signal(SIGPIPE, SIG_IGN); // a reader that goes takes nothing with it
    if (a.harts < 2 && !other->platform) a.run.length = run_length;
    int status = a.harts > 1 ? run_harts(&a.run, a.harts, &a.kinds, folder, &err) : simulation_run(&a.run, &err);
    other->difference = err.text[0] && status == STATUS_DIFFERENCE;
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    if (err.text[0] == '\0' && report_all(&a, &err) != 0) fprintf(stderr, "tipoff: %s\n", err.text);
    remove_temporary(temporary, a.harts);
    worker_requests_destroy(a.workers);
    run_default_end(&unasked, err.text[0] == '\0');
    if (!stdout_written(&err)) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        if (status != STATUS_DIFFERENCE) status = STATUS_OUTPUT;
    }
    return status;
}
