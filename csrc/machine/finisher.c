// Test finisher: three words end the run.
#include "machine/finisher.h"

#define ROW(type, name, dimension, range) STATE_ROW(struct finisher, type, name, range),
static const struct state_member rows[] = {FINISHER_STATE(ROW)};
const struct state_table finisher_table = STATE_TABLE(rows);

void finisher_write(struct finisher *f, uint64_t offset, uint64_t value) {
    unsigned what = value & 0xffff;
    bool known = what == FINISHER_FAIL || what == FINISHER_PASS || what == FINISHER_RESET;
    if (f->ended || offset != 0 || !known) return;
    f->ended = true;
    f->reset = what == FINISHER_RESET;
    f->status = what == FINISHER_FAIL ? (uint16_t)(value >> 16) : 0;
}
