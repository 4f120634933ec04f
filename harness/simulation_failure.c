// What a run that a check has stopped leaves: the machine some thousand instructions before, as a checkpoint, and how
// to go on from there. So a waveform of its end needs no run from the start.
//
// The machine is the golden one, brought to that place by the worker `trail`; time is that of the core's own devices.
#include "harness/simulation_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHORT = 1000000 }; // instructions: a run that is no longer is run again as soon as that

// The program that the machine is of; a restored one knows it.
static void name_origin(struct simulation *s) {
    struct checkpoint_origin *o = &s->origin;
    if (s->devices) return;
    snprintf(o->program, sizeof o->program, "%s", s->program);
    snprintf(o->build_id, sizeof o->build_id, "%s", image_build_id(s->image));
}

static void write_checkpoint(struct simulation *s, const struct worker_past *past) {
    const char *path = s->options->failure_checkpoint;
    struct error err;
    resume_set_time(past->iss, soc_mtime(s->soc, past->cycle), past->cycles);
    name_origin(s);
    if (checkpoint_write(past->iss, &s->origin, path, &err) < 0) {
        fprintf(stderr, "No checkpoint of the machine before it: %s\n", err.text);
        return;
    }
    // The configuration's own model has another beside it that writes them.
    const bool waves = s->api->waveforms || !s->options->model_named;
    fprintf(stderr,
            "The machine %" PRIu64 " instructions and traps before it is in %s. That part alone%s:\n  %s%s\n"
            "There caches, TLBs and predictors begin empty: what hangs on them need not fail again.\n",
            past->steps, path, waves ? ", with waveforms" : "", s->options->replay, waves ? " --fst failure.fst" : "");
}

void simulation_keep_failure(struct simulation *s) {
    const struct simulation_options *o = s->options;
    bool lasted = s->api->instructions(s->model) >= SHORT;
    if (!s->broken || !o->failure_checkpoint || !(lasted || o->failure_asked)) return;
    struct worker_past past = workers_past(s->workers);
    if (past.iss) {
        write_checkpoint(s, &past);
    } else if (o->failure_asked) {
        fprintf(stderr, "No checkpoint of the machine before it: %s\n",
                workers_have(s->workers, "trail") ? "the run is too short, or a core cannot begin there"
                                                  : "the worker trail is off");
    }
}
