// Listing of one function. Source lines stand before the instructions made from them, once in a basic block: the
// compiler mixes lines freely. Stretches of code that took no time, or little where nobody asked for this function, are
// left out, so that the listing of a long one stays readable.
#include "report/annotate.h"
#include "report/style.h"
#include <stdlib.h>
#include <string.h>

enum {
    BAR = 20,
    TEXT = 512,
    CONTEXT = 2,     // cold instructions shown around a hot one
    LITTLE = 100,    // one part in so many of all time, and less, is little
    BLOCK_LINES = 32 // source lines remembered of a block
};

struct place {
    const char *file;
    unsigned line;
};

struct instruction_time {
    const struct unit_time *unit; // NULL: none
};

struct listing {
    const struct report_data *d;
    const struct report_options *o;
    FILE *out;
    const struct program_instruction *instructions; // of the function
    struct instruction_time *times;                 // of each
    size_t count;
    uint64_t hottest;
    uint64_t little; // time up to which an instruction counts as cold
    struct source_text *text;
    struct place printed[BLOCK_LINES]; // in this block, the last of them the latest
    size_t printed_count;
};

static bool near_time(const struct listing *l, size_t i) {
    size_t first = i < CONTEXT ? 0 : i - CONTEXT;
    for (size_t k = first; k < l->count && k <= i + CONTEXT; k++) {
        if (l->times[k].unit && l->times[k].unit->weight > l->little) return true;
    }
    return false;
}

static void print_source(struct listing *l, uint64_t pc) {
    unsigned line;
    const char *file = report_source(l->d, pc, &line);
    if (!file) return;
    for (size_t i = 0; i < l->printed_count; i++) {
        if (l->printed[i].file == file && l->printed[i].line == line) return;
    }
    if (l->printed_count < BLOCK_LINES) l->printed[l->printed_count++] = (struct place){file, line};
    const char *slash = strrchr(file, '/'), *text = source_text_line(l->text, file, line);
    style_dim(l->out, l->o, true);
    fprintf(l->out, "%*s%s:%u:", BAR + 12, "", slash ? slash + 1 : file, line);
    fprintf(l->out, "  %s", text ? text : "");
    style_dim(l->out, l->o, false);
    fputc('\n', l->out);
}

static bool starts_block(const struct listing *l, size_t i) {
    return i == 0 || l->instructions[i].block != l->instructions[i - 1].block;
}

static void print_instruction(const struct listing *l, size_t i) {
    const uint64_t pc = l->instructions[i].pc;
    const struct unit_time *time = l->times[i].unit;
    static const uint64_t nothing[STATE_COUNT + 1];
    char text[TEXT], why[TEXT] = "";
    report_instruction(l->d, pc, text, sizeof text);
    if (time) {
        style_share(l->out, l->o, time->weight, l->d->total);
        report_why(l->d, time, why, sizeof why);
    } else {
        fprintf(l->out, "%8s", "");
    }
    fputs("  ", l->out);
    style_bar(l->out, l->o, time ? time->states : nothing, l->hottest, BAR);
    fprintf(l->out, "  %c0x%08llx  ", starts_block(l, i) ? '>' : ' ', (unsigned long long)pc);
    if (*why) {
        fprintf(l->out, "%-32s %s\n", text, why);
    } else {
        fprintf(l->out, "%s\n", text);
    }
}

static void print_gap(struct listing *l, size_t count) {
    if (count == 0) return;
    fprintf(l->out, "%*s... %zu instruction%s with %s time\n", BAR + 12, "", count, count == 1 ? "" : "s",
            l->little ? "little or no" : "no");
    l->printed_count = 0;
}

static void print_listing(struct listing *l) {
    size_t left_out = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (!near_time(l, i)) {
            left_out++;
            continue;
        }
        print_gap(l, left_out);
        left_out = 0;
        // A block goes on with the line of the block before it, if that was the last one printed.
        if (starts_block(l, i) && l->printed_count) {
            l->printed[0] = l->printed[l->printed_count - 1];
            l->printed_count = 1;
        }
        print_source(l, l->instructions[i].pc);
        print_instruction(l, i);
    }
    print_gap(l, left_out);
}

// Puts the time of each instruction of the function in its place; returns their sum.
static uint64_t place_times(struct listing *l, const struct unit_time *units, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; units && i < count; i++) {
        size_t at = program_find(l->d->program, units[i].address);
        if (at == PROGRAM_NONE) continue;
        size_t all;
        const struct program_instruction *found = &program_instructions(l->d->program, &all)[at];
        if (found < l->instructions || found >= l->instructions + l->count) continue;
        l->times[found - l->instructions].unit = &units[i];
        if (units[i].weight > l->hottest) l->hottest = units[i].weight;
        sum += units[i].weight;
    }
    return sum;
}

int annotate_function(const struct report_data *d, const struct report_options *o, size_t function, FILE *out,
                      struct error *err) {
    size_t all, units_count;
    const struct program_function *f = &program_functions(d->program, &all)[function];
    struct listing l = {.d = d,
                        .o = o,
                        .out = out,
                        .instructions = program_instructions(d->program, &all) + f->first,
                        .count = f->count,
                        .times = calloc(f->count + 1, sizeof *l.times),
                        .text = source_text_create(d->header->program)};
    struct unit_time *units = report_units(d, BY_INSTRUCTION, &units_count);
    int result = 0;
    if (!l.times || !l.text || (!units && d->total)) {
        result = report_out_of_memory(d->path, err);
    } else {
        char n[32];
        uint64_t sum = place_times(&l, units, units_count);
        if (!o->annotate) l.little = d->total / LITTLE;
        style_heading(out, o, "%s: %s cycles, %.1f %% of the time", f->name,
                      style_number((sum + d->header->units / 2) / d->header->units, n),
                      d->total ? 100 * (double)sum / (double)d->total : 0);
        fprintf(out, "   share  %-*s    %-10s  %-32s %s   (> starts a basic block)\n", BAR, "time by state", "address",
                "instruction", "why");
        print_listing(&l);
    }
    free(units);
    free(l.times);
    source_text_destroy(l.text);
    return result;
}
