// Each row and each lane of a sample is asked once; what is left out of samples keeps its cycles at FILTER_CUT, so that
// what is estimated of the rest is still estimated from all samples.
#include "report/filter.h"
#include "base/array.h"
#include "report/contexts.h"
#include "report/pair_numbers.h"
#include "report/value.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum { FOCUS = 1, IGNORE = 2, INLINES = 32, TEXT = 512 };

struct filtering {
    const struct run *run;
    const struct report_filter *filter;
    const struct stack_node *nodes;
    uint32_t node_count;
    uint8_t *below; // of each node: what its callers are, FOCUS and IGNORE
    bool *lost;     // ... not all of them are known
    struct pair_numbers places;
    uint8_t *what; // of each place, likewise
    size_t capacity;
    bool failed, found[2 * FILTER_FUNCTIONS]; // of focus, then of ignore
};

bool filter_is_set(const struct report_filter *f) {
    return f->modes || f->process || f->focus_count || f->ignore_count;
}

// ---- functions ----
// An inlined one may be called with or without its parameters.
static bool inlined_is(const char *function, const char *name) {
    const size_t length = strlen(name);
    return strncmp(function, name, length) == 0 && (function[length] == '\0' || function[length] == '(');
}

static bool is_below(const struct image_hit *hit, const struct program_inline *calls, size_t depth, const char *name) {
    if (program_function_is(hit->program, image_hit_function(hit), name)) return true;
    for (size_t i = 0; i < depth; i++) {
        if (inlined_is(calls[i].function, name)) return true;
    }
    return false;
}

static uint8_t look_at(struct filtering *f, struct place place) {
    struct program_inline calls[INLINES];
    struct image_hit hit;
    uint8_t what = 0;
    if (place.pc >= FILTER_CUT || !images_find(f->run->images, place, &hit)) return 0;
    size_t depth = program_inlines(hit.program, place.pc - hit.bias, calls, INLINES);
    if (depth > INLINES) depth = INLINES;
    const struct report_filter *r = f->filter;
    for (size_t i = 0; i < r->focus_count + r->ignore_count; i++) {
        const bool focus = i < r->focus_count;
        if (!is_below(&hit, calls, depth, focus ? r->focus[i] : r->ignore[i - r->focus_count])) continue;
        what |= focus ? FOCUS : IGNORE;
        f->found[i] = true;
    }
    return what;
}

static uint8_t what_at(struct filtering *f, struct place place) {
    if (!f->filter->focus_count && !f->filter->ignore_count) return 0;
    const size_t known = f->places.count, number = pair_number(&f->places, place.pc, place.context, true);
    if (number == PAIR_NONE || !array_reserve(&f->what, &f->capacity, number, sizeof *f->what)) {
        f->failed = true;
        return 0;
    }
    if (number == known) f->what[number] = look_at(f, place);
    return f->what[number];
}

static bool walk_stacks(struct filtering *f) {
    f->nodes = samples_stacks(f->run->samples, &f->node_count);
    f->below = calloc((size_t)f->node_count + 1, sizeof *f->below);
    f->lost = calloc((size_t)f->node_count + 1, sizeof *f->lost);
    if (!f->below || !f->lost) return false;
    for (uint32_t i = 0; i < f->node_count; i++) { // parents are smaller
        f->lost[i] = i <= STACK_LOST;
        if (!stack_has_caller(f->nodes, f->node_count, i)) {
            f->lost[i] = f->lost[i] || f->nodes[i].kind != STACK_ROOT;
            continue;
        }
        const uint32_t parent = f->nodes[i].parent;
        f->below[i] = f->below[parent] | what_at(f, (struct place){f->nodes[i].site, f->nodes[parent].context});
        f->lost[i] = f->lost[parent];
    }
    return !f->failed;
}

// ---- what is kept ----
static bool context_kept(const struct filtering *f, uint64_t context) {
    char process[TEXT];
    if (f->filter->modes && !(f->filter->modes >> place_mode(context) & 1)) return false;
    if (!f->filter->process) return true;
    report_process(f->run, context, process, sizeof process);
    return strcmp(process, f->filter->process) == 0;
}

static bool kept(struct filtering *f, struct place place, uint32_t stack) {
    const struct report_filter *r = f->filter;
    if (place.pc == PROFILE_PC_END) return false;
    if (!context_kept(f, place.context)) return false;
    if (!r->focus_count && !r->ignore_count) return true;
    const uint8_t what = what_at(f, place) | (stack < f->node_count ? f->below[stack] : 0);
    return (!r->focus_count || what & FOCUS) && !(what & IGNORE);
}

static bool filter_rows(struct filtering *f, struct run *d) {
    size_t count = 0;
    d->shown = malloc((d->row_count + 1) * sizeof *d->shown);
    if (!d->shown) return false;
    d->whole = d->total;
    d->total = 0;
    for (size_t i = 0; i < d->row_count; i++) {
        const struct profile_row *row = &d->rows[i];
        if (row->pc != PROFILE_PC_END && (row->stack >= f->node_count || f->lost[row->stack])) d->lost += row->weight;
        if (!kept(f, row_place(row), row->stack)) continue;
        d->shown[count++] = *row;
        d->total += row->weight;
    }
    d->rows = d->shown;
    d->row_count = count;
    return !f->failed;
}

static void cut_lane(struct sample_record *r, unsigned lane) {
    r->sample.addr[lane] = FILTER_CUT;
    r->sample.psv[lane] = 0;
    r->stack[lane] = STACK_UNKNOWN;
}

static void cut_sample(struct filtering *f, struct sample_record *r) {
    struct sample *s = &r->sample;
    const uint64_t context = place_context(s->priv, s->space);
    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        if (s->valid >> lane & 1 && !kept(f, (struct place){s->addr[lane], context}, r->stack[lane])) cut_lane(r, lane);
    }
    if (s->valid || kept(f, PLACE_END, STACK_UNKNOWN)) return;
    s->valid = 1;
    cut_lane(r, 0);
}

static bool filter_samples(struct filtering *f, struct run *d) {
    struct sample_store *shown = sample_store_create();
    struct sample_walk walk = sample_store_walk(d->store);
    struct sample_times times;
    struct sample_record record;
    bool good = shown != NULL;
    while (good && sample_walk_next(&walk, &times)) {
        sample_store_record(d->store, &times, &record);
        cut_sample(f, &record);
        good = sample_store_add(shown, &record);
    }
    if (!good) {
        sample_store_destroy(shown);
        return false;
    }
    sample_store_destroy(d->store);
    d->store = shown;
    return !f->failed;
}

// ---- what cannot be asked ----
static bool has_stacks(const struct run *d) {
    for (size_t i = 0; i < d->row_count; i++) {
        if (d->rows[i].stack != STACK_UNKNOWN) return true;
    }
    return false;
}

static bool check_process(const struct filtering *f, struct error *err) {
    char names[TEXT] = "", process[TEXT];
    size_t count;
    const struct unit_time *contexts = run_contexts(f->run, &count);
    const char *wanted = f->filter->process;
    if (!wanted) return true;
    for (size_t i = 0; i < count; i++) {
        if (contexts[i].place.pc == PROFILE_PC_END) continue;
        report_process(f->run, contexts[i].place.context, process, sizeof process);
        if (strcmp(process, wanted) == 0) return true;
        if (!strstr(names, process)) words_append(names, sizeof names, "%s%s", *names ? ", " : "", process);
    }
    error_set(err, "%s: --process %s: has no time: name one of %s", f->run->path, wanted, names);
    return false;
}

static bool check(const struct filtering *f, struct error *err) {
    const struct run *d = f->run;
    const struct report_filter *r = f->filter;
    if ((r->modes || r->process) && !d->header->contexts) {
        error_set(err, "%s: keeps neither modes nor processes apart: omit --mode and --process", d->path);
    } else if ((r->focus_count || r->ignore_count) && !d->readable) {
        error_set(err, "%s: --focus and --ignore: the program cannot be read: name it with --program", d->path);
    } else if ((r->focus_count || r->ignore_count) && !has_stacks(d)) {
        error_set(err,
                  "%s: --focus and --ignore: no call stacks in the profile of %s: run again without --no-cosim and "
                  "--no-call-graph, and leave --profiler out, or name Oracle",
                  d->path, d->profiler);
    } else {
        return check_process(f, err);
    }
    return false;
}

// A function that has no time is none of the run's, or one that it has not executed.
static bool check_found(const struct filtering *f, struct error *err) {
    const struct report_filter *r = f->filter;
    for (size_t i = 0; i < r->focus_count + r->ignore_count; i++) {
        const bool focus = i < r->focus_count;
        if (f->found[i]) continue;
        error_set(err, "%s: --%s %s: no time of a function called so, nor below it: `--by function` lists them",
                  f->run->path, focus ? "focus" : "ignore", focus ? r->focus[i] : r->ignore[i - r->focus_count]);
        return false;
    }
    return true;
}

bool filter_apply(struct run *d, const struct report_filter *filter, struct error *err) {
    struct filtering f = {.run = d, .filter = filter};
    if (!filter_is_set(filter)) return true;
    d->filter = *filter;
    bool good = check(&f, err);
    if (good) {
        good =
            (walk_stacks(&f) && filter_rows(&f, d) && filter_samples(&f, d)) || report_out_of_memory(d->path, err) == 0;
        good = good && check_found(&f, err);
    }
    run_forget(d);
    const size_t spaces = d->spaces; // by which processes are named, whatever is shown
    report_count_contexts(d);
    d->spaces = spaces;
    free(f.below);
    free(f.lost);
    free(f.what);
    pair_numbers_free(&f.places);
    return good;
}

// ---- in words ----
static void add_functions(char *text, size_t size, const char *word, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        words_append(text, size, "%s%s%s", i ? " or " : *text ? ", " : "", i ? "" : word, names[i]);
}

void filter_words(const struct run *d, char *text, size_t size) {
    const struct report_filter *f = &d->filter;
    *text = '\0';
    bool first = true;
    for (unsigned mode = 0; mode <= MODE_MACHINE; mode++) {
        if (!(f->modes >> mode & 1)) continue;
        words_append(text, size, "%s%s mode", first ? "" : " or ", report_mode_name(d, mode));
        first = false;
    }
    if (f->process) words_append(text, size, "%sprocess %s", *text ? ", " : "", f->process);
    add_functions(text, size, "below ", f->focus, f->focus_count);
    add_functions(text, size, "without ", f->ignore, f->ignore_count);
}

void filter_share_words(const struct run *d, char *text, size_t size) {
    char what[TEXT];
    filter_words(d, what, sizeof what);
    snprintf(text, size, "shown: %.1f %% of the time, %s; shares refer to it", percent_of(d->total, d->whole), what);
    if ((d->filter.focus_count || d->filter.ignore_count) && d->lost)
        words_append(text, size,
                     "; of %.1f %% of all time the callers are not known, which counts as its own function alone",
                     percent_of(d->lost, d->whole));
}
