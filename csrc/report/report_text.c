// The report for people: what ran, where the cycles went, functions, instructions, how good the profile is, and the
// hottest function line by line.
#include "base/paths.h"
#include "report/advice.h"
#include "report/annotate.h"
#include "report/confidence.h"
#include "report/contexts.h"
#include "report/errors.h"
#include "report/formats.h"
#include "report/reasons.h"
#include "report/sampling_error.h"
#include "report/style.h"
#include "report/units.h"
#include "report/words.h"
#include "results.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BAR = 20, STATE_BAR = 40, TEXT = 512 };
#define CHANCE_MOST 0.05 // of the time at the wrong unit by chance: above, there are too few samples

static void print_summary(const struct run *d, const struct report_options *o, FILE *out) {
    const struct samples_header *h = d->header;
    char n[32], words[TEXT];
    style_heading(out, o, "%s on %s%s%s", paths_name(h->program), h->config, h->settings[0] ? " with " : "",
                  h->settings);
    fprintf(out, "  %s cycles (%.3f ms at %.2f GHz)", style_number(d->cycles, n),
            (double)d->cycles / (1e3 * h->clock_mhz), h->clock_mhz / 1e3);
    if (d->instructions) {
        fprintf(out, ", %s instructions", style_number(d->instructions, n));
        fprintf(out, ", IPC %.3f", d->cycles ? (double)d->instructions / (double)d->cycles : 0);
    }
    fputc('\n', out);
    if (h->region[0]) fprintf(out, "  of the run, %s\n", h->region);
    if (d->sample_count) {
        fprintf(out, "  %s samples", style_number(d->sample_count, n));
        sampling_triggers_words(h, words, sizeof words);
        fprintf(out, ", %s", words);
        const struct lost_triggers *lost = results_lost_triggers(samples_results(d->samples));
        if (lost && lost->count) fprintf(out, "; %s triggers lost", style_number(lost->count, n));
        fputc('\n', out);
    } else {
        fputs("  no samples in this file\n", out);
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
    style_heading(out, o, "Where the cycles go");
    for (unsigned state = 0; state <= STATE_COUNT; state++) {
        if (state == STATE_COUNT && all.states[state] == 0) continue;
        uint64_t one[STATE_COUNT + 1] = {0};
        one[state] = all.states[state];
        fprintf(out, "  %-9s ", report_state_name(state));
        style_share(out, o, one[state], d->total);
        fputs("  ", out);
        style_bar(out, o, one, d->total, STATE_BAR);
        fprintf(out, "  %s\n", report_state_words(state));
    }
}

// sure: NULL, where nothing is estimated.
static void print_time(const struct run *d, const struct report_options *o, const struct unit_time *u, uint64_t full,
                       const struct confidence *sure, FILE *out) {
    char n[32];
    style_share(out, o, u->weight, d->total);
    if (sure) {
        const struct estimate time = confidence_of(sure, u->place, SPREAD_TIME);
        style_interval(out, o, &time, (double)d->total / d->header->units);
    }
    fprintf(out, " %13s  ", style_number((u->weight + d->header->units / 2) / d->header->units, n));
    style_bar(out, o, u->states, full, BAR);
}

// Who had the time, where there are several: a program without an operating system is one.
static int print_contexts(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    char words[TEXT];
    size_t count;
    if (d->contexts < 2) return 0;
    const struct unit_time *units = run_contexts(d, &count);
    if (!units) return report_out_of_memory(d->path, err);
    style_heading(out, o, "By mode and process");
    fprintf(out, "   share        cycles  %-*s  who\n", BAR, "time by state");
    for (size_t i = 0; i < count; i++) {
        report_context_words(d, units[i].place, words, sizeof words);
        print_time(d, o, &units[i], units[0].weight, NULL, out);
        fprintf(out, "  %s\n", words);
    }
    return 0;
}

static size_t shown(size_t count, size_t top) {
    return top && top < count ? top : count;
}

static void print_place(const struct run *d, struct place place, char *text, size_t size) {
    unsigned line;
    const char *file = report_source(d, place, &line);
    *text = '\0';
    if (file) snprintf(text, size, "%s:%u", paths_name(file), line);
}

static void print_time_heading(const struct report_options *o, const struct confidence *sure, FILE *out) {
    fputs("   share", out);
    if (sure) style_interval_heading(out, o);
    fprintf(out, "        cycles  %-*s", BAR, "time by state");
}

static void print_functions(const struct run *d, const struct report_options *o, FILE *out,
                            const struct unit_time *units, size_t count, const struct confidence *sure) {
    char name[TEXT], place[TEXT];
    size_t rows = shown(count, o->top);
    style_heading(out, o, "Functions by time (%zu of %zu)", rows, count);
    print_time_heading(o, sure, out);
    fprintf(out, "  %-24s %s\n", "function", "source");
    for (size_t i = 0; i < rows; i++) {
        report_label(d, BY_FUNCTION, units[i].place, name, sizeof name);
        print_place(d, units[i].place, place, sizeof place);
        print_time(d, o, &units[i], units[0].weight, sure, out);
        fprintf(out, "  %-24s %s\n", name, place);
    }
}

static void print_applications(const struct run *d, const struct report_options *o, FILE *out,
                               const struct unit_time *units, size_t count) {
    char name[TEXT];
    style_heading(out, o, "The application");
    fprintf(out, "   share        cycles  %-*s  %s\n", BAR, "time by state", "program");
    for (size_t i = 0; i < count; i++) {
        report_name(d, BY_APPLICATION, units[i].place, name, sizeof name);
        print_time(d, o, &units[i], units[0].weight, NULL, out);
        fprintf(out, "  %s\n", name);
    }
}

// Instructions, or the first instructions of blocks.
static void print_instructions(const struct run *d, const struct report_options *o, FILE *out, enum granularity g,
                               const struct unit_time *units, size_t count, const struct confidence *sure) {
    char name[TEXT], place[TEXT], instruction[TEXT], why[TEXT];
    size_t rows = shown(count, o->top);
    style_heading(out, o, g == BY_BLOCK ? "Hottest basic blocks (%zu of %zu)" : "Hottest instructions (%zu of %zu)",
                  rows, count);
    const int digits = report_has_modes(d) ? 16 : 8; // of addresses
    print_time_heading(o, sure, out);
    const bool counts = g == BY_INSTRUCTION && facts_executions_known(d->facts);
    if (counts) fprintf(out, "  %12s  %6s", "executions", "each");
    fprintf(out, "  %-*s  %-28s %-22s %-16s %s\n", digits + 2, "address",
            g == BY_BLOCK ? "first instruction" : "instruction", "function", "source", "why");
    for (size_t i = 0; i < rows; i++) {
        const struct unit_time *u = &units[i];
        report_label(d, g, u->place, name, sizeof name);
        report_instruction(d, u->place, instruction, sizeof instruction);
        print_place(d, u->place, place, sizeof place);
        if (g == BY_INSTRUCTION) {
            reasons_of_instruction(d, u, why, sizeof why);
        } else {
            report_why(d, u, why, sizeof why);
        }
        print_time(d, o, u, units[0].weight, sure, out);
        if (counts) reasons_print_counts(d, u->place, u->weight, out);
        if (u->place.pc == PROFILE_PC_END) {
            fprintf(out, "  %s: nothing was left to commit\n", name);
        } else {
            fprintf(out, "  0x%0*llx  %-28s %-22s %-16s %s\n", digits, (unsigned long long)u->place.pc, instruction,
                    name, place, why);
        }
    }
}

static int print_table(const struct run *d, const struct report_options *o, enum granularity g, FILE *out,
                       struct error *err) {
    size_t count;
    const struct confidence *sure;
    const int result = estimate(d, g, &sure, err);
    const struct unit_time *units = result < 0 ? NULL : run_units(d, g, &count);
    if (!units) return result < 0 ? result : report_out_of_memory(d->path, err);
    switch (g) {
    case BY_FUNCTION: print_functions(d, o, out, units, count, sure); break;
    case BY_APPLICATION: print_applications(d, o, out, units, count); break;
    default: print_instructions(d, o, out, g, units, count, sure); break;
    }
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
    if (count == 0 && d->sample_count) {
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
        const struct program_instruction *at = &program_instructions(hit->program, &n)[hit->instruction];
        const struct program_function *f = &program_functions(hit->program, &n)[at->function];
        if (!name || program_function_is(hit->program, f, name)) return true;
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
    error_set(err, "%s: no function '%s' in %s: `--granularity function` lists them", d->path, o->annotate,
              d->header->program);
    return -ENOENT;
}

static int print_profile(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    int result = print_sampling_error(d, out, err);
    if (result < 0) return result;
    print_states(d, o, out);
    mispredictions_print_sum(d, o, out);
    result = print_contexts(d, o, out, err);
    if (result < 0) return result;
    fputc('\n', out);
    style_key(out, o);
    if (d->by_samples) fprintf(out, "  ? fewer than %d samples\n", SPREAD_FEW);
    if (o->by) return report_by(d, o, out, err);
    if (o->one_table) return print_table(d, o, o->granularity, out, err);
    result = print_table(d, o, BY_FUNCTION, out, err);
    if (result == 0) result = print_table(d, o, BY_INSTRUCTION, out, err);
    if (result == 0) mispredictions_print(d, o, out);
    if (result == 0) result = advice_print(d, o, out, err);
    if (result == 0) result = print_annotated(d, o, out, err);
    if (result == 0) result = print_errors(d, o, out, err);
    return result;
}

int report_text(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    if (o->annotate) return print_annotated(d, o, out, err);
    print_summary(d, o, out);
    if (o->stacks) return report_stacks_text(d, o, out, err);
    if (d->total == 0) {
        fputs("\nNo time was booked: the run was shorter than a period.\n", out);
        return 0;
    }
    return print_profile(d, o, out, err);
}
