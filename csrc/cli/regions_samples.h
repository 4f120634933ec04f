// The profile that is projected from the samples of regions, and how far it is from the full run's.
#ifndef TIPOFF_CLI_REGIONS_SAMPLES_H
#define TIPOFF_CLI_REGIONS_SAMPLES_H

#include "cli/regions_measure.h"
#include "report/projection_errors.h"
#include <stdio.h>

struct sheet;
// The samples of all regions, which were measured with a period, each as often as it counts, to path. False with err.
bool regions_samples_write(const struct regions_measure *m, const char *path, const char *command, struct error *err);
// That file, kept for as long as it takes, against the samples of the full run. False with err.
bool regions_samples_judge(const struct regions_measure *m, const char *full, struct projection_errors *e,
                           struct error *err);
// A row for each unit: per cent of all time.
void regions_samples_fill(struct sheet *s, const struct projection_errors *e);
void regions_samples_text(const struct sheet *s, const struct projection_errors *e, FILE *out);
// Where *period is 0, that of the full run's samples. False with err.
bool regions_samples_period(const char *full, uint64_t *period, struct error *err);

#endif
