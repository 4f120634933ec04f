// Goes through text a character at a time.
#include "base/plain_text.h"
#include "base/fnv.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ESCAPE = 4, MARK = 18 }; // bytes of \xNN; of ~ and a number, with the zero

size_t plain_character(const unsigned char *p, uint32_t *code) {
    static const struct {
        uint8_t mask, lead, count;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if ((p[0] & forms[f].mask) != forms[f].lead) continue;
        *code = p[0] & (uint8_t)~forms[f].mask;
        for (size_t i = 1; i < forms[f].count; i++) {
            if ((p[i] & 0xc0) != 0x80) return 0;
            *code = *code << 6 | (p[i] & 0x3f);
        }
        const bool surrogate = *code >= 0xd800 && *code < 0xe000;
        return *code < forms[f].least || surrogate || *code > 0x10ffff ? 0 : forms[f].count;
    }
    return 0;
}

// C0 but tab, DEL, C1; marks of direction; line and paragraph separators.
static bool is_control(uint32_t code) {
    return (code < 0x20 && code != '\t') || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
           (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

// A backslash that looks like the beginning of an escape that is made here.
static bool looks_escaped(const unsigned char *p) {
    if (p[0] != '\\' || p[1] != 'x' || !isxdigit(p[2]) || !isxdigit(p[3])) return false;
    const char digits[] = {(char)p[2], (char)p[3], 0};
    const unsigned long byte = strtoul(digits, NULL, 16);
    return byte < 0x20 || byte >= 0x7f;
}

enum what { NAME, TEXT, UTF8 };

// The next character's bytes: how many; *escaped: they are to be escaped.
static size_t next(const unsigned char *p, enum what what, bool *escaped) {
    uint32_t code = 0;
    const size_t bytes = plain_character(p, &code);
    *escaped = bytes == 0 || (what != UTF8 && is_control(code)) || (what == NAME && looks_escaped(p));
    return bytes ? bytes : 1;
}

bool plain_is(const char *text) {
    bool escaped = false;
    for (const unsigned char *p = (const unsigned char *)text; *p && !escaped;)
        p += next(p, TEXT, &escaped);
    return !escaped;
}

// size 0: only says how many bytes it takes, without the zero.
static size_t make(char *out, size_t size, const char *text, enum what what) {
    size_t used = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        bool escaped;
        const size_t bytes = next(p, what, &escaped);
        const size_t more = escaped ? bytes * ESCAPE : bytes;
        if (size && used + more >= size) break;
        if (size && !escaped) memcpy(out + used, p, bytes);
        for (size_t i = 0; size && escaped && i < bytes; i++)
            snprintf(out + used + i * ESCAPE, ESCAPE + 1, "\\x%02x", p[i]);
        used += more;
        p += bytes;
    }
    if (size) out[used] = 0;
    return used;
}

static char *made(const char *text, enum what what) {
    const size_t size = make(NULL, 0, text, what) + 1;
    char *out = malloc(size);
    if (out) make(out, size, text, what);
    return out;
}

char *plain_name(const char *name) {
    return made(name, NAME);
}
char *plain_text(const char *text) {
    return made(text, TEXT);
}
char *plain_utf8(const char *text) {
    return made(text, UTF8);
}

void plain_put(char *out, size_t size, const char *text) {
    make(out, size, text, TEXT);
}

// The beginning of the character that has this byte.
static size_t back(const char *text, size_t at) {
    while (at && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

void plain_fit(char *out, size_t size, const char *name, const char *behind) {
    const size_t length = strlen(name), tail = strlen(behind);
    if (length + tail < size) {
        memcpy(out, name, length);
        memcpy(out + length, behind, tail + 1);
        return;
    }
    const size_t room = size - tail - MARK, first = back(name, room - room / 3);
    size_t last = length - room / 3;
    while (((unsigned char)name[last] & 0xc0) == 0x80)
        last++;
    snprintf(out, size, "%.*s~%016" PRIx64 "%s%s", (int)first, name, fnv_text(FNV_START, name), name + last, behind);
}
