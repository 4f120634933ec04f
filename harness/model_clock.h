// A Verilated model and its clock: part of the shim (model_shim.cpp).
#ifndef TIPOFF_HARNESS_MODEL_CLOCK_H
#define TIPOFF_HARNESS_MODEL_CLOCK_H

struct model {
    VerilatedContext context;
    Vsim_top *top;
    struct waves waves;
    struct idle idle;
    uint64_t time; // half cycles
};

static void half(model *m, int clock, uint64_t time) {
    m->top->clk_i = clock;
    m->top->eval();
    waves_dump(&m->waves, time);
}

static void cycle(model *m) {
    half(m, 1, m->time);
    half(m, 0, m->time + 1);
    m->time += 2;
}

// Until the caller, or the model, ends the run.
static bool goes_on(const model *m, const volatile int *stop) {
    return !*stop && !m->context.gotFinish();
}

#endif
