// Depth first, with a stack of places: each is a sequence of instructions up to a merge of control, whose edges are
// tried one after the other.
#include "methods/profileme/path_search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORK = 1 << 14,
    MORE = 1 << 10
};                                     // places of a search, at most; of one for the likeliest path, where there is one
enum { DEPTH = 2 * PATH_STEPS };       // of the stack: steps, and what lies between functions without one
enum undo { NOTHING, PUSHED, POPPED }; // of the calls, by the edge that led to the place

struct place_on_path {
    uint32_t lead;
    size_t next, end;  // edges that are still to be tried
    unsigned distance; // instructions from the sample to lead
    unsigned branches; // up to here
    bool hit;          // the pair's other instruction has been on the path
    bool begins;       // the procedure's beginning has been counted
    bool stepped;      // the edge that led here was a step
    double weight;     // of the edges up to here
    enum undo undo;
    uint32_t popped;
};
struct prefix { // the path, while it is looked how the bits that are left can be gone on with
    bool set;
    size_t depth; // of the stack, below what goes on
    uint32_t step_count;
    unsigned branches;
    bool begins; // it ends at the procedure's beginning
};
struct path_search {
    const struct path_graph *g;
    const struct path_query *q;
    struct path_result *result;
    struct place_on_path stack[DEPTH];
    size_t depth;
    struct path_step steps[PATH_STEPS];
    uint32_t step_count;
    uint32_t calls[PATH_CALLS]; // that the path has entered at their returns, and not left yet
    uint32_t call_count;
    uint32_t work;
    unsigned bits; // of the history that count
    struct prefix prefix;
    bool found_now; // the prefix can be gone on with
    double best;    // weight of the likeliest path so far
};

struct path_search *path_search_create(const struct path_graph *g) {
    struct path_search *s = calloc(1, sizeof *s);
    if (s) s->g = g;
    return s;
}

void path_search_destroy(struct path_search *s) {
    free(s);
}

static bool is_paired(const struct path_query *q) {
    return q->scheme >= PATH_PAIRS && q->other != UINT32_MAX;
}

static bool is_likeliest(const struct path_search *s) {
    return s->q->scheme == PATH_LIKELIEST;
}

// ---- paths that are complete ----
// distance: of the oldest instruction that is on the path. A path that is shorter than the window does not show whether
// the other instruction was on it.
static void complete(struct path_search *s, const struct place_on_path *end, unsigned distance) {
    if (is_paired(s->q) && !end->hit && distance >= s->q->window) return;
    struct path_result *r = s->result;
    s->found_now = true;
    if (is_likeliest(s)) {
        s->best = end->weight;
        r->found = 1;
    } else if (++r->found > 1) {
        return;
    }
    r->branches = s->prefix.set ? s->prefix.branches : end->branches;
    r->count = s->prefix.set ? s->prefix.step_count : s->step_count;
    memcpy(r->steps, s->steps, r->count * sizeof *s->steps);
}

static void set_prefix(struct path_search *s, unsigned branches, bool begins) {
    s->prefix = (struct prefix){true, s->depth, s->step_count, branches, begins};
}

// ---- places ----
// The sequence that ends with the instruction, which is so far from the sample. False: the path cannot be.
static bool enter(struct path_search *s, uint32_t instruction, unsigned distance, struct place_on_path place) {
    const struct path_query *q = s->q;
    if (s->depth == DEPTH || ++s->work > (is_likeliest(s) && s->result->found ? MORE : WORK)) {
        s->result->given_up = true;
        return false;
    }
    size_t count;
    place.lead = path_graph_lead(s->g, instruction);
    place.distance = distance + (instruction - place.lead);
    if (is_paired(q) && !place.hit && q->other >= place.lead && q->other <= instruction) {
        const unsigned at = distance + (instruction - q->other);
        place.hit = at >= 1 && at <= q->window;
    }
    if (is_paired(q) && !place.hit && place.distance >= q->window) return false;
    path_graph_into(s->g, place.lead, &count);
    place.next = 0;
    place.end = count;
    s->stack[s->depth++] = place;
    return true;
}

static void undo(struct path_search *s, enum undo undo, uint32_t popped, bool stepped) {
    if (undo == PUSHED) s->call_count--;
    if (undo == POPPED) s->calls[s->call_count++] = popped;
    if (stepped) s->step_count--;
}

static void leave(struct path_search *s) {
    const struct place_on_path *place = &s->stack[--s->depth];
    undo(s, place->undo, place->popped, place->stepped);
    if (s->prefix.set && s->depth == s->prefix.depth) s->prefix.set = false;
}

// ---- edges ----
// Whether the path ends before the edge: it is the beginning of the procedure.
static bool ends_before(const struct path_search *s, const struct path_edge *e) {
    return !s->q->across && !s->prefix.set && s->call_count == 0 && path_graph_enters(s->g, e->from, e->to);
}

static bool may_follow(const struct path_search *s, const struct path_edge *e, unsigned branches) {
    if (e->kind == PATH_CALL && s->call_count && s->calls[s->call_count - 1] != e->from) return false;
    if (e->kind != PATH_BRANCH || s->q->scheme == PATH_COUNTS) return true;
    return (s->q->history >> branches & 1) == e->taken;
}

static bool take_step(struct path_search *s, const struct path_edge *e, struct place_on_path *place) {
    if (e->kind == PATH_RETURN) {
        if (s->call_count == PATH_CALLS) return false;
        s->calls[s->call_count++] = e->to - 1;
        place->undo = PUSHED;
    } else if (e->kind == PATH_CALL && s->call_count) {
        place->popped = s->calls[--s->call_count];
        place->undo = POPPED;
    }
    if (e->kind == PATH_FALL) return true;
    if (s->step_count == PATH_STEPS) {
        undo(s, place->undo, place->popped, false);
        return false;
    }
    place->stepped = true;
    s->steps[s->step_count++] = (struct path_step){e->from, e->to};
    return true;
}

// A call that the path has come back from is the only way on.
static double weight_of(const struct path_search *s, const struct path_edge *e) {
    return e->kind == PATH_CALL && s->call_count ? 0 : e->weight;
}

// from: as it was before anything is entered, which may move what is on the stack.
static void follow(struct path_search *s, const struct path_edge *e, struct place_on_path from) {
    struct place_on_path place = {.branches = from.branches, .hit = from.hit, .weight = from.weight + weight_of(s, e)};
    const unsigned distance = from.distance + 1;
    if (is_likeliest(s) && !(place.weight > s->best)) return;
    if (!take_step(s, e, &place)) {
        s->result->given_up = true;
        return;
    }
    place.branches += e->kind == PATH_BRANCH;
    const bool begins = s->prefix.set && s->prefix.depth == s->depth; // set by who called this
    if (place.branches == s->bits) {
        place.hit = place.hit || (s->q->other == e->from && distance <= s->q->window);
        complete(s, &place, distance);
    } else {
        if (place.branches == s->q->branches && !s->prefix.set) set_prefix(s, place.branches, false);
        if (enter(s, e->from, distance, place)) return;
    }
    if (s->prefix.set && s->prefix.depth == s->depth && !begins) s->prefix.set = false;
    undo(s, place.undo, place.popped, place.stepped);
}

// ---- all paths ----
// Back to where the path ended that has just been found: other ways to go on with it do not matter.
static void settle(struct path_search *s) {
    const struct prefix prefix = s->prefix;
    s->found_now = false;
    if (!prefix.set || is_likeliest(s)) return;
    while (s->depth > prefix.depth)
        leave(s);
    s->prefix.set = false;
    if (prefix.begins) s->stack[s->depth - 1].begins = true;
}

// The edge that the path at hand ends before.
static void begin(struct path_search *s, struct place_on_path *place, const struct path_edge *e) {
    if (place->begins) return;
    if (s->bits == s->q->branches) {
        complete(s, place, place->distance);
        place->begins = true;
    } else if (may_follow(s, e, place->branches)) {
        const size_t depth = s->depth;
        set_prefix(s, place->branches, true);
        follow(s, e, *place);
        if (s->depth == depth) s->prefix.set = false;
    }
}

static void search(struct path_search *s) {
    while (s->depth && s->result->found < 2 && !s->result->given_up) {
        struct place_on_path *place = &s->stack[s->depth - 1];
        size_t count;
        const struct path_edge *edges = path_graph_into(s->g, place->lead, &count);
        if (place->next == place->end) {
            leave(s);
            continue;
        }
        const struct path_edge *e = &edges[place->next++];
        if (ends_before(s, e)) {
            begin(s, place, e);
        } else if (may_follow(s, e, place->branches)) {
            follow(s, e, *place);
        }
        if (s->found_now) settle(s);
    }
}

// ---- the most frequent one ----
// The edge that was executed most often; *begins: together, those that come from outside were more often.
static const struct path_edge *heaviest(const struct path_search *s, const struct place_on_path *place, bool *begins) {
    size_t count;
    const struct path_edge *edges = path_graph_into(s->g, place->lead, &count), *best = NULL;
    uint64_t outside = 0;
    for (size_t i = 0; i < count; i++) {
        if (ends_before(s, &edges[i])) {
            outside += edges[i].count;
        } else if (may_follow(s, &edges[i], place->branches) && edges[i].count > (best ? best->count : 0)) {
            best = &edges[i];
        }
    }
    *begins = outside && outside >= (best ? best->count : 0);
    return best;
}

static void walk(struct path_search *s) {
    while (s->result->found == 0 && !s->result->given_up) {
        const struct place_on_path place = s->stack[s->depth - 1];
        const size_t depth = s->depth;
        bool begins;
        const struct path_edge *e = heaviest(s, &place, &begins);
        if (begins) complete(s, &place, place.distance);
        if (begins || !e) return;
        follow(s, e, place);
        if (s->depth == depth) return;
    }
}

static void run(struct path_search *s, unsigned bits) {
    s->depth = s->step_count = s->call_count = s->work = 0;
    s->bits = bits;
    s->prefix.set = s->found_now = false;
    s->result->found = s->result->branches = s->result->count = 0;
    s->result->given_up = false;
    s->best = -INFINITY;
    if (!enter(s, s->q->instruction, 0, (struct place_on_path){0})) return;
    if (s->q->scheme == PATH_COUNTS) {
        walk(s);
    } else {
        search(s);
    }
    if (s->result->given_up && !(is_likeliest(s) && s->result->found)) s->result->found = 2;
}

void path_search_run(struct path_search *s, const struct path_query *query, struct path_result *result) {
    s->q = query;
    s->result = result;
    run(s, query->scheme >= PATH_WHOLE ? ROUTE_BRANCHES : query->branches);
    // Older bits of a program that has just begun, or that was interrupted, mean nothing.
    if (result->found == 0 && s->bits != query->branches) run(s, query->branches);
}
