// The views that fill a sheet, in the HTML report: each is a table of the page, as text shows it.
#include "report/html_document.h"
#include "report/sheet.h"
#include "report/units.h"
#include <errno.h>
#include <string.h>

enum { ROWS = 2000 }; // of one table, at most

// A view that has nothing of this run says why, which the page shows in its place.
static int write_table(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct sheet *s = sheet_create();
    struct error fault = {""};
    char heading[256];
    int result = s ? o->by->fill(d, o, s, &fault) : -ENOMEM;
    if (result == 0 && !sheet_good(s)) result = -ENOMEM;
    if (result == -ENOMEM) report_out_of_memory(d->path, err);
    if (result != -ENOMEM) {
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
    return result;
}

bool html_tables_write(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    const char *before = "";
    bool good = true;
    fputs("\"tables\":[", out);
    for (size_t i = 0; good && i < unit_kind_count(); i++) {
        struct report_options own = *o;
        own.by = unit_kind(i);
        own.top = 0;
        if (!own.by->fill) continue;
        fputs(before, out);
        good = write_table(d, &own, out, err) != -ENOMEM;
        before = ",\n";
    }
    fputs("],\n", out);
    return good;
}
