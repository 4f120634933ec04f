// Follows instructions in flight, and puts what is to be written in the order of cycles.
//
// An instruction's fetch is known only when it dispatches. Dispatch is in program order, and so are fetches: nothing
// will come any more that happened before the fetch of the one that dispatched last. Up to there lines are written;
// later ones wait in a heap.
#include "trace/pipeview.h"
#include "base/array.h"
#include "base/heap.h"
#include "events.h"
#include "isa/disasm.h"
#include "isa/operands.h"
#include "trace/flights.h"
#include "trace/kanata.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NOT_SHOWN UINT64_MAX // id of an instruction outside the region

enum action { BEGIN, START_Q, START_X, START_C, WAKE, SAMPLED, LEAVE, FLUSH };

struct line {
    uint64_t cycle, order; // order: of entry, so that lines of a cycle keep it
    uint64_t id;
    enum action action;
    uint64_t pc, retired;
    uint64_t other; // WAKE: id of the producer; SAMPLED: cycle of the trigger
    uint32_t insn;
    uint16_t psv;  // of LEAVE and FLUSH: events of the instruction
    uint8_t state; // SAMPLED: the sample's, enum commit_state
};

struct pipeview {
    struct kanata *log;
    struct disasm *disasm;
    struct trace_region region;
    struct flights *flights;
    uint64_t next_id, retired, entered, now, known; // known: nothing before it comes any more
    struct line *heap;
    size_t used, capacity;
    bool failed;
    const struct image *image;
    const char *function; // of the addresses from start to below end; NULL: none
    uint64_t start, end;
};

static const struct flights_listener listener;

struct pipeview *pipeview_create(const char *path, unsigned width, const struct trace_region *region,
                                 const struct image *image, struct error *err) {
    struct pipeview *p = error_calloc(sizeof *p, path, err);
    if (!p) return NULL;
    p->region = *region;
    p->image = image;
    p->flights = flights_create(width, &listener, p);
    if (!p->flights) error_nomem(err, path);
    if (p->flights) p->disasm = disasm_create(err);
    if (p->disasm) p->log = kanata_create(path, err);
    if (p->log) return p;
    disasm_destroy(p->disasm);
    flights_destroy(p->flights);
    free(p);
    return NULL;
}

// ---- lines in order ----
static bool before(const void *x, const void *y) {
    const struct line *a = x, *b = y;
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

static void push(struct pipeview *p, struct line line) {
    if (!array_reserve(&p->heap, &p->capacity, p->used, sizeof *p->heap)) {
        p->failed = true;
        return;
    }
    line.order = line.action == SAMPLED ? 0 : ++p->entered;
    heap_put(p->heap, p->used++, sizeof line, before, &line);
}

static void write_events(struct pipeview *p, const struct line *l) {
    static const char *const names[] = {EVENT_NAMES};
    for (unsigned e = 0; e < EVENT_COUNT; e++) {
        if (l->psv >> e & 1) kanata_label(p->log, l->id, KANATA_DETAIL, "\\n%s", names[e]);
    }
}

// "  <main+0x90>", or "".
static void put_place(struct pipeview *p, uint64_t pc, char *text, size_t size) {
    text[0] = '\0';
    if (p->image && (pc < p->start || pc >= p->end)) p->function = image_code_at(p->image, pc, &p->start, &p->end);
    if (!p->function) return;
    snprintf(text, size, "  <%.120s+0x%" PRIx64 ">", p->function, pc - p->start);
    if (pc == p->start) snprintf(text, size, "  <%.120s>", p->function);
}

static void write_line(struct pipeview *p, const struct line *l) {
    kanata_time(p->log, l->cycle);
    switch (l->action) {
    case BEGIN: {
        char text[96], place[160];
        disasm_text(p->disasm, l->pc, l->insn, text, sizeof text);
        kanata_begin(p->log, l->id, l->id);
        put_place(p, l->pc, place, sizeof place);
        kanata_label(p->log, l->id, KANATA_PANE, "%" PRIx64 ": %s%s", l->pc, text, place);
        kanata_label(p->log, l->id, KANATA_DETAIL, "fetched in cycle %" PRIu64 ", word %08" PRIx32, l->cycle, l->insn);
        kanata_start(p->log, l->id, 'F');
        break;
    }
    case START_Q: kanata_start(p->log, l->id, 'Q'); break;
    case START_X: kanata_start(p->log, l->id, 'X'); break;
    case START_C: kanata_start(p->log, l->id, 'C'); break;
    case WAKE: kanata_wake(p->log, l->id, l->other); break;
    case SAMPLED: {
        static const char *const states[] = {STATE_NAMES};
        kanata_label(p->log, l->id, KANATA_PANE, "  <- sampled: %s", states[l->state]);
        kanata_label(p->log, l->id, KANATA_DETAIL, "\\nsampled in cycle %" PRIu64 ": %s", l->other, states[l->state]);
        break;
    }
    case LEAVE:
    case FLUSH:
        write_events(p, l);
        kanata_leave(p->log, l->id, l->retired, l->action == FLUSH);
        break;
    }
}

static void write_until(struct pipeview *p, uint64_t cycle) {
    while (p->used && p->heap[0].cycle < cycle) {
        write_line(p, p->heap);
        heap_drop(p->heap, p->used--, sizeof *p->heap, before);
    }
}

// ---- instructions in flight ----
static void happens(struct pipeview *p, uint64_t id, enum action action) {
    if (id != NOT_SHOWN) push(p, (struct line){.cycle = p->now, .id = id, .action = action, .retired = p->retired});
}

// The youngest instruction in flight that writes the register; NOT_SHOWN: none, its value has been committed.
static uint64_t producer(const struct pipeview *p, uint8_t reg) {
    for (unsigned i = flights_count(p->flights); reg != OPERAND_NONE && i > 0; i--)
        if (flights_at(p->flights, i - 1)->rd == reg) return flights_at(p->flights, i - 1)->id;
    return NOT_SHOWN;
}

// Serial instructions enter an empty ROB: nothing in flight is theirs.
static void issued(void *context, const struct flight *f) {
    struct pipeview *p = context;
    happens(p, f->id, START_X);
    for (unsigned i = 0; i < 3; i++) {
        bool again = i > 0 && (f->producers[i] == f->producers[0] || (i > 1 && f->producers[i] == f->producers[1]));
        if (f->id == NOT_SHOWN || f->producers[i] == NOT_SHOWN || again) continue;
        push(p, (struct line){.cycle = p->now, .id = f->id, .action = WAKE, .other = f->producers[i]});
    }
}

static void done(void *context, const struct flight *f) {
    happens(context, f->id, START_C);
}

static void squashed(void *context, const struct flight *f) {
    happens(context, f->id, FLUSH);
}

static void dispatched(void *context, const struct stage *s, struct flight *flight) {
    struct pipeview *p = context;
    const struct operands operands = operands_of(s->insn);
    flight->id = NOT_SHOWN;
    flight->rd = operands.rd;
    for (unsigned i = 0; i < 3; i++)
        flight->producers[i] = producer(p, operands.rs[i]);
    if (trace_region_holds(&p->region, p->now)) {
        flight->id = p->next_id++;
        push(p, (struct line){.cycle = s->fetched, .id = flight->id, .action = BEGIN, .pc = s->pc, .insn = s->insn});
        happens(p, flight->id, START_Q);
    }
    p->known = s->fetched;
}

static void committed(void *context, const struct flight *f, const struct commit_bundle *b, unsigned lane) {
    struct pipeview *p = context;
    if (b->first >> lane & 1) trace_region_commit(&p->region, p->now, b->pc[lane]);
    if (f->id == NOT_SHOWN) return;
    push(p, (struct line){.cycle = p->now, .id = f->id, .action = LEAVE, .retired = p->retired, .psv = b->psv[lane]});
    p->retired++;
}

// A mark on an instruction, in front of its end where that is in the same cycle.
static void sampled(void *context, uint64_t id, uint64_t when, uint64_t trigger, enum commit_state state) {
    if (id == NOT_SHOWN) return;
    push(context, (struct line){.cycle = when, .id = id, .action = SAMPLED, .other = trigger, .state = (uint8_t)state});
}

static const struct flights_listener listener = {dispatched, issued, done, committed, squashed, sampled};

int pipeview_cycle(struct pipeview *p, uint64_t cycle, const struct commit_bundle *bundle,
                   const struct trace_stages *stages) {
    write_until(p, p->known); // of the cycle before, whose sample has come since: it may mark what had left
    p->now = cycle;
    flights_cycle(p->flights, cycle, bundle, stages);
    return p->failed ? -ENOMEM : 0;
}

void pipeview_sample(struct pipeview *p, uint64_t cycle, const struct commit_bundle *b, bool taken) {
    flights_sample(p->flights, cycle, b);
    if (taken) trace_region_sample(&p->region, cycle);
}

int pipeview_close(struct pipeview *p, struct error *err) {
    if (!p) return 0;
    flights_squash_all(p->flights);
    write_until(p, UINT64_MAX);
    int result = kanata_close(p->log, err);
    disasm_destroy(p->disasm);
    flights_destroy(p->flights);
    free(p->heap);
    free(p);
    return result;
}
