// Paths backward from a sample (ProfileMe, MICRO 1997, section 5.3) on programs of a few instructions, made by hand:
// which paths fit a history was worked out on paper. An instruction is a number here, 4 bytes each from 0x1000 on.
#include "methods/profileme/path_success.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64, NONE = -1 };
enum { NOP = 0x13, RET = 0x8067, JR_A5 = 0x00078067, CALL_A0 = 0x000500e7 };

struct code {
    struct program_instruction list[MOST];
    size_t count;
    struct path_graph *graph;
    struct path_search *search;
    struct path_result result;
};

// beq x0, x0, to and jal rd, to, from instruction `from`.
static uint32_t branch(int from, int to) {
    const uint32_t o = (uint32_t)(4 * (to - from));
    return (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | (o >> 1 & 0xf) << 8 | (o >> 11 & 1) << 7 | 0x63;
}
static uint32_t jal(int from, int to, unsigned rd) {
    const uint32_t o = (uint32_t)(4 * (to - from));
    return (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

// One line of a program: its function, a letter, and the number that a transfer goes to.
struct line {
    unsigned function;
    char what; // n nop, b branch, j jump, c call, r return, i indirect jump, I indirect call
    int to;
};

static void make(struct code *c, const struct line *lines, size_t count, const struct path_transfer *seen,
                 size_t seen_count) {
    memset(c, 0, sizeof *c);
    c->count = count;
    for (int i = 0; i < (int)count; i++) {
        const struct line *l = &lines[i];
        const uint32_t insn = l->what == 'b'   ? branch(i, l->to)
                              : l->what == 'j' ? jal(i, l->to, 0)
                              : l->what == 'c' ? jal(i, l->to, 1)
                              : l->what == 'r' ? RET
                              : l->what == 'i' ? JR_A5
                              : l->what == 'I' ? CALL_A0
                                               : NOP;
        c->list[i] =
            (struct program_instruction){.pc = 0x1000 + 4 * (uint64_t)i, .insn = insn, .function = l->function};
    }
    c->graph = path_graph_create(c->list, count, seen, seen_count);
    assert_non_null(c->graph);
    c->search = path_search_create(c->graph);
    assert_non_null(c->search);
}

#define MAKE(c, lines) make(c, lines, sizeof(lines) / sizeof *(lines), NULL, 0)

static void destroy(struct code *c) {
    path_search_destroy(c->search);
    path_graph_destroy(c->graph);
}

static struct path_query history(uint32_t instruction, unsigned branches, uint32_t bits) {
    return (struct path_query){.instruction = instruction,
                               .branches = branches,
                               .scheme = PATH_HISTORY,
                               .history = bits,
                               .other = UINT32_MAX,
                               .window = 8};
}
static struct path_query across(struct path_query q) {
    q.across = true;
    return q;
}
static struct path_query by(struct path_query q, enum path_scheme scheme) {
    q.scheme = scheme;
    return q;
}
static struct path_query paired(struct path_query q, uint32_t other, unsigned window) {
    q.scheme = PATH_PAIRS;
    q.other = other;
    q.window = window;
    return q;
}

// Steps, the youngest first, as pairs of numbers up to NONE.
static void one(struct code *c, struct path_query q, const int *steps) {
    path_search_run(c->search, &q, &c->result);
    assert_int_equal(c->result.found, 1);
    uint32_t n = 0;
    for (; steps[2 * n] != NONE; n++) {
        if (n == c->result.count) fail_msg("%u steps, more expected", n);
        if (c->result.steps[n].from != (uint32_t)steps[2 * n] || c->result.steps[n].to != (uint32_t)steps[2 * n + 1])
            fail_msg("step %u: %u to %u, expected %d to %d", n, c->result.steps[n].from, c->result.steps[n].to,
                     steps[2 * n], steps[2 * n + 1]);
    }
    assert_int_equal(c->result.count, n);
}
#define ONE(c, q, ...) one(c, q, (const int[]){__VA_ARGS__, NONE})

static void found(struct code *c, struct path_query q, unsigned count) {
    path_search_run(c->search, &q, &c->result);
    assert_int_equal(c->result.found, count);
}

// if (..) 3 else { 1; 2 }; 4
static const struct line diamond[] = {{0, 'b', 3}, {0, 'n', 0}, {0, 'j', 4}, {0, 'n', 0}, {0, 'n', 0}};

static uint64_t seventy_thirty(void *context, uint32_t from, uint32_t to, bool falls) {
    (void)context;
    if (from == 0) return falls ? 70 : 30;
    return from == 2 && to == 4 ? 70 : falls ? 30 : 0;
}

static void join(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, diamond);
    ONE(&c, history(4, 1, 1), 0, 3);
    ONE(&c, history(4, 1, 0), 2, 4, 0, 1);
    ONE(&c, across(history(4, 1, 0)), 2, 4, 0, 1);
    found(&c, history(4, 2, 0), 0); // nothing is known of what was before instruction 0
    path_graph_count(c.graph, seventy_thirty, NULL);
    ONE(&c, by(history(4, 1, 1), PATH_COUNTS), 2, 4, 0, 1); // which does not look at the bit
    ONE(&c, by(history(3, 1, 1), PATH_COUNTS), 0, 3);
    destroy(&c);
}

// Two branches to one place: the youngest bit does not distinguish them, the one before it does.
static const struct line two_exits[] = {{0, 'n', 0}, {0, 'b', 5}, {0, 'n', 0}, {0, 'b', 5}, {0, 'n', 0}, {0, 'n', 0}};

static void pairs(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, two_exits);
    found(&c, history(5, 1, 1), 2);
    ONE(&c, history(5, 2, 1), 3, 5, 1, 2);         // bits 01: the second branch, the first not taken
    found(&c, paired(history(5, 1, 1), 3, 8), 2);  // a path of one instruction does not show what was two before it
    ONE(&c, paired(history(5, 1, 1), 3, 1), 3, 5); // ... but what was one before it
    ONE(&c, paired(history(5, 1, 1), 1, 1), 1, 5);
    found(&c, paired(history(5, 1, 1), 2, 1), 0);
    found(&c, paired(history(5, 1, 1), 5, 1), 0); // the sample itself is not before it
    found(&c, paired(history(5, 1, 1), UINT32_MAX, 1), 2);
    destroy(&c);
}

// Longer ways: of two with the same history the pair keeps the one that it lies on.
static const struct line two_ways[] = {{0, 'b', 5}, {0, 'b', 8},  {0, 'n', 0}, {0, 'n', 0},  {0, 'j', 10}, {0, 'n', 0},
                                       {0, 'n', 0}, {0, 'b', 10}, {0, 'n', 0}, {0, 'b', 10}, {0, 'n', 0}};

static void pair_on_the_way(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, two_ways);
    found(&c, history(10, 2, 3), 2);               // 0 to 5, 7 to 10; or 1 to 8, 9 to 10
    found(&c, paired(history(10, 2, 3), 6, 4), 2); // the other way has three instructions: 6 can lie before it
    ONE(&c, paired(history(10, 2, 3), 6, 3), 7, 10, 0, 5);
    ONE(&c, paired(history(10, 2, 3), 8, 2), 9, 10, 1, 8);
    ONE(&c, paired(history(10, 2, 3), 8, 3), 9, 10, 1,
        8); // 0 to 5 has four instructions: 8 is not among the last three
    destroy(&c);
}

// 0 to 3 calls 4 to 7, which has a loop at 5: 4 leads to it, and the branch at 6.
static const struct line loop[] = {{0, 'b', 2}, {0, 'n', 0}, {0, 'c', 4}, {0, 'r', 0},
                                   {1, 'n', 0}, {1, 'n', 0}, {1, 'b', 5}, {1, 'r', 0}};

static void loops(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, loop);
    found(&c, history(5, 1, 1), 2);                 // around the loop, or from the procedure's beginning
    one(&c, history(5, 1, 0), (const int[]){NONE}); // only from there: no branch on the way
    found(&c, across(history(5, 1, 1)), 2);
    ONE(&c, across(history(5, 1, 0)), 2, 4, 0, 1);
    found(&c, history(7, 3, 2), 2); // the procedure begins in front of the loop, however often it goes around
    ONE(&c, across(history(7, 3, 2)), 6, 7, 6, 5, 2, 4, 0, 1);
    found(&c, across(history(7, 3, 6)), 2); // around once more, or through the branch that is taken to the call
    destroy(&c);
}

// With all bits 1 the loop only can have been gone around so often: the call is behind one branch.
static void whole_history(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, loop);
    ONE(&c, by(history(5, 1, 0xffff), PATH_WHOLE), 6, 5);
    ONE(&c, by(across(history(5, 1, 0xffff)), PATH_WHOLE), 6, 5);
    ONE(&c, by(history(5, 3, 0xffff), PATH_WHOLE), 6, 5, 6, 5, 6, 5);
    ONE(&c, by(history(7, 2, 0xfffe), PATH_WHOLE), 6, 7, 6, 5);
    found(&c, by(history(5, 16, 0xffff), PATH_WHOLE), 2); // the oldest bit alone is either
    found(&c, by(history(5, 1, 1), PATH_WHOLE), 2);       // no way fits the older bits: they are left out
    destroy(&c);
}

// Twice as often around the loop as into it.
static uint64_t mostly_around(void *context, uint32_t from, uint32_t to, bool falls) {
    (void)context;
    return from == 6 && to == 5 ? 200 : falls ? 100 : 50;
}

static void likeliest(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, loop);
    path_graph_count(c.graph, mostly_around, NULL);
    ONE(&c, by(history(5, 1, 1), PATH_LIKELIEST), 6, 5);
    one(&c, by(history(5, 1, 0), PATH_LIKELIEST), (const int[]){NONE}); // against the counts, as the bit says
    ONE(&c, by(history(5, 2, 0), PATH_COUNTS), 6, 5, 6, 5);
    one(&c, by(history(4, 2, 0), PATH_COUNTS), (const int[]){NONE}); // the procedure begins there
    ONE(&c, by(across(history(4, 1, 0)), PATH_COUNTS), 2, 4, 0, 1);  // 100 against 50
    destroy(&c);
}

// The likeliest way as a whole is not the one that begins likeliest: 10 is reached by 9 six times in ten, but half of
// those times from each of two; and four times in ten by 5, always from 0. Bits: taken, then taken.
static const struct line gamble[] = {{0, 'b', 4}, {0, 'n', 0}, {0, 'b', 8}, {0, 'b', 9},  {0, 'n', 0}, {0, 'b', 10},
                                     {0, 'r', 0}, {0, 'n', 0}, {0, 'n', 0}, {0, 'b', 10}, {0, 'n', 0}};

static uint64_t gambled(void *context, uint32_t from, uint32_t to, bool falls) {
    (void)context;
    if (to == 10) return from == 9 && !falls ? 6 : from == 5 ? 4 : 0;
    if (to == 9) return from == 8 ? 3 : from == 3 ? 3 : 0;
    if (to == 8) return from == 2 ? 3 : 0;
    return to == 4 ? from == 0 ? 4 : 0 : to == 5 ? 4 : 6;
}

static void likeliest_as_a_whole(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, gamble);
    path_graph_count(c.graph, gambled, NULL);
    found(&c, history(10, 2, 3), 2);
    ONE(&c, by(history(10, 2, 3), PATH_LIKELIEST), 5, 10, 0, 4);         // 0.4 against 0.6 x 0.5 twice
    ONE(&c, by(history(10, 1, 1), PATH_LIKELIEST), 9, 10);               // 0.6 against 0.4
    ONE(&c, by(paired(history(10, 1, 1), 5, 1), PATH_LIKELIEST), 5, 10); // ... but not on the pair's
    found(&c, by(history(10, 1, 0), PATH_LIKELIEST), 0);                 // never executed
    destroy(&c);
}

// f is called from elsewhere a hundred times as often; that does not matter to who comes back from it here.
static const struct line elsewhere[] = {{0, 'b', 3}, {0, 'c', 9}, {0, 'j', 5}, {0, 'n', 0}, {0, 'b', 6}, {0, 'n', 0},
                                        {0, 'r', 0}, {2, 'c', 9}, {2, 'r', 0}, {1, 'n', 0}, {1, 'r', 0}};

static uint64_t mostly_elsewhere(void *context, uint32_t from, uint32_t to, bool falls) {
    (void)context;
    (void)falls;
    if (to == 5) return from == 2 ? 60 : 40;
    return from == 7 || to == 8 ? 6000 : 60;
}

static void likeliest_through_a_call(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, elsewhere);
    path_graph_count(c.graph, mostly_elsewhere, NULL);
    found(&c, history(5, 1, 0), 2);
    ONE(&c, by(history(5, 1, 0), PATH_LIKELIEST), 2, 5, 10, 2, 1, 9, 0, 1);
    destroy(&c);
}

// 4 comes from one of two loops about as often from either, but from that at 0 nearly always without going around it.
// So what the path is gone on with first is not what makes it likeliest. Bits: around thirteen times, out, taken.
static const struct line two_origins[] = {{0, 'b', 0},  {0, 'i', 0},  {0, 'b', 2}, {0, 'i', 0},
                                          {0, 'b', 10}, {0, 'b', 10}, {0, 'j', 0}, {0, 'r', 0},
                                          {0, 'r', 0},  {0, 'r', 0},  {0, 'n', 0}};

static uint64_t by_origin(void *context, uint32_t from, uint32_t to, bool falls) {
    (void)context;
    if (to == 10) return from == 4 ? 60 : from == 5 ? 20 : 0;
    if (to == 5) return from == 3 ? 20 : 0;
    if (to == 4) return from == 1 ? 51 : 49;
    if (to == 0) return from == 0 ? 1 : 99;
    return from == 2 && !falls ? 99 : 50;
}

static void likeliest_to_go_on_with(void **state) {
    (void)state;
    struct code c;
    const struct path_transfer seen[] = {{1, 4}, {3, 4}, {3, 5}};
    make(&c, two_origins, sizeof two_origins / sizeof *two_origins, seen, 3);
    path_graph_count(c.graph, by_origin, NULL);
    found(&c, by(history(10, 1, 0xfffd), PATH_WHOLE), 2);
    ONE(&c, by(history(10, 1, 0xfffd), PATH_LIKELIEST), 4, 10);
    destroy(&c);
}

// if (..) f() at 1, else f() at 4: what follows a call comes after f's return, and f after that very call.
static const struct line calls[] = {{0, 'b', 4}, {0, 'c', 7}, {0, 'n', 0}, {0, 'j', 6}, {0, 'c', 7},
                                    {0, 'n', 0}, {0, 'r', 0}, {1, 'n', 0}, {1, 'r', 0}};

static void calls_and_returns(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, calls);
    ONE(&c, history(2, 1, 0), 8, 2, 1, 7, 0, 1);
    found(&c, history(2, 1, 1), 0); // the branch that is taken leads to the other call
    ONE(&c, history(5, 1, 1), 8, 5, 4, 7, 0, 4);
    ONE(&c, history(6, 1, 0), 3, 6, 8, 2, 1, 7, 0, 1);
    one(&c, history(8, 1, 1), (const int[]){NONE}); // the procedure's beginning
    ONE(&c, across(history(8, 1, 1)), 4, 7, 0, 4);
    ONE(&c, across(history(8, 1, 0)), 1, 7, 0, 1);
    destroy(&c);
}

// Two returns; the first does not fit: what was entered there is left again.
static const struct line two_returns[] = {{0, 'b', 2}, {0, 'n', 0}, {0, 'c', 4}, {0, 'r', 0}, {1, 'b', 6},
                                          {1, 'r', 0}, {1, 'r', 0}, {2, 'c', 0}, {2, 'r', 0}};

static void a_return_that_does_not_fit(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, two_returns);
    ONE(&c, history(3, 3, 3), 6, 3, 4, 6, 2, 4, 0, 2);
    ONE(&c, history(3, 3, 2), 5, 3, 4, 5, 2, 4, 0, 2);
    destroy(&c);
}

// One procedure runs on into the next, which begins there all the same.
static const struct line run_on[] = {{0, 'b', 1}, {0, 'n', 0}, {1, 'n', 0}, {1, 'n', 0}};

static void falls_into_a_procedure(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, run_on);
    one(&c, history(3, 1, 0), (const int[]){NONE});
    ONE(&c, across(history(3, 1, 0)), 0, 1);
    static const struct path_step way[] = {{0, 1}};
    const struct path_query q = history(3, 1, 0);
    uint32_t used;
    assert_true(path_taken(c.graph, &q, way, 1, &used));
    assert_int_equal(used, 0);
    destroy(&c);
}

// Called in two loops, and all bits can continue in either: it begins once.
static const struct line two_loops[] = {{0, 'n', 0}, {0, 'c', 6}, {0, 'b', 1}, {0, 'c', 6},
                                        {0, 'b', 3}, {0, 'r', 0}, {1, 'n', 0}, {1, 'r', 0}};

static void begins_once(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, two_loops);
    one(&c, by(history(7, 1, 0xffff), PATH_WHOLE), (const int[]){NONE});
    found(&c, by(across(history(7, 1, 0xffff)), PATH_WHOLE), 2);
    ONE(&c, by(history(4, 2, 0xffff), PATH_WHOLE), 7, 4, 3, 6, 4, 3, 7, 4, 3, 6, 4, 3);
    destroy(&c);
}

// A path that the pair rules out at once leaves nothing behind for those that are looked at after it: around the loop
// of f, then its beginning; and the other way about.
static const struct line f_first[] = {{1, 'n', 0}, {1, 'b', 0}, {1, 'r', 0}, {0, 'n', 0},
                                      {0, 'c', 0}, {0, 'b', 4}, {0, 'r', 0}};
static const struct line f_last[] = {{0, 'n', 0}, {0, 'c', 4}, {0, 'b', 1}, {0, 'r', 0},
                                     {1, 'n', 0}, {1, 'b', 4}, {1, 'r', 0}};

static void ruled_out(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, f_first);
    one(&c, by(paired(history(0, 1, 0x5555), 4, 1), PATH_WHOLE), (const int[]){NONE});
    one(&c, by(history(0, 1, 0x5555), PATH_WHOLE), (const int[]){NONE}); // which the older bits do, too
    destroy(&c);
    MAKE(&c, f_last);
    ONE(&c, by(paired(history(4, 1, 0xffff), 5, 1), PATH_WHOLE), 5, 4);
    destroy(&c);
}

// f goes on in g by a jump: g's return goes to after the call of f, and from g back to f.
static const struct line tail[] = {{0, 'b', 1}, {0, 'c', 4}, {0, 'n', 0}, {0, 'r', 0},
                                   {1, 'j', 6}, {1, 'n', 0}, {2, 'n', 0}, {2, 'r', 0}};

static void tail_calls(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, tail);
    ONE(&c, history(2, 1, 0), 7, 2, 4, 6, 1, 4, 0, 1);
    one(&c, history(7, 1, 0), (const int[]){NONE}); // g begins where it is jumped to
    ONE(&c, across(history(7, 1, 0)), 4, 6, 1, 4, 0, 1);
    destroy(&c);
}

// Where indirect jumps and calls go to is what was seen.
static const struct line indirect[] = {{0, 'b', 2}, {0, 'n', 0}, {0, 'i', 0}, {0, 'r', 0},
                                       {0, 'I', 0}, {0, 'r', 0}, {1, 'n', 0}, {1, 'r', 0}};

static void indirect_transfers(void **state) {
    (void)state;
    struct code c;
    const struct path_transfer seen[] = {{2, 4}, {4, 6}, {2, 4}, {7, 5}};
    MAKE(&c, indirect);
    found(&c, history(4, 1, 1), 0); // none was seen: the jump at 2 goes nowhere
    destroy(&c);
    make(&c, indirect, sizeof indirect / sizeof *indirect, seen, 4);
    ONE(&c, history(4, 1, 1), 2, 4, 0, 2);
    ONE(&c, history(4, 1, 0), 2, 4, 0, 1);
    ONE(&c, history(5, 1, 1), 7, 5, 4, 6, 2, 4, 0, 2);
    ONE(&c, across(history(7, 1, 1)), 4, 6, 2, 4, 0, 2);
    found(&c, history(3, 1, 1), 0); // nothing goes there
    destroy(&c);
}

// Ways without a branch are given up, not followed forever; recursion is not.
static void without_end(void **state) {
    (void)state;
    static const struct line around[] = {{0, 'n', 0}, {0, 'j', 0}};
    static const struct line recursive[] = {{0, 'b', 2}, {0, 'c', 0}, {0, 'r', 0}};
    struct code c;
    MAKE(&c, around);
    found(&c, history(1, 1, 0), 2);
    assert_true(c.result.given_up);
    destroy(&c);
    MAKE(&c, recursive);
    ONE(&c, history(1, 1, 0), 0, 1);
    ONE(&c, across(history(1, 3, 0)), 0, 1, 1, 0, 0, 1, 1, 0, 0, 1);
    one(&c, history(0, 1, 0), (const int[]){NONE}); // called by itself, it begins, too
    destroy(&c);
}

// The path that was taken ends where those that are found do.
static void taken(void **state) {
    (void)state;
    struct code c;
    MAKE(&c, calls);
    static const struct path_step way[] = {{3, 6}, {8, 2}, {1, 7}, {0, 1}};
    static const struct path_step in_f[] = {{1, 7}, {0, 1}};
    uint32_t used;
    struct path_query q = history(6, 1, 0);
    assert_true(path_taken(c.graph, &q, way, 4, &used));
    assert_int_equal(used, 4);
    assert_false(path_taken(c.graph, &q, way, 3, &used));
    q = history(8, 1, 0);
    assert_true(path_taken(c.graph, &q, in_f, 2, &used));
    assert_int_equal(used, 0);
    q = across(q);
    assert_true(path_taken(c.graph, &q, in_f, 2, &used));
    assert_int_equal(used, 2);
    destroy(&c);
}

static void successes(void **state) {
    (void)state;
    struct code c;
    static struct path_success success;
    MAKE(&c, diamond);
    path_graph_count(c.graph, seventy_thirty, NULL);
    static const struct path_step way[] = {{0, 3}}, other_way[] = {{2, 4}, {0, 1}};
    const struct path_sample right = {4, 1, UINT32_MAX, way, 1}, wrong_bit = {4, 0, UINT32_MAX, way, 1},
                             frequent = {4, 0, UINT32_MAX, other_way, 2};
    path_success_add(&success, c.search, c.graph, &right, 8);
    path_success_add(&success, c.search, c.graph, &wrong_bit, 8);
    path_success_add(&success, c.search, c.graph, &frequent, 8);
    for (unsigned a = 0; a < 2; a++) {
        const struct path_counts *counts = &success.of[a][PATH_COUNTS][1], *bits = &success.of[a][PATH_HISTORY][1];
        assert_int_equal(counts->samples, 3);
        assert_int_equal(counts->right, 1);
        assert_int_equal(counts->wrong, 2);
        assert_int_equal(bits->right, 2);
        assert_int_equal(bits->wrong, 1);
        assert_int_equal(bits->several + bits->none, 0);
        assert_int_equal(success.of[a][PATH_HISTORY][2].samples, 0); // the way is not known so far
    }
    destroy(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(join),
        cmocka_unit_test(pairs),
        cmocka_unit_test(pair_on_the_way),
        cmocka_unit_test(loops),
        cmocka_unit_test(whole_history),
        cmocka_unit_test(likeliest),
        cmocka_unit_test(likeliest_as_a_whole),
        cmocka_unit_test(likeliest_through_a_call),
        cmocka_unit_test(likeliest_to_go_on_with),
        cmocka_unit_test(calls_and_returns),
        cmocka_unit_test(tail_calls),
        cmocka_unit_test(a_return_that_does_not_fit),
        cmocka_unit_test(falls_into_a_procedure),
        cmocka_unit_test(begins_once),
        cmocka_unit_test(ruled_out),
        cmocka_unit_test(indirect_transfers),
        cmocka_unit_test(without_end),
        cmocka_unit_test(taken),
        cmocka_unit_test(successes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
