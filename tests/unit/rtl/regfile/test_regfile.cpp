// The register file against an array: random reads and writes on all ports, often of the same few registers.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>
#include <vector>

int main(int argc, char **argv) {
    bench_seed(argc, argv, 6);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    auto clock = [&] {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    };
    top->rst_ni = 0;
    top->write_i = 0;
    clock();
    top->rst_ni = 1;
    top->eval();
    const unsigned pregs = top->pregs_o, readers = top->readers_o, writers = top->writers_o;
    std::vector<uint64_t> regs(pregs, 0);
    std::vector<bool> known(pregs, false); // x0..x31 start as zero, the others with anything
    for (unsigned r = 0; r < 32; r++) known[r] = true;
    unsigned forwarded = 0, held_back = 0, retired = 0;
    top->retire_i = 0;

    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        unsigned some = bench_below(2) ? pregs : 8;
        std::vector<int> writer(pregs, -1);
        top->write_i = 0;
        for (unsigned w = 0; w < writers; w++) {
            unsigned pd = 1 + bench_below(some - 1);
            top->write_pd_i[w] = (SData)pd;
            top->write_data_i[w] = bench_random();
            if (cycle < 20 || bench_below(2) || writer[pd] >= 0) continue; // a register has one writer at a time
            writer[pd] = (int)w;
            top->write_i |= (SData)(1u << w);
        }
        for (unsigned r = 0; r < readers; r++) top->read_i[r] = (SData)(cycle < 20 ? (cycle * readers + r) % 32 : bench_below(some));
        // What retires has been written before: it shows what the register holds, whatever is written in this cycle.
        top->retire_i = (CData)bench_below(256);
        for (unsigned k = 0; k < top->lanes_o; k++) top->retire_pd_i[k] = (SData)bench_below(some);
        top->eval();
        for (unsigned k = 0; k < top->lanes_o; k++) {
            unsigned reg = top->retire_pd_i[k];
            bool valid = top->retire_i >> k & 1;
            if (valid && !known[reg]) continue;
            uint64_t want = valid ? regs[reg] : 0;
            bench_check(top->retired_o[k] == want, "cycle %u: lane %u retires %lx from register %u, expected %lx", cycle, k, top->retired_o[k], reg, want);
            retired += valid && writer[reg] >= 0;
        }
        for (unsigned r = 0; r < readers; r++) {
            unsigned reg = top->read_i[r];
            bool forward = writer[reg] >= 0 && (top->forwards_o >> writer[reg] & 1);
            if (!forward && !known[reg]) continue;
            uint64_t want = forward ? top->write_data_i[writer[reg]] : regs[reg];
            bench_check(top->data_o[r] == want, "cycle %u: register %u reads %lx, expected %lx", cycle, reg, top->data_o[r], want);
            forwarded += forward;
            held_back += writer[reg] >= 0 && !forward;
        }
        clock();
        for (unsigned reg = 1; reg < pregs; reg++)
            if (writer[reg] >= 0) {
                regs[reg] = top->write_data_i[writer[reg]];
                known[reg] = true;
            }
    }
    bench_check(forwarded > 1000 && held_back > 1000 && retired > 1000, "forwarded %u, held back %u, retired %u", forwarded, held_back, retired);
    top->final();
    return bench_end();
}
