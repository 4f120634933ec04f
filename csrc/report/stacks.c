// Sums rows to stacks: units in the order of their height, components in the order of their weight.
#include "report/stacks.h"
#include "report/words.h"
#include <stdlib.h>

static int heavier_component(const void *x, const void *y) {
    const struct stack_component *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return a->psv < b->psv ? -1 : a->psv > b->psv;
}

static int higher(const void *x, const void *y) {
    const struct stack *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return place_order(a->place, b->place);
}

// Rows come by place, then state, then vector.
static void add_row(struct stacks *s, size_t *used, const struct profile_row *row, struct place place) {
    struct stack *stack = s->count ? &s->stacks[s->count - 1] : NULL;
    if (!stack || !place_equal(stack->place, place)) {
        stack = &s->stacks[s->count++];
        *stack = (struct stack){.place = place, .components = &s->components[*used]};
    }
    size_t i = 0;
    while (i < stack->count && stack->components[i].psv != row->psv)
        i++;
    if (i == stack->count) {
        stack->count++;
        s->components[(*used)++] = (struct stack_component){.psv = row->psv};
    }
    stack->weight += row->weight;
    stack->components[i].weight += row->weight;
    stack->components[i].states[row->state] += row->weight;
}

// one: as if all were of one place.
static bool create(struct stacks *s, const struct profile_row *rows, size_t count, bool one) {
    size_t used = 0;
    *s = (struct stacks){0, calloc(count + 1, sizeof *s->stacks), calloc(count + 1, sizeof *s->components)};
    if (!s->stacks || !s->components) {
        stacks_destroy(s);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        add_row(s, &used, &rows[i], one ? (struct place){0} : row_place(&rows[i]));
    for (size_t i = 0; i < s->count; i++)
        qsort(s->stacks[i].components, s->stacks[i].count, sizeof *s->components, heavier_component);
    qsort(s->stacks, s->count, sizeof *s->stacks, higher);
    return true;
}

bool stacks_create(struct stacks *s, const struct run *d, enum granularity g) {
    size_t count;
    const struct profile_row *rows = run_rows(d, g, &count);
    *s = (struct stacks){0};
    return (rows || d->total == 0) && create(s, rows, count, false);
}

bool stacks_create_whole(struct stacks *s, const struct run *d) {
    return create(s, d->rows, d->row_count, true);
}

void stacks_destroy(struct stacks *s) {
    free(s->stacks);
    free(s->components);
    *s = (struct stacks){0};
}

void stacks_events(const struct run *d, unsigned psv, char *text, size_t size) {
    snprintf(text, size, "%s", psv ? "" : "Base");
    for (; psv; psv &= psv - 1) {
        unsigned event = (unsigned)__builtin_ctz(psv);
        const char *name = event < d->header->event_count ? d->header->events[event] : "?";
        words_append(text, size, "%s%s", *text ? "+" : "", name);
    }
}
