// Blocks, edges and loops of tests/unit/analysis/flow.S, drawn by hand; and of random graphs, whose loops a search for
// dominators finds by another way.
#include "analysis/flow.h"
#include "analysis/flow_internal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/test_flow_XXXXXX";
static struct program *program;

static int set_up(void **state) {
    char command[1024];
    struct error err = {""};
    int fd = mkstemp(path);
    (void)state;
    if (fd < 0) return -1;
    close(fd);
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -static -Wl,-Ttext=0x80000000 -Wl,-n "
             "-o '%s' '%s/tests/unit/analysis/flow.S'",
             path, TIPOFF_ROOT);
    if (system(command) != 0 || !(program = program_load(path, &err))) return -1;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    program_destroy(program);
    return unlink(path);
}

// The instruction at a label, by nm.
static size_t at(const char *label) {
    char command[256], line[64];
    snprintf(command, sizeof command, "riscv64-unknown-elf-nm '%s' | grep -w '%s$'", path, label);
    FILE *in = popen(command, "r");
    assert_true(in && fgets(line, sizeof line, in));
    pclose(in);
    size_t i = program_find(program, strtoull(line, NULL, 16));
    assert_true(i != PROGRAM_NONE);
    return i;
}

static struct flow *flow_of(const char *function, const struct flow_jump *jumps, size_t count) {
    struct flow *f = flow_create(program, program_find_function(program, function), jumps, count);
    assert_non_null(f);
    return f;
}

// edges: "a>b a>c"; every one of the function, and no other.
static void expect_edges(const struct flow *f, const char *edges) {
    size_t count, blocks, n = 0;
    const struct flow_block *list = flow_blocks(f, &blocks);
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", edges);
    for (char *edge; (edge = strtok_r(rest, " ", &rest)); n++) {
        char *to = strchr(edge, '>');
        *to++ = '\0';
        const struct flow_block *b = &list[flow_block_of(f, at(edge))];
        bool found = false;
        for (size_t i = 0; i < b->next_count; i++)
            found = found || b->next[i] == flow_block_of(f, at(to));
        if (!found) fail_msg("no edge from %s to %s", edge, to);
    }
    for (size_t b = count = 0; b < blocks; b++)
        count += list[b].next_count;
    assert_int_equal(count, n);
}

struct loop {
    const char *header;
    unsigned depth;
    const char *parent; // its header, or NULL
    bool irreducible;
    const char *blocks; // labels of all of it but the header, those of inner loops included
};

static bool in_loop(const struct flow *f, size_t block, size_t loop) {
    size_t count;
    const struct flow_loop *loops = flow_loops(f, &count);
    for (size_t i = flow_blocks(f, &count)[block].loop; i != PROGRAM_NONE; i = loops[i].parent) {
        if (i == loop) return true;
    }
    return false;
}

static void expect_loops(const struct flow *f, const struct loop *expected, size_t count) {
    size_t found, blocks;
    const struct flow_loop *loops = flow_loops(f, &found);
    flow_blocks(f, &blocks);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++) {
        const struct loop *e = &expected[i];
        const size_t header = flow_block_of(f, at(e->header));
        size_t l = 0, members = 0, wanted = 1;
        while (l < found && loops[l].header != header)
            l++;
        if (l == found) fail_msg("no loop at %s", e->header);
        assert_int_equal(loops[l].depth, e->depth);
        assert_int_equal(loops[l].irreducible, e->irreducible);
        if (e->parent) {
            assert_int_equal(loops[loops[l].parent].header, flow_block_of(f, at(e->parent)));
        } else {
            assert_true(loops[l].parent == PROGRAM_NONE);
        }
        assert_true(in_loop(f, header, l));
        char copy[256], *rest = copy;
        snprintf(copy, sizeof copy, "%s", e->blocks);
        for (char *label; (label = strtok_r(rest, " ", &rest)); wanted++) {
            if (!in_loop(f, flow_block_of(f, at(label)), l)) fail_msg("%s is not in the loop at %s", label, e->header);
        }
        for (size_t b = 0; b < blocks; b++)
            members += in_loop(f, b, l);
        assert_int_equal(members, wanted);
    }
}

static void straight(void **state) {
    (void)state;
    struct flow *f = flow_of("_start", NULL, 0);
    expect_edges(f, "_start>s1 _start>s2 s1>s3 s2>s3");
    expect_loops(f, NULL, 0);
    flow_destroy(f);
    f = flow_of("alone", NULL, 0);
    expect_edges(f, "");
    expect_loops(f, NULL, 0);
    flow_destroy(f);
}

static void nested(void **state) {
    (void)state;
    struct flow *f = flow_of("nest", NULL, 0);
    expect_edges(f, "nest>n1 n1>n2 n2>n3 n3>n3 n3>n4 n4>n2 n4>n5 n5>n1 n5>n6 n6>n6 n6>n7");
    const struct loop loops[] = {{"n1", 1, NULL, false, "n2 n3 n4 n5"},
                                 {"n2", 2, "n1", false, "n3 n4"},
                                 {"n3", 3, "n2", false, ""},
                                 {"n6", 1, NULL, false, ""}};
    expect_loops(f, loops, 4);
    flow_destroy(f);
}

static void rotated(void **state) {
    (void)state;
    struct flow *f = flow_of("rotated", NULL, 0);
    const struct loop loops[] = {{"r2", 1, NULL, false, "r1 c2"}};
    expect_loops(f, loops, 1);
    flow_destroy(f);
}

static void irreducible(void **state) {
    (void)state;
    struct flow *f = flow_of("twice", NULL, 0);
    expect_edges(f, "twice>i1 twice>i2 i1>i3 i3>i3 i3>i4 i4>i2 i2>i1 i2>i5");
    const struct loop loops[] = {{"i1", 1, NULL, true, "i2 i3 i4"}, {"i3", 2, "i1", false, ""}};
    expect_loops(f, loops, 2);
    flow_destroy(f);
}

static bool unknown(const struct flow *f, const char *label) {
    size_t count;
    return flow_blocks(f, &count)[flow_block_of(f, at(label))].unknown;
}

static void indirect(void **state) {
    (void)state;
    size_t before, after;
    // Nothing known: the jump goes to what nothing else goes to.
    struct flow *f = flow_of("table", NULL, 0);
    const struct loop loops[] = {{"w1", 1, NULL, false, "w2 w3 w5"}};
    expect_edges(f, "w1>w2 w1>w3 w2>w1 w3>w5 w5>w1 w5>w4");
    expect_loops(f, loops, 1);
    assert_true(unknown(f, "w1") && !unknown(f, "w5"));
    flow_blocks(f, &before);
    flow_destroy(f);
    // It was seen to go to w2 and w4, and so nowhere else; jumps of other functions, and calls, are none of it.
    const struct loop seen_loops[] = {{"w1", 1, NULL, false, "w2"}};
    const struct flow_jump seen[] = {
        {at("w1"), at("w4")}, {at("w3"), at("nest")}, {at("i2"), at("w2")}, {at("w1"), at("w2")}};
    f = flow_of("table", seen, 4);
    expect_edges(f, "w1>w2 w1>w4 w2>w1 w3>w5 w5>w1 w5>w4");
    expect_loops(f, seen_loops, 1);
    assert_false(unknown(f, "w1"));
    flow_destroy(f);
    // Into the middle of a block.
    const struct flow_jump middle = {at("w1"), at("w2") + 1};
    f = flow_of("table", &middle, 1);
    flow_blocks(f, &after);
    assert_int_equal(after, before + 1);
    assert_int_equal(flow_block_of(f, at("w2") + 1), flow_block_of(f, at("w2")) + 1);
    flow_destroy(f);
}

static void outside(void **state) {
    (void)state;
    struct flow *f = flow_of("tails", NULL, 0);
    const struct loop loops[] = {{"t1", 1, NULL, false, "t2"}};
    expect_edges(f, "tails>t1 t1>t2 t1>t3 t2>t1 d1>t2");
    expect_loops(f, loops, 1);
    flow_destroy(f);
}

// ---- random graphs ----
enum { NODES = 9, EDGES = 3, GRAPHS = 20000 };

struct graph {
    struct flow_block blocks[NODES];
    uint32_t edges[NODES][EDGES];
    bool reached[NODES], dominates[NODES][NODES]; // dominates[a][b]: all ways to b go through a
    bool natural[NODES][NODES];                   // [header][member] of the natural loop of a header
    bool back[NODES];                             // a block that it dominates goes to it
};

static void reach(const struct graph *g, uint32_t from, uint32_t without, bool *reached) {
    if (from == without || reached[from]) return;
    reached[from] = true;
    for (size_t i = 0; i < g->blocks[from].next_count; i++)
        reach(g, g->edges[from][i], without, reached);
}

static void body(struct graph *g, size_t header, size_t n) {
    if (g->natural[header][n]) return;
    g->natural[header][n] = true;
    for (size_t p = 0; p < NODES; p++) {
        for (size_t i = 0; i < g->blocks[p].next_count; i++) {
            if (g->edges[p][i] == n && g->reached[p]) body(g, header, p);
        }
    }
}

// Without its edges back, a reducible graph has no cycle.
static bool cyclic(const struct graph *g, size_t n, int *seen) {
    seen[n] = 1;
    for (size_t i = 0; i < g->blocks[n].next_count; i++) {
        const uint32_t to = g->edges[n][i];
        if (g->dominates[to][n]) continue;
        if (seen[to] == 1 || (seen[to] == 0 && cyclic(g, to, seen))) return true;
    }
    seen[n] = 2;
    return false;
}

static void make(struct graph *g, unsigned *seed, size_t nodes) {
    memset(g, 0, sizeof *g);
    for (size_t n = 0; n < nodes; n++) {
        g->blocks[n].next = g->edges[n];
        g->blocks[n].loop = PROGRAM_NONE;
        g->blocks[n].next_count = (size_t)rand_r(seed) % (n == 0 ? 2 : EDGES) + (n == 0);
        for (size_t i = 0; i < g->blocks[n].next_count; i++)
            g->edges[n][i] = (uint32_t)((size_t)rand_r(seed) % nodes);
    }
    reach(g, 0, NODES, g->reached);
    for (uint32_t a = 0; a < nodes; a++) {
        bool without[NODES] = {false};
        reach(g, 0, a, without);
        for (uint32_t b = 0; b < nodes; b++)
            g->dominates[a][b] = g->reached[b] && !without[b];
    }
    for (size_t p = 0; p < nodes; p++) {
        for (size_t i = 0; i < g->blocks[p].next_count; i++) {
            const uint32_t h = g->edges[p][i];
            if (!g->dominates[h][p]) continue;
            g->natural[h][h] = g->back[h] = true;
            body(g, h, p);
        }
    }
}

static void random_graphs(void **state) {
    (void)state;
    unsigned seed = 1, reducible = 0, several = 0, irreducible_loops = 0;
    for (int n = 0; n < GRAPHS; n++) {
        struct graph g;
        const size_t nodes = 2 + (size_t)n % (NODES - 1);
        make(&g, &seed, nodes);
        struct flow f = {.blocks = g.blocks, .block_count = nodes};
        assert_true(flow_nest(&f));
        int seen[NODES] = {0};
        const bool proper = !cyclic(&g, 0, seen);
        size_t loops = 0, flagged = 0;
        for (size_t l = 0; l < f.loop_count; l++) {
            const size_t header = f.loops[l].header;
            if (!g.reached[header]) continue;
            loops++;
            flagged += f.loops[l].irreducible;
            for (size_t b = 0; b < nodes; b++) {
                if (proper) assert_int_equal(in_loop(&f, b, l), g.natural[header][b]);
                if (!f.loops[l].irreducible && in_loop(&f, b, l)) assert_true(g.dominates[header][b]);
            }
        }
        assert_int_equal(flagged == 0, proper);
        for (size_t h = 0; proper && h < nodes; h++)
            loops -= g.back[h];
        if (proper) assert_int_equal(loops, 0);
        reducible += proper;
        several += proper && f.loop_count > 1;
        irreducible_loops += !proper;
        free(f.loops);
    }
    assert_true(reducible > GRAPHS / 10 && several > GRAPHS / 50 && irreducible_loops > GRAPHS / 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight),      cmocka_unit_test(nested),   cmocka_unit_test(rotated),
        cmocka_unit_test(irreducible),   cmocka_unit_test(indirect), cmocka_unit_test(outside),
        cmocka_unit_test(random_graphs),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
