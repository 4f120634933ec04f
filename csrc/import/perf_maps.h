// Which file an address of a process belonged to at a time, from the maps and tasks of a perf.data file.
#ifndef TIPOFF_IMPORT_PERF_MAPS_H
#define TIPOFF_IMPORT_PERF_MAPS_H

#include "import/perf_data.h"

struct perf_object { // a file that was mapped, or what stands for one
    char *path;
    char build_id[2 * PERF_BUILD_ID + 1]; // in hex, or ""
    bool executed;                        // a process has its name: a program, no library
};
struct perf_place {
    size_t object;          // number
    uint64_t offset;        // in the file
    uint64_t start, length; // of its map, as offsets
    uint64_t address;       // offset 0 at run time
};

struct perf_maps;
struct perf_maps *perf_maps_create(void); // NULL: no memory
void perf_maps_destroy(struct perf_maps *m);
// False: no memory. In any order.
bool perf_maps_add(struct perf_maps *m, const struct perf_map *map);
bool perf_maps_add_task(struct perf_maps *m, const struct perf_task *task);
bool perf_maps_build_id(struct perf_maps *m, const char *path, const uint8_t *id, unsigned bytes);
void perf_maps_sort(struct perf_maps *m); // after the last of them
// Where a user's address of process `pid` lay. False: in nothing that is known.
bool perf_maps_find(struct perf_maps *m, uint32_t pid, uint64_t when, uint64_t address, struct perf_place *place);
const struct perf_object *perf_maps_object(const struct perf_maps *m, size_t i);
size_t perf_maps_objects(const struct perf_maps *m);

#endif
