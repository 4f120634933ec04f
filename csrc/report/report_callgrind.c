// Callgrind's profile format (https://valgrind.org/docs/manual/cl-format.html): cycles, and of them those of each state
// and event, by function, address and line, with what is called from where.
//
// The format has calls, not stacks, and its readers add up what a function calls. So that this is the function's
// inclusive time, a function that is below itself on its stack is another one, "leaf'2", as with callgrind's
// --separate-recs=2.
#include "report/export.h"
#include "report/formats.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES, FIRST_STATE, FIRST_EVENT = FIRST_STATE + STATE_COUNT };
#define NOBODY SIZE_MAX

struct cost {
    size_t function, callee; // functions of the table; callee NOBODY: the function's own cost
    const struct export_site *site;
    const uint64_t *columns;
};
struct callgrind {
    const struct export *export;
    size_t columns;
    uint64_t *own, *all; // of each frame, by column, in cycles: exclusive and inclusive
    size_t *functions;   // of each frame: the number of its outer function, doubled, and 1 if it is below itself
    size_t *frames;      // of each such function, one of its frames
    struct cost *costs;
    size_t cost_count;
    bool *named; // of each function doubled: its name was written
};

static void find_functions(struct callgrind *c) {
    const struct export *e = c->export;
    for (size_t i = 0; i < e->tree.frame_count; i++) {
        const size_t function = export_outer(e, &e->sites[e->frame_sites[i]]);
        size_t above = e->tree.frames[i].parent;
        while (above != CALL_TREE_NONE && c->functions[above] / 2 != function)
            above = e->tree.frames[above].parent;
        c->functions[i] = 2 * function + (above != CALL_TREE_NONE);
        c->frames[c->functions[i]] = i;
    }
}

static void find_columns(struct callgrind *c) {
    const struct export *e = c->export;
    const struct run *d = e->data;
    for (size_t i = 0; i < d->row_count; i++) {
        uint64_t *own = &c->own[e->tree.row_frames[i] * c->columns];
        own[CYCLES] += e->cycles[i];
        if (d->rows[i].state < STATE_COUNT) own[FIRST_STATE + d->rows[i].state] += e->cycles[i];
        for (unsigned psv = d->rows[i].psv; psv; psv &= psv - 1) {
            const size_t column = FIRST_EVENT + (size_t)__builtin_ctz(psv);
            if (column < c->columns) own[column] += e->cycles[i];
        }
    }
    memcpy(c->all, c->own, e->tree.frame_count * c->columns * sizeof *c->all);
    for (size_t i = e->tree.frame_count; i-- > 0;) {
        const size_t parent = e->tree.frames[i].parent;
        for (size_t k = 0; parent != CALL_TREE_NONE && k < c->columns; k++)
            c->all[parent * c->columns + k] += c->all[i * c->columns + k];
    }
}

// A call that is below the same call has its time in that one.
static bool is_below_itself(const struct callgrind *c, size_t frame) {
    const struct export *e = c->export;
    const size_t parent = e->tree.frames[frame].parent;
    if (c->functions[parent] % 2 == 0) return false; // its function is the only one of the name
    for (size_t i = parent; e->tree.frames[i].parent != CALL_TREE_NONE; i = e->tree.frames[i].parent) {
        const size_t above = e->tree.frames[i].parent;
        if (c->functions[i] == c->functions[frame] && c->functions[above] == c->functions[parent] &&
            e->frame_sites[above] == e->frame_sites[parent])
            return true;
    }
    return false;
}

static void find_costs(struct callgrind *c) {
    const struct export *e = c->export;
    for (size_t i = 0; i < e->tree.frame_count; i++) {
        const size_t parent = e->tree.frames[i].parent;
        if (c->own[i * c->columns])
            c->costs[c->cost_count++] =
                (struct cost){c->functions[i], NOBODY, &e->sites[e->frame_sites[i]], &c->own[i * c->columns]};
        if (parent != CALL_TREE_NONE && c->all[i * c->columns] && !is_below_itself(c, i))
            c->costs[c->cost_count++] = (struct cost){c->functions[parent], c->functions[i],
                                                      &e->sites[e->frame_sites[parent]], &c->all[i * c->columns]};
    }
}

// A function's own costs by address, then its calls.
static int by_function(const void *x, const void *y) {
    const struct cost *a = x, *b = y;
    if (a->function != b->function) return a->function < b->function ? -1 : 1;
    if ((a->callee == NOBODY) != (b->callee == NOBODY)) return a->callee == NOBODY ? -1 : 1;
    if (a->site != b->site) {
        if (a->site->place.pc != b->site->place.pc) return a->site->place.pc < b->site->place.pc ? -1 : 1;
        return a->site < b->site ? -1 : 1;
    }
    return a->callee < b->callee ? -1 : a->callee > b->callee;
}

static bool is_same(const struct cost *a, const struct cost *b) {
    return a->function == b->function && a->callee == b->callee && a->site == b->site;
}

// ---- written out ----
static const char *known(const char *text) {
    return *text ? text : "???"; // as callgrind has it
}

static void write_name(const char *text, FILE *out) {
    export_line(text, out);
    fputc('\n', out);
}

// A number stands for a name that was written: a name that begins with "(" is no number so.
static void write_function(struct callgrind *c, const char *key, size_t function, FILE *out) {
    fprintf(out, "%s=(%zu)", key, function + 1);
    if (!c->named[function]) {
        fputc(' ', out);
        export_line(c->export->functions[function / 2].name, out);
        write_name(function % 2 ? "'2" : "", out);
        c->named[function] = true;
    } else {
        fputc('\n', out);
    }
}

static const char *object(const struct export *e, const struct export_site *site) {
    return site->image == EXPORT_NO_IMAGE ? "???" : images_name(e->data->images, site->image);
}

static void write_columns(const struct callgrind *c, const uint64_t *columns, FILE *out) {
    for (size_t k = 0; k < c->columns; k++)
        fprintf(out, " %llu", (unsigned long long)columns[k]);
    fputc('\n', out);
}

static void write_position(const struct export_site *site, unsigned line, FILE *out) {
    fprintf(out, "0x%llx %u", (unsigned long long)(site->place.pc == PROFILE_PC_END ? 0 : site->place.pc), line);
}

// The file of the lines that follow: fl= is the function's, fi= that of inlined code, fe= the function's again.
static void write_file(const char *own, const char **current, const char *file, FILE *out) {
    if (strcmp(*current, file) == 0) return;
    fputs(strcmp(file, own) == 0 ? "fe=" : "fi=", out);
    write_name(known(file), out);
    *current = file;
}

static void write_call(struct callgrind *c, const struct cost *cost, FILE *out) {
    const struct export *e = c->export;
    const struct export_function *callee = &e->functions[cost->callee / 2];
    const struct export_site *entry = &e->sites[e->frame_sites[c->frames[cost->callee]]];
    fputs("cob=", out);
    write_name(object(e, entry), out);
    fputs("cfi=", out);
    write_name(known(callee->file), out);
    write_function(c, "cfn", cost->callee, out);
    unsigned line = 0;
    if (!report_source(e->data, entry->function, &line)) line = 0;
    fprintf(out, "calls=1 0x%llx %u\n",
            (unsigned long long)(entry->function.pc != PROFILE_PC_END ? entry->function.pc : 0), line);
}

// The costs of one function: returns how many they are.
static size_t write_costs(struct callgrind *c, size_t first, uint64_t *sum, FILE *out) {
    const struct export *e = c->export;
    const size_t function = c->costs[first].function;
    const char *own = e->functions[function / 2].file, *current = own;
    size_t i = first;
    fputs("\nob=", out);
    write_name(object(e, c->costs[first].site), out);
    fputs("fl=", out);
    write_name(known(own), out);
    write_function(c, "fn", function, out);
    while (i < c->cost_count && c->costs[i].function == function) {
        const struct cost *cost = &c->costs[i];
        const struct export_line *line = &e->lines[cost->site->first];
        memset(sum, 0, c->columns * sizeof *sum);
        for (; i < c->cost_count && is_same(&c->costs[i], cost); i++) {
            for (size_t k = 0; k < c->columns; k++)
                sum[k] += c->costs[i].columns[k];
        }
        write_file(own, &current, e->functions[line->function].file, out);
        if (cost->callee != NOBODY) write_call(c, cost, out);
        write_position(cost->site, line->line, out);
        write_columns(c, sum, out);
    }
    return i - first;
}

static void write_head(const struct callgrind *c, uint64_t *sum, FILE *out) {
    const struct run *d = c->export->data;
    fputs("# callgrind format\nversion: 1\ncreator: tipoff\ncmd: ", out);
    write_name(d->header->command, out);
    fprintf(out, "desc: Profile: of %s, %s on %s\npositions: instr line\nevent: Cycles : Cycles\n", d->profiler,
            export_title(d), d->header->config);
    for (unsigned s = 0; s < STATE_COUNT; s++)
        fprintf(out, "event: %s : Cycles: %s\n", report_state_name(s), report_state_words(s));
    fputs("events: Cycles", out);
    for (unsigned s = 0; s < STATE_COUNT; s++)
        fprintf(out, " %s", report_state_name(s));
    for (uint32_t i = 0; i < d->header->event_count; i++)
        fprintf(out, " %s", d->header->events[i]);
    memset(sum, 0, c->columns * sizeof *sum);
    for (size_t i = 0; i < c->export->tree.frame_count; i++) {
        for (size_t k = 0; k < c->columns; k++)
            sum[k] += c->own[i * c->columns + k];
    }
    fputs("\nsummary:", out);
    write_columns(c, sum, out);
}

static int write_callgrind(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    (void)o;
    struct export e;
    if (!export_create(&e, d, 0, err)) return -EINVAL;
    struct callgrind c = {.export = &e, .columns = FIRST_EVENT + d->header->event_count};
    const size_t frames = e.tree.frame_count + 1;
    uint64_t *sum = malloc(c.columns * sizeof *sum);
    c.own = calloc(frames * c.columns, sizeof *c.own);
    c.all = calloc(frames * c.columns, sizeof *c.all);
    c.functions = calloc(frames, sizeof *c.functions);
    c.costs = calloc(2 * frames, sizeof *c.costs);
    c.frames = calloc(2 * (e.function_count + 1), sizeof *c.frames);
    c.named = calloc(2 * (e.function_count + 1), sizeof *c.named);
    int result = -ENOMEM;
    if (sum && c.own && c.all && c.functions && c.frames && c.costs && c.named) {
        find_functions(&c);
        find_columns(&c);
        find_costs(&c);
        qsort(c.costs, c.cost_count, sizeof *c.costs, by_function);
        write_head(&c, sum, out);
        for (size_t i = 0; i < c.cost_count;)
            i += write_costs(&c, i, sum, out);
        result = 0;
    } else {
        report_out_of_memory(d->path, err);
    }
    free(sum);
    free(c.own);
    free(c.all);
    free(c.functions);
    free(c.frames);
    free(c.costs);
    free(c.named);
    export_destroy(&e);
    return result;
}

const struct report_format format_callgrind = {.name = "callgrind", .write = write_callgrind};
