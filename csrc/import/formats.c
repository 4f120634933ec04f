// What formats share: numbers, and what the text of an instruction says.
#include "import/formats.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool import_number(const char *text, char end, uint64_t *value, char **next) {
    *value = 0;
    *next = NULL;
    char *after = (char *)text;
    if (*text != end && *text != '\0') {
        if (!isdigit((unsigned char)*text)) return false;
        errno = 0;
        const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
        *value = strtoull(text, &after, hex ? 16 : 10);
        if (errno || (*after != end && *after != '\0')) return false;
    }
    if (*after == end && end != '\0') *next = after + 1;
    return true;
}

static bool begins(const char *text, const char *const *words) {
    for (; *words; words++)
        if (strncasecmp(text, *words, strlen(*words)) == 0) return true;
    return false;
}

// gem5's x86 has blanks before the macro-op: "  JZ_I : wrip ...".
void import_classify(struct import_life *life, const char *text) {
    static const char *const controls[] = {"b",   "j",    "call", "ret",  "c.b",  "c.j",
                                           "cbz", "cbnz", "tbz",  "tbnz", "mret", NULL};
    static const char *const loads[] = {"l", "fl", "c.l", "c.fl", "amo", "mov", NULL};
    while (*text == ' ')
        text++;
    life->control = *text == '\0' || begins(text, controls);
    life->load = *text == '\0' || begins(text, loads);
}
