// Units of the flow of control: basic blocks with the edges that leave them, and loops. Counts are those of the run
// (executed.h), times those of the profile.
#include "analysis/flow.h"
#include "report/executed.h"
#include "report/units.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1024, SHOWN_EDGES = 3 };

struct function_flow;
struct part { // a block or a loop: what a unit is of
    struct function_flow *of;
    size_t number, unit; // unit: UNIT_NONE: it has no time
};
struct function_flow {
    const struct program *program;
    const struct program_function *function;
    struct flow *flow;
    struct part *blocks, *loops;
    uint64_t *nest_times; // of loops, with those inside; NULL: not yet
};
struct program_flows { // of a program, by function; NULL: not yet
    const struct program *program;
    struct function_flow **list;
    size_t count;
};
struct flows {
    const struct report_data *d;
    struct executed *executed;
    struct program_flows *programs;
    size_t program_count;
    size_t unknown; // functions with indirect jumps of which nothing is known
};

// ---- flows of functions, made when the first time in them is met ----
static void free_flow(struct function_flow *f) {
    if (!f) return;
    flow_destroy(f->flow);
    free(f->blocks);
    free(f->loops);
    free(f->nest_times);
    free(f);
}

static void destroy(void *state) {
    struct flows *s = state;
    for (size_t i = 0; i < s->program_count; i++) {
        for (size_t k = 0; k < s->programs[i].count; k++)
            free_flow(s->programs[i].list[k]);
        free(s->programs[i].list);
    }
    free(s->programs);
    executed_free(s->executed);
    free(s);
}

static void *create(const struct report_data *d) {
    struct flows *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->d = d;
    s->programs = calloc(images_count(d->images) + 1, sizeof *s->programs);
    s->executed = executed_read(d);
    if (s->programs && s->executed) return s;
    destroy(s);
    return NULL;
}

static struct part *parts(struct function_flow *f, size_t count) {
    struct part *list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        list[i] = (struct part){f, i, UNIT_NONE};
    return list;
}

// What was executed in the function: jumps, and going on with the next instruction.
static struct flow_jump *executed_jumps(const struct flows *s, const struct program *p,
                                        const struct program_function *f, size_t *count) {
    size_t edges, all;
    const struct program_instruction *i = program_instructions(p, &all);
    const struct executed_edge *edge = executed_between(s->executed, p, f->start, f->end, &edges);
    struct flow_jump *jumps = malloc((edges + f->count + 1) * sizeof *jumps);
    *count = 0;
    for (size_t k = 0; jumps && k < edges; k++) {
        if (edge[k].to_program != p || edge[k].to < f->start || edge[k].to >= f->end) continue;
        struct flow_jump *jump = &jumps[*count];
        *jump = (struct flow_jump){program_find(p, edge[k].from), program_find(p, edge[k].to)};
        *count += jump->from != PROGRAM_NONE && jump->to != PROGRAM_NONE;
    }
    for (size_t k = f->first; jumps && k + 1 < f->first + f->count; k++) {
        if (i[k + 1].block == k + 1 && executed_passed(s->executed, p, i[k].pc))
            jumps[(*count)++] = (struct flow_jump){k, k + 1};
    }
    return jumps;
}

static struct flow *make_flow(const struct flows *s, const struct program *p, size_t function) {
    size_t count;
    if (!executed_known(s->executed)) return flow_create(p, function, NULL, 0);
    struct flow_jump *jumps = executed_jumps(s, p, &program_functions(p, &count)[function], &count);
    struct flow *flow = jumps ? flow_create(p, function, jumps, count) : NULL;
    free(jumps);
    return flow;
}

static struct function_flow *make(struct flows *s, const struct program *p, size_t function) {
    struct function_flow *f = calloc(1, sizeof *f);
    size_t blocks = 0, loops, count;
    bool unknown = false;
    if (!f) return NULL;
    f->program = p;
    f->function = &program_functions(p, &count)[function];
    if ((f->flow = make_flow(s, p, function))) {
        const struct flow_block *list = flow_blocks(f->flow, &blocks);
        flow_loops(f->flow, &loops);
        f->blocks = parts(f, blocks);
        f->loops = parts(f, loops);
        for (size_t i = 0; i < blocks; i++)
            unknown = unknown || list[i].unknown;
    }
    s->unknown += unknown;
    if (f->blocks && f->loops) return f;
    free_flow(f);
    return NULL;
}

static struct function_flow *flow_of(struct flows *s, const struct image_hit *hit) {
    size_t i = 0, count;
    while (i < s->program_count && s->programs[i].program != hit->program)
        i++;
    const size_t function = program_instructions(hit->program, &count)[hit->instruction].function;
    if (i == s->program_count) {
        program_functions(hit->program, &count);
        struct program_flows new = {hit->program, calloc(count + 1, sizeof(void *)), count};
        if (!new.list) return NULL;
        s->programs[s->program_count++] = new;
    }
    struct function_flow **f = &s->programs[i].list[function];
    if (!*f) *f = make(s, hit->program, function);
    return *f;
}

// ---- units ----
// Of what begins with that instruction of hit's program.
static size_t add(struct units *u, struct place place, const struct image_hit *hit, size_t first,
                  const struct part *part) {
    const struct report_data *d = units_data(u);
    char address[32], name[TEXT];
    size_t count;
    unsigned line = 0;
    place.pc = program_instructions(hit->program, &count)[first].pc + hit->bias;
    snprintf(address, sizeof address, "0x%" PRIx64, place.pc);
    report_name(d, BY_INSTRUCTION, place, name, sizeof name);
    const char *file = report_source(d, place, &line);
    return units_add(u, &(struct unit){address, name, images_name(d->images, hit->image), file, line, place, part});
}

static size_t add_text(struct units *u, struct place place, const struct image_hit *hit) {
    char text[TEXT];
    if (hit) {
        snprintf(text, sizeof text, "[not in a loop] %s", units_function(hit));
    } else {
        snprintf(text, sizeof text, "0x%" PRIx64, place.pc);
    }
    const char *image = hit ? images_name(units_data(u)->images, hit->image) : "";
    return units_add(u, &(struct unit){.unit = text, .name = text, .image = image, .place = place});
}

static size_t find_block(struct units *u, void *state, struct place place, const struct image_hit *hit) {
    if (!hit) return add_text(u, place, hit);
    struct function_flow *f = flow_of(state, hit);
    size_t count;
    if (!f) return UNIT_NONE;
    struct part *part = &f->blocks[flow_block_of(f->flow, hit->instruction)];
    if (part->unit == UNIT_NONE)
        part->unit = add(u, place, hit, flow_blocks(f->flow, &count)[part->number].first, part);
    return part->unit;
}

static size_t find_loop(struct units *u, void *state, struct place place, const struct image_hit *hit) {
    if (!hit) return add_text(u, place, hit);
    struct function_flow *f = flow_of(state, hit);
    size_t count;
    if (!f) return UNIT_NONE;
    const struct flow_block *blocks = flow_blocks(f->flow, &count);
    const struct flow_loop *loops = flow_loops(f->flow, &count);
    const size_t innermost = blocks[flow_block_of(f->flow, hit->instruction)].loop;
    if (innermost == PROGRAM_NONE) return add_text(u, place, hit);
    for (size_t i = innermost; i != PROGRAM_NONE; i = loops[i].parent) { // those around it, too
        if (f->loops[i].unit != UNIT_NONE) break;
        f->loops[i].unit = add(u, place, hit, blocks[loops[i].header].first, &f->loops[i]);
        if (f->loops[i].unit == UNIT_NONE) return UNIT_NONE;
    }
    return f->loops[innermost].unit;
}

// ---- counts ----
static const struct program_instruction *instruction(const struct function_flow *f, size_t i) {
    size_t count;
    return &program_instructions(f->program, &count)[i];
}

static uint64_t executions(const struct flows *s, const struct function_flow *f, size_t block) {
    size_t count;
    return executed_count(s->executed, f->program, instruction(f, flow_blocks(f->flow, &count)[block].first)->pc);
}

// How often control went from one block to the next one; behind a call, as often as it was called.
static uint64_t edge_count(const struct flows *s, const struct function_flow *f, size_t from, size_t to) {
    size_t count, edges;
    const struct flow_block *blocks = flow_blocks(f->flow, &count);
    const uint64_t last = instruction(f, blocks[from].first + blocks[from].count - 1)->pc,
                   target = instruction(f, blocks[to].first)->pc;
    const struct executed_edge *e = executed_from(s->executed, f->program, last, &edges);
    uint64_t sum = 0;
    for (size_t i = 0; i < edges; i++) {
        if (e[i].to_program == f->program && e[i].to == target) sum += e[i].count;
    }
    if (to != from + 1) return sum;
    return sum + (blocks[from].calls ? executed_count(s->executed, f->program, last)
                                     : executed_passed(s->executed, f->program, last));
}

static bool is_in(const struct function_flow *f, size_t block, size_t loop) {
    size_t count;
    const struct flow_loop *loops = flow_loops(f->flow, &count);
    for (size_t i = flow_blocks(f->flow, &count)[block].loop; i != PROGRAM_NONE; i = loops[i].parent) {
        if (i == loop) return true;
    }
    return false;
}

static bool goes_to(const struct flow_block *b, size_t to) {
    for (size_t i = 0; i < b->next_count; i++) {
        if (b->next[i] == to) return true;
    }
    return false;
}

// How often control came from outside to the header, and, of a loop that has them, to its other entrances.
static uint64_t entries(const struct flows *s, const struct function_flow *f, size_t loop) {
    size_t count, loop_count;
    const struct flow_block *blocks = flow_blocks(f->flow, &count);
    const struct flow_loop *l = &flow_loops(f->flow, &loop_count)[loop];
    uint64_t to_header = executions(s, f, l->header), to_others = 0;
    for (size_t b = 0; b < count; b++) {
        if (goes_to(&blocks[b], l->header) && is_in(f, b, loop)) {
            const uint64_t back = edge_count(s, f, b, l->header);
            to_header -= back < to_header ? back : to_header;
        }
        if (!l->irreducible || is_in(f, b, loop)) continue;
        for (size_t i = 0; i < blocks[b].next_count; i++) {
            const size_t to = blocks[b].next[i];
            if (to != l->header && is_in(f, to, loop)) to_others += edge_count(s, f, b, to);
        }
    }
    return to_header + to_others;
}

// Time of loops with that of those inside them.
static uint64_t nest_time(const struct units *u, struct function_flow *f, size_t loop) {
    size_t count;
    const struct flow_loop *loops = flow_loops(f->flow, &count);
    if (f->nest_times) return f->nest_times[loop];
    f->nest_times = calloc(count + 1, sizeof *f->nest_times);
    if (!f->nest_times) return 0;
    for (size_t i = 0; i < count; i++) {
        if (f->loops[i].unit == UNIT_NONE) continue;
        for (size_t k = i; k != PROGRAM_NONE; k = loops[k].parent)
            f->nest_times[k] += units_time(u, f->loops[i].unit)->weight;
    }
    return f->nest_times[loop];
}

// ---- cells ----
static void print_ratio(char *text, size_t size, double part, uint64_t whole, int digits) {
    if (whole) {
        snprintf(text, size, "%.*f", digits, part / (double)whole);
    } else {
        snprintf(text, size, "-");
    }
}

static void print_count(char *text, size_t size, bool known, uint64_t count) {
    if (known) {
        snprintf(text, size, "%" PRIu64, count);
    } else {
        snprintf(text, size, "-");
    }
}

enum loop_column { DEPTH, ENTRIES, ITERATIONS, PER_ENTRY, PER_ITERATION, WITH_INNER, NOTE };

static void loop_cell(struct units *u, void *state, size_t unit, unsigned column, char *text, size_t size) {
    const struct flows *s = state;
    const struct part *part = units_unit(u, unit)->own;
    const bool known = executed_known(s->executed);
    size_t count;
    if (!part) {
        snprintf(text, size, "%s", column == DEPTH ? "0" : column == NOTE ? "" : "-");
        return;
    }
    struct function_flow *f = part->of;
    const struct flow_loop *loop = &flow_loops(f->flow, &count)[part->number];
    const uint64_t iterations = known ? executions(s, f, loop->header) : 0;
    switch (column) {
    case DEPTH: snprintf(text, size, "%u", loop->depth); break;
    case ENTRIES: print_count(text, size, known, known ? entries(s, f, part->number) : 0); break;
    case ITERATIONS: print_count(text, size, known, iterations); break;
    case PER_ENTRY: print_ratio(text, size, (double)iterations, known ? entries(s, f, part->number) : 0, 1); break;
    case PER_ITERATION:
        print_ratio(text, size, (double)nest_time(u, f, part->number) / s->d->header->units, iterations, 2);
        break;
    case WITH_INNER: snprintf(text, size, "%.0f", (double)nest_time(u, f, part->number) / s->d->header->units); break;
    default: snprintf(text, size, "%s", loop->irreducible ? "entered at several places" : "");
    }
}

struct target { // where a block goes on
    const struct program *program;
    uint64_t pc, count;
};

static int more_often(const void *x, const void *y) {
    const struct target *a = x, *b = y;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

// free() it. Most often first; nowhere is not among them.
static struct target *targets(const struct flows *s, const struct function_flow *f, const struct flow_block *b,
                              size_t *count) {
    size_t edges, all;
    const size_t last = b->first + b->count - 1;
    const struct executed_edge *e = executed_from(s->executed, f->program, instruction(f, last)->pc, &edges);
    struct target *list = malloc((edges + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < edges; i++) {
        if (e[i].to_program) list[(*count)++] = (struct target){e[i].to_program, e[i].to, e[i].count};
    }
    program_instructions(f->program, &all);
    const uint64_t passed = executed_passed(s->executed, f->program, instruction(f, last)->pc);
    if (list && passed && last + 1 < all)
        list[(*count)++] = (struct target){f->program, instruction(f, last + 1)->pc, passed};
    if (list && *count) qsort(list, *count, sizeof *list, more_often);
    return list;
}

static void target_name(const struct function_flow *f, const struct target *t, char *text, size_t size) {
    size_t count, at = program_find(t->program, t->pc);
    if (at == PROGRAM_NONE) {
        snprintf(text, size, "0x%" PRIx64, t->pc);
        return;
    }
    const struct program_instruction *i = &program_instructions(t->program, &count)[at];
    const struct program_function *to = &program_functions(t->program, &count)[i->function];
    const char *name = to == f->function ? "" : to->name;
    if (t->pc == to->start) {
        snprintf(text, size, "%s", to->name);
    } else {
        snprintf(text, size, "%s+0x%" PRIx64, name, t->pc - to->start);
    }
}

// "0x80000010:12 0x80000020:3", or for people "+0x10 80 %, puts 20 %".
static void print_targets(const struct flows *s, const struct part *part, bool people, char *text, size_t size) {
    size_t count, blocks, used = 0;
    struct function_flow *f = part->of;
    struct target *list = targets(s, f, &flow_blocks(f->flow, &blocks)[part->number], &count);
    uint64_t all = 0;
    for (size_t i = 0; list && i < count; i++)
        all += list[i].count;
    for (size_t i = 0; list && i < count && used < size; i++) {
        char name[TEXT];
        target_name(f, &list[i], name, sizeof name);
        if (!people) {
            used += (size_t)snprintf(text + used, size - used, "%s0x%" PRIx64 ":%" PRIu64, i ? " " : "", list[i].pc,
                                     list[i].count);
        } else if (i == SHOWN_EDGES) {
            snprintf(text + used, size - used, ", %zu more", count - i);
            break;
        } else {
            used += (size_t)snprintf(text + used, size - used, "%s%s %.0f %%", i ? ", " : "", name,
                                     100 * (double)list[i].count / (double)all);
        }
    }
    free(list);
}

enum block_column { INSTRUCTIONS, EXECUTIONS, PER_EXECUTION, EDGES, GOES_TO };

static void block_cell(struct units *u, void *state, size_t unit, unsigned column, char *text, size_t size) {
    const struct flows *s = state;
    const struct part *part = units_unit(u, unit)->own;
    const bool known = executed_known(s->executed);
    size_t count;
    *text = '\0';
    if (!part) {
        if (column < EDGES) snprintf(text, size, "-");
        return;
    }
    struct function_flow *f = part->of;
    const uint64_t executed = known ? executions(s, f, part->number) : 0;
    switch (column) {
    case INSTRUCTIONS: snprintf(text, size, "%zu", flow_blocks(f->flow, &count)[part->number].count); break;
    case EXECUTIONS: print_count(text, size, known, executed); break;
    case PER_EXECUTION:
        print_ratio(text, size, (double)units_time(u, unit)->weight / s->d->header->units, executed, 2);
        break;
    default: print_targets(s, part, column == GOES_TO, text, size);
    }
}

// ---- notes ----
static void notes(struct units *u, void *state, FILE *out) {
    const struct flows *s = state;
    (void)u;
    if (executed_known(s->executed)) return;
    fputs("  no counts: the run had no worker `edges`, which runs with lockstep\n", out);
    if (s->unknown)
        fprintf(out,
                "  %zu function%s indirect jumps; where they go to is a guess: any block that nothing else goes to\n",
                s->unknown, s->unknown == 1 ? " has" : "s have");
}

const struct unit_kind unit_block = {.name = "block",
                                     .addresses = true,
                                     .text = "a basic block: executions, and where it goes on",
                                     .heading = "Basic blocks by time (%zu of %zu)",
                                     .columns = {[INSTRUCTIONS] = {"instructions", "insns", true},
                                                 [EXECUTIONS] = {"executions", "executions", true},
                                                 [PER_EXECUTION] = {"cycles_per_execution", "cycles each", true},
                                                 [EDGES] = {"edges", NULL, false},
                                                 [GOES_TO] = {"goes_to", "goes to", false}},
                                     .create = create,
                                     .destroy = destroy,
                                     .find = find_block,
                                     .cell = block_cell,
                                     .notes = notes};
const struct unit_kind unit_loop = {.name = "loop",
                                    .addresses = true,
                                    .text = "a loop, less the loops inside it: iterations and cycles an iteration",
                                    .heading = "Loops by time (%zu of %zu)",
                                    .columns = {[DEPTH] = {"depth", "depth", true},
                                                [ENTRIES] = {"entries", "entries", true},
                                                [ITERATIONS] = {"iterations", "iterations", true},
                                                [PER_ENTRY] = {"iterations_per_entry", "an entry", true},
                                                [PER_ITERATION] = {"cycles_per_iteration", "cycles each", true},
                                                [WITH_INNER] = {"cycles_with_inner", "with inner", true},
                                                [NOTE] = {"note", "note", false}},
                                    .create = create,
                                    .destroy = destroy,
                                    .find = find_loop,
                                    .cell = loop_cell,
                                    .notes = notes};
