// Fetch buffer against a queue: random packets with holes, random taking, flushes, full and empty.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

struct insn {
    uint64_t pc;
    uint32_t word;
    uint8_t ftq, flags;
};

int main(int argc, char **argv) {
    bench_seed(argc, argv, 31);
    auto top = std::make_unique<Vtop>();
    auto clock = [&] {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    };
    top->push_i = top->flush_i = top->take_i = 0;
    top->rst_ni = 0;
    clock();
    top->rst_ni = 1;
    top->eval();
    unsigned width = top->fetch_width_o, lanes = top->core_width_o, entries = top->entries_o;
    std::deque<struct insn> queue;
    unsigned fullest = 0, refused = 0, emptied = 0, flushed = 0;
    unsigned push_percent = 50, take_percent = 50;

    for (unsigned cycle = 0; cycle < 50000 && bench_failed < 20; cycle++) {
        if (cycle % 256 == 0) {
            push_percent = 10 + bench_below(91);
            take_percent = 10 + bench_below(91);
        }
        top->push_i = top->take_i = 0;
        top->flush_i = bench_below(500) == 0;
        top->eval();
        bench_check(top->ready_o == (entries - queue.size() >= width), "cycle %u: ready %u with %zu in %u", cycle, top->ready_o, queue.size(), entries);
        refused += !top->ready_o;

        unsigned offered = 0;
        for (unsigned l = 0; l < lanes; l++) {
            bool expected = l < queue.size();
            bench_check(((top->valid_o >> l) & 1) == expected, "cycle %u: lane %u valid", cycle, l);
            if (!expected) continue;
            offered++;
            const struct insn *i = &queue[l];
            bench_check(top->pc_o[l] == i->pc && top->insn_o[l] == i->word && top->ftq_o[l] == i->ftq && top->flags_o[l] == i->flags,
                        "cycle %u: lane %u: pc 0x%lx word %08x ftq %u flags %x, expected 0x%lx %08x %u %x", cycle, l, top->pc_o[l],
                        top->insn_o[l], top->ftq_o[l], top->flags_o[l], i->pc, i->word, i->ftq, i->flags);
        }
        unsigned take = bench_below(100) < take_percent ? bench_below(offered + 1) : 0;
        top->take_i = (CData)((1u << take) - 1);

        std::deque<struct insn> packet;
        if (top->ready_o && bench_below(100) < push_percent) {
            top->push_i = 1;
            top->block_i = bench_random() & ~(uint64_t)(2 * width - 1);
            top->slots_i = (uint16_t)bench_random();
            top->rvc_i = (uint16_t)bench_random();
            top->taken_i = (uint16_t)bench_random();
            top->ftq_i = (CData)bench_below(8);
            top->fault_i = bench_below(2);
            top->missed_i = (CData)bench_below(4);
            for (unsigned s = 0; s < width; s++) {
                top->insn_i[s] = (uint32_t)bench_random();
                if (!((top->slots_i >> s) & 1)) continue;
                bool rvc = (top->rvc_i >> s) & 1, taken = (top->taken_i >> s) & 1;
                unsigned missed = packet.empty() ? (top->missed_i & 1u) << 1 | top->missed_i >> 1 : 0;
                packet.push_back({top->block_i + 2 * s - (rvc ? 0 : 2), top->insn_i[s], top->ftq_i,
                                  (uint8_t)(rvc << 4 | taken << 3 | top->fault_i << 2 | missed)});
            }
        }
        clock();
        if (top->flush_i) {
            queue.clear();
            flushed++;
        } else {
            queue.erase(queue.begin(), queue.begin() + take);
            queue.insert(queue.end(), packet.begin(), packet.end());
            emptied += queue.empty();
            if (queue.size() > fullest) fullest = (unsigned)queue.size();
        }
    }
    bench_check(fullest >= entries - 1 && refused > 100 && emptied > 100 && flushed > 10, "not reached: fullest %u, refused %u, emptied %u",
                fullest, refused, emptied);
    top->final();
    return bench_end();
}
