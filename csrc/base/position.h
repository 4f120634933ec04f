// A place in a run, as options and keys take it: one grammar for all of them.
//   1000                  a cycle; on the ISS alone, a count of instructions and traps
//   PLACE                 the instruction there is executed: it commits. For the first time, or, where the position
//   ends
//                         what another one begins, for the first time after that
//   PLACE:N               the same for the N-th time in the run, from 1 on
//   sample:N              the N-th sample: the N-th row of `tipoff samples`
//   PLACE@sample:N        the N-th sample that names the instruction there
//   marker, marker:N      after a marker instruction (slti x0, x0, N), any or this one
// PLACE is 0xADDRESS, SYMBOL or SYMBOL+BYTES (main+8, main+0x8). SYMBOL is code; of several of one name it is the one
// that all files see. Those that only their own file sees are FILE:SYMBOL.
#ifndef TIPOFF_BASE_POSITION_H
#define TIPOFF_BASE_POSITION_H

#include "base/elf.h"

enum position_kind { POSITION_CYCLE, POSITION_PLACE, POSITION_SAMPLE, POSITION_PLACE_SAMPLE, POSITION_MARKER };
struct position {
    enum position_kind kind;
    uint64_t value; // the cycle; the address of PLACE; a marker's number, 0: any
    uint64_t count; // N; of a PLACE 0: not given
};
#define POSITION_KIND(kind) (1u << (kind))
enum { // bits of kinds
    POSITIONS_COMMITTED = POSITION_KIND(POSITION_CYCLE) | POSITION_KIND(POSITION_PLACE),
    POSITIONS_SEEN = POSITIONS_COMMITTED | POSITION_KIND(POSITION_SAMPLE),
    POSITIONS_ON_CORE = POSITIONS_SEEN | POSITION_KIND(POSITION_PLACE_SAMPLE),
    POSITIONS_ON_ISS = POSITIONS_COMMITTED | POSITION_KIND(POSITION_MARKER)
};

// kinds: those that are taken. image may be NULL: symbols are not known. -EINVAL with err: the text is no such
// position, or the program has no such symbol.
int position_parse(struct position *p, const char *text, unsigned kinds, const struct image *image, struct error *err);
// What kinds look like, for --help and messages: "C|PLACE[:N]|sample:N".
const char *position_forms(unsigned kinds);

#endif
