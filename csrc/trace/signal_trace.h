// Traces of groups of signals (tables/signals.tsv): which columns a group has, and writing and reading their values.
//
// CSV: a header line with `cycle` and the columns, then a line a cycle; wide signals in hex with 0x, the rest decimal.
// Binary: a container of kind "signals" (base/container.h) whose header names group and columns,
// {"group":TEXT,"columns":[TEXT,...],"hex":[0 or 1,...]}, with blocks of records: cycle u64, count u64 (equal cycles
// from there on), then a u64 a column.
#ifndef TIPOFF_TRACE_SIGNAL_TRACE_H
#define TIPOFF_TRACE_SIGNAL_TRACE_H

#include "base/error.h"
#include "signals.h"
#include <stdbool.h>
#include <stdint.h>

enum { SIGNALS_VERSION = 1, SIGNALS_BLOCK_CYCLES = 16, SIGNALS_NAME = 32 };
#define SIGNALS_KIND "signals"

struct signal_columns {
    char group[SIGNALS_NAME];
    unsigned count;
    struct signal_column {
        char name[SIGNALS_NAME];
        bool hex;
        unsigned slot; // among the values of all signals; of a file that is read: unused
    } list[SIGNAL_SLOTS];
};

// Those of a group, for a core of `width` lanes; its bit among the groups. False: there is no such group.
bool signal_columns_choose(struct signal_columns *columns, const char *group, unsigned width, unsigned *bit);

// ---- writing ----
struct signal_writer;
struct signal_format {
    const char *name;
    struct signal_writer *(*create)(const char *path, const struct signal_columns *columns, struct error *err);
    // `count` equal cycles from `cycle` on; a value for each column. 0 or a negative errno with err.
    int (*add)(struct signal_writer *w, uint64_t cycle, uint64_t count, const uint64_t *values, struct error *err);
    int (*close)(struct signal_writer *w, struct error *err); // frees it
};
extern const struct signal_format signal_csv, signal_bin;

// ---- reading ----
struct signal_file;
struct signal_file *signal_file_open(const char *path, struct error *err); // NULL with err
bool signal_file_is(const char *path);                                     // whether it is such a file
void signal_file_destroy(struct signal_file *f);                           // NULL is fine
const struct signal_columns *signal_file_columns(const struct signal_file *f);
// 1: the next record, its values are valid until the next call; 0: the end; -EBADMSG with err: damaged or cut off.
int signal_file_next(struct signal_file *f, uint64_t *cycle, uint64_t *count, const uint64_t **values,
                     struct error *err);

#endif
