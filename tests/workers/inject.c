// Faults between a core model and the C side: a library for LD_PRELOAD that stands in for some of the model's DPI
// functions (test_faults.py has renamed them in a copy of the model) and passes on what the core says with one thing
// wrong, named by the environment variable TIPOFF_FAULT. Without it nothing is changed.
#include "trace/dpi.h"
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, FROM = 2000 }; // FROM: tick from which on the machine's faults act

static unsigned insns[LANES], psvs[LANES];
static unsigned long long ticks;

static int fault(const char *name) {
    static const char *wanted;
    if (!wanted) wanted = getenv("TIPOFF_FAULT") ? getenv("TIPOFF_FAULT") : "";
    return strcmp(wanted, name) == 0;
}

// ---- what the core says of a lane ----
static unsigned change_psv(int lane, unsigned psv) {
    static const struct {
        const char *name;
        unsigned bits;
    } rows[] = {{"DR_L1", 1},  {"DR_TLB", 2}, {"DR_SQ", 4},    {"FL_MB", 8},   {"FL_EX", 16},
                {"FL_MO", 32}, {"ST_L1", 64}, {"ST_TLB", 128}, {"ST_LLC", 256}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[16] = "never ";
        if (fault(strcat(name, rows[i].name))) return psv & ~rows[i].bits;
        memcpy(name, "every ", 6);
        if (fault(name)) return psv | rows[i].bits;
    }
    if (fault("psv of the other lane")) return psvs[lane ^ 1];
    if (fault("mispredict never")) return psv & ~8u; // FL_MB follows it
    return psv;
}

void tipoff_Commit_lane(int lane, unsigned long long pc, unsigned insn, unsigned psv);
void tipoff_Commit_lane(int lane, unsigned long long pc, unsigned insn, unsigned psv) {
    insns[lane] = insn;
    psvs[lane] = psv;
    tipoff_commit_lane(lane, pc, insn, change_psv(lane, psv));
}

void tipoff_Dispatch_lane(int lane, unsigned long long pc);
void tipoff_Dispatch_lane(int lane, unsigned long long pc) {
    tipoff_dispatch_lane(lane, fault("dispatch_pc") && lane ? pc + 2 : pc);
}

static int is_csr(unsigned insn, unsigned address) {
    return (insn & 0x7f) == 0x73 && insn >> 20 == address;
}

void tipoff_Fflags(int value);
void tipoff_Fflags(int value) {
    tipoff_fflags(fault("fflags") ? value & ~1 : value);
}

// A result that is this value: it comes where the program computes it, whatever the core was doing.
static int is_wrong(unsigned long long value) {
    const char *wanted = fault("a value") ? getenv("TIPOFF_FAULT_VALUE") : NULL;
    return wanted && strtoull(wanted, NULL, 0) == value;
}

void tipoff_Retire(int lane, int rd_valid, int rd, unsigned long long value);
void tipoff_Retire(int lane, int rd_valid, int rd, unsigned long long value) {
    value ^= rd_valid && is_wrong(value);
    value += fault("mcycle") && is_csr(insns[lane], 0xb00);
    value += fault("minstret") && is_csr(insns[lane], 0xb02);
    tipoff_retire(lane, rd_valid, rd, value);
}

// ---- what it says of a cycle ----
enum { VALID = 0, COMMIT = 8, MISPREDICT = 16, FLUSH = 24, FIRST = 32, OLDEST = 48 }; // bits of masks
enum { PSV = 2, EXCEPTION = 1 << 26, EMPTY = 1 << 27, REDIRECT = 1 << 29 };           // of flags; PSV: from this bit on

static unsigned byte(unsigned long long masks, unsigned at) {
    return masks >> at & 0xff;
}

// Lanes that commit a branch, a jump to a register, or a CSR instruction.
static unsigned long long committing(unsigned long long masks, unsigned opcode, unsigned other) {
    unsigned long long lanes = 0;
    for (unsigned i = 0; i < LANES; i++) {
        unsigned op = insns[i] & 0x7f;
        if (byte(masks, COMMIT) >> i & 1 && (op == opcode || op == other)) lanes |= 1u << i;
    }
    return lanes;
}

static unsigned long long change_masks(unsigned long long masks, unsigned long long flags) {
    unsigned valid = byte(masks, VALID), oldest = byte(masks, OLDEST);
    if (fault("mispredict never")) return masks & ~(0xffull << MISPREDICT);
    if (fault("mispredict on every branch")) return masks | committing(masks, 0x63, 0x67) << MISPREDICT;
    if (fault("flush never")) return masks & ~(0xffull << FLUSH);
    if (fault("flush on every CSR instruction")) return masks | committing(masks, 0x73, 0x73) << FLUSH;
    if (fault("first never")) return masks & ~(0xffull << FIRST);
    if (fault("valid of the head alone")) return (masks & ~0xffull) | (valid & 1u << oldest);
    if (fault("oldest is a younger one") && !byte(masks, COMMIT) && !(flags & EXCEPTION) && (valid & ~(1u << oldest)))
        return (masks & ~(0xffull << OLDEST)) | (unsigned long long)__builtin_ctz(valid & ~(1u << oldest)) << OLDEST;
    return masks;
}

static unsigned long long change_flags(unsigned long long masks, unsigned long long flags) {
    if (fault("rob_empty never")) return flags & ~(unsigned long long)EMPTY;
    if (fault("rob_empty while one waits") && __builtin_popcount(byte(masks, VALID)) == 1 && !byte(masks, COMMIT) &&
        !(flags & EXCEPTION))
        return flags | EMPTY;
    if (fault("redirect never")) return flags & ~(unsigned long long)REDIRECT;
    if (fault("dispatch_rob")) return flags + (1ull << 32);
    unsigned psv = change_psv(0, flags >> PSV & 0xffff);
    return flags & EXCEPTION && !fault("psv of the other lane")
               ? (flags & ~(0xffffull << PSV)) | (unsigned long long)psv << PSV
               : flags;
}

void tipoff_Commit(unsigned long long cycle, unsigned long long masks, unsigned long long flags,
                   unsigned long long exception_pc, unsigned long long fetch_pc);
void tipoff_Commit(unsigned long long cycle, unsigned long long masks, unsigned long long flags,
                   unsigned long long exception_pc, unsigned long long fetch_pc) {
    tipoff_commit(cycle, change_masks(masks, flags), change_flags(masks, flags), exception_pc, fetch_pc);
}

// ---- what the machine says to the core, and the core to it ----
unsigned tipoff_Tick(unsigned long long *mtime);
unsigned tipoff_Tick(unsigned long long *mtime) {
    unsigned code = tipoff_tick(mtime);
    ticks++;
    if (fault("the timer's interrupt is lost")) code &= ~(unsigned)TICK_MTIP;
    if (fault("the timer's interrupt comes by itself") && ticks % 512 > 480) code |= TICK_MTIP;
    if (fault("memory does not answer") && ticks > FROM) code &= ~(unsigned)(TICK_DATA_RESPONSE | TICK_INSN_RESPONSE);
    return code;
}

void tipoff_Line_write(int port, unsigned long long addr, unsigned long long d0, unsigned long long d1,
                       unsigned long long d2, unsigned long long d3, unsigned long long d4, unsigned long long d5,
                       unsigned long long d6, unsigned long long d7);
void tipoff_Dirty_line(unsigned long long addr, unsigned long long d0, unsigned long long d1, unsigned long long d2,
                       unsigned long long d3, unsigned long long d4, unsigned long long d5, unsigned long long d6,
                       unsigned long long d7);
void tipoff_Dirty_line(unsigned long long addr, unsigned long long d0, unsigned long long d1, unsigned long long d2,
                       unsigned long long d3, unsigned long long d4, unsigned long long d5, unsigned long long d6,
                       unsigned long long d7) {
    if (fault("a dirty line is lost")) return;
    tipoff_dirty_line(addr, d0, d1, d2, d3, d4, d5, d6, fault("a word of a dirty line") ? d7 ^ 1 : d7);
}

void tipoff_Line_write(int port, unsigned long long addr, unsigned long long d0, unsigned long long d1,
                       unsigned long long d2, unsigned long long d3, unsigned long long d4, unsigned long long d5,
                       unsigned long long d6, unsigned long long d7) {
    tipoff_line_write(port, addr, d0, d1, d2, d3, d4, d5, d6, fault("a written-back word") ? d7 ^ 1 : d7);
}
