// Life of the simulator, steps and runs, and access to the state.
#include "iss/iss.h"
#include "iss/iss_internal.h"
#include "machine/bootrom.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct iss *iss_create(struct error *err) {
    return iss_create_harts(1, err);
}

struct iss *iss_create_harts(unsigned count, struct error *err) {
    struct iss *iss = calloc(1, sizeof *iss);
    struct hart *harts = calloc(count, sizeof *harts);
    void *dram = mmap(NULL, DRAM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!iss || !harts || dram == MAP_FAILED) {
        free(iss);
        free(harts);
        if (dram != MAP_FAILED) munmap(dram, DRAM_BYTES);
        error_set(err, "instruction-set simulator: out of memory: free some and run again");
        return NULL;
    }
    iss->dram = dram;
    iss->autonomous = true;
    iss->tohost = NO_TOHOST;
    iss->harts = harts;
    iss->hart_count = count;
    iss->quantum = ISS_QUANTUM;
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss_hart_begin(&iss->harts[i], iss, i);
    iss_devices_reset(iss);
    return iss;
}

static void free_pages(struct hart *h) {
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
    for (unsigned i = 0; i < iss->hart_count; i++)
        free_pages(&iss->harts[i]);
    free(iss->harts);
    iss_counts_destroy(iss->counts);
    munmap(iss->dram, DRAM_BYTES);
    free(iss);
}

int iss_load(struct iss *iss, const struct image *image, struct error *err) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        free_pages(&iss->harts[i]);
    if (madvise(iss->dram, DRAM_BYTES, MADV_DONTNEED) != 0) memset(iss->dram, 0, DRAM_BYTES);
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
    if (iss->hart_count == 1) bootrom_write(iss->bootrom, image_entry(image), fp);
    if (iss->hart_count > 1) bootrom_write_harts(iss->bootrom, iss->resume, image_entry(image), fp, iss->hart_count);
    iss->host_acts = false;
    uint64_t tohost, fromhost;
    if (htif_find(image, &tohost, &fromhost, err) < 0) return -EINVAL;
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
    uint8_t *memory = iss_memory(iss, address, sizeof value, true);
    if (memory) memcpy(memory, &value, sizeof value);
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
