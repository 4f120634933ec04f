// Renaming against a list of instructions in flight.
//
// The model never predicts which register is handed out. It demands that each one is free (in neither the committed map
// nor in flight), that sources and replaced registers are those of the youngest older writer, and that just as many are
// free as the instructions in flight leave. So a register lost or handed out twice, or a wrong map after a
// misprediction or flush, shows at once or when all registers are in use.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>
#include <set>
#include <vector>

struct insn {
    uint64_t number;
    unsigned rd, pd, old; // rd 0: no destination
    bool done, branch, resolved;
    unsigned id, lq, sq; // of a branch
};

struct rates { // percent
    unsigned dispatch, complete, resolve, mispredict, commit, flush;
};

static unsigned width, pregs, branches;
static std::deque<struct insn> flight;
static std::deque<std::pair<uint64_t, unsigned>> numbers; // snapshot numbers that are not given back: instruction, number
static unsigned committed[32];
static std::vector<bool> ready;
static uint64_t next_number;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}
static void clock(Vtop *top) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}
static const struct insn *find(uint64_t number) {
    for (const struct insn &i : flight)
        if (i.number == number) return &i;
    return NULL;
}
static std::vector<unsigned> current_map(void) {
    std::vector<unsigned> map(committed, committed + 32);
    for (const struct insn &i : flight)
        if (i.rd) map[i.rd] = i.pd;
    return map;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 51);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    top->rst_ni = 0;
    clock(top);
    top->rst_ni = 1;
    top->eval();
    width = top->width_o;
    pregs = top->pregs_o;
    branches = top->branches_o;
    for (unsigned r = 0; r < 32; r++) committed[r] = r;
    ready.assign(pregs, true);
    struct rates r = {};
    bool squashing = false, all = false;
    uint64_t wrong = 0; // instruction that squashes
    unsigned wrong_id = 0, empties = 0, fulls = 0, mispredictions = 0, nested = 0, flushes = 0, all_taken = 0;
    uint64_t commits = 0;

    for (unsigned cycle = 0; cycle < 150000 && bench_failed < 20; cycle++) {
        if (cycle % 256 == 0) {
            r.dispatch = 20 + bench_below(81);
            r.complete = 5 + bench_below(60);
            r.resolve = 5 + bench_below(80);
            r.mispredict = bench_below(40);
            r.commit = 20 + bench_below(81);
            r.flush = percent(50) ? 0 : bench_below(6);
        }
        top->squash_i = squashing;
        top->squash_all_i = squashing && all;
        top->squash_snapshot_i = (CData)wrong_id;
        size_t live = flight.size(); // those that outlive the squash
        if (squashing && all) live = 0;
        else if (squashing)
            while (live && flight[live - 1].number > wrong) live--;

        // ---- results: wakes, branches ----
        top->wake_i = 0;
        top->resolve_i = 0;
        unsigned wakes = 0, resolves = 0;
        std::vector<unsigned> woken;
        const struct insn *mispredicted = NULL;
        std::vector<uint64_t> finished;
        for (size_t k = 0; k < live; k++) {
            struct insn *i = &flight[k];
            if (!i->done && !i->branch && wakes < top->wakes_o && percent(r.complete)) {
                finished.push_back(i->number);
                if (i->rd) {
                    top->wake_i |= (SData)(1u << wakes);
                    top->wake_tag_i[wakes++] = (SData)i->pd;
                    woken.push_back(i->pd);
                }
            }
            if (i->branch && !i->resolved && resolves < top->branch_ports_o && (!i->rd || wakes < top->wakes_o) && percent(r.resolve)) {
                top->resolve_i |= (CData)(1u << resolves);
                top->resolve_id_i[resolves++] = (CData)i->id;
                finished.push_back(i->number);
                if (i->rd) { // jalr
                    top->wake_i |= (SData)(1u << wakes);
                    top->wake_tag_i[wakes++] = (SData)i->pd;
                    woken.push_back(i->pd);
                }
                if (!mispredicted && percent(r.mispredict)) mispredicted = i;
            }
        }
        uint64_t now_wrong = mispredicted ? mispredicted->number : 0;
        unsigned now_wrong_id = mispredicted ? mispredicted->id : 0;
        if (mispredicted) top->read_id_i = (CData)mispredicted->id;

        // ---- commit: the oldest that were done before this cycle ----
        top->com_valid_i = 0;
        unsigned leave = 0;
        while (leave < width && leave < live && flight[leave].done && percent(r.commit)) {
            const struct insn *i = &flight[leave];
            if (i->rd) {
                top->com_valid_i |= (CData)(1u << leave);
                top->com_rd_i[leave] = (CData)i->rd;
                top->com_pd_i[leave] = (SData)i->pd;
                top->com_old_i[leave] = (SData)i->old;
            }
            leave++;
            if (squashing && i->number == wrong) break;
        }
        bool flush = live && percent(r.flush);

        // ---- dispatch ----
        top->valid_i = squashing ? (CData)bench_random() : (CData)((1u << bench_below(width + 1)) - 1);
        top->rd_valid_i = top->branch_i = 0;
        for (unsigned l = 0; l < width; l++) {
            unsigned regs = percent(50) ? 32 : 4; // often the same few
            top->rd_i[l] = (CData)bench_below(regs);
            top->rs1_i[l] = (CData)bench_below(regs);
            top->rs2_i[l] = (CData)bench_below(regs);
            top->lq_i[l] = (CData)bench_below(8);
            top->sq_i[l] = (CData)bench_below(8);
            if (percent(25)) top->branch_i |= (CData)(1u << l);
            if (top->rd_i[l] && percent((top->branch_i >> l) & 1 ? 20 : 85)) top->rd_valid_i |= (CData)(1u << l);
        }
        top->fire_i = 0;
        top->eval();
        if (mispredicted)
            bench_check(top->read_lq_o == mispredicted->lq && top->read_sq_o == mispredicted->sq, "cycle %u: queue tails %u %u of snapshot %u, expected %u %u",
                        cycle, top->read_lq_o, top->read_sq_o, mispredicted->id, mispredicted->lq, mispredicted->sq);

        std::vector<struct insn> group;
        if (!squashing) {
            unsigned taken = 0;
            std::set<unsigned> in_use(committed, committed + 32);
            for (const struct insn &i : flight)
                if (i.rd) {
                    in_use.insert(i.pd);
                    taken++;
                }
            bench_check(in_use.size() == 32 + taken, "cycle %u: a register has two owners", cycle);
            std::vector<unsigned> map = current_map();
            std::vector<bool> holds = ready;
            for (unsigned tag : woken) holds[tag] = true;
            unsigned snapshots = (unsigned)numbers.size();
            bool go = percent(r.dispatch);
            unsigned most = bench_below(width) + 1;
            for (unsigned l = 0; l < width && ((top->valid_i >> l) & 1); l++) {
                bool dest = (top->rd_valid_i >> l) & 1, branch = (top->branch_i >> l) & 1;
                bool empty = dest && taken == pregs - 32, full = branch && snapshots == branches;
                bench_check(((top->empty_o >> l) & 1) == empty, "cycle %u: lane %u: empty %u with %u of %u taken", cycle, l, (top->empty_o >> l) & 1, taken,
                            pregs - 32);
                bench_check(((top->full_o >> l) & 1) == full, "cycle %u: lane %u: full %u with %u snapshots", cycle, l, (top->full_o >> l) & 1, snapshots);
                empties += empty;
                fulls += full;
                if (empty || full) break; // later lanes mean nothing
                unsigned ps1 = map[top->rs1_i[l]], ps2 = map[top->rs2_i[l]];
                bench_check(top->ps1_o[l] == ps1 && top->ps2_o[l] == ps2, "cycle %u: lane %u: sources %u %u, expected %u %u", cycle, l, top->ps1_o[l],
                            top->ps2_o[l], ps1, ps2);
                bench_check(((top->ready1_o >> l) & 1) == holds[ps1] && ((top->ready2_o >> l) & 1) == holds[ps2], "cycle %u: lane %u: ready %u %u", cycle, l,
                            (top->ready1_o >> l) & 1, (top->ready2_o >> l) & 1);
                struct insn i = {};
                i.number = next_number + l;
                if (dest) {
                    i.rd = top->rd_i[l];
                    i.pd = top->pd_o[l];
                    i.old = map[i.rd];
                    bench_check(i.pd < pregs && !in_use.count(i.pd), "cycle %u: lane %u: register %u is in use", cycle, l, i.pd);
                    bench_check(top->old_o[l] == i.old, "cycle %u: lane %u: replaces %u, expected %u", cycle, l, top->old_o[l], i.old);
                    in_use.insert(i.pd);
                    taken++;
                    map[i.rd] = i.pd;
                    holds[i.pd] = false;
                }
                if (branch) {
                    i.branch = true;
                    i.id = top->id_o[l];
                    i.lq = top->lq_i[l];
                    i.sq = top->sq_i[l];
                    bool doubled = i.id >= branches;
                    for (const auto &n : numbers) doubled |= n.second == i.id;
                    for (const struct insn &g : group) doubled |= g.branch && g.id == i.id;
                    bench_check(!doubled, "cycle %u: lane %u: snapshot %u is in use", cycle, l, i.id);
                    snapshots++;
                }
                if (!go || group.size() == most) continue;
                if (group.size() == l) group.push_back(i);
            }
            all_taken += taken == pregs - 32;
        }
        top->fire_i = (CData)((1u << group.size()) - 1);
        clock(top);

        // ---- what the cycle did ----
        if (!squashing) { // numbers go back in order, up to `width` a cycle, once resolved
            for (unsigned n = 0; n < width && !numbers.empty(); n++) {
                const struct insn *i = find(numbers.front().first);
                if (i && !i->resolved) break;
                numbers.pop_front();
            }
        }
        for (unsigned tag : woken) ready[tag] = true;
        for (uint64_t number : finished)
            for (struct insn &i : flight)
                if (i.number == number) i.done = i.resolved = true;
        if (squashing) {
            flight.erase(flight.begin() + (long)live, flight.end());
            while (!numbers.empty() && (all || numbers.back().first > wrong)) numbers.pop_back();
        }
        for (unsigned k = 0; k < leave; k++) {
            if (flight.front().rd) committed[flight.front().rd] = flight.front().pd;
            flight.pop_front();
            commits++;
        }
        for (const struct insn &i : group) {
            flight.push_back(i);
            if (i.branch) numbers.push_back({i.number, i.id});
            if (i.rd) ready[i.pd] = false;
        }
        next_number += width;
        nested += squashing && mispredicted;
        mispredictions += mispredicted && !flush;
        flushes += flush;
        squashing = mispredicted || flush;
        all = flush;
        wrong = now_wrong;
        wrong_id = now_wrong_id;
    }
    bench_check(commits > 100 * pregs, "only %lu instructions", commits);
    const struct {
        const char *what;
        unsigned count;
    } corners[] = {{"no register left", empties},        {"no snapshot left", fulls}, {"misprediction", mispredictions},
                   {"one misprediction after another", nested}, {"flush", flushes},          {"all registers in use", all_taken}};
    for (const auto &c : corners) bench_check(c.count >= 5, "not reached often enough: %s, %u times", c.what, c.count);
    top->final();
    return bench_end();
}
