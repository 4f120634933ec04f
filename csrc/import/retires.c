// A core's log of what retires, as CSV: a line of names (cycle and pc, in any order, among others), then a line an
// instruction, oldest first. Nothing is known of those that wait: time goes to the next that retires.
#include "import/formats.h"
#include <errno.h>
#include <string.h>

enum { COLUMNS = 64 };

struct columns {
    unsigned cycle, pc;
};

static int find(struct lines *lines, struct columns *c, struct error *err) {
    char *text = lines_next(lines);
    *c = (struct columns){COLUMNS, COLUMNS};
    unsigned i = 0;
    for (char *name = text ? strtok(text, ",") : NULL; name; name = strtok(NULL, ","), i++) {
        if (strcmp(name, "cycle") == 0) c->cycle = i;
        if (strcmp(name, "pc") == 0) c->pc = i;
    }
    return c->cycle < COLUMNS && c->pc < COLUMNS
               ? 0
               : lines_bad(lines, "its first line names no columns cycle and pc", err);
}

static int read_lives(struct lines *lines, const char *dispatch, import_take *take, void *context, struct error *err) {
    struct columns c;
    int rc = find(lines, &c, err);
    uint64_t number = 0;
    (void)dispatch;
    for (char *text; rc == 0 && (text = lines_next(lines)) && !(lines_cut(lines) && lines_fault(lines)[0]);) {
        struct import_life life = {.number = ++number,
                                   .retired = true,
                                   .control = true,
                                   .fetched = IMPORT_NEVER,
                                   .dispatched = IMPORT_NEVER,
                                   .done = IMPORT_NEVER};
        unsigned i = 0;
        bool good = true;
        for (char *field = text; field && good; i++) {
            char *comma = strchr(field, ','), *next;
            if (comma) *comma = '\0';
            if (i == c.cycle) good = *field && import_number(field, ',', &life.left, &next);
            if (i == c.pc) good = *field && import_number(field, ',', &life.pc, &next);
            field = comma ? comma + 1 : NULL;
        }
        if (!good || i <= c.cycle || i <= c.pc) rc = lines_bad(lines, "cycle or pc is no number", err);
        if (rc == 0 && !take(context, &life, err)) rc = -ECANCELED;
    }
    return rc;
}

const struct import_format import_retires = {.name = "retires",
                                             .text = "any core's retire log as CSV with columns cycle and pc",
                                             .begins = "cycle,",
                                             .cycles = true,
                                             .read = read_lives};
