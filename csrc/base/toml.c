// Line by line: a table's name, or a key and its value.
#include "base/toml.h"
#include "base/text_file.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16, NAME = 64 };
#define KNOWN                                                                                                          \
    "of TOML this reads [TABLE], KEY = VALUE and KEY = {NAME = VALUE, ...}, values being numbers, \"texts\", true"

struct reading {
    toml_take *take;
    void *context;
    struct error *what; // without file and line
    char table[NAME];
};

static bool bad(struct reading *r, const char *what) {
    error_set(r->what, "%s", what);
    return false;
}

static void blanks(char **at) {
    while (**at == ' ' || **at == '\t')
        ++*at;
}

// Nothing follows but a comment.
static bool ends(char *at) {
    blanks(&at);
    return *at == '\0' || *at == '#';
}

static bool name(char **at, char *into) {
    size_t n = 0;
    blanks(at);
    for (; isalnum((unsigned char)**at) || **at == '_' || **at == '-'; ++*at)
        if (n < NAME - 1) into[n++] = **at;
    into[n] = '\0';
    blanks(at);
    return n;
}

static bool text(char **at, struct toml_value *v) {
    char *const end = strpbrk(*at + 1, "\"\\");
    if (!end || *end == '\\') return false;
    *end = '\0';
    v->kind = TOML_TEXT;
    v->text = *at + 1;
    *at = end + 1;
    return true;
}

static bool number(char **at, struct toml_value *v) {
    char *end, *digits = *at + (**at == '-' || **at == '+');
    if (!isdigit((unsigned char)*digits)) return false;
    errno = 0;
    const bool hex = digits[0] == '0' && digits[1] == 'x';
    v->kind = TOML_NUMBER;
    v->number = strtoll(*at, &end, hex ? 16 : 10);
    *at = end;
    return !errno && !isalnum((unsigned char)*end) && *end != '.' && *end != '_';
}

static bool truth(char **at, struct toml_value *v) {
    v->kind = TOML_TRUTH;
    v->truth = strncmp(*at, "true", 4) == 0;
    if (!v->truth && strncmp(*at, "false", 5) != 0) return false;
    *at += v->truth ? 4 : 5;
    return true;
}

// "= VALUE"; the text of a value ends where the line may go on.
static bool value(struct reading *r, char **at, struct toml_value *v) {
    if (**at != '=') return bad(r, KNOWN);
    ++*at;
    blanks(at);
    if (**at == '{' && !v->member) return true;
    const bool good = **at == '"' ? text(at, v) : isalpha((unsigned char)**at) ? truth(at, v) : number(at, v);
    return good || bad(r, KNOWN);
}

static bool members(struct reading *r, char *at, struct toml_value outer) {
    char member[NAME];
    struct toml_value *const v = &outer;
    v->member = member;
    do {
        at++; // "{" or ","
        if (!name(&at, member)) return bad(r, KNOWN);
        if (!value(r, &at, v) || !r->take(r->context, v, r->what)) return false;
        blanks(&at);
    } while (*at == ',');
    return (*at == '}' && ends(at + 1)) || bad(r, KNOWN);
}

static bool line(struct reading *r, char *at) {
    char key[NAME];
    if (ends(at)) return true;
    blanks(&at);
    if (*at == '[') {
        at++;
        return (name(&at, r->table) && *at == ']' && ends(at + 1)) || bad(r, KNOWN);
    }
    struct toml_value v = {.table = r->table, .key = key};
    if (!name(&at, key)) return bad(r, KNOWN);
    if (!value(r, &at, &v)) return false;
    if (*at == '{') return members(r, at, v);
    return ends(at) ? r->take(r->context, &v, r->what) : bad(r, KNOWN);
}

bool toml_read(const char *path, toml_take *take, void *context, struct error *err) {
    struct text_file file;
    struct error what = {""};
    struct reading r = {.take = take, .context = context, .what = &what};
    if (!text_file_open(&file, path, MOST, "name a TOML file", err)) return false;
    bool good = true;
    for (char *at; good && (at = text_file_line(&file));)
        good = line(&r, at);
    if (!good) error_set(err, "%s: line %u: %s", path, file.line, what.text);
    text_file_close(&file);
    return good;
}
