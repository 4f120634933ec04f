// The run of the HTML report as a whole: what it was, what its names mean, the rules that decide words, what a reader
// is to know first, and the tables of the whole run.
#include "report/advice.h"
#include "report/computing.h"
#include "report/contexts.h"
#include "report/errors.h"
#include "report/hot_paths.h"
#include "report/html_document.h"
#include "report/json.h"
#include "report/sampling_error.h"
#include "report/style.h"
#include "report/words.h"
#include "results.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = REPORT_WHOLE };

// What report_why is made of: the page applies it to whatever part of the run is looked at.
static void add_why(cJSON *root) {
    cJSON *why = cJSON_AddArrayToObject(root, "why");
    for (unsigned s = 0; s <= STATE_COUNT; s++) {
        const char *words, *event;
        cJSON *row = cJSON_CreateArray();
        for (size_t i = 0; (words = report_explanation(s, i, &event)); i++) {
            cJSON *o = cJSON_CreateObject();
            cJSON_AddStringToObject(o, "event", event ? event : "");
            cJSON_AddStringToObject(o, "words", words);
            cJSON_AddItemToArray(row, o);
        }
        cJSON_AddItemToArray(why, row);
    }
}

static void add_contexts(cJSON *root, const struct run *d) {
    size_t count;
    const struct unit_time *units = run_contexts(d, &count);
    cJSON *array = cJSON_AddArrayToObject(root, "contexts");
    for (size_t i = 0; i < count; i++) {
        char text[TEXT];
        cJSON *o = cJSON_CreateObject();
        report_context_words(d, units[i].place, text, sizeof text);
        cJSON_AddStringToObject(o, "name", text);
        json_add_u64(o, "weight", units[i].weight);
        cJSON *states = cJSON_AddArrayToObject(o, "states");
        for (unsigned s = 0; s <= STATE_COUNT; s++)
            cJSON_AddItemToArray(states, cJSON_CreateNumber((double)units[i].states[s]));
        cJSON_AddItemToArray(array, o);
    }
}

static bool add_errors(cJSON *root, const struct run *d) {
    size_t count;
    struct report_error *errors = report_errors(d, &count);
    if (!errors && count) return false;
    const bool good = cJSON_AddItemToObject(root, "errors", report_error_json(d, errors, count));
    free(errors);
    return good;
}

// The line of the report in text: what it says, the page says.
static bool add_sampling(cJSON *root, const struct run *d, struct error *err) {
    char text[TEXT];
    if (d->sample_count) {
        sampling_triggers_words(d->header, text, sizeof text);
        cJSON_AddStringToObject(root, "triggers", text);
    }
    if (!d->by_samples || !d->total) return true;
    const struct confidence *instruction = run_confidence(d, BY_INSTRUCTION, err);
    const struct confidence *function = instruction && d->readable ? run_confidence(d, BY_FUNCTION, err) : NULL;
    const bool good = instruction && (function || !d->readable);
    if (good) {
        sampling_error_words(instruction, function, text, sizeof text);
        cJSON_AddStringToObject(root, "sampling_error", text);
        if (sampling_error_step_words(instruction, text, sizeof text)) cJSON_AddStringToObject(root, "in_step", text);
    }
    return good;
}

// ---- what a reader is to know first ----
__attribute__((format(printf, 2, 3))) static void add_note(cJSON *notes, const char *format, ...) {
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    *text = (char)toupper((unsigned char)*text);
    cJSON_AddItemToArray(notes, cJSON_CreateString(text));
}

static void add_note_of_few(cJSON *notes, const struct run *d) {
    enum { SHARE = 100 }; // one part in this many of the time should rest on more than a few samples
    const double least = SHARE * SPREAD_FEW / (double)(d->sample_count ? d->sample_count : 1);
    char n[32];
    if (d->sample_count < (size_t)SHARE * SPREAD_FEW)
        add_note(notes,
                 "%s samples: a share below %.1f %% rests on fewer than %d of them. A shorter --period gives more.",
                 style_number(d->sample_count, n), least, SPREAD_FEW);
}

// After the other members, and puts some of them in words.
static void add_notes(cJSON *root, const struct run *d) {
    cJSON *notes = cJSON_AddArrayToObject(root, "notes");
    const char *in_step = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "in_step"));
    const struct lost_triggers *lost = results_lost_triggers(samples_results(d->samples));
    char n[32];
    if (samples_state(d->samples) != SAMPLES_COMPLETE)
        add_note(notes, "The sample file is not complete: the report covers what was sampled before its end.");
    if (!d->by_samples)
        add_note(notes, "No samples: the times are the %s's%s.", d->profiler,
                 strcmp(d->profiler, "Oracle") == 0 ? ", which accounts for every cycle" : "");
    if (d->shown) {
        char shown[1024];
        filter_share_words(d, shown, sizeof shown);
        add_note(notes, "%s. Executions and mispredictions are those of the whole run.", shown);
    }
    if (d->by_samples) add_note_of_few(notes, d);
    if (in_step) add_note(notes, "%s.", in_step);
    if (lost && lost->collisions)
        add_note(notes, "%s sampling triggers found no free sample register and are in nobody's profile.",
                 style_number(lost->collisions, n));
    if (!d->readable) add_note(notes, "The program's file cannot be read: addresses only. Name it with --program.");
    if (d->by_samples && d->header->vectors == SAMPLES_VECTORS_SAMPLE)
        add_note(notes, "Events as they stood when a sample was taken: with profile.tea = 1 they are complete.");
    if (d->header->vectors == SAMPLES_VECTORS_NONE)
        add_note(notes, "A core without performance signature vectors: no events.");
}

bool html_run_write(const struct run *d, FILE *out, struct error *err) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema", 1);
    json_add_profile(root, d);
    cJSON_AddStringToObject(root, "settings", d->header->settings);
    cJSON_AddStringToObject(root, "vectors",
                            d->header->vectors == SAMPLES_VECTORS_COMMIT   ? "commit"
                            : d->header->vectors == SAMPLES_VECTORS_SAMPLE ? "sample"
                                                                           : "none");
    const struct lost_triggers *lost = results_lost_triggers(samples_results(d->samples));
    if (lost) json_add_u64(root, "losses", lost->collisions);
    cJSON_AddBoolToObject(root, "by_samples", d->by_samples);
    cJSON_AddBoolToObject(root, "readable", d->readable);
    html_words_add(root, d->header->event_count);
    add_why(root);
    add_contexts(root, d);
    if (!add_sampling(root, d, err)) {
        cJSON_Delete(root);
        return false;
    }
    add_notes(root, d);
    hot_paths_add_json(root, d);
    computing_add_json(root, d);
    if (!add_errors(root, d) || !advice_add_json(root, d)) {
        cJSON_Delete(root);
        return report_out_of_memory(d->path, err) == 0;
    }
    if (!json_print_for_page(root, true, out)) return false;
    fputs(",\n", out);
    return true;
}
