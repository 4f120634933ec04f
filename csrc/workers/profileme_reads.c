// CSR instructions that reach ProfileMe: siselect 0x60 and 0x61, or miselect.
#include "workers/profileme_reads.h"
#include "csrs.h"
#include <string.h>

bool profileme_reads_hidden(const uint64_t record[INSTRUCTION_SAMPLE_WORDS], uint8_t reader) {
    struct instruction_sample s;
    instruction_sample_unpack(&s, record);
    return reader != MODE_MACHINE && s.mode == MODE_MACHINE && s.pc == 0 && s.address == 0 && s.history == 0;
}

bool profileme_reads_step(struct profileme_reads *r, const struct iss_retire *step, uint64_t value,
                          uint64_t record[INSTRUCTION_SAMPLE_WORDS]) {
    enum { ALL = (1 << INSTRUCTION_SAMPLE_WORDS) - 1, SPARE = 1 << 5 };
    static const uint8_t numbers[] = {0, 1, 2, 3, 0, 4, 5, 6}; // by the address's low bits: sireg4 is 0x155
    if ((step->csr == CSR_SISELECT || step->csr == CSR_MISELECT) && step->csr_written) r->select = step->csr_value;
    const bool supervisor = step->csr >= CSR_SIREG && step->csr <= CSR_SIREG6;
    if (!supervisor && !(step->csr >= CSR_MIREG && step->csr <= CSR_MIREG6)) return false;
    const unsigned number = numbers[step->csr & 7];
    if ((r->select != 0x60 && r->select != 0x61) || number == 0) return false;
    const unsigned word = (unsigned)(r->select - 0x60) * 6 + number - 1;
    if (step->rd_written && word < INSTRUCTION_SAMPLE_WORDS) {
        r->words[word] = value;
        r->read |= 1u << word;
    }
    const bool writes = (step->insn >> 12 & 3) == 1;
    if (!writes || word != 0) return false;
    const bool whole = (r->read | SPARE) == ALL;
    r->read = 0;
    if (whole) memcpy(record, r->words, sizeof r->words);
    return whole;
}
