// C side of the simulated machine's DPI calls (sim/dpi_pkg.sv): puts a model's cycles together and hands them to its
// client.
//
// Models find these functions by their names, and all of them the same: whose call it is says the context that the
// calling thread has entered, the only global of the program.
#ifndef TIPOFF_TRACE_DPI_H
#define TIPOFF_TRACE_DPI_H

#include "base/error.h"
#include "instruction_sample.h"
#include "trace/cycle.h"

// What the model shall emit: tipoff_options(). DPI_SIGNALS: a bit for each group of signals.
enum { DPI_BUNDLE = 1, DPI_RETIRE = 2, DPI_SELECT = 4, DPI_STAGES = 8 };
enum { DPI_SIGNALS = ((1 << SIGNAL_GROUPS) - 1) << SIGNAL_FIRST_BIT };
enum { DPI_LIFE = 1 << 30 };     // every instruction's way, for who holds records of single ones to it
enum { DPI_ACCESSES = 1 << 29 }; // when each access to memory takes place
enum { DPI_PORT_INSN, DPI_PORT_DATA, DPI_PORTS };

// Bits of dpi_client.tick's result. Identifiers of responses: bits 15:11 (instruction) and 20:16 (data).
enum {
    TICK_INSN_READY = 1 << 0,
    TICK_DATA_READY = 1 << 1,
    TICK_INSN_RESPONSE = 1 << 2,
    TICK_INSN_LLC_MISS = 1 << 3,
    TICK_DATA_RESPONSE = 1 << 4,
    TICK_DATA_LLC_MISS = 1 << 5,
    TICK_DEVICE_RESPONSE = 1 << 6,
    TICK_DEVICE_READY = 1 << 7,
    TICK_MSIP = 1 << 8,
    TICK_MTIP = 1 << 9,
    TICK_MEIP = 1 << 10,
    TICK_INSN_ID = 11,
    TICK_DATA_ID = 16,
    TICK_SEIP = 1 << 21,
    TICK_HOST = 1 << 22,
    TICK_INSN_ERROR = 1 << 23, // of the response: the bus answers with an error
    TICK_DATA_ERROR = 1 << 24,
    TICK_DEVICE_ERROR = 1 << 25,
    TICK_HUB_DOWN = 1 << 26, // a message of the hub has come
    TICK_HUB_ANSWER = 1 << 27,
};

// All functions but those that may be NULL must be set. They are called from inside the model's clock edge and must
// not call the model.
struct dpi_client {
    void *context;
    uint32_t options;        // DPI_*
    uint64_t tohost_address; // 0: none
    // Bytes of DRAM, asked for before the first cycle by a model that has any size of it. NULL: DRAM_BYTES.
    uint64_t (*memory_bytes)(void *context);
    // Lines that the L1 caches are filled with while the model is in reset: as many calls as warm_lines, each with one,
    // and where it goes (warm_t of sim/dpi_pkg.sv). 0: none; then warm_line may be NULL.
    unsigned warm_lines;
    uint32_t (*warm_line)(void *context, uint64_t *addr, uint64_t data[8]);
    void (*line_read)(void *context, int port, unsigned id, uint64_t addr);
    void (*line_write)(void *context, int port, uint64_t addr, const uint64_t data[8]);
    void (*dirty_line)(void *context, uint64_t addr, const uint64_t data[8]); // model_api.emit_dirty's
    void (*device_request)(void *context, bool write, unsigned bytes, uint64_t addr, uint64_t data);
    // Where a bus lies between the tile and the machine: what passes at the tile's line ports, before the tick; a
    // response belongs to the cycle that the tick ends.
    void (*tile_read)(void *context, int port, unsigned id, uint64_t addr);
    void (*tile_response)(void *context, int port, unsigned id, bool llc_miss);
    void (*lost_store)(void *context, uint64_t addr); // it had left the core, and could not be done; before the tick
    uint32_t (*tick)(void *context, uint64_t *mtime);
    void (*line_data)(void *context, int port, uint64_t data[8]);
    uint64_t (*device_data)(void *context);
    // The link to the hub, of a model with harts.coherent (rtl/coherence/hub_pkg.sv; flags as sim/dpi_pkg.sv has them);
    // NULL elsewhere. The first three come before the tick; the last two fetch what it has announced.
    void (*hub_request)(void *context, unsigned kind, unsigned id, uint64_t line);
    void (*hub_up)(void *context, unsigned flags, unsigned tag, uint64_t line, const uint64_t data[8]);
    void (*hub_done)(void *context, unsigned transaction);
    void (*hub_down)(void *context, unsigned *kind, unsigned *tag, uint64_t *line);
    void (*hub_answer)(void *context, unsigned *id, unsigned *transaction, unsigned *flags, uint64_t data[8]);
    // The cycle is valid until the next call of this or of quiet.
    void (*cycle)(void *context, const struct trace_cycle *cycle);
    // `count` cycles from cycle->cycle on, all equal to the one emitted before them: nothing commits, traps, dispatches
    // or is fetched in them.
    void (*quiet)(void *context, const struct trace_cycle *cycle, uint64_t count);
    // The harness's unit: a trigger of the cycle emitted last or of a quiet one after it, which starts a sample (taken)
    // or is one more of the sample that the unit holds; and: a sample can be read. Both come after the cycle itself.
    void (*trigger)(void *context, uint64_t cycle, bool taken);
    void (*sample)(void *context, uint64_t cycle);
    // The harness's ProfileMe: a record, in words as its registers show them. NULL: none is asked for.
    void (*instruction)(void *context, const uint64_t words[INSTRUCTION_SAMPLE_WORDS]);
    // HTIF (machine/htif.h). A store to the word tohost has left the core; while tick says TICK_HOST: the word that is
    // wanted next (0: none), and an access to it: cached: *word is the cache's, else memory's is meant. Whether it is
    // written: *word, by the callee in memory, by the model in its cache.
    void (*tohost)(void *context, uint64_t addr, unsigned bytes, uint64_t data);
    uint64_t (*host_address)(void *context);
    bool (*host_access)(void *context, bool cached, uint64_t *addr, uint64_t *word);
    // Ideal parts of the core (sim/ideal_pkg.sv). 0: none is; then these are not called, and may be NULL.
    uint32_t ideal_parts;
    uint64_t (*ideal_read)(void *context, uint64_t addr);
    void (*ideal_write)(void *context, uint64_t addr, uint64_t word, unsigned mask);
    bool (*ideal_table)(void *context, uint64_t addr, uint64_t *pte);
    unsigned (*ideal_packet)(void *context, uint64_t number, uint64_t pc, unsigned bytes, uint64_t *target);
    unsigned (*ideal_store)(void *context, uint64_t number, uint64_t addr, unsigned mask);
};

struct dpi; // of one model: its client, and the cycle that is being put together
// client stays the caller's and must live as long. NULL with err: no memory.
struct dpi *dpi_create(const struct dpi_client *client, struct error *err);
void dpi_destroy(struct dpi *d); // NULL is fine
// What models call in this thread goes to this context from now on: before a function of the model is called, its
// making and its end included. NULL: no model runs.
void dpi_enter(struct dpi *d);
// Emits the quiet cycles up to now, after `cycles` cycles: periodically, so that a hanging core is detected, and
// at the end of a run. False: the model left out a cycle that was not quiet.
bool dpi_finish(struct dpi *d, uint64_t cycles);

// The functions the model calls; declared here so that a model written in C (tests) can call them too.
unsigned tipoff_options(void);
unsigned long long tipoff_tohost_address(void);
unsigned long long tipoff_memory_bytes(void);
unsigned tipoff_warm_lines(void);
unsigned tipoff_warm_line(unsigned long long *addr, unsigned long long *d0, unsigned long long *d1,
                          unsigned long long *d2, unsigned long long *d3, unsigned long long *d4,
                          unsigned long long *d5, unsigned long long *d6, unsigned long long *d7);
void tipoff_line_read(int port, int id, unsigned long long addr);
void tipoff_line_write(int port, unsigned long long addr, unsigned long long d0, unsigned long long d1,
                       unsigned long long d2, unsigned long long d3, unsigned long long d4, unsigned long long d5,
                       unsigned long long d6, unsigned long long d7);
void tipoff_dirty_line(unsigned long long addr, unsigned long long d0, unsigned long long d1, unsigned long long d2,
                       unsigned long long d3, unsigned long long d4, unsigned long long d5, unsigned long long d6,
                       unsigned long long d7);
void tipoff_device_request(int write, int size, unsigned long long addr, unsigned long long data);
void tipoff_tile_read(int port, int id, unsigned long long addr);
void tipoff_tile_response(int port, int id, int llc_miss);
void tipoff_lost_store(unsigned long long addr);
unsigned tipoff_tick(unsigned long long *mtime);
void tipoff_line_data(int port, unsigned long long *d0, unsigned long long *d1, unsigned long long *d2,
                      unsigned long long *d3, unsigned long long *d4, unsigned long long *d5, unsigned long long *d6,
                      unsigned long long *d7);
unsigned long long tipoff_device_data(void);
void tipoff_hub_request(int kind, int id, unsigned long long line);
void tipoff_hub_up(int flags, int tag, unsigned long long line, unsigned long long d0, unsigned long long d1,
                   unsigned long long d2, unsigned long long d3, unsigned long long d4, unsigned long long d5,
                   unsigned long long d6, unsigned long long d7);
void tipoff_hub_done(int transaction);
void tipoff_hub_down(int *kind, int *tag, unsigned long long *line);
void tipoff_hub_answer(int *id, int *transaction, int *flags, unsigned long long *d0, unsigned long long *d1,
                       unsigned long long *d2, unsigned long long *d3, unsigned long long *d4, unsigned long long *d5,
                       unsigned long long *d6, unsigned long long *d7);
void tipoff_quiet(unsigned long long cycle); // cycles up to this one, which follows, equal the one emitted last
// The cycle that is being emitted. The model's shim puts the records there: bundle, select and oir.
struct trace_cycle *tipoff_current_cycle(void);
void tipoff_retire(int lane, int rd_valid, int rd, unsigned long long value);
void tipoff_retire_store(unsigned long long addr, unsigned long long data, int size);
void tipoff_retire_csr(int addr, unsigned long long value);
void tipoff_fflags(int value);
void tipoff_trap(int interrupt, int cause, unsigned long long tval, unsigned long long epc);
void tipoff_stage_dispatch(int rob, unsigned long long fetched, unsigned long long pc, unsigned insn);
void tipoff_stage_issue(int rob);
void tipoff_stage_done(int rob);
void tipoff_stage_squash(int all, int rob);
void tipoff_life(int kind, int rob, unsigned long long a, unsigned long long b);
void tipoff_access(int kind, int id, int size, unsigned long long addr, unsigned long long data);
void tipoff_instruction_sample(unsigned long long w0, unsigned long long w1, unsigned long long w2,
                               unsigned long long w3, unsigned long long w4, unsigned long long w5,
                               unsigned long long w6, unsigned long long w7, unsigned long long w8,
                               unsigned long long w9);
void tipoff_signal(int slot, unsigned long long value);
void tipoff_commit(unsigned long long cycle); // closes it
void tipoff_sample(unsigned long long cycle);
void tipoff_trigger(unsigned long long cycle, int taken);
void tipoff_tohost(unsigned long long addr, unsigned long long data, int size);
unsigned long long tipoff_host_address(void);
int tipoff_host_access(int cached, unsigned long long word, unsigned long long *data);
unsigned tipoff_ideal_parts(void);
unsigned long long tipoff_ideal_read(unsigned now, unsigned long long addr);
void tipoff_ideal_write(unsigned long long addr, unsigned long long word, unsigned mask);
int tipoff_ideal_table(unsigned now, unsigned long long addr, unsigned long long *pte);
unsigned tipoff_ideal_packet(unsigned long long seq, unsigned long long pc, unsigned bytes, unsigned long long *target);
unsigned tipoff_ideal_store(unsigned long long seq, unsigned long long addr, unsigned mask);

#endif
