// The simulated machine outside the tile: hands DPI calls to memory and devices, and gathers a tick's answer.
#include "harness/soc.h"
#include "harness/devices.h"
#include "harness/links.h"
#include "machine/bootrom.h"
#include "memory_map.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct soc {
    struct memory *memory;
    bool shares; // ... with other tiles, behind their hub
    struct soc_place place;
    struct devices devices; // of one hart alone
    struct device_lines lines;
    struct device_access access;
    struct soc_access asked;
    struct links *links; // NULL: none
    const struct hub_in *hub_in;
    uint64_t cycle;
    uint64_t bytes; // of DRAM
    bool fp;        // the device tree says F and D
};

struct soc *soc_create(const struct machine_config *config, uint64_t memory, const struct console *console,
                       const struct soc_place *place, struct error *err) {
    struct soc *soc = error_calloc(sizeof *soc, "machine model", err);
    if (!soc) return NULL;
    devices_reset(&soc->devices, 1, console);
    soc->place = *place;
    soc->fp = config->fp;
    soc->bytes = memory;
    soc->shares = place->first && config->coherent;
    soc->memory = soc->shares    ? place->first->memory
                  : place->first ? memory_create(config, memory, place->first->memory, err)
                                 : memory_create(config, memory, NULL, err);
    if (soc->memory) return soc;
    free(soc);
    return NULL;
}

void soc_destroy(struct soc *soc) {
    if (!soc) return;
    if (!soc->shares) memory_destroy(soc->memory);
    free(soc);
}

void soc_link(struct soc *soc, struct links *links) {
    soc->links = links;
}

struct memory *soc_memory(struct soc *soc) {
    return soc->memory;
}

int soc_load(struct soc *soc, const struct image *image, struct error *err) {
    uint8_t *rom = memory_at(soc->memory, BOOTROM_BASE, BOOTROM_BYTES);
    if (!soc->place.board || board_harts(soc->place.board) == 1) {
        bootrom_write(rom, image_entry(image), soc->fp, soc->bytes);
    } else {
        bootrom_write_harts(rom, memory_at(soc->memory, RESUME_BASE, BOOTROM_RESUME_TREE), image_entry(image), soc->fp,
                            soc->bytes, board_harts(soc->place.board));
    }
    if (soc->place.first) return 0; // memory has the program
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
    if (!soc->place.board) {
        devices_restore(&soc->devices, from, console);
    } else if (!soc->place.first) {
        board_restore(soc->place.board, from);
    }
}

void *soc_memory_at(struct soc *soc, uint64_t addr, size_t bytes) {
    return memory_at(soc->memory, addr, bytes);
}

struct memory_counts soc_memory_counts(const struct soc *soc) {
    return memory_counts(soc->memory);
}

static const struct devices *devices_of(const struct soc *soc) {
    return soc->place.board ? board_devices(soc->place.board) : &soc->devices;
}

uint64_t soc_mtime(const struct soc *soc, uint64_t tick) {
    return device_lines_mtime(&soc->lines, tick);
}

uint64_t soc_memory_bytes(const struct soc *soc) {
    return soc->bytes;
}

uint64_t soc_ticks(const struct soc *soc) {
    return soc->cycle;
}

uint64_t soc_note(const struct soc *soc) {
    return devices_of(soc)->peripherals.note;
}

const struct finisher *soc_finisher(const struct soc *soc) {
    return &devices_of(soc)->peripherals.finisher;
}

uint64_t soc_timer(const struct soc *soc) {
    return device_lines_timer(&soc->lines, soc->cycle);
}

void soc_line_read(struct soc *soc, int port, unsigned id, uint64_t addr) {
    memory_read(soc->memory, (unsigned)port, id, addr);
}

void soc_line_write(struct soc *soc, uint64_t addr, const uint64_t data[8]) {
    memory_write(soc->memory, addr, data);
}

void soc_device_request(struct soc *soc, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    soc->asked = (struct soc_access){write, bytes, addr, data};
    if (!soc->place.board) {
        devices_access(&soc->devices, soc->cycle, write, bytes, addr, data, &soc->access);
        return;
    }
    soc->access = (struct device_access){.busy = true, .due = soc->cycle + DEVICES_ACCESS_CYCLES};
    board_access(soc->place.board, soc->place.hart, soc->cycle, write, bytes, addr, data);
}

void soc_lost_store(struct soc *soc, uint64_t addr) {
    if (soc->place.board) {
        board_lost_store(soc->place.board, soc->place.hart, soc->cycle, addr);
    } else {
        peripherals_lose(&soc->devices.peripherals, addr);
    }
}

// What the board has for this cycle, which begins.
static void look_at_board(struct soc *soc) {
    const struct soc_place *p = &soc->place;
    soc->lines = *board_lines(p->board, p->hart, soc->cycle);
    if (!soc->access.busy) return;
    const struct device_access *done = board_access_done(p->board, p->hart);
    if (done) {
        soc->access.data = done->data;
        soc->access.error = done->error;
    } else if (soc->access.due == soc->cycle + 1) {
        soc->access.due++; // a hart that ran ahead (board_lines)
    }
}

static uint32_t tick_memory(struct memory *memory) {
    memory_tick(memory);
    const struct memory_response *insn = memory_response(memory, DPI_PORT_INSN);
    const struct memory_response *data = memory_response(memory, DPI_PORT_DATA);
    uint32_t code = 0;
    if (memory_ready(memory)) code |= TICK_INSN_READY | TICK_DATA_READY;
    if (insn) code |= TICK_INSN_RESPONSE | (insn->llc_miss ? TICK_INSN_LLC_MISS : 0u) | insn->id << TICK_INSN_ID;
    if (data) code |= TICK_DATA_RESPONSE | (data->llc_miss ? TICK_DATA_LLC_MISS : 0u) | data->id << TICK_DATA_ID;
    if (insn && insn->error) code |= TICK_INSN_ERROR;
    if (data && data->error) code |= TICK_DATA_ERROR;
    return code;
}

// Of several harts, the hub runs between their turns (harness/core_harts.c).
static uint32_t tick_link(struct soc *soc) {
    if (!soc->place.board) links_advance(soc->links, soc->cycle + 1);
    soc->hub_in = links_take(soc->links, soc->place.hart, soc->cycle);
    return (soc->hub_in->down.valid ? TICK_HUB_DOWN : 0u) | (soc->hub_in->answer.valid ? TICK_HUB_ANSWER : 0u);
}

const struct hub_in *soc_hub_in(const struct soc *soc) {
    return soc->hub_in;
}

uint32_t soc_tick(struct soc *soc, uint64_t *mtime) {
    struct device_lines *lines = &soc->lines;
    struct device_access *access = &soc->access;
    if (soc->place.board) {
        look_at_board(soc);
    } else {
        *lines = devices_lines(&soc->devices, 0);
    }
    uint32_t code = soc->links ? tick_link(soc) : tick_memory(soc->memory);
    uint64_t cycle = ++soc->cycle;
    if (device_access_responds(access, cycle)) code |= TICK_DEVICE_RESPONSE | (access->error ? TICK_DEVICE_ERROR : 0u);
    if (!access->busy) code |= TICK_DEVICE_READY;
    if (lines->msip) code |= TICK_MSIP;
    if (device_lines_mtip(lines, cycle)) code |= TICK_MTIP;
    if (lines->meip) code |= TICK_MEIP;
    if (lines->seip) code |= TICK_SEIP;
    *mtime = device_lines_mtime(lines, cycle);
    return code;
}

const struct soc_access *soc_device_access(const struct soc *soc) {
    return &soc->asked;
}

void soc_line_data(struct soc *soc, int port, uint64_t data[8]) {
    const struct memory_response *response = memory_response(soc->memory, (unsigned)port);
    memcpy(data, response->data, sizeof response->data);
}

uint64_t soc_device_data(const struct soc *soc) {
    return soc->access.data;
}
