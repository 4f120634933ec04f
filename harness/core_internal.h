// A core, for its files: core.c, core_*.c and consumers.c.
#ifndef TIPOFF_HARNESS_CORE_INTERNAL_H
#define TIPOFF_HARNESS_CORE_INTERNAL_H

#include "harness/board.h"
#include "harness/bus_watch.h"
#include "harness/consumers.h"
#include "harness/core.h"
#include "harness/host.h"
#include "harness/ideal.h"
#include "harness/links.h"
#include "harness/model.h"
#include "harness/region.h"
#include "harness/sampling.h"
#include "harness/simulation.h"
#include "harness/soc.h"
#include "harness/summary.h"
#include "harness/transfer_stacks.h"
#include "harness/warm.h"
#include "harness/waveforms.h"
#include "iss/checkpoint.h"
#include "iss/resume.h"
#include "workers/feed.h"
#include "workers/harts.h"

struct core {
    const struct simulation_options *options;
    struct core_place place;
    char name[16];     // "core 1: ", before messages about it; "": it is the only one
    volatile int stop; // its model leaves its run of cycles
    struct machine_config config;
    struct image *image;
    const char *program;             // its path
    struct checkpoint_origin origin; // with --restore:
    struct resume_devices *devices;  // what it has beside image
    struct warm *warm;               // what the caches of all harts begin with, the first one's; NULL: nothing
    struct hart_line *held;          // ... its data cache, if it is coherent
    size_t held_count;
    uint64_t memory;   // bytes of DRAM
    bool memory_asked; // the model has any size of it
    struct soc *soc;
    struct harts *harts; // in lockstep, of the machine; NULL: it is alone, or without
    struct board *board; // of the machine whose hart it is; NULL: of its own
    struct {             // of the hart that ended the program: stores before its end that are still to be done
        bool begun;
        int left, head;
        uint64_t since; // tick
    } settling;
    const struct hub_model_api *hub; // of a coherent one: its machine's
    uint32_t hub_mshrs;              // the hub has room for the requests of a cache with as many
    struct links *links;             // the machine's; NULL: there is no hub
    struct host_port *host_port;     // the first hart's has the machine's
    struct together together;        // likewise: what its harts have left
    uint32_t insn_requests;          // those of its numbers that are, or were last, of instructions
    struct ideal *ideal;             // NULL: no part of the core is
    struct workers *workers;
    struct feed *feed; // the way to them; NULL: they want nothing
    struct sampling *sampling;
    struct event_counters counters;
    struct transfer_stacks *transfers; // NULL: nobody asks for the unit's
    uint64_t context;                  // of the instructions of the cycle emitted last, where somebody does
    struct samples_writer *writer;
    const struct model_api *api;
    struct model_api driven; // what api is, where a platform has changed it
    struct model *model;
    struct dpi_client client;
    struct dpi *dpi;                // what the model calls goes to it
    const struct trace_cycle *last; // the last one emitted; valid inside callbacks
    struct host_roots roots;        // what files of the host its program may read
    struct host *host;              // the machine's
    bool failed;
    bool broken;           // ... because a check found a difference, or no progress
    int failure;           // where it failed: the exit status
    uint64_t before_ticks; // of several harts: cycles before their first tick
    uint64_t entered;      // likewise: the cycle in which it came to the restored program, until the host hears of it
    uint64_t handed_over;  // cycle in which that was done last
    struct bus_watch bus;  // which of its events workers get
    struct region *region; // what is measured
    struct waveforms *waveforms;
    struct search *search; // NULL: nothing is looked for
    unsigned consumers;    // bits of those that want the next cycle
    struct error *err;
};

// The run is over, with the exit status that a result < 0 stands for: -EBADMSG, a difference; -ETIMEDOUT, no progress;
// -ENOMEM: out of memory; all else is an output that could not be written. err has the line.
void core_fail(struct core *c, int result);
// The run is over, with this exit status.
void core_end(struct core *c, int failure);

// So far; dpi_enter comes first. Harts are asked often, and their ticks say it, too.
static inline uint64_t core_cycle(const struct core *c) {
    return c->board ? soc_ticks(c->soc) + c->before_ticks : c->api->cycles(c->model);
}

// Its program has ended.
static inline bool core_exited(const struct core *c) {
    return c->board ? board_end(c->board) <= soc_ticks(c->soc) && host_exited(c->host) : host_exited(c->host);
}

// Its model leaves its run after this cycle. The signal handler of another thread may want that, too.
static inline void core_halt(struct core *c) {
    __atomic_store_n(&c->stop, 1, __ATOMIC_RELAXED);
}

void core_emit(struct core *c, const struct memory_event *event); // for workers that want to know
void core_client_hub(struct dpi_client *client);                  // its calls of the link to the hub
bool core_take_hub(struct core *c);                               // finds it, where there is one; false with err
bool core_join(struct core *c); // its configuration is that of a hart beside the first one; false with err
struct machine_config core_config_behind(const struct core *c); // of the memory that a hub asks
bool core_link(struct core *c);    // its machine is made: links it with the hub; false with err
bool core_serve(struct core *c);   // ... and the host; false with err
bool core_warm(struct core *c);    // its program is in memory: what its caches begin with; false with err
bool core_is_warm(struct core *c); // its model is made, and has taken that
struct dpi_client core_client(struct core *c);
int core_take_stacks(void *core, struct error *err); // call stacks that workers have found, to the file
void core_keep_failure(struct core *c);              // where a check failed: the machine shortly before, in a file
// Does this with its waveforms: what cannot be written ends the run.
void core_waveforms(struct core *c,
                    bool (*what)(struct waveforms *, const struct model_api *, struct model *, struct error *));
bool core_take_regions(struct core *c); // what the options say of them; false with err
// What the region has met with this cycle: the others hear of it. And, between two cycles, what that asks of the model.
void core_met(struct core *c, unsigned met, uint64_t cycle);
void core_do_edges(struct core *c);
bool core_measured_all(const struct core *c);              // the region is over, and nothing of it is open
struct workers_options core_workers(const struct core *c); // of it, once the program is loaded
unsigned core_hart_id(const struct core *c);               // what mhartid reads, likewise
const char *core_named_program(const struct core *c);      // the program to name: the guest's, or its own
void core_read_counters(struct core *c);                   // of --count, and the workers compare them
bool core_start_counting(struct core *c);                  // samples and counts from now on; false with err

#endif
