// Several cores as the harts of one machine: its devices hear of what they have done, and they end together.
#include "harness/core.h"
#include "harness/core_internal.h"
#include <errno.h>

// The program ends with the commit of a store to tohost: stores of that hart from before it are done first, those to
// the console among them.
static bool settled(struct core *c) {
    enum { MOST = 1000000 }; // cycles: as long as the watchdog waits for a commit
    int head, left;
    if (!host_tohost(c->host)) return true;
    dpi_enter(c->dpi);
    left = c->api->stores_left(c->model, host_tohost(c->host), &head);
    if (!c->settling.begun) {
        c->settling.begun = true;
        c->settling.left = left;
        c->settling.since = soc_ticks(c->soc);
    } else if (head != c->settling.head) {
        c->settling.left--; // at least one was done
    }
    c->settling.head = head;
    if (left == 0 || c->settling.left <= 0) return true;
    if (soc_ticks(c->soc) - c->settling.since < MOST) return false;
    error_set(c->err, "%s: has ended, but a store before its end never completes", c->program);
    core_fail(c, -ETIMEDOUT);
    return true;
}

// One that came to its limit has stopped some cycles before the others, which are checked up to their end.
static void check_to_end(struct core *const *harts, unsigned count) {
    uint64_t last = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t cycles = core_cycles(harts[i]);
        if (cycles > last) last = cycles;
    }
    for (unsigned i = 0; i < count; i++) {
        struct core *c = harts[i];
        const int result = c->feed && c->harts && !c->failed ? feed_passed(c->feed, last, c->err) : 0;
        if (result < 0) core_fail(c, result);
    }
}

void core_stopped(struct core *const *harts, unsigned count) {
    check_to_end(harts, count);
    if (harts[0]->links && harts[0]->options->dumps) links_drain(harts[0]->links);
}

// What the program has asked for, and is not done.
static void refuse(struct core *c) {
    if (c->failed) return;
    if (board_asks_host(c->board)) {
        error_set(
            c->err,
            "%s: makes a system call by HTIF, which harts without a hub cannot: name a coherent configuration, small2c",
            c->program);
        core_end(c, EXIT_USAGE);
    } else if (host_stage(c->host) == HOST_REFUSED) {
        host_refusal(c->host, c->program, c->err);
        core_end(c, EXIT_USAGE);
    } else if (host_stage(c->host) == HOST_RESET) {
        error_set(c->err, "%s: " FINISHER_RESET_TEXT, c->program);
        core_end(c, EXIT_NO_PROGRESS);
    }
}

// What it has emitted is shown to its workers, as soon as all have come so far.
static void pass(struct core *c) {
    if (c->failed || !c->feed || !c->harts) return;
    const int result = feed_passed(c->feed, core_cycles(c), c->err);
    if (result < 0) core_fail(c, result);
}

static void show(struct core *const *harts, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        pass(harts[i]);
    if (!harts[0]->harts || !harts_stopped(harts[0]->harts)) return;
    for (unsigned i = 0; i < count; i++) // it may be another's workers that have found something
        pass(harts[i]);
}

// On the edges of the measured region, by what all have done. All have come to the same cycle.
static void agree(struct core *const *harts, unsigned count, uint64_t tick) {
    struct region_share all = {0};
    if (!region_is_open(harts[0]->region)) return;
    for (unsigned i = 0; i < count; i++)
        region_add_share(harts[i]->region, &all);
    for (unsigned i = 0; i < count; i++)
        region_agree(harts[i]->region, &all, tick + harts[i]->before_ticks);
}

bool core_apart(const struct core *c) {
    return c->links && !c->ideal;
}

void core_advance(struct core *const *harts, unsigned count) {
    struct board *board = harts[0]->board;
    uint64_t first = UINT64_MAX, last = 0;
    show(harts, count);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t ticks = soc_ticks(harts[i]->soc);
        if (harts[i]->entered) host_begin(harts[i]->host, harts[i]->entered);
        harts[i]->entered = 0;
        if (ticks < first) first = ticks;
        if (ticks > last) last = ticks;
        if (board_end(board) == UINT64_MAX && !core_runs(harts[i])) board_stop(board, ticks + BOARD_LATENCY);
    }
    agree(harts, count, last);
    board_advance(board, first);
    if (harts[0]->links) links_advance(harts[0]->links, first);
    const unsigned by = board_ended_by(board);
    if (by == MACHINE_MOST_HARTS) return;
    if (board_end(board) == UINT64_MAX && settled(harts[by]))
        board_stop(board, soc_ticks(harts[by]->soc) + BOARD_LATENCY);
    refuse(harts[by]);
}
