// The time of a profile's rows by the data that it waits for: of samples alone. Not for other libraries.
#ifndef TIPOFF_REPORT_ROW_DATA_H
#define TIPOFF_REPORT_ROW_DATA_H

#include "report/export.h"

struct row_part { // of a row, at one address
    size_t row;
    uint64_t data;    // physical address
    uint64_t weight;  // in 1/U cycle
    uint64_t cycles;  // whole ones: no more, all together, than export has for the row
    uint64_t samples; // whose first row it is
    uint8_t of;       // enum samples_data
};
struct row_data {
    struct row_part *parts; // by row
    size_t count, capacity;
    uint64_t *samples; // of each row, those without data
};
// False with err: no memory. Always to be freed.
bool row_data_find(struct row_data *r, const struct export *e, struct error *err);
void row_data_free(struct row_data *r);

#endif
