// Sampled commits by instruction, and the time in Computing that follows from them and from executions: see pool.h.
#include "analysis/pool.h"
#include "base/array.h"
#include "base/bisect.h"
#include <stdlib.h>

struct pool {
    enum pool_kind kind;
    struct profile_table *commits; // by place: the cycles of samples in which it committed, in 1/U
    uint32_t units;                // U
    double draws;                  // triggers
    double time;                   // of all samples, in 1/U cycle
};

struct visit { // a block of a program, in a context in which it was sampled
    const struct program *program;
    size_t block; // its first instruction
    uint64_t context, bias;
    double commits; // of all its instructions
};

struct member { // an instruction, in a context
    struct place place;
    double executions, commits; // estimated by their source, and sampled: in 1/U cycle between samples each
    double sampled;             // time in Computing
    double time;                // the estimate, before it is scaled
    size_t first, rows;         // of its rows in Computing
};

struct pooling {
    const struct pool *pool;
    const struct images *images;
    const struct profile_row *rows, *commits;
    size_t count, commit_count;
    pool_executions *executions;
    void *context;
    struct visit *visits;
    size_t visit_count, visit_capacity;
    struct member *members;
    size_t member_count, member_capacity;
};

struct pool *pool_create(enum pool_kind kind) {
    struct pool *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->kind = kind;
    p->commits = profile_table_create();
    if (p->commits) return p;
    free(p);
    return NULL;
}

void pool_destroy(struct pool *p) {
    if (!p) return;
    profile_table_destroy(p->commits);
    free(p);
}

bool pool_add(struct pool *p, uint32_t units, const struct sample *s, uint64_t draws, uint64_t cycles) {
    p->units = units;
    p->draws += (double)draws;
    p->time += (double)cycles * units;
    if (s->state != STATE_COMPUTING) return true;
    for (unsigned left = s->valid; left; left &= left - 1) {
        const struct place place = {s->addr[__builtin_ctz(left)], place_context(s->priv, s->space)};
        if (!profile_table_add(p->commits, place, STATE_COMPUTING, 0, cycles * units)) return false;
    }
    return true;
}

// ---- blocks that were sampled ----
static int by_block(const void *x, const void *y) {
    const struct visit *a = x, *b = y;
    if (a->program != b->program) return (uintptr_t)a->program < (uintptr_t)b->program ? -1 : 1;
    if (a->block != b->block) return a->block < b->block ? -1 : 1;
    return a->context < b->context ? -1 : a->context > b->context;
}

static bool find_visits(struct pooling *p) {
    size_t used = 0, instructions;
    for (size_t i = 0; i < p->commit_count; i++) {
        struct image_hit hit;
        const struct profile_row *row = &p->commits[i];
        if (!images_find(p->images, row_place(row), &hit)) continue;
        if (!array_reserve(&p->visits, &p->visit_capacity, p->visit_count, sizeof *p->visits)) return false;
        const size_t block = program_instructions(hit.program, &instructions)[hit.instruction].block;
        p->visits[p->visit_count++] = (struct visit){hit.program, block, row->context, hit.bias, (double)row->weight};
    }
    if (p->visit_count) qsort(p->visits, p->visit_count, sizeof *p->visits, by_block);
    for (size_t i = 0; i < p->visit_count; i++) {
        if (used && by_block(&p->visits[used - 1], &p->visits[i]) == 0) {
            p->visits[used - 1].commits += p->visits[i].commits;
        } else {
            p->visits[used++] = p->visits[i];
        }
    }
    p->visit_count = used;
    return true;
}

static bool row_before(const void *entry, const void *wanted) {
    return profile_row_compare(entry, wanted) < 0;
}
// The first row of that place, from those of one state on where rows have states; or where it would be.
static size_t find_row(const struct profile_row *rows, size_t count, struct place place, unsigned state) {
    const struct profile_row wanted = {.pc = place.pc, .context = place.context, .state = (uint8_t)state};
    return bisect(rows, count, sizeof *rows, row_before, &wanted);
}

static bool is_of(const struct profile_row *rows, size_t count, size_t i, struct place place, unsigned state) {
    return i < count && place_equal(row_place(&rows[i]), place) && rows[i].state == state;
}

// ---- instructions ----
static bool add_member(struct pooling *p, const struct visit *v, uint64_t pc, double executions) {
    const struct place place = {pc + v->bias, v->context};
    struct member m = {.place = place, .executions = executions};
    const size_t commits = find_row(p->commits, p->commit_count, place, STATE_COMPUTING);
    if (is_of(p->commits, p->commit_count, commits, place, STATE_COMPUTING))
        m.commits = (double)p->commits[commits].weight;
    if (m.commits > 0 && executions <= 0) m.executions = m.commits; // counted nowhere: as sampled
    if (m.executions <= 0) return true;
    m.first = find_row(p->rows, p->count, place, STATE_COMPUTING);
    for (size_t i = m.first; is_of(p->rows, p->count, i, place, STATE_COMPUTING); i++) {
        m.rows++;
        m.sampled += (double)p->rows[i].weight;
    }
    if (!array_reserve(&p->members, &p->member_capacity, p->member_count, sizeof *p->members)) return false;
    p->members[p->member_count++] = m;
    return true;
}

// One past the last instruction of the block.
static size_t block_end(const struct program_instruction *list, size_t count, size_t block) {
    size_t end = block;
    while (end < count && list[end].block == block)
        end++;
    return end;
}

static bool pool_blocks(struct pooling *p) {
    for (size_t i = 0; i < p->visit_count; i++) {
        const struct visit *v = &p->visits[i];
        size_t count;
        const struct program_instruction *list = program_instructions(v->program, &count);
        const size_t end = block_end(list, count, v->block);
        for (size_t k = v->block; k < end; k++) {
            if (!add_member(p, v, list[k].pc, v->commits / (double)(end - v->block))) return false;
        }
    }
    return true;
}

// Of a block: its executions by instruction, in the contexts of these visits. Those of a block that was never sampled
// are the contexts of the sampled block before it.
static bool count_block(struct pooling *p, const struct visit *visits, size_t count, size_t first, size_t end) {
    const struct program *program = visits->program;
    size_t instructions;
    const struct program_instruction *list = program_instructions(program, &instructions);
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += visits[i].commits;
    for (size_t k = first; k < end; k++) {
        const double executions = (double)p->executions(p->context, program, list[k].pc) * p->pool->units;
        for (size_t i = 0; i < count; i++) {
            if (!add_member(p, &visits[i], list[k].pc, executions * visits[i].commits / all)) return false;
        }
    }
    return true;
}

static bool pool_counts(struct pooling *p) {
    for (size_t first = 0, end; first < p->visit_count; first = end) { // a program
        const struct program *program = p->visits[first].program;
        size_t count, next, known = first;
        const struct program_instruction *list = program_instructions(program, &count);
        for (end = first; end < p->visit_count && p->visits[end].program == program;)
            end++;
        size_t visits = 0; // of the block that `known` belongs to
        for (size_t block = 0; block < count; block = next) {
            const size_t after = known + visits;
            next = block_end(list, count, block);
            if (visits == 0 || (after < end && p->visits[after].block == block)) {
                const size_t named = p->visits[after].block;
                known = after;
                for (visits = 0; known + visits < end && p->visits[known + visits].block == named;)
                    visits++;
            }
            if (!count_block(p, &p->visits[known], visits, block, next)) return false;
        }
    }
    return true;
}

// ---- time ----
// The members' estimates; their sum, and the time that was sampled.
static double estimate(struct pooling *p, double *sampled) {
    const double half = p->pool->draws > 0 ? p->pool->time / p->pool->draws / 2 : 0;
    double commits = 0, sum = 0;
    *sampled = 0;
    for (size_t i = 0; i < p->member_count; i++) {
        commits += p->members[i].commits;
        *sampled += p->members[i].sampled;
    }
    for (size_t i = 0; i < p->member_count; i++) {
        struct member *m = &p->members[i];
        m->time = m->executions * (m->sampled + half * (*sampled / commits)) / (m->commits + half);
        sum += m->time;
    }
    return sum;
}

// A member's time, as its rows were parted.
static bool book_member(const struct pooling *p, const struct member *m, uint64_t weight, struct profile_table *t) {
    double seen = 0;
    uint64_t given = 0;
    if (m->rows == 0) return profile_table_add(t, m->place, STATE_COMPUTING, 0, weight);
    for (size_t i = m->first; i < m->first + m->rows; i++) {
        const struct profile_row *row = &p->rows[i];
        seen += (double)row->weight;
        const uint64_t upto = i + 1 == m->first + m->rows ? weight : (uint64_t)((double)weight * (seen / m->sampled));
        if (!profile_table_add_stack(t, m->place, row->stack, STATE_COMPUTING, row->psv, upto - given)) return false;
        given = upto;
    }
    return true;
}

static bool is_pooled(const struct pooling *p, const struct profile_row *row) {
    struct image_hit hit;
    return row->state == STATE_COMPUTING && images_find(p->images, row_place(row), &hit);
}

static bool book(const struct pooling *p, double sum, double sampled, struct profile_table *t) {
    double upto = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct profile_row *row = &p->rows[i];
        if (!is_pooled(p, row) &&
            !profile_table_add_stack(t, row_place(row), row->stack, row->state, row->psv, row->weight))
            return false;
    }
    for (size_t i = 0; i < p->member_count; i++) { // rounded so that nothing is lost
        upto += p->members[i].time / sum * sampled;
        const uint64_t whole = i + 1 == p->member_count ? (uint64_t)sampled : (uint64_t)upto;
        if (whole > given && !book_member(p, &p->members[i], whole - given, t)) return false;
        given = whole > given ? whole : given;
    }
    return true;
}

struct profile_table *pool_rows(struct pool *pool, const struct profile_row *rows, size_t count,
                                const struct images *images, pool_executions *executions, void *context) {
    struct pooling p = {
        .pool = pool, .images = images, .rows = rows, .count = count, .executions = executions, .context = context};
    struct profile_table *t = profile_table_create();
    double sampled;
    p.commits = profile_table_rows(pool->commits, &p.commit_count);
    if (!p.commits) p.commit_count = 0;
    bool good = t && (p.commits || !profile_table_total(pool->commits)) && find_visits(&p);
    good = good && (pool->kind == POOL_COUNTS ? pool_counts(&p) : pool_blocks(&p));
    if (good) {
        const double sum = estimate(&p, &sampled);
        good = book(&p, sum, sampled, t);
    }
    free(p.visits);
    free(p.members);
    if (good) return t;
    profile_table_destroy(t);
    return NULL;
}
