// Hot paths and own callers, as text and as JSON.
#include "base/paths.h"
#include "report/contexts.h"
#include "report/hot_paths.h"
#include "report/json.h"
#include "report/style.h"
#include "report/words.h"
#include <string.h>

enum { TEXT = 512, INDENT = 2 };

static void function_words(const struct run *d, struct place place, char *text, size_t size) {
    unsigned line;
    const char *file = report_source(d, place, &line);
    report_label_of_hart(d, BY_FUNCTION, place, text, size);
    if (file) words_append(text, size, " (%s:%u)", paths_name(file), line);
}

static void print_paths(const struct hot_path *list, size_t count, const struct run *d, const struct report_options *o,
                        FILE *out) {
    style_heading(out, o, "Hot paths: functions with what they call, %d %% and more", 100 / HOT_PATH_PART);
    fputs("   share   itself  called by > function\n", out);
    for (size_t i = 0; i < count && (!o->top || i < o->top); i++) {
        style_share(out, o, list[i].weight, d->total);
        style_share(out, o, list[i].own, d->total);
        fprintf(out, "  %*s%s%s\n", (int)list[i].depth * INDENT, "", list[i].depth ? "> " : "", list[i].names);
    }
}

static void print_calls(const struct own_call *list, size_t count, const struct run *d, const struct report_options *o,
                        FILE *out) {
    char caller[TEXT], callee[TEXT];
    style_heading(out, o, "Code whose source is not found, by the nearest caller whose is");
    fputs("   share  called by > function\n", out);
    for (size_t i = 0; i < count; i++) {
        function_words(d, list[i].caller, caller, sizeof caller);
        report_label_of_hart(d, BY_FUNCTION, list[i].callee, callee, sizeof callee);
        style_share(out, o, list[i].weight, d->total);
        fprintf(out, "  %s > %s\n", caller, callee);
    }
}

static size_t calls_shown(const struct run *d, const struct own_call *list, size_t count) {
    size_t shown = 0;
    while (shown < count && list[shown].weight * OWN_CALLER_PART >= d->total)
        shown++;
    return shown;
}

void hot_paths_print(const struct run *d, const struct report_options *o, FILE *out) {
    const struct hot_paths *h = run_hot_paths(d);
    size_t count, calls;
    if (!h) return;
    const struct hot_path *list = hot_paths_list(h, &count);
    const struct own_call *own = own_calls_list(h, &calls);
    if (count) print_paths(list, count, d, o, out);
    calls = calls_shown(d, own, calls);
    if (calls) print_calls(own, calls, d, o, out);
}

void hot_paths_add_json(cJSON *root, const struct run *d) {
    const struct hot_paths *h = run_hot_paths(d);
    char text[REPORT_WHOLE];
    size_t count;
    if (!h) return;
    const struct hot_path *list = hot_paths_list(h, &count);
    cJSON *paths = cJSON_AddArrayToObject(root, "hot_paths");
    for (size_t i = 0; i < count; i++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "path", list[i].names);
        cJSON_AddNumberToObject(one, "depth", list[i].depth);
        json_add_u64(one, "weight", list[i].weight);
        json_add_u64(one, "own", list[i].own);
        cJSON_AddItemToArray(paths, one);
    }
    const struct own_call *own = own_calls_list(h, &count);
    cJSON *calls = cJSON_AddArrayToObject(root, "own_callers");
    for (size_t i = 0; i < count; i++) {
        cJSON *one = cJSON_CreateObject();
        report_label_of_hart(d, BY_FUNCTION, own[i].caller, text, sizeof text);
        cJSON_AddStringToObject(one, "caller", text);
        report_label_of_hart(d, BY_FUNCTION, own[i].callee, text, sizeof text);
        cJSON_AddStringToObject(one, "callee", text);
        json_add_u64(one, "weight", own[i].weight);
        cJSON_AddItemToArray(calls, one);
    }
}
