// Time in which instructions commit goes with their number and with how many commit together: neither waits for
// anything that an event names.
#include "report/computing.h"
#include "base/paths.h"
#include "report/function_flows.h"
#include "report/json.h"
#include "report/style.h"
#include "report/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LITTLE = 50, FULL = 80 }; // LITTLE: loops with less than one part in this many of all time are left out; FULL: %

// Executions of all instructions of the loop's own blocks.
static uint64_t executed_in(const struct flows *s, const struct function_flow *f, size_t loop) {
    uint64_t sum = 0;
    for (size_t b = 0; b < f->block_count; b++) {
        if (f->blocks[b].loop == loop) sum += flows_executions(s, f, b) * f->blocks[b].count;
    }
    return sum;
}

static struct computing_loop loop_of(const struct units *u, size_t unit) {
    const struct unit *of = &u->list[unit];
    const struct flow_part *part = of->own;
    const struct flows *s = u->state;
    struct computing_loop l = {.weight = u->times[unit].states[STATE_COMPUTING], .instructions = NAN, .cycles = NAN};
    const size_t most = sizeof l.at / 2;
    snprintf(l.at, sizeof l.at, "%.*s", (int)most, of->name);
    if (of->file) words_append(l.at, sizeof l.at, " (%.*s:%u)", (int)most - 16, paths_name(of->file), of->line);
    if (!executed_known(s->executed)) return l;
    l.iterations = flows_executions(s, part->of, part->of->loops[part->number].header);
    if (!l.iterations) return l;
    l.instructions = (double)executed_in(s, part->of, part->number) / (double)l.iterations;
    l.cycles = (double)u->times[unit].weight / u->run->header->units / (double)l.iterations;
    return l;
}

static void add_loop(struct computing *c, const struct computing_loop *loop) {
    size_t at = c->loop_count;
    while (at > 0 && c->loops[at - 1].weight < loop->weight)
        at--;
    if (at == COMPUTING_LOOPS) return;
    if (c->loop_count < COMPUTING_LOOPS) c->loop_count++;
    for (size_t i = c->loop_count - 1; i > at; i--)
        c->loops[i] = c->loops[i - 1];
    c->loops[at] = *loop;
}

bool computing_find(const struct run *d, struct computing *c) {
    *c = (struct computing){.weight = run_all(d).states[STATE_COMPUTING], .width = d->header->width, .a_cycle = NAN};
    if (!c->weight || c->weight * COMPUTING_PART < d->total) return false;
    // The profile may end before the run does: its share of the run's cycles counts.
    if (d->instructions && d->cycles && !d->shown && d->harts == 1)
        c->a_cycle = (double)d->instructions / ((double)d->cycles * (double)c->weight / (double)d->total);
    struct units *u = d->readable ? units_create(d, unit_kind_find("loop")) : NULL;
    for (size_t i = 0; u && i < u->count; i++) {
        if (!u->list[i].own || u->times[i].states[STATE_COMPUTING] * LITTLE < d->total) continue;
        const struct computing_loop loop = loop_of(u, i);
        add_loop(c, &loop);
    }
    units_destroy(u);
    return true;
}

// "": not known.
static const char *what_helps(const struct computing *c) {
    if (isnan(c->a_cycle)) return "";
    return c->a_cycle * 100 >= FULL * (double)c->width
               ? "only fewer instructions help (algorithm, compiler's options, wider operations)"
               : "fewer instructions help, and those that finish together (less of a chain)";
}

static void print_loop(const struct run *d, const struct report_options *o, const struct computing_loop *l, FILE *out) {
    char n[32];
    style_share(out, o, l->weight, d->total);
    fprintf(out, "  loop at %s", l->at);
    if (l->iterations)
        fprintf(out, ": %s iterations of %.1f instructions in %.1f cycles, without loops inside it",
                style_number(l->iterations, n), l->instructions, l->cycles);
    fputc('\n', out);
}

void computing_print(const struct run *d, const struct report_options *o, FILE *out) {
    struct computing c;
    if (!computing_find(d, &c)) return;
    style_heading(out, o, "Computing: instructions commit, and wait for nothing");
    style_share(out, o, c.weight, d->total);
    if (isnan(c.a_cycle)) {
        fprintf(out, "  at most %u instructions commit a cycle", c.width);
    } else {
        fprintf(out, "  %.2f instructions commit in such a cycle, of %u at most: %s", c.a_cycle, c.width,
                what_helps(&c));
    }
    fputc('\n', out);
    for (size_t i = 0; i < c.loop_count; i++)
        print_loop(d, o, &c.loops[i], out);
}

static void add_real(cJSON *object, const char *key, double value) {
    if (isnan(value)) {
        cJSON_AddNullToObject(object, key);
    } else {
        cJSON_AddNumberToObject(object, key, value);
    }
}

void computing_add_json(cJSON *root, const struct run *d) {
    struct computing c;
    if (!computing_find(d, &c)) return;
    cJSON *object = cJSON_AddObjectToObject(root, "computing");
    json_add_u64(object, "weight", c.weight);
    cJSON_AddNumberToObject(object, "width", c.width);
    add_real(object, "instructions_a_cycle", c.a_cycle);
    cJSON_AddStringToObject(object, "advice", what_helps(&c));
    cJSON *loops = cJSON_AddArrayToObject(object, "loops");
    for (size_t i = 0; i < c.loop_count; i++) {
        cJSON *loop = cJSON_CreateObject();
        cJSON_AddStringToObject(loop, "at", c.loops[i].at);
        json_add_u64(loop, "weight", c.loops[i].weight);
        json_add_u64(loop, "iterations", c.loops[i].iterations);
        add_real(loop, "instructions", c.loops[i].instructions);
        add_real(loop, "cycles", c.loops[i].cycles);
        cJSON_AddItemToArray(loops, loop);
    }
}
