// The only C++ of the project: a Verilated sim_top behind the C interface of model.h.
extern "C" {
#include "harness/model.h"
}
#include "Vsim_top.h"
#include "Vsim_top__Dpi.h"
#include "svdpi.h"
#include "verilated.h"
#include "verilated_fst_c.h"

struct model {
    VerilatedContext context;
    Vsim_top *top;
    VerilatedFstC *fst;
    uint64_t time;  // half cycles
};

static void cycle(model *m) {
    m->top->clk_i = 1;
    m->top->eval();
    if (m->fst) m->fst->dump(m->time);
    m->top->clk_i = 0;
    m->top->eval();
    if (m->fst) m->fst->dump(m->time + 1);
    m->time += 2;
}

static void select_scope() { svSetScope(svGetScopeFromName("TOP.sim_top")); }

static model *create(bool waveforms, uint64_t seed) {
    model *m = new model{};
    m->context.fatalOnError(false);
    m->context.randReset(2);
    m->context.randSeed(static_cast<int>(seed % 0x7fffffff + 1));
    m->context.traceEverOn(waveforms);
    m->top = new Vsim_top{&m->context, "TOP"};
    m->top->clk_i = 0;
    m->top->rst_ni = 0;
    m->top->eval();
    for (int i = 0; i < 4; i++) cycle(m);
    m->top->rst_ni = 1;
    cycle(m);  // the top registers its reset
    return m;
}

static void dump_close(model *m) {
    if (!m->fst) return;
    m->fst->close();
    delete m->fst;
    m->fst = nullptr;
}

static void dump_open(model *m, const char *path) {
    dump_close(m);
    m->fst = new VerilatedFstC;
    m->top->trace(m->fst, 99);
    m->fst->open(path);
}

static void destroy(model *m) {
    dump_close(m);
    m->top->final();
    delete m->top;
    delete m;
}

static uint64_t run(model *m, uint64_t cycles, const volatile int *stop) {
    uint64_t n = 0;
    while (n < cycles && !*stop && !m->context.gotFinish()) {
        cycle(m);
        n++;
    }
    return n;
}

static bool failed(const model *m) { return m->context.gotError(); }

static int csr_read(model *, int addr, uint64_t *value) {
    select_scope();
    unsigned long long read = 0;
    int result = tipoff_csr_read(addr, &read);
    *value = read;
    return result;
}

static int csr_write(model *m, int addr, uint64_t value) {
    select_scope();
    int result = tipoff_csr_write(addr, value);
    if (result == 0) cycle(m);
    select_scope();
    tipoff_csr_idle();
    return result;
}

static void follow_program(model *) {
    select_scope();
    tipoff_follow_program();
}

static uint64_t cycles(model *) {
    select_scope();
    return tipoff_cycles();
}

static uint64_t instructions(model *) {
    select_scope();
    return tipoff_instructions();
}

extern "C" __attribute__((visibility("default"))) const struct model_api *tipoff_model(void) {
    static const struct model_api api = {MODEL_VERSION, create,    destroy, run,          failed,    csr_read,
                                         csr_write,     follow_program, cycles,    instructions, dump_open, dump_close};
    return &api;
}
