// lsu_tlb_wait against a list in age order.
//
// Instructions come by ports that are two cycles long, as from the issue queue: what issues while a port is not held
// is in EX two cycles later, and misses or not. Checked in every cycle: the walk asked for is that of the oldest that
// has none coming, one at a time; the oldest that is ready, or becomes it in this cycle, is chosen, and may enter EX again in the next one, with
// everything it brought and the end of its walk; port 0 is kept clear from when it is ready; there is always room; the end of
// a walk serves all that it answers for, and nobody else.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>
#include <vector>

struct waiting {
    uint64_t place, vpn, base, data;
    unsigned imm;
    bool ready, page_fault, access_fault;
    unsigned level, perms;
    uint64_t ppn;
};

struct rates { // percent
    unsigned issue, miss, squash, ready, end, take, pages, fault;
};

static unsigned rob_entries;
static struct {
    unsigned full, squashed, shared, same_cycle, fetch, flush, stale, faults, again, blocked;
} seen;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}
static uint16_t index_of(uint64_t place) {
    return (uint16_t)(((place / rob_entries) & 1) << 15 | place % rob_entries);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 23);
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
    unsigned ports = top->ports_o, entries = top->entries_o;
    rob_entries = top->rob_entries_o;

    std::vector<struct waiting> list; // by age
    std::deque<uint64_t> pool;        // places that may issue, in any order
    uint64_t next_place = 0;
    std::vector<int64_t> rr(ports, -1), ex(ports, -1);
    bool walking = false, stale = false;
    uint64_t chosen = ~0ull; // place of the one that a register offers to EX
    uint64_t walk_vpn = 0;
    struct rates r = {};

    for (unsigned cycle = 0; cycle < 300000 && bench_failed < 20; cycle++) {
        if (cycle % 256 == 0)
            r = {10 + bench_below(91), bench_below(101),     percent(50) ? 0 : bench_below(10), bench_below(101), 1 + bench_below(60),
                 percent(50) ? 100 : bench_below(101), 1 + bench_below(20), bench_below(60)};

        // ---- squash ----
        uint64_t oldest = next_place;
        for (uint64_t p : pool) oldest = p < oldest ? p : oldest;
        for (const auto &w : list) oldest = w.place < oldest ? w.place : oldest;
        for (unsigned p = 0; p < ports; p++) {
            if (rr[p] >= 0 && (uint64_t)rr[p] < oldest) oldest = (uint64_t)rr[p];
            if (ex[p] >= 0 && (uint64_t)ex[p] < oldest) oldest = (uint64_t)ex[p];
        }
        uint64_t end = next_place;
        top->squash_i = top->squash_all_i = 0;
        if (next_place > oldest && percent(r.squash)) {
            uint64_t place = oldest + bench_below((unsigned)(next_place - oldest));
            top->squash_i = 1;
            top->squash_all_i = percent(20);
            top->squash_rob_i = index_of(place);
            end = top->squash_all_i ? oldest : place + 1;
        }

        // ---- flush: only when nothing waits and nothing is on its way ----
        bool flush = list.empty() && oldest == next_place && percent(10);
        top->flush_i = flush;

        // ---- the end of the walk, or of one of the front end ----
        bool fetch = percent(5), ends = !fetch && (walking || stale) && percent(r.end);
        top->end_valid_i = fetch || ends;
        top->end_fetch_i = fetch;
        top->end_vpn_i = fetch && percent(50) ? bench_random() & 0x7ffffff : walk_vpn;
        top->end_level_i = (CData)(percent(70) ? 0 : 1 + bench_below(2));
        top->end_ppn_i = bench_random() & 0xfffffffffff;
        top->end_perms_i = bench_random() & 63;
        top->end_page_fault_i = percent(r.fault);
        top->end_access_fault_i = !top->end_page_fault_i && percent(r.fault);
        top->walk_ready_i = !stale && percent(r.ready);
        bool fault = top->end_page_fault_i || top->end_access_fault_i, mine = ends && walking && !flush;
        auto answers = [&](uint64_t vpn) {
            unsigned shift = fault ? 0 : 9 * top->end_level_i;
            return mine && vpn >> shift == walk_vpn >> shift;
        };
        seen.fetch += fetch && walking;

        // ---- misses in EX ----
        std::vector<struct waiting> come;
        top->miss_i = 0;
        for (unsigned p = 0; p < ports; p++) {
            if (ex[p] < 0 || (uint64_t)ex[p] >= end || !percent(r.miss)) continue;
            struct waiting w = {};
            w.place = (uint64_t)ex[p];
            w.vpn = (uint64_t)bench_below(r.pages) * (percent(50) ? 1 : 0x40200) & 0x7ffffff;
            w.base = bench_random();
            w.data = bench_random();
            w.imm = bench_below(4096);
            top->miss_i |= (CData)(1u << p);
            top->miss_rob_i[p] = index_of(w.place);
            top->miss_base_i[p] = w.base;
            top->miss_data_i[p] = w.data;
            top->miss_imm_i[p] = (SData)w.imm;
            top->miss_vpn_i[p] = w.vpn;
            come.push_back(w);
        }
        bool fresh = ex[0] >= 0;
        top->again_take_i = 0;
        top->eval();

        // ---- what it says ----
        const struct waiting *walk = nullptr, *again = nullptr;
        for (const auto &w : list) {
            if (!w.ready && !walk) walk = &w;
            if (w.place == chosen) again = &w;
        }
        if (walking || flush) walk = nullptr;
        bench_check(top->walk_valid_o == (walk != nullptr) && (!walk || top->walk_vpn_o == walk->vpn), "cycle %u: walk %d of %lx, expected %d of %lx",
                    cycle, top->walk_valid_o, top->walk_vpn_o, walk != nullptr, walk ? walk->vpn : 0);
        bench_check(top->again_valid_o == (again != nullptr), "cycle %u: ready %d", cycle, top->again_valid_o);
        if (again) {
            bench_check(top->again_rob_o == index_of(again->place) && top->again_base_o == again->base && top->again_data_o == again->data &&
                            top->again_rest_o == (1u << 12 | again->imm),
                        "cycle %u: place %lu enters again as rob %04x, base %lx, data %lx, rest %lx", cycle, again->place, top->again_rob_o, top->again_base_o,
                        top->again_data_o, top->again_rest_o);
            bench_check(top->again_page_fault_o == again->page_fault && top->again_access_fault_o == again->access_fault, "cycle %u: faults %d %d", cycle,
                        top->again_page_fault_o, top->again_access_fault_o);
            if (!again->page_fault && !again->access_fault)
                bench_check(top->again_level_o == again->level && top->again_ppn_o == again->ppn && top->again_perms_o == again->perms,
                            "cycle %u: leaf %u %lx %02x, expected %u %lx %02x", cycle, top->again_level_o, top->again_ppn_o, top->again_perms_o, again->level,
                            again->ppn, again->perms);
        }
        bool any_ready = false;
        for (const auto &w : list) any_ready |= w.ready;
        if (any_ready) bench_check(top->hold_o & 1, "cycle %u: port 0 is not kept clear", cycle);
        bench_check(top->fill_o == (mine && !fault), "cycle %u: fill %d", cycle, top->fill_o);
        if (list.empty()) bench_check(top->hold_o == 0, "cycle %u: issue is held for nothing", cycle);
        bench_check(list.size() + come.size() <= entries, "cycle %u: no room", cycle);
        // Held for lack of room only when one cycle's issue more could have none.
        if (ports > 1 && (top->hold_o >> 1 & 1)) bench_check(list.size() + 3 * ports > entries, "cycle %u: held with %zu waiting", cycle, list.size());
        seen.full += top->hold_o == (1u << ports) - 1 && !any_ready;
        bool take = again && !fresh && percent(r.take);
        top->again_take_i = take;
        seen.again += take;
        seen.blocked += again && fresh;
        top->eval();

        // ---- what the cycle does ----
        uint64_t taken = take ? again->place : ~0ull;
        bool accepted = walk && top->walk_ready_i;
        uint64_t accepted_vpn = walk ? walk->vpn : 0;
        unsigned served = 0;
        for (auto *group : {&list, &come})
            for (auto &w : *group)
                if (!w.ready && answers(w.vpn)) {
                    w.ready = true;
                    w.page_fault = top->end_page_fault_i;
                    w.access_fault = top->end_access_fault_i;
                    w.level = top->end_level_i;
                    w.ppn = top->end_ppn_i;
                    w.perms = top->end_perms_i;
                    served++;
                    seen.faults += fault;
                    seen.same_cycle += group == &come;
                }
        seen.shared += served > 1;
        if (!again || take) { // the oldest of the others that are ready is chosen
            chosen = ~0ull;
            for (const auto &w : list)
                if (w.ready && w.place != taken && chosen == ~0ull) chosen = w.place;
        }
        if (chosen >= end) chosen = ~0ull;
        for (const auto &w : come) list.push_back(w);
        for (size_t k = 0; k < list.size();)
            if (list[k].place == taken || list[k].place >= end) {
                seen.squashed += list[k].place >= end;
                list.erase(list.begin() + (long)k);
            } else
                k++;
        for (size_t k = 1; k < list.size(); k++) // by age
            for (size_t i = k; i > 0 && list[i].place < list[i - 1].place; i--) std::swap(list[i], list[i - 1]);
        if (ends) walking = stale = false;
        if (flush) {
            seen.flush++;
            stale = walking && percent(50); // the walker drops it, or goes on to an end that counts for nothing
            seen.stale += stale;
            walking = false;
        }
        if (accepted) {
            walking = true;
            walk_vpn = accepted_vpn;
        }
        for (unsigned p = 0; p < ports; p++) {
            ex[p] = rr[p] >= 0 && (uint64_t)rr[p] < end ? rr[p] : -1;
            rr[p] = -1;
            if (top->squash_i || (top->hold_o >> p & 1) || pool.empty() || !percent(r.issue)) continue;
            size_t k = bench_below((unsigned)pool.size());
            rr[p] = (int64_t)pool[k];
            pool.erase(pool.begin() + (long)k);
        }
        if (top->squash_i) {
            next_place = end;
            while (!pool.empty() && pool.back() >= end) pool.pop_back();
        } else if (bench_below(8)) // now and then everything runs dry
            while (pool.size() < 8 && next_place - oldest < rob_entries - 1 && cycle % 256 < 224) pool.push_back(next_place++);
        clock();
    }
    const struct {
        const char *what;
        unsigned count;
    } corners[] = {{"held for lack of room", seen.full}, {"squashed", seen.squashed},        {"one walk for many", seen.shared}, {"answered as it comes", seen.same_cycle},
                   {"end of a fetch walk", seen.fetch},  {"flush", seen.flush},              {"stale walk", seen.stale},         {"fault", seen.faults},
                   {"entered again", seen.again},        {"ready after a fresh one", seen.blocked}};
    for (const auto &c : corners) bench_check(c.count >= 20, "not reached often enough: %s, %u times", c.what, c.count);
    top->final();
    return bench_end();
}
