// An integer port, one instruction a cycle. ALU and branch unit have tests of their own; here it is what goes into them,
// what comes out when, and what a squash leaves.
#include "../../../../build/gen/instructions.h"
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

static const struct {
    unsigned op, unit;
} kinds[] = {{INSN_ADD, UNIT_ALU},     {INSN_ADDI, UNIT_ALU}, {INSN_LUI, UNIT_ALU},   {INSN_AUIPC, UNIT_ALU}, {INSN_BEQ, UNIT_BRANCH},
             {INSN_BLTU, UNIT_BRANCH}, {INSN_JAL, UNIT_JAL},  {INSN_JALR, UNIT_JALR}, {INSN_MUL, UNIT_MUL},   {INSN_DIV, UNIT_DIV},
             {INSN_CSRRW, UNIT_CSR},  {INSN_SFENCE_VMA, UNIT_FENCE}};

struct uop {
    bool valid, pd_valid, use_pc, use_imm, rvc, predicted;
    unsigned op, unit, rob, pd;
    uint64_t pc, a, b;
    int64_t imm;
};

int main(int argc, char **argv) {
    bench_seed(argc, argv, 13);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    auto clock = [&] {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    };
    top->rst_ni = 0;
    top->valid_i = 1;
    clock();
    top->rst_ni = 1;
    struct uop ex = {};
    unsigned killed_rr = 0, killed_ex = 0, right = 0, wrong = 0;

    for (unsigned cycle = 0; cycle < 100000 && bench_failed < 20; cycle++) {
        // ---- RR ----
        struct uop u = {};
        unsigned kind = bench_below(sizeof kinds / sizeof *kinds);
        u.op = kinds[kind].op;
        u.unit = kinds[kind].unit;
        u.valid = bench_below(5) != 0;
        u.rob = bench_below(32);
        u.pd = 1 + bench_below(31);
        u.pd_valid = u.unit != UNIT_BRANCH && u.unit != UNIT_FENCE && bench_below(8);
        u.use_pc = u.op == INSN_AUIPC;
        u.use_imm = u.op == INSN_ADDI || u.op == INSN_LUI || u.op == INSN_AUIPC || u.op == INSN_JALR || u.op == INSN_JAL;
        u.rvc = bench_below(2);
        u.predicted = bench_below(2);
        u.pc = bench_random() & ~1ull;
        u.imm = (int32_t)bench_random() & ~1;
        u.a = bench_random();
        u.b = bench_below(3) ? bench_random() : u.a;
        top->squash_i = bench_below(6) == 0;
        top->squash_all_i = bench_below(4) == 0;
        top->squash_rob_i = (CData)bench_below(32);
        auto dies = [&](const struct uop &x) { return top->squash_i && (top->squash_all_i || x.rob > top->squash_rob_i); };
        top->valid_i = u.valid;
        top->op_i = (CData)u.op;
        top->unit_i = (CData)u.unit;
        top->rob_i = (CData)u.rob;
        top->pd_i = (CData)u.pd;
        top->pd_valid_i = u.pd_valid;
        top->use_pc_i = u.use_pc;
        top->use_imm_i = u.use_imm;
        top->rvc_i = u.rvc;
        top->pred_taken_i = u.predicted;
        top->pc_i = u.pc;
        top->imm_i = (uint32_t)u.imm;
        top->data1_i = u.a;
        top->data2_i = u.b;

        // ---- EX ----
        uint64_t a = ex.use_pc ? ex.pc : ex.a, b = ex.use_imm ? (uint64_t)ex.imm : ex.b, jalr_to = (a + (uint64_t)ex.imm) & ~1ull;
        top->next_pc_i = bench_below(2) ? jalr_to : jalr_to + 4;
        top->csr_rdata_i = bench_random();
        top->eval();
        bool alive = ex.valid && !dies(ex), one_cycle = ex.unit != UNIT_MUL && ex.unit != UNIT_DIV;
        killed_ex += ex.valid && !alive;
        bench_check(top->ex_valid_o == alive, "cycle %u: EX valid %u, expected %u", cycle, top->ex_valid_o, alive);
        bool done = alive && one_cycle && ex.unit != UNIT_CSR && ex.unit != UNIT_FENCE, write = alive && one_cycle && ex.pd_valid;
        bench_check(top->done_o == done && top->write_o == write, "cycle %u: unit %u: done %u write %u, expected %u %u", cycle, ex.unit, top->done_o, top->write_o,
                    done, write);
        bool branch = ex.unit == UNIT_BRANCH || ex.unit == UNIT_JALR;
        bench_check(top->resolved_o == (alive && branch), "cycle %u: unit %u: resolved %u", cycle, ex.unit, top->resolved_o);
        if (alive) bench_check(top->ex_rob_o == ex.rob && top->a_o == a && top->b_o == b, "cycle %u: op %u: operands %lx %lx, expected %lx %lx", cycle, ex.op,
                               top->a_o, top->b_o, a, b);
        uint64_t after = ex.pc + (ex.rvc ? 2 : 4);
        if (write) {
            uint64_t want = ex.unit == UNIT_JAL || ex.unit == UNIT_JALR ? after : ex.unit == UNIT_CSR ? top->csr_rdata_i : ex.op == INSN_LUI ? b : a + b;
            bench_check(top->pd_o == ex.pd && top->data_o == want, "cycle %u: op %u: register %u = %lx, expected %u = %lx", cycle, ex.op, top->pd_o, top->data_o,
                        ex.pd, want);
        }
        if (alive && branch) {
            bool taken = ex.unit == UNIT_JALR || (ex.op == INSN_BEQ ? a == b : a < b);
            bool bad = ex.unit == UNIT_JALR ? !ex.predicted || top->next_pc_i != jalr_to : taken != ex.predicted;
            uint64_t to = ex.unit == UNIT_JALR ? jalr_to : taken ? ex.pc + (uint64_t)ex.imm : after;
            bench_check(top->mispredict_o == bad && top->target_o == to, "cycle %u: op %u: mispredict %u to %lx, expected %u to %lx", cycle, ex.op,
                        top->mispredict_o, top->target_o, bad, to);
            (bad ? wrong : right)++;
        } else {
            bench_check(!top->mispredict_o, "cycle %u: misprediction of nobody", cycle);
        }
        killed_rr += u.valid && dies(u);
        clock();
        ex = u;
        ex.valid = u.valid && !dies(u);
    }
    bench_check(killed_rr > 100 && killed_ex > 100 && right > 100 && wrong > 100, "not reached: killed %u %u, branches %u %u", killed_rr, killed_ex, right, wrong);
    top->final();
    return bench_end();
}
