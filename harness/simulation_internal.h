// A run, for the files that it is made of: simulation.c and simulation_*.c.
#ifndef TIPOFF_HARNESS_SIMULATION_INTERNAL_H
#define TIPOFF_HARNESS_SIMULATION_INTERNAL_H

#include "harness/consumers.h"
#include "harness/host.h"
#include "harness/ideal.h"
#include "harness/model.h"
#include "harness/region.h"
#include "harness/sampling.h"
#include "harness/simulation.h"
#include "harness/soc.h"
#include "harness/transfer_stacks.h"
#include "harness/waveforms.h"
#include "iss/checkpoint.h"
#include "iss/resume.h"
#include "workers/feed.h"

struct simulation {
    const struct simulation_options *options;
    struct machine_config config;
    struct image *image;
    const char *program;             // its path
    struct checkpoint_origin origin; // with --restore:
    struct resume_devices *devices;  // what it has beside image
    uint64_t memory;                 // bytes of DRAM
    bool memory_asked;               // the model has any size of it
    struct soc *soc;
    struct ideal *ideal; // NULL: no part of the core is
    struct workers *workers;
    struct feed *feed; // the way to them; NULL: they want nothing
    struct sampling *sampling;
    struct event_counters counters;
    struct transfer_stacks *transfers; // NULL: nobody asks for the unit's
    uint64_t context;                  // of the instructions of the cycle told last, where somebody does
    struct samples_writer *writer;
    const struct model_api *api;
    struct model_api driven; // what api is, where a platform has changed it
    struct model *model;
    struct dpi_client client;
    struct dpi *dpi;                // what the model calls goes to it
    const struct trace_cycle *last; // the last one emitted; valid inside callbacks
    struct host *host;
    bool failed;
    bool broken;           // ... because a check found a difference, or no progress
    int failure;           // where it failed: the exit status
    bool tell_memory;      // some worker wants to know what passes between core and machine
    bool behind_bus;       // a bus lies between tile and machine: the tile says what passes
    uint64_t handed_over;  // cycle in which that was done last
    uint32_t lines;        // interrupt lines as last reported to the workers
    struct region *region; // what is measured
    struct waveforms *waveforms;
    struct search *search; // NULL: nothing is looked for
    unsigned consumers;    // bits of those that want the next cycle
    struct error *err;
};

// The run is over, with the exit status that a result < 0 stands for: -EBADMSG, a difference; -ETIMEDOUT, no progress;
// -ENOMEM, bad luck with the machine; all else is an output that could not be written. err has the line.
void simulation_fail(struct simulation *s, int result);
// The run is over, with this exit status.
void simulation_end(struct simulation *s, int failure);

// In this order; false: err has the line, and failure, where it is not 0, the exit status.
bool simulation_load(struct simulation *s);              // everything that is read, before anything is written
bool simulation_outputs_creatable(struct simulation *s); // touches none of them
bool simulation_set_up(struct simulation *s);            // out of reset, with all that watches
struct dpi_client simulation_client(struct simulation *s);
int simulation_take_stacks(void *simulation, struct error *err); // call stacks that workers have found, to the file
void simulation_loop(struct simulation *s);                      // until something ends it
int simulation_finish(struct simulation *s, double seconds);     // the exit status; everything is written
void simulation_keep_failure(struct simulation *s); // where a check failed: the machine shortly before, in a file
void simulation_tear_down(struct simulation *s);
bool simulation_take_regions(struct simulation *s); // what the options say of them; false with err
// What the region has met with this cycle: the others hear of it. And, between two cycles, what that asks of the model.
void simulation_met(struct simulation *s, unsigned met, uint64_t cycle);
void simulation_do_edges(struct simulation *s);
bool simulation_measured_all(const struct simulation *s);              // the region is over, and nothing of it is open
struct workers_options simulation_workers(const struct simulation *s); // of it, once the program is loaded
unsigned simulation_hart_id(const struct simulation *s);               // what mhartid reads, likewise
const char *simulation_named_program(const struct simulation *s);      // the program to name: the guest's, or its own
void simulation_read_counters(struct simulation *s);                   // of --count, and the workers compare them
bool simulation_start_counting(struct simulation *s);                  // samples and counts from now on; false with err
double simulation_seconds(void);                                       // by the clock on the wall

#endif
