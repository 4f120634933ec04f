// Escapes markup, and looks at UTF-8 a character at a time.
#include "report/xml_text.h"
#include "base/plain_text.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LEAST_CUT = 3, WIDE = 0x1100 }; // columns; East Asian characters from here on take two

static void put(FILE *out, const unsigned char *p, size_t bytes, uint32_t code) {
    const bool control = code < 0x20 && code != '\n' && code != '\t';
    switch (bytes ? code : 0) {
    case '<': fputs("&lt;", out); return;
    case '>': fputs("&gt;", out); return;
    case '&': fputs("&amp;", out); return;
    case '"': fputs("&quot;", out); return;
    default:
        if (!bytes || control || code == 0xfffe || code == 0xffff) {
            fputs("\xef\xbf\xbd", out);
        } else {
            fwrite(p, 1, bytes, out);
        }
    }
}

static size_t columns_of(const char *text) {
    size_t columns = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t code = 0;
        const size_t bytes = plain_character(p, &code);
        columns += code >= WIDE ? 2 : 1;
        p += bytes ? bytes : 1;
    }
    return columns;
}

void xml_text_fitted(FILE *out, const char *text, size_t columns) {
    const bool cut = columns_of(text) > columns;
    if (cut && columns < LEAST_CUT) return;
    size_t left = cut ? columns - 2 : SIZE_MAX;
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t code = 0;
        const size_t bytes = plain_character(p, &code), wide = code >= WIDE ? 2 : 1;
        if (wide > left) break;
        put(out, p, bytes, code);
        left -= wide;
        p += bytes ? bytes : 1;
    }
    if (cut) fputs("..", out);
}

void xml_text(FILE *out, const char *text) {
    xml_text_fitted(out, text, SIZE_MAX);
}
