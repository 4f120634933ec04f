// What a run that a check has stopped leaves: the machine some thousand instructions before, as a checkpoint, and how
// to go on from there. So a waveform of its end needs no run from the start.
//
// The machine is the golden one, brought to that place by the worker `replay-checkpoint`; time is that of the core's
// own devices.
#include "harness/core_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHORT = 1000000 }; // instructions: a run that is no longer is run again as soon as that

// The machine's program; a restored one knows it.
static void name_origin(struct core *c) {
    struct checkpoint_origin *o = &c->origin;
    if (c->devices) return;
    snprintf(o->program, sizeof o->program, "%s", c->program);
    snprintf(o->build_id, sizeof o->build_id, "%s", image_build_id(c->image));
}

static void write_checkpoint(struct core *c, const struct worker_past *past) {
    const char *path = c->options->failure_checkpoint;
    struct error err;
    resume_set_time(past->iss, soc_mtime(c->soc, past->cycle), past->cycles);
    name_origin(c);
    if (checkpoint_write(past->iss, &c->origin, path, &err) < 0) {
        fprintf(stderr, "%sNo checkpoint of the machine before it: %s\n", c->name, err.text);
        return;
    }
    // The configuration's own model has another beside it that writes them.
    const bool waves = c->api->waveforms || !c->options->model_named;
    fprintf(stderr,
            "%sThe machine %" PRIu64 " instructions and traps before it is in %s. That part alone%s:\n  %s%s\n"
            "Caches, TLBs and predictors start cold there: a failure that depends on them may not reproduce.\n",
            c->name, past->steps, path, waves ? ", with waveforms" : "", c->options->replay,
            waves ? " --fst failure.fst" : "");
}

void core_keep_failure(struct core *c) {
    const struct simulation_options *o = c->options;
    bool lasted = c->api->instructions(c->model) >= SHORT;
    if (!c->broken || !o->failure_checkpoint || !(lasted || o->failure_asked)) return;
    struct worker_past past = workers_past(c->workers);
    if (past.iss) {
        write_checkpoint(c, &past);
    } else if (o->failure_asked) {
        fprintf(stderr, "%sNo checkpoint of the machine before it: %s\n", c->name,
                workers_have(c->workers, "replay-checkpoint")
                    ? "the run is too short, or the RTL core cannot be restored there"
                    : "the worker replay-checkpoint is off");
    }
}
