// What the members of a machine must be to each other: a file may bring any values that each are in range.
#include "iss/iss_internal.h"

#define ROW(type, name, dimension, range) STATE_ROW(struct iss_tlb, type, name, range),
static const struct state_member rows[] = {ISS_TLB_STATE(ROW)};
const struct state_table iss_tlb_table = STATE_TABLE(rows);

static bool tlb_possible(const struct hart *h) {
    for (size_t i = 0; i < ISS_TLB_ENTRIES; i++) {
        uint64_t tag = h->tlb[i].tag;
        if (tag && (!(tag >> 63) || tag % ISS_TLB_ENTRIES != i)) return false;
    }
    return true;
}

static bool tohost_possible(const struct iss *iss) {
    if (iss->tohost == NO_TOHOST) return true;
    return iss->tohost <= iss->dram_bytes - 8 && iss->tohost % 8 == 0 && iss->htif.tohost == DRAM_BASE + iss->tohost;
}

static const char *hart_fault(const struct hart *h) {
    return h->privilege == 2       ? "privilege"
           : h->x[0]               ? "x0"
           : !iss_csrs_possible(h) ? "CSRs"
           : !tlb_possible(h)      ? "translations"
                                   : NULL;
}

bool iss_restored(const struct iss *iss, const char **fault) {
    *fault = iss->turn >= iss->hart_count ? "turn" : NULL;
    for (unsigned i = 0; !*fault && i < iss->hart_count; i++)
        *fault = hart_fault(&iss->harts[i]);
    if (!*fault)
        *fault = !tohost_possible(iss) ? "tohost" : !htif_possible(&iss->htif, iss->dram_bytes) ? "host call" : NULL;
    return !*fault;
}
