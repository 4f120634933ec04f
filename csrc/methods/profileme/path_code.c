// Graphs are made when the first record of their image is looked at.
#include "methods/profileme/path_code.h"
#include "base/array.h"
#include "isa/control.h"
#include "report/executed.h"
#include "results.h"
#include <stdlib.h>

struct path_code {
    const struct profileme_page *page;
    struct executed *executed;
    struct path_image *images; // by number; graph NULL: not made yet
    size_t count;
    const struct route *routes; // of each record
    size_t route_count;         // 0: the run kept none
    const struct route_step *route_steps;
    bool good;
};
struct transfers {
    struct path_transfer *list;
    size_t count, capacity;
    bool good;
};

int path_code_taken(const struct path_code *c, size_t i, const struct path_image *image,
                    struct path_step steps[ROUTE_STEPS]) {
    if (i >= c->route_count || !c->routes[i].known) return -1;
    const struct result_span *route = &c->routes[i].steps;
    uint32_t count = 0;
    for (; count < route->count; count++) {
        const struct route_step *step = &c->route_steps[route->first + count];
        const size_t from = program_find(image->program, step->from - image->bias);
        const size_t to = program_find(image->program, step->to - image->bias);
        if (from == PROGRAM_NONE || to == PROGRAM_NONE) break;
        steps[count] = (struct path_step){(uint32_t)from, (uint32_t)to};
    }
    return (int)count;
}

size_t path_code_taken_count(const struct path_code *c) {
    return c->route_count;
}

static void add(struct transfers *t, size_t from, size_t to) {
    if (from == PROGRAM_NONE || to == PROGRAM_NONE) return;
    if (!array_reserve(&t->list, &t->capacity, t->count, sizeof *t->list)) {
        t->good = false;
        return;
    }
    t->list[t->count++] = (struct path_transfer){(uint32_t)from, (uint32_t)to};
}

static uint64_t behind(const struct program_instruction *i) {
    return i->pc + ((i->insn & 3) == 3 ? 4 : 2);
}

// Every transfer that was executed in the image. What lies right after a jump is not counted as jumped to.
static void add_executed(struct transfers *t, const struct path_code *c, const struct program *p) {
    size_t count;
    const struct code_pair *edges = executed_between(c->executed, p, 0, UINT64_MAX, &count);
    for (size_t i = 0; i < count; i++)
        if (edges[i].to.program == p) add(t, program_find(p, edges[i].from.pc), program_find(p, edges[i].to.pc));
    const struct program_instruction *list = program_instructions(p, &count);
    for (size_t i = 0; i < count; i++)
        if (control_is_indirect(list[i].insn) && executed_passed(c->executed, p, list[i].pc))
            add(t, i, program_find(p, behind(&list[i])));
}

// Those of the records.
static void add_recorded(struct transfers *t, const struct path_code *c, size_t image) {
    const struct profileme_page *page = c->page;
    struct image_hit from, to;
    for (size_t i = 0; i < page->count; i++) {
        const struct instruction_sample *s = &page->records[i];
        const uint64_t context = place_context(s->mode, s->space);
        if (s->opportunity || s->flushed || !s->resolved || !s->taken) continue;
        if (!images_find(page->data->images, (struct place){s->pc, context}, &from) || from.image != image) continue;
        if (!images_find(page->data->images, (struct place){s->address, context}, &to) || to.image != image) continue;
        add(t, from.instruction, to.instruction);
    }
}

struct counting {
    const struct executed *executed;
    const struct program *program;
    const struct program_instruction *list;
};

static uint64_t executions(void *context, uint32_t from, uint32_t to, bool falls) {
    const struct counting *c = context;
    size_t count;
    if (falls || c->list[to].pc == behind(&c->list[from]))
        return executed_passed(c->executed, c->program, c->list[from].pc);
    const struct code_pair *edges = executed_from(c->executed, c->program, c->list[from].pc, &count);
    for (size_t i = 0; i < count; i++)
        if (edges[i].to.program == c->program && edges[i].to.pc == c->list[to].pc) return edges[i].counts[0];
    return 0;
}

static bool make(struct path_code *c, size_t number, const struct program *p) {
    struct path_image *image = &c->images[number];
    struct transfers seen = {.good = true};
    size_t count;
    const struct program_instruction *list = program_instructions(p, &count);
    if (path_code_counted(c)) {
        add_executed(&seen, c, p);
    } else {
        add_recorded(&seen, c, number);
    }
    image->program = p;
    image->graph = seen.good ? path_graph_create(list, count, seen.list, seen.count) : NULL;
    image->search = image->graph ? path_search_create(image->graph) : NULL;
    free(seen.list);
    if (!image->search) return false;
    if (path_code_counted(c)) path_graph_count(image->graph, executions, &(struct counting){c->executed, p, list});
    return true;
}

// False: no image that can be read has it, or no memory.
static bool find(struct path_code *c, struct place place, struct path_image *image, uint32_t *instruction) {
    struct image_hit hit;
    if (!c->good || !images_find(c->page->data->images, place, &hit) || !hit.program) return false;
    if (!c->images[hit.image].search) c->good = make(c, hit.image, hit.program);
    if (!c->good) return false;
    *image = c->images[hit.image];
    image->bias = hit.bias;
    *instruction = (uint32_t)hit.instruction;
    return true;
}

static struct place place_of(const struct instruction_sample *s) {
    return (struct place){s->pc, place_context(s->mode, s->space)};
}

bool path_code_query(struct path_code *c, size_t i, struct path_query *query, struct path_image *image) {
    const struct instruction_sample *s = &c->page->records[i], *first = i ? s - 1 : NULL;
    struct path_image other;
    if (s->opportunity || s->flushed || !find(c, place_of(s), image, &query->instruction)) return false;
    query->history = s->history;
    query->window = 1u << c->page->settings.window;
    query->other = UINT32_MAX;
    const bool paired = s->pair && s->second && first && first->pair && !first->second;
    if (!paired || first->opportunity || first->flushed || !find(c, place_of(first), &other, &query->other))
        return true;
    if (other.graph != image->graph) query->other = UINT32_MAX;
    return true;
}

bool path_code_good(const struct path_code *c) {
    return c->good;
}

bool path_code_counted(const struct path_code *c) {
    return executed_known(c->executed);
}

struct path_code *path_code_create(const struct profileme_page *page, struct error *err) {
    if (!page->data->readable) {
        error_set(
            err, "%s: paths need the program, which cannot be read, or is not the one that ran: name it with --program",
            page->data->path);
        return NULL;
    }
    struct path_code *c = calloc(1, sizeof *c);
    if (c) {
        c->page = page;
        c->good = true;
        c->count = images_count(page->data->images);
        c->images = calloc(c->count + 1, sizeof *c->images);
        const struct results *results = samples_results(page->data->samples);
        size_t steps;
        c->executed = executed_read(page->data->images, results);
        c->routes = results_route(results, &c->route_count);
        c->route_steps = results_route_step(results, &steps);
    }
    if (c && c->images && c->executed) return c;
    path_code_destroy(c);
    report_out_of_memory(page->data->path, err);
    return NULL;
}

void path_code_destroy(struct path_code *c) {
    if (!c) return;
    for (size_t i = 0; c->images && i < c->count; i++) {
        path_search_destroy(c->images[i].search);
        path_graph_destroy(c->images[i].graph);
    }
    free(c->images);
    executed_free(c->executed);
    free(c);
}
