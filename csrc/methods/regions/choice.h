// Which slices stand for a run: SimPoint's choice, with what each slice was.
#ifndef TIPOFF_METHODS_REGIONS_CHOICE_H
#define TIPOFF_METHODS_REGIONS_CHOICE_H

#include "methods/regions/clustering.h"
#include "methods/regions/regions_file.h"

struct choice {
    struct points points;
    struct regions_slice *slices; // as many as there are points; without parts
    size_t capacity;
    struct clustering clustering;
};

void choice_begin(struct choice *c, size_t dims, uint64_t seed);
void choice_free(struct choice *c);
// A slice more, the next one. False with err: no memory.
bool choice_add(struct choice *c, const struct regions_slice *slice, struct error *err);
// The slices of a file of frequency vectors (simpoint_files.h). 0, or a negative errno with err.
int choice_read(struct choice *c, const char *path, struct error *err);
// Clusters what was added, one slice or more, into half as many at most: where most clusters are single
// slices the score only says that those lie on their centres. 0, or -ENOMEM with err.
int choice_make(struct choice *c, const struct clustering_settings *s, struct error *err);

// Of a cluster: its slices, and by how much what is measured of its representative is to be multiplied: instructions of
// the cluster that count by those of the representative (Sabu's thesis, formula 3.2).
size_t choice_slices(const struct choice *c, size_t cluster);
double choice_multiplier(const struct choice *c, size_t cluster);

enum choice_format { CHOICE_TEXT, CHOICE_CSV };
void choice_write(const struct choice *c, enum choice_format format, FILE *out);
// Regions, slices and totals of a file that is empty so far. False with err: no memory.
bool choice_regions(const struct choice *c, struct regions_file *f, struct error *err);

#endif
