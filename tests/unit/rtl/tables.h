// The tables of instructions and CSRs as the core of the test's configuration has them: without core.fp, F and D, their
// CSRs and their bits of others do not exist; nor those of csr_window without profile.window, of ctr without
// profile.ctr_depth, and of profileme without profile.tags.
#ifndef TIPOFF_RTL_TABLES_H
#define TIPOFF_RTL_TABLES_H

#include "../../../build/gen/csrs.h"
#include "../../../build/gen/instructions.h"
#include "config.h"
#include <string.h>
#include <vector>

static inline bool table_has(const struct insn_info *row) {
    return CONFIG_CORE_FP || !row->fp;
}

static inline std::vector<struct csr_info> table_csrs(void) {
    static const struct csr_info rows[] = {CSR_INFO_ROWS};
    std::vector<struct csr_info> csrs;
    for (struct csr_info row : rows) {
        if (row.fp && !CONFIG_CORE_FP) continue;
        if (!CONFIG_PROFILE_WINDOW && strcmp(row.where, "csr_window") == 0) continue;
        if (!CONFIG_PROFILE_CTR_DEPTH && strcmp(row.where, "ctr") == 0) continue;
        if (!CONFIG_PROFILE_TAGS && strcmp(row.where, "profileme") == 0) continue;
        if (!CONFIG_PROFILE_TRIGGERS && strcmp(row.where, "sdtrig") == 0) continue;
        if (row.fp) row.flush = CONFIG_CORE_FCSR_FLUSH;
        if (!CONFIG_CORE_FP) {
            row.reset = row.reset_no_fp;
            row.mask = row.mask_no_fp;
        }
        csrs.push_back(row);
    }
    return csrs;
}

#endif
