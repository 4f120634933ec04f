// Two runs as one HTML file: what differs by function and by line, or by the units that are asked for.
#include "base/paths.h"
#include "report/diff_units.h"
#include "report/html_document.h"
#include "report/html_page.h"
#include "report/json.h"
#include "report/units.h"
#include "report/words.h"

enum { SCHEMA = 1 };

struct content {
    struct diff *diff;
    cJSON *tables;
};

static int write_text(const void *of, const struct report_options *plain, FILE *out, struct error *err) {
    const struct content *c = of;
    return diff_write(c->diff, plain, out, err);
}

static bool write_data(const void *of, const struct report_options *o, FILE *out, struct error *err) {
    const struct content *c = of;
    const struct samples_header *a = c->diff->side[0].header, *b = c->diff->side[1].header;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema", SCHEMA);
    html_words_add(root, a->event_count > b->event_count ? a->event_count : b->event_count);
    const bool good = cJSON_AddItemReferenceToObject(root, "differences", c->tables);
    if (json_print_for_page(root, false, out) && good) return true;
    return report_out_of_memory(o->page, err) == 0;
}

// Of the units of `o`, put in front of the others.
static int add_table(struct content *c, struct matching *m, const struct report_options *o, struct error *err) {
    const int result = diff_fill(c->diff, o, m, err);
    if (result) return result;
    cJSON *table = diff_json(c->diff, o);
    if (table && cJSON_InsertItemInArray(c->tables, 0, table)) return 0;
    cJSON_Delete(table);
    return report_out_of_memory(o->page, err);
}

int diff_html(struct diff *d, const struct report_options *o, FILE *out, struct error *err) {
    struct content c = {d, cJSON_CreateArray()};
    struct matching m = {0};
    struct report_options lines = *o;
    char title[256];
    lines.by = unit_kind_find("line");
    int result = c.tables ? 0 : report_out_of_memory(o->page, err);
    if (result == 0 && !o->one_table) result = add_table(&c, &m, &lines, err);
    diff_empty(d, &m);
    if (result == 0) result = add_table(&c, &m, o, err);
    snprintf(title, sizeof title, "%.100s to %.100s", paths_name(d->side[0].path), paths_name(d->side[1].path));
    if (result == 0) result = html_page_write(title, &(struct html_content){write_text, write_data, &c}, o, out, err);
    diff_empty(d, &m);
    cJSON_Delete(c.tables);
    return result;
}
