// Records of a perf.data file, one put together at a time. Not for other libraries.
#ifndef TIPOFF_REPORT_PERF_FILE_H
#define TIPOFF_REPORT_PERF_FILE_H

#include <stdint.h>
#include <stdio.h>

enum { PERF_RECORD_MOST = 8192 };
struct perf_file {
    FILE *out;   // NULL: lengths alone are counted
    uint64_t at; // bytes so far
    size_t used;
    char record[PERF_RECORD_MOST];
};

void perf_put(struct perf_file *f, const void *bytes, size_t size); // at once, as part of no record
// A record: its begin, its fields, and its end, which writes it. type: enum perf_event_type, misc: PERF_RECORD_MISC_*.
void perf_begin(struct perf_file *f);
void perf_add(struct perf_file *f, const void *bytes, size_t size);
void perf_64(struct perf_file *f, uint64_t value);
void perf_32(struct perf_file *f, uint32_t value);
void perf_text(struct perf_file *f, const char *text, size_t most); // ended by a zero at least, up to whole words
void perf_end(struct perf_file *f, uint32_t type, uint16_t misc);

#endif
