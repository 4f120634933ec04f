// Sample files (.tips): what a run leaves for `tipoff report` and `tipoff compare` (docs/guide/profiling.md).
//
// A container (base/container.h) of kind "samples": a header, then blocks of samples while the run goes on, and at a
// clean end the profiles and the results. A run that dies loses at most the samples of the block it was filling.
// Files of former versions are read, too; blocks of types that are not known are passed over, unless they must be
// understood.
#ifndef TIPOFF_SAMPLES_SAMPLES_H
#define TIPOFF_SAMPLES_SAMPLES_H

#include "base/error.h"
#include "base/notices.h"
#include "events.h"
#include "instruction_sample.h"
#include "profile/guest_images.h"
#include "profile/instruction_settings.h"
#include "profile/profile_table.h"
#include "profile/sampling_settings.h"
#include "profile/stack_table.h"
#include "records.h"

struct results;
#define SAMPLES_BLOCK 4096 // samples in a full block
#define SAMPLES_PC_END PROFILE_PC_END
#define SAMPLES_NO_STATE STATE_COUNT // state of a row of a profiler that does not know states

enum samples_vectors {
    SAMPLES_VECTORS_NONE,   // the core has none: every event is absent from samples, profiles and statistics
    SAMPLES_VECTORS_SAMPLE, // samples carry them as they stood when taken (TIP unit)
    SAMPLES_VECTORS_COMMIT, // samples carry them as at commit (TEA unit)
};

struct samples_header {
    char config[64];    // name of the core configuration
    uint32_t clock_mhz; // clock for converting cycles to seconds
    uint32_t width;     // commit width W, 1..MAX_LANES
    uint32_t units;     // U: accounting units in a cycle
    struct sampling_settings sampling;
    enum samples_vectors vectors;
    uint32_t event_count;  // bits of a PSV
    char events[16][16];   // their names, bit 0 first
    char program[1024];    // path of the ELF file, as it was typed
    char real_path[1024];  // the same from the root, links resolved; "" in version 1
    char settings[256];    // keys of the configuration that were set for the run: "llc.latency=40", or ""
    char region[512];      // what of the run was measured, as positions: "from main:2 up to main:4", or ""
    char tables[32];       // digest of the tables that give the numbers their meaning (EVENTS_DIGEST); "" in version 1
    char build_id[64];     // its GNU build id in hex, or ""
    char digest[32];       // of what it loads (base/elf_digest.h); "" where the writer did not know
    char command[2048];    // command line of the run
    bool contexts;         // its profiles distinguish modes and address spaces; earlier writers did not
    bool without_contexts; // to be written: of a core that shows no modes; contexts is false where it is read
    struct guest_images images; // none: the program is all there is
};

// The data that a sample waits for.
enum samples_data {
    SAMPLES_DATA_NONE,   // none, or not known
    SAMPLES_DATA_ACCESS, // of its instruction's access, in Stalled
    SAMPLES_DATA_DRAIN,  // of another instruction's store, which was next to leave the store queue
    SAMPLES_DATA_KINDS
};
enum { SAMPLES_ADDRESS_BITS = 56 }; // of a physical address (privileged manual, Sv39)

// One sample. It stands for `cycles` cycles, and for 1 + repeats + stalled triggers.
struct sample_record {
    uint64_t cycle;          // in which it was taken, counted from reset
    uint64_t cycles;         // from the last trigger of the sample before (or from reset) to its own last one
    uint64_t stalled_cycles; // of them: those of `stalled`
    uint32_t repeats;        // further triggers in its state, while it waited for its instruction
    uint32_t stalled;     // further triggers in Stalled, after the instruction of a Drained sample had entered the ROB
    uint8_t hart;         // mhartid
    uint8_t data_of;      // enum samples_data
    bool partial;         // its vectors may lack events: the core keeps them only shortly before samples
    uint64_t data;        // physical address of the data that it waits for; 0 without
    struct sample sample; // as the hardware unit delivered it: Drained ones with lane 0 filled in, if it completed
    uint32_t stack[MAX_LANES]; // of each valid lane's instruction: what it was called from (profile/stack_table.h)
};
static inline const char *samples_data_name(unsigned data_of) {
    return data_of == SAMPLES_DATA_ACCESS ? "access" : data_of == SAMPLES_DATA_DRAIN ? "drain" : "";
}
// Triggers that it stands for.
static inline uint64_t samples_periods(const struct sample_record *r) {
    return UINT64_C(1) + r->repeats + r->stalled;
}

// ---- writing. All return 0 or a negative errno with err filled in. ----
struct samples_writer;
struct samples_writer *samples_create(const char *path, const struct samples_header *header, struct error *err);
int samples_add(struct samples_writer *w, const struct sample_record *record, struct error *err);
// The stack of the next number, from STACK_LOST + 1 on, before the first record or row that has it.
int samples_add_stack(struct samples_writer *w, const struct stack_node *node, struct error *err);
// Rows of one profiler ("Oracle", "NCI", ...), once each, in any order; they are copied to the file at once. events:
// those that its rows distinguish.
int samples_add_profile(struct samples_writer *w, const char *profiler, uint16_t events, const struct profile_row *rows,
                        size_t count, struct error *err);
// All that the run keeps (results.h), once.
int samples_add_results(struct samples_writer *w, const struct results *results, uint32_t hart, struct error *err);
// A record of ProfileMe, in words as its registers show them; the same settings for all.
int samples_add_instruction(struct samples_writer *w, const struct instruction_settings *settings,
                            const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err);
uint64_t samples_added(const struct samples_writer *w);
int samples_flush(struct samples_writer *w, struct error *err); // writes the open block out
int samples_close(struct samples_writer *w, struct error *err); // marks the file complete; always frees w
void samples_abandon(struct samples_writer *w);                 // closes without the end mark; frees w

// ---- reading. Profiles are held in memory, and records unless a callback takes them; pointers live until
// samples_destroy.
// ----
struct samples;
struct samples_profile {
    const char *profiler;
    uint16_t events; // of version 1: those that its rows show
    const struct profile_row *rows;
    size_t count;
};
enum samples_state {
    SAMPLES_COMPLETE,  // ended cleanly, nothing wrong
    SAMPLES_TRUNCATED, // ends in the middle of a block or without end mark: the run died; what was read is good
    SAMPLES_CORRUPT,   // a block fails its checksum or does not parse; the others are good
};
// NULL if there is no such file, it is no sample file, of another version, its header is damaged, or it has a block
// that must be understood and is not.
struct samples *samples_open(const char *path, struct error *err);
// The same, each record given away instead of kept: memory does not grow with their number. take returns false for no
// memory.
typedef bool samples_take(void *context, const struct samples_header *header, const struct sample_record *record);
struct samples *samples_read(const char *path, samples_take *take, void *context, struct error *err);
// ... of a file that may be something else; *is: it begins as a sample file, whatever else is wrong with it.
struct samples *samples_read_if(const char *path, bool *is, samples_take *take, void *context, struct error *err);
// What it begins with, alone. False with err, as above.
bool samples_read_header(const char *path, struct samples_header *header, struct error *err);
// The files of several harts of one run, one of each, as one: its samples in the order of their cycles, those of a
// cycle in the order of the files; in the spaces of samples, and the contexts of profiles and stacks, the hart, too
// (profile/place.h). Results are those of all together, by their rules, and samples_hart_results are each one's; width
// and units are the greatest. What is wrong with a file is wrong with it. NULL with err also: of another run, or of one
// hart.
struct samples *samples_read_harts(const char *const *paths, size_t count, samples_take *take, void *context,
                                   struct error *err);
enum { SAMPLES_HARTS = 256 };
uint32_t samples_hart(const struct samples *s); // whose the first sample is; without one the first result
size_t samples_harts(const struct samples *s);  // of samples_read_harts: of how many; else 1
// NULL: of none of them.
const struct results *samples_hart_results(const struct samples *s, uint32_t hart);
void samples_destroy(struct samples *s);
enum samples_state samples_state(const struct samples *s);
const char *samples_fault(const struct samples *s); // "" or one line: file, fault (with offset), remedy
// Of a file that is not complete, one line: its fault, and which samples are good. All commands use those, say this,
// and end as if they were all (docs/reference/exit-statuses.md).
void samples_warn(const struct samples *s, const struct notices *notices);
const struct samples_header *samples_header(const struct samples *s);
const struct sample_record *samples_records(const struct samples *s, size_t *count); // of samples_open
uint64_t samples_count(const struct samples *s);                                     // records, given away or not
uint64_t samples_last_cycle(const struct samples *s);                                // of the last one; 0: none
// What the numbers of stacks mean, STACK_UNKNOWN and STACK_LOST included. A number that is not among them comes from a
// file that is damaged: nothing is known of it. *count 0: the run kept no stacks.
const struct stack_node *samples_stacks(const struct samples *s, uint32_t *count);
// Records of ProfileMe, in the order in which the instructions left; pairs: first and second together. *count 0: none.
const struct instruction_sample *samples_instructions(const struct samples *s, size_t *count,
                                                      struct instruction_settings *settings);
size_t samples_profile_count(const struct samples *s);
const struct samples_profile *samples_profile(const struct samples *s, size_t i);
const struct samples_profile *samples_find_profile(const struct samples *s, const char *profiler); // or NULL
// results.h has what is in them. Of older files what those keep of it.
const struct results *samples_results(const struct samples *s);
// What a later version's run left besides, and what was passed over: results, and fields of results. The first ones.
struct samples_unknown {
    uint16_t result, field; // ids; field 0: the whole result
    uint64_t rows;          // of the result, as its first block says
};
enum { SAMPLES_UNKNOWN_MOST = 64 };
const struct samples_unknown *samples_unknown(const struct samples *s, size_t *count);
// What else of the results was passed over.
struct samples_skipped {
    bool unknown;                      // more that is unknown than SAMPLES_UNKNOWN_MOST
    bool other;                        // results of another hart or region than those of the first, which are read
    uint32_t hart, region;             // of the first
    uint32_t other_hart, other_region; // of the first other one
};
const struct samples_skipped *samples_skipped(const struct samples *s);
// Whether addresses mean the same in both: the program, and all other images, come from the same builds; by build ids,
// without them by the digests of what is loaded.
bool samples_same_builds(const struct samples_header *a, const struct samples_header *b);

#endif
