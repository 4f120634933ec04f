// Calls push frames, returns look for theirs: on top, deeper, in another thread, by the stack pointer.
#include "callstack/callstack_internal.h"
#include "isa/rvc.h"
#include <stdlib.h>

enum { RA = 1, T0 = 5 }; // the link registers
enum {
    NEAR = 4096,     // bytes between two stack pointers of one stack, where nothing else decides
    SIGNAL = 1 << 20 // bytes that the frame of a signal handler may lie below what was interrupted
};

// ---- frames ----
// A stack that was not seen before, in place of the one that has not run for longest.
static void begin_thread(struct callstack *c, uint64_t pc, uint64_t context, uint64_t sp) {
    callstack_begin_in(c, callstack_new_thread(c), pc, context, sp);
}

static void push(struct callstack *c, const struct callstack_step *s, enum stack_kind kind, uint64_t back) {
    struct thread *t = c->now;
    if (!callstack_reserve(t)) {
        if (t->beyond++ == 0) t->kept = t->node;
        c->counts.lost++;
        t->node = STACK_LOST;
        return;
    }
    t->frames[t->depth++] = (struct frame){back, s->sp, s->context, t->node, (uint8_t)kind};
    t->node = callstack_node(c, kind, t->node, s->pc, s->next_pc, s->next_context);
}

// Frames from number `depth` on end.
static void cut(struct thread *t, size_t depth) {
    if (t->beyond) t->node = t->kept;
    t->beyond = 0;
    if (depth == t->depth) return;
    t->depth = depth;
    t->node = t->frames[depth].node;
}

// Code of the one may be entered from code of the other without a trap.
static bool same_home(uint64_t a, uint64_t b) {
    return place_mode(a) == MODE_USER ? a == b : place_mode(a) == place_mode(b);
}

static bool same_sp(uint64_t a, uint64_t b) {
    return a == b || a == CALLSTACK_NO_SP || b == CALLSTACK_NO_SP;
}

static bool is_trap(const struct frame *f) {
    return f->kind == STACK_EXCEPTION || f->kind == STACK_INTERRUPT;
}

// At the instruction that it came at, or after it, which an environment call goes on with.
static bool resumes(const struct frame *f, uint64_t pc) {
    return pc - f->back <= 4;
}

static bool returns_to(const struct frame *f, const struct callstack_step *s) {
    const bool back = f->kind == STACK_UPCALL || (f->kind == STACK_CALL && f->back == s->next_pc);
    return back && same_sp(f->sp, s->sp) && same_home(f->context, s->next_context);
}

// The handler may go on elsewhere than it was entered from, in the same function.
static bool trap_returns_to(const struct frame *f, const struct callstack_step *s) {
    if (!is_trap(f) || !same_home(f->context, s->next_context)) return false;
    return s->sp == CALLSTACK_NO_SP ? resumes(f, s->next_pc) : f->sp == s->sp;
}

static uint64_t apart(uint64_t a, uint64_t b) {
    return a > b ? a - b : b - a;
}

typedef bool agrees(const struct frame *f, const struct callstack_step *s);

static size_t find_frame(const struct thread *t, const struct callstack_step *s, agrees *agree) {
    for (size_t i = t->depth; i-- > 0;) {
        if (agree(&t->frames[i], s)) return i;
    }
    return SIZE_MAX;
}

// ---- returns ----
static bool return_in(struct thread *t, const struct callstack_step *s, agrees *agree) {
    const size_t frame = find_frame(t, s, agree);
    if (frame == SIZE_MAX) return false;
    cut(t, frame);
    return true;
}

static size_t last_trap(const struct thread *t) {
    size_t i = t->depth;
    while (i > 0 && !is_trap(&t->frames[i - 1]))
        i--;
    return i ? i - 1 : SIZE_MAX;
}

// In a thread that does not run, a trap goes on exactly where it came; a call may be any of its frames.
static size_t frame_in_other(const struct thread *t, const struct callstack_step *s, agrees *agree) {
    if (agree == returns_to) return find_frame(t, s, agree);
    const size_t trap = last_trap(t);
    if (trap == SIZE_MAX || !agree(&t->frames[trap], s) || !resumes(&t->frames[trap], s->next_pc)) return SIZE_MAX;
    return trap;
}

static bool return_to_other(struct callstack *c, const struct callstack_step *s, agrees *agree) {
    struct thread *best = NULL;
    size_t frame = 0;
    if (s->sp == CALLSTACK_NO_SP && agree == returns_to) return false; // many return to one address
    for (struct thread *t = c->threads; t < c->threads + CALLSTACK_THREADS; t++) {
        if (t == c->now || !t->ran || (best && best->ran > t->ran)) continue;
        const size_t found = frame_in_other(t, s, agree);
        if (found == SIZE_MAX) continue;
        best = t;
        frame = found;
    }
    if (!best) return false;
    cut(best, frame);
    callstack_enter(c, best);
    c->counts.switches++;
    return true;
}

// The frames of this stack that lie below the stack pointer have ended. After longjmp so have those that were called
// with it: who called setjmp has a frame of its own. False: it points into another stack.
static bool unwind(struct thread *t, const struct callstack_step *s, bool from_trap) {
    size_t i = t->depth;
    uint64_t lowest = 0, highest = 0;
    while (from_trap && i > 0 && !same_home(t->frames[i - 1].context, s->next_context))
        i--;
    if (i == 0 && t->depth) return false;
    if (i) lowest = t->frames[i - 1].sp;
    for (; i > 0; i--) {
        const struct frame *f = &t->frames[i - 1];
        if (!same_home(f->context, s->next_context)) break;
        highest = f->sp;
        if (f->sp > s->sp || (from_trap && f->sp == s->sp)) break;
    }
    if (i == 0 && t->bottom > highest) highest = t->bottom;
    if (s->sp < lowest || (s->sp > highest && s->sp - highest > NEAR)) return false;
    cut(t, i);
    return true;
}

// No call of the function that returns was seen: it is the outermost that is known, or the first of a trap's
// handler, which may set the return address of its next one by itself.
static bool was_not_called(const struct thread *t, const struct callstack_step *s) {
    if (t->depth) return is_trap(&t->frames[t->depth - 1]);
    return s->sp == CALLSTACK_NO_SP || apart(s->sp, t->bottom) <= NEAR;
}

// A function that makes its caller's frame (__riscv_save_N) or takes arguments off the stack returns with another stack
// pointer.
static bool return_from_last(struct thread *t, const struct callstack_step *s) {
    const struct frame *last = t->depth ? &t->frames[t->depth - 1] : NULL;
    if (!last || last->kind != STACK_CALL || last->back != s->next_pc || !same_home(last->context, s->next_context))
        return false;
    if (apart(last->sp, s->sp) > NEAR) return false;
    cut(t, t->depth - 1);
    return true;
}

// One of those without a frame has returned, if none that has one did.
static void return_beyond(struct thread *t, const struct callstack_step *s) {
    if (return_in(t, s, returns_to) || --t->beyond) return;
    t->node = t->kept;
}

static void leave_call(struct callstack *c, const struct callstack_step *s) {
    struct thread *t = c->now;
    if (t->beyond) {
        return_beyond(t, s);
        return;
    }
    if (return_in(t, s, returns_to) || return_to_other(c, s, returns_to) || was_not_called(t, s)) return;
    if (return_from_last(t, s)) return;
    c->counts.unmatched++;
    if (s->sp == CALLSTACK_NO_SP) {
        callstack_begin_in(c, t, s->next_pc, s->next_context, s->sp);
    } else if (!unwind(t, s, false)) {
        begin_thread(c, s->next_pc, s->next_context, s->sp);
    }
}

// The trap returns below what it interrupted: to a handler, which goes on there by itself.
static bool enter_upcall(struct callstack *c, const struct callstack_step *s) {
    struct thread *t = c->now;
    const size_t trap = last_trap(t);
    if (trap == SIZE_MAX || s->sp == CALLSTACK_NO_SP) return false;
    const struct frame f = t->frames[trap];
    if (!same_home(f.context, s->next_context) || resumes(&f, s->next_pc)) return false;
    if (s->sp >= f.sp || f.sp - s->sp > SIGNAL) return false;
    cut(t, trap);
    const struct callstack_step call = {
        .pc = f.back, .next_pc = s->next_pc, .context = f.context, .next_context = s->next_context, .sp = s->sp};
    push(c, &call, STACK_UPCALL, 0);
    return true;
}

static void leave_trap(struct callstack *c, const struct callstack_step *s) {
    struct thread *t = c->now;
    forks_returned(c, s);
    if (return_in(t, s, trap_returns_to) || forks_begin(c, s) || return_to_other(c, s, trap_returns_to)) return;
    if (t->depth) c->counts.unmatched++;
    if (enter_upcall(c, s)) return;
    if (s->sp != CALLSTACK_NO_SP && t->depth && unwind(t, s, true)) return;
    begin_thread(c, s->next_pc, s->next_context, s->sp);
}

// ---- steps ----
static bool is_link(unsigned number) {
    return number == RA || number == T0;
}

static void jump(struct callstack *c, const struct callstack_step *s) {
    const bool compressed = (s->insn & 3) != 3;
    const uint32_t insn = insn_word(s->insn);
    const bool indirect = (insn & 0x7f) == 0x67;
    const unsigned rd = insn >> 7 & 31, rs1 = indirect ? insn >> 15 & 31 : 0;
    const bool call = is_link(rd), back = is_link(rs1) && (!call || rd != rs1);
    if (call && back) {
        return_in(c->now, s, returns_to); // a coroutine goes on, if it is one
    } else if (back && !(rs1 == T0 && return_from_last(c->now, s))) {
        leave_call(c, s);
    }
    if (call) push(c, s, STACK_CALL, s->pc + (compressed ? 2 : 4));
}

uint32_t callstack_step(struct callstack *c, const struct callstack_step *s) {
    if (s->trap) {
        if (s->fork) forks_remember(c, s);
        push(c, s, s->interrupt ? STACK_INTERRUPT : STACK_EXCEPTION, s->pc);
    } else if ((s->insn & 0x7f) == 0x73) {
        leave_trap(c, s);
    } else {
        jump(c, s);
    }
    return c->now->node;
}
