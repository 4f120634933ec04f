// The report as one HTML file: the data of a sample file, for the page.
#include "base/paths.h"
#include "report/formats.h"
#include "report/html_document.h"
#include "report/html_page.h"
#include <stdlib.h>

// ---- the data ----
struct data {
    struct call_tree calls;
    struct html_functions functions;
    struct pair_numbers inlines;
    struct string_table *strings;
};

// False without err: no memory.
static bool write_members_of(struct data *s, const struct run *d, const struct report_options *o, FILE *out,
                             struct error *err) {
    const struct call_tree *calls = call_tree_create(&s->calls, d, BY_FUNCTION, 0, NULL) ? &s->calls : NULL;
    s->strings = string_table_create();
    if (!s->strings || !html_functions_create(&s->functions, d, calls) || !html_run_write(d, out, err) ||
        !html_tables_write(d, o, out))
        return false;
    html_functions_write(&s->functions, d, &s->inlines, s->strings, out);
    html_inlines_write(&s->inlines, out);
    if (!html_known_write(&s->functions, d, s->strings, out, err)) return false;
    if (!html_units_write(&s->functions, d, s->strings, out, err)) return false;
    html_snippets_write(&s->functions, d, s->strings, out);
    return html_rows_write(&s->functions, d, calls, s->strings, out) && html_profilers_write(&s->functions, d, out) &&
           html_sources_write(&s->functions, d, s->strings, out) && string_table_good(s->strings);
}

static bool write_data(const void *run, const struct report_options *o, FILE *out, struct error *err) {
    const struct run *d = run;
    struct data s = {.strings = NULL};
    error_set(err, "%s", "");
    fputs("{", out);
    const bool good = write_members_of(&s, d, o, out, err);
    if (good) {
        fputs("\"strings\":", out);
        string_table_write(s.strings, out);
        fputs("}", out);
    }
    html_functions_destroy(&s.functions);
    pair_numbers_free(&s.inlines);
    string_table_destroy(s.strings);
    call_tree_destroy(&s.calls);
    if (!good && err && !*err->text) report_out_of_memory(d->path, err);
    return good;
}

// For readers without JavaScript: the report as text.
static int write_text(const void *run, const struct report_options *plain, FILE *out, struct error *err) {
    return report_text(run, plain, out, err);
}

static int write_html(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    return html_page_write(paths_name(d->header->program), &(struct html_content){write_text, write_data, d}, o, out,
                           err);
}

const struct report_format format_html = {.name = "html", .write = write_html, .two = true};
