// Time is booked when its owner is known and its vector is complete:
//   Computing  at once, to each committing instruction
//   Flushed    at once, to the instruction that left last
//   Stalled    held until the head leaves the ROB
//   Drained    held until the first instruction has entered the ROB and left it again
#include "oracle/oracle_internal.h"
#include "profile/stack_table.h"
#include "profile/units.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct call_stacks unknown_stacks;

struct oracle *oracle_create(unsigned width, struct error *err) {
    if (width < 1 || width > MAX_LANES) {
        error_set(err, "oracle: commit width %u: must be 1 to %d", width, MAX_LANES);
        return NULL;
    }
    struct oracle *o = calloc(1, sizeof *o);
    if (o) o->table = profile_table_create();
    if (!o || !o->table) {
        error_nomem(err, "oracle");
        free(o);
        return NULL;
    }
    o->width = width;
    o->units = units_per_cycle(width);
    o->stacks = &unknown_stacks;
    return o;
}

void oracle_destroy(struct oracle *o) {
    if (!o) return;
    profile_table_destroy(o->table);
    free(o);
}

void oracle_use_stacks(struct oracle *o, const struct call_stacks *stacks) {
    o->stacks = stacks ? stacks : &unknown_stacks;
}

const struct oir *oracle_oir(const struct oracle *o) {
    return &o->oir;
}

void oracle_expect(const struct oracle *o, const struct commit_bundle *b, struct sample *sample) {
    oracle_selection(o, b, sample);
}

__attribute__((noinline)) static bool book_held(struct oracle *o, struct place place, uint32_t stack, uint16_t psv) {
    bool good = true;
    if (o->held_drained) good = profile_table_add_stack(o->table, place, stack, STATE_DRAINED, psv, o->held_drained);
    if (o->held_stalled) good &= profile_table_add_stack(o->table, place, stack, STATE_STALLED, psv, o->held_stalled);
    o->held_drained = o->held_stalled = 0;
    o->has_head = false;
    return good;
}

static inline bool book_commit(struct oracle *o, const struct commit_bundle *b, uint64_t units) {
    bool good = true;
    if (o->held_drained || o->held_stalled)
        good = book_held(o, oracle_place(b, b->pc[b->oldest]), o->stacks->before, b->psv[b->oldest]);
    const unsigned lanes = oracle_committing(b);
    const uint64_t share = units / (unsigned)__builtin_popcount(lanes);
    for (unsigned left = share ? lanes : 0; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        good &= profile_table_add_stack(o->table, oracle_place(b, b->pc[lane]), o->stacks->lane[lane], STATE_COMPUTING,
                                        b->psv[lane], share);
    }
    unsigned youngest = b->oldest + (unsigned)__builtin_popcount(b->commit) - 1; // from the oldest on, no gap: rule 2
    if (youngest >= o->width) youngest -= o->width;
    o->oir = (struct oir){.valid = true,
                          .pc = b->pc[youngest],
                          .mispredict = b->mispredict >> youngest & 1,
                          .flush = b->flush >> youngest & 1,
                          .psv = b->psv[youngest],
                          .priv = b->priv,
                          .space = b->space};
    o->has_head = false;
    return good;
}

static bool book_stalled(struct oracle *o, const struct commit_bundle *b, uint64_t units) {
    oracle_hold_stalled(o, b, units);
    if (!b->exception) return true;
    o->oir = (struct oir){.valid = true,
                          .pc = b->exception_pc,
                          .exception = true,
                          .psv = b->exception_psv,
                          .priv = b->priv,
                          .space = b->space};
    return book_held(o, oracle_place(b, b->exception_pc), o->stacks->before, b->exception_psv);
}

static bool book_flushed(struct oracle *o, uint64_t units) {
    if (!units) return true;
    const struct place place = {o->oir.pc, place_context(o->oir.priv, o->oir.space)};
    return profile_table_add_stack(o->table, place, o->stacks->left, STATE_FLUSHED, o->oir.psv, units);
}

unsigned oracle_rule_broken(const struct oracle *o, const struct commit_bundle *b) {
    return bundle_rule_broken(b, o->width, &o->before);
}

int oracle_step(struct oracle *o, const struct commit_bundle *b, uint64_t cycles) {
    bundle_remember(&o->before, b);
    if (o->ended) cycles = 0;
    uint64_t units = cycles * o->units;
    enum commit_state state = oracle_state(o, b);
    bool good = true;
    // A core may drop its head without a commit or an exception; the time it had is its own all the same.
    if (b->rob_empty && o->held_stalled) good = book_held(o, o->head, o->stacks->now, o->head_psv);
    o->cycles += cycles;
    o->state_units[state] += units;
    switch (state) {
    case STATE_COMPUTING: good = book_commit(o, b, units) && good; break;
    case STATE_STALLED: good = book_stalled(o, b, units) && good; break;
    case STATE_FLUSHED: good = book_flushed(o, units) && good; break;
    default:
        o->held_drained += units;
        if (b->dispatch_valid & 1) {
            o->has_head = true;
            o->head = oracle_place(b, b->dispatch_pc[0]);
            o->head_psv = 0;
        }
        break;
    }
    return good ? 0 : -ENOMEM;
}

int oracle_begin(struct oracle *o) {
    struct profile_table *table = profile_table_create();
    if (!table) return -ENOMEM;
    profile_table_destroy(o->table);
    o->table = table;
    o->cycles = o->held_stalled = o->held_drained = 0;
    memset(o->state_units, 0, sizeof o->state_units);
    o->has_head = false;
    return 0;
}

void oracle_end(struct oracle *o) {
    o->ended = true;
}

int oracle_finish(struct oracle *o, uint64_t cycles, struct error *err) {
    const bool known = o->has_head;
    if (!book_held(o, known ? o->head : PLACE_END, known ? o->stacks->now : STACK_UNKNOWN, known ? o->head_psv : 0)) {
        return error_nomem(err, "oracle");
    }
    uint64_t total = profile_table_total(o->table), states = 0;
    for (unsigned i = 0; i < STATE_COUNT; i++)
        states += o->state_units[i];
    if (o->cycles == cycles && total == cycles * o->units && states == total) return 0;
    error_set(err,
              "time is not conserved: %llu cycles ran, the Oracle saw %llu and booked %llu/%u to instructions, %llu/%u "
              "to states",
              (unsigned long long)cycles, (unsigned long long)o->cycles, (unsigned long long)total, o->units,
              (unsigned long long)states, o->units);
    return -EBADMSG;
}

uint64_t oracle_cycles(const struct oracle *o) {
    return o->cycles;
}

uint64_t oracle_state_units(const struct oracle *o, unsigned state) {
    return o->state_units[state];
}

const struct profile_row *oracle_rows(struct oracle *o, size_t *count) {
    return profile_table_rows(o->table, count);
}
