// Two runs side by side: a row is a component of a unit, with its time in A, in B, and the difference. For people the
// runs, their time by state and event, and the units whose time changed by more than chance; for programs CSV and JSON
// with every unit and component (docs/guide/profiling.md, "Two runs").
#include "base/paths.h"
#include "base/plain_text.h"
#include "report/beats.h"
#include "report/columns.h"
#include "report/diff.h"
#include "report/formats.h"
#include "report/json.h"
#include "report/sampling_error.h"
#include "report/style.h"
#include "report/words.h"
#include <math.h>
#include <string.h>

struct change {
    const struct diff *diff;
    const struct report_options *options;
    const struct diff_row *row;
    unsigned component;
};

static bool shows(const struct change *r) {
    return diff_component_known(r->diff, r->component) &&
           (r->row->of[0][r->component].value != 0 || r->row->of[1][r->component].value != 0);
}

static struct value amount(const struct report_options *o, double value, bool sign) {
    return (struct value){.kind = o->shares ? VALUE_POINTS : VALUE_CYCLES, .with = sign, .real = value};
}

static const char *words(const struct report_options *o, double value, bool sign, char text[VALUE_LONGEST]) {
    const struct value v = amount(o, value, sign);
    return value_shown(&v, text);
}

// The part of the change that one component of a row makes: 0 where it may be chance.
static double part(const struct change *r, unsigned c) {
    double deviation, change = diff_change(r->row, c, &deviation);
    return diff_component_known(r->diff, c) && fabs(change) > SPREAD_HALF_WIDTH * deviation ? change : 0;
}

// "  Stalled +8,200, ST_L1 +7,900": the state, and up to two events, that changed most in the unit's own direction.
static void why(const struct change *r, char *text, size_t size) {
    double deviation, whole = diff_change(r->row, SPREAD_TIME, &deviation);
    const double sign = whole < 0 ? -1 : 1;
    bool taken[SPREAD_COMPONENTS] = {false};
    for (size_t k = 0; k < 3; k++) {
        const unsigned from = k == 0 ? SPREAD_STATES : SPREAD_EVENTS, to = k == 0 ? SPREAD_EVENTS : SPREAD_COMPONENTS;
        unsigned most = 0;
        for (unsigned c = from; c < to; c++) {
            const double least = most ? sign * part(r, most) : fabs(whole) / 10;
            if (!taken[c] && sign * part(r, c) > least) most = c;
        }
        if (!most) continue;
        char n[VALUE_LONGEST];
        taken[most] = true;
        words_append(text, size, "%s%s %s", *text ? ", " : "  ", diff_component_name(r->diff, most),
                     words(r->options, part(r, most), true, n));
    }
}

static struct value note(const struct change *r, char *room, size_t size) {
    *room = '\0';
    if (r->row->beyond_chance) {
        why(r, room, size);
    } else if (isnan(r->row->chance) || r->diff->estimated) {
        snprintf(room, size, "  (%s)", isnan(r->row->chance) ? "too few samples to judge" : "may be chance");
    }
    return value_text(room);
}

static struct value change_value(const void *row, const char *column, char *room, size_t size) {
    const struct change *r = row;
    const struct diff_value *side = &r->row->of[*column == 'b'][r->component];
    const bool judged = r->component == SPREAD_TIME && !isnan(r->row->chance);
    double deviation, change = diff_change(r->row, r->component, &deviation);
    if (column_is(column, "unit") || column_is(column, "name")) {
        plain_fit(room, size, *column == 'u' ? r->row->unit : r->row->name, "");
        return value_text(room);
    }
    if (column_is(column, "within")) {
        char n[VALUE_LONGEST];
        snprintf(room, size, "  %s%11s", r->options->utf8 ? "±" : "+-",
                 words(r->options, SPREAD_HALF_WIDTH * deviation, false, n));
        return value_text(r->diff->estimated ? room : "");
    }
    if (column_is(column, "component")) return value_text(diff_component_name(r->diff, r->component));
    if (column_is(column, "change")) return amount(r->options, change, true);
    if (column_is(column, "note")) return note(r, room, size);
    if (column_is(column, "deviation")) return value_number(deviation);
    if (column_is(column, "chance")) return value_number(judged ? r->row->chance : NAN);
    if (column_is(column, "beyond_chance")) return judged ? value_truth(r->row->beyond_chance) : value_none();
    if (strstr(column, "deviation")) return value_number(side->deviation); // "a_deviation", "b.deviation"
    return strstr(column, "samples") ? value_count(side->samples) : amount(r->options, side->value, false);
}

// ---- files ----
static const struct columns csv = {.csv = "unit,name,component,a,a_deviation,a_samples,b,b_deviation,b_samples,change,"
                                          "deviation,chance,beyond_chance",
                                   .get = change_value};

static void csv_row(struct change r, FILE *out) {
    for (; r.component < SPREAD_COMPONENTS; r.component++)
        if (shows(&r)) columns_csv(&csv, &r, out);
}

static void write_csv(const struct diff *d, const struct report_options *o, FILE *out) {
    columns_csv_heading(&csv, out);
    csv_row((struct change){d, o, &d->all, 0}, out);
    for (size_t i = 0; i < d->count; i++)
        csv_row((struct change){d, o, &d->rows[i], 0}, out);
}

static cJSON *row_object(struct change r) {
    static const struct columns unit = {.json = "unit,name,?chance,?beyond_chance", .get = change_value},
                                component = {
                                    .json =
                                        "a.value,a.deviation,a.samples,b.value,b.deviation,b.samples,change,deviation",
                                    .get = change_value};
    cJSON *object = columns_json(&unit, &r), *components = cJSON_AddObjectToObject(object, "components");
    for (; r.component < SPREAD_COMPONENTS; r.component++)
        if (shows(&r))
            cJSON_AddItemToObject(components, diff_component_name(r.diff, r.component), columns_json(&component, &r));
    return object;
}

cJSON *diff_json(const struct diff *d, const struct report_options *o) {
    cJSON *root = cJSON_CreateObject();
    for (unsigned side = 0; side < 2; side++) {
        cJSON *run = cJSON_AddObjectToObject(root, side ? "b" : "a");
        json_add_run(run, &d->side[side]);
        cJSON_AddStringToObject(run, "profiler", d->side[side].profiler);
    }
    cJSON_AddStringToObject(root, "by", diff_word(o));
    cJSON_AddStringToObject(root, "values", o->shares ? "share" : "cycles");
    cJSON_AddNumberToObject(root, "level", DIFF_LEVEL);
    cJSON_AddItemToObject(root, "all", row_object((struct change){d, o, &d->all, 0}));
    cJSON *array = cJSON_AddArrayToObject(root, "units");
    for (size_t i = 0; i < d->count; i++)
        cJSON_AddItemToArray(array, row_object((struct change){d, o, &d->rows[i], 0}));
    return root;
}

// ---- text ----
static void print_run(const struct run *d, char letter, FILE *out) {
    const struct samples_header *h = d->header;
    char n[32], triggers[128], shown[1024];
    fprintf(out, "  %c  %s: %s on %s%s%s\n   ", letter, d->path, paths_name(h->program), h->config,
            h->settings[0] ? " with " : "", h->settings);
    style_totals(out, d);
    if (d->by_samples) {
        sampling_triggers_words(h, triggers, sizeof triggers);
        fprintf(out, "; %s samples, %s\n", style_number(d->sample_count, n), triggers);
    } else {
        fprintf(out, "; by the profile of %s\n", d->profiler);
    }
    if (d->shown) {
        filter_share_words(d, shown, sizeof shown);
        fprintf(out, "     %s\n", shown);
    }
}

static void print_total(const struct diff *d, FILE *out) {
    char n[32];
    const uint64_t a = d->side[0].cycles, b = d->side[1].cycles;
    const bool alike = strcmp(style_unit(&d->side[0]), style_unit(&d->side[1])) == 0;
    if (a == 0) return;
    if (!alike) {
        fprintf(out, "  A is in %s, B in %s: shares of each run's time are compared\n", style_unit(&d->side[0]),
                style_unit(&d->side[1]));
        return;
    }
    fprintf(out, "  B takes %.3f times A's cycles: %s%s", (double)b / (double)a, b < a ? "-" : "+",
            style_number(b < a ? a - b : b - a, n));
    const double ma = d->side[0].header->clock_mhz, mb = d->side[1].header->clock_mhz;
    const bool sampled = style_sampled(&d->side[0]) || style_sampled(&d->side[1]); // at a clock that is not known
    if (d->by_hart && !sampled && ma != mb && ma > 0 && mb > 0)
        fprintf(out, "; %.3f times its time", (double)b / mb / ((double)a / ma));
    fputc('\n', out);
    if (!d->by_hart)
        fputs("  Of all harts of each run together, whose numbers differ: --hart N compares one of each\n", out);
}

static void print_header(const struct diff *d, const struct report_options *o, const char *what, FILE *out) {
    fprintf(out, "  %12s%14s%14s", "A", "B", "change");
    if (d->estimated) fprintf(out, "%14s", o->utf8 ? "± 95 %" : "+- 95 %");
    fprintf(out, "  %s\n", what);
}

#define CHANGE "{a:14}{b:14}{change:14}{within}  "

static void print_components(const struct diff *d, const struct report_options *o, FILE *out) {
    static const struct columns columns = {CHANGE "{component}\n", .get = change_value};
    style_heading(out, o, "By state and event, in %s", o->shares ? "shares of each run" : style_unit(&d->side[0]));
    print_header(d, o, "", out);
    for (struct change r = {d, o, &d->all, SPREAD_STATES}; r.component < SPREAD_COMPONENTS; r.component++)
        if ((r.component < SPREAD_EVENTS && d->states) || shows(&r)) columns_text(&columns, o, &r, out);
    if (!d->states) fputs("  not shown by the samples of `perf record`: Computing, Stalled, Flushed, Drained\n", out);
    if (!d->vectors) fputs("  one of the cores has no vectors: no events\n", out);
}

// What the rows that are not listed add up to.
static void print_rest(const struct diff *d, const struct report_options *o, size_t shown, FILE *out) {
    double change = 0, variance = 0, greatest = 0;
    char n[VALUE_LONGEST];
    if (shown == d->count) return;
    for (size_t i = shown; i < d->count; i++) {
        double deviation;
        change += diff_change(&d->rows[i], SPREAD_TIME, &deviation);
        variance += deviation * deviation;
        if (deviation > greatest) greatest = deviation;
    }
    fprintf(out, "  %s %s%s%s", style_number(d->count - shown, n), shown ? "other " : "", diff_word(o),
            d->count - shown == 1 ? "" : "s");
    if (shown >= d->marked) fputs(d->estimated ? " changed, each by no more than chance" : " did not change", out);
    fprintf(out, ": together %s", words(o, change, true, n));
    if (d->estimated)
        fprintf(out, " %s %s", o->utf8 ? "±" : "+-", words(o, SPREAD_HALF_WIDTH * sqrt(variance), false, n));
    fputc('\n', out);
    if (d->estimated && shown == 0)
        fprintf(out, "  a change of less than %s in one of them need not show: four times the samples halve that\n",
                words(o, SPREAD_HALF_WIDTH * greatest, false, n));
}

// sort.c:56 says it all of src/sort.c:56, and step (a.c) of a.c:step.
static bool name_says_all(const struct diff_row *row) {
    const size_t unit = strlen(row->unit), name = strlen(row->name);
    return name <= unit && strcmp(row->unit + unit - name, row->name) == 0;
}

static void print_units(const struct diff *d, const struct report_options *o, FILE *out) {
    const char *word = diff_word(o);
    const bool functions = !o->by && o->granularity == BY_FUNCTION;
    static const struct columns by_name = {CHANGE "{name:-24}{note}", .get = change_value},
                                by_unit = {CHANGE "{unit}  {name}{note}", .get = change_value};
    // All of them where all are asked for; else those that can be judged.
    const size_t most = o->top ? o->top : d->count, known = o->top ? d->marked : d->count;
    const size_t shown = known < most ? known : most;
    style_heading(out, o, "%c%ss by change%s (%zu of %zu)", word[0] - 'a' + 'A', word + 1,
                  d->estimated ? " beyond chance" : "", shown, d->count);
    if (shown) print_header(d, o, word, out);
    for (size_t i = 0; i < shown; i++) {
        const struct change r = {d, o, &d->rows[i], SPREAD_TIME};
        style_dim(out, o, !r.row->beyond_chance);
        columns_text(functions || name_says_all(r.row) ? &by_name : &by_unit, o, &r, out);
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

int diff_write(const struct diff *d, const struct report_options *o, FILE *out, struct error *err) {
    if (o->format == &format_json) return json_print(diff_json(d, o), d->side[0].path, out, err);
    if (o->format == &format_csv) {
        write_csv(d, o, out);
        return 0;
    }
    style_heading(out, o, "From A to B");
    print_run(&d->side[0], 'A', out);
    print_run(&d->side[1], 'B', out);
    print_total(d, out);
    print_components(d, o, out);
    print_units(d, o, out);
    if (d->estimated) print_words(d, out);
    return 0;
}
