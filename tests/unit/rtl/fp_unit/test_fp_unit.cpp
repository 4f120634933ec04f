// The floating-point unit against the host's arithmetic and against exact integer arithmetic: corner operands crossed
// for each operation and rounding mode, then all operations mixed at random, flags included; fixed latencies, tags,
// divisions into holes, flushes.
//
// Arguments: seed, number of random operations.
#include "Vtop.h"
#include "fp_operands.h"
#include "verilated.h"

#include <memory>

// The operands' cycle counts as the first.
enum { LATENCY_F = 4, LATENCY_X = 2, DIVISION_D = 28, DIVISION_S = 13 };

struct flight {
    bool valid;
    uint32_t tag;
    struct fp_case c;
    struct fp_answer want;
};

static Vtop *top;
static uint64_t corners[2][96];
static unsigned corner_count[2];
static unsigned long long per_op[OPS][5], modelled, holes, waits, flushes, raised[5];

// What is on its way, by the cycle in which it entered; the division under way and its age.
static struct flight pipe_f[LATENCY_F], pipe_x[LATENCY_X], division;
static unsigned division_age;
static uint32_t next_tag;

static bool same(struct fp_answer x, struct fp_answer y) {
    return x.value == y.value && x.flags == y.flags;
}

static void describe(const char *what, const struct fp_case *c, struct fp_answer got, struct fp_answer want) {
    bench_check(false,
                "%s: %s.%c rm %u a %016llx b %016llx c %016llx: got %016llx flags %02x, expected %016llx flags %02x",
                what, fp_op_names[c->op], "sd"[c->format], c -> rm, (unsigned long long)c -> a,
                (unsigned long long)c -> b, (unsigned long long)c -> c, (unsigned long long)got.value, got.flags,
                (unsigned long long)want.value, want.flags);
}

// The host where it can; the exact model where the host cannot, and now and then to check the model by the host.
static struct fp_answer expected(const struct fp_case *c) {
    if (plain_knows(c)) return plain_answer(c);
    if (!host_knows(c)) return exact_answer(c);
    struct fp_answer host = host_answer(c);
    if (exact_knows(c) && bench_below(8) == 0) {
        struct fp_answer exact = exact_answer(c);
        modelled++;
        if (!same(host, exact)) describe("model and host differ", c, exact, host);
    }
    return host;
}

static bool divides(unsigned op) {
    return op == DIV || op == SQRT;
}

static void compare(const char *port, const struct flight *f, bool valid, uint32_t tag, uint64_t value,
                    unsigned flags) {
    struct fp_answer got = {value, flags};
    if (valid != f->valid)
        bench_check(false, "%s: valid %u, expected %u", port, valid, f->valid);
    else if (valid && tag != f->tag)
        bench_check(false, "%s: tag %u, expected %u", port, tag, f->tag);
    else if (valid && !same(got, f->want))
        describe(port, &f->c, got, f->want);
    else if (valid) {
        bench_passed++;
        for (unsigned bit = 0; bit < 5; bit++)
            raised[bit] += flags >> bit & 1;
    }
}

// One cycle, with a request or without.
static void cycle(const struct fp_case *c, bool flush) {
    pipe_f[0].valid = pipe_x[0].valid = false;
    top->valid_i = c != NULL;
    top->div_flush_i = flush;
    struct flight now = {c != NULL, ++next_tag, {}, {}};
    if (c) {
        now.c = *c;
        now.want = expected(c);
        per_op[c->op][c->rm]++;
        if (c->op >= EQ)
            pipe_x[0] = now;
        else if (!divides(c->op))
            pipe_f[0] = now;
        top->op_i = c->op;
        top->format_i = c->format;
        top->rm_i = c->rm;
        top->a_i = c->a;
        top->b_i = c->b;
        top->c_i = c->c;
        top->tag_i = now.tag;
    }
    top->clk_i = 0;
    top->eval();

    compare("x port", &pipe_x[LATENCY_X - 1], top->x_valid_o, top->x_tag_o, top->x_value_o, top->x_flags_o);
    bool busy = division.valid;
    if (top->div_busy_o != busy) bench_check(false, "division busy %u, expected %u", top->div_busy_o, busy);
    if (busy && top->div_tag_o != division.tag) bench_check(false, "division's tag");
    if (top->f_late_o) {
        // Only into a hole, and not when flushed.
        if (!busy || flush || pipe_f[LATENCY_F - 1].valid)
            bench_check(false, "a late result that must not come");
        else
            compare("division", &division, top->f_valid_o, top->f_tag_o, top->f_value_o, top->f_flags_o);
        division.valid = false;
        holes++;
    } else {
        compare("f port", &pipe_f[LATENCY_F - 1], top->f_valid_o, top->f_tag_o, top->f_value_o, top->f_flags_o);
        unsigned limit = division.c.format == DOUBLE ? DIVISION_D : DIVISION_S;
        if (busy && division_age > limit) {
            if (!flush && !pipe_f[LATENCY_F - 1].valid)
                describe("division too late", &division.c, {0, 0}, division.want);
            waits++;
        }
        if (flush) {
            flushes += busy;
            division.valid = false;
        }
    }
    division_age++;
    if (c && divides(c->op)) {
        division = now;
        division_age = 1;
    }
    top->clk_i = 1;
    top->eval();
    memmove(&pipe_f[1], &pipe_f[0], (LATENCY_F - 1) * sizeof pipe_f[0]);
    memmove(&pipe_x[1], &pipe_x[0], (LATENCY_X - 1) * sizeof pipe_x[0]);
}

static void request(const struct fp_case *c) {
    while (divides(c->op) && division.valid)
        cycle(NULL, false);
    cycle(c, false);
}

static void drain(void) {
    for (unsigned i = 0; i < LATENCY_F || division.valid; i++) {
        cycle(NULL, false);
        if (i > 100) {
            bench_check(false, "a division never ends");
            break;
        }
    }
}

static uint64_t corner(unsigned format, unsigned i) {
    return corners[format][i % corner_count[format]];
}

static bool integer_operand(unsigned op) {
    return op >= W_TO_F && op <= LU_TO_F;
}

// Every corner value as a, as b where there is one; the three operands of multiply-add crossed in cross_three().
static void cross(unsigned op) {
    bool one = op == SQRT || (op >= X_TO_F_BITS && op <= F_TO_F) || op >= CLASS;
    for (unsigned format = 0; format < 2; format++)
        for (unsigned rm = 0; rm < 5; rm++) {
            unsigned source = op == F_TO_F ? !format : format;
            for (unsigned i = 0; i < corner_count[source]; i++)
                for (unsigned j = 0; j < (one ? 1 : corner_count[format]); j++) {
                    struct fp_case c = {op, format, rm, corner(source, i), corner(format, j), bench_random()};
                    request(&c);
                }
        }
    drain();
}

static void cross_three(void) {
    for (unsigned format = 0; format < 2; format++)
        for (unsigned i = 0; i < corner_count[format]; i++)
            for (unsigned j = 0; j < corner_count[format]; j++)
                for (unsigned k = 0; k < corner_count[format]; k++) {
                    struct fp_case c = {bench_below(4),    format,           bench_below(5), corner(format, i),
                                        corner(format, j), corner(format, k)};
                    request(&c);
                }
    drain();
}

// Integers around every power of two, and what lies around the limits of the integers.
static void cross_integers(void) {
    for (unsigned op = W_TO_F; op <= LU_TO_F; op++)
        for (unsigned format = 0; format < 2; format++)
            for (unsigned rm = 0; rm < 5; rm++)
                for (unsigned bit = 0; bit < 64; bit++)
                    for (int off = -3; off <= 3; off++)
                        for (unsigned low = 0; low < 3; low++) {
                            // 2^bit, with half a unit of single or double added
                            uint64_t half = low == 0 ? 0 : 1ull << bit >> (low == 1 ? 24 : 53);
                            struct fp_case c = {op, format, rm, (1ull << bit) + half + (uint64_t)(int64_t)off, 0, 0};
                            request(&c);
                            c.a = -c.a;
                            request(&c);
                        }
    for (unsigned op = F_TO_W; op <= F_TO_LU; op++)
        for (unsigned format = 0; format < 2; format++)
            for (unsigned rm = 0; rm < 5; rm++)
                for (int exp = -3; exp <= 66; exp++)
                    for (unsigned sign = 0; sign < 2; sign++)
                        for (unsigned cut = 0; cut <= LAYOUTS[format].bits; cut++) {
                            uint64_t biased = (uint64_t)(LAYOUTS[format].bias + exp), one = 1ull << cut;
                            struct fp_case c = {op, format, rm, make(format, sign, biased, one), 0, 0};
                            request(&c); // a one, ones above it, ones below it
                            c.a = make(format, sign, biased, -one);
                            request(&c);
                            c.a = make(format, sign, biased, one - 1);
                            request(&c);
                        }
    drain();
}

static struct fp_case random_case(unsigned op) {
    struct fp_case c;
    c.op = op;
    c.format = bench_below(2);
    c.rm = bench_below(5);
    unsigned f = c.format;
    c.a = random_value(f, corners[f], corner_count[f]);
    c.b = random_value(f, corners[f], corner_count[f]);
    c.c = random_value(f, corners[f], corner_count[f]);
    if (op <= NMADD && bench_below(2)) c.c = related_addend(f, c.a, c.b);
    if ((op == ADD || op == SUB) && bench_below(3) == 0)
        c.b = related_addend(f, c.a, make(f, 0, (uint64_t)LAYOUTS[f].bias, 0));
    if (op == DIV && bench_below(4) == 0) { // a quotient that is exact, or nearly
        struct fp_case product = {MUL, f, bench_below(5), c.a, c.b, 0};
        c.a = exact_answer(&product).value;
    }
    if (op == SQRT && bench_below(4) == 0) {
        struct fp_case product = {MUL, f, bench_below(5), c.a, c.a, 0};
        c.a = exact_answer(&product).value;
    }
    if (op == SQRT && bench_below(8)) c.a &= ~(f == DOUBLE ? 1ull << 63 : 1ull << 31);
    if (op >= MIN && op <= LE && bench_below(4) == 0) { // equal, or a little off, or the negative
        c.b = c.a + (bench_below(2) ? bench_below(3) - 1 : 0);
        if (bench_below(3) == 0) c.b ^= f == DOUBLE ? 1ull << 63 : 1ull << 31;
        if (f == SINGLE) c.b |= BOX;
    }
    if (op == F_TO_F) {
        c.a = random_value(!f, corners[!f], corner_count[!f]);
        if (f == SINGLE && bench_below(2)) c.a = near_single(corners[SINGLE], corner_count[SINGLE]);
    }
    if (integer_operand(op) || op == X_TO_F_BITS) c.a = random_integer();
    if (op >= F_TO_W && bench_below(2)) c.a = near_integer(f);
    return c;
}

// All operations mixed; phases with many holes and with few, in which divisions wait; now and then a flush.
static void mix(unsigned long count) {
    unsigned hole_percent = 0;
    for (unsigned long i = 0; i < count && bench_failed < 20; i++) {
        if (i % 1024 == 0) hole_percent = bench_below(3) * 15;
        unsigned op = bench_below(OPS + 4);
        if (op >= OPS) op = bench_below(MUL + 1); // more of those with the most cases
        struct fp_case c = random_case(op);
        bool flush = bench_below(300) == 0;
        if (divides(op) && division.valid)
            cycle(NULL, flush);
        else
            cycle(&c, flush && (division.valid || bench_below(2)));
        while (bench_below(100) < hole_percent)
            cycle(NULL, false);
    }
    drain();
}

// Divisions and square roots only: in the mixture they are few.
static void divide_often(unsigned long count) {
    for (unsigned long i = 0; i < count && bench_failed < 20; i++) {
        struct fp_case c = random_case(bench_below(3) ? DIV : SQRT);
        request(&c);
    }
    drain();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 754);
    unsigned long random_count = argc > 2 ? strtoul(argv[2], NULL, 0) : 4000000;
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    for (unsigned format = 0; format < 2; format++)
        corner_count[format] = corner_values(format, corners[format]);

    top->valid_i = top->div_flush_i = 0;
    top->rst_ni = 0;
    for (unsigned i = 0; i < 2; i++) {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }
    top->rst_ni = 1;
    bench_check(top->last_op_o == F_TO_LU, "the bench's list of operations is not the unit's");

    for (unsigned op = ADD; op < OPS; op++)
        if (!integer_operand(op)) cross(op);
    cross_three();
    cross_integers();
    mix(random_count);
    divide_often(random_count / 10);

    puts("operation        RNE      RTZ      RDN      RUP      RMM");
    for (unsigned op = 0; op < OPS; op++) {
        printf("%-10s", fp_op_names[op]);
        for (unsigned rm = 0; rm < 5; rm++) {
            printf(" %8llu", per_op[op][rm]);
            bench_check(per_op[op][rm] > 0, "%s never ran in mode %u", fp_op_names[op], rm);
        }
        putchar('\n');
    }
    printf("results with nx %llu, uf %llu, of %llu, dz %llu, nv %llu\n", raised[0], raised[1], raised[2], raised[3],
           raised[4]);
    printf("model checked by the host %llu, late results %llu, cycles waited for a hole %llu, flushed %llu\n", modelled,
           holes, waits, flushes);
    bench_check(holes > 1000 && waits > 0 && flushes > 100, "divisions did not meet what they should");
    return bench_end();
}
