// Listing of one function. Source lines stand before the instructions made from them, once in a basic block: the
// compiler mixes lines freely. Stretches of code that took no time, or little where this function was not asked for,
// are left out, so that the listing of a long one stays readable.
#include "report/annotate.h"
#include "base/paths.h"
#include "base/plain_text.h"
#include "report/contexts.h"
#include "report/reasons.h"
#include "report/style.h"
#include "report/value.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum {
    BAR = 20,
    TEXT = 512,
    PATH_TEXT = 256,
    CONTEXT = 2,      // cold instructions shown around a hot one
    LITTLE = 100,     // one part in this many of all time, and less, is little
    BLOCK_LINES = 32, // source lines remembered of a block
    MOST_OTHERS = 8   // of one name, listed
};

struct source_place {
    const char *file;
    unsigned line;
};

struct listing {
    const struct run *d;
    const struct report_options *o;
    FILE *out;
    const struct program_instruction *instructions; // of the function, and of those that lie inside
    const struct program_function *functions;       // of the program
    uint64_t entry;
    struct unit_time *times; // of each, over all modes and address spaces
    uint64_t context;        // one in which it ran, or can
    const struct image_hit *hit;
    size_t count;
    uint64_t hottest;
    uint64_t little; // time up to which an instruction counts as cold
    struct source_text *text;
    struct source_place printed[BLOCK_LINES]; // in this block, the last of them the latest
    size_t printed_count;
};

static bool is_own(const struct listing *l, const struct program_instruction *i) {
    return l->functions[i->function].entry == l->entry;
}

static bool near_time(const struct listing *l, size_t i) {
    size_t first = i < CONTEXT ? 0 : i - CONTEXT;
    for (size_t k = first; k < l->count && k <= i + CONTEXT; k++) {
        if (l->times[k].weight > l->little) return true;
    }
    return false;
}

// As it ran.
static struct place place_at(const struct listing *l, size_t i) {
    return (struct place){l->instructions[i].pc + l->hit->bias, l->context};
}

static void print_source(struct listing *l, size_t i) {
    unsigned line;
    const char *file = report_source(l->d, place_at(l, i), &line);
    if (!file) return;
    for (size_t k = 0; k < l->printed_count; k++) {
        if (l->printed[k].file == file && l->printed[k].line == line) return;
    }
    if (l->printed_count < BLOCK_LINES) l->printed[l->printed_count++] = (struct source_place){file, line};
    const char *text = source_text_line(l->text, file, line);
    style_dim(l->out, l->o, true);
    fprintf(l->out, "%*s%s:%u:", BAR + 12, "", paths_name(file), line);
    fprintf(l->out, "  %s", text ? text : "");
    style_dim(l->out, l->o, false);
    fputc('\n', l->out);
}

static bool starts_block(const struct listing *l, size_t i) {
    return i == 0 || l->instructions[i].block != l->instructions[i - 1].block;
}

static void print_instruction(const struct listing *l, size_t i) {
    const struct place place = place_at(l, i);
    const struct unit_time *time = &l->times[i];
    char text[TEXT], why[TEXT] = "";
    report_instruction(l->d, place, text, sizeof text);
    if (time->weight) {
        style_share(l->out, l->o, time->weight, l->d->total);
        reasons_of_instruction(l->d, time, why, sizeof why);
    } else {
        fprintf(l->out, "%8s", "");
    }
    fputs("  ", l->out);
    style_bar(l->out, l->o, time->states, l->hottest, BAR);
    fprintf(l->out, "  %c0x%08llx  ", starts_block(l, i) ? '>' : ' ', (unsigned long long)place.pc);
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
        if (!is_own(l, &l->instructions[i])) continue;
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
        print_source(l, i);
        print_instruction(l, i);
    }
    print_gap(l, left_out);
}

static void add_time(struct unit_time *to, const struct unit_time *from) {
    to->place = from->place;
    to->weight += from->weight;
    for (unsigned s = 0; s <= STATE_COUNT; s++)
        to->states[s] += from->states[s];
    for (unsigned e = 0; e < 16; e++)
        to->events[e] += from->events[e];
}

// Puts the time of each instruction of the function in its place; returns their sum.
static uint64_t place_times(struct listing *l, const struct unit_time *units, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; units && i < count; i++) {
        struct image_hit hit;
        if (units[i].place.pc == PROFILE_PC_END || !images_find(l->d->images, units[i].place, &hit)) continue;
        const struct program_instruction *found = image_hit_instruction(&hit);
        if (hit.program != l->hit->program || !is_own(l, found)) continue;
        struct unit_time *time = &l->times[found - l->instructions];
        add_time(time, &units[i]);
        if (time->weight > l->hottest) l->hottest = time->weight;
        l->context = units[i].place.context;
        sum += units[i].weight;
    }
    return sum;
}

// A context that the image is for.
static uint64_t any_context(const struct image_extent *e) {
    return place_context((uint8_t)__builtin_ctz(e->modes), e->any_space ? 0 : e->space);
}

// From the function's first instruction to its last one.
static void find_instructions(struct listing *l, const struct program_function *f) {
    size_t count, first = f->first, end = f->first + f->count;
    l->functions = program_functions(l->hit->program, &count);
    l->entry = f->entry;
    for (size_t i = 0; i < count; i++) {
        if (l->functions[i].entry != l->entry || !l->functions[i].count) continue;
        if (l->functions[i].first < first) first = l->functions[i].first;
        if (l->functions[i].first + l->functions[i].count > end) end = l->functions[i].first + l->functions[i].count;
    }
    l->instructions += first;
    l->count = end - first;
}

void annotate_warn(const struct run *d, const struct image_hit *hit, const char *name) {
    size_t count, bytes, others = 0;
    char *text = NULL;
    FILE *list = open_memstream(&text, &bytes);
    if (!list) return;
    const struct program_function *f = program_functions(hit->program, &count);
    const uint64_t entry = image_hit_function(hit)->entry;
    for (size_t i = 0; i < count; i++) {
        unsigned line;
        if (f[i].entry == entry || f[i].entry != f[i].start || !program_function_is(hit->program, &f[i], name))
            continue;
        const char *file = program_source(hit->program, f[i].entry, &line);
        if (!file) file = f[i].file;
        char plain[PATH_TEXT];
        plain_put(plain, sizeof plain, file ? paths_name(file) : "");
        if (++others > MOST_OTHERS) continue;
        fprintf(list, "%s '%s%s%s'", others > 1 ? "," : "", plain, file ? ":" : "", f[i].name);
    }
    if (others > MOST_OTHERS) fprintf(list, " and %zu more", others - MOST_OTHERS);
    const bool good = fclose(list) == 0;
    if (good && others)
        warning(d->notices, "--annotate %s: others are called so, too:%s: name one so to list it instead", name, text);
    free(text);
}

int annotate_function(const struct run *d, const struct report_options *o, const struct image_hit *hit, FILE *out,
                      struct error *err) {
    size_t all, units_count;
    const struct program_function *f = image_hit_function(hit);
    struct listing l = {.d = d,
                        .o = o,
                        .out = out,
                        .hit = hit,
                        .context = any_context(images_extent(d->images, hit->image)),
                        .instructions = program_instructions(hit->program, &all),
                        .text = source_text_create(d->header->program)};
    find_instructions(&l, f);
    l.times = calloc(l.count + 1, sizeof *l.times);
    const struct unit_time *units = run_units(d, BY_INSTRUCTION, &units_count);
    int result = 0;
    if (!l.times || !l.text || (!units && d->total)) {
        result = report_out_of_memory(d->path, err);
    } else {
        char n[32];
        uint64_t sum = place_times(&l, units, units_count);
        if (!o->annotate) l.little = d->total / LITTLE;
        const char *image = images_name(d->images, hit->image);
        const bool whose = report_shows_image(d, image, f->name);
        style_heading(out, o, "%s%s%s%s: %s %s, %.1f %% of the time", f->name, whose ? " [" : "", whose ? image : "",
                      whose ? "]" : "", style_cycles(d, sum, n), style_unit(d), percent_of(sum, d->total));
        fprintf(out, "   share  %-*s    %-10s  %-32s %s   (> starts a basic block)\n", BAR, "time by state", "address",
                "instruction", "why");
        print_listing(&l);
    }
    free(l.times);
    source_text_destroy(l.text);
    return result;
}
