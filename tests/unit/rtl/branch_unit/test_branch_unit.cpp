// Branches and jumps against C: corner operands in all pairs, then random ones; both forms, both predictions, next
// packets that are right, nearly right and wrong.
#include "../../../../build/gen/instructions.h"
#include "Vtop.h"
#include "bench.h"
#include <memory>

static const struct {
    unsigned op, unit;
} kinds[] = {{INSN_BEQ, UNIT_BRANCH},  {INSN_BNE, UNIT_BRANCH},  {INSN_BLT, UNIT_BRANCH}, {INSN_BGE, UNIT_BRANCH},
             {INSN_BLTU, UNIT_BRANCH}, {INSN_BGEU, UNIT_BRANCH}, {INSN_JALR, UNIT_JALR},  {INSN_JAL, UNIT_JAL},
             {INSN_ADD, UNIT_ALU}};

static bool condition(unsigned op, uint64_t a, uint64_t b) {
    switch (op) {
    case INSN_BEQ: return a == b;
    case INSN_BNE: return a != b;
    case INSN_BLT: return (int64_t)a < (int64_t)b;
    case INSN_BGE: return (int64_t)a >= (int64_t)b;
    case INSN_BLTU: return a < b;
    case INSN_BGEU: return a >= b;
    default: return true;
    }
}

static void check(Vtop *top, uint64_t a, uint64_t b) {
    for (const auto &kind : kinds)
        for (unsigned form = 0; form < 8; form++) {
            bool rvc = form & 1, predicted = form & 2, valid = form < 4 || bench_below(4);
            int32_t imm = (int32_t)bench_random() >> (kind.unit == UNIT_JALR ? 20 : 19);
            if (kind.unit != UNIT_JALR) imm &= ~1;
            uint64_t pc = bench_random() & ~1ull, target = (a + (uint64_t)(int64_t)imm) & ~1ull;
            top->valid_i = valid;
            top->op_i = (CData)kind.op;
            top->unit_i = (CData)kind.unit;
            top->rob_i = (SData)bench_random();
            top->snapshot_i = (CData)bench_random();
            top->ftq_i = (CData)bench_random();
            top->rvc_i = rvc;
            top->pred_taken_i = predicted;
            top->a_i = a;
            top->b_i = b;
            top->pc_i = pc;
            top->imm_i = (uint32_t)imm;
            top->next_pc_i = bench_below(2) ? target : bench_below(2) ? target ^ 1ull << (1 + bench_below(63)) : bench_random() & ~1ull;
            top->eval();

            bool resolves = valid && (kind.unit == UNIT_BRANCH || kind.unit == UNIT_JALR);
            bool taken = condition(kind.op, a, b);
            bool wrong = kind.unit == UNIT_JALR ? !predicted || top->next_pc_i != target : taken != predicted;
            bench_check(top->valid_o == resolves && top->mispredict_o == (resolves && wrong),
                        "op %u a %lx b %lx predicted %u: valid %u mispredict %u, expected %u %u", kind.op, a, b, predicted, top->valid_o, top->mispredict_o,
                        resolves, resolves && wrong);
            if (!resolves) continue;
            uint64_t after = pc + (rvc ? 2 : 4);
            uint64_t where = kind.unit == UNIT_JALR ? target : taken ? pc + (uint64_t)(int64_t)imm : after;
            bench_check(top->taken_o == taken && top->target_o == where, "op %u a %lx b %lx pc %lx imm %x: taken %u to %lx, expected %u to %lx", kind.op, a, b,
                        pc, imm, top->taken_o, top->target_o, taken, where);
            // A fetch block is fetch_width parcels of two bytes.
            bench_check(top->offset_o == (after - 2) % (2 * top->fetch_width_o), "pc %lx rvc %u: packet ends at %u", pc, rvc, top->offset_o);
            bench_check(top->same_o, "op %u: indices lost", kind.op);
        }
}

int main(int argc, char **argv) {
    static const uint64_t corners[] = {0,          1,          0x7fffffff,         0x80000000,         0xffffffff,
                                       0x80001000, 0x80001001, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
    bench_seed(argc, argv, 3);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    for (uint64_t a : corners)
        for (uint64_t b : corners) check(top, a, b);
    for (unsigned i = 0; i < 10000; i++) {
        uint64_t a = bench_random() >> bench_below(64);
        check(top, a, bench_below(4) ? bench_random() >> bench_below(64) : a);
    }
    top->final();
    return bench_end();
}
