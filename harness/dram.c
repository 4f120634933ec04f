// FR-FCFS controller and DDR3 banks: see dram.h for the rules.
//
// `wake` is the next memory clock in which a command may leave: every scan of the queue that finds none to issue works
// out when the first one may, so nothing is done in between. Data bus times are in units of 1 / (core_mhz x mhz) us, in
// which the memory clock is core_mhz units and the core cycle mhz units: both clocks and the burst stay exact.
#include "harness/dram.h"
#include <stdlib.h>
#include <string.h>

#define LINE 64u
#define NEVER UINT64_MAX
#define SLACK 8 // writes that arrive after dram_full turned true: their cause was accepted before

struct request { // in the queue, oldest first
    uint64_t arrival, row;
    uint32_t bank, tag;
    bool write, activated, precharged; // a command of its own opened, closed a row
};

struct bank {
    bool open;
    uint64_t row;
    uint64_t activate_at, column_at, precharge_at; // not before these clocks
    uint64_t marked;                               // scan to which the next two belong
    bool wanted;                                   // a queued request hits the open row
    const struct request *aged;                    // the oldest request beyond the age limit, or NULL
};

struct dram {
    struct dram_config config;
    uint32_t core_mhz, burst; // burst: bus units a line
    uint64_t command_free, wake, scan;
    uint64_t bus_free; // in bus units
    uint32_t bus_rank;
    bool bus_used;
    struct bank *banks;
    struct request *queue;
    unsigned count, writes, capacity;
    struct dram_counts counts;
};

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t divide_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

struct dram *dram_create(const struct dram_config *config, uint32_t core_mhz, uint32_t reads, struct error *err) {
    struct dram *d = calloc(1, sizeof *d);
    if (d) {
        d->config = *config;
        d->core_mhz = core_mhz;
        d->burst = (uint32_t)divide_up((uint64_t)LINE * core_mhz * config->mhz, config->mb_per_s);
        d->capacity = reads + config->write_queue + SLACK;
        d->banks = calloc((size_t)config->ranks * config->banks, sizeof *d->banks);
        d->queue = calloc(d->capacity, sizeof *d->queue);
    }
    if (d && d->banks && d->queue) return d;
    error_nomem(err, "DRAM model");
    dram_destroy(d);
    return NULL;
}

void dram_destroy(struct dram *d) {
    if (!d) return;
    free(d->banks);
    free(d->queue);
    free(d);
}

// Where a line lies.
struct place {
    uint64_t row;
    uint32_t bank;
};
static struct place place_of(const struct dram *d, uint64_t line) {
    const uint32_t banks = d->config.ranks * d->config.banks;
    const uint64_t page = line / (d->config.row_bytes / LINE), row = page / banks;
    return (struct place){row, (uint32_t)((page ^ row) % banks)};
}

void dram_open(struct dram *d, uint64_t line) {
    const struct place at = place_of(d, line);
    d->banks[at.bank].open = true;
    d->banks[at.bank].row = at.row;
}

void dram_request(struct dram *d, uint64_t cycle, uint64_t line, bool write, uint32_t tag) {
    if (d->count == d->capacity) abort(); // more in flight than the caller said
    const struct place at = place_of(d, line);
    uint64_t arrival = divide_up(cycle * d->config.mhz, d->core_mhz), first = later(arrival, d->command_free);
    d->wake = d->count ? sooner(d->wake, first) : first;
    d->queue[d->count++] =
        (struct request){.arrival = arrival, .row = at.row, .bank = at.bank, .tag = tag, .write = write};
    d->writes += write;
}

bool dram_full(const struct dram *d) {
    return d->writes >= d->config.write_queue;
}

uint64_t dram_next(const struct dram *d) {
    return d->count ? divide_up(d->wake * d->core_mhz, d->config.mhz) : NEVER;
}

// ---- scheduling ----
static bool hits(const struct dram *d, const struct request *r) {
    const struct bank *bank = &d->banks[r->bank];
    return bank->open && bank->row == r->row;
}

static bool aged(const struct dram *d, const struct request *r, uint64_t now) {
    return r->arrival + d->config.age_limit <= now;
}

// Notes in every bank that has requests which of them matter to the others.
static void mark_banks(struct dram *d, uint64_t now) {
    d->scan++;
    for (unsigned i = 0; i < d->count; i++) {
        const struct request *r = &d->queue[i];
        struct bank *bank = &d->banks[r->bank];
        if (bank->marked != d->scan) {
            bank->marked = d->scan;
            bank->wanted = false;
            bank->aged = NULL;
        }
        if (hits(d, r)) bank->wanted = true;
        if (!bank->aged && aged(d, r, now)) bank->aged = r;
    }
}

// When the bus can take the data of a column command to `rank`, in bus units.
static uint64_t bus_ready(const struct dram *d, uint32_t rank) {
    uint64_t rest = d->bus_used && rank != d->bus_rank ? (uint64_t)d->config.rank_switch * d->core_mhz : 0;
    return d->bus_free + rest;
}

// The first clock in which the request's next command may leave, as things stand.
static uint64_t earliest(const struct dram *d, const struct request *r) {
    const struct bank *bank = &d->banks[r->bank];
    if (bank->aged && bank->aged != r) return NEVER; // that one goes first, and wakes us when it has
    if (!bank->open) return later(r->arrival, bank->activate_at);
    if (bank->row == r->row) {
        // The burst may start within the clock tcas after the command: bursts need not be whole clocks.
        uint64_t data = bus_ready(d, r->bank / d->config.banks) / d->core_mhz;
        uint64_t command = data > d->config.tcas ? data - d->config.tcas : 0;
        return later(later(r->arrival, bank->column_at), command);
    }
    uint64_t at = later(r->arrival, bank->precharge_at);
    return bank->wanted && !bank->aged ? later(at, r->arrival + d->config.age_limit) : at;
}

// Of two requests that may issue now, a the older one: whether b goes first all the same.
static bool overtakes(const struct dram *d, const struct request *b, const struct request *a, uint64_t now) {
    return !aged(d, a, now) && hits(d, b) && !hits(d, a);
}

// ---- commands ----
static uint64_t transfer(struct dram *d, struct request *r, uint64_t now) {
    struct bank *bank = &d->banks[r->bank];
    uint32_t rank = r->bank / d->config.banks;
    uint64_t start = later((now + d->config.tcas) * d->core_mhz, bus_ready(d, rank));
    d->bus_free = start + d->burst;
    d->bus_rank = rank;
    d->bus_used = true;
    bank->precharge_at = divide_up(d->bus_free, d->core_mhz);
    *(r->write ? &d->counts.writes : &d->counts.reads) += 1;
    *(r->precharged ? &d->counts.row_conflicts : r->activated ? &d->counts.row_misses : &d->counts.row_hits) += 1;
    return d->bus_free;
}

// The next command of a request. True if it was the column command of a read: *done is filled in.
static bool issue(struct dram *d, struct request *r, uint64_t now, struct dram_done *done) {
    struct bank *bank = &d->banks[r->bank];
    d->command_free = now + 1;
    if (!bank->open) {
        bank->open = true;
        bank->row = r->row;
        bank->column_at = bank->precharge_at = now + d->config.trcd;
        r->activated = true;
        return false;
    }
    if (bank->row != r->row) {
        bank->open = false;
        bank->activate_at = now + d->config.trp;
        r->precharged = true;
        return false;
    }
    uint64_t end = transfer(d, r, now);
    bool read = !r->write;
    *done = (struct dram_done){r->tag, divide_up(end, d->config.mhz) + d->config.latency};
    d->writes -= r->write;
    d->count--;
    memmove(r, r + 1, (size_t)(&d->queue[d->count] - r) * sizeof *r);
    return read;
}

bool dram_step(struct dram *d, uint64_t cycle, struct dram_done *done) {
    const uint64_t limit = cycle * d->config.mhz / d->core_mhz;
    while (d->count && d->wake <= limit) {
        uint64_t now = d->wake, soonest = NEVER;
        struct request *best = NULL;
        mark_banks(d, now);
        for (unsigned i = 0; i < d->count; i++) {
            struct request *r = &d->queue[i];
            uint64_t at = earliest(d, r);
            if (at > now) {
                soonest = sooner(soonest, at);
            } else if (!best || overtakes(d, r, best, now)) {
                best = r;
            }
        }
        d->wake = best ? now + 1 : soonest;
        if (best && issue(d, best, now, done)) return true;
    }
    return false;
}

struct dram_counts dram_counts(const struct dram *d) {
    return d->counts;
}
