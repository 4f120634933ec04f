// Regions that a program measures in itself: tipoff_roi.h. Beside the calls there, what needs none: a program that is
// linked with this file and finds a table of regions (roi.table in the host's folder, as `tipoff regions table` writes
// it) measures them and prints what it has found when it ends.
#include "tipoff_roi.h"
#include <stdio.h>
#include <stdlib.h>

enum { LCOFI = 13, TRIGGER_0 = 48, INSTRUCTIONS = 2, MIE = 1 << 3 };
enum { EXECUTE_IN_M = 1 << 6 | 1 << 2, MOST_REGIONS = 1000 };

#define read_csr(name)                                                                                                 \
    ({                                                                                                                 \
        uint64_t value_;                                                                                               \
        __asm__ volatile("csrr %0, " name : "=r"(value_)::"memory");                                                   \
        value_;                                                                                                        \
    })
#define write_csr(name, value) __asm__ volatile("csrw " name ", %0" ::"rK"((uint64_t)(value)) : "memory")

static struct {
    const struct roi_region *regions;
    struct roi_values *values;
    size_t count, done;
    int within;    // the region has begun
    uintptr_t now; // what trigger 0 counts; 0: instructions are counted, or nothing
    uint64_t chained;
} roi;

// Traps that are none of ours go on to the handler before.
void roi_overflow(void);
__asm__("    .section .text\n"
        "    .balign 4\n"
        "roi_trap:\n"
        "    csrw mscratch, t0\n"
        "    csrr t0, mcause\n"
        "    bgez t0, 1f\n"
        "    csrr t0, mscratch\n"
        "    j roi_overflow\n"
        "1:  la t0, roi_chained\n"
        "    ld t0, 0(t0)\n"
        "    jr t0\n"
        "    .section .sbss, \"aw\", @nobits\n"
        "    .balign 8\n"
        "roi_chained: .zero 8\n"
        "    .text\n");
extern uint64_t roi_chained;
extern char roi_trap[];

// Interrupts at the count-th execution of pc from the last interrupt on; of the same address those count that have come
// since its counter overflowed. pc 0: after that many instructions.
static inline __attribute__((always_inline)) void arm(uintptr_t pc, uint64_t count) {
    const uint64_t since = pc && pc == roi.now ? read_csr("mhpmcounter4") : 0;
    if (pc && pc != roi.now) write_csr("0x7a2", pc);
    roi.now = pc;
    write_csr("mhpmcounter4", since - count);
    write_csr("mhpmevent4", pc ? TRIGGER_0 : INSTRUCTIONS); // OF 0: the overflow interrupts
}

// Events first and cycles last at a start, the other way at an end: what the reads take is in no region's cycles.
static inline __attribute__((always_inline)) void take_start(struct roi_values *v) {
    v->events[0] = -read_csr("mhpmcounter6");
    v->events[1] = -read_csr("mhpmcounter7");
    v->events[2] = -read_csr("mhpmcounter8");
    v->events[3] = -read_csr("mhpmcounter9");
    v->instructions = -read_csr("minstret");
    v->cycles = -read_csr("mcycle");
}

static inline __attribute__((always_inline)) void take_end(struct roi_values *v) {
    v->cycles += read_csr("mcycle");
    v->instructions += read_csr("minstret");
    v->events[0] += read_csr("mhpmcounter6");
    v->events[1] += read_csr("mhpmcounter7");
    v->events[2] += read_csr("mhpmcounter8");
    v->events[3] += read_csr("mhpmcounter9");
}

// A region's values begin as minus what the counters have at its start, and end with what they have at its end added.
static inline __attribute__((always_inline)) void begin_region(void) {
    roi.within = 1;
    arm(roi.regions[roi.done].end, roi.regions[roi.done].end_count);
    take_start(&roi.values[roi.done]);
}

static inline __attribute__((always_inline)) void end_region(void) {
    take_end(&roi.values[roi.done]);
    roi.within = 0;
    roi.done++;
    if (roi.done == roi.count) {
        write_csr("mhpmevent4", 0);
        write_csr("mie", 0);
    } else if (roi.regions[roi.done].start_count == 0) {
        begin_region();
    } else {
        arm(roi.regions[roi.done].start, roi.regions[roi.done].start_count);
    }
}

// All of it inline: so nothing but what it uses is saved.
__attribute__((interrupt("machine"))) void roi_overflow(void) {
    write_csr("mip", 0);
    if (roi.within)
        end_region();
    else
        begin_region();
}

void roi_start(const struct roi_region *regions, struct roi_values *values, size_t count, const unsigned *events,
               unsigned event_count) {
    if (count == 0) return;
    roi.regions = regions;
    roi.values = values;
    roi.count = count;
    roi.done = 0;
    roi.within = 0;
    roi.now = 0;
    roi_chained = read_csr("mtvec");
    write_csr("mhpmevent6", event_count > 0 ? events[0] : 0);
    write_csr("mhpmevent7", event_count > 1 ? events[1] : 0);
    write_csr("mhpmevent8", event_count > 2 ? events[2] : 0);
    write_csr("mhpmevent9", event_count > 3 ? events[3] : 0);
    write_csr("mcountinhibit", 0);
    write_csr("0x7a0", 0);
    write_csr("0x7a1", EXECUTE_IN_M); // output 0
    write_csr("mtvec", (uintptr_t)roi_trap);
    write_csr("mip", 0);
    write_csr("mie", 1 << LCOFI);
    if (regions[0].start_count == 0)
        begin_region();
    else
        arm(regions[0].start, regions[0].start_count);
    __asm__ volatile("csrsi mstatus, %0" ::"i"(MIE) : "memory");
}

size_t roi_stop(void) {
    __asm__ volatile("csrci mstatus, %0" ::"i"(MIE) : "memory");
    if (!roi.regions) return 0;
    if (roi.within && roi.done + 1 == roi.count && !roi.now) end_region(); // it ends with the program
    write_csr("mie", 0);
    write_csr("mhpmevent4", 0);
    write_csr("0x7a1", 0);
    write_csr("mtvec", roi_chained);
    roi.regions = NULL;
    return roi.done;
}

// ---- a table of the host ----
static struct roi_region table[MOST_REGIONS];
static struct roi_values measured[MOST_REGIONS];
static size_t rows;

static void print_all(void) {
    const size_t done = roi_stop();
    double cycles = 0, instructions = 0;
    for (size_t i = 0; i < done; i++) {
        const struct roi_values *v = &measured[i];
        fprintf(stderr, "roi,%u,%llu,%llu,%llu,%llu,%llu,%llu\n", (unsigned)i, (unsigned long long)v->cycles,
                (unsigned long long)v->instructions, (unsigned long long)v->events[0], (unsigned long long)v->events[1],
                (unsigned long long)v->events[2], (unsigned long long)v->events[3]);
        cycles += table[i].multiplier * (double)v->cycles;
        instructions += table[i].multiplier * (double)v->instructions;
    }
    fprintf(stderr, "roi,all,%.0f,%.0f,%u of %u\n", cycles, instructions, (unsigned)done, (unsigned)rows);
}

__attribute__((constructor)) static void read_table(void) {
    FILE *file = fopen("roi.table", "r");
    unsigned events[ROI_EVENTS] = {0};
    char line[200];
    if (!file) return;
    while (rows < MOST_REGIONS && fgets(line, sizeof line, file)) {
        char *at = line;
        struct roi_region *r = &table[rows];
        if (line[0] == '#') continue;
        if (line[0] == 'e') { // events N N N N
            for (at = line + 6, rows = 0; rows < ROI_EVENTS; rows++)
                events[rows] = (unsigned)strtoul(at, &at, 0);
            rows = 0;
            continue;
        }
        r->start = strtoul(at, &at, 0);
        r->start_count = strtoul(at, &at, 0);
        r->end = strtoul(at, &at, 0);
        r->end_count = strtoul(at, &at, 0);
        r->multiplier = strtod(at, &at);
        if (r->end_count) rows++;
    }
    fclose(file);
    atexit(print_all);
    roi_start(table, measured, rows, events, ROI_EVENTS);
}
