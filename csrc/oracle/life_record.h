// What ProfileMe's record of an instruction has to say, from the instruction's way (oracle/lives.h).
#ifndef TIPOFF_ORACLE_LIFE_RECORD_H
#define TIPOFF_ORACLE_LIFE_RECORD_H

#include "instruction_sample.h"
#include "oracle/lives.h"

// unit: the unit's record, for what belongs to the registers and the pair, and not to the instruction.
struct instruction_sample life_record(const struct life *life, const struct instruction_sample *unit);
// 0, or -EBADMSG: err names the first field of s that is not as in e.
int life_record_differs(const struct instruction_sample *s, const struct instruction_sample *e, struct error *err);
uint16_t life_saturated(uint64_t cycles); // as a latency register holds them

#endif
