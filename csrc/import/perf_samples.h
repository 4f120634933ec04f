// Samples of a perf.data file as profiles, one an event: time by file and address, and what it was called from.
#ifndef TIPOFF_IMPORT_PERF_SAMPLES_H
#define TIPOFF_IMPORT_PERF_SAMPLES_H

#include "import/perf_elf.h"
#include "profile/profile_table.h"
#include "profile/stack_table.h"

// Modes of the places, whose space is the number of the file: those of place.h, and one for addresses of no file.
enum { PERF_MODE_UNKNOWN = 2 };
struct perf_profile {
    char name[PERF_EVENT_NAME];
    struct profile_table *table;
    uint64_t samples;
};

struct perf_samples {
    struct perf_maps *maps;
    struct perf_elf *files; // of each of the maps' objects
    struct stack_table *stacks;
    struct perf_profile profiles[PERF_EVENTS];
    unsigned profile_count;
    struct perf_source {
        bool met;
        unsigned profile; // number
        uint8_t state;
    } sources[PERF_EVENTS]; // of each event
    const struct perf_event_kind *events;
    uint64_t count;     // samples
    uint64_t unwritten; // ... whose periods are too long to be added up
    void *frames;       // of a sample
};

// Takes the maps over. program: an ELF file that is read for the object of that number; SIZE_MAX: none. NULL with err.
struct perf_samples *perf_samples_create(const char *path, struct perf_maps *maps, size_t object, const char *program,
                                         const struct perf_event_kind *events, struct error *err);
void perf_samples_destroy(struct perf_samples *s);                               // NULL is fine
bool perf_samples_add(struct perf_samples *s, const struct perf_sample *sample); // false: no memory

#endif
