// Lines of text from templates, fields of CSV and members of JSON from lists of names.
#include "report/columns.h"
#include "base/plain_text.h"
#include "report/csv.h"
#include "report/formats.h"
#include "report/style.h"
#include "report/words.h"
#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 32 };

static const char *name_to(const char *p, const char *end, char name[NAME]) {
    const size_t length = (size_t)(end - p);
    assert(length && length < NAME);
    memcpy(name, p, length);
    name[length] = '\0';
    return end;
}

// The next of a list; NULL: the last one is behind.
static const char *next_name(const char *list, char name[NAME]) {
    if (!*list) return NULL;
    list = name_to(list, strchrnul(list, ','), name);
    return list + (*list == ',');
}

// ---- text ----
static void put(const struct value *v, const struct report_options *o, int width, FILE *out) {
    char text[VALUE_LONGEST];
    if (v->kind == VALUE_SHARE) {
        style_share(out, o, v->part, v->whole);
    } else if (v->kind == VALUE_INTERVAL) {
        style_interval(out, o, v->real, v->with < SPREAD_FEW);
    } else if (v->kind == VALUE_STATES) {
        style_bar(out, o, v->states, v->full, (unsigned)width);
    } else {
        const char *shown = value_shown(v, text);
        char plain[4 * REPORT_SHOWN];
        if (!plain_is(shown)) {
            plain_put(plain, sizeof plain, shown);
            shown = plain;
        }
        const int pad = abs(width) - value_letters(shown);
        fprintf(out, "%*s%s%*s", width > 0 && pad > 0 ? pad : 0, "", shown, width < 0 && pad > 0 ? pad : 0, "");
    }
}

void columns_text(const struct columns *c, const struct report_options *o, const void *row, FILE *out) {
    char name[NAME], room[REPORT_SHOWN];
    for (const char *p = c->text; *p; p++) {
        if (*p != '{') {
            fputc(*p, out);
            continue;
        }
        p = name_to(p + 1, p + 1 + strcspn(p + 1, ":}"), name);
        const int width = *p == ':' ? (int)strtol(p + 1, NULL, 10) : 0;
        p += strcspn(p, "}");
        assert(*p);
        const struct value v = c->get(row, name, room, sizeof room);
        put(&v, o, width, out);
    }
}

// ---- CSV ----
void columns_csv_heading(const struct columns *c, FILE *out) {
    char name[NAME];
    for (const char *p = c->csv; (p = next_name(p, name));) {
        if (strcmp(name, "states") != 0) fputs(name, out);
        for (unsigned s = 0; strcmp(name, "states") == 0 && s <= STATE_COUNT; s++)
            fprintf(out, "%s%s", s ? "," : "", report_state_name(s));
        fputc(p[-1] == ',' ? ',' : '\n', out);
    }
}

void columns_csv(const struct columns *c, const void *row, FILE *out) {
    char name[NAME], room[REPORT_WHOLE], text[VALUE_LONGEST];
    for (const char *p = c->csv; (p = next_name(p, name));) {
        const struct value v = c->get(row, name, room, sizeof room);
        if (v.kind == VALUE_TEXT) {
            if (*v.text) csv_text(out, v.text);
        } else if (v.kind == VALUE_STATES) {
            for (unsigned s = 0; s <= STATE_COUNT; s++) {
                const struct value part = value_cycles(v.states[s], v.with);
                fputs(s ? "," : "", out);
                fputs(value_plain(&part, text), out);
            }
        } else {
            fputs(value_plain(&v, text), out);
        }
        putc_unlocked(p[-1] == ',' ? ',' : '\n', out); // one thread writes
    }
}

// ---- JSON ----
cJSON *columns_json(const struct columns *c, const void *row) {
    cJSON *object = cJSON_CreateObject();
    char name[NAME], room[REPORT_WHOLE];
    for (const char *p = c->json; (p = next_name(p, name));) {
        const bool optional = *name == '?';
        const struct value v = c->get(row, name, room, sizeof room);
        if (optional && v.kind == VALUE_NONE) continue;
        cJSON *of = object, *item = value_json(&v);
        char *key = name + optional, *dot = strchr(name, '.');
        if (dot) {
            *dot = '\0';
            of = cJSON_GetObjectItemCaseSensitive(object, key);
            if (!of) of = cJSON_AddObjectToObject(object, key);
            key = dot + 1;
        }
        if (cJSON_AddItemToObject(of, key, item)) continue;
        cJSON_Delete(item);
        cJSON_Delete(object);
        return NULL;
    }
    return object;
}

void rows_add(struct rows *to, const struct columns *c, const void *row) {
    if (to->array) {
        to->failed = !cJSON_AddItemToArray(to->array, columns_json(c, row)) || to->failed;
    } else if (to->options->format == &format_csv) {
        columns_csv(c, row, to->out);
    } else {
        columns_text(c, to->options, row, to->out);
    }
}
