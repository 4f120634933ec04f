// What a program reads of its own ProfileMe, word by word (inst_lifetimes.c).
#ifndef TIPOFF_WORKERS_PROFILEME_READS_H
#define TIPOFF_WORKERS_PROFILEME_READS_H

#include "instruction_sample.h"
#include "iss/iss.h"
#include "profile/place.h"
#include <stdbool.h>
#include <stdint.h>

struct profileme_reads {
    uint64_t select; // what siselect or miselect holds
    uint64_t words[INSTRUCTION_SAMPLE_WORDS];
    uint32_t read; // those of them that it has
};

// At a CSR instruction that retires, and what it has read. True: it acknowledges a record, all of whose words it has
// read.
bool profileme_reads_step(struct profileme_reads *r, const struct iss_retire *step, uint64_t value,
                          uint64_t record[INSTRUCTION_SAMPLE_WORDS]);
// Whether a reader in that mode may see so little of the record that it says nothing of any instruction: whoever is not
// M-mode sees neither addresses nor history of M-mode's instructions.
bool profileme_reads_hidden(const uint64_t record[INSTRUCTION_SAMPLE_WORDS], uint8_t reader);

#endif
