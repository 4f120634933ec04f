// profile_top with the golden vectors (tests/profile/vectors) of its width: in each cycle sample and OIR must be what was
// written by hand; and each cycle in turn is sampled by the real counter and read back through the CSRs, with further
// triggers after it. Then what goes between the units: CSR writes and reads, jitter and its seed, privilege, instruction
// counts. Each event alone and every combination of them, in each state, from the bundle to the CSRs. Random runs with a
// reader that lives through the CSRs alone, against tests/unit/rtl/delivery.h: every sample, loss and interrupt, to the cycle.
#include "../../../../build/gen/events.h"
#include "Vtop.h"
#include "../../../profile/vectors/vectors.h"
#include "bench.h"
#include "config.h"
#include "delivery.h"
#include "reload.h"
#include "toy_rob.h"
#include "verilated.h"
#include <glob.h>

enum { COUNTER3 = 0xb03, EVENT3 = 0x323, PERIOD = 0x7c0, JITTER = 0x7c1, COLLISIONS = 0x7c2, PC = 0x5c0, DATA = 0x5c1, ADDR0 = 0x5d0, PSV0 = 0x5d8, CYCLE = 0x5da, REPEAT = 0x5db, SPACE = 0x5dc };
// The counter that samples, and the n-th of those that do not.
enum { SAMPLING = CONFIG_PROFILE_COUNTER - 3, COUNTER = COUNTER3 + SAMPLING, EVENT = EVENT3 + SAMPLING };
// Bits of a vector that software can read: none where there are no vectors (profile.vectors).
enum : unsigned { READABLE = CONFIG_PROFILE_VECTORS ? ~0u : 0 };
// An address as samples keep it.
static uint64_t kept(uint64_t addr) {
    enum { ABOVE = 64 - CONFIG_PROFILE_ADDRESS_BITS };
    return (uint64_t)((int64_t)(addr << ABOVE) >> ABOVE);
}
static unsigned other(unsigned n) {
    return n + (n >= SAMPLING);
}

static Vtop *top;
static uint64_t now; // cycles since reset
static struct vector vector;
static uint64_t counted[32]; // by event, over all vectors

static uint64_t peek(unsigned addr);

// The core's port answers in the cycle after the address, with what is then; from S-mode and U-mode M-mode's sample is hidden.
static void expect_answer(unsigned addr, bool program) {
    if (addr == COLLISIONS) return; // a loss is counted in the cycle after it: tip_csrs
    const uint64_t data = peek(DATA), whole = peek(addr);
    const bool hide = program && (data >> 22 & 1) && (data >> 23 & 3) == 3;
    const bool secret = addr == PC || (addr >= ADDR0 && addr < ADDR0 + 8) || addr == PSV0 || addr == PSV0 + 1;
    const uint64_t due = !hide ? whole : secret ? 0 : addr == DATA ? whole & 0xfffffff : whole;
    bench_check(top->csr_rdata_o == due, "0x%x for the core: 0x%llx, expected 0x%llx", addr, (unsigned long long)top->csr_rdata_o, (unsigned long long)due);
}
static void edge() {
    const unsigned addr = top->csr_addr_i;
    const bool program = top->priv_i != 3;
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->csr_write_i = top->trigger_i = 0;
    now = top->rst_ni ? now + 1 : 0;
    top->eval();
    if (top->rst_ni) expect_answer(addr, program);
}
static void empty_bundle() {
    top->valid_i = top->commit_i = top->mispredict_i = top->flush_i = top->first_i = top->dispatch_valid_i = 0;
    top->exception_i = top->oldest_i = 0;
    top->rob_empty_i = 1;
}
static void reset() {
    empty_bundle();
    top->clk_i = top->rst_ni = top->csr_write_i = top->csr_addr_i = top->hrd_addr_i = top->trigger_i = 0;
    top->priv_i = 3;
    top->space_i = top->stale_i = 0;
    top->eval();
    edge();
    top->rst_ni = 1;
    top->eval();
}
static void write(unsigned addr, uint64_t value) {
    top->csr_addr_i = addr;
    top->csr_wdata_i = value;
    top->csr_write_i = 1;
    edge();
}
static uint64_t read(unsigned addr) {
    top->hrd_addr_i = addr;
    top->csr_addr_i = addr;
    top->eval();
    return top->hrd_data_o;
}
// As the harness reads it: nothing is hidden.
static uint64_t peek(unsigned addr) {
    top->hrd_addr_i = addr;
    top->eval();
    return top->hrd_data_o;
}
// Whose vectors may lack events in cycle `cycle` of a vector: bit 1 the oldest, bit 0 the offender.
static unsigned stale_in(unsigned cycle) {
    return cycle * 2654435761u >> 29 & 3;
}
// As it was in the cycle of the trigger, however long the sample waits. A Drained one's instruction comes yet.
static bool partial_in(unsigned cycle, unsigned state) {
    return CONFIG_PROFILE_VECTOR_WINDOW && state != 3 && stale_in(cycle) >> (state != 2) & 1;
}
static void drive(const struct vector_cycle *c) {
    top->valid_i = c->valid;
    top->commit_i = c->commit;
    top->mispredict_i = c->mispredict;
    top->flush_i = c->flush;
    top->first_i = c->begins;
    top->oldest_i = c->oldest;
    top->rob_empty_i = c->empty;
    top->exception_i = c->exception;
    top->exception_pc_i = c->exception_pc;
    top->exception_psv_i = c->exception_psv;
    top->dispatch_valid_i = c->dispatch;
    for (unsigned i = 0; i < 8; i++) {
        top->pc_i[i] = c->pc[i];
        top->psv_i[i] = c->psv[i];
        top->dispatch_pc_i[i] = c->dispatch_pc[i];
    }
    top->eval();
}

static unsigned flags(bool exception, bool flush, bool mispredict) {
    return (unsigned)exception << 2 | (unsigned)flush << 1 | (unsigned)mispredict;
}

static void expect_cycle(const struct vector_cycle *c, unsigned cycle) {
    bench_check(top->state_o == c->state && top->lanes_o == c->lanes && top->oldest_o == c->oldest_lane &&
                    top->flags_o == flags(c->by_exception, c->by_flush, c->by_mispredict),
                "%s:%u, cycle %u: state %u lanes 0x%x oldest %u flags %u, expected %u 0x%x %u %u", vector.path, c->line, cycle,
                top->state_o, top->lanes_o, top->oldest_o, top->flags_o, c->state, c->lanes, c->oldest_lane,
                flags(c->by_exception, c->by_flush, c->by_mispredict));
    for (unsigned i = 0; i < 8; i++) {
        bench_check(top->addr_o[i] == c->addr[i] && top->psv_o[i] == c->addr_psv[i],
                    "%s:%u, cycle %u: lane %u: 0x%llx psv 0x%x, expected 0x%llx psv 0x%x", vector.path, c->line, cycle, i,
                    (unsigned long long)top->addr_o[i], top->psv_o[i], (unsigned long long)c->addr[i], c->addr_psv[i]);
    }
    bench_check(top->oir_valid_o == c->oir_valid && top->oir_pc_o == c->oir_pc && top->oir_psv_o == c->oir_psv &&
                    top->oir_flags_o == flags(c->oir_exception, c->oir_flush, c->oir_mispredict),
                "%s:%u, cycle %u: OIR 0x%llx flags %u psv 0x%x, expected 0x%llx %u 0x%x", vector.path, c->line, cycle,
                (unsigned long long)top->oir_pc_o, top->oir_flags_o, top->oir_psv_o, (unsigned long long)c->oir_pc,
                flags(c->oir_exception, c->oir_flush, c->oir_mispredict), c->oir_psv);
}

static void play_selection() {
    reset();
    for (unsigned i = 0; i < vector.cycle_count; i++) {
        const struct vector_cycle *c = &vector.cycles[i];
        for (unsigned cycle = c->first; cycle <= c->last; cycle++) {
            drive(c);
            expect_cycle(c, cycle);
            edge();
        }
    }
}

// The programmable counters see the same cycles: states as written by hand, what leaves with which vector.
static void play_counters() {
    const unsigned sets[][4] = {{PMU_EVENT_COMPUTING, PMU_EVENT_STALLED, PMU_EVENT_FLUSHED, PMU_EVENT_DRAINED},
                                {PMU_EVENT_FLUSHES, PMU_EVENT_EXCEPTIONS, PMU_EVENT_ST_L1, PMU_EVENT_FL_MB}};
    for (const auto &set : sets) {
        uint64_t expected[32] = {0};
        reset();
        for (unsigned i = 0; i < 4; i++) write(EVENT3 + other(i), set[i]);
        for (unsigned i = 0; i < 4; i++) write(COUNTER3 + other(i), 0);
        for (unsigned i = 0; i < 4; i++) expected[set[i]] = read(COUNTER3 + other(i)); // idle since they were written
        for (unsigned n = 0; n < vector.cycle_count; n++) {
            const struct vector_cycle *c = &vector.cycles[n];
            for (unsigned cycle = c->first; cycle <= c->last; cycle++) {
                drive(c);
                edge();
                expected[PMU_EVENT_COMPUTING + c->state]++;
                expected[PMU_EVENT_FLUSHES] += (unsigned)__builtin_popcount(c->commit & c->flush);
                expected[PMU_EVENT_EXCEPTIONS] += c->exception;
                expected[PMU_EVENT_ST_L1] += c->exception && c->exception_psv >> EVENT_ST_L1 & 1;
                expected[PMU_EVENT_FL_MB] += c->exception && c->exception_psv >> EVENT_FL_MB & 1;
                for (unsigned i = 0; i < 8; i++) {
                    if (!(c->commit >> i & 1)) continue;
                    expected[PMU_EVENT_ST_L1] += c->psv[i] >> EVENT_ST_L1 & 1;
                    expected[PMU_EVENT_FL_MB] += c->psv[i] >> EVENT_FL_MB & 1;
                }
            }
        }
        edge(); // adds what the last cycle has counted
        for (unsigned i = 0; i < 4; i++) {
            uint64_t got = read(COUNTER3 + other(i));
            bench_check(got == expected[set[i]], "%s: event %u counted %llu times, expected %llu", vector.path, set[i], (unsigned long long)got,
                        (unsigned long long)expected[set[i]]);
            counted[set[i]] += got;
        }
    }
}

// The vector that the sampled instruction has when it leaves, if it was the oldest already at the beginning of line
// `line`; -1: the run ends before that. A head that vanishes keeps the one that the sample took.
static int vector_at_the_end(unsigned line, unsigned taken) {
    for (; line < vector.cycle_count; line++) {
        const struct vector_cycle *c = &vector.cycles[line];
        if (c->empty) return (int)taken;
        if (c->exception) return (int)c->exception_psv;
        if (c->commit) return (int)c->psv[c->oldest];
    }
    return -1;
}

// What the CSRs must say of cycle `cycle` in line `line`: in Drained the first that dispatches from there on; where
// samples wait for the complete vector, Stalled and Drained with the vector at the end.
static void expect_csrs(unsigned line, unsigned cycle) {
    const struct vector_cycle *c = &vector.cycles[line];
    uint64_t addr[8], psv[2] = {0, 0};
    unsigned lanes = c->lanes;
    int final = (int)c->addr_psv[c->oldest_lane];
    for (unsigned i = 0; i < 8; i++) addr[i] = kept(c->addr[i]);
    if (c->state == 3) {
        while (line < vector.cycle_count && !(vector.cycles[line].dispatch & 1)) line++;
        if (line < vector.cycle_count) {
            lanes = 1;
            addr[0] = kept(vector.cycles[line].dispatch_pc[0]);
            if (top->tea_o) final = vector_at_the_end(line + 1, 0); // a dispatch is the only cycle of its line
        } else {
            final = -1;
        }
    } else if (c->state == 1 && top->tea_o) {
        final = vector_at_the_end(line, (unsigned)final);
    }
    if (final < 0) {
        bench_check((read(DATA) >> 22 & 1) == 0, "%s: the sample of cycle %u cannot be complete, and is", vector.path, cycle);
        return;
    }
    for (unsigned i = 0; i < 8; i++)
        psv[i / 4] |= (uint64_t)((i == c->oldest_lane ? (unsigned)final : c->addr_psv[i]) & READABLE) << 16 * (i % 4);
    uint64_t data = read(DATA);
    uint64_t expected = CONFIG_PROFILE_COUNTER | (uint64_t)c->state << 5 | (uint64_t)lanes << 7 | (uint64_t)c->oldest_lane << 15 |
                        (uint64_t)c->by_exception << 18 | (uint64_t)c->by_flush << 19 | (uint64_t)c->by_mispredict << 20 |
                        (uint64_t)(c->state == 3) << 21 | UINT64_C(1) << 22 | UINT64_C(3) << 23;
    expected |= (uint64_t)partial_in(cycle, c->state) << 25;
    bench_check((data & 0xfffffff) == expected, "%s: sample of cycle %u: shpmsdata 0x%llx, expected 0x%llx", vector.path,
                cycle, (unsigned long long)data & 0xfffffff, (unsigned long long)expected);
    bench_check(read(PC) == addr[c->oldest_lane], "%s: sample of cycle %u: shpmspc 0x%llx", vector.path, cycle,
                (unsigned long long)read(PC));
    for (unsigned i = 0; i < 8; i++) {
        bench_check(read(ADDR0 + i) == addr[i], "%s: sample of cycle %u: tipoff_addr%u 0x%llx, expected 0x%llx", vector.path,
                    cycle, i, (unsigned long long)read(ADDR0 + i), (unsigned long long)addr[i]);
    }
    bench_check(read(PSV0) == psv[0] && read(PSV0 + 1) == psv[1], "%s: sample of cycle %u: psv 0x%llx 0x%llx, expected 0x%llx 0x%llx",
                vector.path, cycle, (unsigned long long)read(PSV0), (unsigned long long)read(PSV0 + 1),
                (unsigned long long)psv[0], (unsigned long long)psv[1]);
}

// What each cycle of the vector shows, as it was written by hand.
static std::vector<fact> vector_facts() {
    std::vector<fact> facts(1); // cycle 0: empty
    facts[0].state = 3;
    facts[0].empty = true;
    facts[0].priv = 3;
    for (unsigned i = 0; i < vector.cycle_count; i++) {
        const struct vector_cycle *c = &vector.cycles[i];
        struct fact f = {};
        f.state = c->state;
        f.lanes = c->lanes;
        f.oldest = c->oldest_lane;
        f.flags = flags(c->by_exception, c->by_flush, c->by_mispredict);
        f.priv = 3;
        f.dispatches = c->dispatch & 1;
        f.dispatch_pc = kept(c->dispatch_pc[0]);
        f.commits = c->commit;
        f.excepts = c->exception;
        f.empty = c->empty;
        f.head_psv = c->psv[c->oldest];
        f.exception_psv = c->exception_psv;
        for (unsigned k = 0; k < 8; k++) {
            f.addr[k] = kept(c->addr[k]);
            f.psv[k] = c->addr_psv[k];
        }
        for (unsigned cycle = c->first; cycle <= c->last; cycle++) {
            f.partial = partial_in(cycle, c->state);
            facts.push_back(f);
        }
    }
    return facts;
}

// The sample that can be read is this one, in all that software can ask for.
static void expect_emitted(const struct emitted &t, const char *what, unsigned cycle) {
    const struct fact &s = t.sample;
    uint64_t psv[2] = {0, 0}, data = CONFIG_PROFILE_COUNTER | (uint64_t)s.state << 5 | (uint64_t)s.lanes << 7 | (uint64_t)s.oldest << 15 | (uint64_t)s.flags % 2 << 20 |
                                     (uint64_t)(s.flags >> 1 & 1) << 19 | (uint64_t)(s.flags >> 2) << 18 | (uint64_t)(s.state == 3) << 21 | UINT64_C(1) << 22 | (uint64_t)s.priv << 23 | (uint64_t)s.partial << 25;
    bool good = true;
    const auto shows = [&](unsigned addr, uint64_t value) { good = good && peek(addr) == value; };
    for (unsigned i = 0; i < 8; i++) psv[i / 4] |= (uint64_t)(s.psv[i] & READABLE) << 16 * (i % 4);
    for (unsigned i = 0; i < 4 && i < top->width_o; i++) data |= (uint64_t)(s.psv[i] & READABLE) << (28 + 9 * i);
    shows(DATA, data);
    shows(PC, s.addr[s.oldest]);
    for (unsigned i = 0; i < 8; i++) shows(ADDR0 + i, s.addr[i]);
    shows(PSV0, psv[0]);
    shows(PSV0 + 1, psv[1]);
    shows(CYCLE, t.cycle);
    shows(REPEAT, (uint64_t)t.stalled << 32 | t.repeats);
    shows(SPACE, s.space);
    bench_check(good, "%s, cycle %u: the sample of cycle %u (state %u, mode %u, %u repeats, %u stalled) reads as data 0x%llx pc 0x%llx cycle %llu repeat 0x%llx space 0x%llx", what,
                cycle, t.first, s.state, s.priv, t.repeats, t.stalled, (unsigned long long)peek(DATA), (unsigned long long)peek(PC), (unsigned long long)peek(CYCLE),
                (unsigned long long)peek(REPEAT), (unsigned long long)peek(SPACE));
}

// What the unit says in a cycle describes the cycle before. What was due then (interrupts: in the cycle after it):
struct due {
    bool trigger, taken, interrupts, fresh, ready, acknowledged;
    struct emitted front;
    uint64_t lost;
};
// ... by the model, before it goes on to cycle c.
static void due_before(struct due *d, const Delivery &model, unsigned c) {
    d->fresh = model.fresh(c);
    d->ready = model.ready(c);
    if (d->ready) d->front = model.front();
    d->lost = model.lost;
}
static void expect_due(const struct due &d, const char *what, unsigned cycle) {
    bench_check(top->trigger_o == d.trigger, "%s, cycle %u: trigger %d, expected %d", what, cycle, top->trigger_o, d.trigger);
    bench_check(top->sample_taken_o == d.taken, "%s, cycle %u: taken %d, expected %d", what, cycle, top->sample_taken_o, d.taken);
    bench_check(top->lcofi_o == d.interrupts, "%s, cycle %u: LCOFI %d, expected %d", what, cycle, top->lcofi_o, d.interrupts);
    bench_check(top->sample_ready_o == d.fresh, "%s, cycle %u: ready pulse %d, expected %d", what, cycle, top->sample_ready_o, d.fresh);
    bench_check(peek(COLLISIONS) == d.lost, "%s, cycle %u: %llu lost, expected %llu", what, cycle, (unsigned long long)peek(COLLISIONS), (unsigned long long)d.lost);
    if (d.ready && !d.acknowledged) expect_emitted(d.front, what, cycle);
    else bench_check((peek(DATA) >> 22 & 1) == 0, "%s, cycle %u: ready, and it should not be", what, cycle);
}

// The counter overflows in cycle `sampled`, nobody reads, and from there on every second cycle has a trigger of its own, by
// the port: further ones of the same instruction, a second sample, lost ones. At the end both samples are read.
static void play_sample(unsigned sampled) {
    const std::vector<fact> facts = vector_facts();
    Delivery model(facts, top->tea_o);
    struct due due = {};
    unsigned line = 0, cycle = 0;
    reset();
    write(EVENT, 1);
    write(COUNTER, -(uint64_t)(sampled + 1));
    const uint64_t before = now;
    edge(); // cycle 0
    for (unsigned i = 0; i < vector.cycle_count; i++) {
        const struct vector_cycle *c = &vector.cycles[i];
        for (cycle = c->first; cycle <= c->last; cycle++) {
            bool by_counter = cycle == sampled, by_port = cycle > sampled && (cycle - sampled) % 2 == 0;
            top->trigger_i = by_port;
            top->stale_i = stale_in(cycle);
            drive(c);
            expect_due(due, vector.path, cycle);
            due_before(&due, model, cycle);
            model.cycle(cycle, before + cycle, by_counter || by_port, true, false);
            due.taken = model.taken;
            due.interrupts = model.interrupts;
            due.trigger = by_counter;
            if (by_counter) line = i;
            edge();
        }
    }
    empty_bundle();
    top->eval();
    expect_due(due, vector.path, cycle);
    due_before(&due, model, cycle);
    model.cycle(cycle, before + cycle, false, false, false);
    due.taken = due.trigger = false;
    due.interrupts = model.interrupts;
    edge();
    cycle++;
    expect_due(due, vector.path, cycle);
    expect_csrs(line, sampled);
    while (model.ready(cycle)) {
        expect_emitted(model.front(), vector.path, cycle);
        model.cycle(cycle, now, false, false, true);
        write(DATA, 0);
        edge();
        model.cycle(++cycle, now, false, false, false);
        cycle++;
    }
    bench_check((read(DATA) >> 22 & 1) == 0, "%s: sample of cycle %u: all acknowledged, and still ready", vector.path, sampled);
}

static void expect(unsigned addr, uint64_t value, const char *what) {
    uint64_t got = read(addr);
    bench_check(got == value, "%s (0x%x): 0x%llx, expected 0x%llx", what, addr, (unsigned long long)got, (unsigned long long)value);
}

// Registers of both units through the one port. The other counter counts nothing here.
static void play_csrs() {
    reset();
    write(EVENT3 + other(0), 0);
    for (unsigned n = 0; n < 200; n++) {
        uint64_t period = bench_random(), jitter = bench_random(), collisions = bench_random(), counter = bench_random(), event = bench_random() << 8;
        write(PERIOD, period);
        write(JITTER, jitter);
        write(COLLISIONS, collisions);
        write(COUNTER3 + other(0), counter);
        write(EVENT3 + other(0), event);
        expect(PERIOD, period, "tipoff_period");
        expect(JITTER, jitter & 0x007f0000ffffffff, "tipoff_jitter");
        expect(COLLISIONS, collisions, "tipoff_collisions");
        expect(COUNTER3 + other(0), counter, "another counter");
        expect(EVENT3 + other(0), event & 0xf000000000000000, "its event");
        write(PERIOD + 0x800, ~period); // of nobody: one bit of the address is wrong
        expect(PERIOD, period, "tipoff_period after a write beside it");
        expect(PERIOD + 0x800, 0, "the address beside tipoff_period");
    }
    // Period and width of the jitter reach the counter whole: it goes on from minus their sum.
    reset();
    write(PERIOD, UINT64_C(0x8000000000000005));
    write(EVENT, 1);
    write(COUNTER, -(uint64_t)RELOAD_AFTER - 1);
    write(JITTER, UINT64_C(0x60) << 48 | 0x8468acef); // 32 bits by the golden ratio; one cycle counted
    for (unsigned n = 0; n < RELOAD_AFTER + 1; n++) edge();
    expect(COUNTER, -(UINT64_C(0x8000000000000005) + 0x9e3779b9 - (UINT64_C(1) << 32)), "the sampling counter after its overflow");
}

// A Drained sample takes the address of what dispatches, each bit that it keeps, and repeats the uppermost; so does any other one.
static void play_dispatch() {
    const uint64_t edge_of_kept = UINT64_C(1) << (CONFIG_PROFILE_ADDRESS_BITS - 1);
    for (uint64_t pc : {UINT64_C(0x8000000000000001), ~UINT64_C(0x8000000000000001), edge_of_kept, edge_of_kept - 1, UINT64_C(0x5555555555555555), UINT64_C(0xaaaaaaaaaaaaaaaa)}) {
        reset();
        write(EVENT, 1);
        write(COUNTER, -UINT64_C(1));
        edge();
        bench_check(top->trigger_o, "no trigger");
        top->dispatch_valid_i = 1;
        top->dispatch_pc_i[0] = pc;
        edge();
        empty_bundle();
        top->valid_i = top->commit_i = 1;
        top->rob_empty_i = 0;
        edge();
        edge();
        expect(ADDR0, kept(pc), "the address of the dispatch");
        reset();
        write(EVENT, 1);
        write(COUNTER, -UINT64_C(1));
        top->rob_empty_i = 0;
        top->valid_i = top->commit_i = top->first_i = 1;
        top->pc_i[0] = pc;
        edge();
        empty_bundle();
        top->pc_i[0] = ~pc;
        for (unsigned n = 0; n < 4; n++) edge();
        expect(ADDR0, kept(pc), "the address of a commit");
        expect(PC, kept(pc), "... as shpmspc");
    }
}

// Instructions are counted as they commit, in the modes that are not inhibited; the overflow comes out as a pulse.
static void play_counting() {
    for (unsigned machine = 0; machine < 2; machine++) {
        reset();
        top->priv_i = machine ? 3 : 0;
        write(EVENT3 + other(0), 2);
        write(EVENT3 + other(1), 2 | UINT64_C(1) << 62); // not in M
        write(EVENT3 + other(2), 1 | UINT64_C(1) << 60); // not in U
        for (unsigned i = 0; i < 3; i++) write(COUNTER3 + other(i), 0);
        uint64_t before = read(COUNTER3 + other(2)), sum = 0, cycles = 0;
        for (unsigned n = 0; n < 300; n++, cycles++) {
            empty_bundle();
            unsigned count = bench_below(top->width_o + 1u);
            top->commit_i = top->valid_i = (1u << count) - 1;
            top->first_i = bench_below(2) ? 0xff : bench_below(256);
            top->rob_empty_i = count == 0;
            top->eval();
            sum += (unsigned)__builtin_popcount(top->commit_i & top->first_i);
            edge();
        }
        empty_bundle();
        edge();
        expect(COUNTER3 + other(0), sum, "instructions");
        expect(COUNTER3 + other(1), machine ? 0 : sum, "instructions outside of M");
        expect(COUNTER3 + other(2), machine ? before + cycles : 0, "cycles in M");
        write(EVENT3 + other(0), 1);
        write(COUNTER3 + other(0), -UINT64_C(2));
        for (unsigned n = 1; n < 6; n++) {
            edge();
            bench_check(top->lcofi_o == (n == 2), "%u cycles: LCOFI %d", n, top->lcofi_o);
        }
    }
}

// ---- events: each alone and every combination, from where an instruction shows them to where software reads them ----
enum { EVENTS_ALL = (1 << EVENT_COUNT_ALONE) - 1, LATE_EX = 1 << EVENT_FL_EX, LATE_MO = 1 << EVENT_FL_MO };

// Idle until the next cycle that is driven is number 1; the sample is taken of cycle `sampled`.
static void arm(unsigned sampled) {
    reset();
    write(EVENT, 1);
    write(COUNTER, -(uint64_t)(sampled + 1));
    edge(); // cycle 0
}
// The ROB from the oldest, in lane `oldest`, on: `count` instructions; pc and vector of each follow from its lane.
static void show_rob(unsigned oldest, unsigned count, unsigned psv) {
    empty_bundle();
    top->rob_empty_i = 0;
    top->oldest_i = oldest;
    for (unsigned k = 0; k < count; k++) {
        unsigned lane = (oldest + k) % top->width_o;
        top->valid_i |= 1u << lane;
        top->first_i |= 1u << lane;
        top->pc_i[lane] = 0x80001000 + 4 * lane;
        top->psv_i[lane] = (psv + k * 0x55) & EVENTS_ALL; // the younger ones have others
    }
}
// The sample that can be read has `psv` in that lane, `others` lanes beside it have what show_rob gives them.
static void expect_vectors(const char *what, unsigned state, unsigned lane, unsigned psv, unsigned others) {
    uint64_t expected[2] = {0, 0};
    for (unsigned k = 0; k <= others; k++) {
        unsigned at = (lane + k) % top->width_o;
        expected[at / 4] |= (uint64_t)((psv + k * 0x55) & EVENTS_ALL & READABLE) << 16 * (at % 4);
    }
    edge(); // the sample appears a cycle after it is complete
    uint64_t data = read(DATA);
    bench_check((data >> 22 & 1) && (data >> 5 & 3) == state && read(PSV0) == expected[0] && read(PSV0 + 1) == expected[1],
                "%s with events 0x%x: data 0x%llx psv 0x%llx 0x%llx, expected state %u, 0x%llx 0x%llx", what, psv, (unsigned long long)data,
                (unsigned long long)read(PSV0), (unsigned long long)read(PSV0 + 1), state, (unsigned long long)expected[0], (unsigned long long)expected[1]);
}

static void play_events() {
    const unsigned width = top->width_o;
    for (unsigned psv = 0; psv <= EVENTS_ALL; psv++) {
        const unsigned lane = psv % width, early = psv & (psv - 1); // early: without its lowest event
        // Computing: all lanes commit, each with its own.
        arm(1);
        show_rob(lane, width, psv);
        top->commit_i = top->valid_i;
        edge();
        expect_vectors("Computing", 0, lane, psv, width - 1);
        // Stalled: the last event comes while the sample waits; it commits with another one.
        arm(1);
        for (unsigned cycle = 1; cycle < 4; cycle++) {
            show_rob(lane, width, cycle == 3 ? psv : early);
            if (cycle == 3) top->commit_i = top->valid_i & ~(width > 1 ? 1u << (lane + width - 1) % width : 0);
            edge();
        }
        expect_vectors("Stalled", 1, lane, top->tea_o ? psv : early, 0);
        // Stalled, and it raises an exception or is replayed while the sample waits.
        for (unsigned late : {(unsigned)LATE_EX, (unsigned)LATE_MO}) {
            arm(1);
            show_rob(lane, 1, psv & ~late);
            edge();
            show_rob(lane, 1, psv | late);
            top->exception_i = 1;
            top->exception_pc_i = top->pc_i[lane];
            top->exception_psv_i = psv | late;
            edge();
            expect_vectors(late == LATE_EX ? "Stalled, then a trap" : "Stalled, then a replay", 1, lane, top->tea_o ? psv | late : psv & ~late, 0);
        }
        // Flushed: the OIR has kept them.
        arm(3);
        show_rob(lane, 1, psv);
        top->commit_i = top->valid_i;
        top->mispredict_i = 1u << lane;
        edge();
        empty_bundle();
        edge();
        edge();
        expect_vectors("Flushed", 2, 0, psv, 0);
        // Drained: of the first that dispatches, when it commits.
        arm(1);
        empty_bundle();
        edge();
        top->dispatch_valid_i = 1;
        top->dispatch_pc_i[0] = 0x80001000;
        edge();
        show_rob(lane, 1, early);
        edge();
        show_rob(lane, 1, psv);
        top->commit_i = top->valid_i;
        edge();
        expect_vectors("Drained", 3, 0, top->tea_o ? psv : 0, 0);
    }
}

// ---- random runs ----
static void drive_bundle(const struct bundle *b) {
    top->valid_i = b->valid;
    top->commit_i = b->commit;
    top->mispredict_i = b->mispredict;
    top->flush_i = b->flush;
    top->first_i = b->first;
    top->oldest_i = b->oldest;
    top->rob_empty_i = b->empty;
    top->exception_i = b->exception;
    top->exception_pc_i = b->exception_pc;
    top->exception_psv_i = b->exception_psv;
    top->dispatch_valid_i = b->dispatch;
    top->priv_i = b->priv;
    top->space_i = b->space;
    for (unsigned i = 0; i < 8; i++) {
        top->pc_i[i] = b->pc[i];
        top->psv_i[i] = b->psv[i];
        top->dispatch_pc_i[i] = b->dispatch_pc[i];
    }
    top->eval();
}

// What each cycle shows: selection as it is without any sampling (the vectors and the units' own benches hold it to the rules).
static std::vector<fact> run_facts(const std::vector<bundle> &run) {
    std::vector<fact> facts;
    reset();
    for (const struct bundle &b : run) {
        struct fact f = {};
        drive_bundle(&b);
        f.state = top->state_o;
        f.lanes = top->lanes_o;
        f.oldest = top->oldest_o;
        f.flags = top->flags_o;
        f.priv = top->priv_o;
        f.space = top->space_o;
        for (unsigned i = 0; i < 8; i++) {
            f.addr[i] = kept(top->addr_o[i]);
            f.psv[i] = top->psv_o[i];
        }
        f.dispatches = b.dispatch & 1;
        f.dispatch_pc = kept(b.dispatch_pc[0]);
        f.commits = b.commit;
        f.excepts = b.exception;
        f.empty = b.empty;
        f.head_psv = b.psv[b.oldest];
        f.exception_psv = b.exception_psv;
        facts.push_back(f);
        edge();
    }
    return facts;
}

// The sampling counter as software programs it, counting cycles in all modes.
struct counter {
    uint64_t value;
    struct reload_cycle reload;
    bool of, overflowed; // in the cycle before
};

enum { ACKNOWLEDGE, SET_COUNTER, SET_EVENT, SET_PERIOD, SET_JITTER, KINDS };

// Triggers by the counter and by the port, dense and rare; software acknowledges soon and late, in time and before, and sets
// the counter again, with OF clear or set. Who reads in which mode sees what he may.
static void play_delivery(unsigned cycles) {
    const std::vector<bundle> run = toy_run(top->width_o, cycles);
    const std::vector<fact> facts = run_facts(run);
    Delivery model(facts, top->tea_o);
    struct counter k = {0, {0, false, 0, 1}, false};
    struct reload_pipe pipe;
    struct due due = {};
    uint64_t seen[4] = {0}, announced = 0, silent = 0, by_counter = 0;
    bool by_port = false;
    unsigned late_kind = ACKNOWLEDGE; // period and jitter are written in the cycle after the write's own
    uint64_t late_data = 0;
    reset();
    for (unsigned c = 0; c < cycles; c++) {
        const unsigned phase = c / 400;
        drive_bundle(&run[c]);
        expect_due(due, "run", c);
        announced += due.interrupts;
        if (due.ready) seen[due.front.sample.state] += due.fresh;
        const bool shown = due.ready && !due.acknowledged; // else there is nothing to acknowledge
        due_before(&due, model, c);
        // one write a cycle, of five kinds
        bool acknowledge = bench_below(1 + 4 * (phase % 5)) == 0;
        unsigned kind = c == 0 ? (unsigned)SET_EVENT : bench_below(60) == 0 ? 1 + bench_below(KINDS - 1) : (unsigned)ACKNOWLEDGE;
        uint64_t data = bench_random() & ~(UINT64_C(1) << 22);
        const unsigned addresses[] = {DATA, COUNTER, EVENT, PERIOD, JITTER};
        if (kind == ACKNOWLEDGE && !acknowledge) data |= UINT64_C(1) << 22; // ready left set: acknowledges nothing
        if (kind == SET_COUNTER) data = -(uint64_t)(1 + bench_below(30));
        if (kind == SET_EVENT) data = 1 | (uint64_t)bench_below(2) << 63;
        if (kind == SET_PERIOD) data = bench_below(3) ? bench_below(phase % 3 ? 60 : 20) : 0;
        if (kind == SET_JITTER) data = (uint64_t)(bench_below(2) ? bench_below(7) : 0) << 48 | (uint64_t)bench_below(2) << 54 | (uint32_t)bench_random();
        top->csr_addr_i = addresses[kind];
        top->csr_wdata_i = data;
        top->csr_write_i = kind != ACKNOWLEDGE || bench_below(2);
        if (!top->csr_write_i) top->csr_addr_i = PC + bench_below(SPACE - PC + 1); // read
        acknowledge = kind == ACKNOWLEDGE && acknowledge && top->csr_write_i && shown;
        by_port = bench_below(!run[c].commit ? 2 : phase % 2 ? 4 : 40) == 0; // a wide core seldom waits for long
        top->trigger_i = by_port;
        top->eval();
        // the counter: what has overflowed in the cycle before goes on from the distance, then it is written
        const bool reloads = k.overflowed && pipe.active();
        if (reloads) k.value -= pipe.distance();
        bool counts = c > 0 && kind != SET_COUNTER, overflow = counts && k.value == ~UINT64_C(0);
        by_counter += overflow;
        if (kind == SET_COUNTER) k.value = data;
        else if (c > 0) k.value++;
        if (kind == SET_EVENT) k.of = data >> 63;
        k.reload.value = pipe.step(k.reload, reloads, late_kind == SET_PERIOD, late_kind == SET_JITTER, (uint32_t)late_data);
        if (late_kind == SET_PERIOD) k.reload.period = late_data;
        if (late_kind == SET_JITTER) {
            k.reload.golden = late_data >> 54 & 1;
            k.reload.bits = late_data >> 48 & 63;
        }
        late_kind = kind;
        late_data = data;
        bool announce = by_port || !k.of || pipe.active();
        silent += overflow && !announce;
        k.of |= overflow;
        k.overflowed = overflow;
        model.cycle(c, now, overflow || by_port, announce, acknowledge);
        due.trigger = overflow;
        due.taken = model.taken;
        due.interrupts = model.interrupts;
        due.acknowledged = acknowledge;
        edge();
    }
    bench_check(model.triggers == model.delivered + model.in_flight() + model.repeats + model.stalled + model.lost, "a trigger is unaccounted for");
    bool waits = top->tea_o || model.repeats > cycles / 1000;
    bench_check(model.delivered > cycles / 50 && model.lost > cycles / 50 && by_counter > cycles / 100 && silent > 1 && announced > cycles / 50 && waits &&
                    (!top->tea_o || (model.repeats > cycles / 100 && model.stalled > cycles / 1000)) && seen[0] && seen[1] && seen[2] && seen[3],
                "%llu samples, %llu repeats, %llu stalled, %llu lost, %llu overflows, %llu silent: the test is too weak", (unsigned long long)model.delivered,
                (unsigned long long)model.repeats, (unsigned long long)model.stalled, (unsigned long long)model.lost, (unsigned long long)by_counter, (unsigned long long)silent);
}

// Reading changes nothing: a run in which every CSR of the units is read in every cycle, through both ports, is the same as
// one in which none is.
static void play_reads(unsigned cycles) {
    const std::vector<bundle> run = toy_run(top->width_o, cycles);
    const uint64_t seed = bench_random();
    std::vector<uint64_t> logs[2];
    for (unsigned reads = 0; reads < 2; reads++) {
        std::vector<uint64_t> &log = logs[reads];
        bench_state = seed;
        reset();
        write(PERIOD, 23);
        write(JITTER, UINT64_C(3) << 48 | 99);
        write(EVENT, 1);
        write(EVENT3 + other(0), 2);
        write(COUNTER, -UINT64_C(9));
        for (unsigned c = 0; c < cycles; c++) {
            drive_bundle(&run[c]);
            top->trigger_i = bench_below(20) == 0;
            bool acknowledge = bench_below(40) == 0;
            if (reads) {
                for (unsigned addr : {(unsigned)PERIOD, (unsigned)JITTER, (unsigned)COLLISIONS, (unsigned)PC, (unsigned)DATA, (unsigned)CYCLE, (unsigned)REPEAT, (unsigned)SPACE, 0x320u, 0xda0u})
                    top->csr_addr_i = top->hrd_addr_i = addr, top->eval();
                for (unsigned i = 0; i < 10; i++) top->csr_addr_i = top->hrd_addr_i = ADDR0 + i, top->eval();
                for (unsigned i = 0; i < 29; i++)
                    for (unsigned addr : {COUNTER3 + i, EVENT3 + i, COUNTER3 + 0x100 + i}) top->csr_addr_i = top->hrd_addr_i = addr, top->eval();
                top->csr_addr_i = c % 2 ? DATA : c % 4 ? REPEAT : COLLISIONS; // on the bus at the clock edge, too
            }
            if (acknowledge) {
                top->csr_addr_i = DATA;
                top->csr_wdata_i = 0;
                top->csr_write_i = 1;
            }
            top->eval();
            log.push_back((uint64_t)top->trigger_o | (uint64_t)top->sample_taken_o << 1 | (uint64_t)top->sample_ready_o << 2 | (uint64_t)top->lcofi_o << 3 | (uint64_t)top->state_o << 4);
            edge();
        }
        for (unsigned addr = 0x5c0; addr < 0x5dd; addr++) log.push_back(peek(addr));
        for (unsigned addr : {(unsigned)PERIOD, (unsigned)JITTER, (unsigned)COLLISIONS, COUNTER3 + other(0) + 0u, (unsigned)COUNTER, (unsigned)EVENT}) log.push_back(peek(addr));
    }
    bench_check(logs[0] == logs[1], "reading the CSRs has changed something");
}

// Settings that once ended the sampling: period and jitter as the CSRs take them, every trigger to the cycle.
static void play_distances() {
    static const struct {
        uint64_t period;
        unsigned bits;
    } settings[] = {{997, 12}, {97, 8}, {101, 6}, {20, 4}, {5, 0}, {1, 3}, {16, 5}, {3, 32}};
    for (unsigned k = 0; k < 2 * sizeof settings / sizeof *settings; k++) {
        const auto &s = settings[k / 2];
        const bool golden = k % 2;
        uint32_t value = (uint32_t)bench_random() | 1;
        unsigned triggers = 0;
        bool overflows = false; // in the cycle before
        reset();
        write(PERIOD, s.period);
        write(EVENT, 1);
        write(COUNTER, -UINT64_C(20));
        write(JITTER, (uint64_t)golden << 54 | (uint64_t)s.bits << 48 | value); // a cycle is counted
        uint64_t left = 18, limit = s.bits == 32 ? 3000 : 90 * (s.period < 16 ? 16 : s.period);
        for (unsigned n = 0; n < limit; n++) {
            top->eval();
            bench_check(top->trigger_o == overflows, "%s, period %llu, %u bits, cycle %u: trigger %d", golden ? "golden" : "random", (unsigned long long)s.period, s.bits, n, top->trigger_o);
            triggers += left == 0;
            const bool overflow = overflows = left == 0;
            left = !overflow ? left - 1 : (golden ? golden_distance(s.period, s.bits, value) : reload_distance(s.period, s.bits, value)) - 1;
            if (golden) value = overflow ? golden_step(value) : value;
            else if (s.bits) value = lfsr_step(value);
            edge();
        }
        bench_check(s.bits == 32 || triggers > 40, "period %llu, %u bits: %u triggers in the time of 90", (unsigned long long)s.period, s.bits, triggers);
    }
}

// Who reads vectors: the counter that samples from 2^window counts before its overflow on, the sample that waits for its vector,
// counters of events. Each is emitted a cycle late.
static void test_reads() {
    const uint64_t window = UINT64_C(1) << CONFIG_PROFILE_VECTOR_WINDOW;
    reset();
    edge();
    if (CONFIG_PROFILE_VECTOR_WINDOW == 0) {
        bench_check(top->reads_o, "vectors are always kept");
        return;
    }
    bench_check(!top->reads_o, "nobody reads");
    write(COUNTER, -(window + 50));
    write(EVENT, 1);
    for (unsigned i = 0; i < 4; i++) edge(); // a change of events is taken for all of them
    for (unsigned i = 0, shut = 0; i < window + 60; i++) {
        const bool within = peek(COUNTER) >= -window;
        edge();
        if (peek(COUNTER) < window) break; // it has overflowed
        bench_check(top->reads_o == within, "counter 0x%llx: reads %d", (unsigned long long)peek(COUNTER), top->reads_o);
        shut += !top->reads_o;
        if (i == 40) bench_check(shut > 30, "shut in %u cycles", shut);
    }
    for (unsigned i = 0; i < 20; i++) { // the sample is Drained: its instruction may come in any cycle
        bench_check(top->reads_o, "cycle %u of a sample that waits: nobody reads", i);
        edge();
    }
    top->dispatch_valid_i = 1;
    edge();
    top->dispatch_valid_i = 0;
    top->rob_empty_i = 0;
    top->valid_i = 1;
    for (unsigned i = 0; i < 20; i++) {
        edge();
        bench_check(top->reads_o == (top->tea_o || i < 1), "cycle %u of an instruction that a sample waits for: reads %d", i, top->reads_o);
    }
    top->commit_i = 1;
    edge();
    empty_bundle();
    for (unsigned i = 0; i < 4; i++) edge();
    bench_check(!top->reads_o, "the sample is complete: somebody reads");
    write(EVENT3 + other(0), PMU_EVENT_ST_L1);
    for (unsigned i = 0; i < 4; i++) edge();
    bench_check(top->reads_o, "a counter of an event: nobody reads");
    write(EVENT3 + other(0), 2);
    for (unsigned i = 0; i < 4; i++) edge();
    bench_check(!top->reads_o, "a counter of instructions reads vectors");
}

int main(int argc, char **argv) {
    glob_t files;
    unsigned played = 0;
    bench_seed(argc, argv, 1);
    top = new Vtop;
    reset();
    if (glob("tests/profile/vectors/*.txt", 0, NULL, &files) != 0) {
        printf("no vectors: run it from the top of the tree\n");
        return 1;
    }
    for (size_t f = 0; f < files.gl_pathc; f++) {
        vector_read(&vector, files.gl_pathv[f]);
        if (vector.width != top->width_o) continue;
        play_selection();
        play_counters();
        for (unsigned cycle = 1; cycle <= vector.cycles[vector.cycle_count - 1].last; cycle++) play_sample(cycle);
        played++;
    }
    globfree(&files);
    play_csrs();
    play_dispatch();
    play_counting();
    play_events();
    play_delivery(12000);
    play_reads(3000);
    play_distances();
    test_reads();
    printf("%u vectors of width %u\n", played, top->width_o);
    bench_check(counted[PMU_EVENT_COMPUTING] > 0, "no cycle of the vectors was counted");
    bench_check(played > 0, "no vector of width %u", top->width_o);
    top->final();
    delete top;
    return bench_end();
}
