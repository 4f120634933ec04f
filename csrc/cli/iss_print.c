// Lines of the trace and the last line of `tipoff iss`.
#include "cli/iss_print.h"
#include "base/grouped.h"
#include <inttypes.h>

static char mode_letter(unsigned privilege) {
    return privilege == ISS_PRIVILEGE_M ? 'M' : privilege == ISS_PRIVILEGE_S ? 'S' : 'U';
}

void iss_print_step(FILE *out, const struct hart *hart, bool several, const struct iss_retire *r) {
    if (several) fprintf(out, "%u ", hart_number(hart));
    if (r->trap) {
        fprintf(out, "%c 0x%016" PRIx64 " %s cause=%u epc=0x%" PRIx64 " tval=0x%" PRIx64 "\n",
                mode_letter(r->privilege), r->pc, r->interrupt ? "interrupt" : "exception", r->cause, r->epc, r->tval);
        return;
    }
    fprintf(out, "%c 0x%016" PRIx64 " 0x%08" PRIx32, mode_letter(r->privilege), r->pc, r->insn);
    if (r->rd_written) fprintf(out, " %c%u=0x%" PRIx64, r->rd_fp ? 'f' : 'x', r->rd, r->rd_value);
    if (r->csr_written) fprintf(out, " csr[0x%x]=0x%" PRIx64, r->csr, r->csr_value);
    if (r->access == ISS_ACCESS_LOAD) fprintf(out, " load%u[0x%" PRIx64 "]", r->size, r->address);
    if (r->access == ISS_ACCESS_STORE) fprintf(out, " store%u[0x%" PRIx64 "]=0x%" PRIx64, r->size, r->address, r->data);
    fputc('\n', out);
}

// Where each of several harts is.
static void print_harts(const struct iss *iss, const char *program) {
    char trap[ISS_LAST_TRAP_TEXT], steps[GROUPED_TEXT];
    for (unsigned i = 0; i < iss_harts(iss); i++) {
        const struct hart *hart = iss_hart(iss, i);
        hart_last_trap_text(hart, trap, sizeof trap);
        fprintf(stderr, "tipoff: %s: hart %u, after %s instructions: %s at pc 0x%" PRIx64 "%s\n", program, i,
                grouped(steps, hart_steps(hart)), hart_waits(hart) ? "waits for an interrupt" : "runs", hart_pc(hart),
                trap);
    }
}

void iss_print_end(const struct iss *iss, const char *program, bool interrupted, uint64_t done, double seconds) {
    uint64_t code;
    char trap[ISS_LAST_TRAP_TEXT], by[32] = "", count[GROUPED_TEXT];
    fprintf(stderr, "tipoff: %s: %s instructions in %.3f s, %.1f MIPS, ", program, grouped(count, done), seconds,
            seconds > 0 ? (double)done / seconds * 1e-6 : 0.0);
    if (iss_harts(iss) > 1) snprintf(by, sizeof by, " by hart %u of %u", hart_number(iss_caller(iss)), iss_harts(iss));
    if (!iss_exited(iss, &code) && iss_harts(iss) > 1) {
        fprintf(stderr, "%s\n", interrupted ? "interrupted" : "did not end");
        print_harts(iss, program);
    } else if (!iss_exited(iss, &code)) {
        hart_last_trap_text(iss_only(iss), trap, sizeof trap);
        fprintf(stderr, "%s at pc 0x%" PRIx64 "%s\n", interrupted ? "interrupted" : "did not end",
                hart_pc(iss_only(iss)), trap);
    } else if (code > 255) {
        fprintf(stderr, "exit code %" PRIu64 "%s (status 255: the greatest that a process has)\n", code, by);
    } else {
        fprintf(stderr, "exit status %" PRIu64 "%s\n", code, by);
    }
}
