// What the rule of HBBP is learned from: report.h.
#include "methods/hbbp/report.h"
#include "report/csv.h"
#include <inttypes.h>

bool mix_blocks_write(const struct mix *m, FILE *out, struct error *err) {
    static const char *const features[] = {HBBP_FEATURE_NAMES};
    double values[HBBP_FEATURES];
    if (!m->blocks || !m->counts[MIX_EXACT]) {
        error_set(err, "blocks need samples and exact counts: name a sample file of a run with collections");
        return false;
    }
    fputs("block,mode,function", out);
    for (unsigned f = 0; f < HBBP_FEATURES; f++)
        fprintf(out, ",%s", features[f]);
    fputs(",first,all,EBS,LBR,exact\n", out);
    for (uint32_t b = 0; b < m->code->block_count; b++) {
        const struct hbbp_block *found = &m->blocks[b];
        const struct code_instruction *i = &m->code->instructions[m->code->blocks[b].first];
        double exact = 0; // a trap or an arrival in its middle makes its instructions differ: their mean
        for (uint32_t k = 0; k < m->code->blocks[b].count; k++)
            exact += m->counts[MIX_EXACT][m->code->blocks[b].first + k] / m->code->blocks[b].count;
        if (exact == 0 && found->ebs == 0 && found->lbr == 0) continue;
        hbbp_features(m->code, b, found, values);
        fprintf(out, "0x%08" PRIx64 ",%c,", i->pc, MODE_LETTERS[i->mode & 3]);
        csv_text(out, code_function(m->code, m->code->blocks[b].first)->name);
        for (unsigned f = 0; f < HBBP_FEATURES; f++)
            fprintf(out, ",%g", values[f]);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%.6f,%.6f,%.6f\n", found->first, found->all, found->ebs, found->lbr,
                exact);
    }
    return true;
}
