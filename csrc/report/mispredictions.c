// What mispredicted branches cost, all of it: in text and JSON. Exact, by the run's statistics
// (workers/mispredict_cost.c).
#include "base/paths.h"
#include "oracle/refills.h"
#include "report/contexts.h"
#include "report/json.h"
#include "report/place_columns.h"
#include "report/reasons.h"
#include "report/style.h"
#include "report/words.h"
#include <string.h>

enum {
    TEXT = 512,
    LITTLE = 1000 // of all time one part in this many: cheaper branches are left out of the text
};

static uint64_t cost(const struct misprediction *m) {
    return m->flushed + m->shadow;
}

void mispredictions_print_sum(const struct run *d, FILE *out) {
    size_t count;
    uint64_t flushed = 0, shadow = 0, late = 0;
    const struct misprediction *list = facts_mispredictions(d->facts, &count);
    for (size_t i = 0; i < count; i++) {
        flushed += list[i].flushed;
        shadow += list[i].shadow;
        late += list[i].late;
    }
    if ((flushed + shadow) * LITTLE < d->cycles || !count) return;
    fprintf(out, "  Mispredictions cost %.1f %%: %.1f %% Flushed, and %.1f %% Stalled while the pipeline fills again\n",
            percent_of(flushed + shadow, d->cycles), percent_of(flushed, d->cycles), percent_of(shadow, d->cycles));
    if (late > flushed + shadow)
        fprintf(out, "  ... and up to %.1f %%, if no other work overlaps the delay of the correct path\n",
                percent_of(late, d->cycles));
}

// The instruction that waited most after it.
static const struct code_pair *first_behind(const struct run *d, const struct misprediction *m) {
    size_t count;
    const struct code_pair *pairs = facts_behind(d->facts, &m->branch, &count), *most = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!most || pairs[i].counts[REFILL_SHADOW] > most->counts[REFILL_SHADOW]) most = &pairs[i];
    }
    return most;
}

static void print_branch(const struct run *d, const struct report_options *o, const struct misprediction *m,
                         FILE *out) {
    char name[TEXT], instruction[TEXT], source[TEXT] = "", then[TEXT] = "", n[32], rate[32] = "-";
    unsigned line;
    uint64_t executions;
    const char *file = report_source(d, m->branch.place, &line);
    const struct code_pair *behind = first_behind(d, m);
    report_label(d, BY_INSTRUCTION, m->branch.place, name, sizeof name);
    report_instruction(d, m->branch.place, instruction, sizeof instruction);
    if (file) snprintf(source, sizeof source, "%s:%u", paths_name(file), line);
    if (behind) report_name(d, BY_INSTRUCTION, behind->to.place, then, sizeof then);
    if (facts_executions(d->facts, &m->branch, &executions))
        snprintf(rate, sizeof rate, "%.1f %%", percent_of(m->times, executions));
    style_share(out, o, cost(m), d->cycles);
    style_share(out, o, m->flushed, d->cycles);
    style_share(out, o, m->shadow, d->cycles);
    fprintf(out, " %12s  %8s", style_number(m->times, n), rate);
    fprintf(out, "  0x%08llx  %-28s %-22s %-16s %s\n", (unsigned long long)m->branch.place.pc, instruction, name,
            source, then);
}

void mispredictions_print(const struct run *d, const struct report_options *o, FILE *out) {
    size_t count, rows = 0;
    const struct misprediction *list = facts_mispredictions(d->facts, &count);
    while (rows < count && (!o->top || rows < o->top) && cost(&list[rows]) * LITTLE >= d->cycles)
        rows++;
    if (!rows) return;
    style_heading(out, o, "Mispredicted branches by cost (%zu of %zu)", rows, count);
    fprintf(out, "    cost =  here +  after  mispredicted  %8s  %-10s  %-28s %-22s %-16s %s\n", "of all", "address",
            "instruction", "function", "source", "followed by, mostly");
    for (size_t i = 0; i < rows; i++)
        print_branch(d, o, &list[i], out);
}

static cJSON *place_object(const struct run *d, const struct code_place *at) {
    return place_json(d, BY_INSTRUCTION, at->place, "unit,name,instruction,source");
}

static void add_counts(cJSON *object, uint64_t times, uint64_t flushed, uint64_t shadow, uint64_t late) {
    json_add_u64(object, "mispredicted", times);
    json_add_u64(object, "cycles_here", flushed);
    json_add_u64(object, "cycles_behind", shadow);
    json_add_u64(object, "cycles_late", late);
}

void mispredictions_add_json(cJSON *root, const struct run *d) {
    size_t count, behind_count;
    uint64_t executions;
    if (!facts_mispredictions_known(d->facts)) {
        cJSON_AddNullToObject(root, "mispredictions");
        return;
    }
    const struct misprediction *list = facts_mispredictions(d->facts, &count);
    cJSON *array = cJSON_AddArrayToObject(root, "mispredictions");
    for (size_t i = 0; i < count; i++) {
        cJSON *object = place_object(d, &list[i].branch);
        if (facts_executions(d->facts, &list[i].branch, &executions)) {
            json_add_u64(object, "executions", executions);
        } else {
            cJSON_AddNullToObject(object, "executions");
        }
        add_counts(object, list[i].times, list[i].flushed, list[i].shadow, list[i].late);
        cJSON *then = cJSON_AddArrayToObject(object, "behind");
        const struct code_pair *pairs = facts_behind(d->facts, &list[i].branch, &behind_count);
        for (size_t k = 0; k < behind_count; k++) {
            cJSON *one = place_object(d, &pairs[k].to);
            const uint64_t *n = pairs[k].counts;
            add_counts(one, n[REFILL_TIMES], n[REFILL_FLUSHED], n[REFILL_SHADOW], n[REFILL_LATE]);
            cJSON_AddItemToArray(then, one);
        }
        cJSON_AddItemToArray(array, object);
    }
}
