// Memory attributes of an address. The expectation is worked out from first and last bytes of the regions of a random map,
// at their edges, within and between them.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>
#include <vector>

struct region {
    uint64_t first, last; // bytes
    unsigned is;
};

static const struct region *find(const std::vector<struct region> &map, uint64_t address) {
    for (const struct region &r : map)
        if (address >= r.first && address <= r.last) return &r;
    return nullptr;
}

// Regions of 1 byte to half of all addresses that do not overlap, at multiples of their size.
static std::vector<struct region> random_map(unsigned most) {
    std::vector<struct region> map;
    for (unsigned tries = bench_below(3 * most); tries > 0 && map.size() < most; tries--) {
        unsigned log = bench_below(64);
        uint64_t first = bench_random() >> log << log, last = first + (((uint64_t)1 << log) - 1);
        bool free = true;
        for (const struct region &r : map) free = free && (last < r.first || first > r.last);
        if (free) map.push_back({first, last, bench_below(32)});
    }
    return map;
}

static void drive(Vtop *top, const std::vector<struct region> &map, unsigned regions) {
    for (unsigned i = 0; i < regions; i++) {
        bool used = i < map.size();
        top->base_i[i] = used ? map[i].first : bench_random();
        top->mask_i[i] = used ? ~(map[i].last - map[i].first) : 0;
        top->is_i[i] = (CData)(used ? map[i].is : 0); // one that is not used has no attributes
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 5);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    top->eval();
    const unsigned regions = top->regions_o;
    unsigned inside = 0, outside = 0;
    for (unsigned round = 0; round < 20000; round++) {
        std::vector<struct region> map = random_map(regions);
        drive(top, map, regions);
        for (unsigned n = 0; n < 8; n++) {
            uint64_t address = bench_random();
            if (!map.empty() && bench_below(4)) {
                const struct region &r = map[bench_below((unsigned)map.size())];
                const uint64_t near[] = {r.first, r.last, r.first - 1, r.last + 1, r.first + ((r.last - r.first) & address)};
                address = near[bench_below(5)];
            }
            top->address_i = address;
            top->eval();
            const struct region *r = find(map, address);
            bench_check(top->is_o == (r ? r->is : 0), "address %lx: %x", address, top->is_o);
            ++(r ? inside : outside);
        }
    }
    bench_check(inside > 10000 && outside > 10000, "%u addresses in a region, %u in none", inside, outside);
    top->final();
    return bench_end();
}
