// refill_wait: accesses that try, miss, sleep and try again among refills of their own line and of others; each answer's
// meaning is worked out from the story of the access, not from registers. port_wait: askers that are served early, late, or
// give up. mshr_turn: two who lack an MSHR now and then, and who has for longer.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 200000, PATIENCE = 15 };
enum phase { NONE, TRIES, IN_M1, SLEEPS };

static std::unique_ptr<Vtop> top;
static enum phase phase;
static bool missed; // its line has not come since
static bool lacks;  // nor has an MSHR it
static uint64_t line;
static unsigned long lacking, both, arrivals, failures, woken_before, strangers, ends, urgents;
static unsigned waited;
static bool asking;

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
    top->full_i = percent(40);
    top->join_i = percent(40);
    top->refill_i = percent(25);
    top->error_i = percent(30);
    // Lines that differ in one bit are others.
    top->refill_line_i = own ? line : line ^ UINT64_C(1) << bench_below(50);
    top->eval();
    bool comes = missed && top->refill_i && top->refill_line_i == line, fails = comes && top->error_i;
    bench_check(top->asleep_o == (phase == SLEEPS), "asleep %d, expected %d", top->asleep_o, phase == SLEEPS);
    bench_check(top->arrives_o == comes, "its line arrives: %d, expected %d", top->arrives_o, comes);
    bench_check(top->fails_o == fails, "its line fails: %d, expected %d", top->fails_o, fails);
    bench_check(top->lacks_o == lacks, "lacks an MSHR: %d, expected %d", top->lacks_o, lacks);
    lacking += lacks;
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
        missed = lacks = false;
    } else if (in_m1) {
        missed = true;
        lacks = !top->join_i;
        phase = (top->join_i || top->full_i) && !top->refill_i ? SLEEPS : TRIES;
    } else {
        if (comes) missed = lacks = false;
        if (phase == SLEEPS && top->refill_i)
            phase = TRIES;
        else if (phase == TRIES && percent(40))
            phase = IN_M1;
    }
}

static void port_step(unsigned takes) {
    if (!asking) asking = percent(20);
    top->asks_i = asking;
    top->eval();
    bench_check(top->urgent_o == (waited >= PATIENCE), "urgent %d after %u cycles without a port", top->urgent_o, waited);
    urgents += top->urgent_o;
    bool served = asking && percent(takes), gives_up = asking && percent(1);
    top->take_i = served;
    waited = asking && !served ? waited + 1 : 0;
    if (served || gives_up) asking = false;
}

// Who lacks one, and since when; who has the turn keeps it.
static void turn_step() {
    static unsigned since[2], now = 1, turn; // since: 0 where it does not lack
    for (unsigned i = 0; i < 2; i++)
        since[i] = !percent(since[i] ? 90 : 20) ? 0 : since[i] ? since[i] : now;
    now++;
    top->lacks_i = (since[0] != 0) | (since[1] != 0) << 1;
    top->eval();
    bench_check(top->turn_o == (turn & top->lacks_i), "turn %u, expected %u", top->turn_o, turn & top->lacks_i);
    both += top->lacks_i == 3;
    turn &= top->lacks_i;
    if (turn) return;
    bool table = since[0] && (!since[1] || since[0] < since[1]);
    turn = table ? 1 : since[1] ? 2 : 0;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 35);
    top = std::make_unique<Vtop>();
    top->rst_ni = 0;
    top->end_i = 1;
    clock_edge();
    clock_edge();
    top->rst_ni = 1;
    unsigned takes = 50;
    for (unsigned i = 0; i < STEPS && bench_failed < 20; i++) {
        if (i % 500 == 0) takes = bench_below(3) ? 1 + bench_below(10) : 50;
        line_step();
        port_step(takes);
        turn_step();
        clock_edge();
    }
    bench_check(arrivals > 2000 && failures > 500 && woken_before > 200 && lacking > 2000 && both > 2000 && strangers > 500 && ends > 2000 && urgents > 500,
                "%lu lines came, %lu failed, %lu of those while awake, %lu other refills in sleep, %lu ends, %lu cycles urgent", arrivals, failures,
                woken_before, strangers, ends, urgents);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
