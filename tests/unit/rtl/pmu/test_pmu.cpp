// pmu: what is counted and when not, overflow (OF, one LCOFI, the trigger a cycle after the overflow's own), hardware reload with
// and without jitter, distances that are replaced, CSR access; and random bundles, modes and writes against a model that recounts. Sampling is profile.counter's.
#include "../slots.h"
#include "Vtop.h"
#include "bench.h"
#include "config.h"
#include "reload.h"
#include "verilated.h"

enum { COUNTER3 = 0xb03, USER3 = 0xc03, EVENT3 = 0x323, INHIBIT = 0x320, SCOUNTOVF = 0xda0 };
// The counter that samples, and one that does not.
enum { SAMPLING = CONFIG_PROFILE_COUNTER - 3, OTHER = SAMPLING ? SAMPLING - 1 : 1 };
enum { COUNTER = COUNTER3 + SAMPLING, EVENT = EVENT3 + SAMPLING };
// Numbers that software writes: tables/pmu_events.tsv, and bit i of the vector at 16 + i.
enum { CYCLES = 1, INSTRUCTIONS, COMPUTING, STALLED, FLUSHED, DRAINED, EXCEPTIONS, INTERRUPTS, FLUSHES, BRANCHES, DISPATCHED, RECOVERY_BRANCH = 15, TEA = 16, TEA_EVENTS = 9, CLEARS = 29, RECOVERY_CLEAR = 31, KEYED = 32, WAITS = 37, KEYED_EVENTS = 9 };
enum { COHERENT = CONFIG_HARTS_COHERENT }; // else no event is at KEYED and above
enum { IN_U = 0, IN_S = 1, IN_M = 3 };
static const uint64_t OF = UINT64_C(1) << 63, MINH = UINT64_C(1) << 62, SINH = UINT64_C(1) << 61, UINH = UINT64_C(1) << 60;

static Vtop *top;
static unsigned width, PRESENT; // existing counters
static bool triggers, announces; // in the cycle that edge() has ended: the sampling counter overflowed; and is to interrupt

static void edge() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->write_i = top->seed_valid_i = 0;
    top->eval();
    triggers = top->trigger_o;
    announces = top->announce_o;
}
static uint64_t read(unsigned addr) {
    top->addr_i = addr;
    top->host_addr_i = addr;
    top->eval();
    bench_check(top->rdata_o == top->host_rdata_o, "0x%x: the two read ports differ", addr);
    return top->rdata_o;
}
static void expect(unsigned addr, uint64_t value, const char *what) {
    uint64_t got = read(addr);
    bench_check(got == value, "%s (0x%x): 0x%llx, expected 0x%llx", what, addr, (unsigned long long)got, (unsigned long long)value);
}
static void write(unsigned addr, uint64_t value) {
    top->addr_i = addr;
    top->wdata_i = value;
    top->write_i = 1;
    edge();
}
static void reset() {
    top->rst_ni = top->write_i = top->seed_valid_i = 0;
    top->first_i = top->period_i = top->golden_i = top->jitter_bits_i = top->seed_i = top->addr_i = 0;
    top->commit_i = top->flush_i = top->exception_i = top->interrupt_i = top->replay_i = top->exception_psv_i = top->state_i = 0;
    top->coherence_i = 0;
    top->oldest_i = top->rob_empty_i = top->redirect_i = top->dispatch_i = top->occupied_i = 0;
    for (unsigned i = 0; i < 8; i++) top->psv_i[i] = top->insn_i[i] = 0;
    top->priv_i = IN_M;
    edge();
    top->rst_ni = 1;
    top->eval();
}
// That many instructions commit in each cycle from now on.
static void retire(unsigned count) {
    top->commit_i = top->first_i = (1u << count) - 1;
}
static void run(unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++) edge();
}
// What a cycle counts can be read after the next one.
static void settle() {
    edge();
}

// After that many cycles, the write's own among them, period and jitter count for an overflow in the cycle after the next.
enum { AHEAD = RELOAD_AFTER - 1 };

static void test_counting() {
    reset();
    run(10);
    for (unsigned i = 0; i < 29; i++) expect(COUNTER3 + i, 0, "no event, no count");
    for (unsigned i = 0; i < PRESENT; i++) {
        write(EVENT3 + i, CYCLES);
        uint64_t before = read(COUNTER3 + i);
        run(7);
        settle();
        expect(COUNTER3 + i, before + 7, "cycles");
        expect(USER3 + i, before + 7, "the user alias");
        write(EVENT3 + i, 0);
        settle();
        before = read(COUNTER3 + i);
        run(3);
        expect(COUNTER3 + i, before, "event 0");
    }
    write(COUNTER3, 0);
    write(EVENT3, INSTRUCTIONS);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 200; i++) {
        unsigned count = bench_below(width + 1);
        retire(count);
        sum += count;
        edge();
    }
    retire(0);
    settle();
    expect(COUNTER3, sum, "instructions");
    expect(COUNTER3 + 1, read(COUNTER3 + 1), "the neighbour");
    top->coherence_i = COHERENT ? 0 : ~0;
    for (unsigned number : {TEA + TEA_EVENTS + 0u, CLEARS - 1u, 32u, 32u + CYCLES, 32u + DISPATCHED, 33u, 64u, 129u, 255u}) {
        write(EVENT3, number);
        sum = read(COUNTER3);
        retire(width);
        run(5);
        retire(0);
        settle();
        expect(COUNTER3, sum, "an event that does not exist");
    }
}

static void test_inhibit() {
    for (unsigned mode : {IN_U, IN_S, IN_M}) {
        for (unsigned bits = 0; bits < 8; bits++) {
            bool counts = !(bits & (mode == IN_M ? 4 : mode == IN_S ? 2 : 1));
            reset();
            top->priv_i = mode;
            write(EVENT3 + PRESENT - 1, CYCLES | (uint64_t)bits << 60);
            run(9);
            settle();
            expect(COUNTER3 + PRESENT - 1, counts ? 9 : 0, mode == IN_M ? "in M, by MINH" : mode == IN_S ? "in S, by SINH" : "in U, by UINH");
        }
    }
    reset();
    write(INHIBIT, ~UINT64_C(0));
    expect(INHIBIT, ((UINT64_C(1) << PRESENT) - 1) << 3, "mcountinhibit: the counters, not cycle and instret");
    for (unsigned i = 0; i < PRESENT; i++) {
        write(INHIBIT, UINT64_C(8) << i);
        for (unsigned k = 0; k < PRESENT; k++) write(EVENT3 + k, CYCLES);
        for (unsigned k = 0; k < PRESENT; k++) write(COUNTER3 + k, 0);
        settle();
        uint64_t before[29];
        for (unsigned k = 0; k < PRESENT; k++) before[k] = read(COUNTER3 + k);
        run(5);
        for (unsigned k = 0; k < PRESENT; k++) expect(COUNTER3 + k, before[k] + (k == i ? 0 : 5), "mcountinhibit stops one");
    }
}

// Cycle by cycle: the overflow sets OF, with the count. A cycle after the overflow's own counter SampleCounter triggers and leaves the
// interrupt to the sample; the others raise LCOFI, for one cycle.
static void test_overflow() {
    for (unsigned i = 0; i < PRESENT; i++) {
        const bool samples = i == SAMPLING;
        reset();
        write(EVENT3 + i, CYCLES);
        write(COUNTER3 + i, -UINT64_C(4));
        for (unsigned n = 1; n <= 12; n++) {
            edge(); // n - 1 cycles counted
            uint64_t of = n >= 5 ? OF : 0;
            expect(COUNTER3 + i, n - UINT64_C(5), "counts through zero");
            expect(EVENT3 + i, of | CYCLES, "OF");
            expect(SCOUNTOVF, of ? UINT64_C(8) << i : 0, "scountovf");
            bench_check(top->lcofi_o == (n == 4 && !samples), "counter %u, %u cycles: LCOFI %d", i + 3, n, top->lcofi_o);
            bench_check(triggers == (n == 4 && samples), "counter %u, %u cycles: trigger %d", i + 3, n, triggers);
            if (triggers) bench_check(announces, "the first overflow is to interrupt");
        }
        // With OF set the next overflow raises nothing, but the sampling counter still triggers.
        write(COUNTER3 + i, -UINT64_C(2));
        unsigned seen = 0;
        for (unsigned n = 0; n < 6; n++) {
            edge();
            bench_check(!top->lcofi_o, "counter %u: LCOFI with OF set", i + 3);
            bench_check(!triggers || !announces, "counter %u: to interrupt with OF set", i + 3);
            seen += triggers;
        }
        bench_check(seen == samples, "counter %u: %u triggers with OF set", i + 3, seen);
        if (samples) { // with the reload each one is to interrupt: nobody need clear OF
            top->period_i = 16;
            run(AHEAD);
            write(COUNTER, -UINT64_C(1));
            for (unsigned n = 0; n < 40; n++) {
                edge();
                bench_check(triggers == (n % 16 == 0) && (!triggers || announces), "with the reload, cycle %u: trigger %d, to interrupt %d", n, triggers, announces);
            }
            top->period_i = 0;
        }
        write(EVENT3 + i, CYCLES); // clears OF: armed again
        write(COUNTER3 + i, -UINT64_C(1));
        edge();
        bench_check(samples ? triggers && announces && !top->lcofi_o : top->lcofi_o, "counter %u: LCOFI once OF is cleared", i + 3);
    }
    // Several instructions at once carry the counter past zero: by exactly as many as there are too many.
    for (unsigned left = 1; left <= width + 1; left++) {
        reset();
        write(EVENT3 + OTHER, INSTRUCTIONS);
        write(COUNTER3 + OTHER, -(uint64_t)left);
        retire(width);
        edge();
        retire(0);
        bench_check(top->lcofi_o == (left <= width), "LCOFI by instructions, %u left", left);
        settle();
        expect(COUNTER3 + OTHER, (uint64_t)width - left, "the rest is kept");
        expect(SCOUNTOVF, left <= width ? 8 << OTHER : 0, "overflow at the exact count");
        bench_check(!top->lcofi_o, "LCOFI by instructions, %u left, for one cycle", left);
    }
    // Writes in the cycle of the overflow win.
    reset();
    write(EVENT, CYCLES);
    write(COUNTER, -UINT64_C(2));
    edge();
    write(COUNTER, 1000);
    expect(COUNTER, 1000, "a write in the cycle of the overflow");
    expect(EVENT, CYCLES, "... leaves OF clear");
    bench_check(!triggers && !top->lcofi_o, "... and nothing is raised");
    settle();
    expect(COUNTER, 1000, "... nor added");
    expect(EVENT, CYCLES, "... nor set");
    // A write to mhpmevent in that cycle does not hide it, and what the cycle counts goes by the old event.
    reset();
    write(EVENT, CYCLES);
    write(COUNTER, -UINT64_C(2));
    edge();
    write(EVENT, 0);
    bench_check(triggers && announces, "an overflow in the cycle of a write to its event");
    settle();
    expect(COUNTER, 0, "the cycle of the write is counted");
    expect(EVENT, OF, "OF is set");
    bench_check(!triggers && !top->lcofi_o, "... and raised once");
    reset();
    write(EVENT3 + OTHER, CYCLES);
    write(COUNTER3 + OTHER, -UINT64_C(2));
    edge();
    write(EVENT3 + OTHER, 0);
    bench_check(!triggers && top->lcofi_o, "an overflow of another is raised");
    settle();
    expect(EVENT3 + OTHER, OF, "... and its OF is set");
    // Nor does one that sets OF.
    reset();
    write(EVENT, CYCLES);
    write(COUNTER, -UINT64_C(2));
    edge();
    write(EVENT, OF | CYCLES);
    expect(EVENT, OF | CYCLES, "OF is set by both");
    // A write to a counter in a cycle that counts: the written value, not one more.
    reset();
    write(EVENT3 + OTHER, CYCLES);
    run(3);
    write(COUNTER3 + OTHER, 50);
    expect(COUNTER3 + OTHER, 50, "a write wins over the count");
    run(2);
    settle();
    expect(COUNTER3 + OTHER, 52, "... and counting goes on from it");
    // mcountinhibit takes effect after its own cycle.
    write(INHIBIT, 8 << OTHER);
    run(4);
    expect(COUNTER3 + OTHER, 54, "stopped at the end of the write's cycle");
    write(INHIBIT, 0);
    edge();
    settle();
    expect(COUNTER3 + OTHER, 55, "goes on after the write's cycle");
}

static void test_reload() {
    for (unsigned period : {1u, 2u, 3u, 10u, 15u, 16u, 17u, 97u}) {
        const unsigned distance = period < 16 ? 16 : period; // no setting floods the unit
        reset();
        top->period_i = period;
        write(EVENT, CYCLES);
        write(COUNTER, -(uint64_t)distance);
        unsigned since = 0, seen = 0, lcofi = 0;
        for (unsigned n = 0; n < 10 * distance; n++) {
            edge();
            since++;
            lcofi += top->lcofi_o;
            if (!triggers) continue;
            bench_check(since == distance, "period %u: %u cycles", period, since);
            since = 0;
            seen++;
        }
        bench_check(seen == 10 && lcofi == 0, "period %u: %u triggers, %u LCOFI", period, seen, lcofi);
    }
    reset(); // no reload of the others, nor without a period
    top->period_i = 25;
    run(AHEAD);
    write(EVENT3 + OTHER, CYCLES);
    write(COUNTER3 + OTHER, -UINT64_C(1));
    run(3);
    settle();
    expect(COUNTER3 + OTHER, 2, "another counter is not reloaded");
    reset(); // not even when both overflow in the same cycle
    top->period_i = 25;
    run(AHEAD);
    write(EVENT, CYCLES);
    write(EVENT3 + OTHER, CYCLES);
    write(COUNTER, -UINT64_C(3));
    write(COUNTER3 + OTHER, -UINT64_C(2));
    run(2);
    settle();
    expect(COUNTER, -UINT64_C(25), "the sampling counter is reloaded");
    expect(COUNTER3 + OTHER, 0, "the one that overflows with it is not");
    reset();
    write(EVENT, CYCLES);
    write(COUNTER, -UINT64_C(1));
    run(3);
    settle();
    expect(COUNTER, 2, "period 0: no reload");
    reset();
    top->jitter_bits_i = 3;
    for (unsigned n = 0; n < 8; n++) {
        write(EVENT, CYCLES);
        write(COUNTER, -UINT64_C(1));
        run(3);
        settle();
        expect(COUNTER, 2, "period 0: no reload, jitter or not");
    }
    reset();
    top->period_i = ~UINT64_C(0);
    write(EVENT, CYCLES);
    run(AHEAD);
    write(COUNTER, -UINT64_C(1));
    edge();
    settle();
    expect(COUNTER, 1, "the longest period");
}

// All counters count and overflow, one after the other.
static void test_all_at_once() {
    reset();
    for (unsigned i = 0; i < PRESENT; i++) write(EVENT3 + i, CYCLES);
    for (unsigned i = 0; i < PRESENT; i++) write(COUNTER3 + i, -(uint64_t)(PRESENT + 1)); // the last one waits PRESENT + 1 cycles
    for (unsigned n = 1; n < 2 * PRESENT + 2; n++) {
        edge();
        bool due = n >= 2 && n < PRESENT + 2 && n - 2 != SAMPLING;
        bench_check(triggers == (n - 2 == SAMPLING), "%u cycles: trigger %d", n, triggers);
        bench_check(top->lcofi_o == due, "%u cycles: LCOFI %d", n, top->lcofi_o);
        uint64_t of = 0;
        for (unsigned i = 0; i < PRESENT; i++) {
            expect(COUNTER3 + i, (uint64_t)n - 3 - i, "one of all");
            if (n >= 3 + i) of |= UINT64_C(8) << i;
        }
        expect(SCOUNTOVF, of, "OF of all");
    }
}

static void test_jitter() {
    for (unsigned bits : {1u, 4u, 6u}) {
        const int span = 1 << bits, period = 64;
        unsigned seen[64] = {0}, values = 0;
        long sum = 0;
        reset();
        top->period_i = period;
        top->jitter_bits_i = bits;
        top->seed_valid_i = 1;
        top->seed_i = 12345;
        edge();
        write(EVENT, CYCLES);
        write(COUNTER, -(uint64_t)period);
        int since = 0, count = -1; // the first period has no jitter
        while (count < 4000) {
            edge();
            since++;
            if (!triggers && since < 1000) continue;
            int jitter = since - period;
            if (count >= 0) {
                bool inside = jitter >= -span / 2 && jitter < span / 2;
                bench_check(inside, "%u bits: a period of %d", bits, since);
                if (inside) seen[jitter + span / 2]++;
                sum += jitter;
            }
            count++;
            since = 0;
        }
        for (int i = 0; i < span; i++) values += seen[i] > 0;
        bench_check((int)values == span, "%u bits: %u of %d values", bits, values, span);
        double mean = (double)sum / 4000; // of a uniform one: -1/2, give or take 6 sigma
        double sigma = span / 3.46 / 63.2;
        bench_check(mean > -0.5 - 6 * sigma && mean < -0.5 + 6 * sigma, "%u bits: mean jitter %f", bits, mean);
    }
}

// Each period to the cycle: -2^(bits-1) plus the low bits of the generator in the cycle of the overflow. Two seeds give
// two sequences; the generator stands still where there is no jitter.
static void test_seed() {
    for (uint32_t seed : {0x80000001u, 0x12345678u, 0xfedcba99u}) {
        for (unsigned bits : {1u, 5u}) {
            const int period = 100;
            reset();
            top->period_i = period;
            top->seed_i = ~seed;
            top->seed_valid_i = 0;
            run(3);
            top->seed_i = seed;
            top->seed_valid_i = 1;
            edge();
            write(EVENT, CYCLES); // no jitter yet: no step
            top->jitter_bits_i = bits;
            write(COUNTER, -UINT64_C(20));
            uint32_t value = seed;
            int left = 20; // cycles to the overflow
            for (unsigned n = 0; n < 3000; n++) {
                bool overflow = --left == 0;
                if (overflow) left = period + (int)(value & ((1u << bits) - 1)) - (1 << (bits - 1));
                value = lfsr_step(value);
                edge();
                bench_check(triggers == overflow, "seed 0x%x, %u bits, cycle %u: trigger %d, expected %d", seed, bits, n, triggers, overflow);
            }
        }
    }
    // A period of 0 is no reload, whatever the jitter; nor does jitter without bits shorten a period of 2.
    reset();
    top->seed_i = 0x55555555;
    top->seed_valid_i = 1;
    edge();
    top->jitter_bits_i = 8;
    write(EVENT, CYCLES);
    write(COUNTER, -UINT64_C(3));
    for (unsigned n = 1; n < 40; n++) {
        edge();
        expect(COUNTER, n - UINT64_C(4), "period 0 with jitter: counts through zero");
    }
    // A period that needs all 64 bits, the widest jitter: the counter goes on from minus their sum.
    reset();
    uint32_t value = top->seed_i = 0xcafef00d;
    top->seed_valid_i = 1;
    edge();
    top->period_i = UINT64_C(0xc000000000000000);
    top->jitter_bits_i = 63;
    write(EVENT, CYCLES);
    run(AHEAD);
    write(COUNTER, -UINT64_C(1));
    for (unsigned n = 0; n < AHEAD + 1; n++) value = lfsr_step(value);
    edge();
    settle();
    expect(COUNTER, -(UINT64_C(0xc000000000000000) + value - (UINT64_C(1) << 31)), "period and jitter of 64 bits");
}

// No period and jitter stop the sampling. A distance that is not a number of cycles from 16 to 2^64 - 1 is replaced by the
// period without jitter, or by 16 (reload.h). Each overflow is brought about by a write.
static void test_distances() {
    static const struct {
        uint64_t period;
        unsigned bits;
    } settings[] = {{997, 12}, {97, 8}, {97, 32}, {997, 32}, {1, 1}, {1, 32}, {15, 1}, {16, 1}, {17, 2}, {16, 4}, {31, 5}, {32, 5}, {47, 6}, {48, 6}, {64, 6}, {3, 63}, {1, 63},
                    {~UINT64_C(0), 0}, {~UINT64_C(0), 1}, {~UINT64_C(0), 12}, {~UINT64_C(0) - 1, 1}, {~UINT64_C(0), 32}, {~UINT64_C(0), 63}, {UINT64_C(1) << 63, 63},
                    {(UINT64_C(1) << 62) + 15, 63}, {(UINT64_C(1) << 62) + 16, 63}, {UINT64_C(1) << 62, 63}, {14, 0}, {16, 0}};
    unsigned plain = 0, varied = 0, shortest = 0;
    for (const auto &s : settings) {
        reset();
        uint32_t value = (uint32_t)bench_random() | 1;
        top->period_i = s.period;
        top->seed_i = value;
        top->seed_valid_i = 1;
        edge();
        write(EVENT, CYCLES);
        top->jitter_bits_i = s.bits;
        run(AHEAD);
        for (unsigned n = 0; s.bits && n < AHEAD - 1; n++) value = lfsr_step(value);
        for (unsigned n = 0; n < 400; n++) {
            write(COUNTER, -UINT64_C(1));
            if (s.bits) value = lfsr_step(value);
            uint64_t distance = reload_distance(s.period, s.bits, value);
            plain += distance == s.period;
            shortest += distance == 16 && s.period < 16;
            varied += distance != s.period && distance != 16;
            edge();
            if (s.bits) value = lfsr_step(value);
            bench_check(triggers, "period %llu, %u bits: no trigger", (unsigned long long)s.period, s.bits);
            settle();
            if (s.bits) value = lfsr_step(value);
            expect(COUNTER, -distance, "the distance to the next overflow");
        }
    }
    bench_check(plain > 1000 && varied > 1000 && shortest > 500, "%u plain, %u varied, %u shortest: the test is too weak", plain, varied, shortest);
    // The settings by which the sampling once died, left to themselves: triggers as many as their period asks for.
    for (const auto &s : {settings[0], settings[1], settings[2]}) {
        reset();
        top->period_i = s.period;
        top->jitter_bits_i = s.bits;
        top->seed_i = 1;
        top->seed_valid_i = 1;
        edge();
        write(EVENT, CYCLES);
        write(COUNTER, -s.period);
        if (s.bits == 32) continue; // the next may be 2^31 cycles away: as it asks for
        unsigned seen = 0;
        for (unsigned n = 0; n < 400 * s.period; n++) {
            edge();
            seen += triggers;
        }
        bench_check(seen > 200 && seen < 500, "period %llu, %u bits: %u triggers in the time of 400", (unsigned long long)s.period, s.bits, seen);
    }
}

// By the golden ratio: each trigger to the cycle, of the sum of the distances and of the offsets themselves; every offset is seen;
// and the distances that are replaced.
static void test_golden() {
    for (uint32_t seed : {1u, 0x80000001u, 0x12345678u, 0xfedcba99u}) {
        for (unsigned bits : {0u, 1u, 5u, 6u}) {
            const uint64_t period = 97;
            reset();
            top->period_i = period;
            top->golden_i = 1;
            top->jitter_bits_i = bits;
            top->seed_i = seed;
            top->seed_valid_i = 1;
            edge();
            write(EVENT, CYCLES);
            write(COUNTER, -period);
            uint64_t at = 0, due = period, k = 0, turns = 0;
            uint32_t fraction = seed, offsets = 0;
            while (k < 300) {
                edge();
                bench_check(triggers == (++at == due), "golden, seed 0x%x, %u bits, cycle %llu: trigger %d, due in %llu", seed, bits, (unsigned long long)at, triggers, (unsigned long long)due);
                if (!triggers) continue;
                due += golden_distance(period, bits, fraction);
                turns += fraction + UINT64_C(0x9e3779b9) >> 32;
                fraction = golden_step(fraction);
                k++;
                const uint64_t moved = bits ? (fraction >> (32 - bits)) - (uint64_t)(seed >> (32 - bits)) : turns;
                bench_check(due == (k + 1) * period + moved, "golden, seed 0x%x, %u bits: trigger %llu is due in %llu", seed, bits, (unsigned long long)k, (unsigned long long)due);
                if (bits == 5) offsets |= 1u << (fraction >> 27);
            }
            bench_check(bits != 5 || offsets == ~0u, "golden, seed 0x%x: offsets 0x%x of 32", seed, offsets);
            if (bits == 0) bench_check(turns > 180 && turns < 191, "golden without bits: %llu of 300 longer by a cycle", (unsigned long long)turns);
        }
    }
    unsigned plain = 0, varied = 0;
    for (const auto &s : {std::pair<uint64_t, unsigned>{997, 9}, {97, 32}, {1, 1}, {16, 4}, {31, 5}, {24, 4}, {~UINT64_C(0), 0}, {~UINT64_C(0), 12}, {~UINT64_C(0) - 40, 6}, {UINT64_C(1) << 63, 63},
                          {UINT64_C(1) << 32, 32}, {(UINT64_C(1) << 32) + 7, 31}, {UINT64_C(0xffffffff), 32}, {UINT64_C(0xfffffffff), 32}, {15, 0}, {14, 0}}) {
        reset();
        uint32_t fraction = (uint32_t)bench_random() | 1;
        top->period_i = s.first;
        top->golden_i = 1;
        top->jitter_bits_i = s.second;
        top->seed_i = fraction;
        top->seed_valid_i = 1;
        edge();
        write(EVENT, CYCLES);
        for (unsigned n = 0; n < 200; n++) {
            run(RELOAD_APART - 3); // from one reload to the next
            write(COUNTER, -UINT64_C(1));
            edge();
            const uint64_t distance = golden_distance(s.first, s.second, fraction);
            fraction = golden_step(fraction);
            plain += distance == s.first;
            varied += distance != s.first;
            bench_check(triggers, "golden, period %llu, %u bits: no trigger", (unsigned long long)s.first, s.second);
            settle();
            expect(COUNTER, -distance, "the golden distance to the next overflow");
        }
    }
    bench_check(plain > 300 && varied > 1000, "golden: %u plain, %u varied: the test is too weak", plain, varied);
}

// Reset in the middle of everything: nothing is left, and nothing is raised by it.
static void test_reset() {
    reset();
    for (unsigned i = 0; i < PRESENT; i++) {
        write(EVENT3 + i, CYCLES);
        write(COUNTER3 + i, -UINT64_C(3) - i);
    }
    write(INHIBIT, 0x20);
    run(1);
    top->rst_ni = 0;
    for (unsigned n = 0; n < 6; n++) {
        edge();
        bench_check(!top->lcofi_o && (n == 0 || !triggers), "reset raises LCOFI %d trigger %d", top->lcofi_o, triggers); // whom the trigger reaches is in reset, too
        for (unsigned i = 0; i < PRESENT; i++) {
            expect(COUNTER3 + i, 0, "counter in reset");
            expect(EVENT3 + i, 0, "event in reset");
        }
        expect(INHIBIT, 0, "mcountinhibit in reset");
    }
    top->rst_ni = 1;
    write(EVENT3 + OTHER, CYCLES); // a reset in the very cycle of the overflow takes its pulse back
    write(COUNTER3 + OTHER, -UINT64_C(1));
    top->rst_ni = 0;
    edge();
    bench_check(!top->lcofi_o, "reset in the cycle of the overflow");
    top->rst_ni = 1;
    edge();
    bench_check(!top->lcofi_o, "... and after it");
    write(EVENT3 + OTHER, CYCLES);
    write(COUNTER3 + OTHER, -UINT64_C(1));
    edge();
    bench_check(top->lcofi_o, "the pulse");
    top->rst_ni = 0;
    edge();
    bench_check(!top->lcofi_o, "reset right after it");
    top->rst_ni = 1;
}

// An address on the bus without a write changes nothing; what is not written keeps its value.
static void test_no_write() {
    reset();
    write(INHIBIT, 0x79); // bit 0 is the core's
    for (unsigned i = 0; i < PRESENT; i++) {
        write(COUNTER3 + i, UINT64_C(0x8000000000000001) + 2 * i);
        write(EVENT3 + i, OF | UINH | 0xff);
    }
    top->wdata_i = UINT64_C(0x5555555555555555);
    for (unsigned addr : {(unsigned)INHIBIT, (unsigned)COUNTER3, (unsigned)COUNTER3 + 1, (unsigned)EVENT3, (unsigned)EVENT3 + 1}) {
        top->addr_i = addr;
        edge();
    }
    expect(INHIBIT, 0x78, "mcountinhibit without a write");
    for (unsigned i = 0; i < PRESENT; i++) {
        expect(COUNTER3 + i, UINT64_C(0x8000000000000001) + 2 * i, "a counter without a write");
        expect(EVENT3 + i, OF | UINH | 0xff, "an event without a write");
    }
}

static void test_csrs() {
    reset();
    for (unsigned i = 0; i < 29; i++) {
        write(EVENT3 + i, ~UINT64_C(0) ^ 0xff); // event 0: nothing counts
        expect(EVENT3 + i, i < PRESENT ? UINT64_C(0xf000000000000000) : 0, "mhpmevent: mask, or hard-wired 0");
        write(COUNTER3 + i, 0x1122334455667700 + i);
        expect(COUNTER3 + i, i < PRESENT ? 0x1122334455667700 + i : 0, "mhpmcounter, or hard-wired 0");
    }
    for (unsigned i = 0; i < PRESENT; i++) {
        write(USER3 + i, 0);
        expect(COUNTER3 + i, 0x1122334455667700 + i, "written by no other");
    }
    for (unsigned addr = 0; addr < 4096; addr++) {
        bool ours = (addr >= COUNTER3 && addr < COUNTER3 + 29) || (addr >= USER3 && addr < USER3 + 29) ||
                    (addr >= EVENT3 && addr < EVENT3 + 29) || addr == INHIBIT || addr == SCOUNTOVF;
        if (!ours) expect(addr, 0, "not ours");
    }
    uint64_t all = ((UINT64_C(1) << PRESENT) - 1) << 3;
    expect(SCOUNTOVF, all, "every OF that is set");
    write(SCOUNTOVF, 0);
    expect(SCOUNTOVF, all, "read-only");
    write(EVENT3 + 1, 0);
    expect(SCOUNTOVF, all & ~UINT64_C(16), "all but the cleared one");
}

// ---- recounting ----
struct instruction {
    uint32_t bits;
    bool transfers;
};
static const struct instruction INSTRUCTIONS_KNOWN[] = {
    {0x00208463, true},  // beq ra, sp, .+8
    {0xfe20fee3, true},  // bgeu ra, sp, .-4
    {0x008000ef, true},  // jal ra, .+8
    {0x00008067, true},  // ret
    {0xa001, true},      // c.j .
    {0xc101, true},      // c.beqz a0, .
    {0xe101, true},      // c.bnez a0, .
    {0x8082, true},      // c.jr ra
    {0x9082, true},      // c.jalr ra
    {0x9002, false},     // c.ebreak
    {0x85b2, false},     // c.mv a1, a2
    {0x95b2, false},     // c.add a1, a2
    {0x4501, false},     // c.li a0, 0
    {0x2505, false},     // c.addiw a0, 1
    {0x8d0d, false},     // c.sub a0, a1
    {0x4502, false},     // c.lwsp a0, 0(sp)
    {0xe006, false},     // c.sdsp ra, 0(sp)
    {0xe108, false},     // c.sd a0, 0(a0)
    {0xa108, false},     // c.fsd fa0, 0(a0)
    {0x00000013, false}, // nop
    {0x00013083, false}, // ld ra, 0(sp)
    {0x00113023, false}, // sd ra, 0(sp)
    {0x00000073, false}, // ecall
    {0x30200073, false}, // mret
    {0x0000100f, false}, // fence.i
    {0x00000517, false}, // auipc a0, 0
    {0x00c5d53b, false}, // srlw a0, a1, a2
    {0x00000000, false},
};

struct cycle {
    unsigned commit, first, flush, state, mode;
    uint16_t psv[8], exception_psv;
    const struct instruction *insn[8];
    bool exception, interrupt, replay;
    unsigned coherence;
    struct slots_cycle dispatch;
    struct slots_use slots; // what becomes of its slots
};

struct model {
    uint64_t counter[29];
    unsigned step[29]; // what the cycle before has counted
    uint8_t event[29];
    bool of[29], minh[29], sinh[29], uinh[29];
    uint64_t inhibit;
};

static unsigned happened(const struct cycle *c, unsigned event) {
    unsigned n = slots_of_event(c->slots, event);
    switch (event) {
    case CYCLES: return 1;
    case INSTRUCTIONS: return (unsigned)__builtin_popcount(c->commit & c->first);
    case COMPUTING: return c->state == 0;
    case STALLED: return c->state == 1;
    case FLUSHED: return c->state == 2;
    case DRAINED: return c->state == 3;
    case EXCEPTIONS: return c->exception && !c->interrupt && !c->replay;
    case INTERRUPTS: return c->exception && c->interrupt;
    default: break;
    }
    if (event >= KEYED) return COHERENT && event < KEYED + KEYED_EVENTS && c->coherence >> (event - KEYED) & 1 && !(event == WAITS && c->commit);
    for (unsigned i = 0; i < width; i++) {
        if (!(c->commit >> i & 1)) continue;
        if (event == FLUSHES) n += c->flush >> i & 1;
        if (event == BRANCHES) n += c->insn[i]->transfers;
        if (event >= TEA && event < TEA + TEA_EVENTS) n += c->psv[i] >> (event - TEA) & 1;
    }
    if (c->exception && event >= TEA && event < TEA + TEA_EVENTS) n += c->exception_psv >> (event - TEA) & 1;
    return n;
}

static struct cycle random_cycle() {
    struct cycle c = {};
    static const unsigned modes[] = {IN_U, IN_S, IN_M};
    c.mode = modes[bench_below(3)];
    c.exception = bench_below(6) == 0;
    unsigned kind = bench_below(3);
    c.interrupt = kind == 1; // both also without an exception: they mean nothing then
    c.replay = kind == 2;
    if (!c.exception && bench_below(3)) {
        c.commit = bench_below(1u << width);
    }
    for (unsigned i = 0; i < 8; i++) { // also in lanes that do not commit: they must not count
        c.psv[i] = (uint16_t)(bench_random() & bench_random()) & ((1 << TEA_EVENTS) - 1);
        c.insn[i] = &INSTRUCTIONS_KNOWN[bench_below(sizeof INSTRUCTIONS_KNOWN / sizeof *INSTRUCTIONS_KNOWN)];
    }
    c.flush = bench_below(1u << width);
    c.exception_psv = (uint16_t)(bench_random() & ((1 << TEA_EVENTS) - 1));
    c.state = c.commit ? 0 : 1 + bench_below(3);
    c.first = bench_below(3) ? 0xff : bench_below(256);
    c.coherence = bench_below(1u << KEYED_EVENTS);
    const unsigned oldest = bench_below(width), occupied = bench_below(3) ? bench_below(1u << width) : 0;
    c.dispatch = {bench_below(5) == 0, c.exception, bench_below(3) == 0, c.commit, c.flush, oldest, c.insn[oldest]->bits, bench_below(2) ? occupied & bench_below(256) : 0, occupied};
    return c;
}

static void drive(const struct cycle *c) {
    top->commit_i = c->commit;
    top->flush_i = c->flush;
    top->exception_i = c->exception;
    top->interrupt_i = c->interrupt;
    top->replay_i = c->replay;
    top->exception_psv_i = c->exception_psv;
    top->state_i = c->state;
    top->priv_i = c->mode;
    top->first_i = c->first;
    top->coherence_i = c->coherence;
    top->oldest_i = c->dispatch.oldest;
    top->rob_empty_i = c->dispatch.rob_empty;
    top->redirect_i = c->dispatch.redirect;
    top->dispatch_i = c->dispatch.dispatch;
    top->occupied_i = c->dispatch.occupied;
    for (unsigned i = 0; i < 8; i++) {
        top->psv_i[i] = c->psv[i];
        top->insn_i[i] = c->insn[i]->bits;
    }
}

// Every lane has it: a cycle adds as many as there are lanes.
static void test_all_lanes() {
    struct cycle full = {}, idle = {};
    for (unsigned i = 0; i < 8; i++) {
        full.psv[i] = (1 << TEA_EVENTS) - 1;
        full.insn[i] = idle.insn[i] = &INSTRUCTIONS_KNOWN[0]; // a branch
    }
    full.commit = full.flush = (1u << width) - 1;
    full.first = 0xff;
    full.mode = idle.mode = IN_M;
    idle.state = 1;
    reset();
    for (unsigned event = 1; event < TEA + TEA_EVENTS; event++) {
        if (happened(&full, event) != width) continue;
        drive(&idle);
        write(EVENT3, event);
        write(COUNTER3, 100);
        drive(&full);
        run(3);
        settle();
        expect(COUNTER3, 100 + 3 * width, "three cycles with the event in every lane");
    }
}

static uint8_t random_event() {
    unsigned kind = bench_below(8 + COHERENT);
    if (kind == 8) return (uint8_t)(KEYED + bench_below(KEYED_EVENTS));
    if (kind == 0) return (uint8_t)bench_random();
    if (kind == 1) return (uint8_t)(CLEARS + bench_below(3));
    return (uint8_t)(kind < 5 ? 1 + bench_below(RECOVERY_BRANCH) : TEA + bench_below(TEA_EVENTS));
}

static void random_write(unsigned *addr, uint64_t *value) {
    unsigned i = bench_below(4) ? bench_below(29) : (unsigned)SAMPLING;
    switch (bench_below(8)) {
    case 0:
        *addr = INHIBIT;
        *value = bench_random() & bench_random();
        break;
    case 1: case 2: case 3:
        *addr = EVENT3 + i;
        *value = (bench_random() & bench_random() & UINT64_C(0xffffffffffffff00)) | random_event();
        break;
    default:
        *addr = COUNTER3 + i;
        *value = bench_below(2) ? bench_random() : -(uint64_t)bench_below(40);
        break;
    }
}

static void test_recount() {
    struct model m = {};
    slots_model slots;
    bool due = false; // the sampling counter has overflowed in the cycle before
    unsigned lcofis = 0, seen = 0, silent = 0, counted[64] = {0};
    struct reload_pipe pipe;
    uint64_t period = 0, late_period = 0; // a write is done in the cycle after its own
    reset();
    for (unsigned n = 0; n < 40000; n++) {
        struct cycle c = random_cycle();
        c.slots = slots.step(width, c.dispatch);
        unsigned addr = 0;
        uint64_t value = 0;
        bool write = bench_below(n < 200 ? 2 : 12) == 0, lcofi = false;
        if (bench_below(100) == 0) top->period_i = bench_below(2) ? 0 : 1 + bench_below(60);
        if (write) random_write(&addr, &value);
        drive(&c);
        top->addr_i = addr;
        top->wdata_i = value;
        top->write_i = write;
        edge();
        const struct reload_cycle now = {period, false, 0, 1};
        const bool reloads = pipe.active();
        for (unsigned i = 0; i < PRESENT; i++) {
            // What the cycle before has counted is added ...
            uint64_t next = m.counter[i] + m.step[i];
            bool overflow = next < m.counter[i];
            m.counter[i] = next;
            if (overflow && i == SAMPLING) {
                bench_check(due, "cycle %u: the model overflows without a trigger", n);
                if (reloads) m.counter[i] -= pipe.distance();
            }
            m.of[i] |= overflow;
            // ... and then written.
            bool stopped = m.inhibit >> (3 + i) & 1, filtered = c.mode == IN_M ? m.minh[i] : c.mode == IN_S ? m.sinh[i] : m.uinh[i];
            bool written = write && addr == COUNTER3 + i;
            m.step[i] = stopped || filtered || written ? 0 : happened(&c, m.event[i]);
            if (m.step[i]) counted[m.event[i]]++;
            if (written) m.counter[i] = value;
            if (write && addr == EVENT3 + i) {
                m.event[i] = (uint8_t)value;
                m.of[i] = value >> 63;
                m.minh[i] = value >> 62 & 1;
                m.sinh[i] = value >> 61 & 1;
                m.uinh[i] = value >> 60 & 1;
            }
        }
        if (write && addr == INHIBIT) m.inhibit = value;
        pipe.step(now, false, late_period != period, false, 0);
        period = late_period;
        late_period = top->period_i;
        for (unsigned i = 0; i < PRESENT; i++) lcofi |= i != SAMPLING && m.counter[i] + m.step[i] < m.counter[i] && !m.of[i];
        due = m.counter[SAMPLING] + m.step[SAMPLING] < m.counter[SAMPLING];
        const bool announce = !m.of[SAMPLING] || pipe.active();
        bench_check(top->lcofi_o == lcofi && triggers == due && (!due || announces == announce), "cycle %u: LCOFI %d, trigger %d, to interrupt %d, expected %d %d %d", n,
                    top->lcofi_o, triggers, announces, lcofi, due, announce);
        lcofis += lcofi;
        seen += due;
        silent += due && !announce;
        uint64_t of = 0;
        for (unsigned i = 0; i < PRESENT; i++) {
            uint64_t event = (uint64_t)m.of[i] << 63 | (uint64_t)m.minh[i] << 62 | (uint64_t)m.sinh[i] << 61 | (uint64_t)m.uinh[i] << 60 | m.event[i];
            expect(COUNTER3 + i, m.counter[i], "recounted");
            expect(EVENT3 + i, event, "its event");
            of |= (uint64_t)m.of[i] << (3 + i);
        }
        expect(SCOUNTOVF, of, "all OF");
    }
    bench_check(lcofis > 4 * (PRESENT - 1) && seen > 50 && silent > 2, "only %u interrupts, %u triggers, %u silent: the test is too weak", lcofis, seen, silent);
    for (unsigned e = 1; e < KEYED + (COHERENT ? KEYED_EVENTS : 0); e++) {
        if (e >= KEYED || e < TEA + TEA_EVENTS || e >= CLEARS) bench_check(counted[e] > 30, "event %u was counted %u times: the test is too weak", e, counted[e]);
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    reset();
    width = top->width_o;
    PRESENT = top->counters_o;
    test_counting();
    test_inhibit();
    test_overflow();
    test_reload();
    test_all_at_once();
    test_jitter();
    test_seed();
    test_distances();
    test_golden();
    test_reset();
    test_no_write();
    test_csrs();
    test_all_lanes();
    test_recount();
    top->final();
    delete top;
    return bench_end();
}
