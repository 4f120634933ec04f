// dcache_hold: DONE of a line comes once, in the cycle after its use, or after the bound of its kind; lines that nobody
// waits for have theirs at once; a hold for an atomic that ended unused is followed by none for that line; where more
// lines come than it has places for, the oldest go early and none is forgotten.
#include "Vtop.h"
#include "bench.h"
#include <vector>

enum hold { NONE, USE, ATOMIC };

static Vtop *top;
static unsigned long now;
static unsigned long done_at[32]; // by transaction; 0: not yet

static void step(void) {
    top->clk_i = 0;
    top->eval();
    if (top->done_o) {
        unsigned t = top->done_transaction_o;
        bench_check(done_at[t] == 0, "DONE of %u comes twice", t);
        done_at[t] = now;
    }
    top->clk_i = 1;
    top->eval();
    now++;
    top->arrives_i = top->hit_i = 0;
}

static unsigned long arrive(unsigned transaction, uint64_t line, bool own, enum hold hold) {
    done_at[transaction] = 0;
    top->arrives_i = 1;
    top->line_i = line;
    top->own_i = own;
    top->hold_i = hold;
    top->transaction_i = transaction;
    step();
    return now - 1;
}

static void hit(uint64_t line, bool write) {
    top->hit_i = 1;
    top->write_i = write;
    top->hit_line_i = line;
    step();
}

static void wait(unsigned cycles) {
    while (cycles--)
        step();
}

static void expect(const char *what, unsigned transaction, unsigned long at) {
    wait(100);
    bench_check(done_at[transaction] == at, "%s: DONE in cycle %lu, expected %lu", what, done_at[transaction], at);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->rst_ni = 0;
    wait(2);
    top->rst_ni = 1;
    now = 1;

    unsigned long since = arrive(1, 5, false, NONE);
    expect("nobody waits", 1, since + 1);
    since = arrive(2, 5, false, USE);
    expect("never used", 2, since + 33);
    arrive(3, 5, false, USE);
    wait(7);
    hit(6, false);
    since = now;
    hit(5, false);
    expect("read", 3, since + 1);
    since = arrive(4, 5, true, USE);
    hit(5, false);
    expect("asked for as the only copy, and read", 4, since + 33);
    arrive(5, 5, true, USE);
    hit(5, false);
    since = now;
    hit(5, true);
    expect("written", 5, since + 1);
    arrive(6, 5, true, ATOMIC);
    wait(40);
    since = now;
    hit(5, true);
    expect("an atomic that writes", 6, since + 1);
    since = arrive(7, 5, true, ATOMIC);
    expect("an atomic after one that wrote", 7, since + 65);

    wait(100); // LR again and again
    since = arrive(8, 5, true, ATOMIC);
    wait(70);
    bench_check(done_at[8] == since + 65, "LR: DONE in cycle %lu, expected %lu", done_at[8], since + 65);
    since = arrive(9, 5, true, ATOMIC);
    wait(3);
    bench_check(done_at[9] == since + 1, "LR again: DONE in cycle %lu, expected %lu", done_at[9], since + 1);
    since = arrive(10, 6, true, ATOMIC);
    expect("LR of another line", 10, since + 65);
    wait(100);
    since = arrive(11, 5, true, ATOMIC);
    expect("LR much later", 11, since + 65);

    // A line in each cycle: each is given free, once, in the order of their coming where there is no place.
    wait(100);
    for (unsigned t = 0; t < 32; t++)
        arrive(t, 100 + t, false, USE);
    wait(100);
    for (unsigned t = 0; t < 32; t++)
        bench_check(done_at[t] != 0 && (t == 0 || done_at[t] > done_at[t - 1]), "crowd: DONE of %u in cycle %lu", t,
                    done_at[t]);
    return bench_end();
}
