// What the model calls from inside its clock edge. It must not be called back: what needs the model itself (reading a
// sample, ending) is noted here, stops the model, and is done between two cycles (core_loop.c).
#include "harness/core_internal.h"
#include "harness/devices.h"
#include "machine/bus_errors.h"
#include <errno.h>
#include <string.h>

// The run is over: stores that had committed are being done, and nothing else counts.
static bool settles(const struct core *c) {
    return host_stage(c->host) == HOST_SETTLES;
}

// What passes between core and machine, for the workers that want to know.
void core_emit(struct core *c, const struct memory_event *event) {
    if (c->failed || settles(c)) return;
    int result = feed_memory(c->feed, event, c->err);
    if (result < 0) core_fail(c, result);
}

static void emit_read(struct core *c, int port, unsigned id, uint64_t addr) {
    core_emit(c, &(struct memory_event){
                     .kind = MEMORY_READ, .tick = soc_ticks(c->soc) + 1, .port = port, .id = id, .address = addr});
}

static void emit_response(struct core *c, int port, unsigned id, bool llc_miss) {
    core_emit(c, &(struct memory_event){
                     .kind = MEMORY_RESPONSE, .tick = soc_ticks(c->soc), .port = port, .id = id, .llc_miss = llc_miss});
}

static uint64_t on_memory_bytes(void *context) {
    struct core *c = context;
    c->memory_asked = true;
    return c->memory;
}

static uint32_t on_warm_line(void *context, uint64_t *addr, uint64_t data[8]) {
    struct core *c = context;
    uint64_t line;
    const uint32_t place = warm_take(c->warm, c->place.harts ? c->place.number : 0, &line);
    *addr = line * LAST_LINE;
    const void *memory = soc_memory_at(c->soc, *addr, LAST_LINE);
    if (memory) memcpy(data, memory, LAST_LINE);
    return place;
}

static void on_line_read(void *context, int port, unsigned id, uint64_t addr) {
    struct core *c = context;
    soc_line_read(c->soc, port, id, addr);
    if (bus_watch_at_memory(&c->bus)) emit_read(c, port, id, addr);
}

// On a bus, what passes at the tile counts, and not when it gets to memory.
static void on_tile_read(void *context, int port, unsigned id, uint64_t addr) {
    struct core *c = context;
    if (bus_watch_at_tile(&c->bus)) emit_read(c, port, id, addr);
}

static void on_tile_response(void *context, int port, unsigned id, bool llc_miss) {
    struct core *c = context;
    if (bus_watch_at_tile(&c->bus)) emit_response(c, port, id, llc_miss);
}

static void on_line_write(void *context, int port, uint64_t addr, const uint64_t data[8]) {
    struct core *c = context;
    soc_line_write(c->soc, addr, data);
    if (!c->bus.watched) return;
    core_emit(c, &(struct memory_event){
                     .kind = MEMORY_WRITE, .tick = soc_ticks(c->soc) + 1, .port = port, .address = addr, .data = data});
}

// At the end of the run: memory is what the core's caches and it hold together.
static void on_dirty_line(void *context, uint64_t addr, const uint64_t data[8]) {
    struct core *c = context;
    void *memory = soc_memory_at(c->soc, addr, 8 * sizeof *data);
    if (memory) memcpy(memory, data, 8 * sizeof *data);
    if (!c->bus.watched || settles(c)) return;
    core_emit(c, &(struct memory_event){.kind = MEMORY_DIRTY,
                                        .cut = !host_exited(c->host),
                                        .tick = soc_ticks(c->soc),
                                        .port = DPI_PORT_DATA,
                                        .address = addr,
                                        .data = data});
}

static void emit_access(struct core *c, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    const struct memory_event event = {.kind = write ? MEMORY_DEVICE_WRITE : MEMORY_DEVICE_READ,
                                       .tick = soc_ticks(c->soc) + 1,
                                       .failed = bus_errors_answers(addr),
                                       .bytes = bytes,
                                       .address = addr,
                                       .value = write ? data : soc_device_data(c->soc)};
    if (!settles(c)) {
        core_emit(c, &event);
    } else if (!c->failed && workers_memory(c->workers, &event, c->err) < 0) { // after all cycles
        core_fail(c, -EBADMSG);
    }
}

static void on_device_request(void *context, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    struct core *c = context;
    soc_device_request(c->soc, write, bytes, addr, data);
    if (c->board) return; // what comes of it is heard of with its response
    if (c->bus.watched) emit_access(c, write, bytes, addr, data);
    bus_watch_lines_again(&c->bus);
    if (c->failed || settles(c) || !soc_finisher(c->soc)->ended) return;
    if (host_power(c->host, soc_finisher(c->soc))) core_halt(c);
    if (host_stage(c->host) != HOST_RESET) return;
    error_set(c->err, "%s: " FINISHER_RESET_TEXT, c->program);
    core_end(c, EXIT_NO_PROGRESS);
}

static void emit_tick(struct core *c, uint32_t code) {
    const uint64_t tick = soc_ticks(c->soc);
    if (bus_watch_at_memory(&c->bus)) {
        if (code & TICK_INSN_RESPONSE)
            emit_response(c, DPI_PORT_INSN, code >> TICK_INSN_ID & 31, code & TICK_INSN_LLC_MISS);
        if (code & TICK_DATA_RESPONSE)
            emit_response(c, DPI_PORT_DATA, code >> TICK_DATA_ID & 31, code & TICK_DATA_LLC_MISS);
    }
    if (!bus_watch_lines(&c->bus, code)) return;
    dpi_finish(c->dpi, tick); // equal cycles before this one had the old lines: workers get them first
    core_emit(c, &(struct memory_event){.kind = MEMORY_LINES,
                                        .tick = tick,
                                        .lines = c->bus.lines,
                                        .timer = soc_timer(c->soc),
                                        .time = soc_mtime(c->soc, 0),
                                        .time_ticks = DEVICES_CYCLES_PER_TICK});
}

// A hart's access to a device, one of several: done some cycles ago.
static void after_access(struct core *c) {
    const struct soc_access *a = soc_device_access(c->soc);
    if (c->bus.watched) emit_access(c, a->write, a->bytes, a->addr, a->data);
    bus_watch_lines_again(&c->bus);
}

static void on_lost_store(void *context, uint64_t addr) {
    struct core *c = context;
    soc_lost_store(c->soc, addr);
    bus_watch_lines_again(&c->bus);
}

static uint32_t on_tick(void *context, uint64_t *mtime) {
    struct core *c = context;
    uint64_t address;
    uint32_t code = soc_tick(c->soc, mtime);
    if (settles(c)) return code;
    if (c->board && code & TICK_DEVICE_RESPONSE) after_access(c);
    if (c->bus.watched) emit_tick(c, code);
    if (c->board) return code;
    if (host_tick(c->host, soc_ticks(c->soc))) core_halt(c);
    if (host_wants(c->host, &address)) code |= TICK_HOST;
    return code;
}

static void on_line_data(void *context, int port, uint64_t data[8]) {
    soc_line_data(((struct core *)context)->soc, port, data);
}
static uint64_t on_device_data(void *context) {
    return soc_device_data(((struct core *)context)->soc);
}

static void on_cycle(void *context, const struct trace_cycle *cycle) {
    struct core *c = context;
    if (settles(c)) return;
    c->last = cycle;
    consumers_cycle(c, cycle);
}

static void on_quiet(void *context, const struct trace_cycle *cycle, uint64_t count) {
    struct core *c = context;
    if (!settles(c)) consumers_quiet(c, cycle, count);
}

static void on_trigger(void *context, uint64_t cycle, bool taken) {
    struct core *c = context;
    if (c->failed || settles(c) || !c->last || !sampling_in_time(c->sampling)) return;
    int result = sampling_trigger(c->sampling, c->last, cycle, taken, c->err);
    if (sampling_waits(c->sampling)) consumers_add(c, CONSUMER_SAMPLING);
    if (result >= 0 && taken && waveforms_sample(c->waveforms, cycle)) core_halt(c);
    if (result > 0 && c->feed) result = feed_sample(c->feed, cycle, taken, c->err);
    if (result < 0) core_fail(c, result);
}

static void on_sample(void *context, uint64_t cycle) {
    struct core *c = context;
    (void)cycle;
    if (settles(c)) return;
    sampling_announce(c->sampling);
    core_halt(c);
}

static void on_instruction(void *context, const uint64_t words[INSTRUCTION_SAMPLE_WORDS]) {
    struct core *c = context;
    if (c->failed || settles(c)) return;
    int result = sampling_instruction(c->sampling, words, c->err);
    if (result > 0 && c->feed) result = feed_instruction(c->feed, words, c->err);
    if (result < 0) core_fail(c, result);
}

static void on_tohost(void *context, uint64_t addr, unsigned bytes, uint64_t data) {
    struct core *c = context;
    if (c->board) {
        board_tohost(c->board, c->place.number, soc_ticks(c->soc), bytes, addr, data);
        return;
    }
    if (host_store(c->host, addr, bytes, data, soc_ticks(c->soc))) core_halt(c);
}

static uint64_t on_host_address(void *context) {
    uint64_t address = 0;
    return host_wants(((struct core *)context)->host, &address) ? address : 0;
}

static bool on_host_access(void *context, bool cached, uint64_t *addr, uint64_t *word) {
    struct core *c = context;
    return host_wants(c->host, addr) && host_access(c->host, soc_memory_at(c->soc, *addr, sizeof *word), cached, word);
}

// ---- ideal parts ----
static struct ideal *ideal_of(void *context) {
    return ((struct core *)context)->ideal;
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

int core_take_stacks(void *context, struct error *err) {
    struct core *c = context;
    struct worker_stacks *stacks = workers_stacks(c->workers);
    struct worker_data *data = workers_data(c->workers);
    const int result = stacks ? sampling_stacks(c->sampling, stacks, err) : 0;
    return result == 0 && data ? sampling_data(c->sampling, data, err) : result;
}

struct dpi_client core_client(struct core *c) {
    struct dpi_client client = {
        .context = c,
        .options = consumers_needs(c),
        .tohost_address = host_tohost(c->host),
        .memory_bytes = on_memory_bytes,
        .warm_lines = c->warm ? warm_left(c->warm, c->place.harts ? c->place.number : 0) : 0,
        .warm_line = on_warm_line,
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
        .instruction = c->options->profileme ? on_instruction : NULL,
        .tohost = on_tohost,
        .host_address = on_host_address,
        .host_access = on_host_access,
        .ideal_parts = ideal_parts(&c->config),
        .ideal_read = on_ideal_read,
        .ideal_write = on_ideal_write,
        .ideal_table = on_ideal_table,
        .ideal_packet = on_ideal_packet,
        .ideal_store = on_ideal_store,
    };
    core_client_hub(&client);
    return client;
}
