// The rival profilers' units with the golden vectors (tests/profile/vectors) of their width, which were worked out by hand: each
// must book what stands there under its name. The vectors are sampled in every cycle; a unit with one tag cannot do that, so each
// cycle is a play of its own, with a trigger in that cycle and, where its tag is squashed, one in the cycle in which that is known.
#include "Vtop.h"
#include "../../../profile/vectors/vectors.h"
#include "bench.h"
#include "config.h"
#include "verilated.h"
#include <glob.h>
#include <map>
#include <set>
#include <utility>

static const char *const names[] = {"LCI", "NCI", "NCI-TEA", "Dispatch", "IBS", "SPE", "Fetch", "RIS"};
enum { UNITS = 8 };

static Vtop *top;
static struct vector vector;
typedef std::map<std::pair<uint64_t, unsigned>, uint64_t> profile; // cycles by address and vector

static void edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
}

static void drive(const struct vector_cycle *c, bool trigger) {
    top->trigger_i = trigger;
    top->commit_i = c->commit;
    top->flush_i = c->flush;
    top->oldest_i = c->oldest;
    top->rob_empty_i = c->empty;
    top->exception_i = c->exception | c->interrupt << 1 | c->replay << 2 | c->redirect << 3;
    top->exception_psv_i = c->exception_psv;
    top->fetch_valid_i = c->fetch;
    top->fetch_pc_i = c->fetch_pc;
    top->dispatch_valid_i = c->dispatch;
    top->dispatch_rob_i = c->dispatch_rob;
    for (unsigned i = 0; i < 8; i++) {
        top->pc_i[i] = c->pc[i];
        top->psv_i[i] = c->psv[i];
        top->dispatch_pc_i[i] = c->dispatch_pc[i];
    }
    top->eval();
}

static void reset() {
    struct vector_cycle empty = {};
    empty.empty = true;
    top->rst_ni = 0;
    drive(&empty, false);
    edge();
    top->rst_ni = 1;
    drive(&empty, false); // cycle 0 of every vector
    edge();
}

// What a play with these triggers shows of a unit: the sample that has all of them (false: there is none), and the first cycle in
// which triggers stand as lost, after the last trigger.
struct ending {
    bool sampled, lost;
    uint64_t pc;
    unsigned psv, cycle;
};
static struct ending play(unsigned unit, const std::set<unsigned> &triggers) {
    struct ending end = {};
    reset();
    for (unsigned i = 0; i < vector.cycle_count; i++) {
        const struct vector_cycle *c = &vector.cycles[i];
        for (unsigned cycle = c->first; cycle <= c->last; cycle++) {
            drive(c, triggers.count(cycle));
            if (top->valid_o >> unit & 1 && top->count_o[unit] == triggers.size())
                end = {true, false, top->named_o >> unit & 1 ? top->pc_o[unit] : VECTOR_END, top->psv_o[unit], cycle};
            if (!end.sampled && !end.lost && cycle > *triggers.rbegin() && top->lost_o[unit] == triggers.size()) end = {false, true, 0, 0, cycle};
            edge();
        }
    }
    return end;
}

static profile book(unsigned unit) {
    profile booked;
    for (unsigned cycle = 1; cycle <= vector.cycles[vector.cycle_count - 1].last; cycle++) {
        std::set<unsigned> triggers = {cycle};
        struct ending end = play(unit, triggers);
        while (!end.sampled && end.lost) { // lost in the cycle before: to a trigger of that one, or, where that has been lost itself, of this
            triggers.insert(triggers.count(end.cycle - 1) ? end.cycle : end.cycle - 1);
            end = play(unit, triggers);
        }
        if (end.sampled) booked[{end.pc, end.psv}]++;
        else booked[{VECTOR_END, 0}]++;
    }
    return booked;
}

static bool check_unit(unsigned unit) {
    profile expected;
    for (unsigned i = 0; i < vector.row_count; i++) {
        const struct vector_row *row = &vector.rows[i];
        if (strcmp(row->profiler, names[unit]) == 0) expected[{row->pc, row->psv}] += row->units / vector.units;
    }
    if (expected.empty()) return false;
    profile booked = book(unit);
    for (auto &row : expected)
        bench_check(booked[row.first] == row.second, "%s: %s: 0x%llx vector 0x%x: %llu cycles, expected %llu", vector.path, names[unit],
                    (unsigned long long)row.first.first, row.first.second, (unsigned long long)booked[row.first], (unsigned long long)row.second);
    bench_check(booked.size() == expected.size(), "%s: %s: %zu rows, expected %zu", vector.path, names[unit], booked.size(), expected.size());
    return true;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->clk_i = 0;
    glob_t files;
    unsigned checked[UNITS] = {};
    if (glob("tests/profile/vectors/*.txt", 0, NULL, &files)) return 1;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        vector_read(&vector, files.gl_pathv[i]);
        if (vector.width != CONFIG_CORE_WIDTH) continue;
        for (unsigned unit = 0; unit < UNITS; unit++) checked[unit] += check_unit(unit);
    }
    globfree(&files);
    for (unsigned unit = 0; unit < UNITS; unit++) printf("%s: %u vectors\n", names[unit], checked[unit]);
    // Width 2 has them all; the others show that lanes are counted right.
    for (unsigned unit = 0; unit < UNITS; unit++)
        bench_check(checked[unit] >= (CONFIG_CORE_WIDTH == 2 ? 2u : unit < 2 ? 1u : 0u), "%s: only %u vectors", names[unit], checked[unit]);
    top->final();
    delete top;
    return bench_end();
}
