// What a report is made of. Not for other libraries.
#ifndef TIPOFF_REPORT_REPORT_DATA_H
#define TIPOFF_REPORT_REPORT_DATA_H

#include "analysis/chance.h"
#include "analysis/pool.h"
#include "isa/disasm.h"
#include "report/report.h"

struct facts;

struct report_data {
    const char *path;
    struct samples *samples;
    const struct samples_header *header;
    struct images *images;        // of which some, or all, cannot be read
    bool readable;                // one at least can; else addresses only
    struct disasm *disasm;        // NULL without one
    size_t contexts, spaces;      // different ones in the rows; 64 stands for that many or more
    const char *profiler;         // whose profile is reported
    size_t sample_count;          // in the file
    size_t partial;               // of those, whose vectors may lack events
    struct profile_table *booked; // what the samples say, and its rows
    const struct profile_row *sampled;
    size_t sampled_count;
    struct profile_table *pooled;   // report_use_pool: what is reported; else NULL
    bool by_samples;                // that is what is reported
    const struct profile_row *rows; // of that profiler, by address
    size_t row_count;
    uint64_t total; // of the rows, in 1/U cycle
    uint64_t cycles;
    uint64_t instructions; // 0: not known (the run did not end)
    struct facts *facts;   // what its statistics say of single instructions (facts.h)
};

// False with err. Warnings (truncated file, no program) go to stderr. Always to be closed.
bool report_open(struct report_data *d, const char *path, const struct report_options *options, struct error *err);
void report_close(struct report_data *d);

// The record as it is booked: a file that does not tell modes and address spaces apart has those of all at 0.
struct sample_record report_booked(const struct samples_header *header, const struct sample_record *record);
// The rows of the samples, pooled. NULL with err: the file does not have what that needs, or no memory.
struct profile_table *report_pool(const struct report_data *d, enum pool_kind kind, struct error *err);
// ... as the profile that is reported: one that is not sampled, as no deviations are known of it. False with err.
bool report_use_pool(struct report_data *d, enum pool_kind kind, struct error *err);
// What a profile of the file is called, beside the samples.
const char *report_profile_label(const struct report_data *d, const struct samples_profile *profile);

// The time of one unit (analysis.h), and what it was.
struct unit_time {
    struct place place; // unit_of
    uint64_t weight;    // in 1/U cycle
    uint64_t states[STATE_COUNT + 1];
    uint64_t events[16]; // of it, under vectors that have the event
};
// By weight, greatest first. free() it. NULL: no memory, or there is no time at all (*count 0).
struct unit_time *report_units(const struct report_data *d, enum granularity g, size_t *count);
void unit_add(struct unit_time *unit, const struct profile_row *row);
struct unit_time report_all(const struct report_data *d); // of the whole profile

// Where frames of a call stack are left out (call_tree.h). No row of a file is there: an end of the run has no space.
#define REPORT_LEFT_OUT ((struct place){PROFILE_PC_END, UINT64_MAX})

// ---- words ----
// Bytes that files give a unit's name, with its image; tables for people REPORT_SHOWN. A longer one is cut in its
// middle so that it stays another one than all others (plain_fit).
enum { REPORT_WHOLE = 16384, REPORT_SHOWN = 512 };
// "eval+0x1c", "eval", "end of run"; the bare address where there is no symbol.
void report_name(const struct report_data *d, enum granularity g, struct place place, char *text, size_t size);
// As in files: an address "0x80000000" for an instruction or a block, a symbol for a function.
void report_unit(const struct report_data *d, enum granularity g, struct place place, char *text, size_t size);
void report_instruction(const struct report_data *d, struct place place, char *text, size_t size); // disassembly, or ""
const char *report_source(const struct report_data *d, struct place place, unsigned *line);        // NULL: not known
void report_why(const struct report_data *d, const struct unit_time *unit, char *text, size_t size);
// ... and true where an event explains it: its number to *event.
bool report_why_event(const struct report_data *d, const struct unit_time *unit, char *text, size_t size,
                      unsigned *event);
// What report_why is made of: for i = 0 what it says of time in the state, for those that follow what an event adds to
// that, in the order in which it looks for them. NULL: there are no more.
const char *report_explanation(unsigned state, size_t i, const char **event);
const char *report_state_name(unsigned state);
const char *report_state_words(unsigned state);

// ---- modes and processes (report_contexts.c) ----
void report_count_contexts(struct report_data *d);  // of its rows
bool report_has_modes(const struct report_data *d); // there are images by mode: an operating system
const char *report_mode_name(const struct report_data *d, uint64_t context); // "user"; "" in files that do not tell
const char *report_image(const struct report_data *d, struct place place);   // "kernel", or ""
void report_process(const struct report_data *d, uint64_t context, char *text, size_t size); // of its address space
// report_name, with image and process where there are several: "schedule [kernel]", "work {space 0x80123}".
void report_label(const struct report_data *d, enum granularity g, struct place place, char *text, size_t size);
void report_context_words(const struct report_data *d, struct place place, char *text, size_t size);
// Time by mode and address space, as report_units: addresses are 0.
struct unit_time *report_contexts(const struct report_data *d, size_t *count);

// ---- errors: of the samples ("TIP") and of each profile in the file but the Oracle's ----
struct report_error {
    const char *profiler;
    bool hidden; // none of its samples found an instruction: the core's bundle does not show what it samples. The
                 // errors below say nothing then
    struct profile_error by[GRANULARITY_COUNT];
    bool has_stacks; // it has events: `stacks` compares vectors as well, the Oracle's cut to the profiler's events
    uint16_t events; // that it tells apart
    struct profile_error stacks[GRANULARITY_COUNT];
    struct chance_estimate chance[GRANULARITY_COUNT], chance_of_stacks[GRANULARITY_COUNT]; // report_add_chance
};
// Blocks and functions need the program: without it they are not reported.
bool report_error_known(const struct report_data *d, enum granularity g);
// free() it. NULL with *count 0: nothing to compare with (no Oracle in the file), or nothing to compare.
// NULL with *count 1: no memory.
struct report_error *report_errors(const struct report_data *d, size_t *count);
extern const char *const report_pool_names[POOL_KINDS];
// ... of the samples, pooled. False with err.
bool report_pool_error(const struct report_data *d, enum pool_kind kind, struct report_error *e, struct error *err);
// Adds what an unbiased profiler would have with these samples, on each one's events; reads the file again. 0, or a
// negative errno with err.
int report_add_chance(const struct report_data *d, struct report_error *errors, size_t count, struct error *err);

// ---- the formats ----
struct report_format_row {
    const char *name;
    bool runs; // of `tipoff compare` and `tipoff diff`, too
    int (*write[REPORT_VIEWS])(const struct report_data *d, const struct report_options *options, FILE *out,
                               struct error *err); // NULL: not of that view
};
const struct report_format_row *report_format_row(enum report_format format);
bool report_format_of_runs(enum report_format format, struct error *err); // false with err: not of several files
int report_text(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_csv(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_json(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_html(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_stacks_text(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_stacks_csv(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_stacks_json(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_calls(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_folded(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_flamegraph(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_callgrind(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_gecko(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_perf_script(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_pprof(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_speedscope(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_vcd(const struct report_data *d, const struct report_options *options, FILE *out, struct error *err);
int report_out_of_memory(const char *path, struct error *err); // -ENOMEM

#endif
