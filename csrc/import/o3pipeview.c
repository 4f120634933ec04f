// O3PipeView: gem5's O3 model (debug flag O3PipeView; src/cpu/o3/dyn_inst.cc), NaxRiscv, and older BOOMs. A line a
// stage, `O3PipeView:STAGE:TICK`; the first of an instruction is `O3PipeView:fetch:TICK:0xPC:PART:NUMBER:TEXT`, the
// last `O3PipeView:retire:TICK:store:TICK`.
//
// An instruction's lines stand together; instructions come in the order in which they die. A tick of 0, or none, is a
// stage that it did not come to; one that did not retire was squashed, and nobody says when. Lines of other debug flags
// stand between.
#include "import/formats.h"
#include "import/texts.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "O3PipeView:";

struct reading {
    struct lines *lines;
    import_take *take;
    void *context;
    struct error *err;
    struct import_life life;
    bool open, threaded; // threaded: the file names its thread
    uint64_t thread;
    char text[TEXT_BYTES];
};

static bool tick(const char *text, uint64_t *value) {
    char *next;
    const bool good = import_number(text, ':', value, &next);
    if (*value == 0) *value = IMPORT_NEVER;
    return good;
}

// Behind "fetch:".
static int begin(struct reading *r, char *text) {
    uint64_t number, part;
    char *pc = strchr(text, ':'), *next;
    r->life = (struct import_life){.dispatched = IMPORT_NEVER, .done = IMPORT_NEVER, .left = IMPORT_NEVER};
    if (!pc || !tick(text, &r->life.fetched) || !import_number(pc + 1, ':', &r->life.pc, &next) || !next ||
        !import_number(next, ':', &part, &next) || !next || !import_number(next, ':', &number, &next))
        return lines_bad(r->lines, "no O3PipeView:fetch:TICK:0xPC:PART:NUMBER:TEXT", r->err);
    r->life.part = part > 0;
    r->life.number = number;
    import_classify(&r->life, next ? next : "");
    snprintf(r->text, sizeof r->text, "%s", next ? next : "");
    r->life.text = r->text;
    r->open = true;
    return 0;
}

static int end(struct reading *r, const char *text) {
    if (!tick(text, &r->life.left)) return lines_bad(r->lines, "the tick of retire is no number", r->err);
    r->life.retired = r->life.left != IMPORT_NEVER;
    r->open = false;
    return r->take(r->context, &r->life, r->err) ? 0 : -ECANCELED;
}

// "TICK:NUMBER": some writers name the thread of an instruction.
static int thread(struct reading *r, const char *text) {
    uint64_t number;
    char *next;
    const char *const colon = strchr(text, ':');
    if (!colon || !import_number(colon + 1, ':', &number, &next))
        return lines_bad(r->lines, "no O3PipeView:thread:TICK:NUMBER", r->err);
    if (r->threaded && number != r->thread)
        return lines_bad(r->lines, "a second thread: write a file for each", r->err);
    r->threaded = true;
    r->thread = number;
    return 0;
}

// One line, after the prefix.
static int line(struct reading *r, char *text) {
    if (strncmp(text, "fetch:", 6) == 0) return begin(r, text + 6);
    if (!r->open) return 0; // of an instruction whose beginning the file does not have
    if (strncmp(text, "retire:", 7) == 0) return end(r, text + 7);
    if (strncmp(text, "thread:", 7) == 0) return thread(r, text + 7);
    uint64_t *const stage = strncmp(text, "dispatch:", 9) == 0   ? &r->life.dispatched
                            : strncmp(text, "complete:", 9) == 0 ? &r->life.done
                                                                 : NULL;
    return !stage || tick(text + 9, stage) ? 0 : lines_bad(r->lines, "the tick is no number", r->err);
}

static int read_lives(struct lines *lines, const char *dispatch, import_take *take, void *context, struct error *err) {
    struct reading r = {.lines = lines, .take = take, .context = context, .err = err};
    int rc = 0;
    (void)dispatch;
    for (char *text; rc == 0 && (text = lines_next(lines)) && !lines_cut(lines);)
        if (strncmp(text, prefix, sizeof prefix - 1) == 0) rc = line(&r, text + sizeof prefix - 1);
    return rc;
}

const struct import_format import_o3pipeview = {.name = "o3pipeview",
                                                .text = "gem5's O3 model (--debug-flags=O3PipeView), NaxRiscv, BOOM v2",
                                                .shows =
                                                    IMPORT_FLUSHED | IMPORT_DRAINED | IMPORT_DISPATCH | IMPORT_FETCH,
                                                .begins = prefix,
                                                .read = read_lives};
