// A core from its making to its end, and what ends it.
#include "harness/core.h"
#include "harness/core_internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct core *core_create(const struct simulation_options *options, const struct core_place *place, struct error *err) {
    struct core *c = error_calloc(sizeof *c, "core", err);
    if (!c) return NULL;
    c->options = options;
    c->err = err;
    c->place = *place;
    if (place->count > 1) snprintf(c->name, sizeof c->name, "%s %u: ", place->harts ? "hart" : "core", place->number);
    c->roots = options->file_roots;
    c->roots.notices = options->notices;
    c->roots.name = c->name;
    return c;
}

void core_end(struct core *c, int failure) {
    c->failed = true;
    c->failure = failure;
    core_halt(c);
}

void core_fail(struct core *c, int result) {
    bool difference = result == -EBADMSG || result == -EAGAIN || result == -EINVAL; // the last two: of a sample read
    c->broken = difference || result == -ETIMEDOUT;
    core_end(c, difference             ? EXIT_DIFFERENCE
                : result == -ETIMEDOUT ? EXIT_NO_PROGRESS
                : result == -ENOMEM    ? EXIT_USAGE
                                       : EXIT_OUTPUT);
}

int core_failure(const struct core *c) {
    return c->failure;
}

volatile int *core_stop(struct core *c) {
    return &c->stop;
}

uint64_t core_cycles(const struct core *c) {
    dpi_enter(c->dpi);
    return core_cycle(c);
}

uint64_t core_instructions(const struct core *c) {
    dpi_enter(c->dpi);
    return c->api->instructions(c->model);
}

uint64_t core_quiet_until(const struct core *c) {
    return core_cycles(c);
}

void core_flush(struct core *c) {
    int result = c->writer && !c->failed ? samples_flush(c->writer, c->err) : 0;
    if (result < 0) core_fail(c, result);
}

void core_destroy(struct core *c) {
    if (!c) return;
    dpi_enter(c->dpi);
    if (c->model) c->api->destroy(c->model);
    dpi_destroy(c->dpi);
    sampling_destroy(c->sampling);
    transfer_stacks_destroy(c->transfers);
    samples_abandon(c->writer);
    feed_destroy(c->feed);
    workers_destroy(c->workers);
    ideal_destroy(c->ideal);
    region_destroy(c->region);
    waveforms_destroy(c->waveforms);
    search_destroy(c->search);
    if (!c->place.first) {
        links_destroy(c->links);
        board_destroy(c->board);
        host_port_destroy(c->host_port);
        together_destroy(&c->together);
        host_destroy(c->host);
    }
    soc_destroy(c->soc);
    if (!c->place.first) warm_destroy(c->warm);
    free(c->held);
    free(c->devices);
    image_destroy(c->image);
    if (!c->place.first) harts_destroy(c->harts);
    free(c);
}
