// Follows instructions in flight, and puts what is to be written in the order of cycles.
//
// An instruction's fetch is known only when it dispatches. Dispatch is in program order, and so are fetches: nothing
// will come any more that happened before the fetch of the one that dispatched last. Up to there lines are written;
// later ones wait in a heap.
#include "trace/pipeview.h"
#include "base/disasm.h"
#include "events.h"
#include "trace/kanata.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { FLIGHT = 2048 }; // at least twice the largest ROB

enum action { BEGIN, START_Q, START_X, START_C, LEAVE, FLUSH };

struct line {
    uint64_t cycle, order; // order: of entry, so that lines of a cycle keep it
    uint64_t id;
    enum action action;
    uint64_t pc, retired;
    uint32_t insn;
    uint16_t psv; // of LEAVE and FLUSH: events of the instruction
};

struct flight {
    uint64_t id;
    uint32_t rob;
    bool issued, done;
};

struct pipeview {
    struct kanata *log;
    struct disasm *disasm;
    struct trace_window window;
    unsigned width;
    struct flight ring[FLIGHT]; // oldest first
    unsigned first, count;
    uint64_t next_id, retired, entered, now, known; // known: nothing before it comes any more
    struct line *heap;
    size_t used, room;
    bool failed;
};

struct pipeview *pipeview_create(const char *path, unsigned width, const struct trace_window *window,
                                 struct error *err) {
    struct pipeview *p = calloc(1, sizeof *p);
    if (!p) {
        error_set(err, "%s: out of memory: free some and run again", path);
        return NULL;
    }
    p->width = width;
    p->window = *window;
    p->disasm = disasm_create(err);
    if (p->disasm) p->log = kanata_create(path, err);
    if (p->log) return p;
    disasm_destroy(p->disasm);
    free(p);
    return NULL;
}

// ---- lines in order ----
static bool before(const struct line *a, const struct line *b) {
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

static void push(struct pipeview *p, struct line line) {
    if (p->used == p->room) {
        size_t room = p->room ? 2 * p->room : 1024;
        struct line *heap = realloc(p->heap, room * sizeof *heap);
        if (!heap) {
            p->failed = true;
            return;
        }
        p->heap = heap;
        p->room = room;
    }
    line.order = p->entered++;
    size_t i = p->used++;
    for (; i && before(&line, &p->heap[(i - 1) / 2]); i = (i - 1) / 2)
        p->heap[i] = p->heap[(i - 1) / 2];
    p->heap[i] = line;
}

static struct line pop(struct pipeview *p) {
    struct line first = p->heap[0], last = p->heap[--p->used];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < p->used; i = child) {
        if (child + 1 < p->used && before(&p->heap[child + 1], &p->heap[child])) child++;
        if (!before(&p->heap[child], &last)) break;
        p->heap[i] = p->heap[child];
    }
    p->heap[i] = last;
    return first;
}

static void write_events(struct pipeview *p, const struct line *l) {
    static const char *const names[] = {EVENT_NAMES};
    for (unsigned e = 0; e < EVENT_COUNT; e++) {
        if (l->psv >> e & 1) kanata_label(p->log, l->id, KANATA_DETAIL, "\\n%s", names[e]);
    }
}

static void write_line(struct pipeview *p, const struct line *l) {
    kanata_time(p->log, l->cycle);
    switch (l->action) {
    case BEGIN: {
        char text[96];
        disasm_text(p->disasm, l->pc, l->insn, text, sizeof text);
        kanata_begin(p->log, l->id, l->id);
        kanata_label(p->log, l->id, KANATA_PANE, "%" PRIx64 ": %s", l->pc, text);
        kanata_label(p->log, l->id, KANATA_DETAIL, "fetched in cycle %" PRIu64 ", word %08" PRIx32, l->cycle, l->insn);
        kanata_start(p->log, l->id, 'F');
        break;
    }
    case START_Q: kanata_start(p->log, l->id, 'Q'); break;
    case START_X: kanata_start(p->log, l->id, 'X'); break;
    case START_C: kanata_start(p->log, l->id, 'C'); break;
    case LEAVE:
    case FLUSH:
        write_events(p, l);
        kanata_leave(p->log, l->id, l->retired, l->action == FLUSH);
        break;
    }
}

static void write_until(struct pipeview *p, uint64_t cycle) {
    while (p->used && p->heap[0].cycle < cycle) {
        struct line line = pop(p);
        write_line(p, &line);
    }
}

// ---- instructions in flight ----
static struct flight *at(struct pipeview *p, unsigned i) {
    return &p->ring[(p->first + i) % FLIGHT];
}

static struct flight *find(struct pipeview *p, uint32_t rob) {
    for (unsigned i = 0; i < p->count; i++)
        if (at(p, i)->rob == rob) return at(p, i);
    return NULL;
}

static void happens(struct pipeview *p, uint64_t id, enum action action) {
    if (id != UINT64_MAX) push(p, (struct line){.cycle = p->now, .id = id, .action = action, .retired = p->retired});
}

static void squash(struct pipeview *p, bool all, uint32_t rob) {
    while (p->count && (all || at(p, p->count - 1)->rob != rob))
        happens(p, at(p, --p->count)->id, FLUSH);
}

static void dispatch(struct pipeview *p, const struct stage *s) {
    struct flight flight = {.id = UINT64_MAX, .rob = s->rob}; // not shown
    if (trace_window_holds(&p->window, p->now)) {
        flight.id = p->next_id++;
        push(p, (struct line){.cycle = s->fetched, .id = flight.id, .action = BEGIN, .pc = s->pc, .insn = s->insn});
        happens(p, flight.id, START_Q);
    }
    if (p->count < FLIGHT) *at(p, p->count++) = flight;
    p->known = s->fetched;
}

static void commit(struct pipeview *p, const struct commit_bundle *b) {
    unsigned lane = b->oldest;
    for (unsigned k = 0; k < p->width; k++, lane = lane + 1 == p->width ? 0 : lane + 1) {
        if (!(b->commit >> lane & 1) || !p->count) continue;
        trace_window_commit(&p->window, p->now, b->pc[lane]);
        if (at(p, 0)->id != UINT64_MAX) {
            push(p,
                 (struct line){
                     .cycle = p->now, .id = at(p, 0)->id, .action = LEAVE, .retired = p->retired, .psv = b->psv[lane]});
            p->retired++;
        }
        p->first = (p->first + 1) % FLIGHT;
        p->count--;
    }
}

int pipeview_cycle(struct pipeview *p, uint64_t cycle, const struct commit_bundle *bundle,
                   const struct trace_stages *stages) {
    p->now = cycle;
    for (unsigned i = 0; i < stages->count; i++) {
        const struct stage *s = &stages->list[i];
        struct flight *f = s->kind == STAGE_ISSUE || s->kind == STAGE_DONE ? find(p, s->rob) : NULL;
        switch (s->kind) {
        case STAGE_SQUASH_ALL: squash(p, true, 0); break;
        case STAGE_SQUASH_YOUNGER: squash(p, false, s->rob); break;
        case STAGE_DISPATCH: dispatch(p, s); break;
        case STAGE_ISSUE:
            if (f && !f->issued) happens(p, f->id, START_X);
            if (f) f->issued = true;
            break;
        case STAGE_DONE:
            if (f && !f->done) happens(p, f->id, START_C);
            if (f) f->done = true;
            break;
        }
    }
    commit(p, bundle);
    write_until(p, p->known);
    return p->failed ? -ENOMEM : 0;
}

void pipeview_sample(struct pipeview *p, uint64_t cycle) {
    trace_window_sample(&p->window, cycle);
}

int pipeview_close(struct pipeview *p, struct error *err) {
    if (!p) return 0;
    squash(p, true, 0);
    write_until(p, UINT64_MAX);
    int result = kanata_close(p->log, err);
    disasm_destroy(p->disasm);
    free(p->heap);
    free(p);
    return result;
}
