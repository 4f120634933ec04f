// A perf.data file (perf record of Linux) as a sample file: a profile for each event, by what the machine sampled.
//
// Addresses are those of the files, moved into one address space: the processes of a program are one. Addresses
// of no known file belong to one image, "[unknown]"; the kernel's is "[kernel]".
#ifndef TIPOFF_IMPORT_PERF_IMPORT_H
#define TIPOFF_IMPORT_PERF_IMPORT_H

#include "import/imported.h"
#include "import/perf_data.h"

struct perf_summary {
    uint64_t samples;
    unsigned event_count; // profiles: the events of our own export are one
    struct {
        char name[PERF_EVENT_NAME];
        uint64_t weight; // in the event's unit
    } events[PERF_EVENTS];
};

bool perf_import_is(const char *file); // it begins as such a file
// Of the options: file, samples, program, command, notices. 0, or a negative errno with err: -EIO of the output. A file
// that is damaged, or ends in the midst, is read up to there, with a notice.
int perf_import(const struct import_options *options, struct perf_summary *summary, struct error *err);

#endif
