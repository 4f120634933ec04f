// Requests of both ports, few lines, many at a time, against the words that the lines have by order of acceptance. The instruction
// port's request comes first where both are accepted in a cycle. The memory behind reorders (sim/axi_memory.sv), rules of AXI4 are asserted.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 600000, PORTS = 2, IDS = 4, LINES = 6, BAD = 5 }; // BAD: SLVERR

static Vtop *top;
static uint64_t words[LINES];
static struct asked {
    bool valid;
    unsigned line;
    uint64_t word;
} asked[PORTS][IDS];
static unsigned long reads, writes, held, both;
static unsigned long bad_reads[PORTS], bad_writes, read_errors[PORTS], write_errors; // asked for; reported

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

// A number that is free, or -1.
static int free_id(unsigned port) {
    for (int i = 0; i < IDS; i++)
        if (!asked[port][i].valid) return i;
    return -1;
}

static void offer() {
    static uint64_t stamp;
    unsigned valid = 0;
    top->write_i = bench_below(2);
    for (unsigned p = 0; p < PORTS; p++) {
        int id = free_id(p);
        top->line_i[p] = (uint8_t)bench_below(LINES);
        if (bench_below(3) && (id >= 0 || (p && top->write_i))) valid |= 1u << p;
        top->id_i[p] = (uint8_t)(id < 0 ? 0 : id);
    }
    top->word_i = ++stamp;
    top->valid_i = (uint8_t)valid;
}

static void accept() {
    unsigned taken = top->valid_i & top->ready_o;
    both += taken == 3 && top->line_i[0] == top->line_i[1];
    for (unsigned p = 0; p < PORTS; p++) {
        if (!(taken >> p & 1)) continue;
        unsigned line = top->line_i[p];
        if (p && top->write_i) {
            words[line] = top->word_i;
            writes++;
            bad_writes += line == BAD;
        } else {
            asked[p][top->id_i[p]] = {true, line, words[line]};
            reads++;
            bad_reads[p] += line == BAD;
        }
    }
}

// Reported in the cycle before the next edge.
static void errors() {
    if (top->read_error_o) {
        read_errors[top->read_error_insn_o ? 0 : 1]++;
        bench_check(top->read_error_line_o == BAD, "an error of a read of line %u", top->read_error_line_o);
    }
    if (top->write_error_o) {
        write_errors++;
        bench_check(top->write_error_line_o == BAD, "an error of a write of line %u", top->write_error_line_o);
    }
}

static void look() {
    for (unsigned p = 0; p < PORTS; p++) {
        if (!(top->resp_o >> p & 1)) continue;
        struct asked *a = &asked[p][top->resp_id_o[p] % IDS];
        bench_check(a->valid, "port %u: a response of %u, which is not asked for", p, top->resp_id_o[p]);
        bench_check(!(top->torn_o >> p & 1), "port %u, line %u: words of several writes", p, a->line);
        bench_check(top->resp_word_o[p] == a->word, "port %u, line %u: word %llu, not %llu", p, a->line,
                    (unsigned long long)top->resp_word_o[p], (unsigned long long)a->word);
        bench_check((top->resp_error_o >> p & 1) == (a->line == BAD), "port %u, line %u: error %u", p, a->line, top->resp_error_o >> p & 1);
        a->valid = false;
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 7);
    const auto model = std::make_unique<Vtop>();
    top = model.get();
    top->rst_ni = 0;
    top->valid_i = 0;
    tick();
    tick();
    top->rst_ni = 1;
    for (unsigned i = 0; i < STEPS; i++) {
        offer();
        top->clk_i = 0;
        top->eval();
        accept();
        held += top->held_o;
        errors();
        top->clk_i = 1;
        top->eval();
        look();
    }
    top->valid_i = 0;
    for (unsigned i = 0; i < 2000; i++) {
        top->clk_i = 0;
        top->eval();
        errors();
        top->clk_i = 1;
        top->eval();
        look();
    }
    for (unsigned p = 0; p < PORTS; p++)
        for (unsigned i = 0; i < IDS; i++)
            bench_check(!asked[p][i].valid, "port %u: %u has no response", p, i);
    bench_check(reads > 1000 && writes > 1000, "%lu reads, %lu writes", reads, writes);
    for (unsigned p = 0; p < PORTS; p++)
        bench_check(bad_reads[p] > 100 && read_errors[p] == bad_reads[p], "port %u: %lu reads of the bad line, %lu errors reported", p, bad_reads[p], read_errors[p]);
    bench_check(bad_writes > 100 && write_errors == bad_writes, "%lu writes of the bad line, %lu errors reported", bad_writes, write_errors);
    bench_check(held > 100 && both > 50, "%lu cycles with a read that waits, %lu with both ports at one line", held, both);
    return bench_end();
}
