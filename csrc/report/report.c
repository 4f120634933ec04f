// The entry: opens, hands to the format, closes.
#include "report/report.h"
#include "report/errors.h"
#include "report/formats.h"
#include "report/run.h"
#include "report/style.h"
#include "report/units.h"
#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_options report_defaults(FILE *out, const struct notices *notices) {
    const char *no_colour = getenv("NO_COLOR");
    return (struct report_options){.notices = notices,
                                   .format = &format_text,
                                   .granularity = BY_INSTRUCTION,
                                   .top = 20,
                                   .max_stack = STACK_FRAMES,
                                   .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
                                   .colour = isatty(fileno(out)) && !(no_colour && *no_colour)};
}

// ---- views ----
static bool of_calls(const struct report_options *o) {
    return o->children || o->callers || o->callees;
}
static bool of_stacks(const struct report_options *o) {
    return o->stacks;
}
static bool of_units(const struct report_options *o) {
    return o->by;
}
static bool of_all(const struct report_options *o) {
    (void)o;
    return true;
}

// The first whose options are given is written. `write`: text, CSV, JSON.
static const struct view {
    bool (*asked)(const struct report_options *o);
    const char *options;
    report_writer *write[3];
} views[] = {
    {of_calls, "--children, --callers and --callees", {report_calls, report_calls, report_calls}},
    {of_stacks, "--stacks", {report_text, report_stacks_csv, report_stacks_json}},
    {of_units, "--by", {report_text, report_by, report_by}},
    {of_all, "a profile", {report_text, report_csv, report_json}},
};

// What shows one hart's time from beginning to end.
static bool shows(const struct run *d, const struct report_options *o, struct error *err) {
    const bool window = o->by && strcmp(o->by->name, "window") == 0;
    if (d->harts == 1 || !(window || o->format->one_hart)) return true;
    error_set(err, "%s: %s %s shows one hart: add --hart N", d->path, window ? "--by" : "--format",
              window ? o->by->name : o->format->name);
    return false;
}

static report_writer *writer_of(const struct report_options *o, struct error *err) {
    const struct view *view = views;
    char names[64];
    while (!view->asked(o))
        view++;
    if (!o->format->write) return view->write[o->format == &format_csv ? 1 : o->format == &format_json ? 2 : 0];
    if (view->asked == of_all) return o->format->write;
    report_format_names(REPORT_OF_SEVERAL, names, sizeof names);
    error_set(err, "--format %s: not with %s, which has %s", o->format->name, view->options, names);
    return NULL;
}

static void tell_filter(const struct run *d) {
    char words[1024];
    filter_share_words(d, words, sizeof words);
    notice(d->notices, "%s: %s", d->path, words);
}

int report_write(const char *path, const struct report_options *given, FILE *out, struct error *err) {
    struct report_options own = *given;
    const struct report_options *options = &own;
    if (!own.format) own.format = &format_text;
    report_writer *write = writer_of(options, err);
    struct run d;
    int result = -EINVAL;
    if (!write) return result;
    struct report_options opened = own; // of --by hart each file by itself
    if (own.by && own.by->several) opened.more_count = 0;
    if (run_open(&d, path, &opened, err)) {
        if (d.sample_count == 0 && !options->profiler && !style_sampled(&d))
            warning(d.notices, "%s: holds no samples, the report is the Oracle's: run again with a shorter --period",
                    path);
        const enum pool_kind kind = options->pools ? (enum pool_kind)__builtin_ctz(options->pools) : POOL_NONE;
        if (d.shown && own.format != &format_text) tell_filter(&d);
        if (shows(&d, options, err) && (!kind || report_use_pool(&d, kind, err))) result = write(&d, options, out, err);
    }
    run_close(&d);
    return result;
}

int report_print(const char *path, FILE *out, const struct notices *notices, struct error *err) {
    struct report_options options = report_defaults(out, notices);
    options.top = 10;
    return report_write(path, &options, out, err);
}
