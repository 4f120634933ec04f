// Books a collection to instructions. A branch record has no mode and no address space: see struct contexts.
#include "methods/hbbp/mix.h"
#include "isa/control.h"
#include <stdlib.h>
#include <string.h>

static bool no_memory(struct error *err) {
    error_nomem(err, "instruction mix");
    return false;
}

struct mix *mix_create(const struct images *images, struct error *err) {
    struct mix *m = calloc(1, sizeof *m);
    if (m && (m->code = code_create(images, err))) return m;
    if (!m) no_memory(err);
    free(m);
    return NULL;
}

void mix_destroy(struct mix *m) {
    if (!m) return;
    for (unsigned i = 0; i < MIX_METHODS; i++)
        free(m->counts[i]);
    free(m->blocks);
    free(m->lbr);
    code_destroy(m->code);
    free(m);
}

static double *counts_of(struct mix *m, enum mix_method method) {
    if (!m->counts[method]) m->counts[method] = calloc(m->code->count + 1, sizeof(double));
    return m->counts[method];
}

double mix_total(const struct mix *m, enum mix_method method) {
    double total = 0;
    for (size_t i = 0; m->counts[method] && i < m->code->count; i++)
        total += m->counts[method][i];
    return total;
}

bool mix_add_exact(struct mix *m, struct place place, uint64_t count) {
    double *counts = counts_of(m, MIX_EXACT);
    const uint32_t i = code_find(m->code, place);
    if (!counts) return false;
    if (i == CODE_NONE) {
        m->outside[MIX_EXACT] += count;
    } else {
        counts[i] += (double)count;
    }
    return true;
}

// ---- modes and address spaces of branch records ----
// What a record says is an address. The context of the youngest target is known, from the interrupt; it holds back to
// a trap or a return from one, and beyond it, it is the one in which the code there was sampled most.
enum { CONTEXTS = 64 };
struct contexts {
    const struct code *code;
    uint64_t list[CONTEXTS]; // that were sampled
    size_t count;
    uint64_t *before; // EBS samples of the instructions before this one
};

static void add_context(struct contexts *c, uint64_t context) {
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i] == context) return;
    if (c->count < CONTEXTS) c->list[c->count++] = context;
}

// Samples of the function that the instruction is in.
static uint64_t sampled(const struct contexts *c, uint32_t instruction) {
    const struct code_instruction *i = &c->code->instructions[instruction];
    const struct program_function *f = code_function(c->code, instruction);
    const size_t base = c->code->bases[4 * (size_t)i->image + i->mode];
    return c->before[base + f->first + f->count] - c->before[base + f->first];
}

static uint64_t guess(const struct contexts *c, uint64_t pc, uint64_t otherwise) {
    uint64_t best = 0, context = otherwise;
    bool any = false;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t at = code_find(c->code, (struct place){pc, c->list[i]});
        if (at == CODE_NONE) continue;
        const uint64_t n = sampled(c, at);
        if (any && n <= best) continue;
        any = true;
        best = n;
        context = c->list[i];
    }
    return context;
}

// ---- the collection ----
struct booking {
    struct mix *m;
    uint32_t *samples;
    struct hbbp_stack *stacks;
    struct hbbp_transfer *transfers;
    struct contexts contexts;
};

struct collected { // what the run's results have of it
    const struct collection *set;
    const struct retired_sample *samples;
    const struct transfer_stack *stacks;
    const struct transfer *transfers;
    size_t sample_count, stack_count, transfer_count;
};

static bool by_samples(struct booking *b, const struct collected *c, bool skid) {
    const size_t n = b->m->code->count;
    b->contexts.code = b->m->code;
    for (size_t i = 0; i < c->sample_count; i++) {
        const struct place place = skid ? c->samples[i].skid : c->samples[i].place;
        const uint32_t at = place.pc == PROFILE_PC_END ? CODE_NONE : code_find(b->m->code, place);
        b->samples[i] = at;
        if (at == CODE_NONE) {
            b->m->outside[MIX_EBS]++;
        } else {
            b->contexts.before[at + 1]++;
        }
        if (place.pc != PROFILE_PC_END) add_context(&b->contexts, place.context);
    }
    for (size_t i = 0; i < n; i++)
        b->contexts.before[i + 1] += b->contexts.before[i];
    for (size_t i = 0; i < c->stack_count; i++)
        add_context(&b->contexts, c->stacks[i].context);
    return true;
}

static void resolve(struct booking *b, const struct collected *c, const struct transfer_stack *s) {
    uint64_t context = s->context;
    for (size_t i = s->transfers.count; i-- > 0;) {
        const struct transfer *t = &c->transfers[s->transfers.first + i];
        struct hbbp_transfer *out = &b->transfers[s->transfers.first + i];
        const unsigned type = t->data & TRANSFER_TYPE;
        out->target = code_find(b->m->code, (struct place){t->target, context});
        if (type <= TRANSFER_TRAP_RETURN) context = guess(&b->contexts, t->source, context);
        out->source = code_find(b->m->code, (struct place){t->source, context});
        out->executed = type > TRANSFER_INTERRUPT;
        if (out->source == CODE_NONE) continue;
        const struct code_instruction *source = &b->m->code->instructions[out->source];
        if (type == TRANSFER_EXCEPTION) out->executed = control_kind_of(source->insn) == CONTROL_TRAPS;
        if (out->target != CODE_NONE && control_is_indirect(source->insn) && out->executed)
            code_split(b->m->code, out->target);
    }
}

static bool finish(struct booking *b, const struct collected *c, struct error *err) {
    struct mix *m = b->m;
    if (!code_make_blocks(m->code, err)) return false;
    m->blocks = calloc(m->code->block_count + 1, sizeof *m->blocks);
    double *ebs = counts_of(m, MIX_EBS), *lbr = counts_of(m, MIX_LBR);
    if (!m->blocks || !ebs || !lbr) return no_memory(err);
    hbbp_add_ebs(m->code, b->samples, c->sample_count, c->set->ebs_period, m->blocks);
    hbbp_add_lbr(m->code, b->stacks, c->stack_count, c->set->lbr_period, m->blocks, &m->quality);
    for (size_t i = 0; i < m->code->count; i++) {
        ebs[i] = m->blocks[m->code->instructions[i].block].ebs;
        lbr[i] = m->blocks[m->code->instructions[i].block].lbr;
    }
    return true;
}

bool mix_add_collection(struct mix *m, const struct results *results, bool skid, struct error *err) {
    struct collected own = {.set = results_collection(results)}, *const c = &own;
    own.samples = results_retired_sample(results, &own.sample_count);
    own.stacks = results_transfer_stack(results, &own.stack_count);
    own.transfers = results_transfer(results, &own.transfer_count);
    struct booking b = {.m = m};
    b.samples = calloc(c->sample_count + 1, sizeof *b.samples);
    b.stacks = calloc(c->stack_count + 1, sizeof *b.stacks);
    b.transfers = calloc(c->transfer_count + 1, sizeof *b.transfers);
    b.contexts.before = calloc(m->code->count + 2, sizeof *b.contexts.before);
    bool good = b.samples && b.stacks && b.transfers && b.contexts.before ? by_samples(&b, c, skid) : no_memory(err);
    for (size_t i = 0; good && i < c->stack_count; i++) {
        resolve(&b, c, &c->stacks[i]);
        b.stacks[i] = (struct hbbp_stack){b.transfers + c->stacks[i].transfers.first, c->stacks[i].transfers.count};
    }
    good = good && finish(&b, c, err);
    free(b.samples);
    free(b.stacks);
    free(b.transfers);
    free(b.contexts.before);
    return good;
}

bool mix_choose(struct mix *m, const struct rule *rule, struct error *err) {
    double features[HBBP_FEATURES], *counts = counts_of(m, MIX_HBBP);
    if (!m->lbr) m->lbr = calloc(m->code->block_count + 1, sizeof *m->lbr);
    if (!counts || !m->lbr) return no_memory(err);
    for (uint32_t b = 0; b < m->code->block_count; b++) {
        hbbp_features(m->code, b, &m->blocks[b], features);
        m->lbr[b] = rule_chooses_lbr(rule, features);
    }
    for (size_t i = 0; i < m->code->count; i++)
        counts[i] = m->counts[m->lbr[m->code->instructions[i].block] ? MIX_LBR : MIX_EBS][i];
    return true;
}
