// A pass over templates, and one over parameters: short_name.h.
#include "report/short_name.h"
#include <ctype.h>
#include <string.h>

enum { LONG = 44 };

// Letters of an operator at `at` that has < or > in it; 0: none.
static size_t operator_at(const char *at) {
    static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"};
    static const char word[] = "operator";
    const size_t length = sizeof word - 1;
    if (strncmp(at, word, length) != 0) return 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(at + length, signs[i], strlen(signs[i])) == 0) return length + strlen(signs[i]);
    return 0;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == ' ';
}

static size_t put(char *out, size_t used, const char *text, size_t length) {
    memcpy(out + used, text, length);
    return used + length;
}

// The length; 0: < and > do not match.
static size_t without_templates(const char *name, char *out) {
    size_t used = 0, depth = 0;
    for (const char *c = name; *c; c++) {
        const size_t sign = depth ? 0 : operator_at(c);
        if (sign) {
            used = put(out, used, c, sign);
            c += sign - 1;
        } else if (*c == '<' && (depth || (used && (is_word(out[used - 1]) || strchr("<>", out[used - 1]))))) {
            if (!depth++) used = put(out, used, "<...>", 5);
        } else if (*c == '>' && depth && c[-1] != '-') {
            depth--;
        } else if (!depth) {
            out[used++] = *c;
        }
    }
    out[used] = '\0';
    return depth ? 0 : used;
}

// In place; "(anonymous namespace)" is no list of parameters, "()" has none, and "operator()" is a name.
static void without_parameters(char *text) {
    char *to = text;
    for (const char *c = text; *c; c++) {
        const char *const end = *c == '(' && c > text && (is_word(c[-1]) || c[-1] == '>') && c[-1] != ' '
                                    ? c + strcspn(c + 1, "()") + 1
                                    : NULL;
        if (end && *end == ')' && end - c > 4 && strncmp(c, "(anonymous", 10) != 0) {
            memcpy(to, "(...)", 5);
            to += 5;
            c = end;
        } else {
            *to++ = *c;
        }
    }
    *to = '\0';
}

bool short_name(const char *name, char *out, size_t size) {
    const size_t length = strlen(name);
    if (!strchr(name, '<') || 4 * length + 8 > size) return false;
    const size_t used = without_templates(name, out);
    if (used > LONG) without_parameters(out);
    return used && strcmp(out, name) != 0;
}
