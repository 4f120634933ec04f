// Dispatch against its rules. The decode registers are modelled: what leaves is made good from behind, so that an
// instruction may wait for many cycles.
#include "../../../../build/gen/events.h"
#include "../../../../build/gen/instructions.h"
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

struct insn {
    unsigned unit;
    bool sfence, serial, rd_valid, dr_l1, dr_tlb, dr_sq;
};

static bool percent(unsigned n) {
    return bench_below(100) < n;
}

static struct insn make(void) {
    static const unsigned units[] = {UNIT_NONE,  UNIT_ALU,  UNIT_ALU, UNIT_BRANCH, UNIT_JAL,   UNIT_JALR, UNIT_MUL, UNIT_DIV,
                                     UNIT_LOAD, UNIT_STORE, UNIT_STORE, UNIT_AMO, UNIT_CSR, UNIT_FENCE, UNIT_SYS};
    struct insn i = {};
    i.unit = units[bench_below(sizeof units / sizeof *units)];
    i.serial = i.unit == UNIT_NONE || i.unit == UNIT_AMO || i.unit == UNIT_CSR || i.unit == UNIT_FENCE || i.unit == UNIT_SYS;
    i.sfence = i.unit == UNIT_FENCE && percent(50);
    i.rd_valid = i.unit != UNIT_BRANCH && i.unit != UNIT_STORE && i.unit != UNIT_NONE && percent(80);
    i.dr_l1 = percent(20);
    i.dr_tlb = percent(20);
    return i;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 9);
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
    const unsigned width = top->width_o;
    std::deque<struct insn> lanes;
    unsigned serials = 0, marked = 0, full_groups = 0, unmarked = 0;

    for (unsigned cycle = 0; cycle < 200000 && bench_failed < 20; cycle++) {
        while (lanes.size() < width && percent(70)) lanes.push_back(make());
        top->squash_i = percent(5);
        top->hold_i = percent(5);
        top->serial_busy_i = percent(10);
        top->rob_empty_i = percent(30);
        top->rob_free_i = (CData)(top->rob_empty_i || percent(70) ? width : bench_below(width + 1));
        unsigned scarce = percent(50) ? 0 : 15;
        unsigned want_int = 0, want_mem = 0, want_load = 0, want_store = 0, want_pd = 0, want_snap = 0;
        top->valid_i = top->sfence_i = top->serial_i = top->rd_valid_i = top->dr_l1_i = top->dr_tlb_i = 0;
        for (unsigned l = 0; l < width; l++) {
            struct insn i = l < lanes.size() ? lanes[l] : make(); // after the valid ones lies anything
            unsigned bit = 1u << l, valid = l < lanes.size() ? bit : 0;
            top->valid_i |= (CData)valid;
            top->unit_i[l] = (CData)i.unit;
            top->sfence_i |= (CData)(i.sfence ? bit : 0);
            top->serial_i |= (CData)(i.serial ? bit : 0);
            top->rd_valid_i |= (CData)(i.rd_valid ? bit : 0);
            top->dr_l1_i |= (CData)(i.dr_l1 ? bit : 0);
            top->dr_tlb_i |= (CData)(i.dr_tlb ? bit : 0);
            if (i.unit == UNIT_LOAD) want_load |= valid;
            if (i.unit == UNIT_STORE) want_store |= valid;
            if (i.unit == UNIT_LOAD || i.unit == UNIT_STORE || i.unit == UNIT_AMO) want_mem |= valid;
            else if (i.unit != UNIT_NONE && (i.unit != UNIT_FENCE || i.sfence) && i.unit != UNIT_SYS) want_int |= valid;
            if (i.unit == UNIT_BRANCH || i.unit == UNIT_JALR) want_snap |= valid;
            if (i.rd_valid) want_pd |= valid;
        }
        auto lacking = [&](unsigned wants) { // only what is wanted can be lacking
            unsigned lacks = 0;
            for (unsigned l = 0; l < width; l++)
                if (percent(scarce)) lacks |= 1u << l;
            return lacks & wants;
        };
        top->int_full_i = (CData)lacking(want_int);
        top->mem_full_i = (CData)lacking(want_mem);
        top->lq_full_i = (CData)lacking(want_load);
        top->sq_full_i = (CData)(percent(30) ? want_store : lacking(want_store));
        top->pd_empty_i = (CData)lacking(want_pd);
        top->snap_full_i = (CData)lacking(want_snap);
        unsigned lacks = top->int_full_i | top->mem_full_i | top->lq_full_i | top->sq_full_i | top->pd_empty_i | top->snap_full_i;
        top->eval();

        bench_check(top->want_int_o == want_int && top->want_mem_o == want_mem && top->want_load_o == want_load && top->want_store_o == want_store &&
                        top->want_pd_o == want_pd && top->want_snap_o == want_snap,
                    "cycle %u: wants", cycle);
        unsigned count = 0;
        bool serial = false;
        while (!top->squash_i && !top->hold_i && !top->serial_busy_i && !serial && count < lanes.size() && count < top->rob_free_i && !((lacks >> count) & 1)) {
            if (lanes[count].serial && (count || !top->rob_empty_i)) break;
            serial = lanes[count].serial;
            count++;
        }
        bench_check(top->fire_o == (1u << count) - 1 && top->fire_count_o == count, "cycle %u: fire %02x (%u), expected %u of %zu", cycle, top->fire_o,
                    top->fire_count_o, count, lanes.size());
        bench_check(top->serial_o == serial, "cycle %u: serial %u", cycle, top->serial_o);
        for (unsigned l = 0; l < count; l++) {
            const struct insn *i = &lanes[l];
            unsigned psv = (unsigned)i->dr_l1 << EVENT_DR_L1 | (unsigned)i->dr_tlb << EVENT_DR_TLB | (unsigned)i->dr_sq << EVENT_DR_SQ;
            bench_check(top->psv_o[l] == psv, "cycle %u: lane %u: psv %03x, expected %03x", cycle, l, top->psv_o[l], psv);
            marked += i->dr_sq;
            unmarked += i->unit == UNIT_STORE && !i->dr_sq;
        }
        serials += serial;
        full_groups += count == width;
        clock();

        if (!lanes.empty() && count == 0 && (top->sq_full_i & 1)) lanes.front().dr_sq = true; // waits as the oldest
        if (top->squash_i) lanes.clear();
        else lanes.erase(lanes.begin(), lanes.begin() + count);
    }
    bench_check(serials > 100 && marked > 100 && unmarked > 100 && full_groups > 100, "not reached: serial %u, DR_SQ %u, without %u, full %u", serials, marked,
                unmarked, full_groups);
    top->final();
    return bench_end();
}
