// The records themselves, in the order in which they were read: every field of tables/instruction_sample.tsv by its
// name.
#include "events.h"
#include "methods/profileme/view.h"
#include <inttypes.h>
#include <string.h>

// What people see of a record, and its description.
static const struct heading {
    const char *field, *text;
} headings[] = {
    {"pc", "pc"},
    {"cycle", "fetched"},
    {"dispatch", "to map"},
    {"operands", "to ready"},
    {"contention", "to issue"},
    {"execution", "executes"},
    {"retire_wait", "to retire"},
    {"total", "total"},
    {"address", "address"},
};

static void column(struct sheet *s, const char *field) {
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (strcmp(headings[i].field, field) != 0) continue;
        sheet_column(s, field, headings[i].text, SHEET_RIGHT);
        return;
    }
    sheet_column(s, field, "", SHEET_FILES);
}

static void columns(struct sheet *s) {
#define COLUMN(field, text) column(s, #field);
    INSTRUCTION_SAMPLE_FIELDS(COLUMN)
#undef COLUMN
    sheet_column(s, "met", "met", SHEET_LEFT);
    sheet_column(s, "left", "left by", SHEET_LEFT);
    profileme_name_columns(s);
}

static void cell(struct sheet *s, const char *field, uint64_t value) {
    char text[24];
    if (strcmp(field, "pc") != 0 && strcmp(field, "address") != 0) {
        sheet_add(s, value_count(value));
        return;
    }
    snprintf(text, sizeof text, "0x%08" PRIx64, value);
    sheet_text(s, text);
}

// "ST_L1+ST_TLB"
static void met(struct sheet *s, unsigned events) {
    static const char *const names[] = {EVENT_NAMES};
    char text[16 * EVENT_COUNT] = "";
    int n = 0;
    for (unsigned i = 0; i < EVENT_COUNT; i++)
        if (events >> i & 1) n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", n ? "+" : "", names[i]);
    sheet_text(s, text);
}

static void fill(const struct profileme_page *page, const struct instruction_sample *r) {
    struct sheet *s = page->sheet;
#define CELL(field, text) cell(s, #field, r->field);
    INSTRUCTION_SAMPLE_FIELDS(CELL)
#undef CELL
    met(s, r->events);
    sheet_text(s, r->opportunity ? "no instruction" : profileme_outcome(r->outcome));
    if (r->opportunity) {
        profileme_no_name(s);
    } else {
        profileme_name(page, (struct place){r->pc, place_context(r->mode, r->space)});
    }
}

int profileme_records(struct profileme_page *page, FILE *out, struct error *err) {
    (void)out, (void)err;
    const size_t top = page->options->report.top, shown = top && top < page->count ? top : page->count;
    columns(page->sheet);
    for (size_t i = 0; i < shown; i++)
        fill(page, &page->records[i]);
    fprintf(page->above, "  %zu of %zu records\n\n", shown, page->count);
    return 0;
}
