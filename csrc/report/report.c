// The entry: opens, hands to the format, closes.
#include "report/report.h"
#include "report/errors.h"
#include "report/formats.h"
#include "report/run.h"
#include "report/units.h"
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_options report_defaults(FILE *out) {
    // LC_CTYPE only: numbers keep their decimal point.
    setlocale(LC_CTYPE, "");
    const char *no_colour = getenv("NO_COLOR");
    return (struct report_options){.format = REPORT_TEXT,
                                   .granularity = BY_INSTRUCTION,
                                   .top = 20,
                                   .max_stack = STACK_FRAMES,
                                   .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
                                   .colour = isatty(fileno(out)) && !(no_colour && *no_colour)};
}

// The options that ask for a view.
static const char *const view_options[] = {[REPORT_PROFILE] = "a profile",
                                           [REPORT_STACKS] = "--stacks",
                                           [REPORT_BY] = "--by",
                                           [REPORT_CALLS] = "--children, --callers and --callees"};

static enum report_view view_of(const struct report_options *o) {
    if (o->children || o->callers || o->callees) return REPORT_CALLS;
    return o->stacks ? REPORT_STACKS : o->by ? REPORT_BY : REPORT_PROFILE;
}

int report_write(const char *path, const struct report_options *options, FILE *out, struct error *err) {
    const struct report_format_row *format = report_format_row(options->format);
    const enum report_view view = view_of(options);
    struct run d;
    int result = -EINVAL;
    if (!format->write[view]) {
        char names[64];
        report_format_names(view, names, sizeof names);
        error_set(err, "--format %s: not with %s, which has %s", format->name, view_options[view], names);
        return -EINVAL;
    }
    if (run_open(&d, path, options, err)) {
        if (d.sample_count == 0 && !options->profiler)
            fprintf(stderr,
                    "tipoff: warning: %s: holds no samples, the report is the Oracle's: run again with a shorter "
                    "--period\n",
                    path);
        const enum pool_kind kind = options->pools ? (enum pool_kind)__builtin_ctz(options->pools) : POOL_NONE;
        if (!kind || report_use_pool(&d, kind, err)) result = format->write[view](&d, options, out, err);
    }
    run_close(&d);
    return result;
}

int report_print(const char *path, FILE *out, struct error *err) {
    struct report_options options = report_defaults(out);
    options.top = 10;
    return report_write(path, &options, out, err);
}
