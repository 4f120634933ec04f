// tip_unit and tea_unit have the same ports (hold_t): how a bench drives them, stories cycle by cycle, and random
// sequences against a model stated as facts, with the end of each sample looked up in the whole recorded
// sequence.
//
// The facts. A sample waits from the cycle of its trigger to that in which it is complete: Drained until the first
// instruction dispatches, and with vectors (TEA) Drained and Stalled until their instruction leaves the ROB. A trigger
// in between is one more of it, and so is one of the last cycle where that cycle is still the instruction's (the
// dispatch, the exception; a commit is shared with others, and an empty ROB is somebody else's). Any other trigger
// takes a sample, unless a complete one is held that has nowhere to go.
#ifndef TIPOFF_RTL_HOLD_H
#define TIPOFF_RTL_HOLD_H

#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <string.h>

enum { COMPUTING, STALLED, FLUSHED, DRAINED };
enum { COMPLETE = 1, HELD = 2, INSTANT = 4, ENDS = 8, BEHIND = 16, LOST = 32, FURTHER = 64, TAKEN = 128 }; // of hold_o
enum { DR_L1 = 1, FL_MB = 8, FL_EX = 16, FL_MO = 32, ST_L1 = 64, ST_LLC = 256, EVENTS = 0x1ff };

struct sample {
    unsigned state, valid, oldest, flags, priv, psv[8];
    uint64_t addr[8], space;
};

// A cycle: what the core does in it, whether there is a trigger, and whether a complete sample may go on.
struct moment {
    bool trigger, room, empty, commits, excepts, replays, dispatches;
    unsigned head, psv[8], exception_psv;
    uint64_t pc; // of what dispatches
    struct sample select;
};

static Vtop *top;
static unsigned width;

static void hold_drive(const struct moment *m) {
    const struct sample *s = &m->select;
    top->trigger_i = m->trigger;
    top->take_i = m->room;
    top->rob_empty_i = m->empty;
    top->commit_i = m->commits ? 1u << m->head : 0;
    top->head_i = m->head;
    top->exception_i = m->excepts;
    top->replay_i = m->replays;
    top->exception_psv_i = m->exception_psv;
    top->dispatch_valid_i = m->dispatches;
    top->dispatch_pc_i = m->pc;
    top->state_i = s->state;
    top->valid_i = s->valid;
    top->oldest_i = s->oldest;
    top->flags_i = s->flags;
    top->priv_i = s->priv;
    top->space_i = s->space;
    for (unsigned i = 0; i < 8; i++) {
        top->addr_i[i] = s->addr[i];
        top->psv_i[i] = s->psv[i];
        top->head_psv_i[i] = m->psv[i];
    }
    top->eval();
}
static void hold_edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
}
static void hold_reset() {
    struct moment quiet = {};
    quiet.empty = true;
    top->clk_i = top->rst_ni = 0;
    hold_drive(&quiet);
    hold_edge();
    top->rst_ni = 1;
    top->eval();
}

// What sample_select shows of the moment's state; vectors are the head's, flags and context are made from `salt`.
static struct sample hold_select(const struct moment *m, unsigned state, uint64_t addr, uint64_t salt) {
    struct sample s = {};
    s.state = state;
    s.oldest = state == COMPUTING || state == STALLED ? m->head : 0;
    s.valid = state == COMPUTING ? (1u << width) - 1 : state == STALLED ? 1u << m->head : state == FLUSHED;
    s.flags = state == FLUSHED ? 1u << salt % 3 : 0;
    s.priv = salt >> 2 & 3;
    s.space = salt >> 4 & 0xfffffffffff;
    for (unsigned i = 0; i < width; i++) {
        if (!(s.valid >> i & 1)) continue;
        s.addr[i] = addr + 4 * i;
        s.psv[i] = state == FLUSHED ? salt >> 8 & EVENTS : m->excepts ? m->exception_psv : m->psv[i];
    }
    return s;
}

static void hold_expect_sample(const struct sample *e, const char *when, unsigned cycle) {
    bool good = top->state_o == e->state && top->valid_o == e->valid && top->oldest_o == e->oldest &&
                top->flags_o == e->flags && top->priv_o == e->priv && top->space_o == e->space;
    unsigned lane = e->oldest;
    for (unsigned i = 0; i < 8; i++)
        good = good && top->addr_o[i] == e->addr[i] && top->psv_o[i] == e->psv[i];
    bench_check(
        good,
        "%s, cycle %u: state %u lanes 0x%x addr 0x%llx psv 0x%x, expected %u 0x%x 0x%llx 0x%x (or flags, mode, space)",
        when, cycle, top->state_o, top->valid_o, (unsigned long long)top->addr_o[lane], top->psv_o[lane], e->state,
        e->valid, (unsigned long long)e->addr[lane], e->psv[lane]);
}

// ---- stories ----
// A cycle in letters: C S F D its state; t trigger; d something dispatches; x the oldest excepts; p it is replayed; r
// there is room. What is expected: T taken, F further, L lost, s (with F) Stalled behind Drained, E ends, I instant, H
// held, K complete; then, with K, whose cycle gave the address (0: its dispatch gave it) and whose the vector, counted
// from 0; -1: none.
struct step {
    const char *in, *out;
    int address, vector;
};
// Vectors that distinguish cycles: of the oldest, of what excepts.
static unsigned hold_head_psv(unsigned cycle) {
    return (cycle + 1) * 5 & EVENTS & ~(FL_EX | FL_MO);
}
static uint64_t hold_address(unsigned cycle, bool dispatch) {
    return (dispatch ? 0x80000000 : 0x1000) + 64 * cycle;
}

static void hold_story(const char *name, const struct step *steps, unsigned count) {
    const unsigned head = width - 1;
    hold_reset();
    for (unsigned c = 0; c < count; c++) {
        const char *in = steps[c].in, *out = steps[c].out;
        struct moment m = {};
        unsigned state = (unsigned)(strchr("CSFD", in[0]) - "CSFD"), expected = 0;
        m.trigger = strchr(in, 't');
        m.dispatches = strchr(in, 'd');
        m.replays = strchr(in, 'p');
        m.excepts = strchr(in, 'x') || m.replays;
        m.room = strchr(in, 'r');
        m.empty = state >= FLUSHED;
        m.commits = state == COMPUTING;
        m.head = head;
        for (unsigned i = 0; i < 8; i++)
            m.psv[i] = i == head ? hold_head_psv(c) : EVENTS & ~hold_head_psv(c); // the others' are not looked at
        m.exception_psv = hold_head_psv(c) | (m.replays ? FL_MO : FL_EX);
        m.pc = hold_address(c, true);
        m.select = hold_select(&m, state, hold_address(c, false), 0x1230 + c);
        hold_drive(&m);
        for (const char *o = out; *o; o++)
            expected |= 1u << strchr("KHIEsLFT", *o) - "KHIEsLFT";
        unsigned got = top->hold_o & (expected & FURTHER ? 0xff : 0xff & ~BEHIND);
        bench_check(got == expected, "%s, cycle %u (%s): 0x%x, expected 0x%x (%s)", name, c, in, got, expected, out);
        if (expected & COMPLETE) {
            bool drained = top->state_o == DRAINED;
            unsigned lane = top->oldest_o;
            uint64_t address = hold_address((unsigned)steps[c].address, drained) + 4 * (drained ? 0 : lane);
            unsigned from = (unsigned)steps[c].vector, psv = steps[c].vector < 0 ? 0 : hold_head_psv(from);
            if (steps[c].vector >= 0 && (strchr(steps[from].in, 'x') || strchr(steps[from].in, 'p')))
                psv |= strchr(steps[from].in, 'p') ? FL_MO : FL_EX;
            if (top->state_o == FLUSHED) psv = (0x1230 + from) >> 8 & EVENTS;
            bench_check(top->addr_o[lane] == address && top->psv_o[lane] == psv,
                        "%s, cycle %u (%s): address 0x%llx vector 0x%x, expected 0x%llx 0x%x", name, c, in,
                        (unsigned long long)top->addr_o[lane], top->psv_o[lane], (unsigned long long)address, psv);
        }
        hold_edge();
    }
}
#define STORY(NAME, ...)                                                                                               \
    do {                                                                                                               \
        const struct step steps[] = {__VA_ARGS__};                                                                     \
        hold_story(NAME, steps, sizeof steps / sizeof *steps);                                                         \
    } while (0)

// ---- random ----
enum { CYCLES = 60000 };
static struct moment run[CYCLES];

// Bundles: a head that stays until it leaves, commits, or vanishes; empty until something dispatches.
static void hold_record() {
    bool empty = true;
    unsigned head = 0, psv = 0;
    for (unsigned c = 0; c < CYCLES; c++) {
        struct moment *m = &run[c];
        *m = {};
        m->trigger = bench_below(c / 1000 % 2 ? 3 : 8) == 0;
        m->room = bench_below(c / 500 % 3 + 1) == 0;
        m->dispatches = bench_below(3) == 0;
        m->pc = bench_random();
        m->empty = empty;
        m->head = head;
        for (unsigned i = 0; i < width; i++)
            m->psv[i] = bench_below(EVENTS + 1);
        unsigned end = empty ? 0 : bench_below(8); // 1 commits, 2 excepts, 3 vanishes
        m->commits = end == 1;
        m->excepts = end == 2;
        m->replays = m->excepts && bench_below(2);
        if (!empty) psv |= bench_below(4) ? 0 : 1u << bench_below(9);
        m->psv[head] = psv;
        m->exception_psv = m->excepts ? psv |= m->replays ? FL_MO : FL_EX : bench_below(EVENTS + 1);
        if (m->excepts) m->psv[head] = psv;
        unsigned state = m->commits ? COMPUTING : !empty ? STALLED : bench_below(2) ? FLUSHED : DRAINED;
        m->select = hold_select(m, state, bench_random() & ~UINT64_C(3), bench_random());
        if (end) {
            empty = end > 1 || bench_below(2);
            head = bench_below(width);
            psv = 0;
        } else if (empty && m->dispatches) {
            empty = false;
        }
    }
}

// A sample, from its first cycle to that in which it is complete, and whether that one is still its instruction's.
struct story {
    struct sample sample;
    unsigned first, named, end; // named: the cycle of the dispatch, of a Drained one
    bool its;
};
static struct story hold_tell(unsigned c, bool tea) {
    struct story s = {run[c].select, c, c, c, true};
    if (s.sample.state == DRAINED) {
        while (s.named < CYCLES && !run[s.named].dispatches)
            s.named++;
        s.end = s.named;
        if (s.named == CYCLES) return s;
        s.sample.valid = 1;
        s.sample.addr[0] = run[s.named].pc;
    } else if (s.sample.state != STALLED || run[c].excepts) {
        return s;
    }
    if (!tea) return s;
    for (s.end++; s.end < CYCLES; s.end++) {
        const struct moment *m = &run[s.end];
        if (!m->commits && !m->excepts && !m->empty) continue;
        s.its = m->excepts;
        if (m->excepts) s.sample.psv[s.sample.oldest] = m->exception_psv;
        if (m->commits) s.sample.psv[s.sample.oldest] = m->psv[m->head];
        return s;
    }
    return s;
}

static void hold_random(bool tea) {
    struct story held = {}, fresh = {};
    bool holding = false;
    unsigned taken = 0, further = 0, behind = 0, lost = 0, vanished = 0, shared = 0;
    hold_reset();
    hold_record();
    for (unsigned c = 0; c < CYCLES; c++) {
        const struct moment *m = &run[c];
        unsigned expected = 0;
        hold_drive(m);
        bool complete = holding && c >= held.end,
             more = m->trigger && holding && (c < held.end || (c == held.end && held.its));
        bool takes = m->trigger && !more && (!holding || m->room);
        if (takes) fresh = hold_tell(c, tea);
        expected |= more ? FURTHER : takes ? TAKEN : m->trigger ? LOST : 0;
        if (holding) expected |= HELD | (c == held.end ? ENDS : 0);
        if (takes && fresh.end == c) expected |= INSTANT;
        if (complete || (!holding && takes && fresh.end == c)) expected |= COMPLETE;
        if (more && held.sample.state == DRAINED && c > held.named) expected |= BEHIND;
        unsigned got = top->hold_o & (more ? 0xff : 0xff & ~BEHIND);
        bench_check(got == expected, "random, cycle %u: 0x%x, expected 0x%x", c, got, expected);
        if (expected & COMPLETE) hold_expect_sample(holding ? &held.sample : &fresh.sample, "random", c);
        taken += takes;
        further += more;
        behind += expected & BEHIND ? 1 : 0;
        lost += expected & LOST ? 1 : 0;
        shared += holding && c == held.end && takes;
        vanished += holding && c == held.end && m->empty && !m->dispatches;
        if (complete && m->room) holding = false;
        if (takes && !(expected & COMPLETE && !(expected & HELD) && m->room)) {
            held = fresh;
            holding = true;
        }
        hold_edge();
    }
    bench_check(taken > CYCLES / 50 && further > CYCLES / 50 && lost > CYCLES / 100, "%u taken, %u further, %u lost",
                taken, further, lost);
    if (tea)
        bench_check(behind > CYCLES / 1000 && vanished > CYCLES / 1000 && shared > CYCLES / 1000,
                    "%u behind, %u vanished, %u shared", behind, vanished, shared);
}

#endif
