// The run ahead is a process of its own: nothing of it is left but what it writes into a pipe.
#include "cli/scout.h"
#include "cli/cli.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BEHIND = 1000 }; // cycles that the run goes on after the region: what is in flight shall leave

struct answer {
    bool found;
    uint64_t cycle;
    int status;
    struct error err;
};

// In the process of the run ahead: what it finds.
static void search(const struct run_options *a, const char *folder, int out) {
    struct worker_requests *none = worker_requests_create();
    struct simulation_search search = {.at = a->around};
    struct simulation_options o = a->run;
    struct answer answer = {.status = STATUS_BAD_INPUT};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int null = open("/dev/null", O_WRONLY);
    if (!none || null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0) _exit(STATUS_BAD_INPUT);
    o.samples = o.stats = o.profile = o.fst = o.fst_from = o.fst_to = o.failure_checkpoint = NULL;
    o.workers = none;
    o.dumps = NULL;
    o.writes = NULL;
    o.length = NULL;
    o.cosim = o.oracle = o.failure_asked = o.samples_temporary = o.samples_unasked = false;
    o.quiet = true;
    o.search = &search;
    answer.status =
        a->harts > 1 ? run_harts(&o, a->harts, &a->kinds, folder, &answer.err) : simulation_run(&o, &answer.err);
    answer.found = search.found;
    answer.cycle = search.cycle;
    fflush(NULL);
    _exit(write(out, &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : STATUS_BAD_INPUT);
}

static bool ask(const struct run_options *a, const char *folder, struct answer *answer) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return false;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) search(a, folder, ends[1]);
    close(ends[1]);
    ssize_t got = 0;
    while (child > 0 && (got = read(ends[0], answer, sizeof *answer)) < 0 && errno == EINTR)
        ;
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && got == (ssize_t)sizeof *answer;
}

static bool can_repeat(const struct run_options *a, struct error *err) {
    struct stat info;
    if (!a->run.input || stat(a->run.input, &info) < 0 || S_ISREG(info.st_mode)) return true;
    error_set(err, "%s: cannot be read twice, as --around does: write the input to a file", a->run.input);
    return false;
}

int scout(struct run_options *a, const char *folder, struct error *err) {
    struct answer answer = {.err = {""}};
    if (!a->around[0]) return 0;
    if (!can_repeat(a, err)) return STATUS_BAD_INPUT;
    if (!a->run.quiet) fprintf(stderr, "tipoff: searching for %s in a run without checks\n", a->around);
    if (!ask(a, folder, &answer)) {
        error_set(err, "--around %s: the run that searches for it died: run without --around", a->around);
        return STATUS_BAD_INPUT;
    }
    if (answer.err.text[0] || !answer.found) {
        error_set(err, "--around %s: %s", a->around,
                  answer.err.text[0] ? answer.err.text : "the run ends before it: choose an earlier one");
        return answer.status ? answer.status : STATUS_BAD_INPUT;
    }
    const uint64_t from = answer.cycle > a->around_cycles ? answer.cycle - a->around_cycles : 0;
    const uint64_t to = answer.cycle + a->around_cycles;
    snprintf(a->around_from, sizeof a->around_from, "%" PRIu64, from);
    snprintf(a->around_to, sizeof a->around_to, "%" PRIu64, to);
    if (a->run.max_cycles > to + BEHIND) a->run.max_cycles = to + BEHIND;
    if (!a->run.quiet)
        fprintf(stderr, "tipoff: %s is in cycle %" PRIu64 ": from cycle %s to %s\n", a->around, answer.cycle,
                a->around_from, a->around_to);
    return 0;
}
