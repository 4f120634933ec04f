// Binary traces: a container of kind "trace" (base/container.h) whose header names the commit width and the program,
// {"width":N,"program":TEXT}, with blocks of records.
//
// Record: cycle u64, count u64 (equal cycles from there on), flags u8 (rob_empty, exception, interrupt, replay,
// redirect, fetch_valid: bits 0..5), oldest u8, cause u8, masks u8 each (valid, commit, mispredict, flush, first,
// dispatch_valid), exception_pc u64, exception_psv u16, fetch_pc u64, dispatch_rob u16; then for each lane of the
// configuration pc u64, insn u32, psv u16, dispatch_pc u64.
#ifndef TIPOFF_TRACE_TRACE_FILE_H
#define TIPOFF_TRACE_TRACE_FILE_H

#include "base/error.h"
#include "records.h"

enum { TRACE_VERSION = 1, TRACE_BLOCK_CYCLES = 16, TRACE_RECORD_FIXED = 45, TRACE_RECORD_LANE = 22 };
#define TRACE_KIND "trace"

// Writes the record of `count` equal cycles to p, which is large enough; returns its end.
uint8_t *trace_record_put(uint8_t *p, uint64_t cycle, uint64_t count, const struct commit_bundle *b, unsigned width);

// ---- reading ----
struct trace_file;
struct trace_record {
    uint64_t cycle, count; // `count` equal cycles from `cycle` on
    struct commit_bundle bundle;
};
struct trace_file *trace_file_open(const char *path, struct error *err); // NULL with err
void trace_file_destroy(struct trace_file *t);                           // NULL is fine
unsigned trace_file_width(const struct trace_file *t);                   // lanes of its bundles, 1..MAX_LANES
const char *trace_file_program(const struct trace_file *t);              // its path; "": the trace does not say
// 1: *record is the next one; 0: the trace ends cleanly; -EBADMSG with err: it is damaged from here on, or cut off.
int trace_file_next(struct trace_file *t, struct trace_record *record, struct error *err);

#endif
