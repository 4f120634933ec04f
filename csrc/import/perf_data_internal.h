// A perf.data file while it is read. Not for other files than perf_data*.c.
#ifndef TIPOFF_IMPORT_PERF_DATA_INTERNAL_H
#define TIPOFF_IMPORT_PERF_DATA_INTERNAL_H

#include "import/perf_data.h"
#include <linux/perf_event.h>
#include <stdio.h>
#include <zstd.h>

enum { PERF_RECORD_BYTES = 1 << 16, PERF_ATTR_OLDEST = 64 };

// Bytes of a record that are still to be read. Beyond the end all is 0, and `bad`.
struct perf_bytes {
    const uint8_t *at, *end;
    bool bad;
};
uint64_t perf_get(struct perf_bytes *b, size_t bytes); // 1 to 8
const char *perf_get_text(struct perf_bytes *b);       // with a zero inside, else "" and bad
void perf_pass(struct perf_bytes *b, uint64_t bytes);

struct perf_id {
    uint64_t id;
    unsigned event;
};
struct perf_data {
    const char *path;
    FILE *file;
    uint64_t file_bytes;
    bool pipe;
    uint64_t data_at, data_bytes; // of the file form
    uint64_t number;              // of records so far: the time of those that have none
    struct perf_event_kind events[PERF_EVENTS];
    unsigned event_count;
    struct perf_id *ids;
    size_t id_count, id_capacity;
    bool ids_sorted;
    char arch[64], cpu[128], fault[128];
    uint64_t lost;
    ZSTD_DStream *zstd;
    uint8_t *unpacked; // of compressed records, and how much of it
    size_t unpacked_count;
    uint64_t *chain; // of the sample
    uint8_t record[PERF_RECORD_BYTES];
};

// ---- what stands before the records (perf_data_head.c) ----
// The rest of an attribute of `bytes` bytes, and its ids.
bool perf_add_event(struct perf_data *p, struct perf_bytes *attr, const uint8_t *ids, size_t id_count);
bool perf_read_head(struct perf_data *p, struct error *err);
bool perf_read_features(struct perf_data *p, const struct perf_takes *t, struct error *err);
void perf_feature(struct perf_data *p, unsigned feature, struct perf_bytes *b); // of the pipe form, or a section
bool perf_build_ids(struct perf_bytes *b, const struct perf_takes *t, struct error *err);

// Whose id that is; event_count: nobody's.
unsigned perf_event_of(struct perf_data *p, uint64_t id);

// ---- a record (perf_data_record.c) ----
// False with err: the taker does not go on.
bool perf_take_record(struct perf_data *p, const struct perf_event_header *h, struct perf_bytes *b,
                      const struct perf_takes *t, struct error *err);

#endif
