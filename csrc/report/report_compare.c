// Errors of all profilers against the Oracle, over one or more files.
#include "report/columns.h"
#include "report/compare.h"
#include "report/formats.h"
#include "report/json.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void comparison_close(struct comparison *c) {
    for (size_t i = 0; i < c->count; i++) {
        free(c->files[i].errors);
        run_close(&c->files[i].data);
    }
    free(c->files);
}

// After the samples' own, which stand first: a row for each way of pooling them.
static bool add_pools(struct compared_file *f, unsigned pools, struct error *err) {
    const size_t many = (size_t)__builtin_popcount(pools), own = f->error_count < 1 ? 0 : 1;
    struct report_error *grown = many ? realloc(f->errors, (f->error_count + many) * sizeof *grown) : f->errors;
    if (!grown) return report_out_of_memory(f->data.path, err) == 0;
    f->errors = grown;
    memmove(grown + own + many, grown + own, (f->error_count - own) * sizeof *grown);
    memset(grown + own, 0, many * sizeof *grown);
    f->error_count += many;
    for (size_t i = own; pools; pools &= pools - 1, i++) {
        if (!report_pool_error(&f->data, (enum pool_kind)__builtin_ctz(pools), &grown[i], err)) return false;
    }
    return true;
}

static int file_open(struct compared_file *f, const char *path, const struct report_options *options,
                     struct error *err) {
    if (!run_open(&f->data, path, options, err)) return -EINVAL;
    if (f->data.sample_count == 0) {
        error_set(err, "%s: holds no samples to compare with the Oracle: run again with a shorter --period", path);
        return -ENODATA;
    }
    f->errors = report_errors(&f->data, &f->error_count);
    if (f->errors && !add_pools(f, options->pools, err)) return -EINVAL;
    if (f->errors) return report_add_chance(&f->data, f->errors, f->error_count, err);
    if (f->error_count) return report_out_of_memory(path, err);
    error_set(err, "%s: holds no Oracle profile to compare with: run again without --no-oracle, and to the end", path);
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

// ---- for programs ----
static struct cJSON *hidden_json(const struct comparison *c) {
    cJSON *hidden = cJSON_CreateArray();
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->files[i].error_count; k++) {
            if (!c->files[i].errors[k].hidden) continue;
            cJSON *object = cJSON_CreateObject();
            cJSON_AddStringToObject(object, "file", c->files[i].data.path);
            cJSON_AddStringToObject(object, "profiler", c->files[i].errors[k].profiler);
            cJSON_AddItemToArray(hidden, object);
        }
    }
    return hidden;
}

static int print_for_programs(const struct comparison *c, const struct report_options *o, FILE *out,
                              struct error *err) {
    const bool csv = o->format == &format_csv;
    cJSON *root = csv ? NULL : cJSON_CreateObject();
    struct rows to = {o, out, cJSON_AddArrayToObject(root, "errors"), false};
    if (csv) columns_csv_heading(&report_error_columns, out);
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->files[i].error_count; k++)
            report_error_rows(&to, &c->files[i].data, &c->files[i].errors[k]);
    }
    if (csv) return 0;
    cJSON_AddItemToObject(root, "not_shown", hidden_json(c));
    return json_print(root, c->files[0].data.path, out, err);
}

int report_compare(const char *const *paths, size_t count, const struct report_options *options, FILE *out,
                   struct error *err) {
    struct comparison c;
    if (!report_format_is_of(REPORT_OF_SEVERAL, options->format, err)) return -EINVAL;
    int result = comparison_open(&c, paths, count, options, err);
    if (result == 0) {
        result = (options->format && options->format != &format_text ? print_for_programs : compare_text)(&c, options,
                                                                                                          out, err);
    }
    comparison_close(&c);
    return result;
}
