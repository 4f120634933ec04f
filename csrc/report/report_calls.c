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

struct function_row {
    const struct calls *calls;
    size_t function;
};
struct edge_row {
    const struct calls *calls;
    const struct call_edge *edge;
    size_t function; // text: whose callers, or callees, are listed
    bool callers, itself;
};

static size_t shown(const struct calls *c, size_t count) {
    return c->options->top && c->options->top < count ? c->options->top : count;
}

// ---- orders: most time first, then by place ----
static int compare_functions(const void *x, const void *y, void *functions) {
    const struct call_function *all = functions, *a = &all[*(const size_t *)x], *b = &all[*(const size_t *)y];
    if (a->inclusive != b->inclusive) return a->inclusive > b->inclusive ? -1 : 1;
    if (a->exclusive != b->exclusive) return a->exclusive > b->exclusive ? -1 : 1;
    return place_order(a->place, b->place);
}

static int compare_edges(const void *x, const void *y) {
    const struct call_edge *a = x, *b = y;
    if (a->inclusive != b->inclusive) return a->inclusive > b->inclusive ? -1 : 1;
    if (a->caller != b->caller) return a->caller < b->caller ? -1 : 1;
    return a->callee < b->callee ? -1 : a->callee > b->callee;
}

// free() them. NULL: no memory.
static size_t *sorted_functions(const struct call_tree *t) {
    size_t *list = malloc((t->function_count + 1) * sizeof *list);
    for (size_t i = 0; list && i < t->function_count; i++)
        list[i] = i;
    if (list) qsort_r(list, t->function_count, sizeof *list, compare_functions, t->functions);
    return list;
}

// Those with `function` as the callee, or the caller; of CALL_TREE_NONE all.
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

// ---- rows ----
static struct value function_value(const void *row, const char *column, char *room, size_t size) {
    const struct function_row *r = row;
    const struct run *d = r->calls->data;
    const struct call_function *f = &r->calls->tree.functions[r->function];
    if (column_is(column, "profiler")) return value_text(d->profiler);
    if (column_is(column, "inclusive")) return value_weight(f->inclusive, d->header->units);
    if (column_is(column, "exclusive")) return value_count(f->exclusive);
    if (column_is(column, "inclusive_cycles")) return value_cycles(f->inclusive, d->header->units);
    if (column_is(column, "exclusive_cycles")) return value_cycles(f->exclusive, d->header->units);
    if (column_is(column, "inclusive_share")) return value_share(f->inclusive, r->calls->tree.total);
    if (column_is(column, "exclusive_share")) return value_share(f->exclusive, r->calls->tree.total);
    return place_value(d, BY_FUNCTION, f->place, column_is(column, "function") ? "name" : column, room, size);
}

static const struct columns functions[2] = {
    {.text = " {inclusive_share}   {exclusive_share} {inclusive:13}  {label_of_hart:-32} {at}\n",
     .csv = "profiler,function,inclusive_cycles,exclusive_cycles,source,mode,space,image",
     .json = "name,?file,?line,?mode,?image,?space,?process,?hart,inclusive,exclusive",
     .get = function_value},
    {.text = " {inclusive_share}   {exclusive_share} {inclusive:13}  {label_of_hart:-32} {at}\n",
     .csv = "profiler,function,inclusive_cycles,exclusive_cycles,source,mode,space,image,hart",
     .json = "name,?file,?line,?mode,?image,?space,?process,?hart,inclusive,exclusive",
     .get = function_value}}; // of several harts

static struct value function_name(const struct calls *c, size_t function, char *room, size_t size) {
    if (function == CALL_TREE_NONE) return value_none();
    report_label_of_hart(c->data, BY_FUNCTION, c->tree.functions[function].place, room, size);
    return value_text(room);
}

static struct value edge_value(const void *row, const char *column, char *room, size_t size) {
    const struct edge_row *r = row;
    const struct calls *c = r->calls;
    if (column_is(column, "profiler")) return value_text(c->data->profiler);
    if (column_is(column, "inclusive")) return value_weight(r->edge->inclusive, c->data->header->units);
    if (column_is(column, "inclusive_cycles")) return value_cycles(r->edge->inclusive, c->data->header->units);
    if (column_is(column, "share")) return value_share(r->edge->inclusive, c->tree.total);
    if (column_is(column, "of_it")) return value_share(r->edge->inclusive, c->tree.functions[r->function].inclusive);
    if (column_is(column, "caller")) return function_name(c, r->edge->caller, room, size);
    if (column_is(column, "callee")) return function_name(c, r->edge->callee, room, size);
    const size_t other = r->callers ? r->edge->caller : r->edge->callee; // text: the line's function
    if (column_is(column, "other") && r->itself) return value_text("(itself)");
    if (column_is(column, "other") && other == CALL_TREE_NONE) return value_text("(none: outermost frame)");
    if (column_is(column, "other")) return function_name(c, other, room, size);
    if (r->itself || other == CALL_TREE_NONE) return value_text("");
    if (other == r->function) return value_text("(recursion)");
    return place_value(c->data, BY_FUNCTION, c->tree.functions[other].place, column, room, size);
}

static const struct columns edges = {.text = "{share}  {of_it} {inclusive:13}  {other:-32} {at}\n",
                                     .csv = "profiler,caller,callee,inclusive_cycles",
                                     .json = "caller,callee,inclusive",
                                     .get = edge_value};

// ---- functions by name ----
// As --annotate takes it: without parameters, by its symbol, with its file.
static bool is_called(const struct calls *c, struct place place, const char *name) {
    struct image_hit hit;
    return place.pc != PROFILE_PC_END && images_find(c->data->images, place, &hit) &&
           program_function_is(hit.program, image_hit_function(&hit), name);
}

static bool is_named(const struct calls *c, size_t function, const char *name) {
    const struct place place = c->tree.functions[function].place;
    char text[REPORT_WHOLE];
    report_name(c->data, BY_FUNCTION, place, text, sizeof text);
    if (strcmp(text, name) == 0) return true;
    report_label_of_hart(c->data, BY_FUNCTION, place, text,
                         sizeof text); // with image and process, which distinguish functions of one name
    return strcmp(text, name) == 0 || is_called(c, place, name);
}

// The next function of that name, from `from` on.
static size_t find(const struct calls *c, const char *name, size_t from) {
    for (size_t i = from; i < c->tree.function_count; i++) {
        if (is_named(c, i, name)) return i;
    }
    return CALL_TREE_NONE;
}

// ---- tables ----
static void csv_head(const struct calls *c, const struct columns *columns) {
    csv_run(c->out, c->data, c->options);
    columns_csv_heading(columns, c->out);
}

// json: where the objects go; NULL: to lines of text or CSV.
static int report_functions(const struct calls *c, cJSON *json, struct error *err) {
    struct rows to = {c->options, c->out, json, false};
    const size_t rows = shown(c, c->tree.function_count);
    size_t *list = sorted_functions(&c->tree);
    if (!list) return report_out_of_memory(c->data->path, err);
    if (c->options->format == &format_csv) csv_head(c, &functions[c->data->harts > 1]);
    if (c->options->format == &format_text) {
        style_heading(c->out, c->options, "Functions with what they call (%zu of %zu)", rows, c->tree.function_count);
        fputs("inclusive  exclusive        cycles  function                         source\n", c->out);
    }
    for (size_t i = 0; i < rows; i++)
        rows_add(&to, &functions[c->data->harts > 1], &(struct function_row){c, list[i]});
    free(list);
    return to.failed ? report_out_of_memory(c->data->path, err) : 0;
}

static void edges_heading(const struct calls *c, size_t function, bool callers, size_t count) {
    const struct call_function *f = &c->tree.functions[function];
    const struct call_edge own = {.inclusive = f->exclusive};
    char name[TEXT];
    report_label_of_hart(c->data, BY_FUNCTION, f->place, name, sizeof name);
    style_heading(c->out, c->options, callers ? "Callers of %s (%zu of %zu)" : "Callees of %s (%zu of %zu)", name,
                  shown(c, count), count);
    fprintf(c->out, "   share   of it        cycles  %s\n", callers ? "caller" : "callee");
    if (!callers) columns_text(&edges, c->options, &(struct edge_row){c, &own, function, false, true}, c->out);
}

static int report_edges(const struct calls *c, size_t function, bool callers, cJSON *json, struct error *err) {
    struct rows to = {c->options, c->out, json, false};
    size_t count;
    struct call_edge *list = sorted_edges(&c->tree, function, callers, &count);
    if (!list) return report_out_of_memory(c->data->path, err);
    if (c->options->format == &format_text) edges_heading(c, function, callers, count);
    for (size_t i = 0; i < shown(c, count); i++)
        rows_add(&to, &edges, &(struct edge_row){c, &list[i], function, callers, false});
    free(list);
    return to.failed ? report_out_of_memory(c->data->path, err) : 0;
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

static void print_unknown(const struct calls *c) {
    if (!c->tree.unknown) return;
    fputs("\n  ", c->out);
    style_share(c->out, c->options, c->tree.unknown, c->tree.total);
    fputs(" of the time has no known callers: the run had more stacks than --worker call-stacks:most=N keeps\n",
          c->out);
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
    if (o->format == &format_csv && !o->children) csv_head(c, &edges);
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
