// The simulated machine outside the tile: hands DPI calls to memory and devices, and gathers a tick's answer.
#include "harness/soc.h"
#include "harness/devices.h"
#include "machine/bootrom.h"
#include "memory_map.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct soc {
    struct memory *memory;
    struct devices devices;
    uint64_t cycle;
    uint64_t bytes; // of DRAM
    bool fp;        // the device tree says F and D
};

struct soc *soc_create(const struct machine_config *config, uint64_t memory, const struct console *console,
                       struct error *err) {
    struct soc *soc = error_calloc(sizeof *soc, "machine model", err);
    if (!soc) return NULL;
    devices_reset(&soc->devices, console);
    soc->fp = config->fp;
    soc->bytes = memory;
    soc->memory = memory_create(config, memory, err);
    if (soc->memory) return soc;
    free(soc);
    return NULL;
}

void soc_destroy(struct soc *soc) {
    if (!soc) return;
    memory_destroy(soc->memory);
    free(soc);
}

int soc_load(struct soc *soc, const struct image *image, struct error *err) {
    bootrom_write(memory_at(soc->memory, BOOTROM_BASE, BOOTROM_BYTES), image_entry(image), soc->fp, soc->bytes);
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        uint8_t *to = memory_at(soc->memory, segment->address, segment->bytes);
        if (!to) {
            error_set(err, "%s: segment at 0x%llx lies outside memory: link it into DRAM", image_path(image),
                      (unsigned long long)segment->address);
            return -EINVAL;
        }
        memcpy(to, segment->data, segment->file_bytes);
    }
    return 0;
}

void soc_restore(struct soc *soc, const struct resume_devices *from, const struct console *console) {
    struct devices *d = &soc->devices;
    d->mtime_offset = from->mtime;
    d->mtimecmp = from->mtimecmp;
    d->msip = from->msip;
    d->peripherals = from->peripherals;
    d->peripherals.uart[0].out = console->out;
    d->peripherals.uart[0].in = console->in;
    d->peripherals.uart[1].out = console->out1;
}

void *soc_memory_at(struct soc *soc, uint64_t addr, size_t bytes) {
    return memory_at(soc->memory, addr, bytes);
}

struct memory_counts soc_memory_counts(const struct soc *soc) {
    return memory_counts(soc->memory);
}

uint64_t soc_mtime(const struct soc *soc, uint64_t tick) {
    return devices_mtime(&soc->devices, tick);
}

uint64_t soc_memory_bytes(const struct soc *soc) {
    return soc->bytes;
}

uint64_t soc_ticks(const struct soc *soc) {
    return soc->cycle;
}

uint64_t soc_note(const struct soc *soc) {
    return soc->devices.peripherals.note;
}

const struct finisher *soc_finisher(const struct soc *soc) {
    return &soc->devices.peripherals.finisher;
}

uint64_t soc_timer(const struct soc *soc) {
    return devices_timer(&soc->devices, soc->cycle);
}

void soc_line_read(struct soc *soc, int port, unsigned id, uint64_t addr) {
    memory_read(soc->memory, (unsigned)port, id, addr);
}

void soc_line_write(struct soc *soc, uint64_t addr, const uint64_t data[8]) {
    memory_write(soc->memory, addr, data);
}

void soc_device_request(struct soc *soc, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    devices_access(&soc->devices, soc->cycle, write, bytes, addr, data);
}

void soc_lost_store(struct soc *soc, uint64_t addr) {
    peripherals_lose(&soc->devices.peripherals, addr);
}

uint32_t soc_tick(struct soc *soc, uint64_t *mtime) {
    uint64_t cycle = ++soc->cycle;
    struct devices *d = &soc->devices;
    memory_tick(soc->memory);
    const struct memory_response *insn = memory_response(soc->memory, DPI_PORT_INSN);
    const struct memory_response *data = memory_response(soc->memory, DPI_PORT_DATA);
    uint32_t code = 0;
    if (memory_ready(soc->memory)) code |= TICK_INSN_READY | TICK_DATA_READY;
    if (insn) code |= TICK_INSN_RESPONSE | (insn->llc_miss ? TICK_INSN_LLC_MISS : 0u) | insn->id << TICK_INSN_ID;
    if (data) code |= TICK_DATA_RESPONSE | (data->llc_miss ? TICK_DATA_LLC_MISS : 0u) | data->id << TICK_DATA_ID;
    if (insn && insn->error) code |= TICK_INSN_ERROR;
    if (data && data->error) code |= TICK_DATA_ERROR;
    if (devices_respond(d, cycle)) code |= TICK_DEVICE_RESPONSE | (d->error ? TICK_DEVICE_ERROR : 0u);
    if (!d->busy) code |= TICK_DEVICE_READY;
    if (d->msip) code |= TICK_MSIP;
    if (devices_mtip(d, cycle)) code |= TICK_MTIP;
    if (plic_asks(&d->peripherals.plic, PLIC_CONTEXT_M)) code |= TICK_MEIP;
    if (plic_asks(&d->peripherals.plic, PLIC_CONTEXT_S)) code |= TICK_SEIP;
    *mtime = devices_mtime(d, cycle);
    return code;
}

void soc_line_data(struct soc *soc, int port, uint64_t data[8]) {
    const struct memory_response *response = memory_response(soc->memory, (unsigned)port);
    memcpy(data, response->data, sizeof response->data);
}

uint64_t soc_device_data(const struct soc *soc) {
    return soc->devices.read_data;
}
