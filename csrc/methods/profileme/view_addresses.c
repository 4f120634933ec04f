// Lines and pages that miss most: estimates of their misses, and the instruction with most of them.
#include "methods/profileme/addresses.h"
#include "methods/profileme/view.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void columns(struct sheet *s) {
    sheet_column(s, "unit", "unit", SHEET_LEFT);
    sheet_column(s, "block", "from", SHEET_LEFT);
    sheet_column(s, "block_space", "", SHEET_FILES);
    sheet_column(s, "misses", "misses", SHEET_RIGHT);
    sheet_column(s, "misses_95", "±95 %", SHEET_RIGHT);
    sheet_column(s, "accesses", "accesses", SHEET_RIGHT);
    sheet_column(s, "samples", "samples", SHEET_RIGHT);
    sheet_column(s, "missed_samples", "missed", SHEET_RIGHT);
    sheet_column(s, "llc_misses", "LLC misses", SHEET_RIGHT);
    sheet_column(s, "tlb_misses", "TLB misses", SHEET_RIGHT);
    sheet_column(s, "miss_cycles", "cycles each", SHEET_RIGHT);
    profileme_code_columns(s);
    sheet_column(s, "of_misses", "has %", SHEET_RIGHT);
}

static void fill(const struct profileme_page *page, const char *unit, const struct profileme_block *b) {
    const double scale = profileme_estimates_summary(page->estimates)->scale;
    struct sheet *s = page->sheet;
    char text[32];
    sheet_text(s, unit);
    snprintf(text, sizeof text, "0x%" PRIx64, b->address);
    sheet_text(s, text);
    snprintf(text, sizeof text, "0x%" PRIx64, b->space);
    sheet_text(s, text);
    sheet_add(s, value_real(scale * (double)b->misses, 0));
    sheet_add(s, value_real(1.96 * scale * sqrt((double)b->misses), 0));
    sheet_add(s, value_real(scale * (double)b->accesses, 0));
    sheet_add(s, value_count(b->accesses));
    sheet_add(s, value_count(b->misses));
    sheet_add(s, value_real(scale * (double)b->last_level, 0));
    sheet_add(s, value_real(scale * (double)b->tlb, 0));
    sheet_add(s, value_real((double)b->cycles / (double)b->misses, 1));
    profileme_code(page, b->worst);
    profileme_per_cent(s, (double)b->worst_misses / (double)b->misses);
}

static int add(const struct profileme_page *page, const char *unit, unsigned bits, struct error *err) {
    size_t count, missing = 0;
    struct profileme_block *blocks = profileme_blocks(page->records, page->count, bits, &count);
    if (!blocks && count) return report_out_of_memory(page->data->path, err);
    while (missing < count && blocks[missing].misses)
        missing++;
    const size_t top = page->options->report.top, shown = top && top < missing ? top : missing;
    for (size_t i = 0; i < shown; i++)
        fill(page, unit, &blocks[i]);
    fprintf(page->above, "  %zu of %zu %ss that missed, of %zu that were accessed\n", shown, missing, unit, count);
    free(blocks);
    return 0;
}

int profileme_addresses(struct profileme_page *page, FILE *out, struct error *err) {
    (void)out;
    fputs("Memory that misses the L1 data cache most, as loads, stores and AMOs among the records found it\n",
          page->above);
    columns(page->sheet);
    const int result = add(page, "line", PROFILEME_LINE_BITS, err);
    return result ? result : add(page, "page", PROFILEME_PAGE_BITS, err);
}
