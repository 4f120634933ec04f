// Two runs for programs: CSV and JSON with every unit and component (docs/guide/profiling.md, "Two runs").
#include "report/csv.h"
#include "report/diff.h"
#include "report/json.h"
#include <math.h>

static void print_number(double value, FILE *out) {
    if (!isnan(value)) fprintf(out, "%.17g", value);
    fputc(',', out);
}

static bool shows(const struct diff_row *row, unsigned c) {
    return row->of[0][c].value != 0 || row->of[1][c].value != 0;
}

static void csv_row(const struct diff *d, const struct diff_row *row, FILE *out) {
    for (unsigned c = 0; c < SPREAD_COMPONENTS; c++) {
        double deviation, change = diff_change(row, c, &deviation);
        if (!diff_component_known(d, c) || !shows(row, c)) continue;
        csv_text(out, row->unit);
        fputc(',', out);
        csv_text(out, row->name);
        fprintf(out, ",%s,", diff_component_name(d, c));
        for (unsigned side = 0; side < 2; side++) {
            print_number(row->of[side][c].value, out);
            print_number(row->of[side][c].deviation, out);
            fprintf(out, "%llu,", (unsigned long long)row->of[side][c].samples);
        }
        print_number(change, out);
        print_number(deviation, out);
        print_number(c == SPREAD_TIME ? row->chance : NAN, out);
        fprintf(out, "%s\n", c != SPREAD_TIME || isnan(row->chance) ? "" : row->beyond_chance ? "1" : "0");
    }
}

int diff_csv(const struct diff *d, const struct report_options *o, FILE *out, struct error *err) {
    (void)o;
    (void)err;
    fputs("unit,name,component,a,a_deviation,a_samples,b,b_deviation,b_samples,change,deviation,chance,beyond_chance\n",
          out);
    csv_row(d, &d->all, out);
    for (size_t i = 0; i < d->count; i++)
        csv_row(d, &d->rows[i], out);
    return 0;
}

static cJSON *value_object(const struct diff_value *v) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "value", v->value);
    cJSON_AddNumberToObject(object, "deviation", v->deviation);
    json_add_u64(object, "samples", v->samples);
    return object;
}

static cJSON *row_object(const struct diff *d, const struct diff_row *row) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "unit", row->unit);
    cJSON_AddStringToObject(object, "name", row->name);
    if (!isnan(row->chance)) {
        cJSON_AddNumberToObject(object, "chance", row->chance);
        cJSON_AddBoolToObject(object, "beyond_chance", row->beyond_chance);
    }
    cJSON *components = cJSON_AddObjectToObject(object, "components");
    for (unsigned c = 0; c < SPREAD_COMPONENTS; c++) {
        double deviation, change = diff_change(row, c, &deviation);
        if (!diff_component_known(d, c) || !shows(row, c)) continue;
        cJSON *o = cJSON_AddObjectToObject(components, diff_component_name(d, c));
        cJSON_AddItemToObject(o, "a", value_object(&row->of[0][c]));
        cJSON_AddItemToObject(o, "b", value_object(&row->of[1][c]));
        cJSON_AddNumberToObject(o, "change", change);
        cJSON_AddNumberToObject(o, "deviation", deviation);
    }
    return object;
}

int diff_json(const struct diff *d, const struct report_options *o, FILE *out, struct error *err) {
    cJSON *root = cJSON_CreateObject();
    for (unsigned side = 0; side < 2; side++) {
        cJSON *run = cJSON_AddObjectToObject(root, side ? "b" : "a");
        json_add_run(run, &d->side[side]);
        cJSON_AddStringToObject(run, "profiler", d->side[side].profiler);
    }
    cJSON_AddStringToObject(root, "by", diff_word(o));
    cJSON_AddStringToObject(root, "values", o->shares ? "share" : "cycles");
    cJSON_AddNumberToObject(root, "level", DIFF_LEVEL);
    cJSON_AddItemToObject(root, "all", row_object(d, &d->all));
    cJSON *array = cJSON_AddArrayToObject(root, "units");
    for (size_t i = 0; i < d->count; i++)
        cJSON_AddItemToArray(array, row_object(d, &d->rows[i]));
    return json_print(root, d->side[0].path, out, err);
}
