// The adapter bound to the stub of BoomCore: a story cycle by cycle, as BOOM would tell it, with what the bundle must say. The rules
// are bound, too, and end the story where one is broken. With +mistake=N the adapter is wrong, and only the rules look.
#include "Vtop.h"
#include "bench.h"
#include "events.h"
#include "verilated.h"
#include <cstring>

enum { A = 0x80000000, B = 0x80000004, C = 0x80000008, D = 0x8000000c, T = 0x80000100 };
static Vtop *top;
static bool looks; // at the bundle, not only the rules
static const char *where;

static void pcs(uint64_t bank0, uint64_t bank1) {
    uint64_t low = bank0 | bank1 << 40, high = bank1 >> 24;
    top->pc_i[0] = (uint32_t)low, top->pc_i[1] = (uint32_t)(low >> 32), top->pc_i[2] = (uint32_t)high;
}

static void enters(unsigned banks, uint64_t bank0, uint64_t bank1) {
    uint64_t low = bank0 | bank1 << 40, high = bank1 >> 24;
    top->enter_i = banks;
    top->enter_pc_i[0] = (uint32_t)low, top->enter_pc_i[1] = (uint32_t)(low >> 32), top->enter_pc_i[2] = (uint32_t)high;
}

static void head(unsigned banks, uint64_t bank0, uint64_t bank1) {
    top->head_i = banks;
    top->empty_i = 0;
    pcs(bank0, bank1);
}

// What is looked at, then the clock edge; the inputs of the next cycle begin at none, in an empty ROB.
#define LOOK(FIELD, VALUE)                                                                                             \
    do {                                                                                                               \
        top->eval();                                                                                                   \
        if (looks) bench_check((uint64_t)top->FIELD == (uint64_t)(VALUE), "%s: " #FIELD " 0x%llx, not 0x%llx", where, (unsigned long long)top->FIELD, (unsigned long long)(VALUE)); \
    } while (0)

static void next(const char *what) {
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    where = what;
    top->head_i = top->commit_i = top->rvc_i = top->br_i = top->jalr_i = top->exec_i = top->flush_i = top->enter_i = 0;
    top->throw_i = top->redirect_i = 0;
    top->state_i = 1;
    top->cause_i = 0;
    top->empty_i = 1;
    pcs(0, 0);
}

static void still_dead(const char *what, unsigned state) {
    next(what);
    head(3, C, D);
    top->state_i = state;
    LOOK(rob_empty_o, 1);
    LOOK(valid_o, 0);
    LOOK(exception_o, 0);
}

static void story() {
    next("bank 1 enters alone");
    enters(2, 0, A);
    LOOK(dispatch_o, 1);
    LOOK(dispatch_pc_o, A);
    LOOK(rob_empty_o, 1);
    LOOK(space_o, 0x12345);
    next("a partial row: bank 1 is the oldest");
    head(2, 0, A);
    LOOK(valid_o, 2);
    LOOK(oldest_o, 1);
    LOOK(pc1_o, A);
    next("it commits, and a full row enters");
    head(2, 0, A);
    top->commit_i = 2;
    enters(3, B, C);
    LOOK(commit_o, 2);
    LOOK(dispatch_o, 3);
    LOOK(dispatch_pc_o, B);
    next("a branch that a predictor was right about, and one redirects");
    head(3, B, C);
    top->br_i = 1;
    top->commit_i = 1;
    top->redirect_i = 1;
    top->rvc_i = 1;
    top->insn_i = 0xffff8082;
    LOOK(mispredict_o, 0);
    LOOK(oldest_o, 0);
    LOOK(insn0_o, 0x8082);
    next("the mispredicted jump commits");
    head(2, B, C);
    top->jalr_i = 2;
    top->exec_i = 3;
    top->commit_i = 2;
    LOOK(mispredict_o, 2); // bank 0's is no branch
    next("nothing yet: its doing");
    LOOK(rob_empty_o, 1);
    next("two enter");
    enters(3, A, B);
    LOOK(dispatch_o, 3);
    next("both commit, the younger flushes");
    head(3, A, B);
    top->commit_i = 3;
    top->flush_i = 2;
    LOOK(flush_o, 2);
    next("redirect of the flush");
    top->redirect_i = 1;
    LOOK(rob_empty_o, 1);
    next("two rows enter, one after the other");
    enters(3, A, B);
    next("...");
    head(3, A, B);
    enters(3, C, D);
    next("bank 0 commits");
    head(3, A, B);
    top->commit_i = 1;
    next("bank 1 excepts: nothing commits beside it");
    head(2, A, B);
    top->throw_i = 1;
    top->cause_i = 13;
    LOOK(exception_o, 1);
    LOOK(exception_pc_o, B);
    LOOK(interrupt_o, 0);
    LOOK(exception_psv_o, 1u << EVENT_FL_EX);
    LOOK(dispatch_o, 0);
    still_dead("one cycle behind it: nothing has begun", 1);
    top->redirect_i = 1;
    enters(3, T, T + 4);
    LOOK(dispatch_o, 0); // on a wrong path
    still_dead("two cycles behind it", 1);
    still_dead("it walks back", 2);
    still_dead("... still", 2);
    next("the walk is over, the handler enters");
    enters(1, T, 0);
    LOOK(dispatch_pc_o, T);
    next("which takes an interrupt at once");
    head(1, T, 0);
    top->throw_i = 1;
    top->cause_i = 1ull << 63 | 7;
    LOOK(interrupt_o, 1);
    LOOK(exception_pc_o, T);
    next("two cycles of waiting");
    head(1, T, 0);
    LOOK(rob_empty_o, 1);
    next("...");
    head(1, T, 0);
    LOOK(rob_empty_o, 1);
    next("the walk");
    head(1, T, 0);
    top->state_i = 2;
    LOOK(rob_empty_o, 1);
    next("an address of the upper half enters");
    enters(1, 0xffffffc000ull, 0);
    LOOK(dispatch_pc_o, 0xffffffffffffc000ull);
    next("and is replayed");
    head(1, 0xffffffc000ull, 0);
    top->throw_i = 1;
    top->cause_i = 16;
    LOOK(replay_o, 1);
    LOOK(exception_psv_o, 1u << EVENT_FL_MO);
    next("empty");
    LOOK(rob_empty_o, 1);
}

int main(int argc, char **argv) {
    Verilated::commandArgs(argc, argv);
    const char *mistake = Verilated::commandArgsPlusMatch("mistake=");
    looks = !*mistake || strcmp(mistake, "+mistake=0") == 0;
    top = new Vtop;
    top->rst_ni = 0;
    next("reset");
    next("reset");
    top->rst_ni = 1;
    story();
    next("end");
    top->final();
    delete top;
    return bench_end();
}
