// The floating-point units against the host's arithmetic and against exact integer arithmetic: corner operands crossed,
// then random ones, in every rounding mode, flags included.
#include "Vtop.h"
#include "fp_operands.h"
#include "verilated.h"

#include <memory>

enum { LATENCY_F = 4 };

static Vtop *top;
static uint64_t corners[2][96];
static unsigned corner_count[2];
static unsigned long long per_op[OPS], modelled;

// What is on its way through the pipeline, by the cycle in which it entered.
static struct {
    bool valid;
    struct fp_case c;
    struct fp_answer want;
} pipe_f[LATENCY_F];

static void clock_once(void) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static bool same(struct fp_answer x, struct fp_answer y) {
    return x.value == y.value && x.flags == y.flags;
}

static void describe(const char *what, const struct fp_case *c, uint64_t value, unsigned flags, struct fp_answer want) {
    bench_check(false, "%s: %s.%c rm %u a %016llx b %016llx c %016llx: got %016llx flags %02x, expected %016llx flags %02x",
                what, fp_op_names[c->op], "sd"[c->format], c->rm, (unsigned long long)c->a, (unsigned long long)c->b,
                (unsigned long long)c->c, (unsigned long long)value, flags, (unsigned long long)want.value, want.flags);
}

// The host where it can; the exact model where the host cannot, and now and then to check the model by the host.
static struct fp_answer expected(const struct fp_case *c) {
    if (plain_knows(c)) return plain_answer(c);
    if (!host_knows(c)) return exact_answer(c);
    struct fp_answer host = host_answer(c);
    if (exact_knows(c) && (bench_state & 7) == 0) {
        struct fp_answer exact = exact_answer(c);
        modelled++;
        if (!same(host, exact)) describe("model and host differ", c, exact.value, exact.flags, host);
    }
    return host;
}

static void cycle(const struct fp_case *c) {
    top->valid_i = c != NULL;
    pipe_f[0].valid = c != NULL;
    if (c) {
        pipe_f[0].c = *c;
        pipe_f[0].want = expected(c);
        per_op[c->op]++;
        top->op_i = c->op;
        top->format_i = c->format;
        top->rm_i = c->rm;
        top->a_i = c->a;
        top->b_i = c->b;
        top->c_i = c->c;
    }
    top->clk_i = 0;
    top->eval();
    auto *last = &pipe_f[LATENCY_F - 1];
    if (top->f_valid_o != last->valid) bench_check(false, "result port valid %u, expected %u", top->f_valid_o, last->valid);
    else if (last->valid) {
        if (top->f_value_o == last->want.value && top->f_flags_o == last->want.flags) bench_passed++;
        else describe("result", &last->c, top->f_value_o, top->f_flags_o, last->want);
    }
    top->clk_i = 1;
    top->eval();
    memmove(&pipe_f[1], &pipe_f[0], (LATENCY_F - 1) * sizeof pipe_f[0]);
}

static void drain(void) {
    for (unsigned i = 0; i < LATENCY_F + 1; i++) cycle(NULL);
}

static void cross_two(unsigned op) {
    for (unsigned format = 0; format < 2; format++)
        for (unsigned rm = 0; rm < 5; rm++)
            for (unsigned i = 0; i < corner_count[format]; i++)
                for (unsigned j = 0; j < corner_count[format]; j++) {
                    struct fp_case c = {op, format, rm, corners[format][i], corners[format][j], bench_random()};
                    cycle(&c);
                }
    drain();
}

static void cross_three(void) {
    for (unsigned format = 0; format < 2; format++)
        for (unsigned i = 0; i < corner_count[format]; i++)
            for (unsigned j = 0; j < corner_count[format]; j++)
                for (unsigned k = 0; k < corner_count[format]; k++) {
                    struct fp_case c = {bench_below(4), format, bench_below(5), corners[format][i], corners[format][j], corners[format][k]};
                    cycle(&c);
                }
    drain();
}

static struct fp_case random_case(unsigned op) {
    struct fp_case c;
    c.op = op;
    c.format = bench_below(2);
    c.rm = bench_below(5);
    c.a = random_value(c.format, corners[c.format], corner_count[c.format]);
    c.b = random_value(c.format, corners[c.format], corner_count[c.format]);
    c.c = random_value(c.format, corners[c.format], corner_count[c.format]);
    if (op <= NMADD && bench_below(2)) c.c = related_addend(c.format, c.a, c.b);
    if ((op == ADD || op == SUB) && bench_below(3) == 0) c.b = related_addend(c.format, c.a, make(c.format, 0, (uint64_t)LAYOUTS[c.format].bias, 0));
    return c;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 754);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    for (unsigned format = 0; format < 2; format++) corner_count[format] = corner_values(format, corners[format]);

    top->valid_i = 0;
    top->rst_ni = 0;
    clock_once();
    clock_once();
    top->rst_ni = 1;

    for (unsigned op = ADD; op <= MUL; op++) cross_two(op);
    cross_three();
    for (unsigned i = 0; i < 3000000 && bench_failed < 20; i++) {
        struct fp_case c = random_case(bench_below(MUL + 1));
        cycle(&c);
        if (bench_below(8) == 0) cycle(NULL);
    }
    drain();
    for (unsigned op = 0; op < OPS; op++)
        if (per_op[op]) printf("%-9s %9llu\n", fp_op_names[op], per_op[op]);
    printf("model checked by the host: %llu\n", modelled);
    return bench_end();
}
