// Directed test of bundle_rules: sequences that are right, and one that breaks each rule, alone.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

struct cycle {
    unsigned valid, commit, flush, oldest, rob_empty, exception, dispatch;
    uint64_t pc[2], exception_pc, dispatch_pc;
    unsigned broken; // expected: bit n for rule n
};

static const struct cycle EMPTY = {0, 0, 0, 0, 1, 0, 0, {0, 0}, 0, 0, 0};

static struct cycle head(unsigned valid, unsigned oldest, uint64_t pc0, uint64_t pc1) {
    struct cycle c = EMPTY;
    c.rob_empty = 0;
    c.valid = valid;
    c.oldest = oldest;
    c.pc[0] = pc0;
    c.pc[1] = pc1;
    return c;
}
static struct cycle dispatch(struct cycle c, uint64_t pc) {
    c.dispatch = 1;
    c.dispatch_pc = pc;
    return c;
}
static struct cycle commit(struct cycle c, unsigned lanes, unsigned flush) {
    c.commit = lanes;
    c.flush = flush;
    return c;
}
static struct cycle exception(struct cycle c, uint64_t pc) {
    c.exception = 1;
    c.exception_pc = pc;
    return c;
}
static struct cycle breaks(struct cycle c, unsigned rule) {
    c.broken = 1u << rule;
    return c;
}

static void play(Vtop *top, const char *name, const struct cycle *cycles, unsigned count) {
    top->rst_ni = 0;
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->rst_ni = 1;
    for (unsigned i = 0; i < count; i++) {
        const struct cycle *c = &cycles[i];
        top->clk_i = 0;
        top->valid_i = c->valid;
        top->commit_i = c->commit;
        top->flush_i = c->flush;
        top->pc0_i = c->pc[0];
        top->pc1_i = c->pc[1];
        top->oldest_i = c->oldest;
        top->rob_empty_i = c->rob_empty;
        top->exception_i = c->exception;
        top->exception_pc_i = c->exception_pc;
        top->dispatch_valid_i = c->dispatch;
        top->dispatch_pc_i = c->dispatch_pc;
        top->eval();
        unsigned got = (unsigned)top->broken_o << 1; // bit 0 of the port is rule 1
        bench_check(got == c->broken, "%s, cycle %u: rules broken 0x%x, expected 0x%x", name, i, got, c->broken);
        top->clk_i = 1;
        top->eval();
    }
}

#define PLAY(NAME, ...)                                                                                                \
    do {                                                                                                               \
        const struct cycle cycles[] = {__VA_ARGS__};                                                                   \
        play(top, NAME, cycles, sizeof cycles / sizeof *cycles);                                                       \
    } while (0)

int main() {
    Verilated::assertOn(false); // the outputs are looked at instead
    Vtop *top = new Vtop;
    const struct cycle a = head(1, 0, 0x100, 0), ab = head(3, 0, 0x100, 0x104), ba = head(3, 1, 0x104, 0x100);

    PLAY("dispatch, stall, commit, drain", dispatch(EMPTY, 0x100), a, a, commit(a, 1, 0), EMPTY, EMPTY);
    PLAY("two commit, the older in lane 1", dispatch(EMPTY, 0x100), commit(ba, 3, 0), EMPTY);
    PLAY("one of two commits", dispatch(EMPTY, 0x100), commit(ab, 1, 0), commit(head(2, 1, 0, 0x104), 2, 0), EMPTY);
    PLAY("flush as the youngest", dispatch(EMPTY, 0x100), commit(ab, 3, 2), dispatch(EMPTY, 0x200), head(1, 0, 0x200, 0));
    PLAY("flush of a lane that waits", dispatch(EMPTY, 0x100), commit(ab, 0, 3), ab, commit(ab, 3, 0), EMPTY);
    PLAY("exception", dispatch(EMPTY, 0x100), a, exception(a, 0x100), EMPTY, dispatch(EMPTY, 0x300), head(1, 0, 0x300, 0));
    PLAY("exception in lane 1", dispatch(EMPTY, 0x100), exception(ba, 0x100), EMPTY);

    PLAY("1: valid in an empty ROB", breaks({1, 0, 0, 0, 1, 0, 0, {0, 0}, 0, 0, 0}, 1));
    PLAY("1: nobody at the head", dispatch(EMPTY, 0), breaks(head(2, 0, 0, 0x100), 1));
    PLAY("2: the younger commits alone", dispatch(EMPTY, 0x100), breaks(commit(ab, 2, 0), 2));
    PLAY("2: the younger commits alone, lane 0", dispatch(EMPTY, 0x100), breaks(commit(ba, 1, 0), 2));
    PLAY("2: commit of nobody", dispatch(EMPTY, 0x100), breaks(commit(a, 3, 0), 2));
    PLAY("3: exception in an empty ROB", breaks(exception(EMPTY, 0), 3));
    PLAY("3: exception beside a commit", dispatch(EMPTY, 0x100), breaks(exception(commit(a, 1, 0), 0x100), 3), EMPTY);
    PLAY("3: exception of another", dispatch(EMPTY, 0x100), breaks(exception(ab, 0x104), 3), EMPTY);
    PLAY("4: not empty after an exception", dispatch(EMPTY, 0x100), exception(ab, 0x100), breaks(ab, 4));
    PLAY("4: not empty after a flush", dispatch(EMPTY, 0x100), commit(ab, 1, 1), breaks(head(2, 1, 0, 0x104), 4));
    PLAY("5: commit past a flush", dispatch(EMPTY, 0x100), breaks(commit(ab, 3, 1), 5), EMPTY);
    PLAY("6: dispatched, and empty", dispatch(EMPTY, 0x100), breaks(EMPTY, 6));
    PLAY("6: dispatched, and another is oldest", dispatch(EMPTY, 0x100), breaks(head(1, 0, 0x104, 0), 6));
    PLAY("7: filled by nobody", EMPTY, breaks(a, 7));

    top->final();
    delete top;
    return bench_end();
}
