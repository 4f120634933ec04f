// Functions with what they call, callers and callees (--children, --callers, --callees), as text, CSV and JSON.
#include "base/paths.h"
#include "report/call_tree.h"
#include "report/contexts.h"
#include "report/csv.h"
#include "report/formats.h"
#include "report/json.h"
#include "report/place_columns.h"
#include "report/style.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 };

struct calls {
    const struct run *data;
    const struct report_options *options;
    struct call_tree tree;
    FILE *out;
};

static size_t shown(const struct calls *c, size_t count) {
    return c->options->top && c->options->top < count ? c->options->top : count;
}

static void name_of(const struct calls *c, size_t function, char *text, size_t size) {
    if (function == CALL_TREE_NONE) {
        snprintf(text, size, "(none: outermost frame)");
    } else {
        report_label(c->data, BY_FUNCTION, c->tree.functions[function].place, text, size);
    }
}

static void source_of(const struct calls *c, size_t function, char *text, size_t size) {
    unsigned line;
    const char *file =
        function == CALL_TREE_NONE ? NULL : report_source(c->data, c->tree.functions[function].place, &line);
    *text = '\0';
    if (file) snprintf(text, size, "%s:%u", paths_name(file), line);
}

// ---- orders: most time first, then by place ----
struct ranked {
    struct call_function function;
    size_t number;
};

static int compare_functions(const void *x, const void *y) {
    const struct call_function *a = &((const struct ranked *)x)->function, *b = &((const struct ranked *)y)->function;
    if (a->inclusive != b->inclusive) return a->inclusive > b->inclusive ? -1 : 1;
    if (a->exclusive != b->exclusive) return a->exclusive > b->exclusive ? -1 : 1;
    if (a->place.pc != b->place.pc) return a->place.pc < b->place.pc ? -1 : 1;
    return a->place.context < b->place.context ? -1 : a->place.context > b->place.context;
}

static int compare_edges(const void *x, const void *y) {
    const struct call_edge *a = x, *b = y;
    if (a->inclusive != b->inclusive) return a->inclusive > b->inclusive ? -1 : 1;
    if (a->caller != b->caller) return a->caller < b->caller ? -1 : 1;
    return a->callee < b->callee ? -1 : a->callee > b->callee;
}

// free() them. NULL: no memory.
static struct ranked *sorted_functions(const struct call_tree *t) {
    struct ranked *list = calloc(t->function_count + 1, sizeof *list);
    for (size_t i = 0; list && i < t->function_count; i++)
        list[i] = (struct ranked){t->functions[i], i};
    if (list) qsort(list, t->function_count, sizeof *list, compare_functions);
    return list;
}

// Those of which `function` is the callee, or the caller; of CALL_TREE_NONE all.
static struct call_edge *sorted_edges(const struct call_tree *t, size_t function, bool callers, size_t *count) {
    struct call_edge *list = calloc(t->edge_count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < t->edge_count; i++) {
        const struct call_edge *e = &t->edges[i];
        if (function == CALL_TREE_NONE || (callers ? e->callee : e->caller) == function) list[(*count)++] = *e;
    }
    if (list) qsort(list, *count, sizeof *list, compare_edges);
    return list;
}

// ---- text ----
static void print_cycles(const struct calls *c, uint64_t weight) {
    char n[32];
    const uint32_t units = c->data->header->units;
    fprintf(c->out, " %13s", style_number((weight + units / 2) / units, n));
}

static void print_row(const struct calls *c, uint64_t weight, uint64_t of, const char *name, const char *source) {
    style_share(c->out, c->options, weight, c->tree.total);
    fputs("  ", c->out);
    style_share(c->out, c->options, weight, of);
    print_cycles(c, weight);
    fprintf(c->out, "  %-32s %s\n", name, source);
}

static void print_functions(const struct calls *c, const struct ranked *list) {
    char name[TEXT], source[TEXT];
    const size_t rows = shown(c, c->tree.function_count);
    style_heading(c->out, c->options, "Functions with what they call (%zu of %zu)", rows, c->tree.function_count);
    fputs("inclusive  exclusive        cycles  function                         source\n", c->out);
    for (size_t i = 0; i < rows; i++) {
        const size_t function = list[i].number;
        name_of(c, function, name, sizeof name);
        source_of(c, function, source, sizeof source);
        fputc(' ', c->out);
        style_share(c->out, c->options, list[i].function.inclusive, c->tree.total);
        fputs("   ", c->out);
        style_share(c->out, c->options, list[i].function.exclusive, c->tree.total);
        print_cycles(c, list[i].function.inclusive);
        fprintf(c->out, "  %-32s %s\n", name, source);
    }
}

static void print_edges(const struct calls *c, size_t function, bool callers, const struct call_edge *list,
                        size_t count) {
    char name[TEXT], source[TEXT];
    const struct call_function *f = &c->tree.functions[function];
    const size_t rows = shown(c, count);
    name_of(c, function, name, sizeof name);
    style_heading(c->out, c->options, callers ? "Callers of %s (%zu of %zu)" : "Callees of %s (%zu of %zu)", name, rows,
                  count);
    fprintf(c->out, "   share   of it        cycles  %s\n", callers ? "caller" : "callee");
    if (!callers) print_row(c, f->exclusive, f->inclusive, "(itself)", "");
    for (size_t i = 0; i < rows; i++) {
        const size_t other = callers ? list[i].caller : list[i].callee;
        name_of(c, other, name, sizeof name);
        source_of(c, other, source, sizeof source);
        print_row(c, list[i].inclusive, f->inclusive, name, other == function ? "(recursion)" : source);
    }
}

static void print_unknown(const struct calls *c) {
    if (!c->tree.unknown) return;
    fputs("\n  ", c->out);
    style_share(c->out, c->options, c->tree.unknown, c->tree.total);
    fputs(" of the time has no known callers: the run had more stacks than --worker call-stacks:most=N keeps\n",
          c->out);
}

// ---- CSV ----
static void csv_head(const struct calls *c, const char *columns) {
    csv_run(c->out, c->data);
    fprintf(c->out, "%s\n", columns);
}

static void csv_functions(const struct calls *c, const struct ranked *list) {
    csv_head(c, "profiler,function,inclusive,exclusive,source,mode,space,image");
    for (size_t i = 0; i < shown(c, c->tree.function_count); i++) {
        const struct call_function *f = &list[i].function;
        csv_text(c->out, c->data->profiler);
        fputc(',', c->out);
        place_csv(c->out, c->data, BY_FUNCTION, f->place, "name");
        fprintf(c->out, ",%llu,%llu,", (unsigned long long)f->inclusive, (unsigned long long)f->exclusive);
        place_csv(c->out, c->data, BY_FUNCTION, f->place, "source", "mode", "space", "image");
        fputc('\n', c->out);
    }
}

static void csv_edges(const struct calls *c, const struct call_edge *list, size_t count) {
    char text[REPORT_WHOLE];
    for (size_t i = 0; i < shown(c, count); i++) {
        const struct call_edge *e = &list[i];
        csv_text(c->out, c->data->profiler);
        fputc(',', c->out);
        text[0] = '\0';
        if (e->caller != CALL_TREE_NONE) name_of(c, e->caller, text, sizeof text);
        csv_text(c->out, text);
        fputc(',', c->out);
        name_of(c, e->callee, text, sizeof text);
        csv_text(c->out, text);
        fprintf(c->out, ",%llu\n", (unsigned long long)e->inclusive);
    }
}

// ---- JSON ----
static cJSON *json_function(const struct calls *c, const struct call_function *f) {
    cJSON *object = cJSON_CreateObject();
    place_json(object, c->data, BY_FUNCTION, f->place, "name", "?file", "?line", "?mode", "?image", "?space",
               "?process");
    json_add_u64(object, "inclusive", f->inclusive);
    json_add_u64(object, "exclusive", f->exclusive);
    return object;
}

static cJSON *json_edge(const struct calls *c, const struct call_edge *e) {
    char text[REPORT_WHOLE];
    cJSON *object = cJSON_CreateObject();
    if (e->caller == CALL_TREE_NONE) {
        cJSON_AddNullToObject(object, "caller");
    } else {
        name_of(c, e->caller, text, sizeof text);
        cJSON_AddStringToObject(object, "caller", text);
    }
    name_of(c, e->callee, text, sizeof text);
    cJSON_AddStringToObject(object, "callee", text);
    json_add_u64(object, "inclusive", e->inclusive);
    return object;
}

// ---- what was asked for ----
// As --annotate takes it: without parameters, by its symbol, with its file.
static bool is_called(const struct calls *c, struct place place, const char *name) {
    struct image_hit hit;
    size_t count;
    if (place.pc == PROFILE_PC_END || !images_find(c->data->images, place, &hit)) return false;
    const size_t function = program_instructions(hit.program, &count)[hit.instruction].function;
    return program_function_is(hit.program, &program_functions(hit.program, &count)[function], name);
}

static bool is_named(const struct calls *c, size_t function, const char *name) {
    char text[REPORT_WHOLE];
    report_name(c->data, BY_FUNCTION, c->tree.functions[function].place, text, sizeof text);
    if (strcmp(text, name) == 0) return true;
    name_of(c, function, text, sizeof text); // with image and process, which tell functions of one name apart
    return strcmp(text, name) == 0 || is_called(c, c->tree.functions[function].place, name);
}

// The next function of that name, from `from` on.
static size_t find(const struct calls *c, const char *name, size_t from) {
    for (size_t i = from; i < c->tree.function_count; i++) {
        if (is_named(c, i, name)) return i;
    }
    return CALL_TREE_NONE;
}

static int report_edges(const struct calls *c, size_t function, bool callers, cJSON *json, struct error *err) {
    size_t count;
    struct call_edge *list = sorted_edges(&c->tree, function, callers, &count);
    if (!list) return report_out_of_memory(c->data->path, err);
    if (json) {
        for (size_t i = 0; i < shown(c, count); i++)
            cJSON_AddItemToArray(json, json_edge(c, &list[i]));
    } else if (c->options->format == &format_csv) {
        csv_edges(c, list, count);
    } else {
        print_edges(c, function, callers, list, count);
    }
    free(list);
    return 0;
}

static int report_named(const struct calls *c, const char *name, bool callers, cJSON *json, struct error *err) {
    size_t function = find(c, name, 0);
    if (function == CALL_TREE_NONE) {
        error_set(err, "%s: no function '%s' has time: `tipoff report --children --top 0` lists those that have",
                  c->data->path, name);
        return -EINVAL;
    }
    int result = 0;
    for (; result == 0 && function != CALL_TREE_NONE; function = find(c, name, function + 1))
        result = report_edges(c, function, callers, json, err);
    return result;
}

static int report_functions(const struct calls *c, cJSON *json, struct error *err) {
    struct ranked *list = sorted_functions(&c->tree);
    if (!list) return report_out_of_memory(c->data->path, err);
    if (json) {
        for (size_t i = 0; i < shown(c, c->tree.function_count); i++)
            cJSON_AddItemToArray(json, json_function(c, &list[i].function));
    } else if (c->options->format == &format_csv) {
        csv_functions(c, list);
    } else {
        print_functions(c, list);
    }
    free(list);
    return 0;
}

static int write_json(const struct calls *c, struct error *err) {
    const struct report_options *o = c->options;
    cJSON *root = cJSON_CreateObject();
    int result = 0;
    json_add_profile(root, c->data);
    json_add_u64(root, "unknown", c->tree.unknown);
    if (o->children) result = report_functions(c, cJSON_AddArrayToObject(root, "functions"), err);
    cJSON *calls = cJSON_AddArrayToObject(root, "calls");
    if (result == 0 && o->callers) result = report_named(c, o->callers, true, calls, err);
    if (result == 0 && o->callees) result = report_named(c, o->callees, false, calls, err);
    if (result == 0 && !o->callers && !o->callees) result = report_edges(c, CALL_TREE_NONE, true, calls, err);
    if (result == 0) return json_print(root, c->data->path, c->out, err);
    cJSON_Delete(root);
    return result;
}

static int write_tables(const struct calls *c, struct error *err) {
    const struct report_options *o = c->options;
    int result = o->children ? report_functions(c, NULL, err) : 0;
    if (o->format == &format_csv && !o->children) csv_head(c, "profiler,caller,callee,inclusive");
    if (result == 0 && o->callers) result = report_named(c, o->callers, true, NULL, err);
    if (result == 0 && o->callees) result = report_named(c, o->callees, false, NULL, err);
    if (result == 0 && o->format == &format_text) print_unknown(c);
    return result;
}

int report_calls(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct calls c = {.data = d, .options = o, .out = out};
    if (!call_tree_create(&c.tree, d, BY_FUNCTION, 0, err)) return -EINVAL;
    int result = o->format == &format_json ? write_json(&c, err) : write_tables(&c, err);
    call_tree_destroy(&c.tree);
    return result;
}
