// Sampling by software: what the handler stores, and what it gets. Both are read and written from outside by symbol.
#ifndef WORKLOAD_SAMPLING_H
#define WORKLOAD_SAMPLING_H

#include <stdint.h>

// Written into a copy of the program before it runs (tests/profile/software_samples.py): it fits every core then.
struct sampling_settings {
    uint64_t period;    // mean cycles between triggers
    uint64_t jitter;    // as tipoff_jitter: 53:48 width in bits, 31:0 seed
    uint64_t counter;   // mhpmcounter whose overflow triggers a sample
    uint64_t lanes;     // commit width: that many tipoff_addr registers
    uint64_t psv_words; // tipoff_psv registers to store: 0 where all vectors fit into shpmsdata
    uint64_t timer;     // ticks of mtime between timer interrupts; 0: none
};
extern struct sampling_settings sampling_settings;

// 40 bytes in the manner of a record of perf (PERF_RECORD_SAMPLE with address space, time, cpu and period), then CSRs.
struct sampling_record {
    uint32_t type; // SAMPLING_RECORD
    uint16_t misc; // mode of the instructions
    uint16_t bytes;
    uint64_t space;           // tipoff_space
    uint64_t time;            // tipoff_cycle
    uint32_t cpu;             // mhartid
    uint32_t stalled;         // tipoff_repeat 63:32
    uint64_t period;          // triggers that the sample stands for: 1 + both halves of tipoff_repeat
    uint64_t data, pc;        // shpmsdata, shpmspc
    uint64_t lane_and_psv[8]; // tipoff_addr0.., then tipoff_psv0..
};
enum { SAMPLING_RECORD = 9, SAMPLING_BUFFER_BYTES = 2 << 20 };

struct sampling_buffer {
    uint64_t count;    // records
    uint64_t used;     // bytes of them
    uint64_t overflow; // samples that found no room
    uint64_t lost;     // tipoff_collisions at the end
    uint64_t calls;    // of the handler
    uint64_t ticks;    // timer interrupts
    uint8_t data[SAMPLING_BUFFER_BYTES];
};
extern struct sampling_buffer sampling_buffer;

void sampling_start(void);                       // from here on the program is sampled
void sampling_stop(void);                        // no more samples; those that are left are stored
void sampling_program(uint64_t inhibited_modes); // M-mode: sets the counter off; bits as in mhpmevent
void sampling_take(void);                        // stores all samples that are ready
void sampling_finish(uint64_t lost);             // after the last trigger: stores the rest, writes the data cache back

#endif
