// What kind of instruction leaves, and by which way: the exact rules; the others by the files beside this one.
#include "workers/event_vectors.h"
#include "results.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct vectors *s = error_calloc(sizeof *s, "event-vectors", err);
    if (!s) return NULL;
    s->vectors = run->vectors;
    s->gated = run->gated;
    s->ad_update = run->core.ad_update;
    s->coherent = run->event_count > EVENT_COUNT_ALONE;
    s->ideal_l1i = run->ideal_l1i;
    s->ideal_tlb = run->ideal_tlb;
    s->icache_cold = true;
    vectors_flush_tlbs(s, 0);
    return s;
}

static int memory(void *state, const struct memory_event *event, struct error *err) {
    (void)err;
    vectors_memory(state, event);
    return 0;
}

WORKER_RARE static int report(uint64_t cycle, uint64_t pc, const struct vectors_difference *d, struct error *err) {
    error_set(err, "event-vectors: cycle %" PRIu64 ", pc 0x%" PRIx64 ": %s (%s): expected %d, got %d", cycle, pc,
              d->event, d->why, d->expected, !d->expected);
    return -EBADMSG;
}

// ---- what kind of instruction it is ----
static bool is_amo(const struct iss_retire *step) {
    return (step->insn & 0x7f) == 0x2f;
}
static bool is_hint(const struct iss_retire *step) { // prefetch.*: a form of ori
    return (step->insn & 0x7fff) == 0x6013;
}
// All of their entries: a write of satp keeps them, and sfence.vma with a register may.
static bool empties_tlbs(const struct iss_retire *step) {
    enum { SFENCE_VMA = 0x12000073 }; // of all addresses and address spaces
    bool pmp = step->csr_written && step->csr >= CSR_PMPCFG0 && step->csr <= CSR_PMPADDR15;
    return pmp || step->insn == SFENCE_VMA;
}

static bool check_kind(const struct vectors *s, const struct iss_retire *step, unsigned psv,
                       struct vectors_difference *d) {
    enum {
        OF_ACCESSES = 1 << EVENT_ST_L1 | 1 << EVENT_ST_LLC | 1 << EVENT_ST_TLB | 1 << EVENT_ST_COH | 1 << EVENT_DR_SQ
    };
    if (!(psv & OF_ACCESSES)) return false; // nothing below can differ
    const bool loads = step->access == ISS_ACCESS_LOAD || is_amo(step);
    const bool owns = s->coherent && is_amo(step), lacked = psv >> EVENT_ST_L1 & 1 || owns;
    const bool stores = step->access == ISS_ACCESS_STORE && !is_amo(step);
    const struct {
        unsigned event;
        const char *name;
        bool may;
    } rows[] = {
        {EVENT_ST_L1, "ST_L1", loads},
        {EVENT_ST_LLC, "ST_LLC", loads && lacked},
        {EVENT_ST_COH, "ST_COH", loads && lacked},
        {EVENT_ST_TLB, "ST_TLB", loads || stores || is_hint(step)},
        {EVENT_DR_SQ, "DR_SQ", stores},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].may && vectors_differ(d, rows[i].event, rows[i].name, "of such an instruction", false, psv))
            return true;
    }
    return false;
}

// ---- what leaves ----
static bool check_flushed(unsigned psv, bool mispredict, bool traps, bool replayed, struct vectors_difference *d) {
    return vectors_differ(d, EVENT_FL_MB, "FL_MB", "whether it commits as mispredicted", mispredict, psv) ||
           vectors_differ(d, EVENT_FL_EX, "FL_EX", "whether it traps", traps, psv) ||
           vectors_differ(d, EVENT_FL_MO, "FL_MO", "whether it is replayed", replayed, psv) ||
           (!replayed && vectors_differ(d, EVENT_FL_COH, "FL_COH", "of what is not replayed", false, psv));
}

// A plain instruction with an empty vector: of the rules, those for what had to be met are left. Of the front end's,
// none where it was not emptied; of the data TLB's, none where the access is not translated.
static bool is_easy(const struct vectors *s, const struct iss_retire *step, unsigned psv, bool mispredict) {
    const bool fetch = s->icache_cold || (s->itlb_cold && step->translated);
    return step->plain && psv == 0 && !mispredict && !fetch && !step->data_translated;
}

static bool check_commit(struct vectors *s, const struct worker_view *v, unsigned k, struct vectors_difference *d) {
    const struct iss_retire *step = &v->golden->step[k];
    const struct shadow_left *left = &v->shadow->left[k];
    const unsigned psv = v->bundle->psv[left->lane];
    const bool mispredict = v->bundle->mispredict >> left->lane & 1, accesses = step->access != ISS_ACCESS_NONE;
    if (is_easy(s, step, psv, mispredict)) return accesses && vectors_check_load(s, left, step, psv, d);
    if (check_flushed(psv, mispredict, false, false, d) || check_kind(s, step, psv, d)) return true;
    if (vectors_check_fetch(s, step, psv, d)) return true;
    if (accesses && vectors_check_tlb(s, v->cycle, v->shadow, left, step, psv, d)) return true;
    if (accesses && (step->access == ISS_ACCESS_LOAD || is_amo(step)) && vectors_check_load(s, left, step, psv, d))
        return true;
    if (step->access == ISS_ACCESS_STORE) vectors_store(s, step->address);
    if (empties_tlbs(step)) vectors_flush_tlbs(s, v->cycle);
    if ((step->insn & 0x707f) == 0x100f) s->icache_cold = true; // fence.i
    return false;
}

// A trap or a replay of the oldest; younger instructions in flight have touched the TLBs, invisibly.
WORKER_RARE static bool check_raise(struct vectors *s, const struct worker_view *v, struct vectors_difference *d) {
    const struct commit_bundle *b = v->bundle;
    const bool mo = b->exception_psv >> EVENT_FL_MO & 1;
    vectors_forget_data_tlb(s);
    if (check_flushed(b->exception_psv, false, !b->replay, b->replay && (mo || !s->ad_update), d)) return true;
    if (!b->replay) return vectors_check_fetch(s, &v->golden->step[v->golden->count - 1], b->exception_psv, d);
    s->icache_cold = s->itlb_cold = false;
    return false;
}

WORKER_RARE static int check_none(const struct worker_view *v, struct error *err) {
    unsigned psv = v->bundle->exception_psv;
    for (unsigned k = 0; k < v->shadow->count && !v->bundle->exception; k++)
        psv |= v->bundle->psv[v->shadow->left[k].lane];
    if (!psv) return 0;
    error_set(err, "event-vectors: cycle %" PRIu64 ": expected none on this core, got 0x%x", v->cycle, psv);
    return -EBADMSG;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct vectors *s = state;
    struct vectors_difference d;
    const struct commit_bundle *b = v->bundle;
    if (!s->vectors) return check_none(v, err);
    if (b->exception || b->commit & b->flush) s->emptied = v->cycle;
    if (b->exception) return check_raise(s, v, &d) ? report(v->cycle, b->exception_pc, &d, err) : 0;
    for (unsigned k = 0; k < v->shadow->count; k++) {
        if (check_commit(s, v, k, &d)) return report(v->cycle, v->golden->step[k].pc, &d, err);
        s->instructions++;
    }
    return 0;
}

static bool publish(void *state, struct results *results) {
    const struct vectors *s = state;
    return results_add_vectors_checked(results,
                                       &(struct vectors_checked){s->instructions, s->loads_expected, s->dram_expected});
}

const struct worker_ops worker_event_vectors = {.name = "event-vectors",
                                                .text =
                                                    "the events of committed instructions, against ISS, shadow ROB and "
                                                    "memory model",
                                                .needs = DPI_BUNDLE | WORKER_GOLDEN | WORKER_SHADOW | WORKER_MEMORY,
                                                .standard = WORKER_WITH_LOCKSTEP,
                                                .check = true,
                                                .leaving_only = true,
                                                .create = create,
                                                .cycle = cycle,
                                                .memory = memory,
                                                .publish = publish,
                                                .destroy = free};
