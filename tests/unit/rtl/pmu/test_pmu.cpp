// pmu: what is counted and when not, overflow (OF, one LCOFI, the trigger), hardware reload with and without jitter,
// CSR access. Counter 3 is the sampling one.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

enum { COUNTER3 = 0xb03, USER3 = 0xc03, EVENT3 = 0x323, INHIBIT = 0x320, CYCLES = 1, INSTRUCTIONS = 2, PRESENT = 4 };
static const uint64_t OF = UINT64_C(1) << 63, MINH = UINT64_C(1) << 62, UINH = UINT64_C(1) << 60;

static Vtop *top;
static unsigned width;

static void edge() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->write_i = top->seed_valid_i = 0;
    top->eval();
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
    top->retired_i = top->period_i = top->jitter_bits_i = top->seed_i = top->addr_i = 0;
    top->machine_i = 1;
    edge();
    top->rst_ni = 1;
    top->eval();
}
static void run(unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++) edge();
}

static void test_counting() {
    reset();
    run(10);
    for (unsigned i = 0; i < 29; i++) expect(COUNTER3 + i, 0, "no event, no count");
    for (unsigned i = 0; i < PRESENT; i++) {
        write(EVENT3 + i, CYCLES);
        uint64_t before = read(COUNTER3 + i);
        run(7);
        expect(COUNTER3 + i, before + 7, "cycles");
        expect(USER3 + i, before + 7, "the user alias");
        write(EVENT3 + i, 0);
        before = read(COUNTER3 + i);
        run(3);
        expect(COUNTER3 + i, before, "event 0");
    }
    write(COUNTER3, 0);
    write(EVENT3, INSTRUCTIONS);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 200; i++) {
        top->retired_i = bench_below(width + 1);
        sum += top->retired_i;
        edge();
    }
    top->retired_i = 0;
    expect(COUNTER3, sum, "instructions");
    expect(COUNTER3 + 1, read(COUNTER3 + 1), "the neighbour");
    write(EVENT3, 3);
    top->retired_i = width;
    run(5);
    expect(COUNTER3, sum, "an event that there is not");
}

static void test_inhibit() {
    for (unsigned machine = 0; machine < 2; machine++) {
        for (unsigned bits = 0; bits < 4; bits++) {
            bool counts = !(bits & (machine ? 1 : 2));
            reset();
            top->machine_i = machine;
            write(EVENT3 + 1, CYCLES | (bits & 1 ? MINH : 0) | (bits & 2 ? UINH : 0));
            run(9);
            expect(COUNTER3 + 1, counts ? 9 : 0, machine ? "in M, by MINH" : "in U, by UINH");
        }
    }
    reset();
    write(INHIBIT, ~UINT64_C(0));
    expect(INHIBIT, 0x7d, "mcountinhibit: cycle, instret, counters 3 to 6");
    for (unsigned i = 0; i < PRESENT; i++) {
        write(INHIBIT, UINT64_C(8) << i);
        for (unsigned k = 0; k < PRESENT; k++) write(EVENT3 + k, CYCLES);
        for (unsigned k = 0; k < PRESENT; k++) write(COUNTER3 + k, 0);
        uint64_t before[PRESENT];
        for (unsigned k = 0; k < PRESENT; k++) before[k] = read(COUNTER3 + k);
        run(5);
        for (unsigned k = 0; k < PRESENT; k++) expect(COUNTER3 + k, before[k] + (k == i ? 0 : 5), "mcountinhibit stops one");
    }
}

// Cycle by cycle: the overflow sets OF; LCOFI and the trigger come one cycle later, for one cycle.
static void test_overflow() {
    for (unsigned i = 0; i < PRESENT; i++) {
        reset();
        write(EVENT3 + i, CYCLES);
        write(COUNTER3 + i, -UINT64_C(4));
        for (unsigned n = 1; n <= 12; n++) {
            edge(); // n cycles counted
            uint64_t of = n >= 4 ? OF : 0;
            expect(COUNTER3 + i, n - UINT64_C(4), "counts through zero");
            expect(EVENT3 + i, of | CYCLES, "OF");
            bench_check(top->lcofi_o == (n == 4), "counter %u, %u cycles: LCOFI %d", i + 3, n, top->lcofi_o);
            bench_check(top->trigger_o == (n == 4 && i == 0), "counter %u, %u cycles: trigger %d", i + 3, n, top->trigger_o);
        }
        // With OF set the next overflow raises nothing, but the sampling counter still triggers.
        write(COUNTER3 + i, -UINT64_C(2));
        unsigned triggers = 0;
        for (unsigned n = 0; n < 6; n++) {
            edge();
            bench_check(!top->lcofi_o, "counter %u: LCOFI with OF set", i + 3);
            triggers += top->trigger_o;
        }
        bench_check(triggers == (i == 0), "counter %u: %u triggers with OF set", i + 3, triggers);
        write(EVENT3 + i, CYCLES); // clears OF: armed again
        write(COUNTER3 + i, -UINT64_C(1));
        edge();
        bench_check(top->lcofi_o, "counter %u: LCOFI once OF is cleared", i + 3);
    }
    // Several instructions at once carry the counter past zero.
    reset();
    write(EVENT3 + 2, INSTRUCTIONS);
    write(COUNTER3 + 2, ~UINT64_C(0));
    top->retired_i = width;
    edge();
    top->retired_i = 0;
    expect(COUNTER3 + 2, width - 1, "the rest is kept");
    bench_check(top->lcofi_o, "LCOFI by instructions");
    // Writes in the cycle of the overflow win.
    reset();
    write(EVENT3, CYCLES);
    write(COUNTER3, -UINT64_C(2));
    edge();
    write(COUNTER3, 1000);
    expect(COUNTER3, 1000, "a write in the cycle of the overflow");
    expect(EVENT3, CYCLES, "... leaves OF clear");
    bench_check(!top->trigger_o && !top->lcofi_o, "... and nothing is raised");
}

static void test_reload() {
    for (unsigned period : {1u, 2u, 3u, 10u, 97u}) {
        reset();
        top->period_i = period;
        write(EVENT3, CYCLES);
        write(COUNTER3, -(uint64_t)period);
        unsigned since = 0, triggers = 0, lcofi = 0;
        for (unsigned n = 0; n < 10 * period; n++) {
            edge();
            since++;
            lcofi += top->lcofi_o;
            if (!top->trigger_o) continue;
            bench_check(since == period, "period %u: %u cycles", period, since);
            since = 0;
            triggers++;
        }
        bench_check(triggers == 10 && lcofi == 1, "period %u: %u triggers, %u LCOFI", period, triggers, lcofi);
    }
    reset(); // no reload of the others, nor without a period
    top->period_i = 5;
    write(EVENT3 + 1, CYCLES);
    write(COUNTER3 + 1, -UINT64_C(1));
    run(3);
    expect(COUNTER3 + 1, 2, "another counter is not reloaded");
    reset();
    write(EVENT3, CYCLES);
    write(COUNTER3, -UINT64_C(1));
    run(3);
    expect(COUNTER3, 2, "period 0: no reload");
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
        write(EVENT3, CYCLES);
        write(COUNTER3, -(uint64_t)period);
        int since = 0, count = -1; // the first period has no jitter
        while (count < 4000) {
            edge();
            since++;
            if (!top->trigger_o && since < 1000) continue;
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

static void test_csrs() {
    reset();
    for (unsigned i = 0; i < 29; i++) {
        write(EVENT3 + i, ~UINT64_C(0) ^ 0xff); // event 0: nothing counts
        expect(EVENT3 + i, i < PRESENT ? UINT64_C(0xd000000000000000) : 0, "mhpmevent: mask, or hard-wired 0");
        write(COUNTER3 + i, 0x1122334455667700 + i);
        expect(COUNTER3 + i, i < PRESENT ? 0x1122334455667700 + i : 0, "mhpmcounter, or hard-wired 0");
    }
    for (unsigned i = 0; i < PRESENT; i++) {
        write(USER3 + i, 0);
        expect(COUNTER3 + i, 0x1122334455667700 + i, "written by no other");
    }
    for (unsigned addr = 0; addr < 4096; addr++) {
        bool ours = (addr >= COUNTER3 && addr < COUNTER3 + 29) || (addr >= USER3 && addr < USER3 + 29) ||
                    (addr >= EVENT3 && addr < EVENT3 + 29) || addr == INHIBIT;
        if (!ours) expect(addr, 0, "not ours");
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    reset();
    width = top->width_o;
    test_counting();
    test_inhibit();
    test_overflow();
    test_reload();
    test_jitter();
    test_csrs();
    top->final();
    delete top;
    return bench_end();
}
