// A function has returned where its caller goes on with the stack pointer that it had; a loop has ended when its
// function goes on outside of the loop's blocks, or has returned. What they call is part of them.
#include "cli/gus_region.h"
#include "analysis/flow.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

enum { RA = 1, SP = 2 };

struct range {
    uint64_t start, end;
};
struct gus_region {
    struct stop from, to, from_first, to_first; // the latter two: as parsed
    bool has_from, has_to, until_return;
    uint64_t back, stack;  // of the caller
    struct range function; // of the loop
    struct range *blocks;  // of the loop, by address
    size_t count, capacity;
};

// ---- the loop ----
static bool add_block(struct gus_region *r, const struct program *names, const struct flow_block *b) {
    size_t n;
    const struct program_instruction *insns = program_instructions(names, &n);
    if (!array_reserve(&r->blocks, &r->capacity, r->count, sizeof *r->blocks)) return false;
    const struct program_instruction *last = &insns[b->first + b->count - 1];
    r->blocks[r->count++] = (struct range){insns[b->first].pc, last->pc + ((last->insn & 3) == 3 ? 4 : 2)};
    return true;
}

static bool within(const struct flow_loop *loops, size_t inner, size_t outer) {
    while (inner != PROGRAM_NONE && inner != outer)
        inner = loops[inner].parent;
    return inner == outer;
}

static bool find_loop(struct gus_region *r, const char *text, const struct program *names, uint64_t place,
                      uint64_t *header, struct error *err) {
    size_t count, n, at = names ? program_find(names, place) : PROGRAM_NONE;
    if (at == PROGRAM_NONE) {
        error_set(err,
                  "--loop %s: the program has no instruction at this address: name one, as 0xADDRESS or SYMBOL+BYTES",
                  text);
        return false;
    }
    const struct program_instruction *insns = program_instructions(names, &n);
    const struct program_function *f = &program_functions(names, &n)[insns[at].function];
    struct flow *flow = flow_create(names, insns[at].function, NULL, 0);
    if (!flow) {
        error_set(err, "--loop %s: out of memory", text);
        return false;
    }
    const struct flow_loop *loops = flow_loops(flow, &n);
    const struct flow_block *blocks = flow_blocks(flow, &count);
    size_t loop = blocks[flow_block_of(flow, at)].loop;
    bool good = loop != PROGRAM_NONE;
    if (!good) error_set(err, "--loop %s: not inside a loop of %.80s: name an instruction inside one", text, f->name);
    r->function = (struct range){f->start, f->end};
    for (size_t i = 0; good && i < count; i++)
        if (within(loops, blocks[i].loop, loop)) good = add_block(r, names, &blocks[i]);
    if (good) *header = insns[blocks[loops[loop].header].first].pc;
    flow_destroy(flow);
    return good;
}

static bool in_loop(const struct gus_region *r, uint64_t pc) {
    for (size_t i = 0; i < r->count; i++)
        if (pc >= r->blocks[i].start && pc < r->blocks[i].end) return true;
    return false;
}

// ---- the whole ----
static bool parse(struct stop *stop, const char *option, const char *text, const struct image *image,
                  struct error *err) {
    struct error fault;
    *stop = (struct stop){.wanted = true};
    if (position_parse(&stop->at, text, POSITIONS_ON_ISS, image, &fault) < 0) {
        error_set(err, "%s %s: %s", option, text, fault.text);
        return false;
    }
    stop->left = stop->at.count ? stop->at.count : 1;
    return true;
}

static bool parse_all(struct gus_region *r, const struct gus_region_options *o, const struct image *image,
                      const struct program *names, struct error *err) {
    if ((o->function != NULL) + (o->loop != NULL) + (o->from || o->to) > 1) {
        error_set(err, "--function, --loop, and --from with --to: give one of the three");
        return false;
    }
    const char *begin = o->function ? o->function : o->loop ? o->loop : o->from;
    const char *option = o->function ? "--function" : o->loop ? "--loop" : "--from";
    if (begin && !parse(&r->from_first, option, begin, image, err)) return false;
    if (o->to && !parse(&r->to_first, "--to", o->to, image, err)) return false;
    r->has_from = begin != NULL;
    r->has_to = o->to != NULL;
    r->until_return = o->function || o->loop;
    if (r->until_return && r->from_first.at.kind != POSITION_PLACE) {
        error_set(err, "%s %s: not a place: give 0xADDRESS, SYMBOL or SYMBOL+BYTES", option, begin);
        return false;
    }
    return !o->loop || find_loop(r, o->loop, names, r->from_first.at.value, &r->from_first.at.value, err);
}

struct gus_region *gus_region_create(const struct gus_region_options *o, const struct image *image,
                                     const struct program *names, struct error *err) {
    struct gus_region *r = calloc(1, sizeof *r);
    if (!r) error_nomem(err, "gus");
    if (r && parse_all(r, o, image, names, err)) return r;
    gus_region_destroy(r);
    return NULL;
}

void gus_region_destroy(struct gus_region *r) {
    if (r) free(r->blocks);
    free(r);
}

bool gus_region_whole(const struct gus_region *r) {
    return !r->has_from;
}

bool gus_region_ends_somewhere(const struct gus_region *r) {
    return r->has_to || r->until_return;
}

void gus_region_reset(struct gus_region *r, struct iss *iss) {
    r->from = r->from_first;
    r->to = r->to_first;
    if ((r->has_from && stop_at_marker(&r->from)) || (r->has_to && stop_at_marker(&r->to)))
        iss_watch_markers(iss, true);
}

bool gus_region_begins(struct gus_region *r, const struct iss *iss, uint64_t done) {
    if (r->has_from && !stop_reached(&r->from, iss_only(iss), done)) return false;
    const struct hart *h = iss_only(iss);
    r->back = hart_x(h, RA);
    r->stack = hart_x(h, SP);
    r->to.marked = false; // a marker ends what began before it
    return true;
}

// Of a loop the return address may be anywhere: its function has returned when the stack is shorter.
bool gus_region_ends(struct gus_region *r, const struct iss *iss, uint64_t done) {
    if (r->has_to) return stop_reached(&r->to, iss_only(iss), done);
    if (!r->until_return) return false;
    const struct hart *h = iss_only(iss);
    const uint64_t pc = hart_pc(h), stack = hart_x(h, SP);
    if (r->count == 0) return pc == r->back && stack >= r->stack;
    if (pc >= r->function.start && pc < r->function.end) return stack >= r->stack && !in_loop(r, pc);
    return stack > r->stack;
}

void gus_region_stepped(struct gus_region *r, struct iss *iss, const struct iss_retire *retire) {
    struct stop *both[] = {&r->from, &r->to};
    const unsigned marker = iss_take_marker(iss);
    for (unsigned i = 0; i < 2; i++) {
        struct stop *s = both[i];
        if (!s->wanted) continue;
        if (stop_at_marker(s) && marker && (s->at.value == 0 || s->at.value == marker)) s->marked = true;
        if (s->at.kind == POSITION_PLACE && retire->pc == s->at.value && !retire->interrupt && s->left > 1) s->left--;
    }
}
