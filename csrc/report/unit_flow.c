// Units of the flow of control: basic blocks with the edges that leave them, and loops. Counts are those of the run
// (executed.h), times those of the profile.
#include "base/plain_text.h"
#include "report/beats.h"
#include "report/words.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = REPORT_WHOLE, SHOWN_EDGES = 3 };

static void *create(const struct run *d) {
    return flows_create(d);
}

static void destroy(void *state) {
    struct flows *s = state;
    loop_errors_destroy(s->loop_errors);
    flows_destroy(s);
}

// ---- units ----
// Of what begins with that instruction of hit's program.
static size_t add(struct units *u, struct place place, const struct image_hit *hit, size_t first,
                  const struct flow_part *part) {
    const struct run *d = units_data(u);
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
        static const char before[] = "[not in a loop] ";
        memcpy(text, before, sizeof before);
        plain_fit(text + sizeof before - 1, sizeof text - sizeof before, image_hit_function(hit)->name, "");
    } else {
        snprintf(text, sizeof text, "0x%" PRIx64, place.pc);
    }
    const char *image = hit ? images_name(units_data(u)->images, hit->image) : "";
    return units_add(u, &(struct unit){.unit = text, .name = text, .image = image, .place = place});
}

static size_t find_block(struct units *u, void *state, struct place place, const struct image_hit *hit) {
    if (!hit) return add_text(u, place, hit);
    struct function_flow *f = flows_of(state, hit);
    size_t count;
    if (!f) return UNIT_NONE;
    struct flow_part *part = &f->blocks[flow_block_of(f->flow, hit->instruction)];
    if (part->unit == UNIT_NONE)
        part->unit = add(u, place, hit, flow_blocks(f->flow, &count)[part->number].first, part);
    return part->unit;
}

static size_t find_loop(struct units *u, void *state, struct place place, const struct image_hit *hit) {
    if (!hit) return add_text(u, place, hit);
    struct function_flow *f = flows_of(state, hit);
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

enum loop_column { DEPTH, ENTRIES, ITERATIONS, PER_ENTRY, PER_ITERATION, WITH_INNER, SAMPLING_ERROR, NOTE };

// "-": the profile is not of samples, or the loop has none.
static void print_sampling_error(struct flows *s, const struct function_flow *f, size_t header, char *text,
                                 size_t size) {
    double error;
    if (s->d->by_samples && !s->loop_errors) s->loop_errors = loop_errors_create(s->d, NULL);
    if (s->loop_errors && loop_errors_of(s->loop_errors, f->program, flows_instruction(f, header)->pc, &error)) {
        snprintf(text, size, "%.4f", error);
    } else {
        snprintf(text, size, "-");
    }
}

static void loop_cell(struct units *u, void *state, size_t unit, unsigned column, char *text, size_t size) {
    struct flows *s = state;
    const struct flow_part *part = units_unit(u, unit)->own;
    const bool known = executed_known(s->executed);
    size_t count;
    if (!part) {
        snprintf(text, size, "%s", column == DEPTH ? "0" : column == NOTE ? "" : "-");
        return;
    }
    struct function_flow *f = part->of;
    const struct flow_loop *loop = &flow_loops(f->flow, &count)[part->number];
    const uint64_t iterations = known ? flows_executions(s, f, loop->header) : 0;
    switch (column) {
    case DEPTH: snprintf(text, size, "%u", loop->depth); break;
    case ENTRIES: print_count(text, size, known, known ? flows_entries(s, f, part->number) : 0); break;
    case ITERATIONS: print_count(text, size, known, iterations); break;
    case PER_ENTRY:
        print_ratio(text, size, (double)iterations, known ? flows_entries(s, f, part->number) : 0, 1);
        break;
    case PER_ITERATION:
        print_ratio(text, size, (double)nest_time(u, f, part->number) / s->d->header->units, iterations, 2);
        break;
    case WITH_INNER: snprintf(text, size, "%.0f", (double)nest_time(u, f, part->number) / s->d->header->units); break;
    case SAMPLING_ERROR:
        print_sampling_error(s, f, flow_blocks(f->flow, &count)[loop->header].first, text, size);
        break;
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
    const struct code_pair *e = executed_from(s->executed, f->program, flows_instruction(f, last)->pc, &edges);
    struct target *list = malloc((edges + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < edges; i++) {
        if (e[i].to.program) list[(*count)++] = (struct target){e[i].to.program, e[i].to.pc, e[i].counts[0]};
    }
    program_instructions(f->program, &all);
    const uint64_t passed = executed_passed(s->executed, f->program, flows_instruction(f, last)->pc);
    if (list && passed && last + 1 < all)
        list[(*count)++] = (struct target){f->program, flows_instruction(f, last + 1)->pc, passed};
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
    const struct flow_part *part = units_unit(u, unit)->own;
    const bool known = executed_known(s->executed);
    size_t count;
    *text = '\0';
    if (!part) {
        if (column < EDGES) snprintf(text, size, "-");
        return;
    }
    struct function_flow *f = part->of;
    const uint64_t executed = known ? flows_executions(s, f, part->number) : 0;
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
