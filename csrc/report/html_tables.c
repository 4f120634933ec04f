// The views that fill a sheet of one file, in the HTML report: each is a table of the page, as text shows it.
#include "report/html_document.h"
#include "report/sheet.h"
#include "report/units.h"
#include <errno.h>
#include <string.h>

enum { ROWS = 2000 }; // of one table, at most

// A view that has nothing of this run says why, which the page shows in its place.
static bool write_table(const struct run *d, const struct report_options *o, FILE *out) {
    struct sheet *s = sheet_create();
    struct error fault = {""};
    char heading[256];
    const int result = s ? o->by->fill(d, o, s, &fault) : -ENOMEM;
    const bool good = result != -ENOMEM && sheet_good(s);
    if (good) {
        const size_t count = sheet_rows(s), rows = count < ROWS ? count : ROWS;
        fprintf(out, "{\"name\":\"%s\",\"text\":", o->by->name);
        json_text_string(out, o->by->text);
        fputs(",\"heading\":", out);
        snprintf(heading, sizeof heading, o->by->heading, rows, count);
        json_text_string(out, heading);
        fputs(",\"fault\":", out);
        json_text_string(out, fault.text);
        fputc(',', out);
        sheet_write_page(s, result ? 0 : rows, out);
        fputc('}', out);
    }
    sheet_destroy(s);
    return good;
}

bool html_tables_write(const struct run *d, const struct report_options *o, FILE *out) {
    const char *before = "";
    bool good = true;
    fputs("\"tables\":[", out);
    for (size_t i = 0; good && i < unit_kind_count(); i++) {
        struct report_options own = *o;
        own.by = unit_kind(i);
        own.top = 0;
        if (!own.by->fill || own.by->several) continue;
        fputs(before, out);
        good = write_table(d, &own, out);
        before = ",\n";
    }
    fputs("],\n", out);
    return good;
}
