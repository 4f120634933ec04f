// The flow of control of a run's images, and of its records what a search for their paths is to know. Not for other
// libraries.
#ifndef TIPOFF_METHODS_PROFILEME_PATH_CODE_H
#define TIPOFF_METHODS_PROFILEME_PATH_CODE_H

#include "methods/profileme/path_search.h"
#include "methods/profileme/view.h"

struct path_image {
    const struct program *program;
    struct path_graph *graph; // where indirect jumps went: by the run's exact counts, or, without them, by its records
    struct path_search *search;
    uint64_t bias;
};
struct path_code;
// NULL with err: the program cannot be read, or no memory.
struct path_code *path_code_create(const struct profileme_page *page, struct error *err);
void path_code_destroy(struct path_code *c);       // NULL is fine
bool path_code_counted(const struct path_code *c); // there are exact counts
// Of the i-th record, if it retired in an image that can be read: what is known of the path to it. The pair's
// other instruction is set where it was fetched before it, and retired. False: there is nothing to search; or no
// memory.
bool path_code_query(struct path_code *c, size_t i, struct path_query *query, struct path_image *image);
bool path_code_good(const struct path_code *c); // there was memory for all of it
// The transfers by which the i-th record was reached, as far as they are in the image: how many there are in steps; -1:
// the run has not kept them.
int path_code_taken(const struct path_code *c, size_t i, const struct path_image *image,
                    struct path_step steps[ROUTE_STEPS]);
// Of how many records the run has said whether it has kept them; 0: of none.
size_t path_code_taken_count(const struct path_code *c);

#endif
