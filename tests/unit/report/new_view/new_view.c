// A view that test_new_view.py adds: time by commit state.
#include "report/sheet.h"
#include "report/units.h"
#include "report/words.h"

static int fill(const struct run *d, const struct report_options *o, struct sheet *s, struct error *err) {
    const struct unit_time all = run_all(d);
    (void)o;
    (void)err;
    sheet_column(s, "state", "commit state", SHEET_LEFT);
    sheet_column(s, "cycles", "cycles", SHEET_RIGHT);
    sheet_column(s, "share", "share", SHEET_RIGHT);
    sheet_column(s, "words", "", SHEET_FILES);
    for (unsigned state = 0; state < STATE_COUNT; state++) {
        sheet_text(s, report_state_name(state));
        sheet_add(s, value_cycles(all.states[state], d->header->units));
        sheet_add(s, value_share(all.states[state], d->total));
        sheet_text(s, report_state_words(state));
    }
    return 0;
}

extern const struct unit_kind unit_state;
const struct unit_kind unit_state = {
    .name = "state", .text = "a commit state", .heading = "Commit states (%zu of %zu)", .fill = fill};
