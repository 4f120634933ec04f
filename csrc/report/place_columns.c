// Columns that say where a place is: each format and view picks its own by their names.
#include "report/place_columns.h"
#include "report/contexts.h"
#include "report/csv.h"
#include "report/words.h"
#include <cjson/cJSON.h>
#include <string.h>

// The text, which may be in the buffer; NULL: not known.
static const char *column(const struct run *d, enum granularity g, struct place place, const char *name,
                          char text[REPORT_WHOLE]) {
    const bool one = g != BY_APPLICATION && place.pc != PROFILE_PC_END; // of one mode, and one image
    unsigned line = 0;
    if (strcmp(name, "mode") == 0) return one ? report_mode_name(d, place.context) : NULL;
    if (strcmp(name, "image") == 0) return one ? report_image(d, place) : NULL;
    *text = '\0';
    if (strcmp(name, "unit") == 0) {
        report_unit(d, g, place, text, REPORT_WHOLE);
    } else if (strcmp(name, "name") == 0) {
        report_name(d, g, place, text, REPORT_WHOLE);
    } else if (strcmp(name, "instruction") == 0) {
        if (g == BY_INSTRUCTION) report_instruction(d, place, text, REPORT_WHOLE);
        if (!*text) return NULL;
    } else if (strcmp(name, "process") == 0) {
        report_process(d, place.context, text, REPORT_WHOLE);
    } else if (strcmp(name, "space") == 0) {
        snprintf(text, REPORT_WHOLE, "0x%llx", (unsigned long long)place_space(place.context));
    } else {
        const char *file = g == BY_APPLICATION ? NULL : report_source(d, place, &line);
        if (strcmp(name, "file") == 0 || !file) return file;
        if (strcmp(name, "source") == 0) snprintf(text, REPORT_WHOLE, "%s:%u", file, line);
        if (strcmp(name, "line") == 0) snprintf(text, REPORT_WHOLE, "%u", line);
    }
    return text;
}

void place_csv_of(FILE *out, const struct run *d, enum granularity g, struct place place, const char *const *names) {
    char text[REPORT_WHOLE];
    for (size_t i = 0; names[i]; i++) {
        const char *known = column(d, g, place, names[i], text);
        if (i) fputc(',', out);
        if (known) csv_text(out, known);
    }
}

void place_json_of(cJSON *object, const struct run *d, enum granularity g, struct place place,
                   const char *const *names) {
    char text[REPORT_WHOLE];
    for (; *names; names++) {
        const bool optional = **names == '?';
        const char *key = *names + optional, *known = column(d, g, place, key, text);
        if (optional && (!known || place.pc == PROFILE_PC_END)) continue;
        if (strcmp(key, "line") == 0 && known) {
            cJSON_AddRawToObject(object, key, known);
        } else {
            cJSON_AddStringToObject(object, key, known ? known : "");
        }
    }
}
