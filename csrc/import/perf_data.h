// What `perf record` of Linux wrote (tools/perf/Documentation/perf.data-file-format.txt; the records are those of
// linux/perf_event.h): read twice, first for who ran what where, then for the samples.
#ifndef TIPOFF_IMPORT_PERF_DATA_H
#define TIPOFF_IMPORT_PERF_DATA_H

#include "base/error.h"
#include "base/notices.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PERF_EVENTS = 256, PERF_EVENT_NAME = 96, PERF_BUILD_ID = 20 };
struct perf_event_kind {
    char name[PERF_EVENT_NAME]; // "cycles:u"
    uint32_t type;              // of perf_event_attr
    uint64_t config, sample_type, period, read_format;
    bool frequency; // `period` is samples a second
    bool id_all;    // every record ends in what its sample_type says of samples
};

// Pages of a process that show a file, from `when` on.
struct perf_map {
    uint32_t pid;
    bool kernel;
    uint64_t when, start, bytes, offset; // offset in the file
    const char *path;                    // "[vdso]", "//anon", ... where there is no file
    uint8_t build_id[PERF_BUILD_ID];
    unsigned build_id_bytes; // 0: not known
};
struct perf_task { // it begins, or executes another program
    uint32_t pid, tid, parent;
    bool fork, exec; // else: it has a name
    uint64_t when;
    const char *name; // of exec, and of a name
};
struct perf_sample {
    unsigned event; // number of its kind
    uint8_t mode;   // PERF_RECORD_MISC_CPUMODE_MASK of its record's misc
    uint32_t pid, tid;
    uint64_t when, ip, period;
    const uint64_t *chain; // the innermost first, with PERF_CONTEXT_*; unaligned ones are copied
    size_t depth;
};

// NULL: not wanted. False with err ends the reading.
struct perf_takes {
    void *context;
    bool (*map)(void *context, const struct perf_map *map, struct error *err);
    bool (*task)(void *context, const struct perf_task *task, struct error *err);
    bool (*sample)(void *context, const struct perf_sample *sample, struct error *err);
    bool (*build_id)(void *context, const char *path, const uint8_t *id, unsigned bytes, struct error *err);
};

struct perf_data;
struct perf_data *perf_data_open(const char *path, struct error *err); // NULL with err
void perf_data_close(struct perf_data *p);                             // NULL is fine
// From the beginning to the end. 0, or a negative errno with err. A file that is damaged or ends in the midst of a
// record is read up to there, and perf_data_fault has the fault.
int perf_data_read(struct perf_data *p, const struct perf_takes *takes, struct error *err);
const struct perf_event_kind *perf_data_events(const struct perf_data *p, unsigned *count); // of what was read
const char *perf_data_fault(const struct perf_data *p);                                     // "": none
uint64_t perf_data_lost(const struct perf_data *p);    // samples that the machine lost, as its records say
const char *perf_data_arch(const struct perf_data *p); // "riscv64"; "" where it does not say
const char *perf_data_cpu(const struct perf_data *p);  // what the machine calls its processor; ""

#endif
