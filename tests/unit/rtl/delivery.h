// From triggers to what software reads, a second time: the samples that a unit must deliver, worked out from what each
// cycle of a run shows, with the end of each sample looked up in the recorded run. Facts, not states:
//
// A sample belongs to its trigger's own cycle. It waits until it is complete: Drained until the first instruction
// dispatches, and with vectors Drained and Stalled until their instruction leaves the ROB. Meanwhile a trigger is one
// more of it; also in the last cycle, where that is still the instruction's: its dispatch or its exception. At most two
// samples are held, one that can be read and the next one; a trigger that finds two is lost. The interrupt comes with
// the cycle after the one in which a sample that is to announce is complete, or such a trigger is lost.
#ifndef TIPOFF_RTL_DELIVERY_H
#define TIPOFF_RTL_DELIVERY_H

#include <deque>
#include <stdint.h>
#include <vector>

// What a cycle shows: the selection, and what happens at the ROB's two ends.
struct fact {
    unsigned state, lanes, oldest, flags, priv, psv[8]; // 0 Computing, 1 Stalled, 2 Flushed, 3 Drained
    uint64_t addr[8], space;
    bool dispatches, commits, excepts, empty, partial; // partial: a sample of this cycle may lack events
    uint64_t dispatch_pc;
    unsigned head_psv, exception_psv; // of the oldest
};

struct emitted {
    struct fact sample;
    uint64_t cycle;             // from reset
    unsigned first, named, end; // cycles of the run: trigger, dispatch of a Drained one, complete
    bool its;                   // the last cycle is still the instruction's
    bool announces;
    unsigned readable; // from this cycle on, if it is the first of the two
    uint32_t repeats, stalled;
};

class Delivery {
  public:
    Delivery(const std::vector<fact> &run, bool tea) : run(run), tea(tea) {}

    bool ready(unsigned c) const { return !samples.empty() && samples[0].readable <= c; }
    bool fresh(unsigned c) const { return !samples.empty() && samples[0].readable == c; }
    const struct emitted &front() const { return samples[0]; }

    // Cycle c of the run, `cycle` from reset; then taken, further, lost_now speak of it, interrupts of the next one.
    void cycle(unsigned c, uint64_t cycle, bool trigger, bool announce, bool acknowledge) {
        taken = further = lost_now = interrupts = false;
        if (acknowledge && ready(c)) {
            samples.pop_front();
            delivered++;
            if (!samples.empty()) samples[0].readable = (samples[0].end > c ? samples[0].end : c) + 1;
        }
        if (trigger) {
            triggers++;
            struct emitted *last = samples.empty() ? nullptr : &samples.back();
            if (last && (c < last->end || (c == last->end && last->its && c > last->first))) {
                bool behind = last->sample.state == 3 && c > last->named;
                further = true;
                last->announces |= announce;
                ++*(behind ? &last->stalled : &last->repeats);
                repeats += !behind;
                stalled += behind;
            } else if (samples.size() < 2) {
                taken = true;
                samples.push_back(emit(c));
                samples.back().cycle = cycle;
                samples.back().announces = announce;
                if (samples.size() == 1) samples[0].readable = samples[0].end + 1;
            } else {
                lost_now = true;
                lost++;
                interrupts = announce;
            }
        }
        for (const struct emitted &s : samples)
            interrupts |= s.end == c && s.announces;
    }

    bool taken = false, further = false, lost_now = false, interrupts = false;
    uint64_t triggers = 0, delivered = 0, repeats = 0, stalled = 0, lost = 0;
    unsigned in_flight() const { return (unsigned)samples.size(); }

  private:
    struct emitted emit(unsigned c) const {
        const unsigned never = ~0u - 1;
        struct emitted t = {run[c], 0, c, c, c, true, false, 0, 0, 0};
        if (t.sample.state == 3) {
            while (t.named < run.size() && !run[t.named].dispatches)
                t.named++;
            t.end = t.named;
            if (t.named == run.size()) {
                t.end = t.named = never;
                return t;
            }
            t.sample.lanes = 1;
            t.sample.addr[0] = run[t.named].dispatch_pc;
        } else if (t.sample.state != 1 || run[c].excepts) {
            return t;
        }
        if (!tea) return t;
        for (t.end++; t.end < run.size(); t.end++) {
            const struct fact &f = run[t.end];
            if (!f.commits && !f.excepts && !f.empty) continue;
            t.its = f.excepts;
            if (f.commits || f.excepts) t.sample.psv[t.sample.oldest] = f.excepts ? f.exception_psv : f.head_psv;
            return t;
        }
        t.end = never;
        return t;
    }

    const std::vector<fact> &run;
    bool tea;
    std::deque<emitted> samples; // oldest first
};

#endif
