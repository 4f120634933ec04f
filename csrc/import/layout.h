// Where a binary record of fixed size has what a core shows in one cycle: read from a TOML file (docs/guide/import.md).
//
// [record] endian ("little", "big"), bytes, lane_bytes (more for each lane), lanes, rob (entries), container (a file of
// blocks, base/container.h: its kind); [fields] of each meaning offset and width in bits, stride (from lane to lane).
// Of little-endian records bit 0 is the first byte's lowest, of big-endian ones the first byte's highest.
#ifndef TIPOFF_IMPORT_LAYOUT_H
#define TIPOFF_IMPORT_LAYOUT_H

#include "base/error.h"
#include "trace/trace_file.h"
#include <stdbool.h>
#include <stddef.h>

struct layout;
// lanes: 0: as many as the file says. NULL with err: "PATH: ...".
struct layout *layout_open(const char *path, unsigned lanes, struct error *err);
void layout_close(struct layout *l);                  // NULL is fine
unsigned layout_lanes(const struct layout *l);        // 1..MAX_LANES
unsigned layout_rob(const struct layout *l);          // entries of the ROB, 1 at least
unsigned layout_shows(const struct layout *l);        // enum import_shows
size_t layout_bytes(const struct layout *l);          // of a record
const char *layout_container(const struct layout *l); // "": records alone
bool layout_has_cycle(const struct layout *l);        // its number; else a record is the cycle after the one before
// What a record says; count is 1 where it does not. False with err: that cannot be.
bool layout_get(const struct layout *l, const uint8_t *record, struct trace_record *got, struct error *err);

#endif
