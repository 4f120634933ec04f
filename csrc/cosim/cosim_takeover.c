// What lockstep takes over from the core instead of comparing it: this table is all of it (with interrupts, whose time
// the core decides: cosim.c forces them upon the ISS, and compares what the trap does).
#include "cosim/cosim.h"
#include "cosim/cosim_checks.h"
#include "csrs.h"

static const struct {
    uint16_t first, last;
    const char *why;
} csrs[] = {
    {CSR_MCYCLE, CSR_MCYCLE, "cycles: the ISS has no pipeline"},
    {CSR_MHPMCOUNTER3, CSR_MHPMCOUNTER31, "count microarchitectural events"},
    {CSR_MHPMEVENT3, CSR_MHPMEVENT31, "OF is set by the hardware"},
    {CSR_CYCLE, CSR_TIME, "user aliases of the counters, and time"},
    {CSR_HPMCOUNTER3, CSR_HPMCOUNTER31, "user aliases of the counters"},
    {CSR_SCOUNTOVF, CSR_SCOUNTOVF, "OF is set by the hardware"},
    {CSR_MCOUNTINHIBIT, CSR_MCOUNTINHIBIT, "only counters that exist have a bit"},
    {CSR_MIP, CSR_MIP, "set by devices and by counter overflow"},
    {CSR_SIP, CSR_SIP, "part of mip"},
    {CSR_TIPOFF_COLLISIONS, CSR_TIPOFF_COLLISIONS, "lost triggers"},
    {CSR_SHPMSPC, CSR_SHPMSDATA, "samples"},
    {CSR_SIREG, CSR_SIREG6, "registers of the units behind siselect"},
    {CSR_MIREG, CSR_MIREG6, "registers of the units behind miselect"},
    {CSR_SCTRSTATUS, CSR_SCTRSTATUS, "place in the control transfer records"},
    {CSR_TIPOFF_ADDR0, CSR_TIPOFF_SPACE, "samples"},
};

bool cosim_takes_over_csr(uint16_t csr) {
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++) {
        if (csr >= csrs[i].first && csr <= csrs[i].last) return true;
    }
    return false;
}

// CSR instructions are serial: what minstret counts is settled when they read it.
bool cosim_takes_over_rd(const struct iss_retire *step) {
    if (step->csr_accessed && (step->csr == CSR_MINSTRET || step->csr == CSR_INSTRET)) return false;
    return step->reads_nondeterministic;
}
