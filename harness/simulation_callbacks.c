// What the model calls from inside its clock edge. It must not be called back: what needs the model itself (reading a
// sample, ending) is noted here, stops the model, and is done between two cycles (simulation_loop.c).
#include "harness/devices.h"
#include "harness/halt.h"
#include "harness/simulation_internal.h"
#include "machine/bus_errors.h"
#include <errno.h>
#include <string.h>

// The run is over: stores that had committed are being done, and nothing else is of interest.
static bool settles(const struct simulation *s) {
    return host_stage(s->host) == HOST_SETTLES;
}

// What passes between core and machine, for the workers that want to know.
static void tell(struct simulation *s, const struct memory_event *event) {
    if (s->failed || settles(s)) return;
    int result = feed_memory(s->feed, event, s->err);
    if (result < 0) simulation_fail(s, result);
}

static void tell_read(struct simulation *s, int port, unsigned id, uint64_t addr) {
    tell(s, &(struct memory_event){
                .kind = MEMORY_READ, .tick = soc_ticks(s->soc) + 1, .port = port, .id = id, .address = addr});
}

static void tell_response(struct simulation *s, int port, unsigned id, bool llc_miss) {
    tell(s, &(struct memory_event){
                .kind = MEMORY_RESPONSE, .tick = soc_ticks(s->soc), .port = port, .id = id, .llc_miss = llc_miss});
}

static uint64_t on_memory_bytes(void *context) {
    struct simulation *s = context;
    s->memory_asked = true;
    return s->memory;
}

static void on_line_read(void *context, int port, unsigned id, uint64_t addr) {
    struct simulation *s = context;
    soc_line_read(s->soc, port, id, addr);
    if (s->tell_memory && !s->behind_bus) tell_read(s, port, id, addr);
}

// On a bus, what passes at the tile counts, and not when it gets to memory.
static void on_tile_read(void *context, int port, unsigned id, uint64_t addr) {
    struct simulation *s = context;
    s->behind_bus = true;
    if (s->tell_memory) tell_read(s, port, id, addr);
}

static void on_tile_response(void *context, int port, unsigned id, bool llc_miss) {
    struct simulation *s = context;
    if (s->tell_memory) tell_response(s, port, id, llc_miss);
}

static void on_line_write(void *context, int port, uint64_t addr, const uint64_t data[8]) {
    struct simulation *s = context;
    soc_line_write(s->soc, addr, data);
    if (!s->tell_memory) return;
    tell(s, &(struct memory_event){
                .kind = MEMORY_WRITE, .tick = soc_ticks(s->soc) + 1, .port = port, .address = addr, .data = data});
}

// At the end of the run: memory is what the core's caches and it hold together.
static void on_dirty_line(void *context, uint64_t addr, const uint64_t data[8]) {
    struct simulation *s = context;
    void *memory = soc_memory_at(s->soc, addr, 8 * sizeof *data);
    if (memory) memcpy(memory, data, 8 * sizeof *data);
    if (!s->tell_memory || settles(s)) return;
    tell(s, &(struct memory_event){.kind = MEMORY_DIRTY,
                                   .cut = !host_exited(s->host),
                                   .tick = soc_ticks(s->soc),
                                   .port = DPI_PORT_DATA,
                                   .address = addr,
                                   .data = data});
}

static void tell_access(struct simulation *s, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    const struct memory_event event = {.kind = write ? MEMORY_DEVICE_WRITE : MEMORY_DEVICE_READ,
                                       .tick = soc_ticks(s->soc) + 1,
                                       .failed = bus_errors_answers(addr),
                                       .bytes = bytes,
                                       .address = addr,
                                       .value = write ? data : soc_device_data(s->soc)};
    if (!settles(s)) {
        tell(s, &event);
    } else if (!s->failed && workers_memory(s->workers, &event, s->err) < 0) { // behind all cycles
        simulation_fail(s, -EBADMSG);
    }
}

static void on_device_request(void *context, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    struct simulation *s = context;
    soc_device_request(s->soc, write, bytes, addr, data);
    if (s->tell_memory) tell_access(s, write, bytes, addr, data);
    s->lines = UINT32_MAX; // to be passed again
    if (s->failed || settles(s) || !soc_finisher(s->soc)->ended) return;
    if (host_power(s->host, soc_finisher(s->soc))) halt_request();
    if (host_stage(s->host) != HOST_RESET) return;
    error_set(s->err, "%s: " FINISHER_RESET_TEXT, s->program);
    simulation_end(s, EXIT_NO_PROGRESS);
}

static void tell_tick(struct simulation *s, uint32_t code) {
    enum { LINES = TICK_MSIP | TICK_MTIP | TICK_MEIP | TICK_SEIP };
    if (!(code & (TICK_INSN_RESPONSE | TICK_DATA_RESPONSE)) && (code & LINES) == s->lines) return;
    uint64_t tick = soc_ticks(s->soc);
    if (code & TICK_INSN_RESPONSE && !s->behind_bus)
        tell_response(s, DPI_PORT_INSN, code >> TICK_INSN_ID & 31, code & TICK_INSN_LLC_MISS);
    if (code & TICK_DATA_RESPONSE && !s->behind_bus)
        tell_response(s, DPI_PORT_DATA, code >> TICK_DATA_ID & 31, code & TICK_DATA_LLC_MISS);
    if ((code & LINES) == s->lines) return;
    s->lines = code & LINES;
    dpi_finish(s->dpi, tick); // equal cycles before this one had the old lines: workers get them first
    tell(s, &(struct memory_event){.kind = MEMORY_LINES,
                                   .tick = tick,
                                   .lines = s->lines,
                                   .timer = soc_timer(s->soc),
                                   .time = soc_mtime(s->soc, 0),
                                   .time_ticks = DEVICES_CYCLES_PER_TICK});
}

static void on_lost_store(void *context, uint64_t addr) {
    struct simulation *s = context;
    soc_lost_store(s->soc, addr);
    s->lines = UINT32_MAX; // to be passed again
}

static uint32_t on_tick(void *context, uint64_t *mtime) {
    struct simulation *s = context;
    uint64_t address;
    uint32_t code = soc_tick(s->soc, mtime);
    if (settles(s)) return code;
    if (s->tell_memory) tell_tick(s, code);
    if (host_tick(s->host, soc_ticks(s->soc))) halt_request();
    if (host_wants(s->host, &address)) code |= TICK_HOST;
    return code;
}

static void on_line_data(void *context, int port, uint64_t data[8]) {
    soc_line_data(((struct simulation *)context)->soc, port, data);
}
static uint64_t on_device_data(void *context) {
    return soc_device_data(((struct simulation *)context)->soc);
}

static void on_cycle(void *context, const struct trace_cycle *cycle) {
    struct simulation *s = context;
    if (settles(s)) return;
    s->last = cycle;
    consumers_cycle(s, cycle);
}

static void on_quiet(void *context, const struct trace_cycle *cycle, uint64_t count) {
    struct simulation *s = context;
    if (!settles(s)) consumers_quiet(s, cycle, count);
}

static void on_trigger(void *context, uint64_t cycle, bool taken) {
    struct simulation *s = context;
    if (s->failed || settles(s) || !s->last || !sampling_in_time(s->sampling)) return;
    int result = sampling_trigger(s->sampling, s->last, cycle, taken, s->err);
    if (sampling_waits(s->sampling)) consumers_add(s, CONSUMER_SAMPLING);
    if (result >= 0 && taken && waveforms_sample(s->waveforms, cycle)) halt_request();
    if (result > 0 && s->feed) result = feed_sample(s->feed, cycle, taken, s->err);
    if (result < 0) simulation_fail(s, result);
}

static void on_sample(void *context, uint64_t cycle) {
    struct simulation *s = context;
    (void)cycle;
    if (settles(s)) return;
    sampling_announce(s->sampling);
    halt_request();
}

static void on_instruction(void *context, const uint64_t words[INSTRUCTION_SAMPLE_WORDS]) {
    struct simulation *s = context;
    if (s->failed || settles(s)) return;
    int result = sampling_instruction(s->sampling, words, s->err);
    if (result > 0 && s->feed) result = feed_instruction(s->feed, words, s->err);
    if (result < 0) simulation_fail(s, result);
}

static void on_tohost(void *context, uint64_t addr, unsigned bytes, uint64_t data) {
    struct simulation *s = context;
    if (host_store(s->host, addr, bytes, data, soc_ticks(s->soc))) halt_request();
}

static uint64_t on_host_address(void *context) {
    uint64_t address = 0;
    return host_wants(((struct simulation *)context)->host, &address) ? address : 0;
}

static bool on_host_access(void *context, bool cached, uint64_t *addr, uint64_t *word) {
    struct simulation *s = context;
    return host_wants(s->host, addr) && host_access(s->host, soc_memory_at(s->soc, *addr, sizeof *word), cached, word);
}

// ---- ideal parts ----
static struct ideal *ideal_of(void *context) {
    return ((struct simulation *)context)->ideal;
}
static uint64_t on_ideal_read(void *context, uint64_t addr) {
    return ideal_read(ideal_of(context), addr);
}
static void on_ideal_write(void *context, uint64_t addr, uint64_t word, unsigned mask) {
    ideal_write(ideal_of(context), addr, word, mask);
}
static bool on_ideal_table(void *context, uint64_t addr, uint64_t *pte) {
    return ideal_table(ideal_of(context), addr, pte);
}
static unsigned on_ideal_packet(void *context, uint64_t number, uint64_t pc, unsigned bytes, uint64_t *target) {
    return ideal_packet(ideal_of(context), number, pc, bytes, target);
}
static unsigned on_ideal_store(void *context, uint64_t number, uint64_t addr, unsigned mask) {
    return ideal_store(ideal_of(context), number, addr, mask);
}

int simulation_take_stacks(void *context, struct error *err) {
    struct simulation *s = context;
    struct worker_stacks *stacks = workers_stacks(s->workers);
    return stacks ? sampling_stacks(s->sampling, stacks, err) : 0;
}

struct dpi_client simulation_client(struct simulation *s) {
    return (struct dpi_client){
        .context = s,
        .options = consumers_needs(s),
        .tohost_address = host_tohost(s->host),
        .memory_bytes = on_memory_bytes,
        .line_read = on_line_read,
        .line_write = on_line_write,
        .dirty_line = on_dirty_line,
        .device_request = on_device_request,
        .tile_read = on_tile_read,
        .tile_response = on_tile_response,
        .lost_store = on_lost_store,
        .tick = on_tick,
        .line_data = on_line_data,
        .device_data = on_device_data,
        .cycle = on_cycle,
        .quiet = on_quiet,
        .trigger = on_trigger,
        .sample = on_sample,
        .instruction = s->options->profileme ? on_instruction : NULL,
        .tohost = on_tohost,
        .host_address = on_host_address,
        .host_access = on_host_access,
        .ideal_parts = ideal_parts(&s->config),
        .ideal_read = on_ideal_read,
        .ideal_write = on_ideal_write,
        .ideal_table = on_ideal_table,
        .ideal_packet = on_ideal_packet,
        .ideal_store = on_ideal_store,
    };
}
