// What the worker data-addresses has for samples: the address of the data that each of them waited for.
#ifndef TIPOFF_WORKERS_DATA_ADDRESSES_H
#define TIPOFF_WORKERS_DATA_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

// Of a cycle in which a trigger began a sample. Addresses are physical; 0: none.
struct sample_data {
    uint64_t cycle;
    uint64_t own;   // of the access of the instruction that left next, ...
    uint64_t drain; // ... and of the store that was next to leave the store queue then
    uint8_t waits;  // the instruction that left next waits until the store queue has no committed store
};

// The worker's, in the order of their cycles: those whose instruction has left, then those that wait for it.
struct worker_data {
    struct sample_data *samples;
    size_t sample_count, waiting;
};
void worker_data_taken(struct worker_data *data); // all whose instruction has left

#endif
