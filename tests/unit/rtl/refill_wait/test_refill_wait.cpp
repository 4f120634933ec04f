// refill_wait: accesses that try, miss, sleep and try again among refills of their own line and of others; each answer's
// meaning is worked out from the story of the access, not from registers.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 200000 };
enum phase { NONE, TRIES, IN_M1, SLEEPS };

static std::unique_ptr<Vtop> top;
static enum phase phase;
static bool missed; // its line has not come since
static uint64_t line;
static unsigned long arrivals, failures, woken_before, strangers, ends;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}

static void clock_edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
}

static void line_step() {
    bool own = percent(40);
    if (phase == NONE && percent(30)) {
        phase = TRIES;
        line = bench_random() >> 14; // 50 bits
        missed = false;
    }
    bool in_m1 = phase == IN_M1, hit = in_m1 && !missed && percent(30), given_up = phase == TRIES && percent(3);
    top->line_i = line;
    top->miss_i = in_m1 && !hit;
    top->sleep_i = percent(70);
    top->refill_i = percent(25);
    top->error_i = percent(30);
    // Lines that differ in one bit are others.
    top->refill_line_i = own ? line : line ^ UINT64_C(1) << bench_below(50);
    top->eval();
    bool comes = missed && top->refill_i && top->refill_line_i == line, fails = comes && top->error_i;
    bench_check(top->asleep_o == (phase == SLEEPS), "asleep %d, expected %d", top->asleep_o, phase == SLEEPS);
    bench_check(top->arrives_o == comes, "its line arrives: %d, expected %d", top->arrives_o, comes);
    bench_check(top->fails_o == fails, "its line fails: %d, expected %d", top->fails_o, fails);
    arrivals += comes;
    failures += fails;
    woken_before += fails && phase == TRIES; // by another refill, and then came the answer
    strangers += phase == SLEEPS && top->refill_i && !comes;
    bool over = phase == NONE || hit || fails || given_up;
    top->end_i = over;
    top->eval();
    ends += over;
    if (over) {
        phase = NONE;
        missed = false;
    } else if (in_m1) {
        missed = true;
        phase = top->sleep_i && !top->refill_i ? SLEEPS : TRIES;
    } else {
        if (comes) missed = false;
        if (phase == SLEEPS && top->refill_i)
            phase = TRIES;
        else if (phase == TRIES && percent(40))
            phase = IN_M1;
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 35);
    top = std::make_unique<Vtop>();
    top->rst_ni = 0;
    top->end_i = 1;
    clock_edge();
    clock_edge();
    top->rst_ni = 1;
    for (unsigned i = 0; i < STEPS && bench_failed < 20; i++) {
        line_step();
        clock_edge();
    }
    bench_check(arrivals > 2000 && failures > 500 && woken_before > 200 && strangers > 500 && ends > 2000,
                "%lu lines came, %lu failed, %lu of those while awake, %lu other refills in sleep, %lu ends", arrivals, failures,
                woken_before, strangers, ends);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
