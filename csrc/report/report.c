// The entry: opens, hands to the format, closes.
#include "report/report.h"
#include "report/report_data.h"
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
                                   .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
                                   .colour = isatty(fileno(out)) && !(no_colour && *no_colour)};
}

int report_write(const char *path, const struct report_options *options, FILE *out, struct error *err) {
    static int (*const formats[2][4])(const struct report_data *, const struct report_options *, FILE *,
                                      struct error *) = {
        {[REPORT_TEXT] = report_text,
         [REPORT_CSV] = report_csv,
         [REPORT_JSON] = report_json,
         [REPORT_FOLDED] = report_folded},
        {[REPORT_TEXT] = report_text, [REPORT_CSV] = report_stacks_csv, [REPORT_JSON] = report_stacks_json}};
    struct report_data d;
    int result = -EINVAL;
    if (report_open(&d, path, options, err)) {
        if (d.sample_count == 0 && !options->profiler)
            fprintf(stderr,
                    "tipoff: warning: %s: holds no samples, the report is the Oracle's: run again with a shorter "
                    "--period\n",
                    path);
        result = options->children || options->callers || options->callees
                     ? report_calls(&d, options, out, err)
                     : formats[options->stacks][options->format](&d, options, out, err);
    }
    report_close(&d);
    return result;
}

int report_print(const char *path, FILE *out, struct error *err) {
    struct report_options options = report_defaults(out);
    options.top = 10;
    return report_write(path, &options, out, err);
}
