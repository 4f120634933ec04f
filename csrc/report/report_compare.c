// Errors of all profilers against the Oracle, over one or more files. Means are arithmetic and stand beside the maximum
// (design/1 section 4); a profiler counts in the files that have it.
#include "report/csv.h"
#include "report/json.h"
#include "report/style.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 32 };

struct compared_file {
    struct report_data data;
    struct report_error *errors;
    size_t error_count;
};

struct comparison {
    size_t count;
    struct compared_file *files;
};

static void comparison_close(struct comparison *c) {
    for (size_t i = 0; i < c->count; i++) {
        free(c->files[i].errors);
        report_close(&c->files[i].data);
    }
    free(c->files);
}

static int file_open(struct compared_file *f, const char *path, const struct report_options *options,
                     struct error *err) {
    if (!report_open(&f->data, path, options, err)) return -EINVAL;
    f->errors = report_errors(&f->data, &f->error_count);
    if (f->errors) return 0;
    if (f->error_count) return report_out_of_memory(path, err);
    if (samples_find_profile(f->data.samples, "Oracle")) {
        error_set(err, "%s: holds no samples to compare with the Oracle: run again with a shorter --period", path);
    } else {
        error_set(err, "%s: holds no Oracle profile to compare with: run again without --no-oracle, and to the end",
                  path);
    }
    return -ENODATA;
}

static int comparison_open(struct comparison *c, const char *const *paths, size_t count,
                           const struct report_options *options, struct error *err) {
    int result = 0;
    *c = (struct comparison){0, calloc(count, sizeof *c->files)};
    if (!c->files) return report_out_of_memory(paths[0], err);
    for (size_t i = 0; i < count && result == 0; i++) {
        c->count = i + 1;
        result = file_open(&c->files[i], paths[i], options, err);
    }
    return result;
}

static const struct report_error *find(const struct comparison *c, size_t file, const char *profiler) {
    for (size_t k = 0; k < c->files[file].error_count; k++) {
        if (strcmp(c->files[file].errors[k].profiler, profiler) == 0) return &c->files[file].errors[k];
    }
    return NULL;
}

// All profilers, in the order of their first appearance.
static size_t profilers(const struct comparison *c, const char *names[NAMES]) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->files[i].error_count; k++) {
            size_t n = 0;
            while (n < count && strcmp(names[n], c->files[i].errors[k].profiler) != 0)
                n++;
            if (n == count && count < NAMES) names[count++] = c->files[i].errors[k].profiler;
        }
    }
    return count;
}

// column: a granularity, or GRANULARITY_COUNT for the cycle stacks. False: the profiler has none in this file, or
// blocks and functions are not known.
static bool value_of(const struct comparison *c, size_t file, const char *profiler, unsigned column, double *value) {
    const struct report_error *e = find(c, file, profiler);
    if (!e || (column == GRANULARITY_COUNT && !e->has_stacks)) return false;
    if (column < GRANULARITY_COUNT && !report_error_known(&c->files[file].data, (enum granularity)column)) return false;
    *value = column == GRANULARITY_COUNT ? e->stacks.error : e->by[column].error;
    return true;
}

static void print_cell(const struct comparison *c, const char *profiler, unsigned column, FILE *out) {
    double sum = 0, greatest = 0, value;
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!value_of(c, i, profiler, column, &value)) continue;
        sum += value;
        n++;
        if (value > greatest) greatest = value;
    }
    if (n == 0) {
        fprintf(out, "%*s", c->count > 1 ? 18 : 12, "-");
    } else if (c->count > 1) {
        fprintf(out, "  %6.2f %% %6.2f %%", 100 * sum / (double)n, 100 * greatest);
    } else {
        fprintf(out, "  %8.2f %%", 100 * sum / (double)n);
    }
}

static void print_files(const struct comparison *c, const struct report_options *o, FILE *out) {
    char n[32];
    double value;
    style_heading(out, o, "Error of TIP against the Oracle, by file (instruction level)");
    fprintf(out, "       error       samples          cycles  file\n");
    for (size_t i = 0; i < c->count; i++) {
        if (value_of(c, i, "TIP", BY_INSTRUCTION, &value)) {
            fprintf(out, "  %8.2f %%", 100 * value);
        } else {
            fprintf(out, "  %10s", "-");
        }
        fprintf(out, "  %12s", style_number(c->files[i].data.sample_count, n));
        fprintf(out, "  %14s  %s\n", style_number(c->files[i].data.cycles, n), c->files[i].data.path);
    }
}

static void print_text(const struct comparison *c, const struct report_options *o, FILE *out) {
    static const char *const columns[] = {"instruction", "basic block", "function", "application", "cycle stack"};
    const char *names[NAMES];
    size_t count = profilers(c, names);
    bool stacks = false;
    double value;
    for (size_t k = 0; k < count; k++)
        stacks = stacks || value_of(c, 0, names[k], GRANULARITY_COUNT, &value);
    unsigned column_count = GRANULARITY_COUNT + stacks;
    print_files(c, o, out);
    style_heading(out, o, "Error of each profiler against the Oracle%s", c->count > 1 ? ", mean and maximum" : "");
    fprintf(out, "  %-14s", "");
    for (unsigned column = 0; column < column_count; column++)
        fprintf(out, "%*s", c->count > 1 ? 19 : 12, columns[column]);
    fputc('\n', out);
    for (size_t k = 0; k < count; k++) {
        fprintf(out, "  %-14s", names[k]);
        for (unsigned column = 0; column < column_count; column++)
            print_cell(c, names[k], column, out);
        fputc('\n', out);
    }
    fputs("\n  0 % is perfect. What TIP has left is statistical: it falls as the number of samples grows. What the "
          "others have "
          "on top is bias.\n",
          out);
}

static void print_csv_row(const struct report_data *d, const char *profiler, const char *granularity,
                          const char *components, const struct profile_error *e, FILE *out) {
    csv_text(out, d->path);
    fputc(',', out);
    csv_text(out, profiler);
    fprintf(out, ",%s,%s,%.17g,%llu,%llu,%llu,%zu\n", granularity, components, e->error, (unsigned long long)e->total,
            (unsigned long long)e->correct, (unsigned long long)e->booked, d->sample_count);
}

static void print_csv(const struct comparison *c, FILE *out) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    fputs("file,profiler,granularity,components,error,total,correct,booked,samples\n", out);
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->files[i].error_count; k++) {
            const struct report_error *e = &c->files[i].errors[k];
            for (int g = 0; g < GRANULARITY_COUNT; g++) {
                if (!report_error_known(&c->files[i].data, (enum granularity)g)) continue;
                print_csv_row(&c->files[i].data, e->profiler, granularities[g], "time", &e->by[g], out);
            }
            if (e->has_stacks)
                print_csv_row(&c->files[i].data, e->profiler, granularities[BY_INSTRUCTION], "events", &e->stacks, out);
        }
    }
}

static int print_json(const struct comparison *c, FILE *out, struct error *err) {
    cJSON *root = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(root, "errors");
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->files[i].error_count; k++)
            json_add_errors(array, &c->files[i].data, &c->files[i].errors[k]);
    }
    return json_print(root, c->files[0].data.path, out, err);
}

int report_compare(const char *const *paths, size_t count, const struct report_options *options, FILE *out,
                   struct error *err) {
    struct comparison c;
    int result = comparison_open(&c, paths, count, options, err);
    if (result == 0) {
        switch (options->format) {
        case REPORT_CSV: print_csv(&c, out); break;
        case REPORT_JSON: result = print_json(&c, out, err); break;
        default: print_text(&c, options, out); break;
        }
    }
    comparison_close(&c);
    return result;
}
