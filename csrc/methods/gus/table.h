// The resources of a core, and which of them each kind of instruction uses: build/CONFIG/gen/gus.tsv, or one like it.
#ifndef TIPOFF_METHODS_GUS_TABLE_H
#define TIPOFF_METHODS_GUS_TABLE_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gus_type {
    GUS_RATE,  // N uses a cycle; in a table `every`, too: one in N cycles
    GUS_UNIT,  // N at a time, each for as long as its instruction takes
    GUS_SLOTS, // entries, from dispatch until the instruction leaves, in order
    GUS_QUEUE, // entries, from dispatch until it starts, in any order, by whole cycles
    GUS_POOL,  // entries that the rules of memory take, in any order
    GUS_DELAY, // cycles
    GUS_TYPES
};
#define GUS_TYPE_NAMES "rate", "unit", "slots", "queue", "pool", "delay"
enum { GUS_RESOURCES = 64, GUS_KINDS = 160, GUS_SIZES = 64, GUS_USES = 6, GUS_NAME = 24, GUS_LIST = 80 };
#define GUS_NONE UINT8_MAX

struct gus_resource {
    char name[GUS_NAME];
    enum gus_type type;
    uint32_t count;  // uses a cycle, entries, or cycles
    uint32_t cycles; // of a rate: in which `count` uses fit
    uint8_t with;    // the resource that it becomes faster with; GUS_NONE: by itself
};
struct gus_kind {
    char name[GUS_NAME]; // an instruction, or a class of them
    uint32_t latency;    // cycles from its start to that of what uses its result
    uint32_t done;       // cycles from its start until it may leave; 0: latency, and the delay `leave`
    uint8_t uses[GUS_USES], use_count;
};
struct gus_size { // what is no resource: geometry
    char name[GUS_NAME];
    uint32_t value;
    bool option; // a refinement of the paper's model: 0 leaves it out, and the resources that it brings
    char uses[GUS_LIST];
};
struct gus_table {
    struct gus_resource resources[GUS_RESOURCES];
    struct gus_kind kinds[GUS_KINDS];
    struct gus_size sizes[GUS_SIZES];
    unsigned resource_count, kind_count, size_count;
};

// False with err: the file, the line, the fault, the remedy. Besides the file's rows there is a resource `latency`,
// last of all: the latencies of all kinds.
bool gus_table_read(struct gus_table *t, const char *path, struct error *err);
// One row, its columns apart. False with err, without the file's name.
bool gus_table_add(struct gus_table *t, const char *type, const char *name, const char *value, const char *uses,
                   struct error *err);
bool gus_table_finish(struct gus_table *t, struct error *err); // after the last row

// Leaves out what a row of type option names, of a finished table; "all": each of them. False with err, which lists
// them.
bool gus_table_without(struct gus_table *t, const char *option, struct error *err);

uint8_t gus_table_resource(const struct gus_table *t, const char *name); // GUS_NONE: there is none
int gus_table_kind(const struct gus_table *t, const char *name);         // -1
uint32_t gus_table_size(const struct gus_table *t, const char *name, uint32_t otherwise);

#endif
