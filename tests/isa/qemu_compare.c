// Holds the ISS against QEMU, an independent implementation: registers, pc and trap CSRs at every instruction.
//
//     build/tests/isa/qemu_compare [--fp] [--ad] [--max N] PROGRAM.elf...
//
// QEMU (virt, one instruction a translation block) logs the state before every instruction into a FIFO; for each entry
// the ISS makes one step. The comparison starts at the program's entry, after the boot ROMs, which differ, and ends
// when the program writes tohost. Known differences between the two machines are handled here, nowhere else:
//   - the registers that QEMU's boot ROM leaves behind are taken over at the entry;
//   - QEMU does not log an instruction that it cannot fetch, nor an interrupt: the ISS makes that trap's step alone;
//   - an ebreak leaves 0 in QEMU's mtval or stval and the pc in ours (the manual allows both): taken over;
//   - cycles and time, which QEMU has its own idea of, are taken over where a program reads them;
//   - QEMU's hart is cut down to what ours has (CPU below): no hypervisor, no bit manipulation; both have floating
//     point with --fp only, and then the f registers are compared, too;
//   - it runs as if there could be more harts, or an AMO that may not write would be the load's page fault. What it
//     cannot do in one go then, such as an AMO outside of memory, it begins again, as a load and a store: one record
//     too many, and the load's access fault: taken over (medeleg must not distinguish the two);
//   - a flag raised by an operation whose result goes to an x register, and csrrs or csrrc of fcsr with 0, make
//     mstatus.FS dirty in ours, as the manual says, not in QEMU: taken over;
//   - QEMU sets A and D: the ISS does with --ad only;
//   - QEMU logs an instruction before it finds that something else is to be done first, and then once more;
//   - after reset, QEMU's mstatus.MPP is 0 and ours 3 (the manual does not say): taken over.
// Not alike in QEMU 7.2, so not compared: misaligned accesses (done), A and D of an access that then meets an access
// fault (set), an SC without a reservation (never faults), page tables outside of memory (a page fault), the order of
// S-mode interrupts, MPRV after mret (kept).
// Last line: 'N passed, M failed'; exit status 0 if all passed, 1 at a difference, 2 if a comparison could not be made.
#include "csrs.h"
#include "iss/iss.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HISTORY = 16, HANG_GUARD_MS = 60000, BUFFER = 1 << 16, SLACK = 1000 };
enum { FETCH_FAULT = 1, BREAKPOINT = 3, LOAD_FAULT = 5, STORE_FAULT = 7, FETCH_PAGE_FAULT = 12 }; // mcause

#define CPU "rv64,h=false,sscofpmf=true,priv_spec=v1.12.0,zba=false,zbb=false,zbc=false,zbs=false"
#define CPU_WITHOUT_FP CPU ",f=false,d=false"

// ---- QEMU and its log ----
struct qemu {
    pid_t pid;
    int fd;
    bool fp; // logs the f registers
    char folder[64], fifo[80];
    char buffer[BUFFER];
    size_t used, next;
};

enum {
    MTVEC,
    MSCRATCH,
    MEPC,
    MCAUSE,
    MTVAL,
    MSTATUS,
    MIE,
    MIDELEG,
    MEDELEG,
    STVEC,
    SSCRATCH,
    SEPC,
    SCAUSE,
    STVAL,
    SATP,
    CSRS
};
static const struct {
    const char *name;
    unsigned address;
} csrs[CSRS] = {
    [MTVEC] = {"mtvec", CSR_MTVEC},    [MSCRATCH] = {"mscratch", CSR_MSCRATCH}, [MEPC] = {"mepc", CSR_MEPC},
    [MCAUSE] = {"mcause", CSR_MCAUSE}, [MTVAL] = {"mtval", CSR_MTVAL},          [MSTATUS] = {"mstatus", CSR_MSTATUS},
    [MIE] = {"mie", CSR_MIE},          [MIDELEG] = {"mideleg", CSR_MIDELEG},    [MEDELEG] = {"medeleg", CSR_MEDELEG},
    [STVEC] = {"stvec", CSR_STVEC},    [SSCRATCH] = {"sscratch", CSR_SSCRATCH}, [SEPC] = {"sepc", CSR_SEPC},
    [SCAUSE] = {"scause", CSR_SCAUSE}, [STVAL] = {"stval", CSR_STVAL},          [SATP] = {"satp", CSR_SATP},
};

struct state {
    uint64_t pc, x[32], f[32], csr[CSRS];
};

static bool qemu_start(struct qemu *q, const char *program, bool fp) {
    memset(q, 0, sizeof *q);
    q->fp = fp;
    q->fd = -1;
    strcpy(q->folder, "/tmp/qemu_compare_XXXXXX");
    if (!mkdtemp(q->folder)) return false;
    snprintf(q->fifo, sizeof q->fifo, "%s/log", q->folder);
    if (mkfifo(q->fifo, 0600) != 0) return false;
    q->fd = open(q->fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (q->fd < 0) return false;
    q->pid = fork();
    if (q->pid != 0) return q->pid > 0;
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execlp("qemu-system-riscv64", "qemu-system-riscv64", "-machine", "virt", "-cpu", fp ? CPU : CPU_WITHOUT_FP, "-m",
           "256M", "-bios", "none", "-smp", "cpus=1,maxcpus=2", "-accel", "tcg,thread=multi", "-display", "none",
           "-serial", "null", "-monitor", "none", "-net", "none", "-singlestep", "-d",
           fp ? "exec,cpu,fpu,nochain" : "exec,cpu,nochain", "-D", q->fifo, "-kernel", program, (char *)NULL);
    _exit(127);
}

static void qemu_stop(struct qemu *q) {
    if (q->pid > 0) {
        kill(q->pid, SIGKILL);
        waitpid(q->pid, NULL, 0);
    }
    if (q->fd >= 0) close(q->fd);
    unlink(q->fifo);
    rmdir(q->folder);
}

static bool refill(struct qemu *q) {
    memmove(q->buffer, q->buffer + q->next, q->used - q->next);
    q->used -= q->next;
    q->next = 0;
    for (;;) {
        struct pollfd ready = {.fd = q->fd, .events = POLLIN};
        if (poll(&ready, 1, HANG_GUARD_MS) <= 0) return false;
        ssize_t got = read(q->fd, q->buffer + q->used, BUFFER - q->used);
        if (got > 0) {
            q->used += (size_t)got;
            return true;
        }
        if (got == 0 || errno != EAGAIN) return false;
    }
}

static char *next_line(struct qemu *q) {
    for (;;) {
        char *line = q->buffer + q->next;
        char *end = memchr(line, '\n', q->used - q->next);
        if (end) {
            *end = '\0';
            q->next = (size_t)(end - q->buffer) + 1;
            return line;
        }
        if (q->used - q->next == BUFFER || !refill(q)) return NULL;
    }
}

// " x4/tp    0000000000000000 x5/t0 ...": four registers a line; file: 'x' or 'f'.
static unsigned parse_registers(const char *line, char file, uint64_t *registers) {
    unsigned last = 0;
    const char start[] = {' ', file, '\0'}; // digits and names may hold an f
    for (const char *p = strstr(line, start); p; p = strstr(p, start)) {
        char *end;
        unsigned number = (unsigned)strtoul(p + 2, &end, 10);
        end += strcspn(end, " ");
        if (number > 31) return 0;
        registers[number] = strtoull(end, (char **)&p, 16);
        last = number;
    }
    return last;
}

// The state before the next instruction that QEMU executes.
static bool qemu_next(struct qemu *q, struct state *state) {
    for (char *line; (line = next_line(q));) {
        if (line[0] != ' ') continue;
        if (line[1] == 'x') {
            if (parse_registers(line, 'x', state->x) == 31 && !q->fp) return true;
        } else if (line[1] == 'f') {
            if (parse_registers(line, 'f', state->f) == 31) return true;
        } else if (strncmp(line, " pc ", 4) == 0) {
            state->pc = strtoull(line + 4, NULL, 16);
        } else {
            for (int i = 0; i < CSRS; i++) {
                size_t length = strlen(csrs[i].name);
                if (strncmp(line + 1, csrs[i].name, length) == 0 && line[1 + length] == ' ') {
                    state->csr[i] = strtoull(line + 1 + length, NULL, 16);
                }
            }
        }
    }
    return false;
}

// ---- the comparison ----
struct comparison {
    const char *program;
    bool fp;
    struct iss *iss;
    struct qemu qemu;
    struct iss_retire past[HISTORY];
    uint64_t steps;
};

static void step(struct comparison *c) {
    hart_step(iss_only(c->iss), &c->past[c->steps++ % HISTORY]);
}

static void take_over(struct iss *iss, const struct state *state) {
    for (unsigned i = 1; i < 32; i++)
        hart_set_x(iss_only(iss), i, state->x[i]);
    hart_set_csr(iss_only(iss), CSR_MSTATUS, state->csr[MSTATUS]);
}

static void print_history(const struct comparison *c) {
    uint64_t first = c->steps > HISTORY ? c->steps - HISTORY : 0;
    for (uint64_t i = first; i < c->steps; i++) {
        const struct iss_retire *r = &c->past[i % HISTORY];
        printf("    %8" PRIu64 "  0x%016" PRIx64 "  %08" PRIx32, i, r->pc, r->insn);
        if (r->rd_written) printf("  %c%u = 0x%" PRIx64, r->rd_fp ? 'f' : 'x', r->rd, r->rd_value);
        if (r->access) printf("  %s 0x%" PRIx64, r->access == ISS_ACCESS_STORE ? "store" : "load", r->address);
        if (r->trap) printf("  trap, cause %u, tval 0x%" PRIx64, r->cause, r->tval);
        putchar('\n');
    }
}

static bool same(const struct comparison *c, const char *what, uint64_t qemu, uint64_t iss) {
    if (qemu == iss) return true;
    printf("FAIL %s: after %" PRIu64 " steps: %s: QEMU 0x%" PRIx64 ", ISS 0x%" PRIx64 "; the ISS's last steps:\n",
           c->program, c->steps, what, qemu, iss);
    print_history(c);
    return false;
}

static bool compare(const struct comparison *c, const struct state *state) {
    if (!same(c, "pc", state->pc, hart_pc(iss_only(c->iss)))) return false;
    for (unsigned i = 1; i < 32; i++) {
        char name[8];
        snprintf(name, sizeof name, "x%u", i);
        if (!same(c, name, state->x[i], hart_x(iss_only(c->iss), i))) return false;
    }
    for (unsigned i = 0; i < 32 && c->fp; i++) {
        char name[8];
        snprintf(name, sizeof name, "f%u", i);
        if (!same(c, name, state->f[i], hart_f(iss_only(c->iss), i))) return false;
    }
    for (int i = 0; i < CSRS; i++) {
        uint64_t value = 0;
        hart_csr(iss_only(c->iss), csrs[i].address, &value);
        if (!same(c, csrs[i].name, state->csr[i], value)) return false;
    }
    return true;
}

static bool follow_to(struct comparison *c, struct state *state, uint64_t pc, unsigned slack) {
    for (unsigned i = 0; state->pc != pc; i++) {
        if (i == slack || !qemu_next(&c->qemu, state)) return false;
    }
    return true;
}

static bool reads_clock(const struct iss_retire *r) {
    return r->csr_accessed && r->rd_written && (r->csr == CSR_MCYCLE || r->csr == CSR_CYCLE || r->csr == CSR_TIME);
}

static bool is_amo(const struct iss_retire *r) {
    return (r->insn & 0x7f) == 0x2f;
}

// mstatus but for FS: 1 (initial) or 2 (clean) in QEMU, 3 (dirty), and with it SD, in the ISS.
static bool dirty_in_ours(const struct iss *iss, const struct iss_retire *r, const struct state *state) {
    const uint64_t initial = 1ull << 13, clean = 2ull << 13, dirty = 3ull << 13 | 1ull << 63;
    const uint64_t theirs = state->csr[MSTATUS] & dirty;
    uint64_t ours = 0;
    hart_csr(iss_only(iss), CSR_MSTATUS, &ours);
    const bool by_flags = (r->insn & 0x7f) == 0x53 && !r->rd_fp, by_csr = r->csr_accessed && r->csr <= CSR_FCSR;
    return (by_flags || by_csr) && (theirs == initial || theirs == clean) && ours == (state->csr[MSTATUS] | dirty);
}

static void take_over_trap(struct iss *iss, const struct iss_retire *trap, const struct state *state) {
    bool machine = hart_privilege(iss_only(iss)) == ISS_PRIVILEGE_M;
    if (trap->cause == BREAKPOINT)
        hart_set_csr(iss_only(iss), machine ? CSR_MTVAL : CSR_STVAL, state->csr[machine ? MTVAL : STVAL]);
    if (is_amo(trap) && trap->cause == STORE_FAULT && state->csr[machine ? MCAUSE : SCAUSE] == LOAD_FAULT)
        hart_set_csr(iss_only(iss), machine ? CSR_MCAUSE : CSR_SCAUSE, LOAD_FAULT);
}

static bool fetch_fault_or_interrupt(const struct iss_retire *r) {
    return r->trap && (r->interrupt || r->cause == FETCH_FAULT || r->cause == FETCH_PAGE_FAULT);
}

// 1: the same until the end; 0: a difference; -1: could not be compared to the end.
static int run(struct comparison *c, uint64_t entry, uint64_t max) {
    struct state state = {0};
    while (hart_pc(iss_only(c->iss)) != entry)
        hart_step(iss_only(c->iss), NULL);
    if (!qemu_next(&c->qemu, &state) || !follow_to(c, &state, entry, SLACK)) return -1;
    take_over(c->iss, &state);
    while (c->steps < max) {
        if (!compare(c, &state)) return 0;
        const struct state before = state;
        step(c);
        if (iss_exited(c->iss, NULL)) return 1;
        const struct iss_retire last = c->past[(c->steps - 1) % HISTORY];
        if (!qemu_next(&c->qemu, &state)) return -1;
        while (state.pc != hart_pc(iss_only(c->iss)) && memcmp(&state, &before, sizeof state) == 0)
            if (!qemu_next(&c->qemu, &state)) return -1;
        if (is_amo(&last) && state.pc == last.pc && !qemu_next(&c->qemu, &state)) return -1;
        if (reads_clock(&last)) hart_set_x(iss_only(c->iss), last.rd, state.x[last.rd]);
        if (dirty_in_ours(c->iss, &last, &state)) hart_set_csr(iss_only(c->iss), CSR_MSTATUS, state.csr[MSTATUS]);
        if (last.trap && !last.interrupt) take_over_trap(c->iss, &last, &state);
        for (int i = 0; i < 3 && state.pc != hart_pc(iss_only(c->iss)); i++) {
            step(c);
            if (!fetch_fault_or_interrupt(&c->past[(c->steps - 1) % HISTORY])) break;
        }
    }
    return 1;
}

static int check(const char *program, bool fp, bool ad, uint64_t max) {
    struct comparison c = {.program = program, .fp = fp};
    struct error err = {""};
    struct image *image = image_load(program, &err);
    int result = -1;
    if (image && (c.iss = iss_create(&err))) {
        iss_set_fp(c.iss, fp);
        iss_set_ad_update(c.iss, ad);
    }
    if (image && c.iss && iss_load(c.iss, image, &err) == 0) {
        if (qemu_start(&c.qemu, program, fp)) result = run(&c, image_entry(image), max);
        qemu_stop(&c.qemu);
        uint64_t code = 0;
        if (result < 0) {
            printf("FAIL %s: QEMU's log ended after %" PRIu64 " steps, at pc 0x%" PRIx64 " of the ISS:\n", program,
                   c.steps, hart_pc(iss_only(c.iss)));
            print_history(&c);
        } else if (result == 1) {
            printf("PASS %s: %" PRIu64 " steps alike, ", program, c.steps);
            printf(iss_exited(c.iss, &code) ? "exit code %" PRIu64 "\n" : "stopped by --max\n", code);
        }
    } else {
        printf("FAIL %s\n", err.text);
    }
    iss_destroy(c.iss);
    image_destroy(image);
    fflush(stdout);
    return result;
}

int main(int argc, char **argv) {
    uint64_t max = UINT64_MAX;
    bool fp = false, ad = false;
    int first = 1, passed = 0, failed = 0, worst = 0;
    if (argc > 1 && strcmp(argv[1], "--fp") == 0) {
        fp = true;
        first++;
    }
    if (argc > first && strcmp(argv[first], "--ad") == 0) {
        ad = true;
        first++;
    }
    if (argc > first + 1 && strcmp(argv[first], "--max") == 0) {
        max = strtoull(argv[first + 1], NULL, 0);
        first += 2;
    }
    for (int i = first; i < argc; i++) {
        int result = check(argv[i], fp, ad, max);
        if (result == 1) {
            passed++;
        } else {
            failed++;
            if (result < 0) worst = 2;
            if (worst == 0) worst = 1;
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return passed + failed > 0 ? worst : 2;
}
