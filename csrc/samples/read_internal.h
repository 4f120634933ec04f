// Parts of a sample file while it is read: call stacks, profiles and snippets. What the files of the reader share; not
// for other libraries.
#ifndef TIPOFF_SAMPLES_READ_INTERNAL_H
#define TIPOFF_SAMPLES_READ_INTERNAL_H

#include "results.h"
#include "samples/sample_store.h"
#include "samples/samples.h"

struct read_stacks {
    struct stack_node *nodes;
    uint32_t count, capacity;
    uint64_t lost;  // stacks that blocks up to here would have, which do not read
    uint64_t holes; // stacks that are missing, of all holes together
};
// A block of them. Where one is missing, its stacks are roots that nothing is known of. False: it does not parse,
// with those before it leaves out more than a block besides those that were lost, or no memory.
bool read_stacks_block(struct read_stacks *s, const uint8_t *p, size_t bytes);
void read_stacks_lost(struct read_stacks *s, size_t bytes); // a block of `bytes` bytes does not read

struct read_growth;
struct read_profiles {
    struct samples_profile *list;
    struct read_growth *growth; // of each, while the file is read
    size_t count;
};
// A block of any of the types of profiles. False: it does not parse, or no memory.
bool read_profiles_block(struct read_profiles *p, uint32_t type, const uint8_t *data, size_t bytes);
// A profile that lacks rows is none: time would be missing in it without a word. In version 1, which does not say how
// many rows there are, that can be any of a file that is not `complete`.
void read_profiles_drop_partial(struct read_profiles *p, bool complete);
void read_profiles_free(struct read_profiles *p);

struct read_results {
    struct results *rows;
    bool any; // a block of them has come
    struct samples_skipped skipped;
    bool came[RESULT_COUNT];       // in blocks of them; others are from blocks of before
    uint64_t totals[RESULT_COUNT]; // rows that each is to have
    uint64_t unpacked, held;       // bytes of their blocks, and of the rows in memory
    struct samples_unknown unknown[SAMPLES_UNKNOWN_MOST];
    size_t unknown_count;
};
// A block of rows. False: it does not parse, or no memory; why: the result, its field, and what is wrong with it, where
// it is a value that does not belong there.
bool read_results_block(struct read_results *r, const uint8_t *data, size_t bytes, struct error *why);
// At the end of the file. False: results that lack rows, and were dropped.
bool read_results_settle(struct read_results *r);

// A block of a former version, as rows; one of a type that is not known is passed over. False: it does not parse, or no
// memory.
bool read_old_block(struct results *r, uint32_t type, const uint8_t *data, size_t bytes);
bool read_statistics(struct results *r, const char *json); // which no run left if they are no JSON
// Of version 3, whose rows of run_totals do not say where what was measured began.
void read_statistics_begin(struct results *r, const char *json);

struct read_instructions {
    struct instruction_settings settings; // of the first block
    struct instruction_sample *list;
    size_t count, capacity;
};
// A block of ProfileMe's records. False: it does not parse, has other settings, or no memory.
bool read_instructions_block(struct read_instructions *r, const uint8_t *data, size_t bytes);

// A file of a run of several harts.
struct samples_part {
    struct samples *samples;
    struct sample_store *store;
    uint32_t hart;
    bool mixed;      // it has samples of several harts
    uint32_t stacks; // added to the numbers of its own stacks
};
void samples_join_free(struct samples *s); // the parts

struct samples {
    struct samples_header header;
    uint32_t version;
    enum samples_state state;
    struct error fault;
    samples_take *take;
    void *context;
    struct sample_record *block; // of the block that is read
    size_t block_capacity;
    struct sample_record *records; // where no caller takes them
    size_t kept, capacity;
    uint32_t hart;                     // of the first
    uint64_t count, last_cycle, units; // units: time of all samples, in 1/U cycle, which must not wrap
    struct read_profiles profiles;
    struct read_stacks stacks;
    struct read_results results;
    struct read_instructions instructions;
    char *statistics;           // of older files
    struct samples_part *parts; // of samples_read_harts: the files
    size_t part_count;
};

#endif
