// Events of a cycle, and their totals.
#include "workers/event_tally.h"
#include "csrs.h"
#include "events.h"
#include <assert.h>
#include <string.h>

static_assert(PMU_EVENT_TEA + EVENT_COUNT <= TALLY_EVENTS && PMU_EVENT_RECOVERY_CLEAR < TALLY_EVENTS,
              "all numbers of events");
static_assert(MODE_MACHINE < TALLY_MODES, "all modes");

static unsigned lanes(uint32_t mask) {
    return (unsigned)__builtin_popcount(mask);
}

// Conditional or not: branch, jalr, jal; of the 16-bit forms c.j, c.beqz, c.bnez, and c.jr and c.jalr, whose rs2 is 0
// and whose rs1 is not.
static bool transfers(uint32_t insn) {
    enum { BRANCH = 0x63, JALR = 0x67, JAL = 0x6f };
    const unsigned opcode = insn & 0x7f, funct3 = insn >> 13 & 7;
    switch (insn & 3) {
    case 3: return opcode == BRANCH || opcode == JALR || opcode == JAL;
    case 1: return funct3 >= 5;
    case 2: return funct3 == 4 && (insn >> 2 & 31) == 0 && (insn >> 7 & 31) != 0;
    default: return false;
    }
}

static void add_vector(uint8_t of[TALLY_ALL], unsigned psv) {
    for (psv &= EVENT_SET_ALL; psv; psv &= psv - 1)
        of[PMU_EVENT_TEA + __builtin_ctz(psv)]++;
}

// ---- triggers: what has left, by lockstep ----
void event_tally_triggers(struct event_tally *t, const struct hart *hart) {
    t->triggered = false;
    for (unsigned i = 0; i < ISS_TRIGGERS; i++) {
        hart_trigger(hart, i, &t->triggers[i].control, &t->triggers[i].address);
        t->triggered |= TDATA1_EXECUTE(t->triggers[i].control);
    }
}

static bool matches(const struct tally_trigger *trigger, unsigned mode, uint64_t pc) {
    const uint64_t control = trigger->control;
    const bool in_mode = mode == MODE_MACHINE      ? TDATA1_M(control)
                         : mode == MODE_SUPERVISOR ? TDATA1_S(control)
                                                   : TDATA1_U(control);
    return TDATA1_EXECUTE(control) && in_mode && pc == trigger->address;
}

static void add_hits(uint8_t of[TALLY_ALL], const struct event_tally *t, const struct worker_view *v, unsigned mode) {
    for (unsigned i = 0; i < v->left->count; i++) {
        bool hit[TALLY_OUTPUTS] = {false};
        for (unsigned k = 0; k < ISS_TRIGGERS; k++)
            if (matches(&t->triggers[k], mode, v->golden->step[i].pc))
                hit[TDATA1_ACTION(t->triggers[k].control) % TALLY_OUTPUTS] = true;
        for (unsigned k = 0; k < TALLY_OUTPUTS; k++)
            of[TALLY_EVENTS + k] += hit[k];
    }
}

// What leaves the ROB.
static void add_left(uint8_t of[TALLY_ALL], const struct worker_view *v) {
    const struct commit_bundle *b = v->bundle;
    const struct trace_left *left = v->left;
    of[PMU_EVENT_INSTRUCTIONS] = (uint8_t)left->count;
    for (unsigned i = 0; i < left->count; i++)
        of[PMU_EVENT_BRANCHES] += transfers(v->golden->step[i].insn);
    of[PMU_EVENT_FLUSHES] = (uint8_t)lanes(b->commit & b->flush);
    of[PMU_EVENT_EXCEPTIONS] = left->trap.valid && !left->trap.interrupt;
    of[PMU_EVENT_INTERRUPTS] = left->trap.valid && left->trap.interrupt;
    for (unsigned left_lanes = b->commit; left_lanes; left_lanes &= left_lanes - 1)
        add_vector(of, b->psv[__builtin_ctz(left_lanes)]);
    if (b->exception) add_vector(of, b->exception_psv);
}

static void add_slots(uint8_t of[TALLY_ALL], const struct slot_use *u) {
    const unsigned fetch = u->idle && u->stalls ? 0 : u->empty; // the ROB stalls: what is empty is the back end's
    of[PMU_EVENT_DISPATCHED] = (uint8_t)u->dispatched;
    of[u->idle ? PMU_EVENT_FETCH_LATENCY : PMU_EVENT_FETCH_BANDWIDTH] = (uint8_t)fetch;
    if (u->memory) of[PMU_EVENT_MEMORY_BOUND] = (uint8_t)(u->held + u->empty - fetch);
    of[u->of_clear ? PMU_EVENT_RECOVERY_CLEAR : PMU_EVENT_RECOVERY_BRANCH] = (uint8_t)u->recovery;
    of[PMU_EVENT_BRANCH_REDIRECTS] = u->branch_redirect;
    of[PMU_EVENT_CLEARS] = u->clear;
}

void event_tally_cycle(struct event_tally *t, const struct worker_view *v, unsigned mode) {
    const struct commit_bundle *b = v->bundle;
    struct slots before = t->slots;
    const struct slot_use u = slots_cycle(&before, t->width, b);
    struct tally_cycles *c = &t->last[t->at];
    t->at = (t->at + 1) % TALLY_BACK;
    *c = (struct tally_cycles){.cycle = v->cycle, .count = v->count, .mode = mode % TALLY_MODES};
    c->of[PMU_EVENT_CYCLES] = 1;
    c->of[event_tally_state(t, b)] = 1;
    if (v->left->count || b->commit | b->exception) add_left(c->of, v);
    if (t->triggered) add_hits(c->of, t, v, mode);
    add_slots(c->of, &u);
    uint64_t *total = t->total[c->mode];
    for (unsigned e = 0; e < TALLY_ALL; e++)
        total[e] += v->count * c->of[e];
    event_tally_remember(t, b);
}

uint64_t event_tally_up_to(const struct event_tally *t, unsigned number, unsigned modes, uint64_t cycle) {
    uint64_t sum = 0;
    if (number == PMU_EVENT_TRIGGER_0 || number == PMU_EVENT_TRIGGER_1)
        number = TALLY_EVENTS + number - PMU_EVENT_TRIGGER_0;
    else if (number >= TALLY_EVENTS)
        return hub_tally_up_to(&t->hub, number, modes, cycle);
    if (number == 0) return 0;
    for (unsigned m = 0; m < TALLY_MODES; m++)
        if (modes >> m & 1) sum += t->total[m][number];
    for (unsigned i = 0; i < TALLY_BACK; i++) {
        const struct tally_cycles *c = &t->last[i];
        const uint64_t end = c->cycle + c->count, behind = cycle + 1;
        if (!(modes >> c->mode & 1) || end <= behind) continue;
        sum -= (behind > c->cycle ? end - behind : c->count) * c->of[number];
    }
    return sum;
}
