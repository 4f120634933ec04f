// The hub (rtl/coherence) with a C interface: build/<config>/hub.so, made from the RTL by Verilator and hub_shim.cpp,
// and clocked between the tiles of a run. Messages are those of rtl/coherence/hub_pkg.sv.
#ifndef TIPOFF_HARNESS_HUB_MODEL_H
#define TIPOFF_HARNESS_HUB_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define HUB_MODEL_VERSION 2u
enum { HUB_HARTS = 8, HUB_PORTS }; // at most: theirs, and the host's

// Kinds of requests, and of what comes down, which is a snoop but for the last: as hub_pkg has them.
enum { HUB_GET, HUB_OWN, HUB_TRYGET, HUB_IGET };
enum { HUB_SHARE, HUB_INVAL, HUB_TRY, HUB_PEEK, HUB_PUT_ACK };

// A line is a physical address without its lower six bits.
struct hub_request {
    bool valid;
    uint8_t kind, id;
    uint64_t line;
};
enum { HUB_UP_PUT = 1, HUB_UP_HAS = 2, HUB_UP_KEEPS = 4, HUB_UP_GAVE = 8, HUB_UP_REFUSES = 16 };
struct hub_up {
    bool valid;
    uint8_t flags, tag; // HUB_UP_*
    uint64_t line, data[8];
};
struct hub_done {
    bool valid;
    uint8_t transaction;
};
struct hub_out { // of a tile, in a cycle
    struct hub_request request;
    struct hub_up up;
    struct hub_done done;
};
struct hub_down {
    bool valid;
    uint8_t kind, tag;
    uint64_t line;
};
enum {
    HUB_ANSWER_EXCLUSIVE = 1,
    HUB_ANSWER_DIRTY = 2,
    HUB_ANSWER_PEER = 4,
    HUB_ANSWER_LLC_MISS = 8,
    HUB_ANSWER_ERROR = 16,
    HUB_ANSWER_REFUSED = 32
};
struct hub_answer {
    bool valid;
    uint8_t id, transaction, flags; // HUB_ANSWER_*
    uint64_t data[8];
};
struct hub_in { // to a tile
    struct hub_down down;
    struct hub_answer answer;
};
struct hub_memory_request {
    bool valid, write, insn;
    uint8_t id;
    uint64_t addr, data[8];
};
struct hub_memory_response {
    bool valid, llc_miss, error;
    uint8_t id;
    const uint64_t *data; // eight words; looked at where valid
};

struct hub_model; // the shim's

// What hub.so exports: one function `const struct hub_model_api *tipoff_hub_model(void)`.
struct hub_model_api {
    uint32_t version;            // HUB_MODEL_VERSION
    const char *config, *digest; // of the gen/model_digest.h it was built with
    // Out of reset. Ports are those of the harts, and the next one, the host's: it has no cache, and gets no snoops.
    struct hub_model *(*create)(unsigned harts);
    void (*destroy)(struct hub_model *hub);
    // A cycle. out: by port; ready: memory takes a request in this cycle. *request is what is asked of memory in it,
    // and is done where ready; in: by port, what comes at its end. Members that are not valid are not written.
    void (*cycle)(struct hub_model *hub, const struct hub_out *out, bool ready,
                  const struct hub_memory_response *response, struct hub_memory_request *request, struct hub_in *in);
    bool (*failed)(const struct hub_model *hub); // an assertion; its message is on stdout
};

#endif
