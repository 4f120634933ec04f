// The harness's own control transfer records (docs/reference/ctr.md): the last transfers of control that retired.
//
// Of any program, which neither sees them nor disturbs them. On cores with profile.ctr_depth. To be called between two
// cycles: where a sample is collected, say.
#ifndef TIPOFF_HARNESS_BRANCH_RECORDS_H
#define TIPOFF_HARNESS_BRANCH_RECORDS_H

#include "base/error.h"
#include "harness/model.h"
#include "isa/control.h"

enum { BRANCH_RECORDS_MOST = 256 };

// Bits of the filter: mctrctl (tables/csrs.tsv). All modes, all transfers but branches that are not taken:
#define BRANCH_RECORDS_ALL UINT64_C(7)
#define BRANCH_RECORDS_CALL_STACK (UINT64_C(1) << 7)                // RASEMU
#define BRANCH_RECORDS_NO_TRAPS (UINT64_C(7) << 33)                 // EXCINH, INTRINH, TRETINH
#define BRANCH_RECORDS_NOT_TAKEN (UINT64_C(1) << 36)                // NTBREN
#define BRANCH_RECORDS_WITHOUT(type) (UINT64_C(1) << (32 + (type))) // type: from TRANSFER_BRANCH on

struct branch_record {
    uint64_t source, target; // addresses; 0: of a mode that is not recorded
    bool mispredicted;
    enum transfer_type type;
    bool counted;    // cycles is known: else it is the first since recording began, or in a call stack
    uint64_t cycles; // since the record before, at commit; from 8192 on rounded down to twelve bits after the first
};

// Records from now on, the last `depth` (16, 32, 64, 128 or 256) of what `filter` lets through; takes some cycles. 0,
// or -EINVAL with err: the core has no such number of records.
int branch_records_begin(const struct model_api *api, struct model *model, unsigned depth, uint64_t filter,
                         struct error *err);
// No more; the records so far stay.
void branch_records_end(const struct model_api *api, struct model *model);
// All records, the oldest first; their number. Takes no cycle.
unsigned branch_records_read(const struct model_api *api, struct model *model,
                             struct branch_record out[BRANCH_RECORDS_MOST]);

#endif
