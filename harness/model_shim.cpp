// The only C++ of the project: a Verilated top with the C interface of model.h.
//
// MODEL_TOP: its name, sim_top unless the core is a foreign one. Its u_harness (sim/harness_unit.sv) and u_dirty_lines
// have the functions that are called here.
extern "C" {
#include "harness/model.h"
#include "trace/dpi.h"
#include "trace/dpi_ticks.h"
}
#include "Vsim_top.h"
#include "Vsim_top__Dpi.h"
#include "csrs.h"
#include "harness/idle_skip.h"
#include "harness/model_waves.h"
#include "model_digest.h"
#include "record_bits.h"
#include "svdpi.h"
#include "verilated.h"

#include <cerrno>

#include "harness/model_clock.h"

#include "harness/idle_run.h" // clocks it

#ifndef MODEL_TOP
#define MODEL_TOP "sim_top"
#endif

// What Verilator asks of "the" context (names of scopes, an assertion that fails) belongs to this model: there may be
// several, by turns in one thread.
static void select(const model *m) {
    Verilated::threadContextp(const_cast<VerilatedContext *>(&m->context));
}

static void select_scope(const model *m, const char *name = "TOP." MODEL_TOP ".u_harness") {
    select(m);
    svSetScope(svGetScopeFromName(name));
}

static model *create(bool waveforms, uint64_t seed) {
    static const char *const no_arguments[] = {"model"};
    model *m = new model{};
    m->context.commandArgs(1, const_cast<const char **>(no_arguments)); // else a core that asks for plusargs ends here
    m->context.fatalOnError(false);
    m->context.randReset(2);
    m->context.randSeed(static_cast<int>(seed % 0x7fffffff + 1));
    m->context.traceEverOn(waveforms);
    m->top = new Vsim_top{&m->context, "TOP"};
    m->top->clk_i = 0;
    m->top->rst_ni = 0;
    m->top->eval();
    const unsigned lines = tipoff_warm_lines(); // a cycle each
    for (unsigned i = 0; i < 4 + lines; i++)
        cycle(m);
    m->top->rst_ni = 1;
    cycle(m); // the top registers its reset
    return m;
}

static int dump_open(model *m, const char *path) {
    select(m);
    return waves_open(&m->waves, m->top, path);
}

static int dump_fault(const model *m) {
    return m->waves.fault;
}

static int dump_close(model *m) {
    select(m);
    return waves_close(&m->waves);
}

static void destroy(model *m) {
    dump_close(m);
    m->top->final();
    delete m->top;
    delete m;
}

static uint64_t run_cycles(model *m, uint64_t cycles, const volatile int *stop) {
    uint64_t n = 0;
    const bool skips = m->idle.mode != MODEL_SKIP_NO && !waves_on(&m->waves);
    while (n < cycles && goes_on(m, stop)) {
        cycle(m);
        n++;
        if (skips && goes_on(m, stop)) n += perhaps_skip(m, cycles - n, stop);
    }
    return n;
}

static uint64_t run(model *m, uint64_t cycles, const volatile int *stop) {
    uint64_t n = 0;
    select(m);
    waves_run(&m->waves, [&] { n = run_cycles(m, cycles, stop); });
    return n;
}

static bool failed(const model *m) {
    return m->context.gotError() || m->idle.differs;
}

static void set_skip(model *m, int mode) {
    m->idle.mode = mode;
    if (mode != MODEL_SKIP_NO && !m->idle.ready) idle_set_up(&m->idle);
}

static uint64_t skipped(const model *m) {
    return m->idle.skipped;
}

// ---- the records of a cycle, as this configuration packs them ----
void tipoff_selection(const svBitVecVal *sample, const svBitVecVal *oir) {
    trace_cycle *cycle = tipoff_current_cycle();
    sample_from_bits(&cycle->select, sample);
    oir_from_bits(&cycle->oir, oir);
}

void tipoff_bundle(unsigned long long cycle, const svBitVecVal *bundle) {
    commit_bundle_from_bits(&tipoff_current_cycle()->bundle, bundle);
    tipoff_commit(cycle);
}

// ---- the interface ----
static int csr_read(model *m, int addr, uint64_t *value) {
    select_scope(m);
    unsigned long long read = 0;
    int result = tipoff_csr_read(addr, &read);
    *value = read;
    return result;
}

static int csr_write(model *m, int addr, uint64_t value) {
    select_scope(m);
    int result = tipoff_csr_write(addr, value);
    if (result == 0) cycle(m);
    select_scope(m);
    tipoff_csr_idle();
    return result;
}

static int window_read(model *m, int select, int number, uint64_t *value) {
    select_scope(m);
    unsigned long long read = 0;
    int result = tipoff_window_read(select, number, &read);
    *value = read;
    return result;
}

static int window_write(model *m, int select, int number, uint64_t value) {
    if (number < 1 || number > 6 || select < 0 || select > 0xfff) return -EINVAL;
    int result = csr_write(m, CSR_SISELECT, (uint64_t)select);
    // sireg3 is followed by what is another's, then by sireg4.
    return result < 0 ? result : csr_write(m, number <= 3 ? CSR_SIREG + number - 1 : CSR_SIREG4 + number - 4, value);
}

static void set_hart_id(model *m, uint64_t id) {
    select_scope(m);
    tipoff_set_hart_id(id);
}

static void follow_program(model *m) {
    select_scope(m);
    tipoff_follow_program();
}

static void emit_dirty(model *m) {
    select_scope(m, "TOP." MODEL_TOP ".u_dirty_lines");
    tipoff_emit_dirty();
}

static int stores_left(model *m, uint64_t last, int *head) {
    select_scope(m, "TOP." MODEL_TOP ".u_dirty_lines");
    return tipoff_stores_left(last, head);
}

static uint64_t cycles(model *m) {
    select_scope(m);
    return tipoff_cycles();
}

static uint64_t instructions(model *m) {
    select_scope(m);
    return tipoff_instructions();
}

#ifndef MODEL_LINT_FINDINGS
#define MODEL_LINT_FINDINGS 0
#endif

extern "C" __attribute__((visibility("default"))) const struct model_api *tipoff_model(void) {
    static const struct model_api api = {MODEL_VERSION,
                                         MODEL_LINT_FINDINGS,
                                         CONFIG_NAME,
                                         MODEL_DIGEST,
                                         CAN_DUMP,
                                         create,
                                         destroy,
                                         set_hart_id,
                                         run,
                                         failed,
                                         csr_read,
                                         csr_write,
                                         window_read,
                                         window_write,
                                         follow_program,
                                         emit_dirty,
                                         stores_left,
                                         cycles,
                                         instructions,
                                         set_skip,
                                         skipped,
                                         dump_open,
                                         dump_fault,
                                         dump_close};
    return &api;
}
