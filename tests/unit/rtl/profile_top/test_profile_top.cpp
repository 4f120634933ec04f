// profile_top with the golden vectors (tests/profile/vectors) of its width: in each cycle sample and OIR must be what was
// written by hand; and each cycle in turn is sampled by the real counter and read back through the CSRs. Then what goes
// between the units: CSR writes and reads, jitter and its seed, privilege, instruction counts, the overflow interrupt. Each
// event alone and every combination of them, in each state, from the bundle to the CSRs.
#include "../../../../build/gen/events.h"
#include "Vtop.h"
#include "../../../profile/vectors/vectors.h"
#include "bench.h"
#include "config.h"
#include "verilated.h"
#include <glob.h>

enum { COUNTER3 = 0xb03, EVENT3 = 0x323, PERIOD = 0x7c0, JITTER = 0x7c1, COLLISIONS = 0x7c2, PC = 0x5c0, DATA = 0x5c1, ADDR0 = 0x5d0, PSV0 = 0x5d8 };
// The counter that samples, and the n-th of those that do not.
enum { SAMPLING = CONFIG_PROFILE_COUNTER - 3, COUNTER = COUNTER3 + SAMPLING, EVENT = EVENT3 + SAMPLING };
static unsigned other(unsigned n) {
    return n + (n >= SAMPLING);
}

static Vtop *top;
static struct vector vector;
static uint64_t counted[32]; // by event, over all vectors

static void edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->csr_write_i = 0;
    top->eval();
}
static void empty_bundle() {
    top->valid_i = top->commit_i = top->mispredict_i = top->flush_i = top->first_i = top->dispatch_valid_i = 0;
    top->exception_i = top->oldest_i = 0;
    top->rob_empty_i = 1;
}
static void reset() {
    empty_bundle();
    top->clk_i = top->rst_ni = top->csr_write_i = top->csr_addr_i = top->hrd_addr_i = 0;
    top->machine_i = 1;
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
    bench_check(top->hrd_data_o == top->csr_rdata_o, "0x%x: the two read ports differ", addr);
    return top->hrd_data_o;
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
    memcpy(addr, c->addr, sizeof addr);
    if (c->state == 3) {
        while (line < vector.cycle_count && !(vector.cycles[line].dispatch & 1)) line++;
        if (line < vector.cycle_count) {
            lanes = 1;
            addr[0] = vector.cycles[line].dispatch_pc[0];
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
        psv[i / 4] |= (uint64_t)(i == c->oldest_lane ? (unsigned)final : c->addr_psv[i]) << 16 * (i % 4);
    uint64_t data = read(DATA);
    uint64_t expected = CONFIG_PROFILE_COUNTER | (uint64_t)c->state << 5 | (uint64_t)lanes << 7 | (uint64_t)c->oldest_lane << 15 |
                        (uint64_t)c->by_exception << 18 | (uint64_t)c->by_flush << 19 | (uint64_t)c->by_mispredict << 20 |
                        (uint64_t)(c->state == 3) << 21 | UINT64_C(1) << 22;
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

// The counter, written `sampled` cycles before zero in an idle cycle 0, triggers exactly in cycle `sampled`. The period
// goes on after it; those triggers find the sample unread, and only add collisions.
static void play_sample(unsigned sampled) {
    unsigned line = 0, triggers = 0, readies = 0;
    reset();
    write(PERIOD, 2);
    write(EVENT, 1);
    write(COUNTER, -(uint64_t)sampled);
    edge(); // cycle 0
    for (unsigned i = 0; i < vector.cycle_count; i++) {
        const struct vector_cycle *c = &vector.cycles[i];
        for (unsigned cycle = c->first; cycle <= c->last; cycle++) {
            drive(c);
            bench_check(top->sample_trigger_o == (cycle == sampled), "%s: cycle %u: trigger %d, due in %u", vector.path, cycle,
                        top->sample_trigger_o, sampled);
            readies += top->sample_ready_o;
            if (top->sample_trigger_o) {
                triggers++;
                line = i;
            }
            edge();
        }
    }
    empty_bundle();
    top->eval();
    readies += top->sample_ready_o;
    bench_check(triggers == 1, "%s: %u samples taken, of cycle %u", vector.path, triggers, sampled);
    if (triggers != 1) return;
    expect_csrs(line, sampled);
    bench_check(readies == (read(DATA) >> 22 & 1), "%s: %u ready pulses", vector.path, readies);
    unsigned last = vector.cycles[vector.cycle_count - 1].last;
    bench_check(read(COLLISIONS) == (last - sampled) / 2, "%s: sample of cycle %u of %u: %llu collisions", vector.path, sampled,
                last, (unsigned long long)read(COLLISIONS));
    if (!(read(DATA) >> 22 & 1)) return;
    write(DATA, 0);
    bench_check((read(DATA) >> 22 & 1) == 0, "%s: acknowledged, and still ready", vector.path);
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
        expect(JITTER, jitter & 0x003f0000ffffffff, "tipoff_jitter");
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
    write(COUNTER, -UINT64_C(2));
    write(JITTER, UINT64_C(33) << 48 | 0x2468acef); // one cycle counted
    edge();
    expect(COUNTER, -(UINT64_C(0x8000000000000005) + 0x2468acef - (UINT64_C(1) << 32)), "the sampling counter after its overflow");
}

// A Drained sample takes the address of what dispatches, all of it.
static void play_dispatch() {
    for (uint64_t pc : {UINT64_C(0x8000000000000001), ~UINT64_C(0x8000000000000001)}) {
        reset();
        write(EVENT, 1);
        write(COUNTER, -UINT64_C(1));
        edge();
        bench_check(top->sample_trigger_o, "no trigger");
        edge();
        top->dispatch_valid_i = 1;
        top->dispatch_pc_i[0] = pc;
        edge();
        top->dispatch_valid_i = 0;
        expect(ADDR0, pc, "the address of the dispatch");
    }
}

// Instructions are counted as they commit, in the modes that are not inhibited; the overflow comes out as a pulse.
static void play_counting() {
    for (unsigned machine = 0; machine < 2; machine++) {
        reset();
        top->machine_i = machine;
        write(EVENT3 + other(0), 2);
        write(EVENT3 + other(1), 2 | UINT64_C(1) << 62); // not in M
        write(EVENT3 + other(2), 1 | UINT64_C(1) << 60); // not in U
        for (unsigned i = 0; i < 3; i++) write(COUNTER3 + other(i), 0);
        uint64_t before = read(COUNTER3 + other(2)), sum = 0, cycles = 0;
        for (unsigned n = 0; n < 300; n++, cycles++) {
            empty_bundle();
            unsigned count = bench_below(top->width_o + 1u);
            top->commit_i = top->valid_i = (1u << count) - 1;
            top->rob_empty_i = count == 0;
            top->eval();
            sum += count;
            edge();
        }
        empty_bundle();
        expect(COUNTER3 + other(0), sum, "instructions");
        expect(COUNTER3 + other(1), machine ? 0 : sum, "instructions outside of M");
        expect(COUNTER3 + other(2), machine ? before + cycles : 0, "cycles in M");
        write(EVENT, 1);
        write(COUNTER, -UINT64_C(2));
        for (unsigned n = 1; n < 6; n++) {
            edge();
            bench_check(top->lcofi_o == (n == 2), "%u cycles: LCOFI %d", n, top->lcofi_o);
        }
    }
}

// ---- events: each alone and every combination, from where an instruction shows them to where software reads them ----
enum { EVENTS_ALL = (1 << EVENT_COUNT) - 1, LATE_EX = 1 << EVENT_FL_EX, LATE_MO = 1 << EVENT_FL_MO };

// Idle until the next cycle that is driven is number 1; the sample is taken of cycle `sampled`.
static void arm(unsigned sampled) {
    reset();
    write(EVENT, 1);
    write(COUNTER, -(uint64_t)sampled);
    edge(); // cycle 0
}
// The ROB from the oldest, in lane `oldest`, on: `count` instructions; pc and vector of each are told by its lane.
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
        expected[at / 4] |= (uint64_t)((psv + k * 0x55) & EVENTS_ALL) << 16 * (at % 4);
    }
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

// Every trigger of a jittered period, to the cycle: the first is taken and stays unread, each other one is a collision.
static void play_jitter() {
    const unsigned bits = 6, period = 101;
    for (uint32_t seed : {0x80000001u, 0x13579bdeu}) {
        reset();
        write(PERIOD, period);
        write(EVENT, 1);
        write(COUNTER, -UINT64_C(20));
        write(JITTER, (uint64_t)bits << 48 | seed);
        uint32_t value = seed; // the generator's polynomial is in rtl/prim/lfsr.sv
        uint64_t triggers = 0; // that have come before this cycle
        bool trigger = false;  // one comes in this cycle
        int left = 19;
        top->csr_addr_i = COLLISIONS;
        for (unsigned n = 0; n < 2000; n++) {
            top->eval();
            bench_check(top->sample_trigger_o == (trigger && triggers == 0), "seed 0x%x, cycle %u: taken %d", seed, n, top->sample_trigger_o);
            bench_check(top->csr_rdata_o == (triggers > 1 ? triggers - 1 : 0), "seed 0x%x, cycle %u: %llu collisions after %llu triggers", seed, n,
                        (unsigned long long)top->csr_rdata_o, (unsigned long long)triggers);
            triggers += trigger;
            trigger = --left == 0; // the overflow, seen in the next cycle
            if (trigger) left = (int)period + (int)(value & ((1u << bits) - 1)) - (1 << (bits - 1));
            value = value >> 1 ^ (value & 1 ? 0x80200003u : 0);
            edge();
        }
        bench_check(triggers > 15, "seed 0x%x: %llu triggers", seed, (unsigned long long)triggers);
    }
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
    play_jitter();
    printf("%u vectors of width %u\n", played, top->width_o);
    bench_check(counted[PMU_EVENT_COMPUTING] > 0, "no cycle of the vectors was counted");
    bench_check(played > 0, "no vector of width %u", top->width_o);
    top->final();
    delete top;
    return bench_end();
}
