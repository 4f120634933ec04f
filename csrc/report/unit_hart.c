// Harts of one run side by side, each with a file of its own: the time of each by commit state, how much of it another
// hart has cost, and where.
#include "report/sheet.h"
#include "report/units.h"
#include "report/words.h"
#include <errno.h>
#include <string.h>

enum { HARTS = 256, BY_OTHERS = 1 << EVENT_ST_COH | 1 << EVENT_FL_COH };

// Time under vectors that say that another hart has cost it; *at: the instruction with most of it.
static uint64_t by_others(const struct profile_row *rows, size_t count, struct place *at) {
    uint64_t all = 0, here = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !place_equal(row_place(&rows[i]), row_place(&rows[i - 1]))) here = 0;
        if (!(rows[i].psv & BY_OTHERS)) continue;
        all += rows[i].weight;
        here += rows[i].weight;
        if (here <= most) continue;
        most = here;
        *at = row_place(&rows[i]);
    }
    return all;
}

static void add_name(const struct run *d, struct sheet *s, enum granularity g, struct place place) {
    char name[REPORT_WHOLE];
    report_name(d, g, place, name, sizeof name);
    sheet_text(s, name);
}

static int add_row(const struct run *d, struct sheet *s, uint32_t hart, struct error *err) {
    size_t row_count, count;
    struct place at;
    const struct profile_row *rows = run_rows(d, BY_INSTRUCTION, &row_count);
    const struct unit_time *functions = run_units(d, BY_FUNCTION, &count), all = run_all(d);
    if (!rows || !functions) return report_out_of_memory(d->path, err);
    const uint64_t others = by_others(rows, row_count, &at);
    sheet_add(s, value_count(hart));
    sheet_add(s, value_count(d->cycles));
    sheet_add(s, d->instructions ? value_count(d->instructions) : value_none());
    sheet_add(s,
              d->cycles && d->instructions ? value_real((double)d->instructions / (double)d->cycles, 3) : value_none());
    for (unsigned state = 0; state < STATE_COUNT; state++)
        sheet_add(s, value_share(all.states[state], d->total));
    sheet_add(s, value_share(others, d->total));
    if (others) add_name(d, s, BY_INSTRUCTION, at);
    if (!others) sheet_add(s, value_none());
    if (count) add_name(d, s, BY_FUNCTION, functions[0].place);
    if (!count) sheet_add(s, value_none());
    sheet_text(s, d->path);
    return 0;
}

// The hart whose file it is: one of the same run, and no other file is that hart's.
static int take(const struct run *first, const struct run *d, bool seen[HARTS], uint32_t *hart, struct error *err) {
    *hart = samples_hart(d->samples) % HARTS;
    if (strcmp(d->header->command, first->header->command) != 0) {
        error_set(err, "%s: of another run than %s: name the files of the harts of one run", d->path, first->path);
    } else if (seen[*hart]) {
        error_set(err, "%s: of hart %u, as a file before it: name one of each hart", d->path, *hart);
    } else {
        seen[*hart] = true;
        return 0;
    }
    return -EINVAL;
}

static int add_file(const struct run *first, const char *path, const struct report_options *o, struct sheet *s,
                    bool seen[HARTS], struct error *err) {
    struct run d;
    uint32_t hart;
    struct report_options alone = *o;
    alone.more_count = 0;
    int result = run_open(&d, path, &alone, err) ? take(first, &d, seen, &hart, err) : -EINVAL;
    if (result == 0) result = add_row(&d, s, hart, err);
    run_close(&d);
    return result;
}

static int fill(const struct run *d, const struct report_options *o, struct sheet *s, struct error *err) {
    bool seen[HARTS] = {false};
    uint32_t hart;
    sheet_column(s, "hart", "hart", SHEET_RIGHT);
    sheet_column(s, "cycles", "cycles", SHEET_RIGHT);
    sheet_column(s, "instructions", "instructions", SHEET_RIGHT);
    sheet_column(s, "ipc", "IPC", SHEET_RIGHT);
    for (unsigned state = 0; state < STATE_COUNT; state++)
        sheet_column(s, report_state_name(state), report_state_name(state), SHEET_RIGHT);
    sheet_column(s, "by_others", "by other harts", SHEET_RIGHT);
    sheet_column(s, "by_others_at", "most of it at", SHEET_LEFT);
    sheet_column(s, "function", "function with most time", SHEET_LEFT);
    sheet_column(s, "file", "", SHEET_FILES);
    int result = take(d, d, seen, &hart, err);
    if (result == 0) result = add_row(d, s, hart, err);
    for (size_t i = 0; result == 0 && i < o->more_count; i++)
        result = add_file(d, o->more[i], o, s, seen, err);
    return result;
}

const struct unit_kind unit_hart = {.name = "hart",
                                    .text = "a hart of a run of several: name the files of all",
                                    .heading = "Harts, in the order of the files (%zu of %zu)",
                                    .several = true,
                                    .fill = fill};
