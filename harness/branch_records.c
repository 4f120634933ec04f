// The harness's own control transfer records: see branch_records.h.
#include "harness/branch_records.h"
#include "csrs.h"
#include <errno.h>

enum { FIRST = 0x200, SOURCE = 1, TARGET, DATA }; // numbers in siselect and of sireg
enum { VALID = 1, MISPREDICTED = 1, COUNTED = 1 << 15 };

static unsigned depth_of(const struct model_api *api, struct model *model) {
    uint64_t depth = 0;
    return api->csr_read(model, CSR_SCTRDEPTH, &depth) == 0 ? 16u << depth : 0;
}

static uint64_t read(const struct model_api *api, struct model *model, unsigned entry, int number) {
    uint64_t value = 0;
    api->window_read(model, (int)(FIRST + entry), number, &value);
    return value;
}

int branch_records_begin(const struct model_api *api, struct model *model, unsigned depth, uint64_t filter,
                         struct error *err) {
    unsigned code = 0;
    while (code < 4 && 16u << code < depth)
        code++;
    int result = api->csr_write(model, CSR_SCTRDEPTH, code);
    if (result < 0 || 16u << code != depth || depth_of(api, model) != depth) {
        error_set(err,
                  "branch records: the core does not have %u: give 16, 32, 64, 128 or 256, and a configuration with a "
                  "profile.ctr_depth of as many",
                  depth);
        return -EINVAL;
    }
    api->csr_write(model, CSR_MCTRCTL, 0);
    for (unsigned i = 0; i < depth; i++) {
        if (read(api, model, i, SOURCE) & VALID) api->window_write(model, (int)(FIRST + i), SOURCE, 0);
    }
    api->csr_write(model, CSR_SCTRSTATUS, 0);
    return api->csr_write(model, CSR_MCTRCTL, filter);
}

void branch_records_end(const struct model_api *api, struct model *model) {
    api->csr_write(model, CSR_MCTRCTL, 0);
}

// A mantissa of twelve bits and an exponent.
static uint64_t decoded(uint64_t count) {
    const uint64_t exponent = count >> 12, mantissa = count & 0xfff;
    return exponent ? ((UINT64_C(1) << 12) + mantissa) << (exponent - 1) : mantissa;
}

unsigned branch_records_read(const struct model_api *api, struct model *model,
                             struct branch_record out[BRANCH_RECORDS_MOST]) {
    unsigned count = 0;
    for (unsigned i = depth_of(api, model); i-- > 0;) {
        const uint64_t source = read(api, model, i, SOURCE);
        if (!(source & VALID)) continue;
        const uint64_t target = read(api, model, i, TARGET), data = read(api, model, i, DATA);
        out[count++] = (struct branch_record){.source = source & ~(uint64_t)VALID,
                                              .target = target & ~(uint64_t)MISPREDICTED,
                                              .mispredicted = target & MISPREDICTED,
                                              .type = (enum transfer_type)(data & TRANSFER_TYPE),
                                              .counted = data & COUNTED,
                                              .cycles = data & COUNTED ? decoded(data >> 16 & 0xffff) : 0};
    }
    return count;
}
