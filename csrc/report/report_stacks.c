// Cycle stacks for people: a bar an instruction and a function, one letter a combination of events; then how much the
// events leave unexplained.
#include "report/contexts.h"
#include "report/formats.h"
#include "report/stacks.h"
#include "report/style.h"
#include "report/value.h"
#include "report/words.h"
#include "results.h"
#include <stdlib.h>
#include <string.h>

enum { BAR = 40, TEXT = 512, LETTERS = 52, SHOWN_COMPONENTS = 3 };
static const char letters[LETTERS + 1] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// The combinations of the whole profile, heaviest first, Base apart.
struct legend {
    size_t count;
    uint16_t psv[LETTERS]; // of each letter; what has none is '*'
};

static char letter_of(const struct legend *l, unsigned psv) {
    if (!psv) return '.';
    for (size_t i = 0; i < l->count; i++) {
        if (l->psv[i] == psv) return letters[i];
    }
    return '*';
}

static void bar(FILE *out, const struct legend *l, const struct stack *s, uint64_t full) {
    char text[BAR + 1];
    uint64_t sum = 0;
    size_t drawn = 0;
    memset(text, ' ', BAR);
    text[BAR] = '\0';
    for (int base = 0; base < 2; base++) { // Base last
        for (size_t i = 0; i < s->count; i++) {
            if ((s->components[i].psv == 0) != base) continue;
            sum += s->components[i].weight;
            size_t end = full ? (size_t)((double)sum / (double)full * BAR + 0.5) : 0;
            for (; drawn < end && drawn < BAR; drawn++)
                text[drawn] = letter_of(l, s->components[i].psv);
        }
    }
    fputs(text, out);
}

static void print_legend(const struct run *d, const struct report_options *o, const struct stack *all, struct legend *l,
                         FILE *out) {
    char name[TEXT];
    style_heading(out, o, "Time by combination of events");
    for (size_t i = 0; i < all->count; i++) {
        const struct stack_component *c = &all->components[i];
        if (c->psv && l->count < LETTERS) l->psv[l->count++] = c->psv;
        stacks_events(d, c->psv, name, sizeof name);
        fprintf(out, "  %c ", letter_of(l, c->psv));
        style_share(out, o, c->weight, all->weight);
        fprintf(out, "  %-28s", name);
        for (unsigned state = 0; state <= STATE_COUNT; state++) {
            if (c->states[state])
                fprintf(out, " %s %.1f %%", report_state_name(state), percent_of(c->states[state], all->weight));
        }
        fputc('\n', out);
    }
}

// The states of a component, each in percent of the stack's height: " Stalled", or " (Stalled 58, Computing 6)".
static void print_states(const struct stack *s, const struct stack_component *c, FILE *out) {
    unsigned used = 0;
    for (unsigned state = 0; state <= STATE_COUNT; state++)
        used += c->states[state] != 0;
    const char *before = used > 1 ? " (" : " ";
    for (unsigned state = 0; state <= STATE_COUNT; state++) {
        if (!c->states[state]) continue;
        fprintf(out, "%s%s", before, report_state_name(state));
        if (used > 1) fprintf(out, " %.0f", percent_of(c->states[state], s->weight));
        before = ", ";
    }
    if (used > 1) fputc(')', out);
}

static void print_components(const struct run *d, const struct stack *s, FILE *out) {
    char name[TEXT];
    for (size_t i = 0; i < s->count && i < SHOWN_COMPONENTS; i++) {
        stacks_events(d, s->components[i].psv, name, sizeof name);
        fprintf(out, "%s%s %.0f %%", i ? "; " : "", name, percent_of(s->components[i].weight, s->weight));
        print_states(s, &s->components[i], out);
    }
    if (s->count > SHOWN_COMPONENTS) fprintf(out, "; %zu more", s->count - SHOWN_COMPONENTS);
}

static void print_stacks(const struct run *d, const struct report_options *o, enum granularity g,
                         const struct stacks *s, const struct legend *l, FILE *out) {
    static const char *const titles[] = {"instructions", "basic blocks", "functions", "the application"};
    char name[TEXT], instruction[TEXT], n[32];
    size_t rows = o->top && o->top < s->count ? o->top : s->count;
    style_heading(out, o, "Cycle stacks of %s (%zu of %zu)", titles[g], rows, s->count);
    for (size_t i = 0; i < rows; i++) {
        const struct stack *stack = &s->stacks[i];
        style_share(out, o, stack->weight, d->total);
        fprintf(out, " %13s  ", style_cycles(d, stack->weight, n));
        bar(out, l, stack, s->stacks[0].weight);
        report_label_of_hart(d, g, stack->place, name, sizeof name);
        *instruction = '\0';
        if (g == BY_INSTRUCTION) report_instruction(d, stack->place, instruction, sizeof instruction);
        fprintf(out, "  %-24s", name);
        if (g == BY_INSTRUCTION) fprintf(out, " %-28s", instruction);
        fputc(' ', out);
        print_components(d, stack, out);
        fputc('\n', out);
    }
}

// ---- what the events leave unexplained ----
struct kind {
    const char *words;
    uint64_t count, cycles, longest;
};

static int more_cycles(const void *x, const void *y) {
    const struct kind *a = x, *b = y;
    if (a->cycles != b->cycles) return a->cycles > b->cycles ? -1 : 1;
    return strcmp(a->words, b->words);
}

static bool print_kinds(const struct run *d, const struct events_met *e, FILE *out) {
    struct kind *kinds = calloc(e->long_count + 1, sizeof *kinds);
    size_t count = 0;
    char n[32];
    if (!kinds) return false;
    for (size_t i = 0; i < e->long_count; i++) {
        const struct long_stall *stall = &e->longs[i];
        const char *words = stalls_kind(d, stall->place);
        size_t k = 0;
        while (k < count && strcmp(kinds[k].words, words) != 0)
            k++;
        if (k == count) kinds[count++] = (struct kind){.words = words};
        kinds[k].count += stall->count;
        kinds[k].cycles += stall->cycles;
        if (stall->longest > kinds[k].longest) kinds[k].longest = stall->longest;
    }
    qsort(kinds, count, sizeof *kinds, more_cycles);
    if (count) fprintf(out, "  of %d cycles and more:\n        cycles        stalls  longest  waiting\n", LONG_STALL);
    for (size_t k = 0; k < count; k++) {
        fprintf(out, "  %12s", style_number(kinds[k].cycles, n));
        fprintf(out, "  %12s", style_number(kinds[k].count, n));
        fprintf(out, "  %7llu  %s\n", (unsigned long long)kinds[k].longest, kinds[k].words);
    }
    free(kinds);
    return true;
}

static bool print_met(const struct run *d, const struct report_options *o, const struct events_met *e, FILE *out) {
    char n[32];
    style_heading(out, o, "What the events explain");
    if (!e->known) {
        fputs("  not known: the run did not end, or ran with --no-oracle\n", out);
        return true;
    }
    fprintf(out, "  %s instructions left the ROB, %.2f %% with an event", style_number(e->executions, n),
            percent_of(e->any, e->executions));
    fprintf(out, "; of these %.1f %% with several (published: %.1f %%)\n", percent_of(e->combined, e->any),
            PUBLISHED_COMBINED);
    fprintf(out, "  %s stalls without an event", style_number(e->stalls, n));
    fprintf(out, ", %s cycles: half of them", style_number(e->stall_cycles, n));
    fprintf(out, " up to %llu cycles, 90 %% up to %llu, 99 %% up to %llu, the longest %llu\n",
            (unsigned long long)events_met_quantile(e, 0.5), (unsigned long long)events_met_quantile(e, 0.9),
            (unsigned long long)events_met_quantile(e, 0.99), (unsigned long long)events_met_longest(e));
    fprintf(out, "  %.2f %% are shorter than %.1f cycles (published: 99 %%)\n",
            percent_of(e->stalls - events_met_from(e, LONG_STALL), e->stalls), PUBLISHED_BASE_STALL);
    return print_kinds(d, e, out);
}

int report_stacks_text(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    static const enum granularity both[] = {BY_FUNCTION, BY_INSTRUCTION};
    struct legend legend = {0};
    const struct events_met met = events_met_of(d);
    struct stacks s;
    bool good = true;
    if (d->total) {
        good = stacks_create_whole(&s, d);
        if (good) print_legend(d, o, &s.stacks[0], &legend, out);
        stacks_destroy(&s);
    }
    for (size_t i = o->one_table ? 1 : 0; good && d->total && i < 2; i++) {
        const enum granularity g = o->one_table ? o->granularity : both[i];
        good = stacks_create(&s, d, g);
        if (good) print_stacks(d, o, g, &s, &legend, out);
        stacks_destroy(&s);
    }
    good = good && print_met(d, o, &met, out);
    return good ? 0 : report_out_of_memory(d->path, err);
}
