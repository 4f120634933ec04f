// The links between the tiles of a run and their hub, and the hub's way to memory.
//
//   tile, cycle t --> the hub's cycle t + LINKS_LATENCY        the hub's cycle t --> tile, cycle t + LINKS_LATENCY
//
// Each is a queue, and nothing is refused: the protocol bounds what can be in it (rtl/coherence/hub_pkg.sv). So tiles
// may be LINKS_LATENCY cycles apart, and their turns change nothing.
#ifndef TIPOFF_HARNESS_LINKS_H
#define TIPOFF_HARNESS_LINKS_H

#include "base/error.h"
#include "harness/hub_model.h"
#include "harness/memory.h"

enum {
    LINKS_LATENCY = 4,
    // Of the first level's latency on a miss of one hart: both links, and the hub's own cycles. The memory
    // answers the hub that much earlier, so that its latency is what the configuration says.
    LINKS_CYCLES = 2 * LINKS_LATENCY + 4
};

struct links;
// harts: 1 to HUB_HARTS. memory stays the caller's, and is clocked here. NULL with err: no memory.
struct links *links_create(const struct hub_model_api *api, unsigned harts, struct memory *memory, struct error *err);
void links_destroy(struct links *l); // NULL is fine
// The host's number, after those of the harts, for what follows.
unsigned links_host(const struct links *l);

// ---- inside the clock edge of a hart's model: its messages of that cycle; or the host's (host_port.h) ----
void links_request(struct links *l, unsigned hart, uint64_t cycle, const struct hub_request *message);
void links_up(struct links *l, unsigned hart, uint64_t cycle, const struct hub_up *message);
void links_done(struct links *l, unsigned hart, uint64_t cycle, const struct hub_done *message);
// What comes to it in that cycle, once for each cycle; valid until the next call for this hart.
const struct hub_in *links_take(struct links *l, unsigned hart, uint64_t cycle);

// Every hart has run all cycles before this one.
void links_advance(struct links *l, uint64_t cycle);
// The harts have stopped for good, some of them ahead of others, and each is before a cycle of its own: brings to
// memory the dirty lines that are on their way between caches. What a cache has is newer than that.
void links_drain(struct links *l);
bool links_failed(const struct links *l); // an assertion of the hub; its message is on stdout

// The hub of the model at `model`: hub.so in the same folder. NULL with err: it is missing, not loadable, another
// version, or of another configuration or other tables than `config` and `digest` say.
const struct hub_model_api *links_load(const char *model, const char *config, const char *digest, struct error *err);

#endif
