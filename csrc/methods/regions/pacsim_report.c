// Text, CSV and JSON of a run that was sampled while it went on.
#include "methods/regions/pacsim_report.h"
#include "base/plain_json.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char *const rule_names[] = {PACSIM_RULE_NAMES};

static double percent(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

static double error_of(const struct pacsim_report *r, const struct pacsim_totals *t) { // signed; per cent
    return 100 * (t->cycles / r->reference - 1);
}

// ---- text ----
static const char *s(size_t count) {
    return count == 1 ? "" : "s";
}

static void put_predictor(const struct pacsim_report *r, const struct pacsim_totals *t, FILE *out) {
    fprintf(out, "  predictor: %zu of %zu predictions right, %.1f %%; %zu region%s without one\n", t->right,
            t->predicted, percent((double)t->right, (double)t->predicted), r->pacsim->count - t->predicted,
            s(r->pacsim->count - t->predicted));
    if (r->live->exceptions)
        fprintf(out, "  %zu region%s ended without a marker, after twice the length\n", r->live->exceptions,
                s(r->live->exceptions));
}

// By instructions, which is the same at every run; then by this run's clock.
static void put_speed(const struct pacsim_report *r, const struct pacsim_totals *t, FILE *out) {
    static const char *const names[] = {PACSIM_PHASE_NAMES};
    const double *seconds = r->live->seconds, fast = (double)(t->instructions - t->in_detail);
    double sum = 0;
    for (unsigned i = 0; i < PACSIM_PHASES; i++)
        sum += seconds[i];
    fprintf(out, "  speed-up: %.2f, were all but detail free (instructions of the run by those in detail)\n",
            (double)t->instructions / (double)t->in_detail);
    fputs("  time:", out);
    for (unsigned i = 0; i < PACSIM_PHASES; i++)
        fprintf(out, "%s %s %.2f s (%.1f %%)", i ? "," : "", names[i], seconds[i], percent(seconds[i], sum));
    fputc('\n', out);
    if (seconds[PACSIM_FAST] <= 0 || seconds[PACSIM_DETAIL] <= 0 || fast <= 0) return;
    const double detail_speed = (double)t->in_detail / seconds[PACSIM_DETAIL], speed = fast / seconds[PACSIM_FAST];
    fprintf(out,
            "        %.1f million instructions a second in detail, %.1f in fast-forward: at most %.2f times as fast as "
            "detail alone; reached: %.2f\n",
            detail_speed / 1e6, speed / 1e6, speed / detail_speed, (double)t->instructions / detail_speed / sum);
}

static void write_text(const struct pacsim_report *r, FILE *out) {
    const struct pacsim *p = r->pacsim;
    const struct pacsim_totals t = pacsim_sums(p);
    fprintf(out, "%s by %s: %s, configuration %s, %zu hart%s, warm-up %s\n", r->program, r->method, r->on, r->config,
            p->harts, s(p->harts), r->warmup);
    fprintf(out, "  %.0f cycles, projected", t.cycles);
    if (r->reference > 0) fprintf(out, "; %.0f of the whole run in detail: %+.2f %%", r->reference, error_of(r, &t));
    fprintf(out, "\n  %zu region%s, %zu in detail: %" PRIu64 " of %" PRIu64 " instructions, %.1f %%", p->count,
            s(p->count), t.detailed, t.in_detail, t.instructions, percent((double)t.in_detail, (double)t.instructions));
    if (p->settings.method == PACSIM_LIVE) {
        fprintf(out, "; %zu cluster%s\n", p->clusters.count, s(p->clusters.count));
        put_predictor(r, &t, out);
    } else {
        fputc('\n', out);
    }
    fputs("  cycles:", out);
    for (unsigned i = 0, first = 1; i < PACSIM_RULES; i++) {
        if (t.by_rule[i]) fprintf(out, "%s %s %zu", first ? "" : ",", rule_names[i], t.by_rule[i]);
        first = first && !t.by_rule[i];
    }
    fputc('\n', out);
    put_speed(r, &t, out);
}

// ---- CSV ----
static void put_number(size_t number, FILE *out) {
    if (number != PACSIM_NONE) fprintf(out, "%zu", number);
    fputc(',', out);
}

static void write_csv(const struct pacsim_report *r, FILE *out) {
    fprintf(out,
            "region,begin,steps,instructions,most,active,marker,detailed,predicted,matched,cluster,rule,donor,"
            "cycles%s\n",
            r->full ? ",full" : "");
    for (size_t i = 0; i < r->pacsim->count; i++) {
        const struct pacsim_region *g = &r->pacsim->regions[i];
        fprintf(out, "%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,0x%" PRIx64 ",%d,", i, g->begin, g->steps,
                g->instructions, g->most, g->active, g->marker, g->detailed);
        put_number(g->predicted, out);
        fprintf(out, "%u,", g->matched);
        put_number(g->cluster, out);
        fprintf(out, "%s,", rule_names[g->rule]);
        put_number(g->donor, out);
        fprintf(out, "%.3f", g->cycles);
        if (r->full) fprintf(out, ",%.3f", r->full[i]);
        fputc('\n', out);
    }
}

// ---- JSON ----
static void add_number(cJSON *object, const char *name, size_t number) {
    if (number == PACSIM_NONE)
        cJSON_AddNullToObject(object, name);
    else
        cJSON_AddNumberToObject(object, name, (double)number);
}

static void add_regions(const struct pacsim_report *r, cJSON *root) {
    cJSON *const list = cJSON_AddArrayToObject(root, "list");
    for (size_t i = 0; i < r->pacsim->count; i++) {
        const struct pacsim_region *g = &r->pacsim->regions[i];
        char marker[24];
        cJSON *const one = cJSON_CreateObject();
        if (!one || !cJSON_AddItemToArray(list, one)) continue;
        snprintf(marker, sizeof marker, "0x%" PRIx64, g->marker);
        cJSON_AddNumberToObject(one, "begin", (double)g->begin);
        cJSON_AddNumberToObject(one, "steps", (double)g->steps);
        cJSON_AddNumberToObject(one, "instructions", (double)g->instructions);
        cJSON_AddNumberToObject(one, "most", (double)g->most);
        cJSON_AddNumberToObject(one, "active", g->active);
        cJSON_AddStringToObject(one, "marker", marker);
        cJSON_AddBoolToObject(one, "detailed", g->detailed);
        add_number(one, "predicted", g->predicted);
        cJSON_AddNumberToObject(one, "matched", g->matched);
        add_number(one, "cluster", g->cluster);
        cJSON_AddStringToObject(one, "rule", rule_names[g->rule]);
        add_number(one, "donor", g->donor);
        cJSON_AddNumberToObject(one, "cycles", g->cycles);
        if (r->full) cJSON_AddNumberToObject(one, "full", r->full[i]);
    }
}

static void add_totals(const struct pacsim_report *r, cJSON *root) {
    const struct pacsim_totals t = pacsim_sums(r->pacsim);
    cJSON_AddNumberToObject(root, "cycles", t.cycles);
    if (r->reference > 0) {
        cJSON_AddNumberToObject(root, "reference", r->reference);
        cJSON_AddNumberToObject(root, "error", error_of(r, &t) / 100);
    }
    cJSON_AddNumberToObject(root, "instructions", (double)t.instructions);
    cJSON_AddNumberToObject(root, "in_detail", (double)t.in_detail);
    cJSON_AddNumberToObject(root, "regions", (double)r->pacsim->count);
    cJSON_AddNumberToObject(root, "detailed", (double)t.detailed);
    cJSON_AddNumberToObject(root, "clusters", (double)r->pacsim->clusters.count);
    cJSON_AddNumberToObject(root, "predicted", (double)t.predicted);
    cJSON_AddNumberToObject(root, "right", (double)t.right);
    cJSON_AddNumberToObject(root, "exceptions", (double)r->live->exceptions);
}

static bool write_json(const struct pacsim_report *r, FILE *out) {
    cJSON *const root = cJSON_CreateObject();
    if (!root) return false;
    cJSON_AddStringToObject(root, "program", r->program);
    cJSON_AddStringToObject(root, "method", r->method);
    cJSON_AddStringToObject(root, "on", r->on);
    cJSON_AddStringToObject(root, "config", r->config);
    cJSON_AddStringToObject(root, "warmup", r->warmup);
    cJSON_AddNumberToObject(root, "harts", (double)r->pacsim->harts);
    cJSON_AddNumberToObject(root, "min", (double)r->live->least);
    cJSON_AddNumberToObject(root, "max", (double)r->live->most);
    cJSON_AddNumberToObject(root, "theta", r->pacsim->settings.threshold);
    cJSON_AddNumberToObject(root, "depth", r->pacsim->settings.depth);
    add_totals(r, root);
    add_regions(r, root);
    plain_json(root);
    char *const text = cJSON_Print(root);
    if (text) fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
    return text != NULL;
}

bool pacsim_report_write(const struct pacsim_report *r, enum pacsim_format format, FILE *out, struct error *err) {
    switch (format) {
    case PACSIM_TEXT: write_text(r, out); return true;
    case PACSIM_CSV: write_csv(r, out); return true;
    default:
        if (write_json(r, out)) return true;
        error_nomem(err, "report");
        return false;
    }
}
