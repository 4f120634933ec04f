// TLB: random fills of the three page sizes that overlap often, lookups on both ports, flushes, in several address spaces.
//
// Some fills are global. Flushes empty everything, entries of an address space, of a page, and of a page in one address space.
//
// The model is a list of the mappings that must be present. A fill takes from it what it overlaps; if the TLB was full
// and nothing went, exactly one other mapping may be lost, which one is found out by looking all of them up. That must
// not be one of those looked up twice just before (not recently used means that of up to all but one entry).
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <algorithm>
#include <memory>
#include <vector>

struct mapping {
    uint64_t vpn, leaf; // leaf: global 52, level 51:50, ppn 49:6, permissions 5:0
    unsigned asid;
    unsigned level() const { return leaf >> 50 & 3; }
    bool global() const { return leaf >> 52 & 1; }
    bool covers(uint64_t page) const { return page >> 9 * level() == vpn >> 9 * level(); }
    bool answers(uint64_t page, unsigned space) const { return covers(page) && (global() || space == asid); }
};

struct bench {
    std::unique_ptr<Vtop> top = std::make_unique<Vtop>();
    std::vector<struct mapping> held;
    unsigned entries, evictions = 0, twins = 0, hits = 0, misses = 0, others = 0, flushes[2][2] = {}, kept = 0;

    explicit bench(bool which) : entries(which ? 16 : 5) {
        top->which_i = which;
        top->rst_ni = 0;
        clock();
        top->rst_ni = 1;
    }
    ~bench() { top->final(); }

    void clock() {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
        top->fill_i = top->flush_i = top->walks_i = top->look_valid_i = 0;
    }

    // Few enough pages that mappings meet, more for the larger TLB, in both halves of the address space.
    uint64_t page() const {
        return (uint64_t)(bench_below(2) * 0x100 + bench_below(3)) << 18 | (uint64_t)(bench_below(3) * 0xff) << 9 | bench_below(entries) * 0x1f;
    }
    unsigned level() const { return bench_below(entries) < 3 ? 1 + bench_below(2) : 0; }

    // Some differ in one bit, the highest or the lowest.
    static unsigned space() {
        static const unsigned few[] = {0, 1, 2, 129};
        return few[bench_below(4)];
    }

    const struct mapping *find(uint64_t vpn) const {
        for (const struct mapping &m : held)
            if (m.answers(vpn, top->asid_i)) return &m;
        return nullptr;
    }

    // Drives one port and compares with the model.
    void look(unsigned port, uint64_t vpn) {
        top->look_valid_i |= (CData)(1 << port);
        top->look_vpn_i[port] = (IData)vpn;
        top->eval();
        const struct mapping *m = find(vpn);
        bool hit = (top->hit_o >> port) & 1;
        bench_check(hit == (m != nullptr), "port %u, page %lx: hit %d", port, vpn, hit);
        if (m && hit) bench_check(top->leaf_o[port] == m->leaf, "port %u, page %lx: leaf %lx, expected %lx", port, vpn, (uint64_t)top->leaf_o[port], m->leaf);
        hits += hit;
        misses += !hit;
        for (const struct mapping &h : held) others += !hit && h.covers(vpn);
    }

    // A page in `m` at random.
    static uint64_t inside(const struct mapping &m) {
        uint64_t low = ((uint64_t)1 << 9 * m.level()) - 1;
        return (m.vpn & ~low) | (bench_random() & low);
    }

    void fill(const std::vector<size_t> &in_use) { // indices of held
        struct mapping m = {page(), (uint64_t)(bench_below(4) == 0) << 52 | (uint64_t)level() << 50 | (bench_random() >> 14), space()};
        top->asid_i = (CData)m.asid;
        top->fill_i = 1;
        top->fill_vpn_i = (IData)m.vpn;
        top->fill_leaf_i = m.leaf;
        if (bench_below(3) == 0) look(bench_below(2), page()); // a lookup in the cycle of the fill sees what was present before
        clock();
        size_t before = held.size();
        unsigned widest = m.level();
        held.erase(std::remove_if(held.begin(), held.end(),
                                  [&](const struct mapping &h) {
                                      unsigned wide = std::max(widest, h.level());
                                      return h.vpn >> 9 * wide == m.vpn >> 9 * wide && (h.global() || m.global() || h.asid == m.asid);
                                  }),
                   held.end());
        bool overlaps = held.size() != before;
        twins += overlaps;
        if (before == entries && !overlaps) {
            evictions++;
            std::vector<struct mapping> stayed;
            for (const struct mapping &h : held) {
                top->look_valid_i = 1;
                top->look_vpn_i[0] = (IData)h.vpn;
                top->asid_i = (CData)h.asid;
                top->eval();
                bool is_used = std::find(in_use.begin(), in_use.end(), (size_t)(&h - held.data())) != in_use.end();
                if (top->hit_o & 1) stayed.push_back(h);
                else bench_check(!is_used, "a mapping in use was thrown out");
                clock();
            }
            bench_check(stayed.size() == before - 1, "a fill threw out %zu", before - stayed.size());
            held = stayed;
        }
        held.push_back(m);
    }

    void flush() {
        bool by_asid = bench_below(3), by_page = bench_below(3);
        struct mapping any = held.empty() ? (struct mapping){page(), 0, space()} : held[bench_below((unsigned)held.size())];
        unsigned space_named = bench_below(3) ? any.asid : space();
        uint64_t page_named = bench_below(4) ? inside(any) : page();
        top->flush_i = 1;
        top->by_asid_i = by_asid;
        top->flush_asid_i = (CData)space_named;
        top->by_page_i = by_page;
        top->flush_vpn_i = (IData)page_named;
        size_t before = held.size();
        held.erase(std::remove_if(held.begin(), held.end(),
                                  [&](const struct mapping &h) {
                                      return (!by_asid || (!h.global() && h.asid == space_named)) && (!by_page || h.covers(page_named));
                                  }),
                   held.end());
        flushes[by_asid][by_page] += held.size() != before;
        kept += (unsigned)held.size();
    }

    void step() {
        unsigned dice = bench_below(100);
        std::vector<size_t> in_use;
        top->asid_i = (CData)space();
        if (dice < 30) {
            if (!held.empty()) {
                unsigned count = bench_below(std::min((unsigned)held.size(), entries - 1) + 1);
                while (in_use.size() < count) {
                    size_t one = bench_below((unsigned)held.size());
                    if (std::find(in_use.begin(), in_use.end(), one) == in_use.end()) in_use.push_back(one);
                }
            }
            for (int pass = 0; pass < 2; pass++)
                for (size_t i = 0; i < in_use.size(); i++) {
                    top->asid_i = (CData)held[in_use[i]].asid;
                    look(bench_below(2), held[in_use[i]].vpn);
                    clock();
                }
            fill(in_use);
        } else if (dice < 31 || (dice < 34 && entries == 5)) {
            flush();
            if (bench_below(2)) { // a fill in the cycle of a flush is lost
                top->fill_i = 1;
                top->fill_vpn_i = (IData)page();
                top->fill_leaf_i = (uint64_t)bench_below(3) << 50;
            }
            clock();
        } else if (dice < 40) { // what drops walks drops no entry
            top->walks_i = 1;
            clock();
        } else {
            for (unsigned port = 0; port < 2; port++)
                if (bench_below(3)) look(port, held.empty() || bench_below(2) ? page() ^ bench_below(3) : inside(held[bench_below((unsigned)held.size())]));
            clock();
        }
    }
};

int main(int argc, char **argv) {
    bench_seed(argc, argv, 39);
    for (bool which : {false, true}) {
        struct bench b(which);
        for (unsigned i = 0; i < 60000 && bench_failed < 20; i++) b.step();
        printf("%u entries: %u hits, %u misses, %u of them with other spaces' pages there, %u fills over others, %u evictions; %u kept by flushes\n", b.entries, b.hits,
               b.misses, b.others, b.twins, b.evictions, b.kept);
        for (unsigned kind = 0; kind < 4; kind++)
            bench_check(b.flushes[kind >> 1][kind & 1] > 20, "flush by space %u, by page %u dropped something %u times", kind >> 1, kind & 1, b.flushes[kind >> 1][kind & 1]);
        bench_check(b.others > 1000 && b.kept > 100, "address spaces: not reached");
        bench_check(b.hits > 10000 && b.misses > 10000 && b.twins > 1000 && b.evictions > 50, "random run did not reach its purpose");
        // a lookup without look_valid_i says nothing
        b.top->look_valid_i = 0;
        b.top->look_vpn_i[0] = b.held.empty() ? 0 : (IData)b.held[0].vpn;
        b.top->eval();
        bench_check(b.top->hit_o == 0, "hit of no lookup");
    }
    return bench_end();
}
