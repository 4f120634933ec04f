// Each instruction: how often it executed, where its time goes by stage of the pipeline with what that means
// (ProfileMe, MICRO 1997, table 1), what it missed, why it died.
#include "events.h"
#include "methods/profileme/view.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define NORMAL_95 1.96 // deviations of 95 % of a normal distribution

static const struct stage {
    enum lifetime_total total;
    const char *name, *heading, *says; // table 1
} stages[] = {
    {TOTAL_DISPATCH, "fetch_to_map", "to map", "waits to be mapped: registers or queue slots are lacking"},
    {TOTAL_OPERANDS, "map_to_ready", "to ready", "waits for its operands: data dependences"},
    {TOTAL_CONTENTION, "ready_to_issue", "to issue", "waits to issue: contention for execution resources"},
    {TOTAL_EXECUTION, "issue_to_done", "executes", "its own execution takes long"},
    {TOTAL_RETIRE_WAIT, "done_to_retire", "to retire", "done, waits for older instructions to retire"},
};
enum { STAGES = sizeof stages / sizeof *stages };

static const char *const resources[] = {"ROB",         "integer queue", "memory queue", "FP queue", "load queue",
                                        "store queue", "registers",     "snapshots",    "serial"};

struct ranked {
    const struct lifetime *row;
    double weight;
};

static int heavier(const void *x, const void *y) {
    const struct ranked *a = x, *b = y;
    if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
    return (a->row->place.pc > b->row->place.pc) - (a->row->place.pc < b->row->place.pc);
}

// What the pipeline itself takes: the shortest of each stage among all records that retired.
static void shortest(const struct profileme_page *page, unsigned least[STAGES]) {
    for (unsigned i = 0; i < STAGES; i++)
        least[i] = UINT32_MAX;
    for (size_t i = 0; i < page->count; i++) {
        const struct instruction_sample *s = &page->records[i];
        const unsigned cycles[STAGES] = {s->dispatch, s->operands, s->contention, s->execution, s->retire_wait};
        if (s->opportunity || s->flushed) continue;
        for (unsigned k = 0; k < STAGES; k++)
            least[k] = cycles[k] < least[k] ? cycles[k] : least[k];
    }
}

static unsigned most(const struct lifetime *row, unsigned first, unsigned count) {
    unsigned found = first;
    for (unsigned i = first; i < first + count; i++)
        if (row->total[i] > row->total[found]) found = i;
    return found;
}

static double part(const struct lifetime *row, unsigned total, enum lifetime_total whole) {
    return row->total[whole] ? (double)row->total[total] / (double)row->total[whole] : 0;
}

// The stage that delays it most beyond what the pipeline takes, in words.
static void diagnose(const struct lifetime *row, const unsigned least[STAGES], char *text, size_t size) {
    double longest = 0;
    unsigned stage = STAGES;
    for (unsigned i = 0; i < STAGES; i++) {
        const double beyond = row->total[TOTAL_RETIRED] ? part(row, stages[i].total, TOTAL_RETIRED) - least[i] : 0;
        if (beyond <= longest) continue;
        longest = beyond;
        stage = i;
    }
    if (row->total[TOTAL_FETCHED] < PROFILEME_FEW) {
        snprintf(text, size, "too few samples: run longer, or with a shorter interval");
    } else if (!row->total[TOTAL_RETIRED]) {
        snprintf(text, size, "never retired");
    } else if (stage == STAGES || longest < 1) {
        snprintf(text, size, "nothing delays it by a cycle");
    } else {
        int n = snprintf(text, size, "%s (%.1f cycles more than the least)", stages[stage].says, longest);
        const unsigned resource = most(row, TOTAL_CONFLICT_ROB, 9);
        if (stages[stage].total == TOTAL_DISPATCH && row->total[resource])
            snprintf(text + n, size - (size_t)n, "; most often %s, in %.0f %%",
                     resources[resource - TOTAL_CONFLICT_ROB], 100 * part(row, resource, TOTAL_FETCHED));
        if (stages[stage].total == TOTAL_EXECUTION && row->total[TOTAL_EVENT_ST_L1])
            snprintf(text + n, size - (size_t)n, "; misses the L1 data cache in %.0f %%",
                     100 * part(row, TOTAL_EVENT_ST_L1, TOTAL_FETCHED));
    }
}

static void columns(struct sheet *s) {
    sheet_column(s, "executions", "executions", SHEET_RIGHT);
    sheet_column(s, "executions_95", "±95 %", SHEET_RIGHT);
    sheet_column(s, "samples", "samples", SHEET_RIGHT);
    sheet_column(s, "retired_samples", "", SHEET_FILES);
    sheet_column(s, "fetched", "", SHEET_FILES);
    sheet_column(s, "fetched_95", "", SHEET_FILES);
    sheet_column(s, "latency", "cycles", SHEET_RIGHT); // of all executions, from fetch to retire ready
    for (unsigned i = 0; i < STAGES; i++)
        sheet_column(s, stages[i].name, stages[i].heading, SHEET_RIGHT);
    static const char *const errors[STAGES] = {"fetch_to_map_error", "map_to_ready_error", "ready_to_issue_error",
                                               "issue_to_done_error", "done_to_retire_error"};
    for (unsigned i = 0; i < STAGES; i++)
        sheet_column(s, errors[i], "", SHEET_FILES);
    sheet_column(s, "l1_miss", "L1 miss %", SHEET_RIGHT);
    sheet_column(s, "llc_miss", "LLC %", SHEET_RIGHT);
    sheet_column(s, "tlb_miss", "TLB %", SHEET_RIGHT);
    sheet_column(s, "icache_miss", "I-cache %", SHEET_RIGHT);
    sheet_column(s, "mispredicted", "mispred. %", SHEET_RIGHT);
    sheet_column(s, "aborted", "aborted %", SHEET_RIGHT);
    sheet_column(s, "aborted_by", "by", SHEET_LEFT);
    static const char *const names[] = {"",
                                        "aborted_misprediction",
                                        "aborted_ordering",
                                        "aborted_exception",
                                        "aborted_interrupt",
                                        "aborted_flush",
                                        "aborted_page"};
    for (unsigned i = 1; i < sizeof names / sizeof *names; i++)
        sheet_column(s, names[i], "", SHEET_FILES);
    profileme_code_columns(s);
    sheet_column(s, "diagnosis", "diagnosis", SHEET_LEFT);
}

static void fill(const struct profileme_page *page, const struct lifetime *row, const unsigned least[STAGES]) {
    struct sheet *s = page->sheet;
    const struct profileme_value executions = profileme_count(page->estimates, row, TOTAL_RETIRED),
                                 fetched = profileme_count(page->estimates, row, TOTAL_FETCHED);
    char text[256];
    sheet_add(s, value_real(executions.value, 0));
    sheet_add(s, value_real(NORMAL_95 * executions.deviation, 0));
    sheet_add(s, value_count(row->total[TOTAL_FETCHED]));
    sheet_add(s, value_count(row->total[TOTAL_RETIRED]));
    sheet_add(s, value_real(fetched.value, 0));
    sheet_add(s, value_real(NORMAL_95 * fetched.deviation, 0));
    sheet_add(s, value_real(profileme_count(page->estimates, row, TOTAL_PROGRESS).value, 0));
    for (unsigned i = 0; i < STAGES; i++)
        sheet_add(
            s, value_real(row->total[TOTAL_RETIRED] ? profileme_mean(page->estimates, row, stages[i].total).value : NAN,
                          1));
    for (unsigned i = 0; i < STAGES; i++)
        sheet_add(s, value_real(profileme_mean(page->estimates, row, stages[i].total).deviation, 3));
    static const unsigned misses[] = {TOTAL_EVENT_ST_L1, TOTAL_EVENT_ST_LLC, TOTAL_EVENT_ST_TLB, TOTAL_EVENT_DR_L1};
    for (unsigned i = 0; i < sizeof misses / sizeof *misses; i++)
        profileme_per_cent(s, part(row, misses[i], TOTAL_FETCHED));
    if (row->total[TOTAL_RETIRED]) {
        profileme_per_cent(s, part(row, TOTAL_MISPREDICTED, TOTAL_RETIRED));
    } else {
        sheet_add(s, value_none());
    }
    const unsigned reason = most(row, TOTAL_RETIRED + 1, 6);
    profileme_per_cent(s, 1 - part(row, TOTAL_RETIRED, TOTAL_FETCHED));
    sheet_text(s, row->total[reason] ? profileme_outcome(reason - TOTAL_RETIRED) : "");
    for (unsigned i = 1; i < 7; i++)
        profileme_per_cent(s, part(row, TOTAL_RETIRED + i, TOTAL_FETCHED));
    profileme_code(page, row->place);
    diagnose(row, least, text, sizeof text);
    sheet_text(s, text);
}

int profileme_instructions(struct profileme_page *page, FILE *out, struct error *err) {
    (void)out;
    size_t count;
    unsigned least[STAGES];
    const struct lifetime *rows = profileme_estimates_rows(page->estimates, &count);
    struct ranked *list = calloc(count + 1, sizeof *list);
    if (!list) return report_out_of_memory(page->data->path, err);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct ranked){&rows[i], profileme_count(page->estimates, &rows[i], TOTAL_PROGRESS).value};
    qsort(list, count, sizeof *list, heavier);
    const size_t shown =
        page->options->report.top && page->options->report.top < count ? page->options->report.top : count;
    shortest(page, least);
    fprintf(page->above,
            "Instructions by the cycles that they are in progress, fetch to retire ready (%zu of %zu); by stage: "
            "cycles of one that retires\n",
            shown, count);
    columns(page->sheet);
    for (size_t i = 0; i < shown; i++)
        fill(page, list[i].row, least);
    fputs("  Latency does not say what it costs: others may have issued meanwhile. --pairs counts the issue slots that "
          "they left empty.\n",
          page->below);
    free(list);
    return 0;
}
