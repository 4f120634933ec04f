// perf.data (tools/perf/Documentation/perf.data-file-format.txt of Linux), which perf report, annotate and script open:
// an event for each state, and a sample for each instruction that a sample gives time to, weighed by its period in
// cycles. The time of a sample is its cycle, as nanoseconds of the core's clock.
//
// What perf wants of a file: every sample is of user mode (PERF_RECORD_MISC_USER), kernel and firmware included, or its
// symbols are lost; each event has an id, and each record ends with that; a length stands before its bytes, so all
// is written twice, the first time to nowhere.
#include "base/paths.h"
#include "report/contexts.h"
#include "report/export.h"
#include "report/formats.h"
#include "report/perf_file.h"
#include "report/run_images.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 104, FEATURES = 256 / 64, EVENT_DESC = 12, PIDS = 1024, COMM = 16, FIRST_PID = 1 };
enum { MISC_EXEC = PERF_RECORD_MISC_COMM_EXEC, RAW = PERF_TYPE_RAW };
static const uint64_t sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                                    PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
                                    PERF_SAMPLE_WEIGHT;

struct writing {
    const struct export *e;
    const struct report_options *o;
    struct perf_file file;
    uint64_t before;       // time of all samples up to now, in 1/U cycle
    uint64_t spaces[PIDS]; // whose processes are known: FIRST_PID + index
    unsigned count;
    uint64_t time; // of the record that is written
    uint32_t hart;
};

// What ends every record but samples: of sample_type, in its order.
static void add_identity(struct writing *w, uint32_t pid) {
    perf_32(&w->file, pid);
    perf_32(&w->file, pid);
    perf_64(&w->file, w->time);
    perf_32(&w->file, w->hart);
    perf_32(&w->file, 0);
    perf_64(&w->file, 1); // the first event's id
}

// ---- who runs ----
// -1: there is no such file, or it is none that can be mapped.
static int open_elf(const char *path, Elf **elf) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    elf_version(EV_CURRENT);
    *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (*elf) return fd;
    close(fd);
    return -1;
}

static void add_build_id(struct writing *w, const char *hex) {
    unsigned char id[20] = {0};
    unsigned length = 0, byte;
    for (; length < sizeof id && sscanf(hex + 2 * length, "%2x", &byte) == 1; length++)
        id[length] = (unsigned char)byte;
    perf_32(&w->file, length);
    perf_add(&w->file, id, sizeof id);
}

static void write_map(struct writing *w, uint32_t pid, const struct guest_image *image, const char *path,
                      const GElf_Phdr *segment) {
    enum { PROTECTION = 5, PRIVATE = 2 }; // to be read and executed
    perf_begin(&w->file);
    perf_32(&w->file, pid);
    perf_32(&w->file, pid);
    perf_64(&w->file, segment->p_vaddr + image->bias);
    perf_64(&w->file, segment->p_memsz);
    perf_64(&w->file, segment->p_offset);
    if (image->build_id[0]) {
        add_build_id(w, image->build_id);
    } else {
        for (int i = 0; i < 3; i++) // of no device and inode
            perf_64(&w->file, 0);
    }
    perf_32(&w->file, PROTECTION);
    perf_32(&w->file, PRIVATE);
    perf_text(&w->file, path, PATH_MAX);
    add_identity(w, pid);
    perf_end(&w->file, PERF_RECORD_MMAP2,
             PERF_RECORD_MISC_USER | (image->build_id[0] ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0));
}

static void write_maps(struct writing *w, uint32_t pid, const struct guest_image *image, const char *named) {
    const char *path = named ? named : image->path;
    char real[PATH_MAX];
    Elf *elf;
    const int fd = open_elf(path, &elf);
    size_t count = 0;
    GElf_Phdr segment;
    if (fd < 0) return;
    if (elf_getphdrnum(elf, &count) != 0) count = 0;
    for (size_t i = 0; i < count && i < INT_MAX; i++)
        if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD && segment.p_flags & PF_X)
            write_map(w, pid, image, realpath(path, real) ? real : path, &segment);
    elf_end(elf);
    close(fd);
}

static void write_process(struct writing *w, uint64_t context, uint32_t pid) {
    const struct samples_header *h = w->e->data->header;
    char name[512];
    report_process(w->e->data, context, name, sizeof name);
    perf_begin(&w->file);
    perf_32(&w->file, pid);
    perf_32(&w->file, pid);
    perf_text(&w->file, paths_name(name), COMM);
    add_identity(w, pid);
    perf_end(&w->file, PERF_RECORD_COMM, MISC_EXEC);
    const struct guest_image bare = run_program_image(h);
    if (!h->images.count) write_maps(w, pid, &bare, w->o->program);
    for (uint32_t i = 0; i < h->images.count; i++) {
        const struct guest_image *image = &h->images.list[i];
        if (image->any_space || image->space == place_space(context)) write_maps(w, pid, image, NULL);
    }
}

// Its process's number; one that is met for the first time is introduced. Of very many the others share the last one's.
static uint32_t pid_of(struct writing *w, uint64_t context) {
    const uint64_t space = place_space(context);
    for (unsigned i = 0; i < w->count; i++)
        if (w->spaces[i] == space) return FIRST_PID + i;
    if (w->count == PIDS) return FIRST_PID + PIDS - 1;
    w->spaces[w->count++] = space;
    write_process(w, context, FIRST_PID + w->count - 1);
    return FIRST_PID + w->count - 1;
}

// ---- samples ----
static uint64_t pc_of(const struct export *e, size_t frame) {
    const uint64_t pc = e->sites[e->frame_sites[frame]].place.pc;
    return pc == PROFILE_PC_END ? 0 : pc;
}

static void write_sample(struct writing *w, size_t row, uint64_t period, uint64_t address) {
    enum { DEEPEST = 256 };
    const struct export *e = w->e;
    const struct profile_row *r = &e->data->rows[row];
    const uint32_t pid = pid_of(w, r->context);
    uint64_t chain[DEEPEST];
    size_t depth = 0;
    for (size_t i = e->tree.row_frames[row]; i != CALL_TREE_NONE && depth < DEEPEST; i = e->tree.frames[i].parent)
        chain[depth++] = pc_of(e, i);
    perf_begin(&w->file);
    perf_64(&w->file, r->state < STATE_COUNT ? r->state + 1 : 1);
    perf_64(&w->file, r->pc == PROFILE_PC_END ? 0 : r->pc);
    perf_32(&w->file, pid);
    perf_32(&w->file, pid);
    perf_64(&w->file, w->time);
    perf_64(&w->file, address);
    perf_32(&w->file, w->hart);
    perf_32(&w->file, 0);
    perf_64(&w->file, period);
    perf_64(&w->file, depth + 1);
    perf_64(&w->file, (uint64_t)PERF_CONTEXT_USER);
    perf_add(&w->file, chain, depth * sizeof *chain);
    perf_64(&w->file, period);
    perf_end(&w->file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
}

static void write_row(struct writing *w, size_t row, uint64_t weight, uint64_t address) {
    const uint64_t units = w->e->data->header->units, after = w->before + weight;
    const uint64_t period = (after + units / 2) / units - (w->before + units / 2) / units;
    w->before = after;
    if (period) write_sample(w, row, period, address);
}

static bool take(void *context, const struct export_sample *s) {
    struct writing *w = context;
    const uint32_t mhz = w->e->data->header->clock_mhz ? w->e->data->header->clock_mhz : 1000;
    w->time = (uint64_t)((double)s->record->cycle * 1e3 / mhz);
    w->hart = s->record->hart;
    for (size_t i = 0; i < s->count; i++) {
        const struct export_share *share = &s->shares[i];
        const bool its = w->e->data->rows[share->row].state == s->record->sample.state;
        write_row(w, share->row, share->weight, its ? s->record->data : 0);
    }
    return true;
}

// Of samples each in its time; a profile's rows have none.
static bool write_data(struct writing *w, struct error *err) {
    const struct run *d = w->e->data;
    w->file.at = w->before = w->time = 0;
    w->count = w->hart = 0;
    if (d->by_samples) return export_samples(w->e, take, w, err);
    for (size_t row = 0; row < d->row_count; row++)
        write_row(w, row, d->rows[row].weight, 0);
    return true;
}

// ---- the file ----
static struct perf_event_attr attribute(unsigned state) {
    return (struct perf_event_attr){.type = RAW,
                                    .size = sizeof(struct perf_event_attr),
                                    .config = state + 1,
                                    .sample_period = 1,
                                    .sample_type = sample_type,
                                    .mmap = 1,
                                    .mmap2 = 1,
                                    .comm = 1,
                                    .sample_id_all = 1};
}

// The names of the events: the feature's section, after the data.
static void write_names(struct writing *w) {
    static const char *const names[] = {"tipoff:computing", "tipoff:stalled", "tipoff:flushed", "tipoff:drained"};
    enum { NAME = 24 };
    const uint32_t head[] = {STATE_COUNT, sizeof(struct perf_event_attr)};
    perf_put(&w->file, head, sizeof head);
    for (unsigned s = 0; s < STATE_COUNT; s++) {
        const struct perf_event_attr a = attribute(s);
        const uint32_t ids = 1, length = NAME;
        const uint64_t id = s + 1;
        char name[NAME] = "";
        snprintf(name, sizeof name, "%s", names[s]);
        perf_put(&w->file, &a, sizeof a);
        perf_put(&w->file, &ids, sizeof ids);
        perf_put(&w->file, &length, sizeof length);
        perf_put(&w->file, name, sizeof name);
        perf_put(&w->file, &id, sizeof id);
    }
}

static void write_head(struct writing *w, uint64_t data_bytes) {
    enum { ATTRIBUTE = sizeof(struct perf_event_attr) + 16 };
    const uint64_t ids = HEADER, attributes = ids + STATE_COUNT * 8, data = attributes + STATE_COUNT * ATTRIBUTE;
    const uint64_t head[] = {HEADER, ATTRIBUTE, attributes, (uint64_t)STATE_COUNT * ATTRIBUTE, data, data_bytes, 0, 0};
    const uint64_t features[FEATURES] = {UINT64_C(1) << EVENT_DESC};
    perf_put(&w->file, "PERFILE2", 8);
    perf_put(&w->file, head, sizeof head);
    perf_put(&w->file, features, sizeof features);
    for (uint64_t id = 1; id <= STATE_COUNT; id++)
        perf_put(&w->file, &id, sizeof id);
    for (unsigned s = 0; s < STATE_COUNT; s++) {
        const struct perf_event_attr a = attribute(s);
        const uint64_t id[] = {ids + 8 * s, 8};
        perf_put(&w->file, &a, sizeof a);
        perf_put(&w->file, id, sizeof id);
    }
}

static bool write_all(struct writing *w, FILE *out, struct error *err) {
    write_names(w);
    const uint64_t names = w->file.at;
    if (!write_data(w, err)) return false;
    const uint64_t data = w->file.at;
    w->file.out = out;
    w->file.at = 0;
    write_head(w, data);
    const uint64_t section[] = {w->file.at + data + 16, names}; // where the names are: it stands after the data
    if (!write_data(w, err)) return false;
    perf_put(&w->file, section, sizeof section);
    write_names(w);
    return true;
}

static int write_perf_data(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct export e;
    if (!export_create(&e, d, o->max_stack, err)) return -EINVAL;
    struct writing *w = error_calloc(sizeof *w, d->path, err);
    bool good = w;
    if (w) {
        w->e = &e;
        w->o = o;
        good = write_all(w, out, err);
    }
    free(w);
    export_destroy(&e);
    return good ? 0 : -EINVAL;
}

const struct report_format format_perf_data = {.name = "perf-data", .write = write_perf_data, .stacks = true};
