// C++ because Verilator's models are: rivals_top with the C interface of csrc/workers/rival_units.h.
extern "C" {
#include "workers/rival_units.h"
}
#include "Vrivals_top.h"
#include "model_digest.h"
#include "verilated.h"

struct rival_units {
    VerilatedContext context;
    Vrivals_top *top;
};

static void edge(rival_units *u) {
    u->top->clk_i = 1;
    u->top->eval();
    u->top->clk_i = 0;
}

static rival_units *create() {
    rival_units *u = new rival_units{};
    u->context.fatalOnError(false);
    u->context.randReset(2);
    u->top = new Vrivals_top{&u->context, "TOP"};
    u->top->clk_i = 0;
    u->top->rst_ni = 0;
    u->top->eval();
    edge(u);
    u->top->rst_ni = 1;
    return u;
}

static void destroy(rival_units *u) {
    u->top->final();
    delete u->top;
    delete u;
}

static void drive(Vrivals_top *top, const commit_bundle *b) {
    top->commit_i = b->commit;
    top->flush_i = b->flush;
    top->oldest_i = b->oldest;
    top->rob_empty_i = b->rob_empty;
    top->exception_i = b->exception | b->interrupt << 1 | b->replay << 2 | b->redirect << 3;
    top->exception_psv_i = b->exception_psv;
    top->priv_i = b->priv;
    top->space_i = b->space;
    top->fetch_valid_i = b->fetch_valid;
    top->fetch_pc_i = b->fetch_pc;
    top->dispatch_valid_i = b->dispatch_valid;
    top->dispatch_rob_i = b->dispatch_rob;
    for (int i = 0; i < MAX_LANES; i++) {
        top->pc_i[i] = b->pc[i];
        top->psv_i[i] = b->psv[i];
        top->dispatch_pc_i[i] = b->dispatch_pc[i];
    }
}

static unsigned cycle(rival_units *u, const commit_bundle *bundle, bool trigger, rival_sample *samples) {
    Vrivals_top *top = u->top;
    drive(top, bundle);
    top->trigger_i = trigger;
    top->eval();
    for (unsigned left = top->valid_o; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        samples[i] = {(top->named_o >> i & 1) != 0,
                      top->priv_o[i],
                      top->psv_o[i],
                      top->count_o[i],
                      top->pc_o[i],
                      top->space_o[i]};
    }
    unsigned valid = top->valid_o;
    edge(u);
    return valid;
}

static bool failed(const rival_units *u) {
    return u->context.gotError();
}

extern "C" __attribute__((visibility("default"))) const rival_units_api *tipoff_rival_units(void) {
    static const rival_units_api api = {RIVAL_UNITS_VERSION, CONFIG_NAME, MODEL_DIGEST, create, destroy, cycle, failed};
    return &api;
}
