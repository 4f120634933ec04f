// DPI imports of the models. Per cycle: everything is put into one struct trace_cycle; tipoff_commit closes the cycle
// and passes it on; before that tipoff_quiet counts the equal ones that were not passed. No allocation per cycle, no
// copying of bundles.
#include "memory_map.h"
#include "trace/dpi_internal.h"
#include <stdlib.h>
#include <string.h>

struct dpi {
    const struct dpi_client *client;
    struct trace_cycle now; // passed last, until the calls of the next cycle replace it
    bool emitted;           // a cycle has been passed
    bool gap;               // the model left out a cycle that was not quiet
    struct dpi_ticks ticks;
    unsigned host_write_count; // these go into the next cycle that is passed
    struct host_write host_writes[MAX_HOST_WRITES];
};

// The context of the model that this thread runs: DPI imports carry no user pointer.
static _Thread_local struct dpi *running;

struct dpi *dpi_create(const struct dpi_client *client, struct error *err) {
    struct dpi *d = calloc(1, sizeof *d);
    if (d) {
        d->client = client;
    } else {
        error_nomem(err, "model");
    }
    return d;
}

void dpi_destroy(struct dpi *d) {
    if (running == d) running = NULL;
    free(d);
}

void dpi_enter(struct dpi *d) {
    running = d;
}

const struct dpi_client *dpi_running_client(void) {
    return running->client;
}

struct dpi_ticks *dpi_running_ticks(void) {
    return &running->ticks;
}

unsigned tipoff_options(void) {
    return running->client->options;
}
unsigned long long tipoff_memory_bytes(void) {
    const struct dpi_client *c = running->client;
    return c->memory_bytes ? c->memory_bytes(c->context) : DRAM_BYTES;
}

unsigned long long tipoff_tohost_address(void) {
    return running->client->tohost_address;
}

// ---- what the L1 caches begin with ----
unsigned tipoff_warm_lines(void) {
    return running->client->warm_lines;
}

unsigned tipoff_warm_line(unsigned long long *addr, unsigned long long *d0, unsigned long long *d1,
                          unsigned long long *d2, unsigned long long *d3, unsigned long long *d4,
                          unsigned long long *d5, unsigned long long *d6, unsigned long long *d7) {
    uint64_t address = 0, data[8] = {0};
    const uint32_t place = running->client->warm_line(running->client->context, &address, data);
    *addr = address;
    *d0 = data[0], *d1 = data[1], *d2 = data[2], *d3 = data[3];
    *d4 = data[4], *d5 = data[5], *d6 = data[6], *d7 = data[7];
    return place;
}

// ---- memory and devices ----
void tipoff_line_read(int port, int id, unsigned long long addr) {
    running->client->line_read(running->client->context, port, (unsigned)id, addr);
}

void tipoff_line_write(int port, unsigned long long addr, unsigned long long d0, unsigned long long d1,
                       unsigned long long d2, unsigned long long d3, unsigned long long d4, unsigned long long d5,
                       unsigned long long d6, unsigned long long d7) {
    const uint64_t data[8] = {d0, d1, d2, d3, d4, d5, d6, d7};
    running->client->line_write(running->client->context, port, addr, data);
}

void tipoff_dirty_line(unsigned long long addr, unsigned long long d0, unsigned long long d1, unsigned long long d2,
                       unsigned long long d3, unsigned long long d4, unsigned long long d5, unsigned long long d6,
                       unsigned long long d7) {
    const uint64_t data[8] = {d0, d1, d2, d3, d4, d5, d6, d7};
    running->client->dirty_line(running->client->context, addr, data);
}

void tipoff_device_request(int write, int size, unsigned long long addr, unsigned long long data) {
    running->client->device_request(running->client->context, write != 0, 1u << size, addr, data);
}

void tipoff_tile_read(int port, int id, unsigned long long addr) {
    running->client->tile_read(running->client->context, port, (unsigned)id, addr);
}

void tipoff_tile_response(int port, int id, int llc_miss) {
    running->client->tile_response(running->client->context, port, (unsigned)id, llc_miss != 0);
}

void tipoff_lost_store(unsigned long long addr) {
    running->client->lost_store(running->client->context, addr);
}

void tipoff_line_data(int port, unsigned long long *d0, unsigned long long *d1, unsigned long long *d2,
                      unsigned long long *d3, unsigned long long *d4, unsigned long long *d5, unsigned long long *d6,
                      unsigned long long *d7) {
    uint64_t data[8];
    running->client->line_data(running->client->context, port, data);
    *d0 = data[0], *d1 = data[1], *d2 = data[2], *d3 = data[3];
    *d4 = data[4], *d5 = data[5], *d6 = data[6], *d7 = data[7];
}

unsigned long long tipoff_device_data(void) {
    return running->client->device_data(running->client->context);
}

// ---- observation ----
struct trace_cycle *tipoff_current_cycle(void) {
    return &running->now;
}

void tipoff_retire(int lane, int rd_valid, int rd, unsigned long long value) {
    struct retired *r = &running->now.left.retired[running->now.left.count++];
    *r = (struct retired){.lane = (uint8_t)lane,
                          .rd_written = rd_valid && rd,
                          .rd_fp = rd >= 32,
                          .rd = (uint8_t)(rd % 32),
                          .rd_value = value};
}

static struct retired *youngest(void) {
    return &running->now.left.retired[running->now.left.count ? running->now.left.count - 1 : 0];
}

// The bytes of a register that a store of 1 << size bytes stores.
static uint64_t stored(unsigned long long data, int size) {
    return size == 3 ? data : data & ((1ull << (8 << size)) - 1);
}

void tipoff_retire_store(unsigned long long addr, unsigned long long data, int size) {
    struct retired *r = youngest();
    r->stored = true;
    r->store_addr = addr;
    r->store_bytes = (uint8_t)(1 << size);
    r->store_data = stored(data, size);
}

void tipoff_retire_csr(int addr, unsigned long long value) {
    struct retired *r = youngest();
    r->csr_written = true;
    r->csr = (uint16_t)addr;
    r->csr_value = value;
}

void tipoff_fflags(int value) {
    running->now.left.fflags = (uint8_t)value;
}

void tipoff_trap(int interrupt, int cause, unsigned long long tval, unsigned long long epc) {
    running->now.left.trap = (struct trapped){true, interrupt != 0, (uint8_t)cause, tval, epc};
}

static void add_stage(struct stage stage) {
    if (running->now.stages.count < MAX_STAGES) running->now.stages.list[running->now.stages.count++] = stage;
}

void tipoff_stage_dispatch(int rob, unsigned long long fetched, unsigned long long pc, unsigned insn) {
    add_stage((struct stage){STAGE_DISPATCH, (uint32_t)rob, fetched, pc, insn});
}

void tipoff_stage_issue(int rob) {
    add_stage((struct stage){.kind = STAGE_ISSUE, .rob = (uint32_t)rob});
}

void tipoff_stage_done(int rob) {
    add_stage((struct stage){.kind = STAGE_DONE, .rob = (uint32_t)rob});
}

void tipoff_stage_squash(int all, int rob) {
    add_stage((struct stage){.kind = all ? STAGE_SQUASH_ALL : STAGE_SQUASH_YOUNGER, .rob = (uint32_t)rob});
}

void tipoff_life(int kind, int rob, unsigned long long a, unsigned long long b) {
    struct trace_life *life = &running->now.life;
    if (life->count == MAX_LIFE_EVENTS)
        running->gap = true;
    else
        life->list[life->count++] = (struct life_event){(enum life_kind)kind, (uint32_t)rob, a, b};
}

void tipoff_access(int kind, int id, int size, unsigned long long addr, unsigned long long data) {
    struct trace_accesses *accesses = &running->now.accesses;
    if (accesses->count == MAX_ACCESSES)
        running->gap = true;
    else
        accesses->list[accesses->count++] = (struct access_event){(uint8_t)kind, (uint8_t)(1u << (size & 3)),
                                                                  (uint16_t)id, addr, stored(data, size & 3)};
}

void tipoff_instruction_sample(unsigned long long w0, unsigned long long w1, unsigned long long w2,
                               unsigned long long w3, unsigned long long w4, unsigned long long w5,
                               unsigned long long w6, unsigned long long w7, unsigned long long w8,
                               unsigned long long w9) {
    const uint64_t words[INSTRUCTION_SAMPLE_WORDS] = {w0, w1, w2, w3, w4, w5, w6, w7, w8, w9};
    if (running->client->instruction) running->client->instruction(running->client->context, words);
}

void tipoff_signal(int slot, unsigned long long value) {
    if (slot >= 0 && slot < SIGNAL_SLOTS) running->now.signals.value[slot] = value;
}

// Passes on the cycles from the last one passed to `next` (itself not passed yet).
static void emit_quiet(struct dpi *d, uint64_t next) {
    uint64_t first = d->emitted ? d->now.cycle + 1 : 0;
    if (next <= first) return;
    const struct commit_bundle *b = &d->now.bundle;
    if (!d->emitted || b->commit || b->exception || b->dispatch_valid || b->fetch_valid || b->redirect) d->gap = true;
    d->now.cycle = first;
    d->client->quiet(d->client->context, &d->now, next - first);
    d->now.cycle = next - 1;
}

void tipoff_quiet(unsigned long long cycle) {
    emit_quiet(running, cycle);
}

bool dpi_finish(struct dpi *d, uint64_t cycles) {
    if (d->emitted) emit_quiet(d, cycles);
    return !d->gap;
}

static void add_host_writes(struct dpi *d, struct trace_left *left) {
    left->host_write_count = (uint16_t)d->host_write_count;
    memcpy(left->host_writes, d->host_writes, d->host_write_count * sizeof *d->host_writes);
    d->host_write_count = 0;
}

void tipoff_commit(unsigned long long cycle) {
    struct dpi *d = running;
    struct trace_cycle *now = &d->now;
    if (cycle != (d->emitted ? now->cycle + 1 : 0)) d->gap = true;
    now->cycle = cycle;
    for (unsigned i = 0; i < now->left.count; i++) {
        struct retired *r = &now->left.retired[i];
        r->pc = now->bundle.pc[r->lane];
        r->insn = now->bundle.insn[r->lane];
    }
    if (d->host_write_count) add_host_writes(d, &now->left);
    d->client->cycle(d->client->context, now);
    d->emitted = true;
    now->left.count = 0;
    now->left.trap.valid = false;
    now->left.host_write_count = 0;
    now->stages.count = 0;
    now->life.count = 0;
    now->accesses.count = 0;
}

void tipoff_trigger(unsigned long long cycle, int taken) {
    running->client->trigger(running->client->context, cycle, taken != 0);
}
void tipoff_sample(unsigned long long cycle) {
    running->client->sample(running->client->context, cycle);
}

// ---- the host ----
void tipoff_tohost(unsigned long long addr, unsigned long long data, int size) {
    running->client->tohost(running->client->context, addr, 1u << size, stored(data, size));
}

unsigned long long tipoff_host_address(void) {
    return running->client->host_address(running->client->context);
}

int tipoff_host_access(int cached, unsigned long long word, unsigned long long *data) {
    uint64_t value = word, addr = 0;
    bool write = running->client->host_access(running->client->context, cached != 0, &addr, &value);
    *data = value;
    if (!write || !(running->client->options & DPI_BUNDLE)) return write; // no cycle is passed: there is no listener
    if (running->host_write_count < MAX_HOST_WRITES) {
        running->host_writes[running->host_write_count++] = (struct host_write){addr, value};
    } else {
        running->gap = true;
    }
    return write;
}
