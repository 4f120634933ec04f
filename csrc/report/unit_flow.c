// Units of the flow of control: basic blocks with the edges that leave them, and loops. Counts are those of the run
// (executed.h), times those of the profile.
#include "report/beats.h"
#include "report/words.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = REPORT_WHOLE, SHOWN_EDGES = 3 };

static void *create(const struct run *d) {
    return flows_create(d);
}

static void destroy(void *state) {
    flows_destroy(state);
}

// ---- units ----
// Of what begins with that instruction of hit's program.
static size_t add(struct units *u, struct place place, const struct image_hit *hit, size_t first,
                  const struct flow_part *part) {
    const struct run *d = u->run;
    char address[32], name[TEXT];
    size_t count;
    unsigned line = 0;
    place.pc = program_instructions(hit->program, &count)[first].pc + hit->bias;
    snprintf(address, sizeof address, "0x%" PRIx64, place.pc);
    report_name(d, BY_INSTRUCTION, place, name, sizeof name);
    const char *file = report_source(d, place, &line);
    return units_add(u,
                     &(struct unit){address, name, images_name(d->images, hit->image), file, line, place, part, {0}});
}

static size_t find_block(struct units *u, struct place place, const struct image_hit *hit) {
    if (!hit) return units_add_bare(u, place, NULL, "");
    struct function_flow *f = flows_of(u->state, hit);
    if (!f) return UNIT_NONE;
    struct flow_part *part = &f->block_parts[flow_block_of(f->flow, hit->instruction)];
    if (part->unit == UNIT_NONE) part->unit = add(u, place, hit, f->blocks[part->number].first, part);
    return part->unit;
}

static size_t find_loop(struct units *u, struct place place, const struct image_hit *hit) {
    if (!hit) return units_add_bare(u, place, NULL, "");
    struct function_flow *f = flows_of(u->state, hit);
    if (!f) return UNIT_NONE;
    const size_t innermost = f->blocks[flow_block_of(f->flow, hit->instruction)].loop;
    if (innermost == PROGRAM_NONE) return units_add_bare(u, place, hit, "not in a loop");
    for (size_t i = innermost; i != PROGRAM_NONE; i = f->loops[i].parent) { // those around it, too
        if (f->loop_parts[i].unit != UNIT_NONE) break;
        f->loop_parts[i].unit = add(u, place, hit, f->blocks[f->loops[i].header].first, &f->loop_parts[i]);
        if (f->loop_parts[i].unit == UNIT_NONE) return UNIT_NONE;
    }
    for (size_t i = innermost; i != PROGRAM_NONE; i = f->loops[i].parent)
        units_add_hart(u, f->loop_parts[i].unit, place);
    return f->loop_parts[innermost].unit;
}

// Time of loops with that of those inside them.
static uint64_t nest_time(const struct units *u, struct function_flow *f, size_t loop) {
    if (f->nest_times) return f->nest_times[loop];
    f->nest_times = calloc(f->loop_count + 1, sizeof *f->nest_times);
    if (!f->nest_times) return 0;
    for (size_t i = 0; i < f->loop_count; i++) {
        if (f->loop_parts[i].unit == UNIT_NONE) continue;
        for (size_t k = i; k != PROGRAM_NONE; k = f->loops[k].parent)
            f->nest_times[k] += u->times[f->loop_parts[i].unit].weight;
    }
    return f->nest_times[loop];
}

// ---- cells ----
static struct value ratio(double part, uint64_t whole, int digits) {
    return value_real(whole ? part / (double)whole : NAN, digits);
}

static struct value counted(bool known, uint64_t count) { // text: 1,234
    return known ? value_weight(count, 1) : value_none();
}

enum loop_column { DEPTH, ENTRIES, ITERATIONS, PER_ENTRY, PER_ITERATION, WITH_INNER, SAMPLING_ERROR, NOTE };

// None: the profile is not of samples, or the loop has none.
static struct value loop_sampling_error(const struct flows *s, const struct flow_part *part) {
    double error;
    const bool known = s->d->by_samples && loop_error(s->d, part->of, part->number, &error);
    return known ? value_real(error, 4) : value_none();
}

static struct value loop_cell(const struct units *u, const struct unit *unit, unsigned column, char *room,
                              size_t size) {
    const struct flows *s = u->state;
    const struct flow_part *part = unit->own;
    const bool known = executed_known(s->executed);
    (void)room;
    (void)size;
    if (!part) return column == DEPTH ? value_count(0) : column == NOTE ? value_text("") : value_none();
    struct function_flow *f = part->of;
    const struct flow_loop *loop = &f->loops[part->number];
    const uint64_t iterations = known ? flows_executions(s, f, loop->header) : 0,
                   entries = known ? flows_entries(s, f, part->number) : 0;
    const double nest = (double)nest_time(u, f, part->number) / s->d->header->units;
    switch (column) {
    case DEPTH: return value_count(loop->depth);
    case ENTRIES: return counted(known, entries);
    case ITERATIONS: return counted(known, iterations);
    case PER_ENTRY: return ratio((double)iterations, entries, 1);
    case PER_ITERATION: return ratio(nest, iterations, 2);
    case WITH_INNER: return counted(true, (uint64_t)llrint(nest));
    case SAMPLING_ERROR: return loop_sampling_error(s, part);
    default: return value_text(loop->irreducible ? "entered at several places" : "");
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
    const struct code_pair *e = executed_from(s->executed, f->program, f->code[last].pc, &edges);
    struct target *list = malloc((edges + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < edges; i++) {
        if (e[i].to.program) list[(*count)++] = (struct target){e[i].to.program, e[i].to.pc, e[i].counts[0]};
    }
    program_instructions(f->program, &all);
    const uint64_t passed = executed_passed(s->executed, f->program, f->code[last].pc);
    if (list && passed && last + 1 < all) list[(*count)++] = (struct target){f->program, f->code[last + 1].pc, passed};
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
static void print_targets(const struct flows *s, const struct flow_part *part, bool people, char *text, size_t size) {
    size_t count;
    struct function_flow *f = part->of;
    struct target *list = targets(s, f, &f->blocks[part->number], &count);
    uint64_t all = 0;
    *text = '\0';
    for (size_t i = 0; list && i < count; i++)
        all += list[i].count;
    for (size_t i = 0; list && i < count; i++) {
        char name[TEXT];
        target_name(f, &list[i], name, sizeof name);
        if (!people) {
            words_append(text, size, "%s0x%" PRIx64 ":%" PRIu64, i ? " " : "", list[i].pc, list[i].count);
        } else if (i < SHOWN_EDGES) {
            words_append(text, size, "%s%s %.0f %%", i ? ", " : "", name, 100 * (double)list[i].count / (double)all);
        }
    }
    if (people && count > SHOWN_EDGES) words_append(text, size, ", %zu more", count - SHOWN_EDGES);
    free(list);
}

enum block_column { INSTRUCTIONS, EXECUTIONS, PER_EXECUTION, EDGES, GOES_TO };

static struct value block_cell(const struct units *u, const struct unit *unit, unsigned column, char *room,
                               size_t size) {
    const struct flows *s = u->state;
    const struct flow_part *part = unit->own;
    const bool known = executed_known(s->executed);
    if (!part) return column < EDGES ? value_none() : value_text("");
    const uint64_t executed = known ? flows_executions(s, part->of, part->number) : 0;
    switch (column) {
    case INSTRUCTIONS: return counted(true, part->of->blocks[part->number].count);
    case EXECUTIONS: return counted(known, executed);
    case PER_EXECUTION: return ratio((double)u->times[part->unit].weight / s->d->header->units, executed, 2);
    default: print_targets(s, part, column == GOES_TO, room, size); return value_text(room);
    }
}

// ---- notes ----
static void notes(const struct units *u, FILE *out) {
    const struct flows *s = u->state;
    if (executed_known(s->executed)) return;
    fputs("  no counts: the run had no worker `exec-counts`, which runs with lockstep\n", out);
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
                                                [SAMPLING_ERROR] = {"sampling_error", NULL, true},
                                                [NOTE] = {"note", "note", false}},
                                    .create = create,
                                    .destroy = destroy,
                                    .find = find_loop,
                                    .cell = loop_cell,
                                    .notes = notes};
