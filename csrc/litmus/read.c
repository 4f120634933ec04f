// A .litmus file from its first line to its last: header, then the parts.
#include "base/plain_text.h"
#include "base/text_file.h"
#include "litmus/litmus.h"
#include "litmus/reader.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 18 }; // bytes of a file
#define REMEDY "name a .litmus file of RISC-V"

// The `{` of the initial state: the first one that begins a line, as texts before it may hold others, or the first one.
static char *header_end(char *text) {
    char *line = text + strspn(text, " \t\r\n");
    while (*line && *line != '{') {
        line += strcspn(line, "\n");
        line += strspn(line, " \t\r\n");
    }
    return *line ? line : strchr(text, '{');
}

// Comments after the header, which may stand in each other, and over several lines of a table's cell, become blanks;
// lines stay.
static bool strip_comments(const struct reader *r, char *text) {
    unsigned depth = 0;
    const char *first = NULL;
    for (char *p = text; *p; p++) {
        const bool opens = p[0] == '(' && p[1] == '*', closes = depth && p[0] == '*' && p[1] == ')';
        if (opens && !depth) first = p;
        depth += opens;
        depth -= closes;
        if (opens || closes)
            memcpy(p++, "  ", 2);
        else if (depth && *p != '\n')
            *p = ' ';
    }
    return !depth || reader_fails(r, first, "the comment does not end: close it with '*)'");
}

// `RISCV name`; a text in quotes and lines of key=value may follow.
static bool read_header(struct reader *r) {
    if (!reader_is(r, "RISCV")) {
        const size_t bytes = reader_name(r);
        if (!bytes || bytes > 16) return reader_fails(r, r->at, "begins with no architecture: " REMEDY);
        return reader_fails(r, r->at, "the test is for %.*s: " REMEDY, (int)bytes, r->at);
    }
    r->at += strlen("RISCV");
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
    size_t bytes = 0;
    while (r->at + bytes < r->end && !isspace((unsigned char)r->at[bytes]) && r->at[bytes] != '"')
        bytes++;
    if (!bytes || bytes >= sizeof r->test->name)
        return reader_fails(r, r->at,
                            "the test's name is missing, or longer than %zu characters: write one behind "
                            "RISCV",
                            sizeof r->test->name - 1);
    memcpy(r->test->name, r->at, bytes);
    return true;
}

static bool read_parts(struct reader *r, char *text) {
    if (!read_header(r)) return false;
    char *const state = header_end(text);
    if (!state) return reader_fails(r, r->at, "no initial state: write { ... } after the header");
    r->at = state + 1;
    return strip_comments(r, state) && litmus_read_init(r) && litmus_read_code(r) && litmus_read_condition(r);
}

struct litmus_test *litmus_parse(const char *text, const char *path, struct error *err) {
    char *copy = strdup(text);
    struct litmus_test *t = calloc(1, sizeof *t);
    struct reader r = {.path = path, .text = copy, .at = copy, .test = t, .err = err};
    bool good = copy && t;
    if (good) {
        r.end = copy + strlen(copy);
        for (unsigned i = 0; i < LITMUS_THREADS; i++)
            for (unsigned x = 0; x < LITMUS_REGISTERS; x++)
                t->threads[i].x[x].location = -1;
        good = read_parts(&r, copy);
    } else {
        error_nomem(err, path);
    }
    free(copy);
    if (good) return t;
    litmus_destroy(t);
    return NULL;
}

struct litmus_test *litmus_read(const char *path, struct error *err) {
    struct text_file file;
    if (!text_file_open(&file, path, MOST, REMEDY, err)) return NULL;
    struct litmus_test *t = litmus_parse(file.next, path, err);
    text_file_close(&file);
    return t;
}

void litmus_destroy(struct litmus_test *t) {
    if (t) free(t->condition_text);
    free(t);
}

const char *litmus_name(const struct litmus_test *t) {
    return t->name;
}

unsigned litmus_threads(const struct litmus_test *t) {
    return t->thread_count;
}

const char *litmus_condition(const struct litmus_test *t) {
    return t->condition_text;
}
