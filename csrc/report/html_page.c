// The page that html/ is bundled to, with a title, a text and data put into it.
#include "report/html_page.h"
#include "base/text_file.h"
#include "report/words.h"
#include "report/xml_text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Where the page has them: a comment each.
#define MARK_TITLE "<!--tipoff:title-->"
#define MARK_TEXT "<!--tipoff:text-->"
#define MARK_DATA "<!--tipoff:data-->"
enum { LARGEST_PAGE = 16 << 20 };

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

// As text: for readers without JavaScript.
static bool write_text(const struct html_content *content, const struct report_options *o, FILE *out,
                       struct error *err) {
    struct report_options plain = *o;
    char *text = NULL;
    size_t bytes = 0;
    plain.format = NULL;
    plain.colour = false;
    plain.utf8 = true;
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory) return report_out_of_memory(o->page, err) == 0;
    bool good = content->text(content->of, &plain, memory, err) == 0;
    if (fclose(memory) != 0) good = good && report_out_of_memory(o->page, err) == 0;
    if (good) xml_text(out, text);
    free(text);
    return good;
}

int html_page_write(const char *title, const struct html_content *content, const struct report_options *o, FILE *out,
                    struct error *err) {
    char *page = read_page(o->page, err);
    if (!page) return -ENOENT;
    const char *rest = write_until(page, MARK_TITLE, out);
    xml_text(out, title);
    rest = write_until(rest, MARK_TEXT, out);
    bool good = write_text(content, o, out, err);
    rest = write_until(rest, MARK_DATA, out);
    good = good && content->data(content->of, o, out, err);
    fputs(rest, out);
    free(page);
    return good ? 0 : -EINVAL;
}
