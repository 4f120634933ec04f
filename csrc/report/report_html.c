// The report as one HTML file: the page that html/ is bundled to, with the data of a sample file put into it.
#include "base/paths.h"
#include "base/text_file.h"
#include "report/formats.h"
#include "report/html_document.h"
#include "report/xml_text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Where the page has them: a comment each.
#define MARK_TITLE "<!--tipoff:title-->"
#define MARK_TEXT "<!--tipoff:text-->"
#define MARK_DATA "<!--tipoff:data-->"
enum { LARGEST_PAGE = 16 << 20 };

// ---- the page ----
static char *read_page(const char *path, struct error *err) {
    char *page = path ? text_file_bytes_if_any(path, LARGEST_PAGE, &(size_t){0}) : NULL;
    if (!page) {
        error_set(err, "%s: no page for HTML reports: `make html` builds it, and needs the npm registry once",
                  path ? path : "html/page.html");
        return NULL;
    }
    if (strstr(page, MARK_TITLE) && strstr(page, MARK_TEXT) && strstr(page, MARK_DATA)) return page;
    error_set(err, "%s: not the page of HTML reports: remove it and run `make html`", path);
    free(page);
    return NULL;
}

// Writes the page up to the mark; returns what follows the mark.
static const char *write_until(const char *page, const char *mark, FILE *out) {
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), out);
    return at + strlen(mark);
}

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

static bool write_data(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
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
static bool write_text(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct report_options plain = *o;
    char *text = NULL;
    size_t bytes = 0;
    plain.colour = false;
    plain.utf8 = true;
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory) return report_out_of_memory(d->path, err) == 0;
    bool good = report_text(d, &plain, memory, err) == 0;
    if (fclose(memory) != 0) good = good && report_out_of_memory(d->path, err) == 0;
    if (good) xml_text(out, text);
    free(text);
    return good;
}

static int write_html(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    char *page = read_page(o->page, err);
    if (!page) return -ENOENT;
    const char *rest = write_until(page, MARK_TITLE, out);
    xml_text(out, paths_name(d->header->program));
    rest = write_until(rest, MARK_TEXT, out);
    bool good = write_text(d, o, out, err);
    rest = write_until(rest, MARK_DATA, out);
    good = good && write_data(d, o, out, err);
    fputs(rest, out);
    free(page);
    return good ? 0 : -EINVAL;
}

const struct report_format format_html = {.name = "html", .write = write_html};
