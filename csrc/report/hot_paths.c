// A function that calls itself is one step of a path, however deep. A path goes on as long as one call has nearly all
// of its time; where it divides, what has enough of it follows below.
#include "report/hot_paths.h"
#include "base/array.h"
#include "report/annotate.h"
#include "report/call_tree.h"
#include "report/contexts.h"
#include "report/pair_numbers.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum {
    TEXT = 512,
    GOES_ON = 10,
    DEEPEST = 64
}; // GOES_ON: less than one part in this many of a path's is lost by a step

struct step { // frames of one function that follow each other
    size_t parent, function;
    enum stack_kind kind;
    uint64_t exclusive, inclusive;
};

struct hot_paths {
    struct hot_path *list;
    size_t count, capacity;
    struct own_call *calls;
    size_t call_count, call_capacity;
};

struct making {
    const struct run *run;
    struct call_tree tree;
    struct step *steps;
    size_t step_count, step_capacity;
    size_t *step_of; // of each frame
    bool *own;       // of each function: its source is found
    struct hot_paths *made;
    bool failed;
};

static void destroy(void *hot_paths) {
    struct hot_paths *h = hot_paths;
    for (size_t i = 0; i < h->count; i++)
        free(h->list[i].names);
    free(h->list);
    free(h->calls);
    free(h);
}

// ---- steps ----
static bool same_step(const struct making *m, size_t step, const struct call_frame *f) {
    return step != CALL_TREE_NONE && m->steps[step].function == f->function && f->kind <= STACK_CALL;
}

static bool make_steps(struct making *m) {
    struct pair_numbers known = {0};
    const struct call_tree *t = &m->tree;
    m->step_of = malloc((t->frame_count + 1) * sizeof *m->step_of);
    bool good = m->step_of != NULL;
    for (size_t i = 0; good && i < t->frame_count; i++) {
        const struct call_frame *f = &t->frames[i];
        const size_t parent = f->parent == CALL_TREE_NONE ? CALL_TREE_NONE : m->step_of[f->parent];
        size_t step = parent;
        if (!same_step(m, parent, f)) {
            step = pair_number(&known, parent, f->function * STACK_KINDS + f->kind, true);
            good = step != PAIR_NONE && array_reserve(&m->steps, &m->step_capacity, m->step_count, sizeof *m->steps);
            if (good && step == m->step_count)
                m->steps[m->step_count++] = (struct step){parent, f->function, f->kind, 0, 0};
        }
        m->step_of[i] = step;
        if (good) m->steps[step].exclusive += f->exclusive;
    }
    for (size_t i = m->step_count; good && i-- > 0;) {
        m->steps[i].inclusive += m->steps[i].exclusive;
        if (m->steps[i].parent != CALL_TREE_NONE) m->steps[m->steps[i].parent].inclusive += m->steps[i].inclusive;
    }
    pair_numbers_free(&known);
    return good;
}

// ---- paths ----
static bool is_hot(const struct making *m, size_t step) {
    return m->steps[step].inclusive * HOT_PATH_PART >= m->run->total && m->steps[step].inclusive > 0;
}

static void add_name(const struct making *m, size_t step, char *names, size_t size) {
    char name[TEXT];
    report_label_of_hart(m->run, BY_FUNCTION, m->tree.functions[m->steps[step].function].place, name, sizeof name);
    words_append(names, size, "%s%s%s", *names ? " > " : "", name, call_entered(m->steps[step].kind));
}

static void add_path(struct making *m, size_t step, unsigned depth, const char *names) {
    struct hot_paths *h = m->made;
    char *copy = strdup(names);
    if (!copy || !array_reserve(&h->list, &h->capacity, h->count, sizeof *h->list)) {
        free(copy);
        m->failed = true;
        return;
    }
    h->list[h->count++] = (struct hot_path){copy, m->steps[step].inclusive, m->steps[step].exclusive, depth};
}

// Its callees have greater numbers: the one with most time of those after `last` in that order; CALL_TREE_NONE: none
// that is hot.
static size_t next_callee(const struct making *m, size_t step, size_t last) {
    size_t best = CALL_TREE_NONE;
    for (size_t i = step == CALL_TREE_NONE ? 0 : step + 1; i < m->step_count; i++) {
        const struct step *s = &m->steps[i];
        if (s->parent != step || !is_hot(m, i)) continue;
        if (last != CALL_TREE_NONE &&
            (s->inclusive > m->steps[last].inclusive || (s->inclusive == m->steps[last].inclusive && i <= last)))
            continue;
        if (best == CALL_TREE_NONE || s->inclusive > m->steps[best].inclusive) best = i;
    }
    return best;
}

static void add_paths(struct making *m, size_t first, unsigned depth) { // NOLINT(misc-no-recursion): DEEPEST
    char names[4 * TEXT] = "";
    size_t step = first, only;
    add_name(m, step, names, sizeof names);
    while ((only = next_callee(m, step, CALL_TREE_NONE)) != CALL_TREE_NONE) {
        if ((m->steps[step].inclusive - m->steps[only].inclusive) * GOES_ON >= m->steps[step].inclusive) break;
        step = only;
        add_name(m, step, names, sizeof names);
    }
    add_path(m, step, depth, names);
    size_t callee = depth < DEEPEST ? next_callee(m, step, CALL_TREE_NONE) : CALL_TREE_NONE;
    for (; callee != CALL_TREE_NONE && !m->failed; callee = next_callee(m, step, callee))
        add_paths(m, callee, depth + 1);
}

// ---- own callers ----
static bool find_own(struct making *m) {
    const struct call_tree *t = &m->tree;
    struct source_text *text = source_text_create(m->run->header->program);
    m->own = calloc(t->function_count + 1, sizeof *m->own);
    for (size_t i = 0; text && m->own && i < t->function_count; i++) {
        unsigned line;
        const char *file = report_source(m->run, t->functions[i].place, &line);
        m->own[i] = file && strncmp(file, "/usr/", 5) != 0 && source_text_line(text, file, line);
    }
    source_text_destroy(text);
    return text && m->own;
}

static int more_time(const void *x, const void *y) {
    const struct own_call *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    const int order = place_order(a->caller, b->caller);
    return order ? order : place_order(a->callee, b->callee);
}

static bool add_call(struct making *m, struct pair_numbers *known, size_t caller, size_t callee, uint64_t weight) {
    struct hot_paths *h = m->made;
    const size_t number = pair_number(known, caller, callee, true);
    if (number == PAIR_NONE || !array_reserve(&h->calls, &h->call_capacity, number, sizeof *h->calls)) return false;
    const struct call_function *functions = m->tree.functions;
    if (number == h->call_count)
        h->calls[h->call_count++] = (struct own_call){functions[caller].place, functions[callee].place, 0};
    h->calls[number].weight += weight;
    return true;
}

// The time of foreign functions, to the call that left the nearest own function on the way to them.
static bool find_calls(struct making *m) {
    struct pair_numbers known = {0};
    size_t *entry = malloc((m->step_count + 1) * sizeof *entry); // the step below the nearest own one
    bool good = entry != NULL;
    for (size_t i = 0; good && i < m->step_count; i++) {
        const struct step *s = &m->steps[i];
        entry[i] = CALL_TREE_NONE;
        if (m->own[s->function] || s->parent == CALL_TREE_NONE) continue;
        entry[i] = m->own[m->steps[s->parent].function] ? i : entry[s->parent];
        if (entry[i] == CALL_TREE_NONE || !s->exclusive) continue;
        const struct step *first = &m->steps[entry[i]];
        good = add_call(m, &known, m->steps[first->parent].function, first->function, s->exclusive);
    }
    free(entry);
    pair_numbers_free(&known);
    if (good && m->made->call_count) qsort(m->made->calls, m->made->call_count, sizeof *m->made->calls, more_time);
    return good;
}

// ---- the run's ----
static struct hot_paths *make(const struct run *d) {
    struct making m = {.run = d};
    struct error none;
    if (!call_tree_create(&m.tree, d, BY_FUNCTION, 0, &none)) return NULL;
    m.made = calloc(1, sizeof *m.made);
    bool good = m.made && make_steps(&m) && find_own(&m) && find_calls(&m);
    size_t root = good ? next_callee(&m, CALL_TREE_NONE, CALL_TREE_NONE) : CALL_TREE_NONE;
    for (; root != CALL_TREE_NONE && !m.failed; root = next_callee(&m, CALL_TREE_NONE, root))
        add_paths(&m, root, 0);
    call_tree_destroy(&m.tree);
    free(m.steps);
    free(m.step_of);
    free(m.own);
    if (good && !m.failed) return m.made;
    if (m.made) destroy(m.made);
    return NULL;
}

const struct hot_paths *run_hot_paths(const struct run *d) {
    static const char key;
    const struct hot_paths *kept = run_kept(d, &key, 0);
    struct hot_paths *made = kept ? NULL : make(d);
    if (!made) return kept;
    return run_keep(d, &key, 0, made, destroy) ? made : NULL;
}

const struct hot_path *hot_paths_list(const struct hot_paths *h, size_t *count) {
    *count = h->count;
    return h->list;
}

const struct own_call *own_calls_list(const struct hot_paths *h, size_t *count) {
    *count = h->call_count;
    return h->calls;
}
