// Kanata 0004 (Konata, kanata-log-format.md): RSD's converter, VexiiRiscv, Onikiri2, Coreblocks, and ours.
// Fields between tabs: C= and C (time, absolute and on), I (an instruction appears), L (its texts), S and E (a stage
// begins, ends), W (woken by), R (it leaves: 1 squashed, else retired).
//
// The first text of an instruction begins with its address. Which stage begins in the ROB is the writer's to name.
#include "import/formats.h"
#include "import/texts.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLIGHTS = 1 << 16, NAMES = 256 }; // apart, in the file's numbers; of stages, as an error lists them
static const char *const usual[] = {"Q", "Ds", "Di", "Dp", "dispatch"};

struct flight {
    uint64_t id; // plus 1; 0: none
    struct import_life life;
    bool named;
    char text[TEXT_BYTES];
};

struct reading {
    struct lines *lines;
    const char *dispatch;
    import_take *take;
    void *context;
    struct error *err;
    uint64_t now, thread;
    bool threaded, dispatched; // a thread, a stage of that name was seen
    char seen[NAMES];
    struct flight flights[FLIGHTS];
};

static int bad(struct reading *r, const char *what) {
    return lines_bad(r->lines, what, r->err);
}

static int appear(struct reading *r, uint64_t id, const char *rest) {
    uint64_t number, thread = 0;
    char *next = NULL;
    struct flight *f = &r->flights[id % FLIGHTS];
    if (!rest || !import_number(rest, '\t', &number, &next) || (next && !import_number(next, '\t', &thread, &next)))
        return bad(r, "no I, ID, NUMBER, THREAD");
    if (r->threaded && thread != r->thread) return bad(r, "a second thread: write a file for each");
    r->threaded = true;
    r->thread = thread;
    *f = (struct flight){
        .id = id + 1,
        .life = {
            .number = id, .fetched = r->now, .dispatched = IMPORT_NEVER, .done = IMPORT_NEVER, .left = IMPORT_NEVER}};
    return 0;
}

// "80000010: addi a0, a0, 1", with 0x or without.
static int label(struct reading *r, struct flight *f, const char *text) {
    char *end;
    if (f->named || text[0] != '0' || text[1] != '\t') return 0;
    errno = 0;
    f->life.pc = strtoull(text + 2, &end, 16);
    if (end == text + 2 || errno || (*end != ':' && *end != ' ' && *end != '\0'))
        return bad(r, "the text of an instruction does not begin with its address");
    f->named = true;
    while (*end == ':' || *end == ' ')
        end++;
    import_classify(&f->life, end);
    snprintf(f->text, sizeof f->text, "%s", end);
    return 0;
}

static void remember(struct reading *r, const char *name) {
    const size_t used = strlen(r->seen), n = strlen(name);
    char quoted[NAMES];
    if (used + n + 3 >= NAMES) return;
    snprintf(quoted, sizeof quoted, " %s,", name);
    if (!strstr(r->seen, quoted)) snprintf(r->seen + used, NAMES - used, "%s", quoted);
}

static bool enters(const struct reading *r, const char *name) {
    if (r->dispatch) return strcmp(name, r->dispatch) == 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(name, usual[i]) == 0) return true;
    return false;
}

static int stage(struct reading *r, struct flight *f, char *text) {
    char *name = strchr(text, '\t');
    if (!name) return bad(r, "no S, ID, LANE, STAGE");
    name[strcspn(name + 1, "\t") + 1] = '\0';
    if (enters(r, name + 1)) {
        f->life.dispatched = f->life.dispatched == IMPORT_NEVER ? r->now : f->life.dispatched;
        r->dispatched = true;
    } else if (!r->dispatched) {
        remember(r, name + 1);
    }
    return 0;
}

static int leave(struct reading *r, struct flight *f, const char *text) {
    uint64_t number, kind = 0;
    char *next;
    if (!import_number(text, '\t', &number, &next) || (next && !import_number(next, '\t', &kind, &next)))
        return bad(r, "no R, ID, NUMBER, KIND");
    // RSD names an instruction as it decodes it: of those that are squashed before the address is not known.
    if (!f->named && (kind != 1 || f->life.dispatched != IMPORT_NEVER))
        return bad(r, "an instruction leaves that has no text, so no address");
    if (!f->named) f->life.pc = IMPORT_NEVER;
    f->id = 0;
    f->life.left = r->now;
    f->life.retired = kind != 1;
    f->life.text = f->named ? f->text : NULL;
    return r->take(r->context, &f->life, r->err) ? 0 : -ECANCELED;
}

static int time_on(struct reading *r, const char *text) {
    uint64_t value;
    char *next;
    const bool absolute = *text == '=';
    const char *number = strchr(text, '\t');
    if (number && number[1] == ' ') number++;              // RSD's
    if (number && strcmp(number + 1, "-1") == 0) return 0; // RSD's, before its first cycle
    if (!number || !import_number(number + 1, '\t', &value, &next)) return bad(r, "the time is no number");
    if (absolute ? value < r->now : value > UINT64_MAX / 2 - r->now) return bad(r, "time goes back");
    r->now = absolute ? value : r->now + value;
    return 0;
}

// Behind its first letter and a tab: the number of an instruction, and what follows. Lines of kinds that nobody knows
// are passed over, as Konata does, and so are those of instructions that have left.
static int line(struct reading *r, char *text) {
    uint64_t id;
    char *rest = NULL;
    const char kind = text[0];
    if (kind == 'C') return time_on(r, text + 1);
    if (!kind || !strchr("ILSR", kind) || text[1] != '\t') return 0;
    if (!import_number(text + 2, '\t', &id, &rest)) return bad(r, "the number of an instruction is none");
    if (kind == 'I') return appear(r, id, rest);
    struct flight *f = &r->flights[id % FLIGHTS];
    if (f->id != id + 1 || !rest) return 0;
    if (kind == 'L') return label(r, f, rest);
    return kind == 'S' ? stage(r, f, rest) : leave(r, f, rest);
}

static int read_all(struct reading *r) {
    int rc = 0;
    for (char *text; rc == 0 && (text = lines_next(r->lines)) && !lines_cut(r->lines);)
        rc = line(r, text);
    if (rc || r->dispatched || !r->seen[0]) return rc;
    r->seen[strlen(r->seen) - 1] = '\0';
    error_set(r->err, "%s: no instruction has a stage %s: name the one that begins in the ROB with --dispatch:%s",
              lines_path(r->lines), r->dispatch ? r->dispatch : "Q or Ds", r->seen);
    return -EINVAL;
}

static int read_lives(struct lines *lines, const char *dispatch, import_take *take, void *context, struct error *err) {
    struct reading *r = error_calloc(sizeof *r, lines_path(lines), err);
    if (!r) return -ENOMEM;
    r->lines = lines;
    r->dispatch = dispatch;
    r->take = take;
    r->context = context;
    r->err = err;
    const int rc = read_all(r);
    free(r);
    return rc;
}

const struct import_format import_kanata = {.name = "kanata",
                                            .text = "RSD's converter, VexiiRiscv, Onikiri2, Coreblocks, tipoff",
                                            .shows = IMPORT_FLUSHED | IMPORT_DRAINED | IMPORT_DISPATCH | IMPORT_FETCH,
                                            .begins = "Kanata",
                                            .cycles = true,
                                            .read = read_lives};
