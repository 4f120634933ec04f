// From samples to answers: the program's structure, time booked to it, and a profile's error.
#ifndef TIPOFF_ANALYSIS_ANALYSIS_H
#define TIPOFF_ANALYSIS_ANALYSIS_H

#include "analysis/images.h"
#include "base/error.h"
#include "profile/profile_table.h"
#include "samples/samples.h"

// ---- the program: instructions, basic blocks and functions of its executable sections and of the boot ROM ----
// A basic block starts at a function, at the target of a direct branch or jump, and behind any instruction that can
// transfer control (calls, returns, ecall and mret, too). Targets of indirect jumps are not known: a block that only
// they enter in its middle stays whole. Bytes that no symbol covers make functions of their own, "[.text+0x10]".
// Data amid code (mapping symbol $d) is blocks of its own, cut into pieces as long as instructions of those bits would
// be: some of it is executed, where a programmer wrote instructions as numbers.
struct program;
struct program_instruction {
    uint64_t pc;
    uint32_t insn;            // 16-bit forms zero-extended
    uint32_t block, function; // first instruction of the block (index), index of the function
    uint8_t bytes;            // 2 or 4
    bool data;
};
// A function with others inside it is several of these, of one entry and name, in the order of their addresses.
struct program_function {
    const char *name;   // demangled
    const char *symbol; // as the symbol table has it
    const char *file;   // of a file's own function, as the symbol table has it, or NULL; the program's
    uint64_t entry;     // where the function begins
    uint64_t start, end;
    size_t first, count; // its instructions
};
#define PROGRAM_NONE SIZE_MAX

// Symbols and debug information may be in a separate file (build id, .gnu_debuglink) in the program's folder, in .debug
// there, or in /usr/lib/debug.
struct program *program_load(const char *path, struct error *err); // NULL with err
// Of an operating system: firmware, a kernel, or a program under it, which lie where they like and have no boot ROM.
struct program *program_load_guest(const char *path, struct error *err);
struct program_listed {
    uint64_t pc;
    bool begins; // a block
};
struct program_kind {
    bool guest;            // program_load_guest
    const char *debug_dir; // separate debug files are looked for here, too; NULL: nowhere else
    // Of a run on another core, NULL of others: the program may be of x86-64 or Arm64, whose instructions are not
    // decoded: they are these, by address, and each is `data`.
    const struct program_listed *listed;
    size_t listed_count;
};
struct program *program_load_as(const char *path, const struct program_kind *kind, struct error *err);
void program_destroy(struct program *p); // NULL is fine
// Debug information that exists, but cannot be read: one line (fault, remedy), or NULL. The program's.
const char *program_lack(const struct program *p);
const char *program_build_id(const struct program *p);
const char *program_digest(const struct program *p);                                            // image_digest
const struct program_instruction *program_instructions(const struct program *p, size_t *count); // by pc
const struct program_function *program_functions(const struct program *p, size_t *count);       // by start
size_t program_find(const struct program *p, uint64_t pc); // instruction at pc, or PROGRAM_NONE
const struct program_function *program_function_at(const struct program *p, uint64_t pc); // of that one, or NULL
// The first that is called so, or PROGRAM_NONE.
size_t program_find_function(const struct program *p, const char *name);
// Whether the function is called so: demangled, with or without its parameters and its result, or as its symbol; each
// with or without "FILE:" in front, its file (without its folders).
bool program_function_is(const struct program *p, const struct program_function *f, const char *name);
// Where the compiler says pc comes from: the file, and its line in *line; NULL if it does not say.
const char *program_source(const struct program *p, uint64_t pc, unsigned *line);
// The functions that pc was inlined from, innermost first: the function, and where it was called (file NULL: not
// known). The last of them was called by the function of pc. Returns their number; at most `size` are in
// calls.
struct program_inline {
    const char *function; // demangled; the program's
    const char *file;
    unsigned line;
};
size_t program_inlines(const struct program *p, uint64_t pc, struct program_inline *calls, size_t size);
// The data at a physical address, of a program of the bare machine: the symbol, "queue" or "queue+0x8"; "[.data+0x40]"
// where none covers it; "[stack]" in sections that are called so; "[heap]" from __heap_start on;
// "[boot ROM]". False: none of it.
bool program_data(const struct program *p, uint64_t address, char *text, size_t size);

// ---- units: what time is booked to ----
enum granularity { BY_INSTRUCTION, BY_BLOCK, BY_FUNCTION, BY_APPLICATION, GRANULARITY_COUNT };
#define GRANULARITY_NAMES "instruction", "block", "function", "application"
// The place that stands for a place's unit: its own, the first of its block or of its function; of the application the
// address 0 in its address space, whatever the mode. An address outside all images (which may be NULL) is a block and a
// function of its own; PROFILE_PC_END is a unit at every granularity.
struct place unit_of(const struct images *images, enum granularity g, struct place place);

// ---- booking ----
// Adds what the samples say, in 1/units cycle: a sample's cycles go to its lanes in equal parts (Computing) or to its
// one address; those in which the instruction of a Drained sample stalled are Stalled. A Drained sample that no
// instruction completed is time of PROFILE_PC_END. False: no memory, or a sample of more lanes than `units` divides by.
bool booking_add_sample(struct profile_table *t, const struct sample_record *record, uint32_t units);
bool booking_add_samples(struct profile_table *t, const struct sample_record *records, size_t count, uint32_t units);
// The rows again, by unit instead of place, their vectors cut to event_mask. NULL: no memory.
struct profile_table *booking_aggregate(const struct profile_row *rows, size_t count, const struct images *images,
                                        enum granularity g, uint16_t event_mask);
// ... whose states are summed up as well (state STATE_COUNT): what errors are computed of.
struct profile_table *booking_components(const struct profile_row *rows, size_t count, const struct images *images,
                                         enum granularity g, uint16_t event_mask);

// ---- error (docs/guide/profiling.md, "How good is the profile?") ----
struct profile_error {
    uint64_t total;   // T_total: all time of the reference
    uint64_t correct; // T_correct: sum over units and components of the smaller of the two
    uint64_t booked;  // all time of the profile
    double error;     // (total - correct) / total; 0 where total is 0
};
// event_mask 0: one component a unit. Otherwise a component is a vector, cut to those events. T_total stays the whole
// run where the profile has less: the time after the last sample (less than a period) is not booked, and counts as
// error.
bool error_compute(const struct profile_row *profile, size_t profile_count, const struct profile_row *reference,
                   size_t reference_count, const struct images *images, enum granularity g, uint16_t event_mask,
                   struct profile_error *result); // false: no memory

#endif
