// Where a run of several harts on the fast model ends: with the Nth execution of an instruction, by all of them.
#ifndef TIPOFF_CLI_GUS_UNTIL_H
#define TIPOFF_CLI_GUS_UNTIL_H

#include "base/elf.h"
#include "methods/gus/harts.h"

struct gus_until {
    uint64_t pc, left;
};
// text: PLACE[:N] (base/position.h); image may be NULL: no symbols. False with err: it is another kind of position, or
// none.
bool gus_until_parse(struct gus_until *u, const char *text, const struct image *image, struct error *err);
gus_harts_stepped gus_until_stepped; // context: struct gus_until
#endif
