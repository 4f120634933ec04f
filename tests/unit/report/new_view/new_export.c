// An export that test_new_view.py adds: functions and their weights.
#include "report/formats.h"
#include "report/words.h"

static int write_weights(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    size_t count;
    char name[REPORT_WHOLE];
    const struct unit_time *units = run_units(d, BY_FUNCTION, &count);
    (void)o;
    if (!units) return report_out_of_memory(d->path, err);
    for (size_t i = 0; i < count; i++) {
        report_name(d, BY_FUNCTION, units[i].place, name, sizeof name);
        fprintf(out, "%llu %s\n", (unsigned long long)units[i].weight, name);
    }
    return 0;
}

extern const struct report_format format_weights;
const struct report_format format_weights = {.name = "weights", .write = write_weights};
