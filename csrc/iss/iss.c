// Life of the simulator, steps and runs, and access to the state.
#include "iss/iss.h"
#include "base/memory_size.h"
#include "iss/iss_internal.h"
#include "machine/bootrom.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int out_of_memory(struct error *err) {
    return error_nomem(err, "instruction-set simulator");
}

struct iss *iss_create(struct error *err) {
    return iss_create_harts(1, err);
}

struct iss *iss_create_harts(unsigned count, struct error *err) {
    struct iss *iss = calloc(1, sizeof *iss);
    struct hart *harts = calloc(count, sizeof *harts);
    if (!iss || !harts) out_of_memory(err);
    if (iss) iss->harts = harts;
    if (iss) iss->hart_count = count;
    if (!iss || !harts || iss_set_memory(iss, DRAM_BYTES, err) < 0) {
        free(iss);
        free(harts);
        return NULL;
    }
    iss->autonomous = true;
    iss->tohost = NO_TOHOST;
    iss->quantum = ISS_QUANTUM;
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss_hart_begin(&iss->harts[i], iss, i);
    iss_devices_reset(iss);
    return iss;
}

static void free_pages(struct hart *h) { // of decoded instructions
    free(h->bootrom_page);
    h->bootrom_page = NULL;
    for (size_t i = 0; i < RESUME_BYTES / PAGE_BYTES; i++) {
        free(h->resume_pages[i]);
        h->resume_pages[i] = NULL;
    }
    for (size_t i = h->first_page; i <= h->last_page; i++) {
        free(h->dram_pages[i]);
        h->dram_pages[i] = NULL;
    }
    h->first_page = SIZE_MAX;
    h->last_page = 0;
}

void iss_destroy(struct iss *iss) {
    if (!iss) return;
    for (unsigned i = 0; i < iss->hart_count; i++) {
        free_pages(&iss->harts[i]);
        free((void *)iss->harts[i].dram_pages);
    }
    free(iss->harts);
    iss_counts_destroy(iss->counts);
    iss_flow_destroy(iss->flow);
    free(iss->accesses);
    memory_release(iss->dram, iss->dram_bytes);
    free(iss);
}

int iss_set_memory(struct iss *iss, uint64_t bytes, struct error *err) {
    bytes = memory_size_or_default(bytes);
    if (iss->dram && bytes == iss->dram_bytes) return 0;
    struct page **pages[MACHINE_MOST_HARTS];
    uint8_t *dram = memory_reserve(bytes, err);
    bool good = dram != NULL;
    for (unsigned i = 0; i < iss->hart_count; i++)
        // NOLINTNEXTLINE(bugprone-sizeof-expression): the size of a pointer is meant
        good = (pages[i] = dram ? calloc(bytes / PAGE_BYTES, sizeof **pages) : NULL) && good;
    if (!good) {
        if (dram) out_of_memory(err);
        for (unsigned i = 0; i < iss->hart_count; i++)
            free((void *)pages[i]);
        memory_release(dram, bytes);
        return -ENOMEM;
    }
    memory_release(iss->dram, iss->dram_bytes);
    iss->dram = dram;
    iss->dram_bytes = iss->host.memory = bytes;
    for (unsigned i = 0; i < iss->hart_count; i++) {
        struct hart *h = &iss->harts[i];
        if (h->dram_pages) free_pages(h);
        free((void *)h->dram_pages);
        h->dram_pages = pages[i];
        if (!h->machine) continue; // it is being made
        iss_drop_decoded(h);       // and what was known of pages: it says where they were
        iss_mode_changed(h);
    }
    return 0;
}

uint64_t iss_memory_bytes(const struct iss *iss) {
    return iss->dram_bytes;
}

int iss_load(struct iss *iss, const struct image *image, struct error *err) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        free_pages(&iss->harts[i]);
    if (!image_fits(image, iss->dram_bytes, err)) return -EINVAL;
    memory_clear(iss->dram, iss->dram_bytes);
    memset(iss->resume, 0, sizeof iss->resume);
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        uint8_t *memory = iss_memory(iss, segment->address, segment->bytes, false);
        if (!memory) {
            error_set(err, "%s: segment outside memory at 0x%llx: link it into DRAM", image_path(image),
                      (unsigned long long)segment->address);
            return -EINVAL;
        }
        memcpy(memory, segment->data, segment->file_bytes);
    }
    const bool fp = iss->harts[0].fp; // as all of them
    const uint64_t entry = image_entry(image), memory = iss->dram_bytes;
    if (iss->hart_count == 1) bootrom_write(iss->bootrom, entry, fp, memory);
    if (iss->hart_count > 1) bootrom_write_harts(iss->bootrom, iss->resume, entry, fp, memory, iss->hart_count);
    iss->host_acts = false;
    uint64_t tohost, fromhost;
    if (htif_find(image, iss->dram_bytes, &tohost, &fromhost, err) < 0) return -EINVAL;
    iss->tohost = tohost ? tohost - DRAM_BASE : NO_TOHOST;
    htif_reset(&iss->htif, tohost, fromhost, iss->console.out, iss->console.in);
    iss->htif.host = &iss->host;
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss_hart_reset(&iss->harts[i]);
    iss_devices_reset(iss);
    return 0;
}

// ---- harts ----
unsigned iss_harts(const struct iss *iss) {
    return iss->hart_count;
}
struct hart *iss_hart(const struct iss *iss, unsigned number) {
    return &iss->harts[number];
}
struct hart *iss_only(const struct iss *iss) {
    if (iss->hart_count != 1) abort(); // a caller that would leave the others out
    return &iss->harts[0];
}

// ---- how it ended ----
bool iss_exited(const struct iss *iss, uint64_t *code) {
    const struct finisher *finisher = &iss->peripherals.finisher;
    if (finisher->ended && code) *code = finisher->status;
    if (iss->htif.exited && code) *code = iss->htif.code;
    return iss->htif.exited || (finisher->ended && !finisher->reset);
}

uint64_t iss_finisher_note(const struct iss *iss) {
    return iss->peripherals.note;
}

bool iss_asks_for_reset(const struct iss *iss) {
    return iss->peripherals.finisher.reset;
}

bool iss_over(const struct iss *iss) {
    return iss_exited(iss, NULL) || iss->htif.refused || iss_asks_for_reset(iss);
}

bool iss_refused(const struct iss *iss, const char *program, struct error *err) {
    if (iss->htif.refused) htif_refusal(&iss->htif, program, err);
    return iss->htif.refused;
}

const struct hart *iss_caller(const struct iss *iss) {
    return &iss->harts[iss->caller];
}

static void drop_decoded(struct iss *iss) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss_drop_decoded(&iss->harts[i]);
}

void iss_watch_markers(struct iss *iss, bool watch) {
    iss->markers = watch;
    iss->marker = 0;
    drop_decoded(iss);
}

unsigned iss_take_marker(struct iss *iss) {
    unsigned marker = iss->marker;
    iss->marker = 0;
    return marker;
}

// ---- settings and state ----
void iss_set_autonomous(struct iss *iss, bool autonomous) {
    iss->autonomous = autonomous;
}
void iss_set_quantum(struct iss *iss, uint64_t quantum) {
    iss->quantum = iss->slice = quantum;
}
// What harts are: all are alike.
static void reset_csrs(struct iss *iss) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss_csr_reset(&iss->harts[i]);
}
void iss_set_fp(struct iss *iss, bool fp) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss->harts[i].fp = fp;
    reset_csrs(iss);
    drop_decoded(iss);
}
void iss_set_pmp_entries(struct iss *iss, unsigned entries) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss->harts[i].pmp_entries = entries;
    reset_csrs(iss);
}
void iss_set_window(struct iss *iss, bool window) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss->harts[i].window = window;
    reset_csrs(iss);
}
void iss_set_ctr_depth(struct iss *iss, unsigned depth) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss->harts[i].ctr_depth = depth;
    reset_csrs(iss);
}
void iss_set_profileme(struct iss *iss, bool profileme) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss->harts[i].profileme = profileme;
    reset_csrs(iss);
}
void iss_set_triggers(struct iss *iss, unsigned count) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss->harts[i].triggers = count;
    reset_csrs(iss);
}
void iss_set_hart_id(struct iss *iss, unsigned id) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss->harts[i].id = id + i;
    reset_csrs(iss);
}
void iss_set_ad_update(struct iss *iss, bool ad_update) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss->harts[i].ad_update = ad_update;
}
void iss_host_write(struct iss *iss, uint64_t address, uint64_t value) {
    iss_show(iss, address, sizeof value, value);
}
void iss_show(struct iss *iss, uint64_t address, unsigned bytes, uint64_t word) {
    uint8_t *memory = iss_memory(iss, address, bytes, true);
    if (memory) memcpy(memory, &word, bytes);
}
void iss_set_device_read(struct iss *iss, iss_device_read *callback, void *context) {
    iss->device_read = callback;
    iss->device_context = context;
}
void iss_set_console(struct iss *iss, FILE *out, FILE *in) {
    iss->console.out = iss->peripherals.uart[0].out = iss->htif.out = out;
    iss->console.in = iss->peripherals.uart[0].in = iss->htif.in = in;
}
void iss_set_arguments(struct iss *iss, char *const *argv) {
    iss->host.argv = argv;
}
void iss_set_file_roots(struct iss *iss, const struct host_roots *roots) {
    iss->host.roots = *roots;
}
void iss_set_second_console(struct iss *iss, FILE *out) {
    iss->console.out1 = iss->peripherals.uart[1].out = out;
}
bool iss_read(const struct iss *iss, uint64_t address, void *data, size_t bytes) {
    const uint8_t *memory = iss_memory((struct iss *)iss, address, bytes, false);
    if (memory) memcpy(data, memory, bytes);
    return memory != NULL;
}

bool iss_write(struct iss *iss, uint64_t address, const void *data, size_t bytes) {
    uint8_t *memory = iss_memory(iss, address, bytes, false);
    if (!memory) return false;
    memcpy(memory, data, bytes);
    drop_decoded(iss);
    return true;
}
