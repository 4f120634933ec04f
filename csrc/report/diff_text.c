// Two runs for people: the runs, their time by state and event, and the units whose time changed by more than chance.
#include "base/plain_text.h"
#include "report/beats.h"
#include "report/diff.h"
#include "report/sampling_error.h"
#include "report/style.h"
#include "report/words.h"
#include <math.h>
#include <string.h>

enum { TEXT = 512 };

// "+12,345", "-0.42 %".
static const char *amount(const struct report_options *o, double value, bool sign, char text[32]) {
    char digits[32];
    const char *before = value < 0 ? "-" : sign ? "+" : "";
    if (o->shares) {
        snprintf(text, 32, "%s%.2f %%", before, 100 * fabs(value));
    } else {
        snprintf(text, 32, "%s%s", before, style_number((uint64_t)llround(fabs(value)), digits));
    }
    return text;
}

static void print_amount(const struct report_options *o, double value, bool sign, int width, FILE *out) {
    char text[32];
    fprintf(out, "%*s", width, amount(o, value, sign, text));
}

static void print_run(const struct run *d, char letter, FILE *out) {
    const struct samples_header *h = d->header;
    char n[32];
    const char *slash = strrchr(h->program, '/');
    fprintf(out, "  %c  %s: %s on %s%s%s\n", letter, d->path, slash ? slash + 1 : h->program, h->config,
            h->settings[0] ? " with " : "", h->settings);
    fprintf(out, "     %s cycles (%.3f ms at %.2f GHz)", style_number(d->cycles, n),
            (double)d->cycles / (1e3 * h->clock_mhz), h->clock_mhz / 1e3);
    if (d->instructions) {
        fprintf(out, ", %s instructions", style_number(d->instructions, n));
        fprintf(out, ", IPC %.3f", d->cycles ? (double)d->instructions / (double)d->cycles : 0);
    }
    if (d->by_samples) {
        char words[128];
        sampling_triggers_words(h, words, sizeof words);
        fprintf(out, "; %s samples, %s", style_number(d->sample_count, n), words);
    } else {
        fprintf(out, "; by the profile of %s", d->profiler);
    }
    fputc('\n', out);
}

static void print_total(const struct diff *d, FILE *out) {
    char n[32];
    const uint64_t a = d->side[0].cycles, b = d->side[1].cycles;
    if (a == 0) return;
    fprintf(out, "  B takes %.3f times A's cycles: %s%s", (double)b / (double)a, b < a ? "-" : "+",
            style_number(b < a ? a - b : b - a, n));
    const double ma = d->side[0].header->clock_mhz, mb = d->side[1].header->clock_mhz;
    if (ma != mb && ma > 0 && mb > 0) fprintf(out, "; %.3f times its time", (double)b / mb / ((double)a / ma));
    fputc('\n', out);
}

static void print_change(const struct diff *d, const struct report_options *o, const struct diff_row *row, unsigned c,
                         FILE *out) {
    double deviation, change = diff_change(row, c, &deviation);
    print_amount(o, row->of[0][c].value, false, 14, out);
    print_amount(o, row->of[1][c].value, false, 14, out);
    print_amount(o, change, true, 14, out);
    if (d->estimated) {
        fputs(o->utf8 ? "  ±" : "  +-", out);
        print_amount(o, SPREAD_HALF_WIDTH * deviation, false, 11, out);
    }
}

static void print_header(const struct diff *d, const struct report_options *o, const char *what, FILE *out) {
    fprintf(out, "  %12s%14s%14s", "A", "B", "change");
    if (d->estimated) fprintf(out, "%14s", o->utf8 ? "± 95 %" : "+- 95 %");
    fprintf(out, "  %s\n", what);
}

static void print_components(const struct diff *d, const struct report_options *o, FILE *out) {
    style_heading(out, o, "By state and event, %s", o->shares ? "in shares of each run" : "in cycles");
    print_header(d, o, "", out);
    for (unsigned c = SPREAD_STATES; c < SPREAD_COMPONENTS; c++) {
        if (!diff_component_known(d, c)) continue;
        if (c >= SPREAD_EVENTS && d->all.of[0][c].value == 0 && d->all.of[1][c].value == 0) continue;
        print_change(d, o, &d->all, c, out);
        fprintf(out, "  %s\n", diff_component_name(d, c));
    }
    if (!d->vectors) fputs("  one of the cores has no vectors: no events\n", out);
}

// The part of the change that one component of a row makes: 0 where it may be chance.
static double part(const struct diff *d, const struct diff_row *row, unsigned c) {
    double deviation, change = diff_change(row, c, &deviation);
    return diff_component_known(d, c) && fabs(change) > SPREAD_HALF_WIDTH * deviation ? change : 0;
}

// "Stalled +8,200, ST_L1 +7,900": the state, and up to two events, that changed most in the unit's own direction.
static void print_why(const struct diff *d, const struct report_options *o, const struct diff_row *row, FILE *out) {
    double deviation, whole = diff_change(row, SPREAD_TIME, &deviation);
    const double sign = whole < 0 ? -1 : 1;
    bool taken[SPREAD_COMPONENTS] = {false};
    const char *before = "  ";
    for (unsigned k = 0; k < 3; k++) {
        const unsigned from = k == 0 ? SPREAD_STATES : SPREAD_EVENTS, to = k == 0 ? SPREAD_EVENTS : SPREAD_COMPONENTS;
        unsigned most = 0;
        for (unsigned c = from; c < to; c++) {
            const double least = most ? sign * part(d, row, most) : fabs(whole) / 10;
            if (!taken[c] && sign * part(d, row, c) > least) most = c;
        }
        if (!most) continue;
        char text[32];
        taken[most] = true;
        fprintf(out, "%s%s %s", before, diff_component_name(d, most), amount(o, part(d, row, most), true, text));
        before = ", ";
    }
}

// What the rows that are not listed add up to.
static void print_rest(const struct diff *d, const struct report_options *o, size_t shown, FILE *out) {
    double change = 0, variance = 0, greatest = 0;
    char n[32];
    if (shown == d->count) return;
    for (size_t i = shown; i < d->count; i++) {
        double deviation;
        change += diff_change(&d->rows[i], SPREAD_TIME, &deviation);
        variance += deviation * deviation;
        if (deviation > greatest) greatest = deviation;
    }
    fprintf(out, "  %s %s%s", style_number(d->count - shown, n), shown ? "other " : "",
            d->count - shown == 1 ? diff_word(o) : "");
    if (d->count - shown != 1) fprintf(out, "%ss", diff_word(o));
    fprintf(out, "%s: together %s",
            shown < d->marked ? ""
            : d->estimated    ? " changed, each by no more than chance"
                              : " did not change",
            amount(o, change, true, n));
    if (d->estimated)
        fprintf(out, o->utf8 ? " ± %s" : " +- %s", amount(o, SPREAD_HALF_WIDTH * sqrt(variance), false, n));
    fputc('\n', out);
    if (d->estimated && shown == 0)
        fprintf(out, "  a change of less than %s in one of them need not show: four times the samples halve that\n",
                amount(o, SPREAD_HALF_WIDTH * greatest, false, n));
}

static void print_units(const struct diff *d, const struct report_options *o, FILE *out) {
    const char *word = diff_word(o);
    const bool functions = !o->by && o->granularity == BY_FUNCTION;
    // All of them where all are asked for; else those that can be judged.
    const size_t most = o->top ? o->top : d->count, known = o->top ? d->marked : d->count;
    const size_t shown = known < most ? known : most;
    style_heading(out, o, "%c%ss by change%s (%zu of %zu)", word[0] - 'a' + 'A', word + 1,
                  d->estimated ? " beyond chance" : "", shown, d->count);
    if (shown) print_header(d, o, word, out);
    for (size_t i = 0; i < shown; i++) {
        const struct diff_row *row = &d->rows[i];
        style_dim(out, o, !row->beyond_chance);
        print_change(d, o, row, SPREAD_TIME, out);
        const size_t unit = strlen(row->unit), name = strlen(row->name);
        char shown_unit[REPORT_SHOWN], shown_name[REPORT_SHOWN];
        plain_fit(shown_unit, sizeof shown_unit, row->unit, "");
        plain_fit(shown_name, sizeof shown_name, row->name, "");
        if (!functions && (name > unit || strcmp(row->unit + unit - name, row->name) != 0)) {
            fprintf(out, "  %s  %s", shown_unit, shown_name);
        } else { // sort.c:56 says it all of src/sort.c:56, and step (a.c) of a.c:step
            fprintf(out, "  %-24s", shown_name);
        }
        if (row->beyond_chance) {
            print_why(d, o, row, out);
        } else if (isnan(row->chance)) {
            fputs("  (too few samples to judge)", out);
        } else if (d->estimated) {
            fputs("  (may be chance)", out);
        }
        style_dim(out, o, false);
        fputc('\n', out);
    }
    print_rest(d, o, shown, out);
}

static void print_words(const struct diff *d, FILE *out) {
    fputs("\n  95 %: of the sampling: in 19 of 20 cases the true change lies within.\n"
          "  Beyond chance: of the rows listed, one in twenty at most is expected to be chance.\n",
          out);
    if (beats_possible(d->side[0].header) || beats_possible(d->side[1].header))
        fputs("  Both only where triggers keep step with no loop: `tipoff report` of each file shows that; random "
              "distances "
              "(the default of --jitter) do not.\n",
              out);
    if (samples_find_profile(d->side[0].samples, "Oracle") && samples_find_profile(d->side[1].samples, "Oracle"))
        fputs("  Both files hold the Oracle's profile: --profiler Oracle compares every cycle.\n", out);
}

int diff_text(const struct diff *d, const struct report_options *o, FILE *out, struct error *err) {
    (void)err;
    style_heading(out, o, "From A to B");
    print_run(&d->side[0], 'A', out);
    print_run(&d->side[1], 'B', out);
    print_total(d, out);
    print_components(d, o, out);
    print_units(d, o, out);
    if (d->estimated) print_words(d, out);
    return 0;
}
