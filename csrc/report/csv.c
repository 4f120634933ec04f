// One CSV field, quoted where it has to be.
#include "report/csv.h"
#include "base/plain_text.h"
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
