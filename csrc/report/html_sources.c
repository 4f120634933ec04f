// Source text of the HTML report: the lines that listed instructions come from, and those around them.
#include "base/array.h"
#include "report/annotate.h"
#include "report/html_document.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 6,       // lines before and after
    LINES = 40000,    // of the page
    LENGTH = 240,     // characters of a line
    LONGEST = 1 << 22 // the greatest line number that is believed
};

struct source_file {
    const char *name;
    unsigned lines; // up to which `wanted` goes
    unsigned char *wanted;
};
struct source_files {
    struct source_file *list;
    size_t count, capacity, lines; // lines: wanted of all files
};

static struct source_file *file_of(struct source_files *s, const char *name) {
    for (size_t i = s->count; i-- > 0;) {
        if (s->list[i].name == name || strcmp(s->list[i].name, name) == 0) return &s->list[i];
    }
    if (!array_reserve(&s->list, &s->capacity, s->count, sizeof *s->list)) return NULL;
    s->list[s->count] = (struct source_file){.name = name};
    return &s->list[s->count++];
}

static bool want(struct source_files *s, const char *name, unsigned line) {
    struct source_file *f = file_of(s, name);
    if (!f) return false;
    if (line == 0 || line > LONGEST) return true;
    const unsigned first = line > AROUND ? line - AROUND : 1, last = line + AROUND;
    if (last >= f->lines) {
        const unsigned lines = 2 * last + 1;
        unsigned char *wanted = realloc(f->wanted, lines);
        if (!wanted) return false;
        memset(wanted + f->lines, 0, lines - f->lines);
        f->wanted = wanted;
        f->lines = lines;
    }
    for (unsigned i = first; i <= last; i++) {
        s->lines += !f->wanted[i];
        f->wanted[i] = 1;
    }
    return true;
}

static bool collect(struct source_files *s, const struct html_functions *functions, const struct run *d) {
    for (size_t c = 0; c < functions->code_count; c++) {
        const struct html_code *code = &functions->codes[c];
        for (uint32_t i = 0; i < code->count && s->lines < LINES; i++) {
            unsigned line;
            const char *file = code->slot[i] == HTML_NONE ? NULL : report_source(d, html_code_place(code, i), &line);
            if (file && !want(s, file, line)) return false;
        }
    }
    return true;
}

// Runs of present lines: [first, [text, ...]].
static void write_file(const struct source_file *f, struct source_text *text, FILE *out) {
    const char *before = "";
    bool open = false;
    for (unsigned i = 0; i < f->lines; i++) {
        const char *line = f->wanted[i] ? source_text_line(text, f->name, i) : NULL;
        if (!line && open) fputs("]]", out);
        if (!line) {
            open = false;
            continue;
        }
        char cut[LENGTH + 1];
        snprintf(cut, sizeof cut, "%s", line);
        if (open) {
            fputc(',', out);
        } else {
            fprintf(out, "%s[%u,[", before, i);
        }
        json_text_string(out, cut);
        before = ",";
        open = true;
    }
    if (open) fputs("]]", out);
}

bool html_sources_write(const struct html_functions *f, const struct run *d, struct string_table *strings, FILE *out) {
    struct source_files s = {0};
    struct source_text *text = source_text_create(d->header->program);
    const bool good = text && collect(&s, f, d);
    fputs("\"sources\":[", out);
    for (size_t i = 0; good && i < s.count; i++) {
        fprintf(out, i ? ",\n{\"file\":%u,\"lines\":[" : "{\"file\":%u,\"lines\":[",
                string_table_number(strings, s.list[i].name));
        write_file(&s.list[i], text, out);
        fputs("]}", out);
    }
    fputs("],\n", out);
    for (size_t i = 0; i < s.count; i++)
        free(s.list[i].wanted);
    free(s.list);
    source_text_destroy(text);
    return good;
}
