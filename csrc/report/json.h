// JSON beyond cJSON's doubles. Not for other libraries.
#ifndef TIPOFF_REPORT_JSON_H
#define TIPOFF_REPORT_JSON_H

#include "analysis/spread.h"
#include "report/errors.h"
#include "report/run.h"
#include <cjson/cJSON.h>

void json_add_u64(cJSON *object, const char *key, uint64_t value); // exact, where a double would round
void json_add_run(cJSON *root, const struct run *d);               // the run: file, program, configuration, totals
void json_add_profile(cJSON *root, const struct run *d);           // ... and the profile: whose, its time
void json_add_states(cJSON *root, const struct run *d);            // its time by state
struct confidence;
// What its rows are by; sure: what chance makes of it, or NULL.
void json_add_granularity(cJSON *root, const char *granularity, const struct confidence *sure);
cJSON *json_states(const uint64_t states[STATE_COUNT + 1]); // of a unit: time by state
cJSON *json_vector(const struct profile_row *row);          // one of a unit's rows
// Frees it. For the page of HTML reports: on one line, no '<' as such in it; members: without its braces. False: no
// memory.
bool json_print_for_page(cJSON *object, bool members, FILE *out);
int json_print(cJSON *object, const char *path, FILE *out, struct error *err); // and frees it

#endif
