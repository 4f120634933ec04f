// A floating-point port against a list of what is in flight. What counts here is when and for whom, not the values:
// wakes come exactly two cycles before the result that is forwarded, a division wakes with its result, and what a
// squash has killed on its way neither wakes nor writes.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>
#include <vector>

struct flight {
    unsigned issued;   // cycle in RR
    unsigned position; // in the ROB, growing
    unsigned pd;
    bool writes, to_x, divides;
};

enum { TO_X = 2, TO_F = 4 }; // cycles from RR to the result

static const struct flight *find(const std::vector<struct flight> &list, unsigned issued, bool to_x) {
    for (const struct flight &f : list)
        if (f.issued == issued && f.to_x == to_x && !f.divides) return &f;
    return nullptr;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 21);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    auto clock = [&] {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    };
    top->rst_ni = 0;
    clock();
    top->rst_ni = 1;
    top->eval();
    const unsigned ring = 2 * top->entries_o;
    std::vector<struct flight> list; // oldest first, alive
    unsigned next = 0, killed = 0, divisions = 0, f_wakes = 0, x_wakes = 0;

    for (unsigned cycle = 0; cycle < 100000 && bench_failed < 20; cycle++) {
        bool room = list.empty() || next - list.front().position < top->entries_o - 1u;
        unsigned op = bench_below(8) ? bench_below(top->ops_o) : bench_below(2) ? top->div_o : top->sqrt_o;
        bool divides = op == top->div_o || op == top->sqrt_o;
        top->squash_i = bench_below(12) == 0;
        unsigned keep = list.empty() ? next : list.front().position + bench_below(next - list.front().position + 1); // the youngest that stays
        top->squash_rob_i = (SData)(keep % ring);
        struct flight fresh = {cycle, next, 1 + bench_below(30), bench_below(4) != 0, op >= top->first_x_o, divides};
        top->rr_i = room && bench_below(4) && (!divides || top->div_free_o);
        top->op_i = (CData)op;
        top->rob_i = (SData)(next % ring);
        top->pd_i = (SData)fresh.pd;
        top->writes_i = fresh.writes;
        if (top->rr_i) {
            list.push_back(fresh);
            next++;
        }
        if (top->squash_i && keep < next) {
            while (!list.empty() && list.back().position > keep) list.pop_back(), killed++;
            next = keep + 1;
        }
        top->eval();

        const struct flight *f = cycle >= TO_F ? find(list, cycle - TO_F, false) : nullptr;
        const struct flight *x = cycle >= TO_X ? find(list, cycle - TO_X, true) : nullptr;
        const struct flight *f_soon = cycle >= TO_F - 2 ? find(list, cycle - (TO_F - 2), false) : nullptr;
        const struct flight *x_soon = find(list, cycle, true);
        bench_check(top->f_wake_o == (f_soon && f_soon->writes) && (!top->f_wake_o || top->f_wake_tag_o == f_soon->pd), "cycle %u: f wake %u tag %u", cycle,
                    top->f_wake_o, top->f_wake_tag_o);
        bench_check(top->x_wake_o == (x_soon && x_soon->writes) && (!top->x_wake_o || top->x_wake_tag_o == x_soon->pd), "cycle %u: x wake %u tag %u", cycle,
                    top->x_wake_o, top->x_wake_tag_o);
        bench_check(top->x_done_o == (x != nullptr) && (!x || (top->x_rob_o == x->position % ring && top->x_write_o == x->writes)), "cycle %u: x done %u",
                    cycle, top->x_done_o);
        bench_check(!top->x_write_o || top->x_pd_o == x->pd, "cycle %u: x result to %u", cycle, top->x_pd_o);
        f_wakes += top->f_wake_o;
        x_wakes += top->x_wake_o;
        if (!f) { // EX4 is free: a division may come
            for (size_t i = 0; i < list.size() && top->f_done_o; i++)
                if (list[i].divides && list[i].issued < cycle) {
                    f = &list[i];
                    divisions++;
                    break;
                }
        }
        bench_check(top->f_done_o == (f != nullptr) && (!f || (top->f_rob_o == f->position % ring && top->f_write_o == f->writes)), "cycle %u: f done %u",
                    cycle, top->f_done_o);
        bench_check(!top->f_write_o || top->f_pd_o == f->pd, "cycle %u: f result to %u", cycle, top->f_pd_o);
        bench_check(top->late_wake_o == (f && f->divides && f->writes), "cycle %u: late wake %u", cycle, top->late_wake_o);
        // both are found before either is erased
        unsigned gone_f = f ? f->issued : ~0u, gone_x = x ? x->issued : ~0u;
        for (size_t i = 0; i < list.size();)
            if (list[i].issued == gone_f || list[i].issued == gone_x)
                list.erase(list.begin() + (long)i);
            else
                i++;
        for (const struct flight &left : list) bench_check(cycle - left.issued < 200, "cycle %u: issued in %u and never done", cycle, left.issued);
        clock();
    }
    bench_check(killed > 1000 && divisions > 200 && f_wakes > 1000 && x_wakes > 1000, "not reached: killed %u, divisions %u, wakes %u and %u", killed, divisions,
                f_wakes, x_wakes);
    top->final();
    return bench_end();
}
