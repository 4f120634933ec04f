// Errors of all profilers for people: means over the files, which are arithmetic, beside the maximum
// (docs/guide/profiling.md, "How good is the profile?"); a profiler counts in the files that have it.
#include "report/compare.h"
#include "report/style.h"
#include "results.h"
#include <stdlib.h>
#include <string.h>

static const struct report_error *find_any(const struct comparison *c, size_t file, const char *profiler) {
    for (size_t k = 0; k < c->files[file].error_count; k++) {
        if (strcmp(c->files[file].errors[k].profiler, profiler) == 0) return &c->files[file].errors[k];
    }
    return NULL;
}

// NULL, too, where the core does not show what it samples.
static const struct report_error *find(const struct comparison *c, size_t file, const char *profiler) {
    const struct report_error *e = find_any(c, file, profiler);
    return e && !e->hidden ? e : NULL;
}

// Files whose core does not show what the profiler samples, of those that have it; for its cycle stacks.
static size_t files_hidden(const struct comparison *c, const char *profiler, bool stacks) {
    size_t hidden = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct report_error *e = find_any(c, i, profiler);
        hidden += e && (stacks ? e->events && (e->hidden || !e->has_stacks) : e->hidden);
    }
    return hidden;
}

// All profilers, in the order of their first appearance.
// free() them. NULL: no memory.
static const char **profilers(const struct comparison *c, size_t *found) {
    size_t count = 0, most = 1;
    for (size_t i = 0; i < c->count; i++)
        most += c->files[i].error_count;
    const char **names = calloc(most, sizeof *names);
    if (!names) return NULL;
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->files[i].error_count; k++) {
            size_t n = 0;
            while (n < count && strcmp(names[n], c->files[i].errors[k].profiler) != 0)
                n++;
            if (n == count) names[count++] = c->files[i].errors[k].profiler;
        }
    }
    *found = count;
    return names;
}

// Which error.
enum kind { OF_TIME, OF_STACKS, CHANCE_OF_TIME, CHANCE_OF_STACKS };

// False: the profiler has none in this file, or blocks and functions are not known.
static bool value_of(const struct comparison *c, size_t file, const char *profiler, enum granularity g, enum kind kind,
                     double *value) {
    const struct report_error *e = find(c, file, profiler);
    if (!e || (kind == OF_STACKS && !e->has_stacks) || !report_error_known(&c->files[file].data, g)) return false;
    const double values[] = {e->by[g].error, e->stacks[g].error, e->chance[g].error, e->chance_of_stacks[g].error};
    *value = values[kind];
    return true;
}

// At each granularity the mean over the files and, of several, the maximum.
static void print_cells(const struct comparison *c, const char *profiler, enum kind kind, FILE *out) {
    for (int g = 0; g < GRANULARITY_COUNT; g++) {
        double sum = 0, greatest = 0, value;
        size_t n = 0;
        for (size_t i = 0; i < c->count; i++) {
            if (!value_of(c, i, profiler, (enum granularity)g, kind, &value)) continue;
            sum += value;
            n++;
            if (value > greatest) greatest = value;
        }
        if (n == 0) {
            fprintf(out, "%*s", c->count > 1 ? 19 : 12, "-");
        } else {
            fprintf(out, c->count > 1 ? "  %6.2f %%" : "  %8.2f %%", 100 * sum / (double)n);
            if (c->count > 1) fprintf(out, " %6.2f %%", 100 * greatest);
        }
    }
}

static void print_file_error(const struct comparison *c, size_t file, const char *profiler, enum kind kind, int width,
                             FILE *out) {
    double value;
    if (value_of(c, file, profiler, BY_INSTRUCTION, kind, &value)) {
        fprintf(out, "%*.2f %%", width - 2, 100 * value);
    } else {
        fprintf(out, "%*s", width, "-");
    }
}

static void print_files(const struct comparison *c, const struct report_options *o, FILE *out) {
    char n[32];
    style_heading(out, o, "Error of TIP, and of TEA's cycle stacks, against the Oracle, by file (instruction level)");
    fprintf(out, "         TIP  TEA's stacks       samples          cycles  file\n");
    for (size_t i = 0; i < c->count; i++) {
        print_file_error(c, i, "TIP", OF_TIME, 12, out);
        print_file_error(c, i, "TEA", OF_STACKS, 14, out);
        fprintf(out, "  %12s", style_number(c->files[i].data.sample_count, n));
        fprintf(out, "  %14s  %s\n", style_number(c->files[i].data.cycles, n), c->files[i].data.path);
    }
}

// The event set of a profiler, as it is in the first file that has the profiler: "6 of 9 events", or "".
static void print_events(const struct comparison *c, const char *profiler, FILE *out) {
    for (size_t i = 0; i < c->count; i++) {
        const struct report_error *e = find(c, i, profiler);
        if (!e) continue;
        fprintf(out, "   %d of %u events", __builtin_popcount(e->events), c->files[i].data.header->event_count);
        return;
    }
}

// Whether two profilers have the same errors in every file, at every granularity.
static bool same_errors(const struct comparison *c, const char *a, const char *b, bool stacks) {
    for (size_t i = 0; i < c->count; i++) {
        const struct report_error *x = find(c, i, a), *y = find(c, i, b);
        if (!x != !y || (x && stacks && x->events != y->events)) return false;
        for (int g = 0; x && g < GRANULARITY_COUNT; g++) {
            const struct profile_error *p = stacks ? &x->stacks[g] : &x->by[g], *q = stacks ? &y->stacks[g] : &y->by[g];
            if (p->total != q->total || p->correct != q->correct) return false;
        }
    }
    return true;
}

static bool has_errors(const struct comparison *c, const char *profiler, bool stacks) {
    for (size_t i = 0; i < c->count; i++) {
        const struct report_error *e = find(c, i, profiler);
        if (e && (e->has_stacks || !stacks)) return true;
    }
    return false;
}

// One row for all profilers that say the same: those that follow the first are named at its end.
static void print_table(const struct comparison *c, const char *const *names, size_t count, bool stacks, FILE *out) {
    static const char *const columns[] = {"instruction", "basic block", "function", "application"};
    fprintf(out, "  %-14s", "");
    for (int g = 0; g < GRANULARITY_COUNT; g++)
        fprintf(out, "%*s", c->count > 1 ? 19 : 12, columns[g]);
    fputc('\n', out);
    fprintf(out, "  %-14s", "chance"); // of cycle stacks by all events
    print_cells(c, stacks ? "TEA" : "TIP", stacks ? CHANCE_OF_STACKS : CHANCE_OF_TIME, out);
    fputs("   an unbiased profiler with as many samples\n", out);
    for (size_t k = 0; k < count; k++) {
        bool printed = false;
        for (size_t j = 0; j < k; j++)
            printed = printed || (has_errors(c, names[j], stacks) && same_errors(c, names[j], names[k], stacks));
        if (printed || !has_errors(c, names[k], stacks)) continue;
        fprintf(out, "  %-14s", names[k]);
        print_cells(c, names[k], stacks ? OF_STACKS : OF_TIME, out);
        if (stacks) print_events(c, names[k], out);
        const char *before = "   as ";
        for (size_t j = k + 1; j < count; j++) {
            if (!has_errors(c, names[j], stacks) || !same_errors(c, names[k], names[j], stacks)) continue;
            fprintf(out, "%s%s", before, names[j]);
            before = ", ";
        }
        fputc('\n', out);
    }
}

// Profilers without any number, or without one in some files.
static void print_hidden(const struct comparison *c, const char *const *names, size_t count, bool stacks, FILE *out) {
    for (size_t k = 0; k < count; k++) {
        const size_t hidden = files_hidden(c, names[k], stacks);
        if (!hidden) continue;
        fprintf(out, "  %-14s  not shown by %s core", names[k], c->count > 1 ? "the" : "this");
        if (c->count > 1) fprintf(out, " of %zu of %zu files", hidden, c->count);
        fputc('\n', out);
    }
}

// How many instructions the tagging profilers had in flight at most: that of each file, least and most.
static void print_tags(const struct comparison *c, FILE *out) {
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct tag_limit *limit = results_tag_limit(samples_results(c->files[i].data.samples));
        const uint64_t tags = limit ? limit->tags : 0;
        if (tags && tags < least) least = tags;
        if (tags > most) most = tags;
    }
    if (!most) return;
    fprintf(out, "  Dispatch, Fetch, IBS, SPE and RIS: %llu", (unsigned long long)least);
    if (most != least) fprintf(out, " to %llu", (unsigned long long)most);
    fprintf(out, " tag%s; `tipoff run --worker profilers:tags=1` has as many as a unit in hardware\n",
            most == 1 ? "" : "s");
}

static void print_section(const struct comparison *c, const struct report_options *o, const char *const *names,
                          size_t count, bool stacks, FILE *out) {
    style_heading(out, o, "Error of %s%s", stacks ? "cycle stacks" : "each profiler against the Oracle",
                  c->count > 1 ? ", mean and maximum" : "");
    print_table(c, names, count, stacks, out);
    print_hidden(c, names, count, stacks, out);
}

int compare_text(const struct comparison *c, const struct report_options *o, FILE *out, struct error *err) {
    size_t count;
    const char **names = profilers(c, &count);
    if (!names) return report_out_of_memory(c->files[0].data.path, err);
    bool stacks = false;
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->files[i].error_count; k++)
            stacks = stacks || c->files[i].errors[k].events;
    }
    print_files(c, o, out);
    print_section(c, o, names, count, false, out);
    fputs(
        "\n  0 % is perfect. Chance falls as the number of samples grows; what a profiler has on top of it is bias.\n",
        out);
    print_tags(c, out);
    if (stacks) {
        print_section(c, o, names, count, true, out);
        fputs(
            "\n  Time by unit and by combination of events, the Oracle's cut to the events that the profiler knows.\n",
            out);
    }
    free(names);
    return 0;
}
