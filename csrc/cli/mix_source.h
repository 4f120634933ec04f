// Where `tipoff mix` has its counts from: a run on the simulator, or a sample file. Not for other libraries.
#ifndef TIPOFF_CLI_MIX_SOURCE_H
#define TIPOFF_CLI_MIX_SOURCE_H

#include "machine/host_files.h"
#include "methods/hbbp/mix.h"

struct mix_source_options {
    const char *file;                                    // a program, or a sample file
    const char *program, *kernel, *firmware, *debug_dir; // instead of the files that a sample file names; or NULL
    const char *input, *restore;                         // of a run on the simulator
    char *const *argv;                                   // the program's
    struct host_roots file_roots;                        // what files of the host it may read
    uint64_t memory;                                     // bytes of its machine; 0: none was chosen
    uint64_t max;                                        // instructions and traps of it
    const struct notices *notices;                       // who gets the warnings; NULL: nobody
    bool exact;                                          // nothing but exact counts
    bool skid;                                           // EBS by the address after the interrupt
};
struct mix_source {
    struct images *images;
    struct mix *mix;
    char program[1024];
    char text[512]; // one line on the counts
    int status;     // of a run that did not end as it should: an exit status; else 0
};

// False with err. Always to be closed.
bool mix_source_open(struct mix_source *s, const struct mix_source_options *options, struct error *err);
void mix_source_close(struct mix_source *s);

#endif
