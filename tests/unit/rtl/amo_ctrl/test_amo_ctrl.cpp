// amo_ctrl beside a cache that other harts take lines from, and write them, in any cycle: an AMO writes what it makes
// of what is in memory in the cycle of its write; an SC writes if nobody has taken its line since the LR, and else
// fails; a table entry is written if it is in that cycle what was expected. First the cases that matter, one by one.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { LR, SC, SWAP, ADD, XOR, WORD = 8 };
enum { LINES = 2 };

static Vtop *top;
static const uint64_t A = 0x80001008; // in line 0; what lies LINE further in line 1
static const uint64_t LINE = 64;
static uint64_t memory[LINES];                        // the word at A of each line
static bool held[LINES], owned[LINES], theirs[LINES]; // theirs: another hart's, since it was lost
static bool bad[LINES];                               // the bus answers with an error
static unsigned coming[LINES];                        // cycles until the line comes; 0: not asked for
static bool m1, m1_write, lost_now; // m1: a try is in M1; lost_now: lost_i names what was lost in the last cycle
static unsigned lost_line, coming_after;
static uint64_t m1_word, before, after; // before: the word that the write has replaced, after: the one since
static uint8_t m1_mask;
static bool reserved;
static unsigned reserved_line, writes, reads;
static uint64_t read_word; // by the last read that hit
static bool ended;         // with result
static uint64_t result;
static bool faulted, may_fault; // it ended with an exception, and may
static unsigned cause;
static unsigned long redone, failed, kept, others, swapped;
static bool waits, upgrades; // its line has not come; its copy, which was shared, is gone meanwhile
static unsigned long l1_met, coh_met, upgraded;

static unsigned line_of(uint64_t addr) {
    return (unsigned)((addr - A) / LINE & 1);
}

struct happens {      // to a line in this cycle, unless the unit writes it
    bool lost, share; // share: others may read it from now on
    unsigned line;
    bool write; // another hart writes it, if it is not here
    uint64_t word;
    bool busy; // no port for the unit
};

// ST_L1 of a line that is not here, ST_COH where another hart had to give it: not of a swap.
static void check_events(bool lacks, bool comes) {
    const bool l1 = lacks && !top->upgrade_i && !upgrades && !top->swap_i;
    const bool coh = waits && comes && top->refill_peer_i && !top->swap_i;
    bench_check(top->st_l1_o == l1 && top->st_coh_o == coh && !top->other_o, "ST_L1 %d ST_COH %d, expected %d %d",
                top->st_l1_o, top->st_coh_o, l1, coh);
    l1_met += l1;
    coh_met += coh;
    upgraded += lacks && top->upgrade_i;
    const bool ends = top->done_o || top->swapped_o;
    waits = (waits || lacks) && !comes && !ends;
    upgrades = (upgrades || (lacks && top->upgrade_i)) && !comes && !ends;
}

static void step(const struct happens &h) {
    unsigned line = line_of(top->slot_addr_o);
    top->take_i = top->hit_i = top->join_i = top->full_i = top->refill_i = top->upgrade_i = 0;
    top->lost_i = lost_now;
    top->lost_addr_i = A + lost_line * LINE;
    top->clk_i = 0;
    top->eval();
    line = line_of(top->slot_addr_o);
    // A refill comes while no try is in M1.
    bool comes[LINES] = {};
    for (unsigned i = 0; i < LINES; i++)
        if (coming[i] > 1)
            coming[i]--;
        else if (coming[i] == 1 && !m1 && !top->refill_i) {
            comes[i] = true;
            top->refill_i = 1;
            top->refill_addr_i = A + i * LINE;
            top->refill_error_i = bad[i];
            top->refill_peer_i = !bad[i] && bench_below(2);
        }
    bool hit = m1 && held[line] && owned[line];
    if (m1) {
        top->hit_i = hit;
        top->word_i = memory[line];
        top->join_i = !hit;
        top->upgrade_i = held[line] && !owned[line];
    }
    top->eval();
    bool takes = top->slot_o && !h.busy && !m1;
    top->take_i = takes;
    top->eval();
    check_events(m1 && !hit, comes[line]);
    bool write = takes && top->slot_write_o;
    uint64_t word = top->slot_word_o;
    uint8_t mask = top->slot_mask_o;
    if (hit && m1_write) {
        before = memory[line];
        for (unsigned b = 0; b < 8; b++)
            if (m1_mask >> b & 1) memory[line] = (memory[line] & ~(0xffull << 8 * b)) | (m1_word & 0xffull << 8 * b);
        after = memory[line];
        writes++;
    } else if (hit) {
        read_word = memory[line];
        reads++;
    } else if (m1 && !coming[line]) {
        coming[line] = coming_after;
        if (held[line]) held[line] = false; // an upgrade drops its copy
    }
    bool writes_it = hit && m1_write && line == h.line;
    lost_now = h.lost && !writes_it && !comes[h.line];
    if (lost_now) {
        held[h.line] = false;
        theirs[h.line] = true;
        lost_line = h.line;
        if (reserved && reserved_line == h.line) reserved = false;
    }
    if (h.share && !writes_it) owned[h.line] = false;
    if (h.write && theirs[h.line]) memory[h.line] = h.word;
    for (unsigned i = 0; i < LINES; i++)
        if (comes[i]) {
            held[i] = owned[i] = !bad[i];
            theirs[i] = theirs[i] && bad[i];
            coming[i] = 0;
        }
    m1 = takes;
    m1_write = write;
    m1_word = word;
    m1_mask = mask;
    top->clk_i = 1;
    top->eval();
    ended |= top->done_o || top->swapped_o;
    if (top->done_o) result = top->data_o;
    faulted |= (top->done_o && top->exception_o) || (top->swapped_o && top->swap_error_o);
    if (top->done_o) cause = top->cause_o;
    bench_check(!faulted || may_fault, "an exception");
}

static void quiet(unsigned cycles = 1) {
    while (cycles--)
        step({});
}

static void busy(struct happens h = {}) {
    h.busy = true;
    step(h);
}

static void reset(void) {
    top->rst_ni = 0;
    top->start_i = top->swap_i = top->granted_i = 0;
    quiet(2);
    m1 = lost_now = reserved = false;
    for (unsigned i = 0; i < LINES; i++) {
        held[i] = owned[i] = true;
        theirs[i] = bad[i] = false;
        coming[i] = 0;
        memory[i] = 100 + i;
    }
    coming_after = 3;
    faulted = may_fault = false;
    top->rst_ni = 1;
}

static void start(unsigned code, unsigned line, uint64_t operand) {
    writes = reads = 0;
    ended = false;
    top->start_i = 1;
    top->code_i = code;
    top->addr_i = A + line * LINE;
    top->operand_i = operand;
    quiet();
    top->start_i = 0;
    top->granted_i = 1; // as soon as it asks
}

// To its end. What an SC is to give is known in the cycle before: it is judged as it writes, or when its line is lost.
static uint64_t finish(const char *what) {
    for (unsigned n = 0; !ended && bench_check(n < 1000, "%s: no end", what); n++)
        quiet();
    top->granted_i = 0;
    quiet();
    return result;
}

static void until_write(void) {
    for (unsigned n = 0; !(top->slot_o && top->slot_write_o) && n < 100; n++)
        quiet();
    bench_check(top->slot_o && top->slot_write_o, "nothing to write");
}

static const struct happens lost = {true, false, 0, true, 7, false}, other_lost = {true, false, 1, true, 7, false};

static void directed(void) {
    reset();
    start(ADD, 0, 5);
    bench_check(finish("AMO") == 100 && memory[0] == 105 && reads == 1, "AMO: %lu, %u reads", memory[0], reads);

    // Lost while the write waits for its port, and written by another hart; the line is back before the write has it.
    reset();
    start(ADD, 0, 5);
    until_write();
    busy(lost);
    coming[0] = 1;
    for (unsigned n = 0; n < 5; n++)
        busy();
    bench_check(held[0], "the line is not back");
    bench_check(finish("AMO") == 7 && memory[0] == 12 && reads == 2,
                "AMO whose line was lost and is back: %lu, %u reads", memory[0], reads);

    // ... its write has the port as the loss is reported, and the line is back for its M1.
    reset();
    start(ADD, 0, 5);
    until_write();
    busy(lost);
    coming[0] = 1;
    bench_check(finish("AMO") == 7 && memory[0] == 12 && writes == 1, "AMO whose line is back at once: %lu, %u writes",
                memory[0], writes);

    // ... in the cycle of its read; in that of its write's port; in that after.
    for (unsigned when = 0; when < 4; when++) {
        reset();
        start(ADD, 0, 5);
        for (unsigned n = 0; !m1; n++)
            quiet();
        for (unsigned n = 0; n < when; n++)
            quiet();
        step(lost);
        uint64_t old = finish("AMO");
        if (when < 2) // before its write's M1
            bench_check(old == 7 && memory[0] == 12,
                        "AMO whose line is lost %u cycles after its read: %lu, %lu in memory", when, old, memory[0]);
        else
            bench_check(old == 100 && writes == 1, "AMO whose line is lost after its write: %lu", old);
    }

    reset();
    start(ADD, 0, 5);
    until_write();
    busy(other_lost);
    bench_check(finish("AMO") == 100 && reads == 1, "AMO, another line is lost: %u reads", reads);
    reset();
    start(ADD, 0, 5);
    until_write();
    busy({false, true, 0, false, 0, false});
    bench_check(finish("AMO") == 100 && memory[0] == 105 && reads == 1, "AMO whose line others read: %u reads", reads);

    // SC: lost before it, while it asks, while its write waits; another line; only read by others.
    reset();
    start(LR, 0, 0);
    bench_check(finish("LR") == 100, "LR");
    step(lost);
    start(SC, 0, 9);
    bench_check(finish("SC") == 1 && writes == 0 && memory[0] == 7, "SC of a lost line: %lu", memory[0]);
    for (unsigned when = 0; when < 4; when++) {
        reset();
        start(LR, 0, 0);
        finish("LR");
        if (when == 0) step(lost); // reported as it asks
        start(SC, 0, 9);
        if (when == 1) busy(lost);
        if (when == 2) until_write();
        if (when == 3) quiet();
        if (when > 1) busy(lost);
        coming[0] = 1;
        for (unsigned n = 0; n < 5; n++)
            busy();
        bench_check(finish("SC") == 1 && writes == 0 && memory[0] == 7 && held[0],
                    "SC of a line that is lost and back, case %u: %lu", when, memory[0]);
    }
    for (unsigned shares = 0; shares < 2; shares++) {
        reset();
        start(LR, 0, 0);
        finish("LR");
        step(shares ? happens{false, true, 0, false, 0, false} : other_lost);
        start(SC, 0, 9);
        bench_check(finish("SC") == 0 && memory[0] == 9, "SC of a line that others %s: %lu",
                    shares ? "read" : "leave alone", memory[0]);
    }
    start(SC, 0, 10);
    bench_check(finish("SC") == 1 && memory[0] == 9, "SC without an LR: %lu", memory[0]);
    start(LR, 1, 0);
    finish("LR");
    start(SC, 0, 10);
    bench_check(finish("SC") == 1 && memory[0] == 9, "SC of another line: %lu", memory[0]);

    // A table entry.
    reset();
    top->swap_i = 1;
    top->swap_addr_i = A;
    top->swap_old_i = 100;
    top->swap_new_i = 55;
    writes = 0;
    until_write();
    busy(lost);
    for (unsigned n = 0; !top->swapped_o && bench_check(n < 1000, "swap: no end"); n++)
        quiet();
    quiet();
    top->swap_i = 0;
    bench_check(writes == 0 && memory[0] == 7, "an entry that another hart has changed is written: %lu", memory[0]);
    quiet();
}

// The bus answers with an error: an access fault, and nothing is written; nor does another line's error end anything.
static void bus_errors(void) {
    enum { LOAD_FAULT = 5, STORE_FAULT = 7 };
    for (unsigned code = LR; code <= ADD; code++) {
        reset();
        if (code == SC) {
            start(LR, 0, 0);
            finish("LR");
            owned[0] = false; // others read it: the write asks for it
        } else {
            held[0] = owned[0] = false;
        }
        bad[0] = may_fault = true;
        start(code, 0, 5);
        finish("with a bus error");
        bench_check(faulted && cause == (code == LR ? LOAD_FAULT : STORE_FAULT) && !writes && memory[0] == 100,
                    "code %u: a bus error: exception %u of cause %u, %u writes", code, faulted, cause, writes);
        faulted = bad[0] = false;
        start(ADD, 0, 5);
        finish("AMO");
        bench_check(!faulted && memory[0] == 105, "an AMO after one with a bus error: %lu", memory[0]);
    }

    reset(); // lost between read and write, and then the bus has an error
    start(ADD, 0, 5);
    until_write();
    bad[0] = may_fault = true;
    busy(lost);
    finish("AMO");
    bench_check(faulted && cause == STORE_FAULT && !writes && memory[0] == 7, "AMO whose line is lost for good: %u",
                faulted);

    reset(); // another line's, while this one's write waits for its port, and while it sleeps
    start(ADD, 0, 5);
    until_write();
    bad[1] = true;
    coming[1] = 1;
    busy();
    busy();
    bench_check(finish("AMO") == 100 && memory[0] == 105, "AMO beside another line's bus error");
    held[0] = owned[0] = false;
    coming_after = 9;
    start(ADD, 0, 5);
    for (unsigned n = 0; !coming[0] && n < 100; n++)
        quiet();
    coming[1] = 1;
    bench_check(finish("AMO") == 105 && memory[0] == 110, "AMO that sleeps beside another line's bus error");

    reset();
    held[0] = owned[0] = false;
    bad[0] = may_fault = true;
    top->swap_i = 1;
    top->swap_addr_i = A;
    top->swap_old_i = 100;
    top->swap_new_i = 55;
    writes = 0;
    for (unsigned n = 0; !top->swapped_o && bench_check(n < 1000, "swap: no end"); n++)
        quiet();
    bench_check(faulted && !writes && memory[0] == 100, "an entry that the bus does not have: error %u", faulted);
    quiet();
    top->swap_i = 0;
    quiet();
}

// ---- at random ----
static struct happens anything(void) {
    unsigned rate = 4 + bench_below(40);
    return {bench_below(rate) == 0, bench_below(rate) == 0, bench_below(LINES),
            bench_below(2) != 0,    bench_below(4),         bench_below(3) == 0};
}

static uint64_t low(uint64_t value, bool word) {
    return word ? (uint64_t)(int64_t)(int32_t)value : value;
}

static void random_one(void) {
    unsigned line = bench_below(LINES), code = bench_below(5);
    bool word = bench_below(2);
    uint64_t operand = bench_below(4);
    coming_after = 1 + bench_below(12);
    writes = reads = 0;
    if (bench_below(4) == 0) {
        top->swap_i = 1;
        top->swap_addr_i = A + line * LINE;
        top->swap_old_i = bench_below(2) ? memory[line] : bench_below(4);
        top->swap_new_i = bench_random();
        for (unsigned n = 0; !top->swapped_o && bench_check(n < 2000, "swap: no end"); n++)
            step(anything());
        bench_check(writes ? before == top->swap_old_i : read_word != top->swap_old_i,
                    "an entry of %lx is written %u, for %lx", writes ? before : read_word, writes, top->swap_old_i);
        bench_check(writes < 2, "an entry is written %u times", writes);
        others += !writes;
        swapped += writes;
        redone += reads > 1;
        step({});
        top->swap_i = 0;
        step(anything());
        return;
    }
    top->start_i = 1;
    top->code_i = code | (word ? WORD : 0);
    top->addr_i = A + line * LINE;
    top->operand_i = operand;
    bool was = reserved && reserved_line == line;
    step(anything());
    top->start_i = 0;
    top->granted_i = 1;
    bool valid = was;
    for (unsigned n = 0; !top->done_o && bench_check(n < 2000, "code %u: no end", code); n++) {
        unsigned had_reads = reads, had_writes = writes;
        struct happens h = anything();
        step(h);
        if (code == LR && reads > had_reads) { // unless it is lost in that very cycle
            reserved = !(lost_now && lost_line == line);
            reserved_line = line;
        }
        if (writes == had_writes && writes == 0) valid = valid && reserved && reserved_line == line;
    }
    uint64_t value = top->data_o;
    bench_check(writes < 2, "code %u: %u writes", code, writes);
    if (code == SC) {
        bench_check(value == !writes && value == !valid, "SC gives %lu, with %u writes; the line is reserved %u", value,
                    writes, valid);
        (valid ? kept : failed)++;
        failed -= !was && !valid;
        reserved = false;
        if (writes) bench_check(low(after, word) == low(operand, word), "SC of %lu leaves %lx", operand, after);
    } else if (code == LR) {
        bench_check(value == low(read_word, word) && !writes, "LR gives %lx of %lx", value, read_word);
    } else {
        uint64_t sum = code == SWAP ? operand : code == ADD ? before + operand : before ^ operand;
        bench_check(writes == 1 && value == low(before, word), "AMO %u gives %lx; %lx was in memory as it wrote", code,
                    value, before);
        bench_check(low(after, word) == low(sum, word), "AMO %u of %lx writes %lx", code, before, after);
        redone += reads > 1;
    }
    bench_check((top->wrote_o != 0) == (writes != 0), "code %u: shows a write %u", code, top->wrote_o);
    top->granted_i = 0;
    step(anything());
}

int main(int argc, char **argv) {
    auto instance = std::make_unique<Vtop>();
    top = instance.get();
    bench_seed(argc, argv, 1);
    directed();
    bus_errors();
    reset();
    for (unsigned n = 0; n < 60000 && bench_failed == 0; n++)
        random_one();
    printf("%lu read again, %lu SC that failed for a loss after they began, %lu that wrote, %lu entries swapped, %lu "
           "not\n",
           redone, failed, kept, swapped, others);
    printf("%lu times ST_L1, %lu ST_COH, %lu lines that had only to be owned\n", l1_met, coh_met, upgraded);
    bench_check(l1_met > 500 && coh_met > 500 && upgraded > 500, "events that are never met");
    bench_check(redone > 500 && failed > 100 && kept > 500 && swapped > 500 && others > 500,
                "the random ones leave something out");
    top->final();
    return bench_end();
}
