// The report as one HTML file: the page that html/ is bundled to, with the data of a sample file put into it.
#include "base/paths.h"
#include "base/plain_json.h"
#include "base/text_file.h"
#include "report/advice.h"
#include "report/contexts.h"
#include "report/errors.h"
#include "report/formats.h"
#include "report/html_document.h"
#include "report/json.h"
#include "report/sampling_error.h"
#include "report/words.h"
#include "report/xml_text.h"
#include "results.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Where the page has them: a comment each.
#define MARK_TITLE "<!--tipoff:title-->"
#define MARK_TEXT "<!--tipoff:text-->"
#define MARK_DATA "<!--tipoff:data-->"
enum { TEXT = REPORT_WHOLE, LARGEST_PAGE = 16 << 20 };

// ---- the page ----
static char *read_page(const char *path, struct error *err) {
    char *page = path ? text_file_bytes_if_any(path, LARGEST_PAGE, &(size_t){0}) : NULL;
    if (!page) {
        error_set(err, "%s: no page for HTML reports: `make html` builds it, and needs the npm registry once",
                  path ? path : "html/page.html");
        return NULL;
    }
    if (strstr(page, MARK_TITLE) && strstr(page, MARK_TEXT) && strstr(page, MARK_DATA)) return page;
    error_set(err, "%s: not the page of HTML reports: remove it and run `make html`", path);
    free(page);
    return NULL;
}

// Writes the page up to the mark; returns what follows the mark.
static const char *write_until(const char *page, const char *mark, FILE *out) {
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), out);
    return at + strlen(mark);
}

// ---- the data ----
// Of an object of cJSON: its members, as members of ours. No '<' as such is left in them.
static bool write_members(cJSON *object, FILE *out) {
    plain_json(object);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text) return false;
    const size_t length = strlen(text);
    for (size_t i = 1; i + 1 < length; i++) {
        if (text[i] == '<') {
            fputs("\\u003c", out);
        } else {
            fputc(text[i], out);
        }
    }
    fputs(",\n", out);
    cJSON_free(text);
    return true;
}

static void add_states(cJSON *root) {
    cJSON *states = cJSON_AddArrayToObject(root, "states");
    for (unsigned s = 0; s <= STATE_COUNT; s++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", report_state_name(s));
        cJSON_AddStringToObject(o, "words", report_state_words(s));
        cJSON_AddItemToArray(states, o);
    }
}

static void add_events(cJSON *root) {
    static const char *const names[] = {EVENT_NAMES}, *const states[] = {EVENT_STATES}, *const texts[] = {EVENT_TEXTS};
    cJSON *events = cJSON_AddArrayToObject(root, "event_list");
    for (unsigned e = 0; e < EVENT_COUNT; e++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", names[e]);
        cJSON_AddStringToObject(o, "state", states[e]);
        cJSON_AddStringToObject(o, "text", texts[e]);
        cJSON_AddItemToArray(events, o);
    }
}

// What report_why is made of: the page says why of whatever part of the run is looked at.
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

static bool write_run(const struct run *d, FILE *out, struct error *err) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema", 1);
    json_add_run(root, d);
    cJSON_AddStringToObject(root, "settings", d->header->settings);
    cJSON_AddStringToObject(root, "vectors",
                            d->header->vectors == SAMPLES_VECTORS_COMMIT   ? "commit"
                            : d->header->vectors == SAMPLES_VECTORS_SAMPLE ? "sample"
                                                                           : "none");
    const struct lost_triggers *lost = results_lost_triggers(samples_results(d->samples));
    if (lost) json_add_u64(root, "losses", lost->count);
    cJSON_AddStringToObject(root, "profiler", d->profiler);
    cJSON_AddBoolToObject(root, "by_samples", d->by_samples);
    cJSON_AddBoolToObject(root, "readable", d->readable);
    json_add_u64(root, "weight", d->total);
    add_states(root);
    add_events(root);
    add_why(root);
    add_contexts(root, d);
    if (!add_sampling(root, d, err)) {
        cJSON_Delete(root);
        return false;
    }
    if (!add_errors(root, d) || !advice_add_json(root, d)) {
        cJSON_Delete(root);
        return report_out_of_memory(d->path, err) == 0;
    }
    return write_members(root, out);
}

struct data {
    struct call_tree calls;
    struct html_functions functions;
    struct html_inlines *inlines;
    struct string_table *strings;
};

// False without err: no memory.
static bool write_members_of(struct data *s, const struct run *d, FILE *out, struct error *err) {
    const struct call_tree *calls = call_tree_create(&s->calls, d, BY_FUNCTION, 0, NULL) ? &s->calls : NULL;
    s->strings = string_table_create();
    s->inlines = html_inlines_create();
    if (!s->strings || !s->inlines || !html_functions_create(&s->functions, d, calls) || !write_run(d, out, err))
        return false;
    html_functions_write(&s->functions, d, s->inlines, s->strings, out);
    html_inlines_write(s->inlines, out);
    if (!html_known_write(&s->functions, d, s->strings, out, err)) return false;
    if (!html_units_write(&s->functions, d, s->strings, out, err)) return false;
    html_snippets_write(&s->functions, d, s->strings, out);
    if (!html_rows_write(&s->functions, d, calls, s->strings, out, err)) return false;
    return html_profilers_write(&s->functions, d, out) && html_sources_write(&s->functions, d, s->strings, out) &&
           string_table_good(s->strings);
}

static bool write_data(const struct run *d, FILE *out, struct error *err) {
    struct data s = {.inlines = NULL};
    error_set(err, "%s", "");
    fputs("{", out);
    const bool good = write_members_of(&s, d, out, err);
    if (good) {
        fputs("\"strings\":", out);
        string_table_write(s.strings, out);
        fputs("}", out);
    }
    html_functions_destroy(&s.functions);
    html_inlines_destroy(s.inlines);
    string_table_destroy(s.strings);
    call_tree_destroy(&s.calls);
    if (!good && err && !*err->text) report_out_of_memory(d->path, err);
    return good;
}

// For readers without JavaScript: the report as text.
static bool write_text(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct report_options plain = *o;
    char *text = NULL;
    size_t bytes = 0;
    plain.colour = false;
    plain.utf8 = true;
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory) return report_out_of_memory(d->path, err) == 0;
    bool good = report_text(d, &plain, memory, err) == 0;
    if (fclose(memory) != 0) good = good && report_out_of_memory(d->path, err) == 0;
    if (good) xml_text(out, text);
    free(text);
    return good;
}

static int write_html(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    char *page = read_page(o->page, err);
    if (!page) return -ENOENT;
    const char *rest = write_until(page, MARK_TITLE, out);
    xml_text(out, paths_name(d->header->program));
    rest = write_until(rest, MARK_TEXT, out);
    bool good = write_text(d, o, out, err);
    rest = write_until(rest, MARK_DATA, out);
    good = good && write_data(d, out, err);
    fputs(rest, out);
    free(page);
    return good ? 0 : -EINVAL;
}

const struct report_format format_html = {.name = "html", .write = write_html};
