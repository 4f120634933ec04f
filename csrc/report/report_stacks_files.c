// Cycle stacks as CSV and JSON: instructions and functions (or one granularity), a row or object a component.
#include "report/csv.h"
#include "report/formats.h"
#include "report/json.h"
#include "report/place_columns.h"
#include "report/stacks.h"
#include "report/time_columns.h"
#include "report/words.h"
#include "results.h"
#include <string.h>

static size_t granularities(const struct report_options *o, enum granularity list[2]) {
    list[0] = o->one_table ? o->granularity : BY_FUNCTION;
    list[1] = BY_INSTRUCTION;
    return o->one_table ? 1 : 2;
}

static cJSON *component_object(const struct run *d, const struct stack_component *c, uint64_t height) {
    cJSON *o = cJSON_CreateObject(), *events = cJSON_AddArrayToObject(o, "events");
    for (uint32_t e = 0; e < d->header->event_count; e++) {
        if (c->psv >> e & 1) cJSON_AddItemToArray(events, cJSON_CreateString(d->header->events[e]));
    }
    cJSON_AddNumberToObject(o, "psv", c->psv);
    json_add_u64(o, "weight", c->weight);
    cJSON_AddNumberToObject(o, "share", height ? (double)c->weight / (double)height : 0);
    cJSON *states = cJSON_AddObjectToObject(o, "states");
    for (unsigned state = 0; state <= STATE_COUNT; state++) {
        if (c->states[state]) json_add_u64(states, report_state_name(state), c->states[state]);
    }
    return o;
}

struct stack_row {
    struct unit_row of; // its time: the stack's, or a component's
    const struct stack *stack;
    unsigned psv; // of the component
};

static struct value stack_value(const void *row, const char *column, char *room, size_t size) {
    const struct stack_row *r = row;
    const struct run *d = r->of.of.run;
    if (column_is(column, "unit_cycles")) return value_cycles(r->stack->weight, d->header->units);
    if (column_is(column, "psv")) return value_count(r->psv);
    if (column_is(column, "events")) {
        stacks_events(d, r->psv, room, size);
        return value_text(room);
    }
    if (!column_is(column, "components")) return unit_value(&r->of, column, room, size);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < r->stack->count; i++)
        cJSON_AddItemToArray(array, component_object(d, &r->stack->components[i], r->stack->weight));
    return value_item(array);
}

static const struct columns columns[2] = {
    {.csv = "profiler,granularity,unit,unit_cycles,events,psv,cycles,states,name,instruction,mode,space,image",
     .json = "unit,name,?instruction,?mode,?image,?space,?process,weight,cycles,share,components",
     .get = stack_value},
    {.csv = "profiler,granularity,unit,unit_cycles,events,psv,cycles,states,name,instruction,mode,space,image,hart",
     .json = "unit,name,?instruction,?mode,?image,?space,?process,?hart,weight,cycles,share,components",
     .get = stack_value}}; // of several harts

// A row of CSV a component, an object of JSON a stack.
static void add_stack(struct rows *to, const struct run *d, enum granularity g, const struct stack *s) {
    for (size_t i = 0; i < (to->array ? 1 : s->count); i++) {
        const struct stack_component *c = &s->components[i];
        struct unit_time time = {.weight = to->array ? s->weight : c->weight};
        memcpy(time.states, c->states, sizeof time.states);
        const struct time_row of = {.run = d, .time = &time};
        rows_add(to, &columns[d->harts > 1], &(struct stack_row){{of, g, s->place}, s, c->psv});
    }
}

// False: no memory.
static bool add_stacks(struct rows *to, const struct run *d, enum granularity g) {
    const size_t top = to->options->top;
    struct stacks s;
    if (!stacks_create(&s, d, g)) return false;
    for (size_t i = 0; i < s.count && (!top || i < top); i++)
        add_stack(to, d, g, &s.stacks[i]);
    stacks_destroy(&s);
    return !to->failed;
}

// What the events explain, as a second comment.
static void print_met(const struct events_met *e, FILE *out) {
    if (!e->known) return;
    fprintf(out, "# executions=%llu with_event=%llu with_several=%llu", (unsigned long long)e->executions,
            (unsigned long long)e->any, (unsigned long long)e->combined);
    fprintf(out, " base_stalls=%llu base_stall_cycles=%llu base_stall_lengths=", (unsigned long long)e->stalls,
            (unsigned long long)e->stall_cycles);
    for (size_t i = 0; i < e->length_count; i++)
        fprintf(out, "%s%llu:%llu", i ? "," : "", (unsigned long long)e->lengths[i].length,
                (unsigned long long)e->lengths[i].stalls);
    fputc('\n', out);
}

int report_stacks_csv(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct rows to = {.options = o, .out = out};
    const struct events_met met = events_met_of(d);
    enum granularity list[2];
    const size_t count = granularities(o, list);
    csv_run(out, d, o);
    if (o->comments) print_met(&met, out);
    columns_csv_heading(&columns[d->harts > 1], out);
    for (size_t i = 0; i < count; i++)
        if (!add_stacks(&to, d, list[i])) return report_out_of_memory(d->path, err);
    return 0;
}

static void add_base_stalls(cJSON *o, const struct run *d, const struct events_met *e) {
    json_add_u64(o, "count", e->stalls);
    json_add_u64(o, "cycles", e->stall_cycles);
    json_add_u64(o, "p50", events_met_quantile(e, 0.5));
    json_add_u64(o, "p90", events_met_quantile(e, 0.9));
    json_add_u64(o, "p99", events_met_quantile(e, 0.99));
    json_add_u64(o, "longest", events_met_longest(e));
    cJSON_AddNumberToObject(o, "published_p99", PUBLISHED_BASE_STALL);
    cJSON *lengths = cJSON_AddArrayToObject(o, "lengths");
    for (size_t i = 0; i < e->length_count; i++) {
        cJSON *pair = cJSON_CreateArray();
        cJSON_AddItemToArray(pair, cJSON_CreateNumber((double)e->lengths[i].length));
        cJSON_AddItemToArray(pair, cJSON_CreateNumber((double)e->lengths[i].stalls));
        cJSON_AddItemToArray(lengths, pair);
    }
    cJSON *longs = cJSON_AddArrayToObject(o, "long");
    for (size_t i = 0; i < e->long_count; i++) {
        cJSON *object = place_json(d, BY_INSTRUCTION, e->longs[i].place, "unit");
        cJSON_AddStringToObject(object, "kind", stalls_kind(d, e->longs[i].place));
        json_add_u64(object, "count", e->longs[i].count);
        json_add_u64(object, "cycles", e->longs[i].cycles);
        json_add_u64(object, "longest", e->longs[i].longest);
        cJSON_AddItemToArray(longs, object);
    }
}

static void add_met(cJSON *root, const struct run *d, const struct events_met *e) {
    if (!e->known) return;
    cJSON *met = cJSON_AddObjectToObject(root, "executions");
    json_add_u64(met, "all", e->executions);
    json_add_u64(met, "with_event", e->any);
    json_add_u64(met, "with_several", e->combined);
    cJSON_AddNumberToObject(met, "combined_share", e->any ? (double)e->combined / (double)e->any : 0);
    cJSON_AddNumberToObject(met, "published_combined_share", PUBLISHED_COMBINED / 100);
    add_base_stalls(cJSON_AddObjectToObject(root, "base_stalls"), d, e);
}

int report_stacks_json(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    static const char *const names[] = {GRANULARITY_NAMES};
    enum granularity list[2];
    size_t count = granularities(o, list);
    const struct events_met met = events_met_of(d);
    cJSON *root = cJSON_CreateObject();
    bool good = root;
    if (root) json_add_profile(root, d);
    cJSON *stacks = cJSON_AddObjectToObject(root, "stacks");
    for (size_t i = 0; good && i < count; i++) {
        struct rows to = {o, out, cJSON_AddArrayToObject(stacks, names[list[i]]), false};
        good = add_stacks(&to, d, list[i]);
    }
    if (good) add_met(root, d, &met);
    if (good) return json_print(root, d->path, out, err);
    cJSON_Delete(root);
    return report_out_of_memory(d->path, err);
}
