// The report for people: what ran, where the cycles went, functions, instructions, how good the profile is, and the
// hottest function line by line.
#include "base/paths.h"
#include "report/advice.h"
#include "report/annotate.h"
#include "report/computing.h"
#include "report/confidence.h"
#include "report/contexts.h"
#include "report/errors.h"
#include "report/formats.h"
#include "report/hot_paths.h"
#include "report/reasons.h"
#include "report/sampling_error.h"
#include "report/style.h"
#include "report/time_columns.h"
#include "report/units.h"
#include "report/words.h"
#include "results.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BAR = 20, STATE_BAR = 40, TEXT = 512 };
#define ALL_TIME "{share}{interval} {weight:13}  {states:20}"
#define TIME ALL_TIME "{harts}"
#define CHANCE_MOST 0.05 // of the time at the wrong unit by chance: above, there are too few samples

static void print_summary(const struct run *d, const struct report_options *o, FILE *out) {
    const struct samples_header *h = d->header;
    char n[32], words[TEXT];
    style_heading(out, o, "%s on %s%s%s", h->program[0] ? paths_name(h->program) : "a trace", h->config,
                  h->settings[0] ? " with " : "", h->settings);
    style_totals(out, d);
    fputc('\n', out);
    if (h->region[0]) fprintf(out, "  of the run, %s\n", h->region);
    const struct imported *imported = results_imported(samples_results(d->samples));
    if (imported)
        fprintf(out, "  imported from %s%s; not shown by it: %s\n", style_sampled(d) ? "" : "a trace, ",
                imported->format, imported->missing[0] ? imported->missing : "nothing of this");
    if (d->sample_count) {
        fprintf(out, "  %s samples", style_number(d->sample_count, n));
        sampling_triggers_words(h, words, sizeof words);
        fprintf(out, ", %s", words);
        const struct lost_triggers *lost = results_lost_triggers(samples_results(d->samples));
        if (lost && lost->collisions) fprintf(out, "; %s triggers lost", style_number(lost->collisions, n));
        fputc('\n', out);
    } else {
        if (!style_sampled(d)) fputs("  no samples in this file\n", out);
    }
    if (d->by_samples) {
        fprintf(out, "  times below: by the samples of the %s unit\n",
                h->vectors == SAMPLES_VECTORS_COMMIT ? "TEA" : "TIP");
        if (o->stacks && h->vectors == SAMPLES_VECTORS_SAMPLE)
            fputs("  events as they stood when a sample was taken: profile.tea = 1 has them complete\n", out);
        if (o->stacks && d->partial)
            fprintf(out,
                    "  %s of them may lack events: the core keeps vectors only shortly before a sample "
                    "(profile.vector_window)\n",
                    style_number(d->partial, n));
    } else if (d->pooled) {
        fprintf(out, "  times below: by the samples of the unit, pooled: %s\n", d->profiler);
    } else {
        fprintf(out, "  times below: by the profile of %s%s\n", d->profiler,
                strcmp(d->profiler, "Oracle") == 0 ? ", which accounts for every cycle" : "");
    }
    if (o->stacks && h->vectors == SAMPLES_VECTORS_NONE)
        fputs("  a core without vectors (profile.vectors = 0): no events, all time is Base\n", out);
    if (d->shown) {
        filter_share_words(d, words, sizeof words);
        fprintf(out, "  %s\n  (cycles, instructions, executions and mispredictions are those of the whole run)\n",
                words);
    }
    if (!d->readable) fputs("  the program cannot be read: addresses only\n", out);
    style_dim(out, o, true);
    fprintf(out, "  %s\n", h->command);
    style_dim(out, o, false);
}

// Its estimates in *sure: NULL, where nothing is estimated.
static int estimate(const struct run *d, enum granularity g, const struct confidence **sure, struct error *err) {
    *sure = d->by_samples ? run_confidence(d, g, err) : NULL;
    return d->by_samples && !*sure ? -EINVAL : 0;
}

// The expected error by sampling, and the period that makes it small.
static int print_sampling_error(const struct run *d, FILE *out, struct error *err) {
    enum { PARTS = 2 };
    static const enum granularity parts[PARTS] = {BY_INSTRUCTION, BY_FUNCTION};
    static const char *const names[PARTS] = {"instruction", "function"};
    const struct confidence *sure[PARTS];
    char words[TEXT];
    if (!d->by_samples) return 0;
    for (int i = 0; i < PARTS; i++) {
        const int result = estimate(d, parts[i], &sure[i], err);
        if (result < 0) return result;
    }
    sampling_error_words(sure[0], d->readable ? sure[1] : NULL, words, sizeof words);
    fprintf(out, "  sampling error: %s\n", words);
    if (sampling_error_step_words(sure[0], words, sizeof words)) {
        fprintf(out, "  %s\n", words); // more samples would not help
        return 0;
    }
    for (int i = PARTS; i-- > 0;) {
        const double chance = sampling_error_of(sure[i]).part;
        if (chance <= CHANCE_MOST || (!d->readable && i)) continue;
        const double period = (double)d->header->sampling.period * (CHANCE_MOST / chance) * (CHANCE_MOST / chance);
        fprintf(out,
                "  too few samples to compare %ss: --period %.0f, or a run longer by the same factor, reduces this "
                "error to %.0f %%\n",
                names[i], period < 1 ? 1 : period, 100 * CHANCE_MOST);
    }
    return 0;
}

static void print_states(const struct run *d, const struct report_options *o, FILE *out) {
    const struct unit_time all = run_all(d);
    const struct imported *imported = results_imported(samples_results(d->samples));
    style_heading(out, o, "Where the cycles go");
    for (unsigned state = 0; state <= STATE_COUNT; state++) {
        if (state == STATE_COUNT && all.states[state] == 0) continue;
        uint64_t one[STATE_COUNT + 1] = {0};
        one[state] = all.states[state];
        fprintf(out, "  %-9s ", report_state_name(state));
        if (imported && strstr(imported->missing, report_state_name(state))) {
            fprintf(out, "not shown by the %s\n", style_sampled(d) ? "samples" : "trace");
            continue;
        }
        style_share(out, o, one[state], d->total);
        fputs("  ", out);
        style_bar(out, o, one, d->total, STATE_BAR);
        fprintf(out, "  %s\n", report_state_words(state));
    }
}

// A line for each unit. sure: NULL, where nothing is estimated.
static void print_units(const struct columns *columns, const struct run *d, const struct report_options *o,
                        enum granularity g, const struct unit_time *units, size_t count, const struct confidence *sure,
                        FILE *out) {
    static const struct columns end = {TIME "{counts}  {label}: nothing was left to commit\n", .get = unit_value};
    for (size_t i = 0; i < count; i++) {
        const struct unit_time *u = &units[i];
        struct unit_row row = {{.run = d, .time = u, .full = units->weight, .estimated = sure}, g, u->place};
        if (sure) row.of.estimate = confidence_of(sure, u->place, SPREAD_TIME);
        columns_text(g < BY_FUNCTION && u->place.pc == PROFILE_PC_END ? &end : columns, o, &row, out);
    }
}

// Who had the time, where there are several: a program without an operating system is one.
static int print_contexts(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    static const struct columns columns = {ALL_TIME "  {name}\n", .get = context_value};
    size_t count;
    if (d->contexts < 2) return 0;
    const struct unit_time *units = run_contexts(d, &count);
    if (!units) return report_out_of_memory(d->path, err);
    style_heading(out, o, d->harts > 1 ? "By hart, mode and process" : "By mode and process");
    style_time_heading(out, o, d, false, BAR);
    fputs("  who\n", out);
    print_units(&columns, d, o, BY_APPLICATION, units, count, NULL, out);
    return 0;
}

static void print_heading(const struct run *d, enum granularity g, FILE *out) {
    if (d->harts > 1) fputs("  hart", out);
    if (g == BY_APPLICATION) {
        fputs("  program\n", out);
    } else if (g == BY_FUNCTION) {
        fprintf(out, "  %-24s %s\n", "function", "source");
    } else {
        if (g == BY_INSTRUCTION && facts_executions_known(d->facts)) fprintf(out, "  %12s  %6s", "executions", "each");
        fprintf(out, "  %-*s  %-28s %-22s %-16s %s\n", report_has_modes(d) ? 18 : 10, "address",
                g == BY_BLOCK ? "first instruction" : "instruction", "function", "source", "why");
    }
}

static int print_table(const struct run *d, const struct report_options *o, enum granularity g, FILE *out,
                       struct error *err) {
#define CODE TIME "{counts}  {address}  {code:-28} {label:-22} {at:-16} {why}\n"
    static const struct table {
        const char *title;
        struct columns columns;
    } tables[] = {[BY_INSTRUCTION] = {"Hottest instructions (%zu of %zu)", {CODE, .get = unit_value}},
                  [BY_BLOCK] = {"Hottest basic blocks (%zu of %zu)", {CODE, .get = unit_value}},
                  [BY_FUNCTION] = {"Functions by time (%zu of %zu)", {TIME "  {label:-24} {at}\n", .get = unit_value}},
                  [BY_APPLICATION] = {"The application", {TIME "  {name}\n", .get = unit_value}}};
    size_t count;
    const struct confidence *sure;
    const int result = estimate(d, g, &sure, err);
    const struct unit_time *units = result < 0 ? NULL : run_units(d, g, &count);
    if (!units) return result < 0 ? result : report_out_of_memory(d->path, err);
    if (g == BY_APPLICATION) sure = NULL;
    const size_t rows = g != BY_APPLICATION && o->top && o->top < count ? o->top : count;
    style_heading(out, o, tables[g].title, rows, count);
    style_time_heading(out, o, d, sure, BAR);
    print_heading(d, g, out);
    print_units(&tables[g].columns, d, o, g, units, rows, sure, out);
    return 0;
}

static int print_errors(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    size_t count;
    char n[32];
    struct report_error *errors = report_errors(d, &count);
    if (!errors && count) return report_out_of_memory(d->path, err);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(errors[i].profiler, "TIP") != 0 || !d->sample_count) continue;
        const struct profile_error *by = errors[i].by;
        style_heading(out, o, "Error of TIP against the Oracle, with %s samples", style_number(d->sample_count, n));
        fprintf(out, "  instruction %.2f %%", 100 * by[BY_INSTRUCTION].error);
        if (d->readable)
            fprintf(out, ", basic block %.2f %%, function %.2f %%", 100 * by[BY_BLOCK].error,
                    100 * by[BY_FUNCTION].error);
        if (i + 1 < count && strcmp(errors[i + 1].profiler, "TEA") == 0) {
            const struct profile_error *stacks = errors[i + 1].stacks;
            fprintf(out, "\n  cycle stacks: instruction %.2f %%", 100 * stacks[BY_INSTRUCTION].error);
            if (d->readable) fprintf(out, ", function %.2f %%", 100 * stacks[BY_FUNCTION].error);
        }
        fputs("\n  0 % is perfect; it falls as the number of samples grows. `tipoff compare` shows other profilers.\n",
              out);
    }
    if (count == 0 && d->sample_count && !d->shown) {
        style_heading(out, o, "Error of TIP against the Oracle");
        fputs("  not known: the file holds no Oracle profile (the run did not end, or ran with --no-oracle)\n", out);
    }
    free(errors);
    return 0;
}

// The function that is to be listed, of the image in which it has most time: one name may be in several.
static bool find_annotated(const struct run *d, const struct unit_time *units, size_t count, const char *name,
                           struct image_hit *hit) {
    size_t n;
    for (size_t i = 0; units && i < count; i++) {
        if (units[i].place.pc == PROFILE_PC_END || !images_find(d->images, units[i].place, hit)) continue;
        if (!name && style_sampled(d) && images_name(d->images, hit->image)[0] == '[') continue; // there is no code
        if (!name || program_function_is(hit->program, image_hit_function(hit), name)) return true;
    }
    for (size_t i = 0; name && i < images_count(d->images); i++) { // one without time
        const struct program *p = images_program(d->images, i);
        size_t function = p ? program_find_function(p, name) : PROGRAM_NONE;
        if (function == PROGRAM_NONE) continue;
        *hit = (struct image_hit){i, program_functions(p, &n)[function].first, p, images_extent(d->images, i)->bias};
        return true;
    }
    return false;
}

static int print_annotated(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    size_t count;
    struct image_hit hit;
    if (!d->readable) {
        if (!o->annotate) return 0;
        error_set(err, "%s: cannot list %s: the program cannot be read: name it with --program", d->path, o->annotate);
        return -ENOENT;
    }
    const struct unit_time *units = run_units(d, BY_FUNCTION, &count);
    if (!units && d->total) return report_out_of_memory(d->path, err);
    bool found = find_annotated(d, units, count, o->annotate, &hit);
    if (found && o->annotate) annotate_warn(d, &hit, o->annotate);
    if (found) return annotate_function(d, o, &hit, out, err);
    if (!o->annotate) return 0;
    error_set(err, "%s: no function '%s' in %s: `--by function` lists them", d->path, o->annotate, d->header->program);
    return -ENOENT;
}

static int print_profile(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    int result = print_sampling_error(d, out, err);
    if (result < 0) return result;
    print_states(d, o, out);
    if (!d->shown) mispredictions_print_sum(d, out);
    result = print_contexts(d, o, out, err);
    if (result < 0) return result;
    fputc('\n', out);
    style_key(out, o);
    if (d->by_samples) fprintf(out, "  ? fewer than %d samples\n", SPREAD_FEW);
    if (o->by) return report_by(d, o, out, err);
    if (o->one_table) return print_table(d, o, o->granularity, out, err);
    result = print_table(d, o, BY_FUNCTION, out, err);
    if (result == 0) hot_paths_print(d, o, out);
    if (result == 0) result = print_table(d, o, BY_INSTRUCTION, out, err);
    if (result == 0 && !d->shown) mispredictions_print(d, o, out);
    if (result == 0) result = advice_print(d, o, out, err);
    if (result == 0) computing_print(d, o, out);
    if (result == 0) result = print_annotated(d, o, out, err);
    if (result == 0) result = print_errors(d, o, out, err);
    if (result == 0)
        fputs("\nWords: docs/reference/glossary.md; how the time is found: docs/guide/profiling.md\n", out);
    return result;
}

int report_text(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    if (o->annotate) return print_annotated(d, o, out, err);
    print_summary(d, o, out);
    if (d->total == 0)
        fprintf(out, "\nNo time %s.\n", d->shown ? "is left to show" : "was booked: the run was shorter than a period");
    if (o->stacks) return report_stacks_text(d, o, out, err);
    return d->total ? print_profile(d, o, out, err) : 0;
}
