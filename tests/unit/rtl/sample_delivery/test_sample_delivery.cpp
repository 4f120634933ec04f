// sample_delivery: random stories of a unit (a trigger takes a sample that is complete at once or waits, further triggers,
// an end, loss where there is no room) and a reader that acknowledges at random, against a queue of at most two samples.
// What must hold: samples reach software in the order of their triggers, each with its cycle, its counts and whether it is partial; counts stop
// when they are full, and what they do not count is lost; the interrupt comes with the cycle after a sample that is to
// announce is complete, or after such a trigger found no room, and in no other; no trigger is unaccounted for.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

enum { COMPLETE = 1, HELD = 2, INSTANT = 4, ENDS = 8, BEHIND = 16, LOST = 32, FURTHER = 64, TAKEN = 128 };

struct story {
    uint64_t mark, cycle, repeats, stalled;
    bool announces, partial;
};

static Vtop *top;

static void edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
}
static void reset() {
    top->clk_i = top->rst_ni = top->announce_i = top->hold_i = top->acknowledge_i = 0;
    top->eval();
    edge();
    top->rst_ni = 1;
    top->eval();
}

struct counts {
    uint64_t triggers, delivered, further, lost, full, interrupts, both, hidden;
};

// One of the two instances, recounted. The unit's own part is common to both: they have room at the same time.
class Reader {
  public:
    Reader(unsigned which, uint64_t most) : which(which), most(most) {}

    bool room(bool acknowledge) const { return !ready || acknowledge; }

    void check_before(unsigned cycle, bool acknowledge) {
        bench_check((top->take_o >> which & 1) == room(acknowledge), "instance %u, cycle %u: room %d", which, cycle, top->take_o >> which & 1);
        bench_check((top->ready_o >> which & 1) == ready && (top->ready_pulse_o >> which & 1) == fresh, "instance %u, cycle %u: ready %d pulse %d, expected %d %d", which, cycle,
                    top->ready_o >> which & 1, top->ready_pulse_o >> which & 1, ready, fresh);
        bench_check((top->interrupt_o >> which & 1) == interrupt, "instance %u, cycle %u: interrupt %d, expected %d", which, cycle, top->interrupt_o >> which & 1, interrupt);
        sum.interrupts += interrupt;
        if (!ready) return;
        bench_check((top->partial_o >> which & 1) == front.partial, "instance %u, cycle %u: partial %d, expected %d", which, cycle, top->partial_o >> which & 1, front.partial);
        bench_check(top->mark_o[which] == front.mark && top->cycle_o[which] == front.cycle && top->repeats_o[which] == front.repeats && top->stalled_o[which] == front.stalled,
                    "instance %u, cycle %u: sample 0x%llx of cycle %llu, %u repeats, %u stalled; expected 0x%llx of %llu, %llu, %llu", which, cycle,
                    (unsigned long long)top->mark_o[which], (unsigned long long)top->cycle_o[which], top->repeats_o[which], top->stalled_o[which],
                    (unsigned long long)front.mark, (unsigned long long)front.cycle, (unsigned long long)front.repeats, (unsigned long long)front.stalled);
    }

    // hold: what the unit does in this cycle; mark: of the sample that it shows.
    void cycle(unsigned cycle, unsigned hold, bool announce, uint64_t mark, uint64_t final_mark, bool acknowledge) {
        bool lost = hold & LOST, goes = (hold & COMPLETE) && room(acknowledge);
        sum.triggers += (hold & (TAKEN | FURTHER | LOST)) != 0;
        if (hold & FURTHER) {
            uint64_t *count = hold & BEHIND ? &own.stalled : &own.repeats;
            own.announces |= announce;
            if (*count == most) {
                lost = true;
                sum.full++;
            } else {
                ++*count;
                sum.further++;
            }
        }
        interrupt = ((hold & ENDS) && own.announces) || ((hold & (INSTANT | LOST)) && announce);
        bench_check((top->lost_o >> which & 1) == lost, "instance %u, cycle %u: lost %d, expected %d", which, cycle, top->lost_o >> which & 1, lost);
        sum.lost += lost;
        struct story taken = {mark, cycle, 0, 0, announce, (bool)top->partial_i};
        if (ready && acknowledge) {
            sum.delivered++;
            ready = false;
        } else if (!ready && acknowledge) {
            sum.hidden++; // an acknowledge of nothing
        }
        if (goes) {
            front = hold & HELD ? own : taken;
            front.mark = hold & HELD ? final_mark : mark;
            ready = true;
        }
        fresh = goes;
        if (hold & TAKEN) own = taken;
        sum.both += ready && (hold & HELD) && (hold & COMPLETE) && !goes;
    }

    bool has() const { return ready; }
    struct counts sum = {};
    struct story own = {};

  private:
    unsigned which;
    uint64_t most;
    bool ready = false, fresh = false, interrupt = false;
    struct story front = {};
};

static void test_random(unsigned cycles) {
    Reader readers[2] = {{0, (1u << top->count_bits_o) - 1}, {1, UINT32_MAX}};
    bool held = false, waits = false, behind = false;
    uint64_t mark = 0, final_mark = 0;
    reset();
    for (unsigned n = 0; n < cycles; n++) {
        // Phases: who reads at once, late, hardly ever; triggers rare and dense, waits short and long.
        unsigned reads = n / 512 % 4, dense = n / 2048 % 3, lasts = n / 6144 % 2 ? 40 : 4;
        bool acknowledge = bench_below(1 + 6 * reads) == 0, trigger = bench_below(dense == 0 ? 12 : dense == 1 ? 3 : 1) == 0;
        bool announce = bench_below(3) != 0, ends = waits && bench_below(lasts) == 0, kept = bench_below(2); // kept: the last cycle is still the instruction's
        bool room = readers[0].room(acknowledge), complete = held && (!waits || ends), instant = bench_below(2);
        uint64_t next = bench_random() >> 1;
        unsigned hold = held ? HELD : 0;
        if (waits && bench_below(8) == 0) behind = true;
        if (waits && behind) hold |= BEHIND;
        if (ends) {
            hold |= ENDS;
            final_mark = bench_random() >> 1; // what it shows when it is complete, its vector patched
        }
        if (complete) hold |= COMPLETE;
        if (trigger && waits && (!ends || kept)) hold |= FURTHER;
        else if (trigger && (!held || room)) hold |= TAKEN | (instant ? INSTANT | (held ? 0u : (unsigned)COMPLETE) : 0);
        else if (trigger) hold |= LOST;
        top->acknowledge_i = acknowledge;
        top->announce_i = announce;
        top->partial_i = bench_below(2); // counts where a sample is taken
        top->hold_i = hold;
        top->mark_i = !held ? next : complete ? final_mark : mark;
        top->eval();
        for (Reader &r : readers) {
            r.check_before(n, acknowledge);
            r.cycle(n, hold, announce, next, final_mark, acknowledge);
        }
        if (complete && room) held = waits = false;
        if (ends) waits = false;
        if ((hold & TAKEN) && !(!held && instant && room && !complete)) {
            held = true;
            waits = !instant;
            behind = false;
            mark = next;
            final_mark = next;
        }
        edge();
    }
    for (const Reader &r : readers) {
        const struct counts &s = r.sum;
        uint64_t flight = r.has() + held;
        bench_check(s.triggers == s.delivered + flight + s.further + s.lost, "%llu triggers, %llu samples read, %llu in flight, %llu further, %llu lost",
                    (unsigned long long)s.triggers, (unsigned long long)s.delivered, (unsigned long long)flight, (unsigned long long)s.further, (unsigned long long)s.lost);
        bench_check(s.delivered > cycles / 50 && s.further > cycles / 50 && s.lost > cycles / 50 && s.both > cycles / 50 && s.interrupts > cycles / 50 && s.hidden > 20,
                    "%llu read, %llu further, %llu lost, %llu cycles with two, %llu interrupts: the test is too weak", (unsigned long long)s.delivered,
                    (unsigned long long)s.further, (unsigned long long)s.lost, (unsigned long long)s.both, (unsigned long long)s.interrupts);
    }
    bench_check(readers[0].sum.full > 200 && readers[1].sum.full == 0, "%llu and %llu triggers found a count full", (unsigned long long)readers[0].sum.full,
                (unsigned long long)readers[1].sum.full);
}

// The cycle is counted from reset on, beyond the sample that the reset threw away.
static void test_reset() {
    reset();
    top->hold_i = TAKEN | INSTANT | COMPLETE;
    top->announce_i = 1;
    edge();
    bench_check(top->ready_o == 3 && top->interrupt_o == 3 && top->ready_pulse_o == 3, "a sample: ready %u interrupt %u", top->ready_o, top->interrupt_o);
    top->rst_ni = 0;
    edge();
    bench_check(top->ready_o == 0 && top->interrupt_o == 0 && top->ready_pulse_o == 0, "reset: ready %u interrupt %u", top->ready_o, top->interrupt_o);
    reset();
    for (unsigned i = 0; i < 5; i++) edge();
    top->hold_i = TAKEN | INSTANT | COMPLETE;
    edge();
    bench_check(top->cycle_o[0] == 5 && top->cycle_o[1] == 5, "cycle %llu, expected 5", (unsigned long long)top->cycle_o[0]);
}

// An acknowledge in the cycle in which the next one is complete: back to back, ready without a gap, and the pulse comes again.
static void test_back_to_back() {
    reset();
    for (unsigned i = 0; i < 4; i++) {
        top->hold_i = TAKEN | INSTANT | COMPLETE;
        top->mark_i = 100 + i;
        top->acknowledge_i = i > 0;
        edge();
        bench_check(top->ready_o == 3 && top->ready_pulse_o == 3 && top->mark_o[0] == 100 + i && top->cycle_o[0] == i, "sample %u: 0x%llx", i, (unsigned long long)top->mark_o[0]);
    }
    top->hold_i = 0;
    edge();
    bench_check(top->ready_o == 0, "acknowledged");
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    reset();
    test_reset();
    test_back_to_back();
    test_random(100000);
    top->final();
    delete top;
    return bench_end();
}
