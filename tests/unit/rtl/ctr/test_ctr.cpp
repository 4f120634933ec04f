// ctr against a model (csrc/workers/ctr_model.c) that sees the program, and not the bundle.
//
// Random instructions of all types, traps and returns in three modes, mispredictions with wrong paths after them, software that
// writes every register, reads single records and all of them. A toy ROB commits up to the width in a cycle; the model gets
// what it commits, and when.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
extern "C" {
#include "isa/rvc.c"
#include "workers/ctr_model.c"
}

enum { MCTRCTL = 0x34e, SCTRCTL = 0x14e, SCTRSTATUS = 0x14f, SCTRDEPTH = 0x15f };
enum { CSR_INSN = 0x30001073, NOP = 0x13, C_NOP = 1 };
static const uint64_t control_mask = 0xff3e00001b87, own_of_m = 1 << 2 | 1 << 9; // the latter: not in sctrctl

enum kind { PLAIN, TRANSFER, RETURNS, CLEARS, TRAPS, REPLAYED, SOFTWARE };
struct insn {
    enum kind kind;
    uint64_t pc, next;
    uint32_t word;
    unsigned cause, to_mode, left; // left: cycles until it can go
    bool interrupt, mispredict;
};

static Vtop *top;
static unsigned width, most;
static struct ctr_model model;
static struct {
    unsigned long groups[9], depths[8], reads, recorded, kinds[16], freezes, pops, longest;
} seen;

static unsigned pick_register() {
    static const unsigned some[] = {0, 1, 1, 5, 5, 6, 17};
    return some[bench_below(7)];
}

// A transfer that goes to `next`, or if it is a branch, perhaps on.
static uint32_t transfer_word(bool *branch) {
    unsigned rd = pick_register(), rs = pick_register();
    *branch = false;
    switch (bench_below(8)) {
    case 0: *branch = true; return 0x63 | (bench_random() & 0xfff00f80) | bench_below(2) << 12;
    case 1: return 0x6f | rd << 7 | (bench_random() & 0xfffff000);
    case 2:
    case 3: return 0x67 | rd << 7 | rs << 15;
    case 4: return 0xa001 | (bench_random() & 0x1ffc);                                           // c.j
    case 5: *branch = true; return 0xc001 | bench_below(2) << 13 | (bench_random() & 0x1ffc);    // c.beqz, c.bnez
    default: return 0x8002 | (rs ? rs : 1) << 7 | bench_below(2) << 12;                          // c.jr, c.jalr
    }
}

static uint64_t behind(const struct insn &i) {
    return i.pc + ((i.word & 3) == 3 ? 4 : 2);
}

static unsigned long_waits = 3000; // one instruction in that many waits long, so that cycle counts have exponents

static struct insn make(uint64_t pc, unsigned mode) {
    static const uint32_t plain[] = {NOP, C_NOP, 0x00008082 ^ 0x2 /* c.addi */, 0x0000a2b7, 0x00b50533, 0x10500073, 0x8082 | 6 << 2 /* c.mv */};
    struct insn i = {};
    i.pc = pc;
    i.left = bench_below(4) ? bench_below(2) : bench_below(12);
    if (bench_below(long_waits) == 0) i.left = 1 + bench_random() % (UINT64_C(1) << (10 + bench_below(8)));
    i.to_mode = mode;
    unsigned what = bench_below(100);
    bool branch;
    if (what < 45) {
        i.kind = PLAIN;
        i.word = plain[bench_below(7)];
        i.next = behind(i);
    } else if (what < 88) {
        i.kind = TRANSFER;
        i.word = transfer_word(&branch);
        i.next = bench_random() & ~UINT64_C(1);
        if ((branch && bench_below(2)) || bench_below(30) == 0) i.next = behind(i);
        else if (bench_below(8) == 0) i.next = behind(i) ^ (UINT64_C(2) << bench_below(62)); // not quite: one bit is another
        i.mispredict = bench_below(6) == 0;
    } else if (what < 90 && mode != USER) {
        i.kind = RETURNS;
        i.word = mode == MACHINE && bench_below(2) ? INSN_MRET : INSN_SRET;
        i.to_mode = mode == MACHINE ? (unsigned[]){USER, SUPERVISOR, MACHINE}[bench_below(3)] : bench_below(2);
        i.next = bench_random() & ~UINT64_C(1);
    } else if (what == 90) {
        i.kind = CLEARS;
        i.word = INSN_SCTRCLR;
        i.next = behind(i);
    } else if (what < 94) {
        i.kind = TRAPS;
        i.word = plain[bench_below(7)];
        i.interrupt = bench_below(2);
        i.cause = (unsigned[]){3, 13, 2, 8, 7}[bench_below(5)];
        i.to_mode = mode == MACHINE ? MACHINE : mode == SUPERVISOR ? (bench_below(2) ? MACHINE : SUPERVISOR) : bench_below(2) ? MACHINE : SUPERVISOR;
        i.next = bench_random() & ~UINT64_C(1);
    } else if (what < 95) {
        i.kind = REPLAYED;
        i.word = NOP;
        i.next = pc;
    } else {
        i.kind = SOFTWARE;
        i.word = CSR_INSN;
        i.next = behind(i);
        i.left = 2 + bench_below(3);
    }
    return i;
}

// ---- software ----
static void read_csr(unsigned addr, uint64_t expected) {
    top->addr_i = addr;
    top->eval();
    seen.reads++;
    bench_check(top->none_rdata_o == 0 && top->none_window_rdata_o == 0, "one without entries answers");
    bench_check(top->rdata_o == expected, "CSR 0x%x: 0x%llx, expected 0x%llx", addr, (unsigned long long)top->rdata_o, (unsigned long long)expected);
}

static void read_record(unsigned select, unsigned number, unsigned long cycle) {
    top->select_i = select;
    top->number_i = number;
    top->eval();
    uint64_t expected = select >= CTR_FIRST && select < CTR_BEHIND ? ctr_model_read_entry(&model, select, number) : 0;
    seen.reads++;
    bench_check(top->none_window_rdata_o == 0, "one without entries answers");
    bench_check(top->window_rdata_o == expected, "cycle %lu: record %d, register %u: 0x%llx, expected 0x%llx", cycle, (int)select - CTR_FIRST, number,
                (unsigned long long)top->window_rdata_o, (unsigned long long)expected);
}

static void read_some(unsigned long cycle) {
    bool all = bench_below(4) == 0;
    for (unsigned i = 0; i < (all ? model.depth : 3); i++)
        for (unsigned number = 1; number <= (all ? 3 : 6); number++) read_record(CTR_FIRST + i, number, cycle);
    read_record(CTR_FIRST + bench_below(256), 1 + bench_below(6), cycle);
    read_record(bench_below(4096), bench_below(8), cycle);
    top->machine_i = 1; // numbers of M-mode's own
    top->eval();
    bench_check(top->window_rdata_o == 0, "answers to M-mode's numbers");
    top->machine_i = 0;
    read_csr(MCTRCTL, model.control);
    read_csr(SCTRCTL, model.control & ~own_of_m);
    read_csr(SCTRSTATUS, ctr_model_read_status(&model));
    unsigned depth = 0;
    while (16u << depth < model.depth) depth++;
    read_csr(SCTRDEPTH, depth);
    read_csr(0x150 + bench_below(8), 0);
    top->addr_i = top->number_i = 0;
}

static uint64_t control_value() {
    uint64_t value = (unsigned[]){7, 7, 7, 7, 4, 2, 1, 3, 5, 6, 0}[bench_below(11)];
    if (bench_below(4) == 0) value |= 1 << RASEMU;
    value |= (uint64_t)bench_below(4) << STE;
    if (bench_below(3) == 0) value |= (uint64_t)bench_below(4) << BPFRZ;
    if (bench_below(2)) value |= bench_random() & bench_random() & ((UINT64_C(1) << 48) - (UINT64_C(1) << 33));
    return bench_below(20) ? value : bench_random();
}

// In the cycle in which the instruction commits.
static void software(uint64_t cycle, bool *wrote) {
    *wrote = true;
    uint64_t value = 0;
    switch (bench_below(8)) {
    case 0:
    case 1:
        top->addr_i = bench_below(3) ? MCTRCTL : SCTRCTL;
        value = control_value();
        ctr_model_write_control(&model, cycle, top->addr_i == MCTRCTL ? value & control_mask : (model.control & own_of_m) | (value & control_mask & ~own_of_m));
        break;
    case 2:
        top->addr_i = SCTRSTATUS;
        value = bench_random() & ~(UINT64_C(bench_below(4) != 0) << 31);
        ctr_model_write_status(&model, cycle, value);
        break;
    case 3:
        if (bench_below(4)) { // thaw
            top->addr_i = SCTRSTATUS;
            value = model.write;
            ctr_model_write_status(&model, cycle, value);
            break;
        }
        top->addr_i = SCTRDEPTH;
        value = bench_below(8);
        if (16u << value <= most) ctr_model_write_depth(&model, value), seen.depths[value]++;
        break;
    case 4:
        top->select_i = CTR_FIRST + (bench_below(2) ? bench_below(4) : bench_below(256));
        top->number_i = 1 + bench_below(6);
        top->window_write_i = 1;
        value = bench_random();
        ctr_model_write_entry(&model, top->select_i, top->number_i, value);
        top->wdata_i = value;
        return;
    default: *wrote = false; return;
    }
    top->write_i = 1;
    top->wdata_i = value;
}

// ---- the program, and the core that runs it ----
static void step(const struct insn &i, uint64_t cycle, unsigned mode, unsigned next_mode) {
    struct ctr_step s = {};
    s.cycle = cycle;
    s.pc = i.pc;
    s.next_pc = i.next;
    s.insn = i.word;
    s.trap = i.kind == TRAPS;
    s.interrupt = i.interrupt;
    s.mispredict = i.mispredict;
    s.cause = (uint8_t)i.cause;
    s.mode = (uint8_t)mode;
    s.next_mode = (uint8_t)next_mode;
    const unsigned long before_it = model.recorded;
    const unsigned old_write = model.write;
    const bool was_frozen = model.frozen;
    ctr_model_step(&model, &s);
    seen.freezes += !was_frozen && model.frozen;
    seen.pops += model.recorded == before_it && model.write != old_write;
    if (model.recorded > before_it) {
        const struct ctr_entry &e = model.entry[(model.control >> RASEMU & 1 && model.write == old_write ? old_write - 1 : old_write) & (model.depth - 1)];
        seen.kinds[e.data & 15]++;
        if (e.data >> 28 > seen.longest) seen.longest = e.data >> 28;
        seen.recorded++;
    }
}

static void reset() {
    top->rst_ni = 0;
    top->commit_i = top->exception_i = top->write_i = top->window_write_i = 0;
    for (int i = 0; i < 2; i++) {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }
    top->rst_ni = 1;
    ctr_model_reset(&model);
}

static void run(unsigned cycles) {
    std::deque<insn> rob;
    uint64_t pc = 0x80000000;
    unsigned mode = MACHINE, bank = 0, refill = 0, shown = 0; // shown: cycles that the head has been to be seen
    reset();
    for (uint64_t cycle = 0; cycle < cycles; cycle++) {
        top->clk_i = 0;
        for (unsigned i = 0; i < 8; i++) { // whatever stands in lanes that hold nothing must not matter
            top->pc_i[i] = bench_random();
            top->insn_i[i] = bench_below(3) ? (uint32_t)INSN_SCTRCLR : (uint32_t)bench_random() | 0x63;
        }
        top->valid_i = top->commit_i = top->exception_i = top->interrupt_i = top->replay_i = 0;
        top->write_i = top->window_write_i = top->addr_i = top->number_i = 0;
        top->mispredict_i = bench_below(256);
        top->flush_i = bench_below(256);
        top->cause_i = bench_below(64);
        top->exception_pc_i = bench_random();
        top->oldest_i = bank;
        top->priv_i = mode;
        unsigned leaves = 0, next_mode = mode;
        bool all = false;
        for (unsigned k = 0; k < width && k < rob.size(); k++) {
            struct insn &i = rob[k];
            unsigned lane = (bank + k) % width;
            top->valid_i |= 1u << lane;
            top->pc_i[lane] = all ? bench_random() & ~UINT64_C(1) : i.pc; // behind what empties the pipeline: a wrong path
            top->insn_i[lane] = i.word;
            bool flushes = i.kind == RETURNS || i.kind == SOFTWARE;
            top->mispredict_i = (top->mispredict_i & ~(1u << lane)) | (unsigned)i.mispredict << lane;
            top->flush_i = (top->flush_i & ~(1u << lane)) | (unsigned)flushes << lane;
            if (leaves != k || all || i.left) continue;
            if (i.kind == TRAPS || i.kind == REPLAYED) {
                if (k) continue;
                top->exception_i = 1;
                top->interrupt_i = i.interrupt;
                top->replay_i = i.kind == REPLAYED;
                top->cause_i = i.kind == TRAPS ? i.cause : 3;
                top->exception_pc_i = i.pc;
                all = true;
            } else if (!flushes || k == 0) {
                top->commit_i |= 1u << lane;
                leaves++;
                all = i.mispredict || flushes;
            }
        }
        if (leaves && all && bench_below(2)) top->valid_i = (1u << width) - 1; // dead ones stay to be seen for that cycle
        if (!rob.empty() && rob[0].kind == SOFTWARE && shown >= 2) read_some(cycle);
        seen.groups[leaves]++;
        for (unsigned k = 0; k < leaves; k++) {
            struct insn &i = rob[k];
            step(i, cycle, mode, i.to_mode);
            next_mode = i.to_mode;
        }
        if (top->exception_i && rob[0].kind == TRAPS) {
            step(rob[0], cycle, mode, rob[0].to_mode);
            next_mode = rob[0].to_mode;
        }
        static const unsigned own[] = {MCTRCTL, SCTRCTL, SCTRSTATUS, SCTRDEPTH};
        top->addr_i = own[bench_below(4)]; // an address alone writes nothing
        top->wdata_i = bench_random();
        bool wrote;
        if (leaves && rob[0].kind == SOFTWARE) software(cycle, &wrote);
        // The next cycle.
        shown = leaves || all || rob.empty() ? 0 : shown + 1;
        for (struct insn &i : rob) i.left -= i.left > 0;
        if (all) {
            pc = top->exception_i ? rob[0].next : rob[leaves - 1].next;
            rob.clear();
            bank = bench_below(width);
            refill = bench_below(3) ? bench_below(10) : 0;
        } else {
            rob.erase(rob.begin(), rob.begin() + leaves);
            bank = (bank + leaves) % width;
            if (refill) refill--;
            else {
                unsigned count = bench_below(3) ? width : bench_below(width + 1);
                for (unsigned k = 0; k < count && rob.size() < 3 * width; k++) {
                    struct insn i = make(pc, next_mode);
                    if (i.kind == SOFTWARE && !rob.empty()) break; // into an empty ROB, and alone
                    if (!rob.empty() && rob.back().kind != PLAIN && rob.back().kind != TRANSFER && rob.back().kind != CLEARS) break;
                    rob.push_back(i);
                    if (rob.size() == 1) shown = 0;
                    pc = i.next;
                    if (i.kind == SOFTWARE) break;
                }
                if (bench_below(12) == 0) refill = bench_below(10);
            }
        }
        mode = next_mode;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->eval();
    width = top->width_o;
    most = top->depth_o;
#ifdef BENCH_FIRST_FAILURE_ENDS
    const unsigned runs = 15; // of each of a thousand mutants
#else
    const unsigned runs = 60;
#endif
    for (unsigned i = 0; i < runs; i++) run(80000);
    long_waits = 100;
    run(800000);
#ifndef BENCH_FIRST_FAILURE_ENDS
    for (unsigned i = 1; i <= width; i++) bench_check(seen.groups[i] > 100, "groups of %u: %lu", i, seen.groups[i]);
    for (unsigned i = EXCEPTION; i <= OTHER_DIRECT; i++)
        if (i != 6 && i != 7) bench_check(seen.kinds[i] > 20, "records of type %u: %lu", i, seen.kinds[i]);
    for (unsigned depth = 0; 16u << depth <= most; depth++) bench_check(seen.depths[depth] > 5, "depth %u: %lu times", depth, seen.depths[depth]);
    bench_check(seen.freezes > 20 && seen.pops > 100 && seen.longest >= 4, "%lu freezes, %lu returns from the stack, exponents up to %lu", seen.freezes, seen.pops, seen.longest);
#endif
    top->final();
    delete top;
    return bench_end();
}
