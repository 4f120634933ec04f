// Events of memory instructions, at random: who is named on which port and with what, as the header's table says.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 50000 };

static Vtop *top;
static unsigned long named[5];

static void check(unsigned port, bool valid, unsigned rob, unsigned psv) {
    bench_check((top->event_o >> port & 1) == valid, "port %u: an event: %x", port, top->event_o);
    if (!valid) return;
    bench_check(top->rob_o[port] == rob && top->psv_o[port] == psv, "port %u: %u with %x, expected %u with %x", port,
                top->rob_o[port], top->psv_o[port], rob, psv);
    named[port]++;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 81);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->eval();
    const unsigned ports = top->ports_o, mask = (1u << top->rob_bits_o) - 1;
    for (unsigned step = 0; step < STEPS; step++) {
        top->tlb_miss_i = (CData)bench_below(4);
        top->missed_i = (CData)bench_below(4);
        top->llc_i = (CData)bench_below(4);
        top->amo_i = bench_below(4) == 0;
        top->res_i = top->amo_i ? 0 : (CData)bench_below(4); // an AMO is alone
        top->peer_i = (CData)bench_below(4);
        top->oldest_i = (CData)bench_below(4);
        for (unsigned p = 0; p < 2; p++) {
            top->tlb_rob_i[p] = (SData)(bench_random() & mask);
            top->res_rob_i[p] = (SData)(bench_random() & mask);
        }
        top->oldest_rob_i = (SData)(bench_random() & mask);
        top->amo_rob_i = (SData)(bench_random() & mask);
        top->amo_psv_i = bench_below(2) ? top->st_l1_o : top->st_llc_o;
        top->eval();
        for (unsigned p = 0; p < ports; p++) {
            bool missed = top->missed_i >> p & 1, llc = top->llc_i >> p & 1, peer = top->peer_i >> p & 1;
            unsigned psv = (missed ? top->st_l1_o : 0) | (llc ? top->st_llc_o : 0) | (peer ? top->st_coh_o : 0);
            if (p == 0 && top->amo_i)
                check(p, true, top->amo_rob_i, top->amo_psv_i);
            else
                check(p, (top->res_i >> p & 1) && psv != 0, top->res_rob_i[p], psv);
            check(ports + p, top->tlb_miss_i >> p & 1, top->tlb_rob_i[p], top->st_tlb_o);
        }
        const unsigned met = (top->oldest_i & 1 ? top->st_llc_o : 0) | (top->oldest_i & 2 ? top->st_coh_o : 0);
        check(2 * ports, met != 0, top->oldest_rob_i, met);
    }
    for (unsigned p = 0; p <= 2 * ports; p++)
        bench_check(named[p] > 1000, "port %u named %lu times", p, named[p]);
    top->final();
    return bench_end();
}
