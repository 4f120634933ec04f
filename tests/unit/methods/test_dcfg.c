// Control-flow graphs by hand: nested loops, several ways back to one header, blocks that are cut, loops that are none,
// calls, tail calls; dominators and loops of random graphs beside those by their definitions.
#include "methods/regions/dcfg.h"
#include "methods/regions/random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 16 }; // of a block, in addresses
#define T(from, to, kind, times)                                                                                       \
    { (from) * SIZE, ((from) + 1) * SIZE, (to)*SIZE, times, DCFG_##kind }
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct dcfg_loop *loop_at(const struct dcfg *d, uint64_t pc) {
    for (size_t i = 0; i < d->loop_count; i++)
        if (d->blocks[d->loops[i].header].pc == pc) return &d->loops[i];
    return NULL;
}

static void test_nested(void **unused) {
    (void)unused;
    const struct dcfg_transition list[] = {T(0, 1, FALLS, 1), T(1, 2, FALLS, 3), T(2, 2, JUMPS, 9),
                                           T(2, 3, FALLS, 3), T(3, 1, JUMPS, 2), T(3, 4, FALLS, 1)};
    struct dcfg *d = dcfg_create(list, COUNT(list), NULL, 0);
    assert_int_equal(d->block_count, 5);
    assert_int_equal(d->loop_count, 2);
    const struct dcfg_loop *outer = loop_at(d, 1 * SIZE), *inner = loop_at(d, 2 * SIZE);
    assert_true(outer && inner);
    assert_int_equal(outer->depth, 1);
    assert_int_equal(outer->parent, DCFG_NONE);
    assert_int_equal(outer->blocks, 3);
    assert_int_equal(outer->entries, 1);
    assert_int_equal(outer->iterations, 3);
    assert_int_equal(inner->depth, 2);
    assert_ptr_equal(&d->loops[inner->parent], outer);
    assert_int_equal(inner->blocks, 1);
    assert_int_equal(inner->entries, 3);
    assert_int_equal(inner->iterations, 12);
    assert_int_equal(d->blocks[3].dominator, 2);
    assert_int_equal(d->blocks[0].dominator, DCFG_NONE);
    assert_int_equal(d->blocks[3].loop, outer - d->loops);
    assert_int_equal(d->blocks[4].loop, DCFG_NONE);
    dcfg_free(d);
}

// 1 -> 2 -> 1 and 1 -> 3 -> 1: one loop of three blocks.
static void test_two_ways_back(void **unused) {
    (void)unused;
    const struct dcfg_transition list[] = {T(0, 1, FALLS, 1), T(1, 2, FALLS, 4), T(1, 3, JUMPS, 5),
                                           T(2, 1, JUMPS, 4), T(3, 1, JUMPS, 4), T(3, 4, FALLS, 1)};
    struct dcfg *d = dcfg_create(list, COUNT(list), NULL, 0);
    assert_int_equal(d->loop_count, 1);
    assert_int_equal(d->loops[0].blocks, 3);
    assert_int_equal(d->loops[0].entries, 1);
    assert_int_equal(d->loops[0].iterations, 9);
    dcfg_free(d);
}

// From 0 straight to 48; a jump back to 16 cuts that, and one from elsewhere to 32 cuts it again.
static void test_cut(void **unused) {
    (void)unused;
    const struct dcfg_transition list[] = {{0, 48, 16, 1, DCFG_JUMPS},
                                           {16, 48, 16, 6, DCFG_JUMPS},
                                           {16, 48, 48, 1, DCFG_FALLS},
                                           {48, 64, 32, 1, DCFG_JUMPS},
                                           {32, 48, 64, 1, DCFG_FALLS}};
    struct dcfg *d = dcfg_create(list, COUNT(list), NULL, 0);
    assert_int_equal(d->block_count, 5);
    for (size_t b = 0; b < d->block_count; b++)
        assert_int_equal(d->blocks[b].pc, b * 16);
    for (size_t b = 0; b + 1 < d->block_count; b++)
        assert_int_equal(d->blocks[b].after, (b + 1) * 16);
    assert_int_equal(d->blocks[0].executions, 1);
    assert_int_equal(d->blocks[1].executions, 8);
    assert_int_equal(d->blocks[2].executions, 9);
    uint64_t falls = 0;
    for (size_t i = 0; i < d->edge_count; i++)
        if (d->edges[i].from == 1 && d->edges[i].to == 2) falls = d->edges[i].times;
    assert_int_equal(falls, 8);
    dcfg_free(d);
}

// 0 enters the cycle of 1 and 2 at both.
static void test_irreducible(void **unused) {
    (void)unused;
    const struct dcfg_transition list[] = {T(0, 1, FALLS, 1), T(0, 2, JUMPS, 1), T(1, 2, FALLS, 5), T(2, 1, JUMPS, 5),
                                           T(2, 3, FALLS, 1)};
    struct dcfg *d = dcfg_create(list, COUNT(list), NULL, 0);
    assert_int_equal(d->loop_count, 0);
    assert_int_equal(d->routines[0].irreducible, 1);
    assert_int_equal(d->blocks[1].dominator, 0);
    assert_int_equal(d->blocks[2].dominator, 0);
    dcfg_free(d);
}

// 0; 1 calls 10, comes back to 2, which goes to 1 again; 3 calls 10, too. 10 has a loop at 11, and goes on to 20 by a
// jump, which a symbol says is a function: it returns for it.
static void test_calls(void **unused) {
    (void)unused;
    const struct dcfg_transition list[] = {T(0, 1, FALLS, 1),    T(1, 10, CALLS, 7),  T(2, 1, JUMPS, 6),
                                           T(2, 3, FALLS, 1),    T(3, 10, CALLS, 1),  T(10, 11, FALLS, 8),
                                           T(11, 11, JUMPS, 16), T(11, 12, FALLS, 8), T(12, 20, JUMPS, 8),
                                           T(20, 2, RETURNS, 7), T(20, 4, RETURNS, 1)};
    const uint64_t entries[] = {20 * SIZE};
    struct dcfg *d = dcfg_create(list, COUNT(list), entries, 1);
    assert_int_equal(d->routine_count, 3);
    const struct dcfg_loop *calling = loop_at(d, 1 * SIZE), *called = loop_at(d, 11 * SIZE);
    assert_true(calling && called && d->loop_count == 2);
    assert_int_equal(calling->blocks, 2);
    assert_int_equal(calling->entries, 1);
    assert_int_equal(calling->iterations, 7);
    assert_int_equal(called->depth, 1); // its routine's, whoever calls that
    assert_int_equal(called->entries, 8);
    assert_int_equal(called->iterations, 24);
    const uint32_t twenty = dcfg_block_at(d, 20 * SIZE);
    assert_int_equal(d->blocks[d->routines[d->blocks[twenty].routine].entry].pc, 20 * SIZE);
    assert_int_equal(d->blocks[dcfg_block_at(d, 4 * SIZE)].routine, d->blocks[0].routine);
    dcfg_free(d);
    d = dcfg_create(list, COUNT(list), NULL, 0); // without the symbol it is one routine with 10
    assert_int_equal(d->routine_count, 2);
    dcfg_free(d);
}

static void test_nothing(void **unused) {
    (void)unused;
    struct dcfg *d = dcfg_create(NULL, 0, NULL, 0);
    assert_true(d && d->block_count == 0 && d->loop_count == 0);
    dcfg_free(d);
}

// ---- random graphs ----
enum { MOST = 14, GRAPHS = 3000 };
struct graph {
    size_t n;
    bool edge[MOST][MOST];
};

// Whether `to` is reached from the entry on ways that avoid `without` (MOST: none).
static bool reached(const struct graph *g, size_t to, size_t without) {
    bool seen[MOST] = {false};
    size_t list[MOST], count = 0;
    if (without == 0) return false;
    seen[0] = true;
    list[count++] = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t b = 0; b < g->n; b++)
            if (g->edge[list[k]][b] && !seen[b] && b != without) {
                seen[b] = true;
                list[count++] = b;
            }
    return seen[to];
}

static bool dominates(const struct graph *g, size_t a, size_t b) {
    return a == b || !reached(g, b, a);
}

// Blocks from which `from` is reached without the header, by the definition of a natural loop.
static size_t body_of(const struct graph *g, size_t header) {
    bool in[MOST] = {false};
    size_t count = 1;
    in[header] = true;
    for (size_t t = 0; t < g->n; t++)
        if (g->edge[t][header] && dominates(g, header, t)) in[t] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t a = 0; a < g->n; a++)
            for (size_t b = 0; b < g->n; b++)
                if (g->edge[a][b] && in[b] && b != header && !in[a]) more = in[a] = true;
    }
    for (size_t b = 0; b < g->n; b++)
        count += in[b] && b != header;
    return count;
}

static void check_graph(const struct graph *g, uint64_t seed) {
    struct dcfg_transition list[MOST * MOST];
    size_t count = 0;
    for (size_t a = 0; a < g->n; a++)
        for (size_t b = 0; b < g->n; b++)
            if (g->edge[a][b]) list[count++] = (struct dcfg_transition)T(a, b, JUMPS, 1);
    struct dcfg *d = dcfg_create(list, count, NULL, 0);
    assert_int_equal(d->block_count, g->n);
    for (size_t b = 1; b < g->n; b++) {
        const uint32_t above = d->blocks[b].dominator;
        bool good = above != DCFG_NONE && above != b && dominates(g, above, b);
        for (size_t a = 0; good && a < g->n; a++) // every other one that dominates it dominates that
            if (a != b && dominates(g, a, b)) good = dominates(g, a, above);
        if (!good) fail_msg("seed %u: block %zu: dominator %u", (unsigned)seed, b, (unsigned)above);
    }
    for (size_t h = 0; h < g->n; h++) {
        bool header = false;
        for (size_t t = 0; t < g->n; t++)
            header |= g->edge[t][h] && dominates(g, h, t);
        const struct dcfg_loop *loop = loop_at(d, h * SIZE);
        if (header != (loop != NULL) || (loop && loop->blocks != body_of(g, h)))
            fail_msg("seed %u: loop at block %zu", (unsigned)seed, h);
    }
    dcfg_free(d);
}

static void test_random(void **unused) {
    (void)unused;
    size_t checked = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct graph g = {.n = 2 + random_mix(seed) % (MOST - 1)};
        for (size_t a = 0; a < g.n; a++)
            for (unsigned k = 0; k < 2; k++) {
                const size_t b = 1 + random_mix(seed * 1000 + a * 10 + k) % (g.n - 1); // the entry is come to by nobody
                g.edge[a][b] = true;
            }
        bool whole = true;
        for (size_t b = 0; b < g.n; b++)
            whole &= reached(&g, b, MOST);
        if (!whole) continue; // what nothing reaches is a routine of its own
        check_graph(&g, seed);
        checked++;
    }
    assert_true(checked > GRAPHS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nested), cmocka_unit_test(test_two_ways_back),
                                       cmocka_unit_test(test_cut),    cmocka_unit_test(test_irreducible),
                                       cmocka_unit_test(test_calls),  cmocka_unit_test(test_nothing),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
