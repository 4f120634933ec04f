// CSV fields, quoted where they have to be, and the comment before the columns.
#include "report/csv.h"
#include "base/plain_text.h"
#include "report/run.h"
#include <stdlib.h>
#include <string.h>

void csv_text(FILE *out, const char *text) {
    char *plain = plain_is(text) ? NULL : plain_text(text);
    if (plain) text = plain;
    if (!strpbrk(text, ",\"")) {
        fputs(text, out);
    } else {
        fputc('"', out);
        for (; *text; text++) {
            if (*text == '"') fputc('"', out);
            fputc(*text, out);
        }
        fputc('"', out);
    }
    free(plain);
}

void csv_run(FILE *out, const struct run *d, const struct report_options *o) {
    if (!o->comments) return;
    fprintf(out, "# U=%u cycles=%llu samples=%zu\n", d->header->units, (unsigned long long)d->cycles, d->sample_count);
}
