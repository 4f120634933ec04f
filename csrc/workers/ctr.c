// Control transfer records, at every read by the program, against a model (ctr_model.h).
//
// The model gets the instructions and traps of the ISS, and the cycles in which the core retired them. Whether
// a branch was mispredicted is believed: shadow-rob checks that.
#include "csrs.h"
#include "results.h"
#include "workers/ctr_model.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct ctr {
    unsigned depth; // 0: the core has none
    struct ctr_model model;
    uint64_t reads;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct ctr *c = error_calloc(sizeof *c, "ctr", err);
    if (!c) return NULL;
    c->depth = run->core.ctr_depth;
    ctr_model_reset(&c->model);
    return c;
}

// 1 to 6 of sireg to sireg6; 0: another CSR.
static unsigned register_number(unsigned csr) {
    if (csr >= CSR_SIREG && csr <= CSR_SIREG3) return csr - CSR_SIREG + 1;
    return csr >= CSR_SIREG4 && csr <= CSR_SIREG6 ? csr - CSR_SIREG4 + 4 : 0;
}

static uint64_t held(const struct worker_view *v, unsigned csr) {
    uint64_t value = 0;
    hart_csr(v->golden->hart, csr, &value);
    return value;
}

static bool is_of_records(uint64_t select) {
    return select >= CTR_FIRST && select < CTR_BEHIND;
}

WORKER_RARE static int differ(const struct worker_view *v, const struct retired *core, const char *what,
                              uint64_t select, uint64_t expected, struct error *err) {
    char entry[32] = "";
    if (select) snprintf(entry, sizeof entry, " of record %" PRIu64, select - CTR_FIRST);
    error_set(err, "ctr: cycle %" PRIu64 ", pc 0x%" PRIx64 ": %s%s: expected 0x%" PRIx64 ", got 0x%" PRIx64, v->cycle,
              core->pc, what, entry, expected, core->rd_value);
    return -EBADMSG;
}

static int check_read(struct ctr *c, const struct worker_view *v, const struct iss_retire *step,
                      const struct retired *core, struct error *err) {
    static const char *const names[] = {"", "ctrsource", "ctrtarget", "ctrdata", "sireg4", "sireg5", "sireg6"};
    const unsigned number = register_number(step->csr);
    const uint64_t select = number ? held(v, CSR_SISELECT) : 0;
    if (!core->rd_written || (step->csr != CSR_SCTRSTATUS && !is_of_records(select))) return 0;
    const uint64_t expected =
        number ? ctr_model_read_entry(&c->model, (unsigned)select, number) : ctr_model_read_status(&c->model);
    c->reads++;
    if (core->rd_value == expected) return 0;
    return differ(v, core, number ? names[number] : "sctrstatus", select, expected, err);
}

static void take_write(struct ctr *c, const struct worker_view *v, const struct iss_retire *step,
                       const struct retired *core) {
    const unsigned number = register_number(step->csr);
    switch (step->csr) {
    case CSR_MCTRCTL:
    case CSR_SCTRCTL: ctr_model_write_control(&c->model, v->cycle, held(v, CSR_MCTRCTL)); break;
    case CSR_SCTRSTATUS: ctr_model_write_status(&c->model, v->cycle, core->csr_value); break;
    case CSR_SCTRDEPTH: ctr_model_write_depth(&c->model, (unsigned)held(v, CSR_SCTRDEPTH)); break;
    default:
        if (number && is_of_records(held(v, CSR_SISELECT)))
            ctr_model_write_entry(&c->model, (unsigned)held(v, CSR_SISELECT), number, core->csr_value);
        break;
    }
}

static void step_model(struct ctr *c, const struct worker_view *v, unsigned i, unsigned lane) {
    const struct golden *g = v->golden;
    const struct iss_retire *step = &g->step[i];
    ctr_model_step(&c->model, &(struct ctr_step){.cycle = v->cycle,
                                                 .pc = step->trap ? step->epc : step->pc,
                                                 .next_pc = step->next_pc,
                                                 .insn = step->insn,
                                                 .trap = step->trap,
                                                 .interrupt = step->interrupt,
                                                 .mispredict = !step->trap && v->bundle->mispredict >> lane & 1,
                                                 .cause = step->cause,
                                                 .mode = step->privilege,
                                                 .next_mode = i + 1 < g->count ? step[1].privilege
                                                                               : (uint8_t)hart_privilege(g->hart)});
}

WORKER_RARE static int follow(struct ctr *c, const struct worker_view *v, struct error *err) {
    const struct golden *g = v->golden;
    int result = 0;
    for (unsigned i = 0; i < g->count && result == 0; i++) {
        const struct iss_retire *step = &g->step[i];
        const struct retired *core = step->trap ? NULL : &v->left->retired[i];
        step_model(c, v, i, core ? core->lane : 0);
        if (!core || !step->csr_accessed) continue;
        result = check_read(c, v, step, core, err);
        if (step->csr_written) take_write(c, v, step, core);
    }
    return result;
}

// While nothing is recorded, cycles of plain instructions change nothing.
static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct ctr *c = state;
    if (c->depth == 0 || (v->golden->plain && !ctr_model_is_on(&c->model))) return 0;
    return follow(c, v, err);
}

static bool publish(void *state, struct results *results) {
    const struct ctr *c = state;
    return results_add_ctr_checked(results, &(struct ctr_checked){c->model.recorded, c->reads});
}

const struct worker_ops worker_ctr = {.name = "ctr",
                                      .text = "control transfer records, at every read by the program",
                                      .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN,
                                      .standard = WORKER_WITH_LOCKSTEP,
                                      .check = true,
                                      .leaving_only = true,
                                      .create = create,
                                      .cycle = cycle,
                                      .publish = publish,
                                      .destroy = free};
