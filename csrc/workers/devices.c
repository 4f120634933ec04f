// What devices get from the core, and what the core gets from them: each access once, in order, as committed.
//
// Devices act on each access, and lockstep takes over what a load of theirs returns: so a store that is lost, done
// twice, or done before one that is older, and a load that is done twice, by an instruction that never commits, or
// brings another value into its register, leave the ISS and the core alike.
//
// A store commits, and gets to its device later; a load gets to its device, and commits later, as the core's oldest
// instruction alone may. A load that the bus answers with an error traps, and one more may stand at the end of a run
// that was cut off.
#include "memory_map.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { LOAD_FP = 0x07, FIRST_UNSIGNED = 4 }; // opcode; funct3 from which on integer loads extend with zeros
enum { WAITING = 256 };                      // more stores than any store queue holds
static const struct region regions[REGION_COUNT] = {REGION_ROWS};

struct access {
    uint64_t address, value, when; // when: cycle of the commit, or tick of the request
    unsigned bytes;
};

struct devices {
    struct access stores[WAITING]; // committed, oldest first, in a ring
    uint64_t committed, done;
    struct access load; // has been done, and waits for its commit
    bool loaded;
    uint64_t loads;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    return error_calloc(sizeof(struct devices), "devices", err);
}

static bool is_device(uint64_t address) {
    for (size_t i = 0; i < REGION_COUNT; i++)
        if (regions[i].device && address - regions[i].base < regions[i].bytes) return true;
    return false;
}

static uint64_t low(uint64_t value, unsigned bytes) {
    return bytes >= 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static bool same_place(const struct access *a, const struct access *b) {
    return a->address == b->address && a->bytes == b->bytes;
}

// ---- the devices' side ----
WORKER_RARE static int differ(const char *what, const struct access *expected, const struct access *got,
                              struct error *err) {
    error_set(err,
              "devices: cycle %" PRIu64 ": %s: expected %u bytes 0x%" PRIx64 " at 0x%" PRIx64 " (cycle %" PRIu64
              "), got %u bytes 0x%" PRIx64 " at 0x%" PRIx64,
              got->when, what, expected->bytes, expected->value, expected->address, expected->when, got->bytes,
              got->value, got->address);
    return -EBADMSG;
}

WORKER_RARE static int unexpected(const char *what, const struct access *got, struct error *err) {
    error_set(err, "devices: cycle %" PRIu64 ": %s: %u bytes 0x%" PRIx64 " at 0x%" PRIx64, got->when, what, got->bytes,
              got->value, got->address);
    return -EBADMSG;
}

static int stored(struct devices *d, const struct access *got, struct error *err) {
    if (d->done == d->committed) return unexpected("a store that has not committed reaches a device", got, err);
    const struct access *expected = &d->stores[d->done++ % WAITING];
    if (same_place(expected, got) && low(expected->value, got->bytes) == low(got->value, got->bytes)) return 0;
    return differ("the store that reaches a device is not the oldest committed one", expected, got, err);
}

// The stores that committed before the end are done, but for those of the cycle of the end.
static int settled(struct devices *d, const struct memory_event *event, struct error *err) {
    if (event->cut || d->done == d->committed) return 0;
    const struct access *left = &d->stores[d->done % WAITING];
    if (left->when + 1 >= event->tick) return 0;
    return unexpected("the run is over, and a store that had committed has not reached its device", left, err);
}

static int memory(void *state, const struct memory_event *event, struct error *err) {
    struct devices *d = state;
    const struct access got = {event->address, event->value, event->tick, event->bytes};
    if (event->kind == MEMORY_SETTLED) return settled(d, event, err);
    if (event->kind == MEMORY_DEVICE_WRITE) return stored(d, &got, err);
    if (event->kind != MEMORY_DEVICE_READ || event->failed) return 0;
    if (d->loaded)
        return differ("a device is read again before the load that read it has committed", &d->load, &got, err);
    d->load = got;
    d->loaded = true;
    return 0;
}

// ---- the program's side ----
static int retire_store(struct devices *d, const struct access *store, struct error *err) {
    if (d->committed - d->done == WAITING)
        return unexpected("no store has reached a device while 256 have committed since this one",
                          &d->stores[d->done % WAITING], err);
    d->stores[d->committed++ % WAITING] = *store;
    return 0;
}

// The register's value for what the device gave. Of floating-point registers the bytes alone are looked at.
static uint64_t extended(const struct iss_retire *step, uint64_t value) {
    const unsigned shift = 64 - 8 * step->size;
    const bool compressed = (step->insn & 3) != 3;
    const bool zeros = !compressed && (step->insn >> 12 & 7) >= FIRST_UNSIGNED;
    if (shift == 0 || zeros) return low(value, step->size);
    return (uint64_t)((int64_t)(value << shift) >> shift);
}

static int retire_load(struct devices *d, const struct access *load, const struct iss_retire *step,
                       const struct retired *core, struct error *err) {
    if (!d->loaded) return unexpected("a load commits that has not reached its device", load, err);
    d->loaded = false;
    d->loads++;
    if (!same_place(&d->load, load))
        return differ("a load commits that is not the one that read the device", &d->load, load, err);
    if (!core->rd_written) return 0;
    const bool fp = core->rd_fp || (step->insn & 0x7f) == LOAD_FP;
    const uint64_t expected = fp ? low(d->load.value, load->bytes) : extended(step, d->load.value);
    const struct access got = {load->address, fp ? low(core->rd_value, load->bytes) : core->rd_value, load->when,
                               load->bytes};
    const struct access should = {load->address, expected, d->load.when, load->bytes};
    return got.value == expected
               ? 0
               : differ("a load has a different value from what its device returned", &should, &got, err);
}

static int retire(struct devices *d, const struct worker_view *v, struct error *err) {
    const struct golden *golden = v->golden;
    for (unsigned i = 0; i < golden->count; i++) {
        const struct iss_retire *step = &golden->step[i];
        if (step->access == ISS_ACCESS_NONE || step->trap || !is_device(step->address)) continue;
        const struct access access = {step->address, step->data, v->cycle, step->size};
        const int result = step->access == ISS_ACCESS_STORE ? retire_store(d, &access, err)
                                                            : retire_load(d, &access, step, &v->left->retired[i], err);
        if (result < 0) return result;
    }
    return 0;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    return v->golden->cycle != v->cycle || !v->golden->count ? 0 : retire(state, v, err);
}

static bool publish(void *state, struct results *results) {
    const struct devices *d = state;
    return results_add_devices_checked(results, &(struct devices_checked){d->loads, d->done});
}

const struct worker_ops worker_devices = {.name = "devices",
                                          .text = "each access to a device once, in order, as it committed, and the "
                                                  "value that a load gets",
                                          .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN | WORKER_MEMORY,
                                          .standard = WORKER_WITH_LOCKSTEP,
                                          .check = true,
                                          .leaving_only = true,
                                          .create = create,
                                          .cycle = cycle,
                                          .memory = memory,
                                          .publish = publish,
                                          .destroy = free};
