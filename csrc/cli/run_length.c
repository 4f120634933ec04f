// The program on a simulator of its own, that prints nowhere and touches nothing of the run.
#include "cli/run_length.h"
#include "cli/iss_program.h"
#include "harness/machine_config.h"
#include <sys/stat.h>

enum { MOST = 200000000 }; // instructions and traps

static bool can_repeat(const struct simulation_options *o) {
    struct stat status;
    return !o->input || (stat(o->input, &status) == 0 && S_ISREG(status.st_mode));
}

uint64_t run_length(void *options, bool *more) {
    const struct simulation_options *o = options;
    struct machine_config config;
    struct iss_program p;
    struct error err;
    const uint64_t limit = o->max_insns == UINT64_MAX ? UINT64_MAX : o->max_insns + o->warmup;
    *more = false;
    if (o->sample_to || !can_repeat(o) || machine_config_load(&config, o->config_path, &err) < 0) return 0;
    if (limit <= MOST) return limit;
    iss_program_begin(&p);
    p.program = o->program;
    p.argv = o->argv;
    p.input = o->input;
    p.restore = o->restore;
    p.file_roots = o->file_roots;
    p.file_roots.notices = NULL;
    p.max = MOST;
    p.memory = o->memory;
    p.harts = 1;
    p.ad_update = config.ad_update;
    p.hart_id = o->hart_id;
    struct iss *iss = iss_program_open(&p, &err);
    if (!iss) return 0;
    const uint64_t done = iss_run(iss, MOST);
    const bool over = iss_over(iss);
    iss_program_close(&p, iss);
    if (!over && done < MOST) return 0; // it waits for what does not come
    if (!over && limit != UINT64_MAX) return limit;
    *more = !over;
    return done;
}
