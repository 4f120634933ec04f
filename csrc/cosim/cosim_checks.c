// What is compared of an instruction: one small checker a property, one after the other.
#include "cosim/cosim_checks.h"

static bool differ(struct cosim_difference *d, const char *what, uint64_t expected, uint64_t got) {
    if (expected == got) return false;
    *d = (struct cosim_difference){what, expected, got};
    return true;
}

static bool check_kind(const struct cosim_step *s, struct cosim_difference *d) {
    return differ(d, "whether it traps", s->iss->trap, s->trap != NULL);
}

static bool check_pc(const struct cosim_step *s, struct cosim_difference *d) {
    return differ(d, "pc", s->iss->pc, s->core ? s->core->pc : s->trap->epc);
}

static bool check_insn(const struct cosim_step *s, struct cosim_difference *d) {
    return s->core && differ(d, "instruction word", s->iss->insn, s->core->insn);
}

static bool check_privilege(const struct cosim_step *s, struct cosim_difference *d) {
    return differ(d, "privilege", s->iss->privilege, s->core_privilege);
}

static bool check_rd(const struct cosim_step *s, struct cosim_difference *d) {
    if (!s->core) return false;
    if (differ(d, "whether a register is written", s->iss->rd_written, s->core->rd_written)) return true;
    if (!s->iss->rd_written) return false;
    if (differ(d, "whether it is a floating-point register", s->iss->rd_fp, s->core->rd_fp)) return true;
    if (differ(d, "destination register", s->iss->rd, s->core->rd)) return true;
    return !s->rd_taken_over && differ(d, "destination value", s->iss->rd_value, s->core->rd_value);
}

static bool check_store(const struct cosim_step *s, struct cosim_difference *d) {
    if (!s->core) return false;
    bool stores = s->iss->access == ISS_ACCESS_STORE;
    if (differ(d, "whether it stores", stores, s->core->stored)) return true;
    if (!stores) return false;
    return differ(d, "store address", s->iss->address, s->core->store_addr) ||
           differ(d, "store size in bytes", s->iss->size, s->core->store_bytes) ||
           differ(d, "store data", s->iss->data, s->core->store_data);
}

static bool check_csr(const struct cosim_step *s, struct cosim_difference *d) {
    if (!s->core) return false;
    if (differ(d, "whether a CSR is written", s->iss->csr_written, s->core->csr_written)) return true;
    if (!s->iss->csr_written) return false;
    if (differ(d, "CSR address", s->iss->csr, s->core->csr)) return true;
    return !s->csr_taken_over && differ(d, "CSR value", s->iss->csr_value, s->core->csr_value);
}

static bool check_trap(const struct cosim_step *s, struct cosim_difference *d) {
    if (!s->trap) return false;
    return differ(d, "whether the trap is an interrupt", s->iss->interrupt, s->trap->interrupt) ||
           differ(d, "trap cause", s->iss->cause, s->trap->cause) || differ(d, "trap epc", s->iss->epc, s->trap->epc) ||
           differ(d, "trap value", s->iss->tval, s->trap->tval);
}

bool cosim_compare(const struct cosim_step *s, struct cosim_difference *d) {
    return check_pc(s, d) || check_kind(s, d) || check_insn(s, d) || check_privilege(s, d) || check_rd(s, d) ||
           check_store(s, d) || check_csr(s, d) || check_trap(s, d);
}
