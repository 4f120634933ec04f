// Faults between a core model and the C side: a library for LD_PRELOAD that stands in for some of the model's DPI
// functions (test_faults.py has renamed them in a copy of the model) and passes on what the core says with one thing
// wrong, named by the environment variable TIPOFF_FAULT. Without it nothing is changed.
#include "trace/dpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, FROM = 2000 }; // FROM: tick from which on the machine's faults act

static unsigned long long ticks;

static int fault(const char *name) {
    static const char *wanted;
    if (!wanted) wanted = getenv("TIPOFF_FAULT") ? getenv("TIPOFF_FAULT") : "";
    return strcmp(wanted, name) == 0;
}

// ---- what the core says of a lane ----
static uint16_t change_psv(uint16_t psv) {
    static const struct {
        const char *name;
        unsigned bits;
    } rows[] = {{"DR_L1", 1},  {"DR_TLB", 2}, {"DR_SQ", 4},    {"FL_MB", 8},   {"FL_EX", 16},
                {"FL_MO", 32}, {"ST_L1", 64}, {"ST_TLB", 128}, {"ST_LLC", 256}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[16] = "never ";
        if (fault(strcat(name, rows[i].name))) return (uint16_t)(psv & ~rows[i].bits);
        memcpy(name, "every ", 6);
        if (fault(name)) return (uint16_t)(psv | rows[i].bits);
    }
    return fault("mispredict never") ? (uint16_t)(psv & ~8u) : psv; // FL_MB follows it
}

static void change_lanes(struct commit_bundle *b) {
    const uint16_t psv[2] = {b->psv[0], b->psv[1]};
    for (unsigned i = 0; i < LANES; i++)
        b->psv[i] = change_psv(b->psv[i]);
    if (b->exception) b->exception_psv = change_psv(b->exception_psv);
    if (fault("psv of the other lane")) b->psv[0] = psv[1], b->psv[1] = psv[0];
    if (fault("dispatch_pc")) b->dispatch_pc[1] += 2;
}

static int is_csr(unsigned insn, unsigned address) {
    return (insn & 0x7f) == 0x73 && insn >> 20 == address;
}

// "ProfileMe WORD BIT": that bit of every record, from the hundredth on.
void tipoff_Instruction_sample(unsigned long long w0, unsigned long long w1, unsigned long long w2,
                               unsigned long long w3, unsigned long long w4, unsigned long long w5,
                               unsigned long long w6, unsigned long long w7, unsigned long long w8,
                               unsigned long long w9);
void tipoff_Instruction_sample(unsigned long long w0, unsigned long long w1, unsigned long long w2,
                               unsigned long long w3, unsigned long long w4, unsigned long long w5,
                               unsigned long long w6, unsigned long long w7, unsigned long long w8,
                               unsigned long long w9) {
    static unsigned records;
    unsigned long long w[] = {w0, w1, w2, w3, w4, w5, w6, w7, w8, w9};
    const char *wanted = getenv("TIPOFF_FAULT");
    unsigned word, bit;
    if (wanted && sscanf(wanted, "ProfileMe %u %u", &word, &bit) == 2 && word < 10 && ++records >= 100)
        w[word] ^= 1ull << bit;
    tipoff_instruction_sample(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9]);
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
    const uint32_t insn = tipoff_current_cycle()->bundle.insn[lane]; // of the cycle before: it was pending already
    value ^= rd_valid && is_wrong(value);
    value += fault("mcycle") && is_csr(insn, 0xb00);
    value += fault("a counter of events") && is_csr(insn, 0xb04);
    value ^= fault("OF") && is_csr(insn, 0x324) ? 1ull << 63 : 0;
    value ^= fault("LCOFIP") && is_csr(insn, 0x344) ? 1 << 13 : 0;
    value ^= fault("scountovf") && is_csr(insn, 0xda0) ? 16 : 0;
    value ^= fault("a record's source") && is_csr(insn, 0x151) ? 4 : 0;
    value ^= fault("a record's cycles") && is_csr(insn, 0x153) ? 0x10000 : 0;
    value += fault("WRPTR") && is_csr(insn, 0x14f);
    value += fault("minstret") && is_csr(insn, 0xb02);
    tipoff_retire(lane, rd_valid, rd, value);
}

// ---- when accesses take place ----
static unsigned long long loaded; // the last address

static void other_store(unsigned long long addr, int size, unsigned long long data) {
    tipoff_access(ACCESS_OTHER, 0, size, addr, data);
}

// Stores that another hart never made.
static void make_up(int kind, int size, unsigned long long addr, unsigned long long data) {
    static unsigned long long linked;
    if (kind == ACCESS_LR) linked = addr;
    if (kind == ACCESS_AMO_STORE && fault("another hart stores between LR and SC") && linked == addr)
        other_store(addr, size, data);
    if (kind == ACCESS_AMO_STORE && fault("another hart stores between an AMO's load and its store"))
        other_store(addr, size, data);
    if (kind == ACCESS_AMO_STORE && fault("another hart stores to bytes beside an AMO's"))
        other_store(addr ^ 8, size, 0); // that nobody reads
    if (kind == ACCESS_LOAD) loaded = addr;
}

void tipoff_Access(int kind, int id, int size, unsigned long long addr, unsigned long long data);
void tipoff_Access(int kind, int id, int size, unsigned long long addr, unsigned long long data) {
    static unsigned stores;
    const int store = kind == ACCESS_STORE && ++stores >= 100;
    make_up(kind, size, addr, data);
    if (kind == ACCESS_LOAD && fault("a load is not bound")) return;
    if (kind == ACCESS_LOAD && fault("a load is bound elsewhere")) addr ^= 1ull << (size + 1);
    if (kind == ACCESS_HOST && fault("the host's store is not visible")) return;
    if (kind == ACCESS_TABLE && fault("an accessed bit is not visible")) return;
    if (store && fault("a store is not visible")) return;
    if (store && fault("a store is visible elsewhere")) addr ^= 1ull << size;
    if (store && fault("a store has another bit")) data ^= 1;
    if (store && fault("a store is visible twice")) tipoff_access(kind, id, size, addr, data);
    tipoff_access(kind, id, size, addr, data);
}

// ---- what it says of a cycle ----
// Lanes that commit a branch, a jump to a register, or a CSR instruction.
static uint8_t committing(const struct commit_bundle *b, unsigned opcode, unsigned other) {
    unsigned lanes = 0;
    for (unsigned i = 0; i < LANES; i++) {
        unsigned op = b->insn[i] & 0x7f;
        if (b->commit >> i & 1 && (op == opcode || op == other)) lanes |= 1u << i;
    }
    return (uint8_t)lanes;
}

static void change_masks(struct commit_bundle *b) {
    const unsigned head = 1u << b->oldest, younger = b->valid & ~head;
    if (fault("mispredict never")) b->mispredict = 0;
    if (fault("mispredict on every branch")) b->mispredict |= committing(b, 0x63, 0x67);
    if (fault("flush never") || fault("a count")) b->flush = 0;
    if (fault("the mode while nothing commits") && !b->commit && !b->exception) b->priv = 3;
    if (fault("flush on every CSR instruction")) b->flush |= committing(b, 0x73, 0x73);
    if (fault("first never")) b->first = 0;
    if (fault("valid of the head alone")) b->valid &= (uint8_t)head;
    if (fault("oldest is a younger one") && !b->commit && !b->exception && younger)
        b->oldest = (uint8_t)__builtin_ctz(younger);
}

static void change_flags(struct commit_bundle *b) {
    if (fault("rob_empty never")) b->rob_empty = false;
    if (fault("rob_empty while one waits") && __builtin_popcount(b->valid) == 1 && !b->commit && !b->exception)
        b->rob_empty = true;
    if (fault("redirect never")) b->redirect = false;
    if (fault("fetch_valid")) b->fetch_valid = false;
    if (fault("fetch_pc")) b->fetch_pc += 4;
    if (fault("dispatch_rob")) b->dispatch_rob++;
}

void tipoff_Commit(unsigned long long cycle);
void tipoff_Commit(unsigned long long cycle) {
    struct commit_bundle *b = &tipoff_current_cycle()->bundle;
    change_masks(b);
    change_flags(b);
    change_lanes(b);
    // At the end of a cycle, so that no load of it comes after it.
    if (fault("another hart stores what the core does not see") && ticks > FROM) other_store(loaded, 0, 0x5a);
    tipoff_commit(cycle);
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

// ---- devices ----
void tipoff_Device_request(int write, int size, unsigned long long addr, unsigned long long data);
unsigned long long tipoff_Device_data(void);

void tipoff_Device_request(int write, int size, unsigned long long addr, unsigned long long data) {
    static unsigned stores;
    if (write && ++stores == 3) { // the third
        if (fault("a device's store is done twice")) tipoff_device_request(write, size, addr, data);
        if (fault("a device's store has another bit")) data ^= 1;
        if (fault("a device's store goes elsewhere")) addr ^= 4;
        if (fault("a device's store has another width")) size ^= 1;
    }
    if (!write && fault("a device is read twice")) tipoff_device_request(write, size, addr, data);
    tipoff_device_request(write, size, addr, data);
}

unsigned long long tipoff_Device_data(void) {
    return tipoff_device_data() ^ fault("a device's answer has another bit");
}
